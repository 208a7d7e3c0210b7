// training.inl: the source of all kernels of training; LUDORUM_TRAINING names one, LUDORUM_INSTRUCTIONS what it uses.
//
// Every number is the sum of the same terms in the same order, whatever the machine.
#include <bit>
#include <cmath>
#include <cstring>

#include "learning/kernels/training_kernel.h"

namespace ludorum::learning {
namespace {

// As wide as the machine's registers.
#if defined(__AVX512F__)
constexpr std::uint32_t kBytes = 64;
#elif defined(__AVX2__)
constexpr std::uint32_t kBytes = 32;
#else
constexpr std::uint32_t kBytes = 16;
#endif
typedef float Floats __attribute__((vector_size(kBytes)));
constexpr std::uint32_t kFloats = kBytes / 4, kParts = 16;

inline Floats load(const float* from) {
    Floats numbers;
    std::memcpy(&numbers, from, kBytes);
    return numbers;
}
inline void store(float* to, Floats numbers) { std::memcpy(to, &numbers, kBytes); }

// e^x for x from -30 to 30: 2 to the whole part by its bits, and a series for the rest.
inline double exponential(double x) {
    const double y = x * 1.4426950408889634, shifted = y + 6755399441055744.0, whole = shifted - 6755399441055744.0;
    const double p = (y - whole) * 0.6931471805599453;
    double sum = 1, term = 1;
    for (int n = 1; n < 12; ++n) sum += term *= p / n;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}

// log(1 + e^-|x|) for a loss that is only shown: a few digits will do, but the same ones everywhere.
inline double softplus_tail(double e) {
    const double z = e / (2 + e), y = z * z;
    double sum = 0, power = z;
    for (int n = 1; n < 30; n += 2, power *= y) sum += power / n;
    return 2 * sum;
}

inline Floats cut(Floats x) {
    const Floats none = Floats{}, one = none + 1.0f;
    x = x > none ? x : none;
    return x < one ? x : one;
}

// The slope goes on where a neuron is not cut.
inline Floats where_uncut(Floats sum, Floats slope) {
    const Floats none = Floats{}, one = none + 1.0f;
    slope = sum > none ? slope : none;
    return sum < one ? slope : none;
}

double add_slopes(const KernelNet& net, const std::uint32_t* fluents, std::uint32_t count, const float* targets,
                  const KernelSlopes& slopes) {
    const std::uint32_t hidden1 = net.hidden1, hidden2 = net.hidden2;
    alignas(64) float sums1[kMaxHidden1], active1[kMaxHidden1], slope1[kMaxHidden1];
    alignas(64) float sums2[kMaxHidden2], active2[kMaxHidden2], slope2[kMaxHidden2];
    for (std::uint32_t h = 0; h < hidden1; h += kFloats) {
        Floats sum = load(net.bias1 + h);
        for (std::uint32_t i = 0; i < count; ++i) sum += load(net.columns + std::size_t{fluents[i]} * hidden1 + h);
        store(sums1 + h, sum);
        store(active1 + h, cut(sum));
        store(slope1 + h, Floats{});
    }
    for (std::uint32_t j = 0; j < hidden2; j += kFloats) {
        Floats sum = load(net.bias2 + j);
        for (std::uint32_t h = 0; h < hidden1; ++h) sum += active1[h] * load(net.by_input + std::size_t{h} * hidden2 + j);
        store(sums2 + j, sum);
        store(active2 + j, cut(sum));
        store(slope2 + j, Floats{});
    }
    double loss = 0;
    for (std::uint32_t k = 0; k < net.outputs; ++k) {
        float logit = net.bias3[k];
        for (std::uint32_t i = 0; i < count; ++i) logit += net.skip[std::size_t{fluents[i]} * net.outputs + k];
        const float* weights3 = net.weights3 + std::size_t{k} * hidden2;
        float parts[kParts] = {};
        for (std::uint32_t j = 0; j < hidden2; j += kParts)
            for (std::uint32_t i = 0; i < kParts; ++i) parts[i] += weights3[j + i] * active2[j + i];
        for (float part : parts) logit += part;
        const double x = logit > 30 ? 30 : logit < -30 ? -30 : logit;
        const double e = exponential(x < 0 ? x : -x);
        const double value = x < 0 ? e / (1 + e) : 1 / (1 + e);
        loss += softplus_tail(e) + (x > 0 ? x : 0) - targets[k] * x;
        const float error = static_cast<float>(value) - targets[k];
        slopes.bias3[k] += error;
        for (std::uint32_t i = 0; i < count; ++i) slopes.skip[std::size_t{fluents[i]} * net.outputs + k] += error;
        float* slopes3 = slopes.weights3 + std::size_t{k} * hidden2;
        for (std::uint32_t j = 0; j < hidden2; j += kFloats) {
            store(slopes3 + j, load(slopes3 + j) + error * load(active2 + j));
            store(slope2 + j, load(slope2 + j) + error * load(weights3 + j));
        }
    }
    for (std::uint32_t j = 0; j < hidden2; j += kFloats) {
        store(slope2 + j, where_uncut(load(sums2 + j), load(slope2 + j)));
        store(slopes.bias2 + j, load(slopes.bias2 + j) + load(slope2 + j));
    }
    for (std::uint32_t j = 0; j < hidden2; ++j) {
        const float slope = slope2[j];
        if (slope == 0) continue;
        const float* weights = net.weights2 + std::size_t{j} * hidden1;
        float* slopes2 = slopes.weights2 + std::size_t{j} * hidden1;
        for (std::uint32_t h = 0; h < hidden1; h += kFloats) {
            store(slopes2 + h, load(slopes2 + h) + slope * load(active1 + h));
            store(slope1 + h, load(slope1 + h) + slope * load(weights + h));
        }
    }
    for (std::uint32_t h = 0; h < hidden1; h += kFloats) {
        const Floats slope = where_uncut(load(sums1 + h), load(slope1 + h));
        store(slopes.bias1 + h, load(slopes.bias1 + h) + slope);
        for (std::uint32_t i = 0; i < count; ++i) {
            float* column = slopes.columns + std::size_t{fluents[i]} * hidden1 + h;
            store(column, load(column) + slope);
        }
    }
    return loss;
}

void descend(float* parameters, float* first, float* second, const float* slopes, std::size_t count, float scale, float rate,
             float floor) {
    constexpr float kKeep1 = 0.9f, kKeep2 = 0.999f;
    for (std::size_t i = 0; i < count; ++i) {
        const float slope = slopes[i] * scale;
        first[i] = kKeep1 * first[i] + (1 - kKeep1) * slope;
        second[i] = kKeep2 * second[i] + (1 - kKeep2) * slope * slope;
        parameters[i] -= rate * first[i] / (std::sqrt(second[i]) + floor);
    }
}

}  // namespace

const TrainingKernel LUDORUM_TRAINING = {LUDORUM_INSTRUCTIONS, add_slopes, descend};

}  // namespace ludorum::learning
