#include "learning/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "learning/kernels/training_kernel.h"
#include "support/random.h"

namespace ludorum::learning {
namespace {

const TrainingKernel& best_kernel() {
#if defined(LUDORUM_X86)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) return kTrainingAvx512;
    if (__builtin_cpu_supports("avx2")) return kTrainingAvx2;
#endif
    return kTrainingBase;
}

// What remains of the moments' start at nothing, after so many steps; by products, so that it is the same everywhere.
double left_of(double keep, std::uint64_t steps) {
    double left = 1;
    for (; steps; steps >>= 1, keep *= keep)
        if (steps & 1) left *= keep;
    return left;
}

void tie(std::vector<float>& slopes, const std::uint32_t* ties) {
    for (std::size_t p = 0; p < slopes.size(); ++p)
        if (ties[p] != p) slopes[ties[p]] += slopes[p];
    for (std::size_t p = 0; p < slopes.size(); ++p) slopes[p] = slopes[ties[p]];
}

}  // namespace

double train(const FloatShape& shape, float* parameters, float* first_moments, float* second_moments, const Bits* states,
             std::size_t count, const float* targets, const TrainOptions& options, const std::atomic<std::int32_t>& stop,
             const TrainingKernel* chosen) {
    const TrainingKernel& kernel = chosen ? *chosen : best_kernel();
    const std::size_t words = words_for(shape.fluents);
    std::vector<std::uint32_t> order(count), fluents(shape.fluents);
    std::iota(order.begin(), order.end(), 0);
    Random random(options.seed);
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    std::vector<float> slopes(shape.size()), by_input(std::size_t{shape.hidden1} * shape.hidden2);
    const auto part = [&](auto* row) {
        return std::array{row, row + shape.bias1(), row + shape.weights2(), row + shape.bias2(), row + shape.weights3(),
                          row + shape.bias3(), row + shape.skip()};
    };
    const auto p = part(static_cast<const float*>(parameters));
    const auto s = part(slopes.data());
    const KernelNet net{shape.hidden1, shape.hidden2, shape.outputs, p[0], p[1], p[2], p[3], p[4], p[5], p[6], by_input.data()};
    const KernelSlopes added{s[0], s[1], s[2], s[3], s[4], s[5], s[6]};
    double loss = 0;
    std::uint64_t steps = options.steps;
    for (std::size_t begin = 0; begin < count && stop == 0; begin += options.batch) {
        const std::size_t end = std::min<std::size_t>(count, begin + options.batch);
        std::fill(slopes.begin(), slopes.end(), 0.0f);
        for (std::uint32_t j = 0; j < shape.hidden2; ++j)
            for (std::uint32_t h = 0; h < shape.hidden1; ++h)
                by_input[std::size_t{h} * shape.hidden2 + j] = p[2][std::size_t{j} * shape.hidden1 + h];
        for (std::size_t i = begin; i < end; ++i) {
            const Bits* state = states + std::size_t{order[i]} * words;
            std::uint32_t held = 0;
            for (std::size_t word = 0; word < words; ++word)
                for (Bits bits = options.inputs ? state[word] & options.inputs[word] : state[word]; bits; bits &= bits - 1)
                    fluents[held++] = static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(std::countr_zero(bits));
            loss += kernel.add_slopes(net, fluents.data(), held, targets + std::size_t{order[i]} * shape.outputs, added);
        }
        if (options.ties) tie(slopes, options.ties);
        ++steps;
        const double root = std::sqrt(1 - left_of(0.999, steps));
        kernel.descend(parameters, first_moments, second_moments, slopes.data(), slopes.size(), 1.0f / static_cast<float>(end - begin),
                       static_cast<float>(options.rate * root / (1 - left_of(0.9, steps))), static_cast<float>(1e-8 * root));
    }
    return count ? loss / static_cast<double>(count * shape.outputs) : 0;
}

}  // namespace ludorum::learning
