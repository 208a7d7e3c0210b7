// evaluation.h: what states that are not over may be worth, on many states at once.
//
// A search that cannot see the end asks an evaluation. It gets states as the
// simulator found them and gives every role a value from 0 to 100. What it
// says of states that are over is not used.
//
// Threads: evaluate() may be called from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/simulator.h"

namespace ludorum::evaluation {

struct SeenStates {
    const Shape& shape;
    std::size_t count;
    const Bits* states;
    const Bits* legal;
    const std::int16_t* payoffs;  // of all states if uses_payoffs(), else only of those that are over
    // Where they are known: state i follows parents[parent_of[i]], and those of one parent stand in a row. Null if not.
    const Bits* parents = nullptr;
    const std::uint32_t* parent_of = nullptr;
};

class Evaluation {
public:
    virtual ~Evaluation() = default;

    // Whether it reads the goal values of states that are not over; finding them costs time.
    virtual bool uses_payoffs() const { return false; }

    // values[i * roles + r] is what state i is worth to role r.
    virtual void evaluate(const SeenStates& seen, double* values) const = 0;
};

// The goal values that hold now, where the game gives them before its end.
class GoalEvaluation final : public Evaluation {
public:
    bool uses_payoffs() const override { return true; }
    void evaluate(const SeenStates& seen, double* values) const override;
};

// Whether a role that has a choice has more or fewer moves than it usually has when it has one, less what the other
// roles have; 50 is as usual. (The number alone would mostly tell whose turn it is.)
class MobilityEvaluation final : public Evaluation {
public:
    explicit MobilityEvaluation(std::vector<double> usual_moves) : usual_moves_(std::move(usual_moves)) {}
    void evaluate(const SeenStates& seen, double* values) const override;

private:
    std::vector<double> usual_moves_;  // 0 for a role that never had a choice
};

// The mean of others, each with its weight.
class WeightedEvaluation final : public Evaluation {
public:
    struct Part { double weight; std::shared_ptr<const Evaluation> evaluation; };

    // Requires: the weights are positive.
    explicit WeightedEvaluation(std::vector<Part> parts) : parts_(std::move(parts)) {}
    bool uses_payoffs() const override;
    void evaluate(const SeenStates& seen, double* values) const override;

private:
    std::vector<Part> parts_;
};

}  // namespace ludorum::evaluation
