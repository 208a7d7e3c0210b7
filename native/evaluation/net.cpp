#include "evaluation/net.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "evaluation/kernels/net_kernel.h"
#include "support/bits.h"

namespace ludorum::evaluation {
namespace {

void require(bool is_right, const char* what) {
    if (!is_right) throw std::invalid_argument(std::string("not a net: ") + what);
}

// Outputs beyond this many times kOne are worth as good as all or nothing.
constexpr std::int32_t kRange = 12, kStep = 8;  // a table entry every 2^kStep

// By additions and products alone, so that it is the same number everywhere.
double exponential(double x) {
    double sum = 1, term = 1;
    for (int n = 1; n < 24; ++n) sum += term *= x / 16 / n;
    for (int i = 0; i < 4; ++i) sum *= sum;
    return sum;
}

constexpr std::size_t kEntries = (std::size_t{2 * kRange} * NetWeights::kOne >> kStep) + 2;

const std::array<double, kEntries>& logistic_table() {
    static const std::array<double, kEntries> table = [] {
        std::array<double, kEntries> made;
        for (std::size_t i = 0; i < kEntries; ++i)
            made[i] = 1 / (1 + exponential(kRange - static_cast<double>(i) * (1 << kStep) / NetWeights::kOne));
        return made;
    }();
    return table;
}

struct alignas(64) Line { std::int16_t numbers[32]; };

std::int16_t* numbers_of(std::vector<Line>& lines) { return lines.empty() ? nullptr : lines.front().numbers; }

std::vector<Line> lines_for(std::size_t numbers) { return std::vector<Line>((numbers + 31) / 32, Line{}); }

}  // namespace

void NetWeights::check() const {
    require(fluents > 0 && roles > 0, "no fluents or no roles");
    require(outputs == roles || (outputs == 1 && roles == 2), "not one output a role");
    require(outputs <= kMaxOutputs, "too many roles");
    require(hidden1 > 0 && hidden1 % 32 == 0 && hidden1 <= kMaxHidden1, "a first layer of a wrong size");
    require(hidden2 == 16 || hidden2 == 32 || hidden2 == 64, "a second layer of a wrong size");
    require(columns.size() == std::size_t{fluents} * hidden1 && bias1.size() == hidden1, "a first layer of a wrong shape");
    require(weights2.size() == std::size_t{hidden2} * hidden1 && bias2.size() == hidden2, "a second layer of a wrong shape");
    require(weights3.size() == std::size_t{outputs} * hidden2 && bias3.size() == outputs, "a third layer of a wrong shape");
    require(skip.size() == std::size_t{fluents} * outputs, "a skip of a wrong shape");
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    for (std::uint32_t j = 0; j < hidden2; ++j) {
        std::int64_t sum = std::llabs(bias2[j]);
        for (std::uint32_t h = 0; h < hidden1; ++h) sum += kCut * std::llabs(weights2[std::size_t{j} * hidden1 + h]);
        require(sum < kMost, "a second layer whose sums may be too large");
    }
    for (std::uint32_t k = 0; k < outputs; ++k) {
        std::int64_t sum = std::llabs(bias3[k]);
        for (std::uint32_t j = 0; j < hidden2; ++j) sum += kCut * std::llabs(weights3[std::size_t{k} * hidden2 + j]);
        for (std::uint32_t f = 0; f < fluents; ++f) sum += std::llabs(skip[std::size_t{f} * outputs + k]);
        require(sum < kMost, "an output whose sum may be too large");
    }
}

const std::vector<const NetKernel*>& net_kernels() {
    static const std::vector<const NetKernel*> kernels = [] {
        std::vector<const NetKernel*> found{&kNetBase};
#if defined(LUDORUM_X86)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx2")) found.push_back(&kNetAvx2);
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
            found.push_back(&kNetAvx512);
#endif
        return found;
    }();
    return kernels;
}

double net_value(std::int32_t output) {
    constexpr std::int32_t kEnd = kRange * NetWeights::kOne;
    const std::int32_t place = std::clamp(output, -kEnd, kEnd) + kEnd;
    const std::size_t entry = static_cast<std::size_t>(place >> kStep);
    const double part = static_cast<double>(place & ((1 << kStep) - 1)) / (1 << kStep);
    const auto& table = logistic_table();
    return table[entry] + part * (table[entry + 1] - table[entry]);
}

struct NetEvaluation::Packed {
    std::vector<Line> columns, bias1, weights2, weights3;
    std::vector<std::uint64_t> inputs;
    PackedNet net;
};

NetEvaluation::NetEvaluation(NetWeights weights, const NetKernel& kernel) : weights_(std::move(weights)), kernel_(kernel) {
    weights_.check();
    const NetWeights& w = weights_;
    auto packed = std::make_unique<Packed>();
    packed->columns = lines_for(w.columns.size());
    std::copy(w.columns.begin(), w.columns.end(), numbers_of(packed->columns));
    packed->bias1 = lines_for(w.hidden1);
    std::copy(w.bias1.begin(), w.bias1.end(), numbers_of(packed->bias1));
    packed->weights2 = lines_for(w.weights2.size());
    for (std::uint32_t h = 0; h < w.hidden1; ++h)
        for (std::uint32_t j = 0; j < w.hidden2; ++j)
            numbers_of(packed->weights2)[(std::size_t{h / 2} * w.hidden2 + j) * 2 + h % 2] = w.weights2[std::size_t{j} * w.hidden1 + h];
    packed->weights3 = lines_for(w.weights3.size());
    std::copy(w.weights3.begin(), w.weights3.end(), numbers_of(packed->weights3));
    packed->inputs.resize(words_for(w.fluents));
    for (std::uint32_t f = 0; f < w.fluents; ++f) {
        const auto is_zero = [](auto number) { return number == 0; };
        const auto column = w.columns.begin() + std::ptrdiff_t(f) * w.hidden1;
        const auto skip = w.skip.begin() + std::ptrdiff_t(f) * w.outputs;
        if (!std::all_of(column, column + w.hidden1, is_zero) || !std::all_of(skip, skip + w.outputs, is_zero))
            packed->inputs[f / 64] |= Bits{1} << (f % 64);
    }
    packed->net = {static_cast<std::uint32_t>(words_for(w.fluents)), w.hidden1, w.hidden2, w.outputs, packed->inputs.data(),
                   numbers_of(packed->columns), numbers_of(packed->bias1), numbers_of(packed->weights2), w.bias2.data(),
                   numbers_of(packed->weights3), w.bias3.data(), w.skip.data()};
    packed_ = std::move(packed);
}

NetEvaluation::~NetEvaluation() = default;

void NetEvaluation::outputs(const Bits* states, std::size_t count, const Bits* parents, const std::uint32_t* parent_of,
                            std::int32_t* outputs) const {
    kernel_.run(packed_->net, states, count, parents, parent_of, outputs);
}

void NetEvaluation::plain_outputs(const Bits* states, std::size_t count, std::int32_t* outputs) const {
    const NetWeights& w = weights_;
    const std::size_t words = words_for(w.fluents);
    std::vector<std::int16_t> first(w.hidden1);
    for (std::size_t i = 0; i < count; ++i) {
        const Bits* state = states + i * words;
        const auto holds = [&](std::uint32_t f) { return (state[f / 64] >> (f % 64) & 1) != 0; };
        for (std::uint32_t h = 0; h < w.hidden1; ++h) {
            std::int32_t sum = w.bias1[h];
            for (std::uint32_t f = 0; f < w.fluents; ++f) sum += holds(f) ? w.columns[std::size_t{f} * w.hidden1 + h] : 0;
            first[h] = static_cast<std::int16_t>(static_cast<std::uint16_t>(sum));
        }
        for (std::uint32_t k = 0; k < w.outputs; ++k) {
            std::int32_t total = w.bias3[k];
            for (std::uint32_t f = 0; f < w.fluents; ++f) total += holds(f) ? w.skip[std::size_t{f} * w.outputs + k] : 0;
            for (std::uint32_t j = 0; j < w.hidden2; ++j) {
                std::int32_t sum = w.bias2[j];
                for (std::uint32_t h = 0; h < w.hidden1; ++h)
                    sum += w.weights2[std::size_t{j} * w.hidden1 + h] * std::clamp<std::int32_t>(first[h], 0, NetWeights::kCut);
                total += w.weights3[std::size_t{k} * w.hidden2 + j] * std::clamp(sum >> NetWeights::kShift, 0, NetWeights::kCut);
            }
            outputs[i * w.outputs + k] = total;
        }
    }
}

void NetEvaluation::evaluate(const SeenStates& seen, double* values) const {
    require(seen.shape.fluents == weights_.fluents && seen.shape.roles() == weights_.roles, "it is of another game");
    thread_local std::vector<std::int32_t> found;
    found.resize(seen.count * weights_.outputs);
    outputs(seen.states, seen.count, seen.parents, seen.parent_of, found.data());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double value = 100 * net_value(found[i]);
        if (weights_.outputs == weights_.roles) {
            values[i] = value;
        } else {
            values[2 * i] = value;
            values[2 * i + 1] = 100 - value;
        }
    }
}

}  // namespace ludorum::evaluation
