// net.h: a small net of neurons over fluents, in integers, on many states at once.
//
// Two hidden layers and a way past them: a state adds up the columns of the fluents that hold (first layer and the
// skip), what comes out is cut to 0 … 255, and so on. The output is a logit, kOne times over; a value is its logistic
// function, times 100.
//
//     first[h]  = bias1[h] + Σ columns[f][h] over the fluents f that hold, modulo 2^16
//     second[j] = (bias2[j] + Σ weights2[j][h] · cut(first[h])) >> 8
//     output[k] = bias3[k] + Σ weights3[k][j] · cut(second[j]) + Σ skip[f][k] over the fluents f that hold
//
// All of it is integers, so the results are the same bits with every instruction set and in every order; and a state
// that differs little from another is found from it by what changed.
//
// Threads: a net may be asked by several threads at once.
// In the literature: efficiently updatable neural networks, NNUE (Nasu 2018).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "evaluation/evaluation.h"

namespace ludorum::evaluation {

struct NetWeights {
    static constexpr std::int32_t kCut = 255, kShift = 8, kOne = 1 << 16;

    std::uint32_t fluents = 0;
    std::uint32_t roles = 0;
    std::uint32_t outputs = 0;  // one a role; or one in all, where two roles divide 100 between them
    std::uint32_t hidden1 = 0;  // a multiple of 32, at most 256
    std::uint32_t hidden2 = 0;  // 16, 32 or 64
    std::vector<std::int16_t> columns;   // fluents × hidden1
    std::vector<std::int16_t> bias1;
    std::vector<std::int16_t> weights2;  // hidden2 × hidden1
    std::vector<std::int32_t> bias2;
    std::vector<std::int16_t> weights3;  // outputs × hidden2
    std::vector<std::int32_t> bias3;
    std::vector<std::int32_t> skip;      // fluents × outputs

    // Throws std::invalid_argument that says what is wrong: sizes, or sums that could be too large for 32 bits.
    void check() const;
};

struct NetKernel;

// The kernels that this machine can run, the fastest last.
const std::vector<const NetKernel*>& net_kernels();

// What an output is worth, from 0 to 1.
double net_value(std::int32_t output);

class NetEvaluation final : public Evaluation {
public:
    // Throws std::invalid_argument for what is no net.
    explicit NetEvaluation(NetWeights weights, const NetKernel& kernel = *net_kernels().back());
    ~NetEvaluation() override;

    const NetWeights& weights() const { return weights_; }

    // Throws std::invalid_argument for states of another number of fluents or roles. Reads states only, and their
    // parents where they are given.
    void evaluate(const SeenStates& seen, double* values) const override;

    // outputs[i * weights().outputs + k], of states that follow `parents` (states[i] follows parents[parent_of[i]]; those
    // of one parent in a row), or null.
    void outputs(const Bits* states, std::size_t count, const Bits* parents, const std::uint32_t* parent_of,
                 std::int32_t* outputs) const;

    // The same by the definition, one number after the other.
    void plain_outputs(const Bits* states, std::size_t count, std::int32_t* outputs) const;

private:
    struct Packed;

    NetWeights weights_;
    const NetKernel& kernel_;
    std::unique_ptr<const Packed> packed_;
};

}  // namespace ludorum::evaluation
