// program.h: an evaluation as a flat program of operations on doubles, run on up to 64 states at a time.
//
// A plane holds one bit a state: whether a fluent holds or, after the fluents, whether a condition does. A slot holds
// one double a state. Operations run in their order; each writes the slot of its own and reads earlier ones.
//
// Results are the same with every instruction set: each number is computed by the same operations in the same order,
// and roots and powers by polynomials of ours.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "evaluation/evaluation.h"

namespace ludorum::evaluation {

enum class Operation : std::uint8_t {
    kFirst,       // the constant of the first group with a plane that holds, else the last constant
    kMean,        // the mean of the constants of the planes that hold, else the last constant
    kCount,       // the last constant, plus the constants of the planes that hold
    kMoves,       // the number of legal moves of a role
    kSum,         // the sum of slots, at most 1; where all are less than the first constant, at most the second
    kPower,       // a slot, at least 0, to the power of the constant
    kDual,        // (1 − x^(1/c))^c for a slot x from 0 to 1 and the constant c
    kProduct,     // the product of slots
    kComplement,  // 1 − a slot
    kIfLess,      // the second slot where the first is less than the constant, else the third
    kIfHolds,     // the first slot where the plane holds, else the second
    kWeighted,    // the last constant, plus slots times constants
    kRatio,       // (a − b) / (a + b) of two slots that are not negative, 0 where both are
};
constexpr std::uint32_t kOperations = 13;

struct EvaluationCode {
    // Operands: of kFirst the groups, each a number of planes and the planes; of kMean and kCount planes; of kMoves the
    // role; of kIfHolds a plane and two slots; of the others slots.
    struct Step { Operation operation; std::uint32_t slot, operands, operands_end, constants, constants_end; };

    std::uint32_t fluents = 0;
    std::uint32_t roles = 0;
    std::uint32_t slots = 0;
    std::vector<Step> steps;
    std::vector<std::uint32_t> operands;
    std::vector<double> constants;
    std::vector<std::uint32_t> outputs;  // the slot of each role's value, cut to 0 … 100

    // Throws std::invalid_argument that says what is wrong. `conditions` is their number.
    void check(std::uint32_t conditions) const;
};

struct EvaluationKernel;

// The kernels that this machine can run, the fastest last.
const std::vector<const EvaluationKernel*>& evaluation_kernels();

class ProgramEvaluation final : public Evaluation {
public:
    // Conditions are what the first role of this simulator may legally do: its circuit is over the same fluents. Null if
    // there are none. Throws std::invalid_argument for what is no program.
    ProgramEvaluation(EvaluationCode code, std::shared_ptr<const Simulator> conditions,
                      const EvaluationKernel& kernel = *evaluation_kernels().back());

    const EvaluationCode& code() const { return code_; }

    // Throws std::invalid_argument for states of another number of fluents or roles. `payoffs` is not read.
    void evaluate(const SeenStates& seen, double* values) const override;

private:
    EvaluationCode code_;
    std::shared_ptr<const Simulator> conditions_;
    const EvaluationKernel& kernel_;
    std::vector<std::uint32_t> words_, condition_words_;  // those of the states, and of the conditions, that are read
    bool counts_moves_ = false;
};

}  // namespace ludorum::evaluation
