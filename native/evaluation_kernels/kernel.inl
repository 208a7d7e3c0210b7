// kernel.inl: the source of all kernels; LUDORUM_EVALUATION names one, LUDORUM_INSTRUCTIONS says what it uses.
//
// Loops over the states of a block are plain, and the compiler makes vectors of them.
#include <bit>
#include <cstring>

#include "kernel.h"

namespace ludorum {
namespace {

// By value, so that loops with them become vectors.
inline float larger(float a, float b) { return a > b ? a : b; }
inline float smaller(float a, float b) { return a < b ? a : b; }

// To base 2, of numbers from the smallest normal one on; off by less than 2e-7 times 1 + |log|.
inline float logarithm(float x) {
    const std::int32_t bits = std::bit_cast<std::int32_t>(x);
    // The mantissa from sqrt(1/2) to sqrt(2).
    const std::int32_t exponent = (bits - 0x3F3504F3) >> 23;
    const float mantissa = std::bit_cast<float>(bits - (exponent << 23));
    const float z = (mantissa - 1.0f) / (mantissa + 1.0f), z2 = z * z;
    const float series = 2.8853900818f + z2 * (0.9617966939f + z2 * (0.5770780164f + z2 * (0.4121985831f + z2 * 0.3205988980f)));
    return static_cast<float>(exponent) + z * series;
}

// 2^x for x from -126 to 126.
inline float exponential(float x) {
    // Rounding to the nearest whole number without a call.
    const float shifted = x + 12582912.0f;
    const float whole = shifted - 12582912.0f;
    const float part = x - whole;
    const float series = 1.0f + part * (0.6931471806f + part * (0.2402265070f + part * (0.0555041087f + part * (0.0096181291f
                       + part * (0.0013333558f + part * (0.0001540353f + part * 0.0000152527f))))));
    const std::int32_t exponent = static_cast<std::int32_t>(whole);
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(series) + (exponent << 23));
}

constexpr float kLeast = 1.2e-38f, kLeastLogarithm = -125.0f;

// x^exponent for x from 0 to 1 and exponents from 0 on; what is too small for a float is 0.
inline float power(float x, float exponent) {
    const float log = exponent * logarithm(larger(x, kLeast));
    const float found = exponential(larger(log, kLeastLogarithm));
    return (x < kLeast) | (log < kLeastLogarithm) ? 0.0f : found;
}

#if defined(__AVX512F__)
constexpr std::uint32_t kRegister = 16;
#elif defined(__AVX2__)
constexpr std::uint32_t kRegister = 8;
#else
constexpr std::uint32_t kRegister = 4;
#endif
alignas(64) constexpr std::int32_t kBits[16] = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                                                1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};

// Floats of a block of states, where a mask says which of them are meant. It is taken apart into pieces as wide as a
// register: testing each against constants is one instruction. Written with vectors, because the compiler makes none of
// such loops by itself.
template <std::uint32_t block> struct Masked {
    static constexpr std::uint32_t kPiece = block < kRegister ? block : kRegister;
    using Floats [[gnu::vector_size(4 * kPiece)]] = float;
    using Integers [[gnu::vector_size(4 * kPiece)]] = std::int32_t;

    // Calls visit(i, holds) for every piece of the block, where i is its first state.
    template <class Visit> [[gnu::always_inline]] static void for_states(std::uint64_t mask, Visit visit) {
        for (std::uint32_t first = 0; first < block; first += kPiece) {
            const Integers piece = Integers{} + static_cast<std::int32_t>(static_cast<std::uint32_t>(mask >> first));
            visit(first, (piece & *reinterpret_cast<const Integers*>(kBits)) != 0);
        }
    }

    static Floats& at(float* floats, std::uint32_t i) { return *reinterpret_cast<Floats*>(floats + i); }
    static const Floats& at(const float* floats, std::uint32_t i) { return *reinterpret_cast<const Floats*>(floats + i); }

    static void choose(float* out, std::uint64_t mask, const float* yes, const float* no) {
        for_states(mask, [=](std::uint32_t i, Integers holds) { at(out, i) = holds ? at(yes, i) : at(no, i); });
    }

    static void put(float* out, std::uint64_t mask, float value) {
        for_states(mask, [=](std::uint32_t i, Integers holds) { at(out, i) = holds ? Floats{} + value : at(out, i); });
    }

    static void add(float* out, std::uint64_t mask, float value) {
        for_states(mask, [=](std::uint32_t i, Integers holds) { at(out, i) = holds ? at(out, i) + value : at(out, i); });
    }

    static void fill(float* out, float value) {
        for (std::uint32_t i = 0; i < block; ++i) out[i] = value;
    }
};

template <std::uint32_t block>
void run_block(const EvaluationCode& code, std::uint64_t states, const std::uint64_t* planes, const float* moves, float* slots) {
    using Floats = Masked<block>;
    for (const EvaluationCode::Step& step : code.steps) {
        const std::uint32_t* operand = code.operands.data() + step.operands;
        const std::uint32_t* const end = code.operands.data() + step.operands_end;
        const float* constant = code.constants.data() + step.constants;
        const float* const last = code.constants.data() + step.constants_end - 1;
        float* out = slots + step.slot * block;
        const auto slot = [&](std::uint32_t i) { return slots + operand[i] * block; };
        switch (step.operation) {
            case Operation::kFirst: {
                Floats::fill(out, *last);
                std::uint64_t open = states;
                for (; operand != end && open; ++constant) {
                    std::uint64_t any = 0;
                    for (const std::uint32_t* const stop = operand + 1 + *operand; ++operand != stop;) any |= planes[*operand];
                    if (any & open) Floats::put(out, any & open, *constant);
                    open &= ~any;
                }
                break;
            }
            case Operation::kMean: {
                alignas(64) float count[block];
                Floats::fill(out, 0);
                Floats::fill(count, 0);
                for (; operand != end; ++operand, ++constant) {
                    const std::uint64_t plane = planes[*operand];
                    if (!plane) continue;
                    Floats::add(out, plane, *constant);
                    Floats::add(count, plane, 1);
                }
                const float otherwise = *last;
                for (std::uint32_t i = 0; i < block; ++i) {
                    const float mean = out[i] / larger(count[i], 1.0f);
                    out[i] = count[i] > 0 ? mean : otherwise;
                }
                break;
            }
            case Operation::kCount:
                Floats::fill(out, *last);
                for (; operand != end; ++operand, ++constant)
                    if (planes[*operand]) Floats::add(out, planes[*operand], *constant);
                break;
            case Operation::kMoves:
                std::memcpy(out, moves + *operand * block, block * sizeof(float));
                break;
            case Operation::kSum: {
                alignas(64) float sum[block], most[block];
                Floats::fill(sum, 0);
                Floats::fill(most, 0);
                for (; operand != end; ++operand) {
                    const float* in = slot(0);
                    for (std::uint32_t i = 0; i < block; ++i) sum[i] += in[i];
                    for (std::uint32_t i = 0; i < block; ++i) most[i] = larger(most[i], in[i]);
                }
                const float bound = constant[0], cap = constant[1];
                for (std::uint32_t i = 0; i < block; ++i) {
                    const float limit = most[i] < bound ? cap : 1.0f;
                    out[i] = smaller(sum[i], limit);
                }
                break;
            }
            case Operation::kPower: {
                const float* in = slot(0);
                const float exponent = *constant;
                for (std::uint32_t i = 0; i < block; ++i) out[i] = power(in[i], exponent);
                break;
            }
            case Operation::kDual: {
                const float* in = slot(0);
                const float exponent = *constant, inverse = 1.0f / exponent;
                alignas(64) float rest[block];
                for (std::uint32_t i = 0; i < block; ++i) rest[i] = larger(1.0f - power(in[i], inverse), 0.0f);
                for (std::uint32_t i = 0; i < block; ++i) out[i] = power(rest[i], exponent);
                break;
            }
            case Operation::kProduct:
                Floats::fill(out, 1);
                for (; operand != end; ++operand) {
                    const float* in = slot(0);
                    for (std::uint32_t i = 0; i < block; ++i) out[i] *= in[i];
                }
                break;
            case Operation::kComplement: {
                const float* in = slot(0);
                for (std::uint32_t i = 0; i < block; ++i) out[i] = 1.0f - in[i];
                break;
            }
            case Operation::kIfLess: {
                const float *in = slot(0), *yes = slot(1), *no = slot(2);
                const float bound = *constant;
                for (std::uint32_t i = 0; i < block; ++i) out[i] = in[i] < bound ? yes[i] : no[i];
                break;
            }
            case Operation::kIfHolds:
                Floats::choose(out, planes[operand[0]], slot(1), slot(2));
                break;
            case Operation::kWeighted:
                Floats::fill(out, *last);
                for (; operand != end; ++operand, ++constant) {
                    const float* in = slot(0);
                    for (std::uint32_t i = 0; i < block; ++i) out[i] += *constant * in[i];
                }
                break;
            case Operation::kRatio: {
                const float *a = slot(0), *b = slot(1);
                for (std::uint32_t i = 0; i < block; ++i) {
                    const float ratio = (a[i] - b[i]) / larger(a[i] + b[i], kLeast);
                    out[i] = a[i] + b[i] > 0 ? ratio : 0.0f;
                }
                break;
            }
        }
    }
}

void run(const EvaluationCode& code, std::uint32_t states, const std::uint64_t* planes, const float* moves, float* slots) {
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

}  // namespace ludorum
