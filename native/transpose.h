// transpose.h: rows of bits to planes of lanes and back, 64 × 64 at a time.
#pragma once

#include <cstdint>

namespace ludorum {

// Afterwards bit i of rows[j] is what bit j of rows[i] was.
inline void transpose(std::uint64_t rows[64]) {
    std::uint64_t mask = 0x00000000FFFFFFFFull;
    for (unsigned width = 32; width != 0; width >>= 1, mask ^= mask << width)
        for (unsigned i = 0; i < 64; i = (i + width + 1) & ~width) {
            const std::uint64_t swapped = ((rows[i] >> width) ^ rows[i + width]) & mask;
            rows[i] ^= swapped << width;
            rows[i + width] ^= swapped;
        }
}

}  // namespace ludorum
