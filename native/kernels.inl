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

LUDORUM_INLINE void full_add(const Word a, const Word b, const Word c, Word& sum, Word& carry) {
    const Word half = a ^ b;
    sum = half ^ c;
    carry = (a & b) | (half & c);
}

LUDORUM_INLINE void count_seven(u64* slots, const u32* legal, u32 size, Word* out) {
    Word x[7];
    for (u32 i = 0; i < 7; ++i) x[i] = i < size ? at(slots, legal[i]) : kZero;
    Word s1, s2, c1, c2, c3;
    full_add(x[0], x[1], x[2], s1, c1);
    full_add(x[3], x[4], x[5], s2, c2);
    full_add(s1, s2, x[6], out[0], c3);
    full_add(c1, c2, c3, out[1], out[2]);
}

LUDORUM_INLINE void count_group(const KernelRole& role, const KernelChoiceNode& node, const u64* slots_in, Word* counts) {
    u64* slots = const_cast<u64*>(slots_in);
    const u32* legal = role.legal + node.left;
    Word* out = counts + node.planes;
    switch (node.right) {
        case 1: out[0] = at(slots, legal[0]); return;
        case 2: {
            const Word a = at(slots, legal[0]), b = at(slots, legal[1]);
            out[0] = a ^ b;
            out[1] = a & b;
            return;
        }
        case 3: full_add(at(slots, legal[0]), at(slots, legal[1]), at(slots, legal[2]), out[0], out[1]); return;
        case 4: case 5: case 6: case 7: count_seven(slots, legal, node.right, out); return;
        default: {
            // Seven, and up to seven more, and one: fifteen.
            Word low[3], high[3], carry;
            count_seven(slots, legal, 7, low);
            const u32 rest = node.right - 7;
            count_seven(slots, legal + 7, rest < 7 ? rest : 7, high);
            const Word last = rest > 7 ? at(slots, legal[14]) : kZero;
            full_add(low[0], high[0], last, out[0], carry);
            full_add(low[1], high[1], carry, out[1], carry);
            full_add(low[2], high[2], carry, out[2], out[3]);
        }
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
        for (u32 g = 0; g < role.groups; ++g) count_group(role, role.tree[g], slots, counts);
        for (u32 n = role.groups; n < role.nodes; ++n) add_counts(role.tree, role.tree[n], counts);
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
        for (u32 n = role.nodes; n-- > role.groups;) descend(role.tree, role.tree[n], counts, ranks);
        for (u32 g = 0; g < role.groups; ++g) choose_in_group(role, role.tree[g], slots, ranks);
    }
    return stuck;
}

// ---- playouts ----

// The games of one column: which playout each lane plays and since when.
struct Column {
    u64 live;           // lanes that play for a result
    u64 next, end;      // playouts of the block still to be started
    u64 playout[64];
    u64 began[64];      // the step at which it was in the first state
    u64 oldest;         // no lane began before this step
};

// Final states waiting for their goals: at most one a lane, in the lane where it was played.
struct Waiting {
    Word lanes;
    u64 playout[64 * LUDORUM_COLUMNS];
};

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
        for (; i < end; ++i) {
            const Word exact = at(job.goal_slots, game.goal_slot[i]) & ~several & waiting.lanes;
            const std::int16_t value = game.goal_value[i];
            for (u32 c = 0; c < kColumns; ++c)
                for (u64 lanes = column(exact, c); lanes; lanes &= lanes - 1) {
                    const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
                    job.goals[waiting.playout[64 * c + lane] * game.roles + role] = value;
                }
        }
    }
    waiting.lanes = kZero;
}

// Notes how the games in these lanes ended and keeps their last states for the goals.
void finish(const KernelGame& game, KernelPlayouts& job, Column* columns, Waiting& waiting, Word lanes, u64 now,
            Outcome outcome) {
    if (any(waiting.lanes & lanes)) flush_goals(game, job, waiting);
    for (u32 i = 0; i < game.goal_fluents; ++i) {
        Word& kept = at(job.goal_slots, game.goal_fluent_to[i]);
        kept ^= (kept ^ at(job.slots, game.goal_fluent_from[i])) & lanes;
    }
    waiting.lanes |= lanes;
    for (u32 c = 0; c < kColumns; ++c) {
        Column& games = columns[c];
        for (u64 ended = column(lanes, c); ended; ended &= ended - 1) {
            const u32 lane = static_cast<u32>(__builtin_ctzll(ended));
            const u64 playout = games.playout[lane];
            job.lengths[playout] = static_cast<std::int32_t>(now - games.began[lane]);
            job.outcomes[playout] = outcome;
            waiting.playout[64 * c + lane] = playout;
        }
    }
}

// Starts the next playouts of the block in these lanes; those for which none is left fall idle.
void restart(Column& games, u64 lanes, u64 now) {
    for (; lanes; lanes &= lanes - 1) {
        const u32 lane = static_cast<u32>(__builtin_ctzll(lanes));
        if (games.next < games.end) {
            games.playout[lane] = games.next++;
            games.began[lane] = now;
            games.live |= u64{1} << lane;
        } else {
            games.live &= ~(u64{1} << lane);
        }
    }
}

bool take_block(KernelPlayouts& job, Column& games, Random& random, u32 c, u64 now) {
    const u64 blocks = (job.playouts + job.block_size - 1) / job.block_size;
    const u64 block = __atomic_fetch_add(job.next_block, 1, __ATOMIC_RELAXED);
    if (block >= blocks) return false;
    seed_column(random, c, job.seed, block);
    games.next = block * job.block_size;
    games.end = games.next + job.block_size < job.playouts ? games.next + job.block_size : job.playouts;
    games.oldest = now;
    restart(games, ~u64{0}, now);
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

void play(const KernelGame& game, KernelPlayouts& job) {
    Random random;
    for (Word& part : random.state) part = kZero;
    Column columns[kColumns];
    Waiting waiting;
    waiting.lanes = kZero;
    u64 now = 0;
    u64 playing = 0;
    for (u32 c = 0; c < kColumns; ++c) {
        columns[c].live = 0;
        columns[c].oldest = 0;
        playing += take_block(job, columns[c], random, c, now);
    }
    // Lanes that must be given the first state before they can go on.
    Word fresh = ~kZero;
    while (playing && !*job.stop) {
        evaluate(game.terminal, job.slots);
        Word live, limit;
        for (u32 c = 0; c < kColumns; ++c) set_column(live, c, columns[c].live);
        const Word terminal = at(job.slots, game.terminal_slot) & live & ~fresh;
        if (any(terminal)) finish(game, job, columns, waiting, terminal, now, kFinished);
        for (u32 c = 0; c < kColumns; ++c) set_column(limit, c, at_limit(columns[c], now, job.max_steps));
        limit &= ~terminal & ~fresh;
        if (any(limit)) finish(game, job, columns, waiting, limit, now, kCut);
        const Word ended = terminal | limit;
        if (any(ended | fresh)) {
            for (u32 c = 0; c < kColumns; ++c) {
                const u64 over = column(ended, c);
                if (!over) continue;
                restart(columns[c], over, now);
                if (columns[c].live == 0) {
                    if (take_block(job, columns[c], random, c, now)) set_column(fresh, c, ~u64{0});
                    else --playing;
                }
            }
            const Word given = ended | fresh, others = ~given;
            for (u32 i = 0; i < job.sets; ++i) at(job.slots, job.set[i]) |= given;
            for (u32 i = 0; i < job.clears; ++i) at(job.slots, job.clear[i]) &= others;
            fresh = kZero;
        }
        evaluate(game.legal, job.slots);
        Word stuck = choose(game, job.slots, random);
        for (u32 c = 0; c < kColumns; ++c) set_column(live, c, columns[c].live);
        stuck &= live;
        if (any(stuck)) {
            finish(game, job, columns, waiting, stuck, now, kStuck);
            for (u32 c = 0; c < kColumns; ++c) {
                const u64 over = column(stuck, c);
                if (!over) continue;
                // They begin their next game after this step.
                restart(columns[c], over, now + 1);
                if (columns[c].live == 0) {
                    if (take_block(job, columns[c], random, c, now + 1)) {
                        set_column(fresh, c, ~u64{0});
                    } else {
                        --playing;
                    }
                }
            }
            fresh |= stuck;
        }
        evaluate(game.next, job.slots);
        transfer(game, job.slots);
        ++now;
    }
    flush_goals(game, job, waiting);
    job.steps += now;
}

}  // namespace

extern const Kernels LUDORUM_KERNELS = {kColumns, evaluate, transfer, play};

}  // namespace ludorum
