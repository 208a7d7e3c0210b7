// net.inl: the source of all kernels of nets; LUDORUM_NET names one, LUDORUM_INSTRUCTIONS says what it uses.
//
// Columns are added in registers, 64 neurons at a time; products are taken in pairs, as every machine since SSE2 does it.
#include <cstring>

#include "evaluation/kernels/net_kernel.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace ludorum::evaluation {
namespace {

// As wide as the machine's registers.
#if defined(__AVX512BW__)
constexpr std::uint32_t kBytes = 64;
#elif defined(__AVX2__)
constexpr std::uint32_t kBytes = 32;
#else
constexpr std::uint32_t kBytes = 16;
#endif
typedef std::int16_t Shorts __attribute__((vector_size(kBytes)));
// Sums of columns go round, as the definition says; only those of unsigned numbers may.
typedef std::uint16_t Sums __attribute__((vector_size(kBytes)));
typedef std::int32_t Ints __attribute__((vector_size(kBytes)));

constexpr std::uint32_t kShorts = kBytes / 2, kInts = kBytes / 4;
constexpr std::int16_t kMost = 255;

// x[2i] · y[2i] + x[2i + 1] · y[2i + 1].
inline Ints pair_products(Shorts x, Shorts y) {
#if defined(__AVX512BW__)
    return reinterpret_cast<Ints>(_mm512_madd_epi16(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(y)));
#elif defined(__AVX2__)
    return reinterpret_cast<Ints>(_mm256_madd_epi16(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(y)));
#elif defined(__SSE2__)
    return reinterpret_cast<Ints>(_mm_madd_epi16(reinterpret_cast<__m128i>(x), reinterpret_cast<__m128i>(y)));
#else
    Ints sums;
    for (std::uint32_t i = 0; i < kInts; ++i) sums[i] = std::int32_t{x[2 * i]} * y[2 * i] + std::int32_t{x[2 * i + 1]} * y[2 * i + 1];
    return sums;
#endif
}

template <class Numbers> inline Numbers cut(Numbers x) {
    const Numbers none = Numbers{}, most = none + kMost;
    x = x > none ? x : none;
    return x < most ? x : most;
}

inline void list_bits(std::uint64_t bits, std::uint32_t base, std::uint32_t* list, std::uint32_t& count) {
    for (; bits; bits &= bits - 1) list[count++] = base + static_cast<std::uint32_t>(__builtin_ctzll(bits));
}

// to = from + columns of the added − columns of the removed; so many registers of neurons at a time.
template <std::uint32_t Lines>
inline void add_columns(const PackedNet& net, const std::int16_t* from, std::int16_t* to, const std::uint32_t* added,
                        std::uint32_t adding, const std::uint32_t* removed, std::uint32_t removing) {
    for (std::uint32_t first = 0; first < net.hidden1; first += Lines * kShorts) {
        Sums sums[Lines];
        for (std::uint32_t line = 0; line < Lines; ++line) std::memcpy(&sums[line], from + first + line * kShorts, kBytes);
        for (std::uint32_t i = 0; i < adding; ++i) {
            const auto* column = reinterpret_cast<const Sums*>(net.columns + std::size_t{added[i]} * net.hidden1 + first);
            for (std::uint32_t line = 0; line < Lines; ++line) sums[line] += column[line];
        }
        for (std::uint32_t i = 0; i < removing; ++i) {
            const auto* column = reinterpret_cast<const Sums*>(net.columns + std::size_t{removed[i]} * net.hidden1 + first);
            for (std::uint32_t line = 0; line < Lines; ++line) sums[line] -= column[line];
        }
        for (std::uint32_t line = 0; line < Lines; ++line) std::memcpy(to + first + line * kShorts, &sums[line], kBytes);
    }
}

// The first layer and the skip of a state.
struct alignas(64) First {
    std::int16_t sums[kMaxHidden1];
    std::int32_t skip[kMaxOutputs];
};

inline void update(const PackedNet& net, const First& from, First& to, const std::uint32_t* added, std::uint32_t adding,
                   const std::uint32_t* removed, std::uint32_t removing) {
    if (net.hidden1 % 64 == 0) add_columns<64 / kShorts>(net, from.sums, to.sums, added, adding, removed, removing);
    else add_columns<32 / kShorts>(net, from.sums, to.sums, added, adding, removed, removing);
    for (std::uint32_t k = 0; k < net.outputs; ++k) {
        std::int32_t sum = from.skip[k];
        for (std::uint32_t i = 0; i < adding; ++i) sum += net.skip[std::size_t{added[i]} * net.outputs + k];
        for (std::uint32_t i = 0; i < removing; ++i) sum -= net.skip[std::size_t{removed[i]} * net.outputs + k];
        to.skip[k] = sum;
    }
}

template <std::uint32_t Lines> inline void finish(const PackedNet& net, const First& first, std::int32_t* outputs) {
    alignas(64) std::int16_t active[kMaxHidden1];
    for (std::uint32_t h = 0; h < net.hidden1; h += kShorts)
        *reinterpret_cast<Shorts*>(active + h) = cut(*reinterpret_cast<const Shorts*>(first.sums + h));
    Ints sums[Lines];
    for (std::uint32_t line = 0; line < Lines; ++line) std::memcpy(&sums[line], net.bias2 + line * kInts, kBytes);
    const auto* weights = reinterpret_cast<const Shorts*>(net.weights2);
    for (std::uint32_t pair = 0; pair < net.hidden1 / 2; ++pair, weights += Lines) {
        std::int32_t both;
        std::memcpy(&both, active + 2 * pair, 4);
        const Ints spread = Ints{} + both;
        for (std::uint32_t line = 0; line < Lines; ++line)
            sums[line] += pair_products(reinterpret_cast<Shorts>(spread), weights[line]);
    }
    alignas(64) std::int16_t second[kMaxHidden2];
    for (std::uint32_t line = 0; line < Lines; ++line) {
        const Ints found = cut(sums[line] >> 8);
        for (std::uint32_t i = 0; i < kInts; ++i) second[line * kInts + i] = static_cast<std::int16_t>(found[i]);
    }
    for (std::uint32_t k = 0; k < net.outputs; ++k) {
        std::int32_t sum = net.bias3[k] + first.skip[k];
        const std::int16_t* row = net.weights3 + std::size_t{k} * net.hidden2;
        for (std::uint32_t j = 0; j < Lines * kInts; ++j) sum += std::int32_t{second[j]} * row[j];
        outputs[k] = sum;
    }
}

void run(const PackedNet& net, const std::uint64_t* states, std::size_t count, const std::uint64_t* parents,
         const std::uint32_t* parent_of, std::int32_t* outputs) {
    // Lists of fluents; nobody has more inputs than there are bits.
    std::uint32_t* const listed = new std::uint32_t[2 * 64 * std::size_t{net.words} + 1];
    std::uint32_t* const removed = listed + 64 * std::size_t{net.words};
    First nothing, parent, own;
    std::memcpy(nothing.sums, net.bias1, net.hidden1 * sizeof(std::int16_t));
    std::memset(nothing.skip, 0, sizeof nothing.skip);
    bool has_parent = false;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t* state = states + i * net.words;
        std::uint32_t adding = 0, removing = 0;
        const bool is_first = parent_of && (i == 0 || parent_of[i] != parent_of[i - 1]);
        if (is_first) {
            // One that has no siblings is found faster by itself.
            has_parent = i + 1 < count && parent_of[i + 1] == parent_of[i];
            if (has_parent) {
                const std::uint64_t* row = parents + std::size_t{parent_of[i]} * net.words;
                for (std::uint32_t word = 0; word < net.words; ++word) list_bits(row[word] & net.inputs[word], 64 * word, listed, adding);
                update(net, nothing, parent, listed, adding, removed, 0);
                adding = 0;
            }
        }
        if (has_parent) {
            const std::uint64_t* row = parents + std::size_t{parent_of[i]} * net.words;
            for (std::uint32_t word = 0; word < net.words; ++word) {
                const std::uint64_t changed = (state[word] ^ row[word]) & net.inputs[word];
                list_bits(changed & state[word], 64 * word, listed, adding);
                list_bits(changed & row[word], 64 * word, removed, removing);
            }
            update(net, parent, own, listed, adding, removed, removing);
        } else {
            for (std::uint32_t word = 0; word < net.words; ++word) list_bits(state[word] & net.inputs[word], 64 * word, listed, adding);
            update(net, nothing, own, listed, adding, removed, 0);
        }
        std::int32_t* const out = outputs + i * net.outputs;
        if (net.hidden2 == 16) finish<16 / kInts>(net, own, out);
        else if (net.hidden2 == 32) finish<32 / kInts>(net, own, out);
        else finish<64 / kInts>(net, own, out);
    }
    delete[] listed;
}

}  // namespace

const NetKernel LUDORUM_NET = {LUDORUM_INSTRUCTIONS, run};

}  // namespace ludorum::evaluation
