// trainer.h: a net in floats learns what states are worth.
//
// The parameters are one row of floats: columns (fluents × hidden1), bias1, weights2 (hidden2 × hidden1), bias2,
// weights3 (outputs × hidden2), bias3, skip (fluents × outputs), as in evaluation/net.h, but for the scale: a neuron of
// a hidden layer is cut to 0 … 1. Whoever keeps them, and the two rows of moments, keeps all that training knows.
//
// The first layer adds up the columns of the fluents that hold, and only those change: games with thousands of fluents
// cost what holds in a state. Sums are taken in the same order with every instruction set, so results are the same bits.
//
// In the literature: logistic regression by backpropagation; Adam (Kingma and Ba 2015).
#pragma once

#include <atomic>
#include <cstdint>

#include "support/bits.h"

namespace ludorum::learning {

struct FloatShape {
    std::uint32_t fluents = 0, outputs = 0, hidden1 = 0, hidden2 = 0;

    std::size_t bias1() const { return std::size_t{fluents} * hidden1; }
    std::size_t weights2() const { return bias1() + hidden1; }
    std::size_t bias2() const { return weights2() + std::size_t{hidden2} * hidden1; }
    std::size_t weights3() const { return bias2() + hidden2; }
    std::size_t bias3() const { return weights3() + std::size_t{outputs} * hidden2; }
    std::size_t skip() const { return bias3() + outputs; }
    std::size_t size() const { return skip() + std::size_t{fluents} * outputs; }
};

struct TrainOptions {
    std::uint32_t batch = 256;
    float rate = 1e-3f;
    std::uint64_t seed = 0;        // of the order in which states come
    std::uint64_t steps = 0;       // that were made before
    const Bits* inputs = nullptr;  // a bit a fluent: those that are looked at; null for all
    // ties[p] <= p: parameters with the same number stay equal; null if none are tied.
    const std::uint32_t* ties = nullptr;
};

struct TrainingKernel;

// One pass over the states: targets[i * outputs + k] is what state i is worth, from 0 to 1. Gives the mean loss (cross
// entropy); comes back early, with the pass unfinished, once `stop` is not 0.
double train(const FloatShape& shape, float* parameters, float* first_moments, float* second_moments, const Bits* states,
             std::size_t count, const float* targets, const TrainOptions& options, const std::atomic<std::int32_t>& stop,
             const TrainingKernel* kernel = nullptr);

}  // namespace ludorum::learning
