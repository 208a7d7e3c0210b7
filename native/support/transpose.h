// transpose.h: rows of bits to planes of lanes and back, 64 × 64 at a time.
#pragma once

#include <cstdint>

namespace ludorum {

// Afterwards bit i of rows[j] is what bit j of rows[i] was.
void transpose(std::uint64_t rows[64]) noexcept;

}  // namespace ludorum
