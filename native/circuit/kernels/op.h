// op.h: what the kernels can do to slots.
#pragma once

#include <cstdint>

namespace ludorum::circuit {

enum class Op : std::uint8_t {
    kAnd,        // all inputs
    kBut,        // all inputs but the last, which must be false
    kSum,        // any of: both of a pair; the first of a pair but not the second; a single input
    kNot,
    kCopy,
    kLoopBegin,  // clears its slots
    kLoopEnd,    // ors pairs (slot, definition) together; repeats the loop if one changed
};

// The number of inputs of a gate, and how a sum divides them: pairs that must
// both hold come first, then pairs of which only the first must, then singles.
struct GateShape {
    std::uint32_t inputs = 0;
    std::uint32_t both = 0, but = 0;  // pairs

    constexpr std::uint32_t singles() const { return inputs - 2 * both - 2 * but; }
    friend constexpr bool operator==(const GateShape&, const GateShape&) = default;
};

}  // namespace ludorum::circuit
