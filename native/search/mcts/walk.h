// walk.h: one way through the tree, from the root to a leaf, while its playout
// is under way.
#pragma once

#include <cstdint>
#include <vector>

#include "tree.h"

namespace ludorum::mcts {

struct Walk {
    std::vector<Node*> nodes;          // from the root
    std::vector<std::uint32_t> edges;  // for every node an edge a role,
    std::vector<std::uint32_t> moves;  // and the number of its move
    Node* end = nullptr;               // the node of the leaf, if it has one
    bool wants_node = false;           // whether it is to get one

    void clear() {
        nodes.clear();
        edges.clear();
        moves.clear();
        end = nullptr;
        wants_node = false;
    }
    const std::uint32_t* joint(std::size_t step, std::size_t roles) const { return edges.data() + step * roles; }
    const std::uint32_t* last_moves(std::size_t roles) const { return moves.data() + moves.size() - roles; }
};

}  // namespace ludorum::mcts
