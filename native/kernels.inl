// kernels.inl: the source of the kernels; each kernels_*.cpp compiles it for
// one width and one instruction set, with LUDORUM_COLUMNS and LUDORUM_KERNELS
// defined.
#include "kernels.h"

#include "op.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace ludorum {
namespace {

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

// ---- evaluation ----

// In a run the shape is the same for every gate, so its loops are predicted; small shapes are unrolled.

template <u32 kInputs> LUDORUM_INLINE void run_and(u64* slots, const u32* operand, u32 count, u32 inputs) {
    const u32 n = kInputs ? kInputs : inputs;
    for (u32 i = 0; i < count; ++i, operand += n + 1) {
        Word value = at(slots, operand[1]);
        for (u32 k = 2; k <= n; ++k) value &= at(slots, operand[k]);
        at(slots, operand[0]) = value;
    }
}

template <u32 kInputs> LUDORUM_INLINE void run_but(u64* slots, const u32* operand, u32 count, u32 inputs) {
    const u32 n = kInputs ? kInputs : inputs;
    for (u32 i = 0; i < count; ++i, operand += n + 1) {
        Word value = at(slots, operand[1]);
        for (u32 k = 2; k < n; ++k) value &= at(slots, operand[k]);
        at(slots, operand[0]) = value & ~at(slots, operand[n]);
    }
}

LUDORUM_INLINE void run_sum(u64* slots, const u32* operand, u32 count, u32 both, u32 but, u32 singles) {
    for (u32 i = 0; i < count; ++i) {
        const u32 out = *operand++;
        Word value = kZero;
        for (u32 k = 0; k < both; ++k, operand += 2) value |= at(slots, operand[0]) & at(slots, operand[1]);
        for (u32 k = 0; k < but; ++k, operand += 2) value |= at(slots, operand[0]) & ~at(slots, operand[1]);
        for (u32 k = 0; k < singles; ++k, ++operand) value |= at(slots, operand[0]);
        at(slots, out) = value;
    }
}

// Two accumulators, because a sum of a hundred inputs is otherwise bound by latency.
LUDORUM_INLINE void run_wide_or(u64* slots, const u32* operand, u32 count, u32 inputs) {
    for (u32 i = 0; i < count; ++i, operand += inputs + 1) {
        Word value = at(slots, operand[1]), other = at(slots, operand[2]);
        u32 k = 3;
        for (; k < inputs; k += 2) {
            value |= at(slots, operand[k]);
            other |= at(slots, operand[k + 1]);
        }
        if (k == inputs) value |= at(slots, operand[k]);
        at(slots, operand[0]) = value | other;
    }
}

void run_sums(u64* slots, const u32* operand, u32 count, const GateShape& shape) {
    const u32 both = shape.both, but = shape.but, singles = shape.singles();
    switch (16 * both + 4 * but + singles + (both > 3 || but > 3 || singles > 3 ? 1024 : 0)) {
#define LUDORUM_SUM(b, n, s) \
    case 16 * b + 4 * n + s: return run_sum(slots, operand, count, b, n, s);
        LUDORUM_SUM(0, 0, 2)
        LUDORUM_SUM(0, 0, 3)
        LUDORUM_SUM(1, 0, 1)
        LUDORUM_SUM(0, 1, 1)
        LUDORUM_SUM(1, 0, 2)
        LUDORUM_SUM(0, 1, 2)
        LUDORUM_SUM(1, 1, 0)
        LUDORUM_SUM(2, 0, 0)
        LUDORUM_SUM(0, 2, 0)
        LUDORUM_SUM(1, 1, 1)
        LUDORUM_SUM(2, 0, 1)
        LUDORUM_SUM(2, 1, 0)
        LUDORUM_SUM(3, 0, 0)
#undef LUDORUM_SUM
        default: break;
    }
    if (both == 0 && but == 0) return run_wide_or(slots, operand, count, singles);
    run_sum(slots, operand, count, both, but, singles);
}

void evaluate(const KernelCode& code, u64* slots) {
    for (u32 pc = 0; pc < code.count; ++pc) {
        const KernelRun& run = code.runs[pc];
        const u32* operand = code.operands + run.operands;
        switch (run.op) {
            case Op::kAnd:
                switch (run.shape.inputs) {
                    case 2: run_and<2>(slots, operand, run.count, 2); break;
                    case 3: run_and<3>(slots, operand, run.count, 3); break;
                    case 4: run_and<4>(slots, operand, run.count, 4); break;
                    default: run_and<0>(slots, operand, run.count, run.shape.inputs); break;
                }
                break;
            case Op::kBut:
                switch (run.shape.inputs) {
                    case 2: run_but<2>(slots, operand, run.count, 2); break;
                    case 3: run_but<3>(slots, operand, run.count, 3); break;
                    case 4: run_but<4>(slots, operand, run.count, 4); break;
                    default: run_but<0>(slots, operand, run.count, run.shape.inputs); break;
                }
                break;
            case Op::kSum: run_sums(slots, operand, run.count, run.shape); break;
            case Op::kNot:
                for (u32 i = 0; i < run.count; ++i) at(slots, operand[2 * i]) = ~at(slots, operand[2 * i + 1]);
                break;
            case Op::kCopy:
                for (u32 i = 0; i < run.count; ++i) at(slots, operand[2 * i]) = at(slots, operand[2 * i + 1]);
                break;
            case Op::kLoopBegin:
                for (u32 i = 0; i < run.count; ++i) at(slots, operand[i]) = kZero;
                break;
            case Op::kLoopEnd: {
                Word changed = kZero;
                for (u32 i = 0; i < run.count; ++i) {
                    Word& wire = at(slots, operand[2 * i]);
                    const Word value = at(slots, operand[2 * i + 1]);
                    changed |= value & ~wire;
                    wire |= value;
                }
                if (any(changed)) pc = run.target - 1;
                break;
            }
        }
    }
}

void transfer(const KernelGame& game, u64* slots) {
    for (u32 i = 0; i < game.transfers; ++i) at(slots, game.transfer_to[i]) = at(slots, game.transfer_from[i]);
}

// ---- random planes ----

// xoshiro256++ (Blackman and Vigna), one generator a column.
struct Random {
    Word state[4];
};

LUDORUM_INLINE Word draw(Random& random) {
    Word* s = random.state;
    const Word result = rotate<23>(s[0] + s[3]) + s[0];
    const Word t = shift_left<17>(s[1]);
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate<45>(s[3]);
    return result;
}

LUDORUM_INLINE u64 splitmix(u64& x) {
    u64 z = (x += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// The stream of a block depends on the seed and the block, and on nothing else.
LUDORUM_INLINE void seed_column(Random& random, u32 c, u64 seed, u64 block) {
    u64 x = seed;
    x = splitmix(x) ^ block;
    for (int i = 0; i < 4; ++i) set_column(random.state[i], c, splitmix(x));
}

// ---- choosing moves ----

template <class T> LUDORUM_INLINE void full_add(const T a, const T b, const T c, T& sum, T& carry) {
    const T half = a ^ b;
    sum = half ^ c;
    carry = (a & b) | (half & c);
}

LUDORUM_INLINE Part part_at(const u64* slots, u32 operand, u32 part) {
    return reinterpret_cast<const Word*>(slots + operand)->part[part];
}

LUDORUM_INLINE void count_seven(const u64* slots, const u32* legal, u32 size, u32 part, Part* out) {
    Part x[7];
    for (u32 i = 0; i < 7; ++i) x[i] = i < size ? part_at(slots, legal[i], part) : kZero.part[0];
    Part s1, s2, c1, c2, c3;
    full_add(x[0], x[1], x[2], s1, c1);
    full_add(x[3], x[4], x[5], s2, c2);
    full_add(s1, s2, x[6], out[0], c3);
    full_add(c1, c2, c3, out[1], out[2]);
}

// One part of the word after the other: the adders of a whole word would not fit into the registers.
LUDORUM_INLINE void count_group(const KernelRole& role, const KernelChoiceNode& node, const u64* slots, Word* counts) {
    const u32* legal = role.legal + node.left;
    const u32 size = node.right;
    Word* out = counts + node.planes;
    for (u32 part = 0; part < kParts; ++part) {
        Part planes[4];
        if (size <= 7) {
            count_seven(slots, legal, size, part, planes);
        } else {
            // Seven, and up to seven more, and one: fifteen.
            Part low[3], high[3], carry;
            const u32 rest = size - 7;
            if (rest >= 7) {
                count_seven(slots, legal, 7, part, low);
                count_seven(slots, legal + 7, 7, part, high);
            } else {
                count_seven(slots, legal, 7, part, low);
                count_seven(slots, legal + 7, rest, part, high);
            }
            const Part last = rest > 7 ? part_at(slots, legal[14], part) : kZero.part[0];
            full_add(low[0], high[0], last, planes[0], carry);
            full_add(low[1], high[1], carry, planes[1], carry);
            full_add(low[2], high[2], carry, planes[2], planes[3]);
        }
        for (u32 j = 0; j < node.bits; ++j) out[j].part[part] = planes[j];
    }
}

LUDORUM_INLINE void add_counts(const KernelChoiceNode* tree, const KernelChoiceNode& node, Word* counts) {
    const KernelChoiceNode& left = tree[node.left];
    const KernelChoiceNode& right = tree[node.right];
    const Word *a = counts + left.planes, *b = counts + right.planes;
    Word* out = counts + node.planes;
    const u32 low = left.bits < right.bits ? left.bits : right.bits;
    const u32 high = left.bits < right.bits ? right.bits : left.bits;
    const Word* longer = left.bits < right.bits ? b : a;
    Word carry = kZero;
    u32 j = 0;
    for (; j < low; ++j) full_add(a[j], b[j], carry, out[j], carry);
    for (; j < high; ++j) {
        const Word x = longer[j];
        out[j] = x ^ carry;
        carry &= x;
    }
    if (j < node.bits) out[j] = carry;
}

// Sends a rank to the child it falls into; the other one gets a rank that is not below its count.
LUDORUM_INLINE void descend(const KernelChoiceNode* tree, const KernelChoiceNode& node, const Word* counts, Word* ranks) {
    const KernelChoiceNode& left = tree[node.left];
    const KernelChoiceNode& right = tree[node.right];
    const Word *rank = ranks + node.planes, *count = counts + left.planes;
    Word *to_left = ranks + left.planes, *to_right = ranks + right.planes;
    Word borrow = kZero, overflow = kZero;
    u32 j = 0;
    for (; j < left.bits; ++j) {
        const Word r = rank[j], l = count[j];
        const Word half = r ^ l, difference = half ^ borrow;
        borrow = (~r & l) | (~half & borrow);
        if (j < right.bits) to_right[j] = difference; else overflow |= difference;
    }
    for (; j < node.bits; ++j) {
        const Word r = rank[j];
        const Word difference = r ^ borrow;
        borrow &= ~r;
        if (j < right.bits) to_right[j] = difference; else overflow |= difference;
    }
    overflow |= borrow;
    const Word stays_right = ~borrow;
    for (u32 k = 0; k < right.bits; ++k) to_right[k] |= overflow;
    for (u32 k = 0; k < left.bits; ++k) to_left[k] = rank[k] | stays_right;
}

// Inside a group the rank counts down; the move at which it would fall below zero is the chosen one.
template <int kBits>
LUDORUM_INLINE void count_down(u64* slots, const u32* legal, const u32* chosen, u32 size, const Word* rank) {
    Word r[kBits];
    for (int j = 0; j < kBits; ++j) r[j] = rank[j];
    for (u32 i = 0; i < size; ++i) {
        Word borrow = at(slots, legal[i]);
        for (int j = 0; j < kBits; ++j) {
            const Word next = borrow & ~r[j];
            r[j] ^= borrow;
            borrow = next;
        }
        at(slots, chosen[i]) = borrow;
    }
}

LUDORUM_INLINE void choose_in_group(const KernelRole& role, const KernelChoiceNode& node, u64* slots, const Word* ranks) {
    const Word* rank = ranks + node.planes;
    const u32* legal = role.legal + node.left;
    const u32* chosen = role.chosen + node.left;
    switch (node.bits) {
        case 1: return count_down<1>(slots, legal, chosen, node.right, rank);
        case 2: return count_down<2>(slots, legal, chosen, node.right, rank);
        case 3: return count_down<3>(slots, legal, chosen, node.right, rank);
        default: return count_down<4>(slots, legal, chosen, node.right, rank);
    }
}

LUDORUM_INLINE bool has_legal_move(const KernelRole& role, const KernelChoiceNode& group, const u64* slots) {
    Word all = *reinterpret_cast<const Word*>(slots + role.legal[group.left]);
    for (u32 i = 1; i < group.right; ++i) all |= *reinterpret_cast<const Word*>(slots + role.legal[group.left + i]);
    return any(all);
}

// Counts the legal moves up the tree. Where no lane has one, as in all of a player's moves while it is another's turn,
// the counts and the moves made are cleared once and then left alone.
LUDORUM_INLINE void count_moves(const KernelRole& role, u64* slots, Word* counts) {
    for (u32 n = 0; n < role.nodes; ++n) {
        const KernelChoiceNode& node = role.tree[n];
        const bool is_group = n < role.groups;
        const bool is_empty = is_group ? !has_legal_move(role, node, slots) : role.empty[node.left] && role.empty[node.right];
        if (!is_empty) {
            if (is_group) count_group(role, node, slots, counts);
            else add_counts(role.tree, node, counts);
        } else if (!role.empty[n]) {
            for (u32 j = 0; j < node.bits; ++j) counts[node.planes + j] = kZero;
            for (u32 i = 0; is_group && i < node.right; ++i) at(slots, role.chosen[node.left + i]) = kZero;
        }
        role.empty[n] = is_empty;
    }
}

// Chooses uniformly among the legal moves of every role in every lane, to within 2^-16 of each probability.
// Returns the lanes where some role has none.
//
// A draw serves, in each lane, the next role that has a choice there; so where players take turns one draw a step
// is enough. Only the first draw is made for all columns: a further one moves the streams of just those columns
// that need it.
Word choose(const KernelGame& game, u64* slots, Random& random) {
    Word stuck = kZero;
    Word* wanted = reinterpret_cast<Word*>(game.draw) + 2 * game.rank_bits;
    Word* served = wanted + game.roles;
    for (u32 r = 0; r < game.roles; ++r) {
        const KernelRole& role = game.role[r];
        wanted[r] = kZero;
        if (role.moves == 0) return ~kZero;
        Word* counts = reinterpret_cast<Word*>(role.counts);
        count_moves(role, slots, counts);
        const KernelChoiceNode& root = role.tree[role.nodes - 1];
        const Word* count = counts + root.planes;
        Word* rank = reinterpret_cast<Word*>(role.ranks) + root.planes;
        Word several = kZero;
        for (u32 j = 1; j < root.bits; ++j) several |= count[j];
        for (u32 j = 0; j < root.bits; ++j) rank[j] = kZero;
        stuck |= ~(count[0] | several);
        wanted[r] = several;
    }
    if (game.rank_bits > 1) {
        Word* limit = reinterpret_cast<Word*>(game.draw);
        Word* rank = limit + game.rank_bits;
        Random saved;
        for (bool is_first = true;; is_first = false) {
            Word taken = kZero;
            for (u32 j = 0; j < game.rank_bits; ++j) limit[j] = rank[j] = kZero;
            for (u32 r = 0; r < game.roles; ++r) {
                const KernelRole& role = game.role[r];
                const KernelChoiceNode& root = role.tree[role.nodes - 1];
                const Word* count = reinterpret_cast<Word*>(role.counts) + root.planes;
                served[r] = wanted[r] & ~taken;
                taken |= served[r];
                wanted[r] &= ~served[r];
                for (u32 j = 0; j < root.bits; ++j) limit[j] |= count[j] & served[r];
            }
            if (!is_first) saved = random;
            u32 bits = game.rank_bits;
            while (bits > 1 && !any(limit[bits - 1])) --bits;
            // rank = floor(limit * random / 2^k), the random number taken from its lowest bit up.
            for (u32 k = 0; k < game.random_bits; ++k) {
                const Word plane = draw(random);
                Word sum, carry;
                const Word first = limit[0] & plane;
                carry = rank[0] & first;
                for (u32 j = 1; j < bits; ++j) {
                    full_add(rank[j], limit[j] & plane, carry, sum, carry);
                    rank[j - 1] = sum;
                }
                rank[bits - 1] = carry;
            }
            if (!is_first)
                for (u32 c = 0; c < kColumns; ++c)
                    if (column(taken, c) == 0)
                        for (int i = 0; i < 4; ++i) set_column(random.state[i], c, column(saved.state[i], c));
            Word more = kZero;
            for (u32 r = 0; r < game.roles; ++r) {
                const KernelRole& role = game.role[r];
                const KernelChoiceNode& root = role.tree[role.nodes - 1];
                Word* role_rank = reinterpret_cast<Word*>(role.ranks) + root.planes;
                const u32 planes = bits < root.bits ? bits : root.bits;
                for (u32 j = 0; j < planes; ++j) role_rank[j] |= rank[j] & served[r];
                more |= wanted[r];
            }
            if (!any(more)) break;
        }
    }
    for (u32 r = 0; r < game.roles; ++r) {
        const KernelRole& role = game.role[r];
        const Word* counts = reinterpret_cast<const Word*>(role.counts);
        Word* ranks = reinterpret_cast<Word*>(role.ranks);
        for (u32 n = role.nodes; n-- > role.groups;)
            if (!role.empty[n]) descend(role.tree, role.tree[n], counts, ranks);
        for (u32 g = 0; g < role.groups; ++g)
            if (!role.empty[g]) choose_in_group(role, role.tree[g], slots, ranks);
    }
    return stuck;
}

// ---- playouts ----

// The games of one column: since when each lane plays.
struct Column {
    bool is_open;       // there may be another block for it
    u64 live;           // lanes that play for a result
    u64 left;           // playouts of the block still to be started
    u64 result;         // where the next one to end is noted
    u64 oldest;         // no lane began before this step
    u64 began[64];      // the step at which it was in the first state
};

// Final states waiting for their goals: at most one a lane, in the lane where it was played.
struct Waiting {
    Word lanes;
    u64 result[64 * LUDORUM_COLUMNS];
};

// values[lane] = value in these lanes.
LUDORUM_INLINE void spread(u64 lanes, std::int16_t value, std::int16_t* values) {
    typedef std::int16_t Shorts __attribute__((vector_size(32), may_alias, aligned(2)));
    const Shorts bits = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768};
    for (u32 k = 0; k < 4; ++k) {
        const std::int16_t sixteen = static_cast<std::int16_t>(lanes >> (16 * k));
        const Shorts here = (Shorts{} + sixteen) & bits;
        Shorts& some = *reinterpret_cast<Shorts*>(values + 16 * k);
        const Shorts mask = here == bits;
        some = (some & ~mask) | (value & mask);
    }
}

void flush_goals(const KernelGame& game, KernelPlayouts& job, Waiting& waiting) {
    if (!any(waiting.lanes)) return;
    ++job.goal_evaluations;
    evaluate(game.goal, job.goal_slots);
    for (u32 i = 0; i < game.goals;) {
        const u32 role = game.goal_role[i];
        u32 end = i;
        Word one = kZero, several = kZero;
        for (; end < game.goals && game.goal_role[end] == role; ++end) {
            const Word holds = at(job.goal_slots, game.goal_slot[end]);
            several |= one & holds;
            one |= holds;
        }
        const Word exact = one & ~several;
        for (u32 c = 0; c < kColumns; ++c) {
            std::int16_t values[64] = {};
            const u64 known = column(exact, c);
            for (u32 g = i; g < end; ++g) spread(column(at(job.goal_slots, game.goal_slot[g]), c), game.goal_value[g], values);
            for (u64 lanes = column(waiting.lanes, c) & known; lanes; lanes &= lanes - 1) {
                const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
                job.goals[waiting.result[64 * c + lane] * game.roles + role] = values[lane];
            }
        }
        i = end;
    }
    waiting.lanes = kZero;
}

// Notes how the games in these lanes ended and keeps their last states for the goals. Results are in the order in
// which the playouts of a block end; they were all marked as finished and without a goal before.
void finish(const KernelGame& game, KernelPlayouts& job, Column* columns, Waiting& waiting, const Word& lanes, u64 now,
            Outcome outcome) {
    if (any(waiting.lanes & lanes)) flush_goals(game, job, waiting);
    for (u32 i = 0; i < game.goal_fluents; ++i) {
        Word& kept = at(job.goal_slots, game.goal_fluent_to[i]);
        kept ^= (kept ^ at(job.slots, game.goal_fluent_from[i])) & lanes;
    }
    waiting.lanes |= lanes;
    for (u32 c = 0; c < kColumns; ++c) {
        Column& games = columns[c];
        u64 result = games.result;
        for (u64 ended = column(lanes, c); ended; ended &= ended - 1, ++result) {
            const u32 lane = static_cast<u32>(__builtin_ctzll(ended));
            job.lengths[result] = static_cast<std::int32_t>(now - games.began[lane]);
            if (outcome != kFinished) job.outcomes[result] = outcome;
            waiting.result[64 * c + lane] = result;
        }
        games.result = result;
        games.live &= ~column(lanes, c);
    }
}

// Starts the next playouts of the block in these lanes, as many as are left; says in which.
u64 restart(Column& games, u64 lanes, u64 now) {
    u64 started = 0;
    for (; lanes && games.left; lanes &= lanes - 1, --games.left) {
        const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
        games.began[lane] = now;
        started |= u64{1} << lane;
    }
    games.live |= started;
    return started;
}

bool take_block(KernelPlayouts& job, Column& games, Random& random, u32 c, u64 now) {
    const u64 blocks = (job.playouts + job.block_size - 1) / job.block_size;
    const u64 block = __atomic_fetch_add(job.next_block, 1, __ATOMIC_RELAXED);
    if (block >= blocks) return false;
    seed_column(random, c, job.seed, block);
    games.result = block * job.block_size;
    games.left = games.result + job.block_size < job.playouts ? job.block_size : job.playouts - games.result;
    games.oldest = now;
    return true;
}

// Lanes that have made the last step they may make.
u64 at_limit(Column& games, u64 now, u64 max_steps) {
    if (now - games.oldest < max_steps) return 0;
    u64 limit = 0;
    games.oldest = now;
    for (u64 lanes = games.live; lanes; lanes &= lanes - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
        if (now - games.began[lane] >= max_steps) limit |= u64{1} << lane;
        else if (games.began[lane] < games.oldest) games.oldest = games.began[lane];
    }
    return limit;
}

// Gives the first state to lanes that are to begin now.
//
// Games begin only at every `turns`-th step. Where players take turns all lanes then have the same player to move,
// and the moves of the others need not be looked at.
void begin_games(KernelPlayouts& job, Column* columns, Random& random, u64 now, u64& playing) {
    Word given = kZero;
    for (u32 c = 0; c < kColumns; ++c) {
        Column& games = columns[c];
        if (games.live == ~u64{0} || (games.live && !games.left)) continue;
        bool is_new = false;
        if (!games.live && !games.left && games.is_open) {
            is_new = games.is_open = take_block(job, games, random, c, now);
            if (!is_new) --playing;
        }
        const u64 started = restart(games, ~games.live, now);
        // A block that does not fill its lanes clears the others too: what they ask of the stream must not depend on
        // what was played there before.
        set_column(given, c, is_new ? ~u64{0} : started);
    }
    if (!any(given)) return;
    const Word others = ~given;
    for (u32 i = 0; i < job.sets; ++i) at(job.slots, job.set[i]) |= given;
    for (u32 i = 0; i < job.clears; ++i) at(job.slots, job.clear[i]) &= others;
}

LUDORUM_INLINE Word live_lanes(const Column* columns) {
    Word live;
    for (u32 c = 0; c < kColumns; ++c) set_column(live, c, columns[c].live);
    return live;
}

void play(const KernelGame& game, KernelPlayouts& job) {
    Random random;
    for (Word& part : random.state) part = kZero;
    Column columns[kColumns];
    for (Column& games : columns) {
        games.live = games.left = games.result = games.oldest = 0;
        games.is_open = true;
    }
    Waiting waiting;
    waiting.lanes = kZero;
    for (u32 r = 0; r < game.roles; ++r)
        for (u32 n = 0; n < game.role[r].nodes; ++n) game.role[r].empty[n] = 0;
    u64 playing = kColumns;
    for (u64 now = 0; !*job.stop; ++now) {
        evaluate(game.terminal, job.slots);
        const Word terminal = at(job.slots, game.terminal_slot) & live_lanes(columns);
        if (any(terminal)) finish(game, job, columns, waiting, terminal, now, kFinished);
        Word limit;
        for (u32 c = 0; c < kColumns; ++c) set_column(limit, c, at_limit(columns[c], now, job.max_steps));
        if (any(limit)) finish(game, job, columns, waiting, limit, now, kCut);
        if (now % job.turns == 0) begin_games(job, columns, random, now, playing);
        if (!playing) break;
        evaluate(game.legal, job.slots);
        const Word stuck = choose(game, job.slots, random) & live_lanes(columns);
        if (any(stuck)) finish(game, job, columns, waiting, stuck, now, kStuck);
        evaluate(game.next, job.slots);
        transfer(game, job.slots);
        ++job.steps;
    }
    flush_goals(game, job, waiting);
}

}  // namespace

extern const Kernels LUDORUM_KERNELS = {kColumns, evaluate, transfer, play};

}  // namespace ludorum
