// backup.h: what a playout brought, told to every node on the way to its leaf;
// and what is proved, from the leaf up as far as it goes.
//
// In the literature: MCTS-Solver (Winands, Björnsson and Saito 2008), here with bounds for every role, as in score-bounded
// MCTS (Cazenave and Saffidine 2010); RAVE and AMAF (Gelly and Silver 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/mcts/path_groups.h"
#include "search/mcts/selected_path.h"
#include "search/mcts/tree.h"

namespace ludorum::mcts {

class Backup {
public:
    explicit Backup(Tree& tree) : tree_(tree) {}

    // Values are goals from 0 to 1, one a role, path after path. `played` holds for every path the moves that its playout
    // made, as bits of all roles' moves, and is added to; it may be null where nobody asks for RAVE. Requires: all paths
    // begin at the same root.
    void add(std::span<const SelectedPath* const> paths, const float* values, Bits* played);

    // As if the path had never begun.
    void cancel(const SelectedPath& path) const;

private:
    struct Together;

    void ask(const SelectedPath& path, std::size_t first) const;
    void ask(const Step& step) const;
    void add_at(const SelectedPath& path, const Step& step, const std::uint64_t* parts) const;
    void add_rave(const SelectedPath& path, const float* values, Bits* played) const;
    void prove(const SelectedPath& path) const;
    bool prove(Node& node, std::uint32_t edge, const Node& child) const;
    void prove_choice(Node& node, float* low, float* high) const;
    void prove_chance(Node& node, float* low, float* high) const;
    bool prove_joint(Node& node, float* low, float* high) const;

    Tree& tree_;
    PathGroups groups_;
    std::vector<std::uint64_t> parts_;  // of the values
    std::vector<std::uint32_t> made_;   // by path: steps that were told
    // What several paths bring to one move.
    struct Sum {
        std::uint32_t edge, stats;
        std::uint64_t visits, parts;
        std::size_t group;  // with which those of them go on that do
    };
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    std::vector<Sum> sums_;
    std::vector<std::uint32_t> alone_;  // paths that go on by themselves
};

}  // namespace ludorum::mcts
