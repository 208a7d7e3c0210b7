#include "transpose.h"

#include <initializer_list>

namespace ludorum {
namespace {

// Two rows at a time, which every machine can.
typedef std::uint64_t Rows __attribute__((vector_size(16), aligned(8), may_alias));

// The right half of what is above and the left half of what is below change places, in every stretch of twice the width.
template <int kWidth> inline void exchange(Rows& above, Rows& below) {
    constexpr std::uint64_t kMask = ~std::uint64_t{0} / ((std::uint64_t{1} << kWidth) + 1);
    const Rows swapped = ((above >> kWidth) ^ below) & kMask;
    above ^= swapped << kWidth;
    below ^= swapped;
}

}  // namespace

// Halves of the matrix change places, then quarters, and so on: first between rows that are far apart, then inside of
// eight rows, so that everything stays in registers for three steps.
void transpose(std::uint64_t rows[64]) noexcept {
    const auto at = [rows](int row) -> Rows& { return *reinterpret_cast<Rows*>(rows + row); };
    for (int k = 0; k < 8; k += 2) {
        Rows part[8];
        for (int i = 0; i < 8; ++i) part[i] = at(8 * i + k);
        for (int i = 0; i < 4; ++i) exchange<32>(part[i], part[i + 4]);
        for (int i : {0, 1, 4, 5}) exchange<16>(part[i], part[i + 2]);
        for (int i : {0, 2, 4, 6}) exchange<8>(part[i], part[i + 1]);
        for (int i = 0; i < 8; ++i) at(8 * i + k) = part[i];
    }
    for (int k = 0; k < 64; k += 8) {
        Rows part[4];
        for (int i = 0; i < 4; ++i) part[i] = at(k + 2 * i);
        for (int i : {0, 1}) exchange<4>(part[i], part[i + 2]);
        for (int i : {0, 2}) exchange<2>(part[i], part[i + 1]);
        for (int i : {0, 2}) {
            Rows even = __builtin_shufflevector(part[i], part[i + 1], 0, 2), odd = __builtin_shufflevector(part[i], part[i + 1], 1, 3);
            exchange<1>(even, odd);
            at(k + 2 * i) = __builtin_shufflevector(even, odd, 0, 2);
            at(k + 2 * i + 2) = __builtin_shufflevector(even, odd, 1, 3);
        }
    }
}

}  // namespace ludorum
