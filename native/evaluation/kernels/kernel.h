// kernel.h: what runs an evaluation program, compiled once for every instruction set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "evaluation/program.h"

namespace ludorum::evaluation {

constexpr std::uint32_t kBlock = 64;  // states at a time, at the most

// How many states are worked on at once for the sake of a number of them, at most kBlock: 8, 16, 32 or 64. A search often
// has a handful.
constexpr std::uint32_t block_for(std::uint32_t states) { return std::max<std::uint32_t>(8, std::bit_ceil(states)); }

struct EvaluationKernel {
    const char* instructions;
    // planes[p]: bit i is that of state i. With a block of block_for(states), moves[r * block + i]: the legal moves of role r
    // in state i. Slots: `block` doubles each, the first aligned to 64 bytes; what they hold beyond the states means nothing.
    void (*run)(const EvaluationCode& code, std::uint32_t states, const std::uint64_t* planes, const double* moves, double* slots);
};

extern const EvaluationKernel kEvaluationBase, kEvaluationAvx2, kEvaluationAvx512;

}  // namespace ludorum::evaluation
