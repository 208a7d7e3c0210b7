// selected_path.h: one way through the tree, from the root to a leaf, while its playout
// is under way.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts/tree.h"

namespace ludorum::mcts {

// A node, and what was chosen there. It holds all that is needed to find the figures of a move without a look at the node.
struct Step {
    Node* node;
    // Where one role alone has a choice: its edge, where the record of the edge is (see Tree::ref), and the role. Where
    // several have, or none: where the edges of all roles begin in the path, and 0.
    std::uint32_t edge, stats : 24, role : 8;

    bool is_of_one() const { return stats != 0; }
};

// As large as a line of the cache, and in one.
struct alignas(64) SelectedPath {
    std::vector<Step> steps;           // from the root
    std::vector<std::uint32_t> joint;  // edges, one a role, of the steps where not one role alone has a choice
    Node* end = nullptr;               // the node of the leaf, if it has one
    bool wants_node = false;           // whether it is to get one

    void clear() {
        steps.clear();
        joint.clear();
        end = nullptr;
        wants_node = false;
    }

    // Requires: not one role alone has a choice there.
    const std::uint32_t* joint_of(const Step& step) const { return joint.data() + step.edge; }

    // The edge of a role; 0 if it has no choice.
    std::uint32_t edge(const Step& step, std::size_t role) const {
        if (!step.is_of_one()) return joint_of(step)[role];
        return role == step.role ? step.edge : 0;
    }

    // Appends the joint moves from a step on, as numbers of moves. Not kept, because most searches need but the last and
    // each is a look into memory.
    void add_moves(std::size_t first, std::size_t roles, std::vector<std::uint32_t>& moves) const {
        for (; first < steps.size(); ++first)
            for (std::size_t r = 0; r < roles; ++r) moves.push_back(steps[first].node->move(r, edge(steps[first], r)));
    }
};

}  // namespace ludorum::mcts
