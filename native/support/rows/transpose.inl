// transpose.inl: 64 × 64 bits.
//
// Halves of the matrix change places, then quarters, and so on: first between rows that are far apart, then inside of
// eight rows, so that everything stays in registers for three steps.

// As many rows as a vector of the machine holds.
#if defined(__AVX512F__)
constexpr int kVectorRows = 8;
#elif defined(__AVX2__)
constexpr int kVectorRows = 4;
#else
constexpr int kVectorRows = 2;
#endif
typedef u64 Rows __attribute__((vector_size(8 * kVectorRows), aligned(8), may_alias));

// The right half of what is above and the left half of what is below change places, in every stretch of twice the width.
template <int kWidth> LUDORUM_INLINE void exchange(Rows& above, Rows& below) {
    constexpr u64 kMask = ~u64{0} / ((u64{1} << kWidth) + 1);
    const Rows swapped = ((above >> kWidth) ^ below) & kMask;
    above ^= swapped << kWidth;
    below ^= swapped;
}

// The same between rows of one vector that are kWidth apart: rows[i] takes what row i ^ kWidth gives it.
#if defined(__AVX512F__)
template <int kWidth> LUDORUM_INLINE Rows exchange_within(Rows rows) {
    constexpr u64 kRight = ~u64{0} / ((u64{1} << kWidth) + 1), kLeft = ~kRight;
    Rows own, by;
    for (int i = 0; i < 8; ++i) {
        own[i] = i & kWidth ? kLeft : kRight;
        by[i] = i & kWidth ? 64 - kWidth : kWidth;
    }
    __m512i other = (__m512i)rows;
    if constexpr (kWidth == 4) other = _mm512_shuffle_i64x2(other, other, 0x4E);
    if constexpr (kWidth == 2) other = _mm512_permutex_epi64(other, 0x4E);
    if constexpr (kWidth == 1) other = _mm512_shuffle_epi32(other, (_MM_PERM_ENUM)0x4E);
    const Rows turned = (Rows)_mm512_rolv_epi64(other, (__m512i)by);
    return (rows & own) | (turned & ~own);
}
#endif

static void transpose(u64 rows[64]) noexcept {
    const auto at = [rows](int row) -> Rows& { return *reinterpret_cast<Rows*>(rows + row); };
    for (int k = 0; k < 8; k += kVectorRows) {
        Rows part[8];
        for (int i = 0; i < 8; ++i) part[i] = at(8 * i + k);
        for (int i = 0; i < 4; ++i) exchange<32>(part[i], part[i + 4]);
        for (int i = 0; i < 8; ++i)
            if (!(i & 2)) exchange<16>(part[i], part[i + 2]);
        for (int i = 0; i < 8; i += 2) exchange<8>(part[i], part[i + 1]);
#if defined(__AVX512F__)
        for (int i = 0; i < 8; ++i) at(8 * i) = exchange_within<1>(exchange_within<2>(exchange_within<4>(part[i])));
    }
#else
        for (int i = 0; i < 8; ++i) at(8 * i + k) = part[i];
    }
    // What is left is done two rows at a time.
    typedef u64 Pair __attribute__((vector_size(16), aligned(8), may_alias));
    const auto swap = [](Pair& above, Pair& below, int width, u64 mask) {
        const Pair swapped = ((above >> width) ^ below) & mask;
        above ^= swapped << width;
        below ^= swapped;
    };
    const auto pair = [rows](int row) -> Pair& { return *reinterpret_cast<Pair*>(rows + row); };
    for (int k = 0; k < 64; k += 8) {
        Pair part[4];
        for (int i = 0; i < 4; ++i) part[i] = pair(k + 2 * i);
        swap(part[0], part[2], 4, 0x0F0F0F0F0F0F0F0Full);
        swap(part[1], part[3], 4, 0x0F0F0F0F0F0F0F0Full);
        swap(part[0], part[1], 2, 0x3333333333333333ull);
        swap(part[2], part[3], 2, 0x3333333333333333ull);
        for (int i = 0; i < 4; i += 2) {
            Pair even = __builtin_shufflevector(part[i], part[i + 1], 0, 2), odd = __builtin_shufflevector(part[i], part[i + 1], 1, 3);
            swap(even, odd, 1, 0x5555555555555555ull);
            pair(k + 2 * i) = __builtin_shufflevector(even, odd, 0, 2);
            pair(k + 2 * i + 2) = __builtin_shufflevector(even, odd, 1, 3);
        }
    }
#endif
}
