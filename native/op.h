// op.h: what the kernels can do to slots.
#pragma once

#include <cstdint>

namespace ludorum {

enum class Op : std::uint8_t {
    kAnd2, kAnd3, kAnd4, kAndMany,      // all inputs
    kOr2, kOr3, kOr4, kOrMany,          // any input
    kBut2, kBut3, kBut4, kButMany,      // all inputs but the last, which must be false
    kNot, kCopy,
    kLoopBegin,                         // clears its slots
    kLoopEnd,                           // ors pairs (slot, definition) together; repeats the loop if one changed
};

}  // namespace ludorum
