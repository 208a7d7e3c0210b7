// splitmix64.h: a number spread over 64 bits, and the stream of numbers that comes of counting on.
//
// Enough for seeding and for choices among few; see random.h for a longer stream.
//
// In the literature: SplitMix (Steele, Lea and Flood 2014).
#pragma once

#include <cstdint>

namespace ludorum {

// Static, so that the kernels, which are compiled for several instruction sets, share no copy of it.

static inline std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline std::uint64_t splitmix64(std::uint64_t& state) { return mix64(state += 0x9E3779B97F4A7C15ull); }

}  // namespace ludorum
