// random.h: randomness for one thread of a search.
#pragma once

#include <bit>
#include <cstdint>

#include "support/splitmix64.h"

namespace ludorum {

// xoshiro256++ (Blackman and Vigna), seeded by splitmix64.
class Random {
public:
    explicit Random(std::uint64_t seed) {
        for (std::uint64_t& part : state_) part = splitmix64(seed);
    }

    std::uint64_t operator()() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    std::uint32_t below(std::uint32_t count) {
        return static_cast<std::uint32_t>(((*this)() >> 32) * count >> 32);
    }

    // In [0, 1).
    float unit() { return static_cast<float>((*this)() >> 40) * 0x1p-24f; }

private:
    std::uint64_t state_[4];
};

}  // namespace ludorum
