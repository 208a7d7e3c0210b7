// walk.h: one way through the tree, from the root to a leaf, while its playout
// is under way.
#pragma once

#include <cstdint>
#include <vector>

#include "tree.h"

namespace ludorum::mcts {

// As large as a line of the cache, and in one.
struct alignas(64) Walk {
    std::vector<Node*> nodes;          // from the root
    std::vector<std::uint32_t> edges;  // for every node an edge a role
    Node* end = nullptr;               // the node of the leaf, if it has one
    bool wants_node = false;           // whether it is to get one

    void clear() {
        nodes.clear();
        edges.clear();
        end = nullptr;
        wants_node = false;
    }
    const std::uint32_t* joint(std::size_t step, std::size_t roles) const { return edges.data() + step * roles; }

    // Appends the joint moves from a step on, as numbers of moves. Not kept, because most searches need but the last and
    // each is a look into memory.
    void add_moves(std::size_t step, std::size_t roles, std::vector<std::uint32_t>& moves) const {
        for (; step < nodes.size(); ++step)
            for (std::size_t r = 0; r < roles; ++r) moves.push_back(nodes[step]->move(r, joint(step, roles)[r]));
    }
};

}  // namespace ludorum::mcts
