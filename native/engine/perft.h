// perft.h: counting sequences of joint moves.
//
// In the literature: perft, performance test, of chess programming.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/simulator.h"

namespace ludorum {

// The number of sequences of 1, 2, … depth joint moves from a state; a
// terminal state has none. Comes back early once `stop` is not 0.
// Throws std::overflow_error past 2^64.
std::vector<std::uint64_t> perft(const Simulator& simulator, const Bits* state, std::uint32_t depth,
                                 const std::atomic<std::int32_t>& stop);

// All joint moves in a state, role 0 slowest, at most `limit` of them; rows of
// one move number a role. None for a terminal state.
std::vector<std::uint32_t> joint_moves(const Simulator& simulator, const Bits* state, std::uint64_t limit);

}  // namespace ludorum
