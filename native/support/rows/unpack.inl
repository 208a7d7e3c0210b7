// unpack.inl: bits to bytes.

// The bits from `first` to before `first + 64` of a row, those from `end` on being 0.
LUDORUM_INLINE u64 bits_at(const u64* row, u32 first, u32 end) {
    const u32 shift = first % 64, count = end - first;
    u64 bits = row[first / 64] >> shift;
    if (shift != 0 && count > 64 - shift) bits |= row[first / 64 + 1] << (64 - shift);
    return count < 64 ? bits & ((u64{1} << count) - 1) : bits;
}

// Up to 64 bits to as many bytes.
#if defined(__AVX512BW__)
LUDORUM_INLINE void spread(u64 bits, u32 count, u8* out) {
    const __m512i bytes = _mm512_maskz_set1_epi8(bits, 1);
    if (count >= 64) _mm512_storeu_si512(out, bytes);
    else _mm512_mask_storeu_epi8(out, (u64{1} << count) - 1, bytes);
}

// The same where 64 bytes may be written whatever their number: a store of so many bytes as a mask says takes longer.
LUDORUM_INLINE void spread_on(u64 bits, u32 count, u8* out) {
    if (count <= 32) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_maskz_set1_epi8(static_cast<__mmask32>(bits), 1));
    else _mm512_storeu_si512(out, _mm512_maskz_set1_epi8(bits, 1));
}
#else
// Eight bits as eight bytes: bit i is moved to byte i, and there to the lowest place.
LUDORUM_INLINE u64 spread_eight(u64 bits) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const u64 kPlaces = 0x8040201008040201ull;
#else
    const u64 kPlaces = 0x0102040810204080ull;
#endif
    const u64 found = ((bits & 0xFF) * 0x0101010101010101ull) & kPlaces;
    // A byte that is not 0 has its highest bit set once 127 is added, or had it before.
    return (((found & 0x7F7F7F7F7F7F7F7Full) + 0x7F7F7F7F7F7F7F7Full) | found) >> 7 & 0x0101010101010101ull;
}

LUDORUM_INLINE void spread(u64 bits, u32 count, u8* out) {
#if defined(__AVX2__)
    const __m256i byte_of = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ull));
    for (; count >= 32; count -= 32, bits >>= 32, out += 32) {
        const __m256i four = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), byte_of);
        const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(four, bit_of), bit_of);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_and_si256(set, _mm256_set1_epi8(1)));
    }
#endif
    for (; count >= 8; count -= 8, bits >>= 8, out += 8) {
        const u64 bytes = spread_eight(bits);
        __builtin_memcpy(out, &bytes, 8);
    }
    for (; count > 0; --count, bits >>= 1) *out++ = bits & 1;
}

LUDORUM_INLINE void spread_on(u64 bits, u32 count, u8* out) { spread(bits, count < 64 ? count : 64, out); }
#endif

static void unpack(const RowRange& range, std::size_t count, u8* bytes) noexcept {
    const u32 first = range.first, end = range.end;
    if (first >= end) return;
    const u64* row = range.rows;
    const std::size_t words = range.words, width = end - first;
    // Where what is written past the end of a row is written over by the next ones.
    const std::size_t followed = count > 64 / width + 1 ? count - 64 / width - 1 : 0;
    std::size_t i = 0;
    if (end <= 64)
        for (; i < followed; ++i, row += words, bytes += width) spread_on(*row >> first, static_cast<u32>(width), bytes);
    else if (first == 0)
        for (; i < followed; ++i, row += words, bytes += width)
            for (u32 at = 0; at < end; at += 64) spread_on(row[at / 64], end - at, bytes + at);
    for (; i < count; ++i, row += words, bytes += width)
        for (u32 at = first; at < end; at += 64) spread(bits_at(row, at, end), end - at < 64 ? end - at : 64, bytes + (at - first));
}
