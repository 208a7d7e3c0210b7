// bits.h: ranges of bits in rows of words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ludorum {

// Calls visit(base, bits) for every word that has bits from `first` to before `end`: bit i of `bits` is bit base + i of
// the row, and those outside are 0.
template <class Visit> inline void for_words(const std::uint64_t* row, std::uint32_t first, std::uint32_t end, Visit visit) {
    while (first < end) {
        const std::uint32_t base = first / 64 * 64, stop = end - base < 64 ? end - base : 64;
        std::uint64_t bits = row[first / 64] & (~std::uint64_t{0} << (first - base));
        if (stop < 64) bits &= (std::uint64_t{1} << stop) - 1;
        visit(base, bits);
        first = base + stop;
    }
}

inline std::uint32_t count_bits(const std::uint64_t* row, std::uint32_t first, std::uint32_t end) {
    std::uint32_t count = 0;
    for_words(row, first, end, [&](std::uint32_t, std::uint64_t bits) { count += static_cast<std::uint32_t>(std::popcount(bits)); });
    return count;
}

inline bool any_bit(const std::uint64_t* row, std::uint32_t first, std::uint32_t end) {
    std::uint64_t any = 0;
    for_words(row, first, end, [&](std::uint32_t, std::uint64_t bits) { any |= bits; });
    return any != 0;
}

// Calls visit(number) for every bit that is set, counted from `first`.
template <class Visit> inline void for_bits(const std::uint64_t* row, std::uint32_t first, std::uint32_t end, Visit visit) {
    for_words(row, first, end, [&](std::uint32_t base, std::uint64_t bits) {
        for (; bits; bits &= bits - 1) visit(base + static_cast<std::uint32_t>(std::countr_zero(bits)) - first);
    });
}

}  // namespace ludorum
