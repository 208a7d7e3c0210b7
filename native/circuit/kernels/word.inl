// word.inl: a machine word of lanes, as many of the machine's own vectors as it takes.

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 kColumns = LUDORUM_COLUMNS;

#define LUDORUM_INLINE static inline __attribute__((always_inline))

// A word is as many of the machine's own vectors as it takes. (The compiler would split a wider vector type for us,
// but into single integers.)
#if LUDORUM_COLUMNS == 1
constexpr u32 kPartColumns = 1;
typedef u64 Part;
#else
#if defined(__AVX512F__)
constexpr u32 kPartColumns = 8;
#elif defined(__AVX2__)
constexpr u32 kPartColumns = 4;
#else
constexpr u32 kPartColumns = 2;
#endif
typedef u64 Part __attribute__((vector_size(8 * kPartColumns), may_alias));
#endif
constexpr u32 kParts = kColumns / kPartColumns;

struct Word {
    Part part[kParts];
};

#define LUDORUM_BINARY(op)                                                          \
    LUDORUM_INLINE Word operator op(const Word& a, const Word& b) {                 \
        Word result;                                                                \
        for (u32 i = 0; i < kParts; ++i) result.part[i] = a.part[i] op b.part[i];   \
        return result;                                                              \
    }
LUDORUM_BINARY(&)
LUDORUM_BINARY(|)
LUDORUM_BINARY(^)
LUDORUM_BINARY(+)
#undef LUDORUM_BINARY

LUDORUM_INLINE Word operator~(const Word& a) {
    Word result;
    for (u32 i = 0; i < kParts; ++i) result.part[i] = ~a.part[i];
    return result;
}
LUDORUM_INLINE Word& operator&=(Word& a, const Word& b) { return a = a & b; }
LUDORUM_INLINE Word& operator|=(Word& a, const Word& b) { return a = a | b; }
LUDORUM_INLINE Word& operator^=(Word& a, const Word& b) { return a = a ^ b; }

template <int kBy> LUDORUM_INLINE Word shift_left(const Word& a) {
    Word result;
    for (u32 i = 0; i < kParts; ++i) result.part[i] = a.part[i] << kBy;
    return result;
}

template <int kBy> LUDORUM_INLINE Word rotate(const Word& a) {
    Word result;
    for (u32 i = 0; i < kParts; ++i) result.part[i] = (a.part[i] << kBy) | (a.part[i] >> (64 - kBy));
    return result;
}

const Word kZero = {};

LUDORUM_INLINE Word& at(u64* slots, u32 operand) { return *reinterpret_cast<Word*>(slots + operand); }

LUDORUM_INLINE bool any(const Word& word) {
    Part all = word.part[0];
    for (u32 i = 1; i < kParts; ++i) all |= word.part[i];
#if LUDORUM_COLUMNS == 1
    return all != 0;
#elif defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)all, (__m512i)all) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)all, (__m256i)all);
#else
    return (all[0] | all[1]) != 0;
#endif
}

LUDORUM_INLINE u64 column(const Word& word, u32 c) { return reinterpret_cast<const u64*>(&word)[c]; }
LUDORUM_INLINE void set_column(Word& word, u32 c, u64 bits) { reinterpret_cast<u64*>(&word)[c] = bits; }
