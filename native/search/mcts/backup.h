// backup.h: what a playout brought, told to every node on the way to its leaf;
// and what is proved, from the leaf up as far as it goes.
#pragma once

#include "tree.h"
#include "walk.h"

namespace ludorum::mcts {

class Backup {
public:
    explicit Backup(Tree& tree) : tree_(tree) {}

    // Values are goals from 0 to 1, one a role. `played` holds the moves that the playout made, as bits of all roles'
    // moves, and is added to; it may be null where nobody asks for RAVE.
    void add(const Walk& walk, const float* values, Bits* played) const;

    // The same in two parts, all but the root and the root for many walks at once, because the root is what all threads
    // want at the same time. The first says whether there is something to prove at the root.
    bool add_below(const Walk& walk, const float* values, Bits* played) const;
    void add_at_root(const Walk& walk, const float* values, Bits* played, bool is_proving) const;

    // As if the walk had never begun.
    void cancel(const Walk& walk) const;

private:
    bool add_at(const Walk& walk, std::size_t step, const float* values, Bits* played, bool is_proving) const;
    void add_rave(Node& node, const Walk& walk, std::size_t step, const float* values, Bits* played) const;
    bool prove(Node& node, const std::uint32_t* joint, const Node& child) const;
    void prove_choice(Node& node, float* low, float* high) const;
    void prove_chance(Node& node, float* low, float* high) const;
    bool prove_joint(Node& node, float* low, float* high) const;

    Tree& tree_;
};

}  // namespace ludorum::mcts
