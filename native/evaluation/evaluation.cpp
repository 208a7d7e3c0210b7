#include "evaluation/evaluation.h"

#include <algorithm>

#include "support/bits.h"

namespace ludorum::evaluation {

void GoalEvaluation::evaluate(const SeenStates& seen, double* values) const {
    for (std::size_t i = 0; i < seen.count * seen.shape.roles(); ++i) values[i] = seen.payoffs[i];
}

void MobilityEvaluation::evaluate(const SeenStates& seen, double* values) const {
    const std::size_t roles = seen.shape.roles();
    for (std::size_t i = 0; i < seen.count; ++i) {
        const Bits* legal = seen.legal + i * seen.shape.legal_words();
        double* row = values + i * roles;
        double total = 0;
        std::uint32_t first = 0;
        for (std::size_t role = 0; role < roles; ++role) {
            const std::uint32_t end = first + seen.shape.moves[role];
            const double moves = static_cast<double>(count_bits(legal, first, end)), usual = usual_moves_[role];
            row[role] = moves > 1 && usual > 0 ? (moves - usual) / (moves + usual) : 0;
            total += row[role];
            first = end;
        }
        for (std::size_t role = 0; role < roles; ++role) {
            const double others = roles > 1 ? (total - row[role]) / static_cast<double>(roles - 1) : 0;
            row[role] = std::clamp(50 + 25 * (row[role] - others), 0.0, 100.0);
        }
    }
}

bool WeightedEvaluation::uses_payoffs() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.evaluation->uses_payoffs(); });
}

void WeightedEvaluation::evaluate(const SeenStates& seen, double* values) const {
    const std::size_t size = seen.count * seen.shape.roles();
    std::vector<double> part_values(size);
    std::fill(values, values + size, 0.0);
    double total = 0;
    for (const Part& part : parts_) total += part.weight;
    for (const Part& part : parts_) {
        part.evaluation->evaluate(seen, part_values.data());
        for (std::size_t i = 0; i < size; ++i) values[i] += part.weight / total * part_values[i];
    }
}

}  // namespace ludorum::evaluation
