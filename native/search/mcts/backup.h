// backup.h: what a playout brought, told to every node on the way to its leaf;
// and what is proved, from the leaf up as far as it goes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "flocks.h"
#include "tree.h"
#include "walk.h"

namespace ludorum::mcts {

class Backup {
public:
    explicit Backup(Tree& tree) : tree_(tree) {}

    // Values are goals from 0 to 1, one a role, walk after walk. `played` holds for every walk the moves that its playout
    // made, as bits of all roles' moves, and is added to; it may be null where nobody asks for RAVE. Requires: all walks
    // begin at the same root.
    void add(std::span<const Walk* const> walks, const float* values, Bits* played);

    // As if the walk had never begun.
    void cancel(const Walk& walk) const;

private:
    struct Together;

    void ask(const Walk& walk, std::size_t first) const;
    void ask(const Step& step) const;
    void add_at(const Walk& walk, const Step& step, const std::uint64_t* parts) const;
    void add_rave(const Walk& walk, const float* values, Bits* played) const;
    void prove(const Walk& walk) const;
    bool prove(Node& node, std::uint32_t edge, const Node& child) const;
    void prove_choice(Node& node, float* low, float* high) const;
    void prove_chance(Node& node, float* low, float* high) const;
    bool prove_joint(Node& node, float* low, float* high) const;

    Tree& tree_;
    Flocks flocks_;
    std::vector<std::uint64_t> parts_;  // of the values
    std::vector<std::uint32_t> made_;   // by walk: steps that were told
    // What several walks bring to one move.
    struct Sum {
        std::uint32_t edge, record;
        std::uint64_t visits, parts;
        std::size_t flock;  // with which those of them go on that do
    };
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    std::vector<Sum> sums_;
    std::vector<std::uint32_t> alone_;  // walks that go on by themselves
};

}  // namespace ludorum::mcts
