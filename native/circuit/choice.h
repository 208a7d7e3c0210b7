// choice.h: the tree over which a role's move is chosen in every lane at once.
//
// The legal bits are added up a binary tree in bit-sliced arithmetic; a rank
// drawn below the root's count then walks down it. Leaves are groups of up to
// fifteen moves, whose count fits four bits.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/kernels/kernels.h"

namespace ludorum::circuit {

struct ChoiceNode {
    std::uint32_t left, right;  // nodes; for a group: its first move (of the role) and its size
    std::uint32_t bits;         // planes of its count
    std::uint32_t planes;       // where they start in the scratch planes
};

// Nodes [0, groups) are groups; the others come after both of their children;
// the last one is the root.
struct ChoiceTree {
    std::uint32_t groups = 0;
    std::vector<ChoiceNode> nodes;
    std::uint32_t planes = 0;   // scratch planes for counts, and as many for ranks
};

// Without moves there are no nodes either.
ChoiceTree choice_tree(std::uint32_t moves);

}  // namespace ludorum::circuit
