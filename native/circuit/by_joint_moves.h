// by_joint_moves.h: what holds next, written out by the joint moves that bring it about.
//
// A king is on e4 next if he was on d4 and moves from d4 to e4. Rules may say that in two halves: that something moved
// to e4, and that what moved is the king; and then that anything may have moved there from wherever. So for every joint
// move what holds next becomes a formula of fluents alone, and joint moves with the same formula are put together:
//
//     next(f) = OR over formulas c of: c and one of the joint moves that make it so
//
// A square has one content. Where a formula says what is on a square, the moves that no such content allows are left
// out: then the king's way is that of kings. Groups of fluents of which at most one holds must be known for that. Some
// are given; of others that are likely it is tried whether they stay so, all together, whatever joint move is made.
// Written out by joint moves that is mostly plain: what was on d4 is on e4, and that was one thing.
//
// In every state where the groups are as said, whatever holds next by the circuit holds next by this; of what most joint
// moves leave alone it does not ask which are made, and so may say more. What is needed for this is needed for that.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "circuit/circuit.h"

namespace ludorum::circuit {

// Groups of fluents of which at most one holds.
using Groups = std::vector<std::vector<std::uint32_t>>;

// `likely` must hold in the initial state; of them those that cannot be shown to stay so are left out, and the others
// handed back with those that are `sure`. The circuit as it is, and only what is sure, where there are too many joint
// moves, or recursive rules read moves. Requires: circuit.check() passed.
struct ByJointMoves {
    Circuit circuit;
    Groups groups;
};
ByJointMoves by_joint_moves(const Circuit& circuit, const Groups& sure, const Groups& likely, const std::atomic<std::int32_t>& stop);

}  // namespace ludorum::circuit
