// zobrist.h: keys of states for tables of what was seen before.
//
// The key of a state is the sum (without carry) of the random numbers of the
// fluents that hold in it, so a change of a few fluents changes the key by
// their numbers alone. Two states with one key are not certain to be equal:
// compare the states where a mistake would matter.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "simulator.h"

namespace ludorum {

class Zobrist {
public:
    explicit Zobrist(std::uint32_t fluents, std::uint64_t seed = 0x4C75646F72756Dull) : numbers_(fluents) {
        for (std::uint64_t& number : numbers_) {  // splitmix64 (Steele, Lea and Flood)
            std::uint64_t z = (seed += 0x9E3779B97F4A7C15ull);
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
            number = z ^ (z >> 31);
        }
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
