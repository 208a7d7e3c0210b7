// kernel.h: what runs an evaluation program, compiled once for every instruction set.
#pragma once

#include <cstdint>

#include "evaluation_program.h"

namespace ludorum {

constexpr std::uint32_t kBlock = 64;  // states at a time

struct EvaluationKernel {
    const char* instructions;
    // planes[p]: bit i is that of state i. moves[r * kBlock + i]: the legal moves of role r in state i. Slots: kBlock
    // floats each, aligned to 64 bytes.
    void (*run)(const EvaluationCode& code, const std::uint64_t* planes, const float* moves, float* slots);
};

extern const EvaluationKernel kEvaluationBase, kEvaluationAvx2, kEvaluationAvx512;

}  // namespace ludorum
