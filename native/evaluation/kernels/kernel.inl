// kernel.inl: the source of all kernels; LUDORUM_EVALUATION names one, LUDORUM_INSTRUCTIONS says what it uses.
//
// Loops over the states of a block are plain, and the compiler makes vectors of them.
#include <bit>
#include <cstring>

#include "evaluation/kernels/kernel.h"

namespace ludorum::evaluation {
namespace {

// By value, so that loops with them become vectors.
inline double larger(double a, double b) { return a > b ? a : b; }
inline double smaller(double a, double b) { return a < b ? a : b; }

// Doubles, because (1 - v)^q of what is nearly true is lost beside that of what is not: 0.25^15 beside 0.75^15 is a part in
// 14 million, which is half of what a float can tell.

// To base 2, of normal numbers; off by less than 1e-12 times 1 + |log|. The series end
// where numbers that are close still come out in their order.
inline double logarithm(double x) {
    constexpr std::uint64_t kRootOfHalf = 0x3FE6A09E667F3BCD, kBias = std::uint64_t{1024} << 52, kWhole = 0x4330000000000000;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    // The mantissa from sqrt(1/2) to sqrt(2). The exponent is kept above 0: not every machine shifts signed numbers, nor
    // turns them into doubles, in vectors.
    const std::uint64_t exponent = (bits - kRootOfHalf + kBias) >> 52;
    const double mantissa = std::bit_cast<double>(bits - (exponent << 52) + kBias);
    const double whole = std::bit_cast<double>(exponent | kWhole) - (4503599627370496.0 + 1024.0);
    const double z = (mantissa - 1.0) / (mantissa + 1.0), y = z * z;
    // 2 / ln 2 times 1, 1/3, 1/5, ...
    const double series = 2.8853900817779268 + y * (0.9617966939259756 + y * (0.5770780163555854 + y * (0.4121985831111324
                        + y * (0.3205988979753252 + y * (0.2623081892525388 + y * 0.2219530832136867)))));
    return whole + z * series;
}

// 2^x for x from -1022 to 1022.
inline double exponential(double x) {
    // Rounding to the nearest whole number without a call: it is then in the lowest bits.
    const double shifted = x + 6755399441055744.0;
    const double whole = shifted - 6755399441055744.0;
    // (ln 2)^n / n!
    const double p = x - whole;
    const double series = 1.0 + p * (0.6931471805599453 + p * (0.2402265069591007 + p * (0.05550410866482158 + p * (0.009618129107628477
                        + p * (0.0013333558146428443 + p * (0.00015403530393381608 + p * (1.5252733804059841e-05
                        + p * (1.3215486790144307e-06 + p * 1.0178086009239699e-07))))))));
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}

constexpr double kLeast = 1e-300, kLeastLogarithm = -1000.0;

// x^exponent for x from 0 to 1 and exponents from 0 on; what is too small for a double is 0.
inline double power(double x, double exponent) {
    const double log = exponent * logarithm(larger(x, kLeast));
    const double found = exponential(larger(log, kLeastLogarithm));
    return (x < kLeast) | (log < kLeastLogarithm) ? 0.0 : found;
}

// The same for a block of numbers; whole exponents, as most are, by multiplication.
template <std::uint32_t block> inline void powers(double* out, const double* in, double exponent) {
    const auto whole = static_cast<std::uint32_t>(exponent);
    if (static_cast<double>(whole) != exponent || whole == 0) {
        for (std::uint32_t i = 0; i < block; ++i) out[i] = power(in[i], exponent);
        return;
    }
    alignas(64) double square[block];
    for (std::uint32_t i = 0; i < block; ++i) square[i] = in[i];
    for (std::uint32_t i = 0; i < block; ++i) out[i] = whole & 1 ? in[i] : 1.0;
    for (std::uint32_t left = whole >> 1; left; left >>= 1) {
        for (std::uint32_t i = 0; i < block; ++i) square[i] *= square[i];
        if (left & 1)
            for (std::uint32_t i = 0; i < block; ++i) out[i] *= square[i];
    }
}

#if defined(__AVX512F__)
constexpr std::uint32_t kRegister = 8;
#elif defined(__AVX2__)
constexpr std::uint32_t kRegister = 4;
#else
constexpr std::uint32_t kRegister = 2;
#endif
alignas(64) constexpr std::int64_t kBits[8] = {1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7};

// Doubles of a block of states, where a mask says which of them are meant. It is taken apart into pieces as wide as a
// register: testing each against constants is one instruction. Written with vectors, because the compiler makes none of
// such loops by itself.
template <std::uint32_t block> struct Masked {
    static constexpr std::uint32_t kPiece = block < kRegister ? block : kRegister;
    using Doubles [[gnu::vector_size(8 * kPiece)]] = double;
    using Integers [[gnu::vector_size(8 * kPiece)]] = std::int64_t;

    // Calls visit(i, holds) for every piece of the block, where i is its first state.
    template <class Visit> [[gnu::always_inline]] static void for_states(std::uint64_t mask, Visit visit) {
        for (std::uint32_t first = 0; first < block; first += kPiece) {
            const Integers piece = Integers{} + static_cast<std::int64_t>(mask >> first);
            visit(first, (piece & *reinterpret_cast<const Integers*>(kBits)) != 0);
        }
    }

    static Doubles& at(double* doubles, std::uint32_t i) { return *reinterpret_cast<Doubles*>(doubles + i); }
    static const Doubles& at(const double* doubles, std::uint32_t i) { return *reinterpret_cast<const Doubles*>(doubles + i); }

    static void choose(double* out, std::uint64_t mask, const double* yes, const double* no) {
        for_states(mask, [=](std::uint32_t i, Integers holds) { at(out, i) = holds ? at(yes, i) : at(no, i); });
    }

    static void put(double* out, std::uint64_t mask, double value) {
        for_states(mask, [=](std::uint32_t i, Integers holds) { at(out, i) = holds ? Doubles{} + value : at(out, i); });
    }

    static void add(double* out, std::uint64_t mask, double value) {
        for_states(mask, [=](std::uint32_t i, Integers holds) { at(out, i) = holds ? at(out, i) + value : at(out, i); });
    }

    static void fill(double* out, double value) {
        for (std::uint32_t i = 0; i < block; ++i) out[i] = value;
    }
};

template <std::uint32_t block>
void run_block(const EvaluationCode& code, std::uint64_t states, const std::uint64_t* planes, const double* moves, double* slots) {
    using Doubles = Masked<block>;
    for (const EvaluationCode::Step& step : code.steps) {
        const std::uint32_t* operand = code.operands.data() + step.operands;
        const std::uint32_t* const end = code.operands.data() + step.operands_end;
        const double* constant = code.constants.data() + step.constants;
        const double* const last = code.constants.data() + step.constants_end - 1;
        double* out = slots + step.slot * block;
        const auto slot = [&](std::uint32_t i) { return slots + operand[i] * block; };
        switch (step.operation) {
            case Operation::kFirst: {
                Doubles::fill(out, *last);
                std::uint64_t open = states;
                for (; operand != end && open; ++constant) {
                    std::uint64_t any = 0;
                    for (const std::uint32_t* const stop = operand + 1 + *operand; ++operand != stop;) any |= planes[*operand];
                    if (any & open) Doubles::put(out, any & open, *constant);
                    open &= ~any;
                }
                break;
            }
            case Operation::kMean: {
                alignas(64) double count[block];
                Doubles::fill(out, 0);
                Doubles::fill(count, 0);
                for (; operand != end; ++operand, ++constant) {
                    const std::uint64_t plane = planes[*operand];
                    if (!plane) continue;
                    Doubles::add(out, plane, *constant);
                    Doubles::add(count, plane, 1);
                }
                const double otherwise = *last;
                for (std::uint32_t i = 0; i < block; ++i) {
                    const double mean = out[i] / larger(count[i], 1.0);
                    out[i] = count[i] > 0 ? mean : otherwise;
                }
                break;
            }
            case Operation::kCount:
                Doubles::fill(out, *last);
                for (; operand != end; ++operand, ++constant)
                    if (planes[*operand]) Doubles::add(out, planes[*operand], *constant);
                break;
            case Operation::kMoves:
                std::memcpy(out, moves + *operand * block, block * sizeof(double));
                break;
            case Operation::kSum: {
                alignas(64) double sum[block], most[block];
                Doubles::fill(sum, 0);
                Doubles::fill(most, 0);
                for (; operand != end; ++operand) {
                    const double* in = slot(0);
                    for (std::uint32_t i = 0; i < block; ++i) sum[i] += in[i];
                    for (std::uint32_t i = 0; i < block; ++i) most[i] = larger(most[i], in[i]);
                }
                const double bound = constant[0], cap = constant[1];
                for (std::uint32_t i = 0; i < block; ++i) {
                    const double limit = most[i] < bound ? cap : 1.0;
                    out[i] = smaller(sum[i], limit);
                }
                break;
            }
            case Operation::kPower: {
                powers<block>(out, slot(0), *constant);
                break;
            }
            case Operation::kDual: {
                const double* in = slot(0);
                const double exponent = *constant, inverse = 1.0 / exponent;
                alignas(64) double rest[block];
                for (std::uint32_t i = 0; i < block; ++i) rest[i] = larger(1.0 - power(in[i], inverse), 0.0);
                powers<block>(out, rest, exponent);
                break;
            }
            case Operation::kProduct:
                Doubles::fill(out, 1);
                for (; operand != end; ++operand) {
                    const double* in = slot(0);
                    for (std::uint32_t i = 0; i < block; ++i) out[i] *= in[i];
                }
                break;
            case Operation::kComplement: {
                const double* in = slot(0);
                for (std::uint32_t i = 0; i < block; ++i) out[i] = 1.0 - in[i];
                break;
            }
            case Operation::kIfLess: {
                const double *in = slot(0), *yes = slot(1), *no = slot(2);
                const double bound = *constant;
                for (std::uint32_t i = 0; i < block; ++i) out[i] = in[i] < bound ? yes[i] : no[i];
                break;
            }
            case Operation::kIfHolds:
                Doubles::choose(out, planes[operand[0]], slot(1), slot(2));
                break;
            case Operation::kWeighted:
                Doubles::fill(out, *last);
                for (; operand != end; ++operand, ++constant) {
                    const double* in = slot(0);
                    for (std::uint32_t i = 0; i < block; ++i) out[i] += *constant * in[i];
                }
                break;
            case Operation::kRatio: {
                const double *a = slot(0), *b = slot(1);
                for (std::uint32_t i = 0; i < block; ++i) {
                    const double ratio = (a[i] - b[i]) / larger(a[i] + b[i], kLeast);
                    out[i] = a[i] + b[i] > 0 ? ratio : 0.0;
                }
                break;
            }
        }
    }
}

void run(const EvaluationCode& code, std::uint32_t states, const std::uint64_t* planes, const double* moves, double* slots) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (kBlock - states);
    switch (block_for(states)) {
        case 8: return run_block<8>(code, mask, planes, moves, slots);
        case 16: return run_block<16>(code, mask, planes, moves, slots);
        case 32: return run_block<32>(code, mask, planes, moves, slots);
        default: return run_block<64>(code, mask, planes, moves, slots);
    }
}

}  // namespace

extern const EvaluationKernel LUDORUM_EVALUATION;
const EvaluationKernel LUDORUM_EVALUATION{LUDORUM_INSTRUCTIONS, run};

}  // namespace ludorum::evaluation
