// bits.h: rows of bits in words, and ranges of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ludorum {

using Bits = std::uint64_t;

constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

// Calls visit(base, bits) for every word that has bits from `first` to before `end`: bit i of `bits` is bit base + i of
// the row, and those outside are 0.
template <class Visit> inline void for_words(const Bits* row, std::uint32_t first, std::uint32_t end, Visit visit) {
    while (first < end) {
        const std::uint32_t base = first / 64 * 64, stop = end - base < 64 ? end - base : 64;
        Bits bits = row[first / 64] & (~Bits{0} << (first - base));
        if (stop < 64) bits &= (Bits{1} << stop) - 1;
        visit(base, bits);
        first = base + stop;
    }
}

inline std::uint32_t count_bits(const Bits* row, std::uint32_t first, std::uint32_t end) {
    std::uint32_t count = 0;
    for_words(row, first, end, [&](std::uint32_t, Bits bits) { count += static_cast<std::uint32_t>(std::popcount(bits)); });
    return count;
}

inline bool any_bit(const Bits* row, std::uint32_t first, std::uint32_t end) {
    Bits any = 0;
    for_words(row, first, end, [&](std::uint32_t, Bits bits) { any |= bits; });
    return any != 0;
}

// Calls visit(number) for every bit that is set, counted from `first`.
template <class Visit> inline void for_bits(const Bits* row, std::uint32_t first, std::uint32_t end, Visit visit) {
    for_words(row, first, end, [&](std::uint32_t base, Bits bits) {
        for (; bits; bits &= bits - 1) visit(base + static_cast<std::uint32_t>(std::countr_zero(bits)) - first);
    });
}

}  // namespace ludorum
