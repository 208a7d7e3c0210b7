// zobrist.h: keys of states for tables of what was seen before.
//
// The key of a state is the sum (without carry) of the random numbers of the
// fluents that hold in it, so a change of a few fluents changes the key by
// their numbers alone. Two states with one key are not certain to be equal:
// compare the states where a mistake would matter.
//
// In the literature: Zobrist hashing (Zobrist 1970).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "support/bits.h"
#include "support/splitmix64.h"

namespace ludorum {

class Zobrist {
public:
    explicit Zobrist(std::uint32_t fluents, std::uint64_t seed = 0x4C75646F72756Dull) : numbers_(fluents) {
        for (std::uint64_t& number : numbers_) number = splitmix64(seed);
    }

    std::uint64_t key(const Bits* state) const {
        std::uint64_t sum = 0;
        for (std::size_t word = 0; 64 * word < numbers_.size(); ++word)
            for (Bits left = state[word]; left; left &= left - 1)
                sum ^= numbers_[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
        return sum;
    }

    std::uint64_t number(std::uint32_t fluent) const { return numbers_[fluent]; }

    // What the key changes by between two states.
    std::uint64_t change(const Bits* from, const Bits* to) const {
        std::uint64_t sum = 0;
        for (std::size_t word = 0; 64 * word < numbers_.size(); ++word)
            for (Bits left = from[word] ^ to[word]; left; left &= left - 1)
                sum ^= numbers_[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
        return sum;
    }

private:
    std::vector<std::uint64_t> numbers_;
};

}  // namespace ludorum
