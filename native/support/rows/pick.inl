// pick.inl: one of the bits that are set in a row.

// The position of the set bit with this rank. Without branches: which half it is in nobody can foretell.
//
// In the literature: selection in a broadword (Vigna 2008), here by halves, or in one instruction.
LUDORUM_INLINE u32 nth_bit(u64 bits, u32 rank) {
#if defined(__AVX512F__)
    return static_cast<u32>(__builtin_ctzll(_pdep_u64(u64{1} << (rank & 63), bits) | u64{1} << 63));
#else
    u32 position = 0;
    for (u32 half = 32; half > 0; half /= 2) {
        const u32 low = static_cast<u32>(__builtin_popcountll(bits & ((u64{1} << half) - 1)));
        const u32 above = u32{0} - static_cast<u32>(rank >= low);
        rank -= low & above;
        position += half & above;
        bits >>= half & above;
    }
    return position;
#endif
}

// A rank below `count`: the high half of a product, whose bias is below 2^-32 for any number of moves. The stream stays
// as it is where there is no choice.
//
// In the literature: Lemire 2019.
LUDORUM_INLINE u32 draw_rank(u64 count, u64& stream) {
    u64 next = stream;
    const u64 drawn = splitmix64(next);
    stream = count > 1 ? next : stream;
    // By halves, since vectors have no longer products; `count` is below 2^32.
    return static_cast<u32>(((drawn >> 32) * count + ((drawn & 0xFFFFFFFF) * count >> 32)) >> 32);
}

// The words of a row that have bits of a range, and which bits of the first and of the last word these are.
struct Words {
    u32 first, last;
    u64 in_first, in_last;
};

LUDORUM_INLINE Words words_of(const RowRange& range) {
    if (range.first >= range.end) return {};
    const u32 last = (range.end - 1) / 64;
    Words words{range.first / 64, last, ~u64{0} << (range.first % 64), ~u64{0} >> (63 - (range.end - 1) % 64)};
    if (words.first == last) words.in_first = words.in_last = words.in_first & words.in_last;
    return words;
}

LUDORUM_INLINE u64 word_at(const u64* row, const Words& words, u32 at) {
    const u64 bits = at == words.first ? row[at] & words.in_first : row[at];
    return at == words.last ? bits & words.in_last : bits;
}

LUDORUM_INLINE u32 popcount(u64 bits) { return static_cast<u32>(__builtin_popcountll(bits)); }

static void count(const RowRange& range, std::size_t rows, u32* counts, std::size_t stride) noexcept {
    const Words words = words_of(range);
    for (std::size_t i = 0; i < rows; ++i) {
        const u64* row = range.rows + i * range.words;
        u32 total = 0;
        if (range.first < range.end)
            for (u32 at = words.first; at <= words.last; ++at) total += popcount(word_at(row, words, at));
        counts[i * stride] = total;
    }
}

static void mark_empty(const RowRange& range, std::size_t count, u8* __restrict flags) noexcept {
    const Words words = words_of(range);
    const u64* row = range.rows;
    const std::size_t stride = range.words;
    if (range.first >= range.end) {
        for (std::size_t i = 0; i < count; ++i) flags[i] = 1;
    } else if (words.first == words.last) {
        row += words.first;
        for (std::size_t i = 0; i < count; ++i) flags[i] |= (row[i * stride] & words.in_first) == 0;
    } else {
        for (std::size_t i = 0; i < count; ++i, row += stride) {
            u64 any = (row[words.first] & words.in_first) | (row[words.last] & words.in_last);
            for (u32 at = words.first + 1; at < words.last; ++at) any |= row[at];
            flags[i] |= any == 0;
        }
    }
}

static bool all_set(const RowRange& range, std::size_t count, const u8* asked, const u32* numbers, std::size_t stride) noexcept {
    const u32 width = range.end - range.first;
    u64 wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const u32 number = numbers[i * stride];
        // What lies outside is looked up at the beginning of the row, so that nothing is read past its end.
        const u64 is_outside = number >= width, bit = is_outside ? 0 : u64{range.first} + number;
        const u64 is_clear = range.words == 0 ? 1 : ~(range.rows[i * range.words + bit / 64] >> (bit % 64)) & 1;
        wrong |= (is_outside | is_clear) & static_cast<u64>(asked[i] != 0);
    }
    return wrong == 0;
}

// Rows that are drawn from at a time.
constexpr std::size_t kPickBlock = 128;

// The set bit with a rank that is drawn, in a range of several words; kNoBit where none is set.
LUDORUM_INLINE u32 pick_among_words(const u64* row, const Words& words, u64& stream) {
    // How many bits are set before the end of each word, as far as there is room: most games have few words.
    constexpr u32 kRoom = 128;
    u32 before[kRoom], total = 0;
    for (u32 at = words.first; at <= words.last; ++at) {
        total += popcount(word_at(row, words, at));
        if (at - words.first < kRoom) before[at - words.first] = total;
    }
    if (total == 0) return kNoBit;
    u32 rank = draw_rank(total, stream), skipped = 0;
    const u32 noted = words.last - words.first < kRoom ? words.last - words.first : kRoom;
    for (u32 i = 0; i < noted; ++i) skipped += before[i] <= rank;
    if (skipped > 0) rank -= before[skipped - 1];
    u32 at = words.first + skipped;
    for (u32 here; rank >= (here = popcount(word_at(row, words, at))); ++at) rank -= here;
    return at * 64 + nth_bit(word_at(row, words, at), rank);
}

// The same in a range of at most 64 bits, for a block of rows: in loops that a compiler makes vectors of.
LUDORUM_INLINE void pick_in_block(const RowRange& range, std::size_t count, const u8* __restrict asked, u64* __restrict streams,
                                  u32* __restrict picked, std::size_t stride) {
    u64 bits[kPickBlock], ranks[kPickBlock];
    const u32 first = range.first, end = range.end;
    const u64* row = range.rows;
    const std::size_t words = range.words;
    if (first / 64 == (end - 1) / 64) {
        const u64 inside = ~u64{0} >> (64 - (end - first));
        row += first / 64;
        for (std::size_t i = 0; i < count; ++i) bits[i] = row[i * words] >> (first % 64) & inside & (u64{0} - u64{asked[i] != 0});
    } else {
        for (std::size_t i = 0; i < count; ++i, row += words) bits[i] = bits_at(row, first, end) & (u64{0} - u64{asked[i] != 0});
    }
    for (std::size_t i = 0; i < count; ++i) ranks[i] = popcount(bits[i]);
    for (std::size_t i = 0; i < count; ++i) ranks[i] = draw_rank(ranks[i], streams[i]);
    for (std::size_t i = 0; i < count; ++i) {
        const u32 chosen = nth_bit(bits[i], static_cast<u32>(ranks[i]));
        picked[i * stride] = bits[i] == 0 ? kNoBit : chosen;
    }
}

static void pick(const RowRange& range, std::size_t count, const u8* asked, u64* streams, u32* picked,
                 std::size_t stride) noexcept {
    const u32 first = range.first;
    if (range.first >= range.end) {
        for (std::size_t i = 0; i < count; ++i) picked[i * stride] = kNoBit;
        return;
    }
    if (range.end - range.first <= 64) {
        for (std::size_t i = 0; i < count; i += kPickBlock) {
            const RowRange block{range.rows + i * range.words, range.words, range.first, range.end};
            pick_in_block(block, count - i < kPickBlock ? count - i : kPickBlock, asked + i, streams + i, picked + i * stride, stride);
        }
        return;
    }
    const Words words = words_of(range);
    for (std::size_t i = 0; i < count; ++i) {
        u32 chosen = kNoBit;
        if (asked[i] != 0) {
            chosen = pick_among_words(range.rows + i * range.words, words, streams[i]);
            chosen = chosen == kNoBit ? kNoBit : chosen - first;
        }
        picked[i * stride] = chosen;
    }
}
