// training_kernel.h: the inner loops of training, compiled once for every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ludorum::learning {

constexpr std::uint32_t kMaxHidden1 = 256, kMaxHidden2 = 64, kMaxOutputs = 16;

// Where the parts of a row of parameters, and of one of slopes, begin.
struct KernelNet {
    std::uint32_t hidden1, hidden2, outputs;
    const float *columns, *bias1, *weights2, *bias2, *weights3, *bias3, *skip;
    const float* by_input;  // weights2 the other way round: hidden1 × hidden2
};
struct KernelSlopes {
    float *columns, *bias1, *weights2, *bias2, *weights3, *bias3, *skip;
};

struct TrainingKernel {
    const char* instructions;
    // Adds the slopes of the loss of one state, in which these fluents hold, and gives the loss.
    double (*add_slopes)(const KernelNet& net, const std::uint32_t* fluents, std::uint32_t count, const float* targets,
                         const KernelSlopes& slopes);
    // A step of Adam: with the slopes of a batch, scaled; the rate has the corrections of the moments in it.
    void (*descend)(float* parameters, float* first, float* second, const float* slopes, std::size_t count, float scale,
                    float rate, float floor);
};

extern const TrainingKernel kTrainingBase, kTrainingAvx2, kTrainingAvx512;

}  // namespace ludorum::learning
