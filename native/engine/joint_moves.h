// The moves of the roles in a state, and all joint moves that can be made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/simulator.h"
#include "support/bits.h"

namespace ludorum {

using MovesByRole = std::vector<std::vector<std::uint32_t>>;

// The numbers of the moves that the bits `legal` of a state have.
inline MovesByRole moves_by_role(const Shape& shape, const Bits* legal) {
    MovesByRole moves(shape.roles());
    std::uint32_t first = 0;
    for (std::size_t role = 0; role < moves.size(); first += shape.moves[role++])
        for_bits(legal, first, first + shape.moves[role], [&](std::uint32_t move) { moves[role].push_back(move); });
    return moves;
}

// Calls visit(joint) with one move of every role, for all combinations, until it returns false. There are none where a
// role has no move.
template <class Visit> void for_joint_moves(const MovesByRole& moves, Visit visit) {
    for (const auto& of_role : moves)
        if (of_role.empty()) return;
    std::vector<std::size_t> at(moves.size(), 0);
    std::vector<std::uint32_t> joint(moves.size());
    while (true) {
        for (std::size_t role = 0; role < moves.size(); ++role) joint[role] = moves[role][at[role]];
        if (!visit(joint)) return;
        std::size_t role = moves.size();
        while (role > 0 && ++at[role - 1] == moves[role - 1].size()) at[--role] = 0;
        if (role == 0) return;
    }
}

}  // namespace ludorum
