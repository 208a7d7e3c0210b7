#include "evaluation.h"

#include <algorithm>

#include "bits.h"

namespace ludorum {

void GoalEvaluation::evaluate(const SeenStates& seen, float* values) const {
    for (std::size_t i = 0; i < seen.count * seen.shape.roles(); ++i) values[i] = seen.payoffs[i];
}

void MobilityEvaluation::evaluate(const SeenStates& seen, float* values) const {
    const std::size_t roles = seen.shape.roles();
    for (std::size_t i = 0; i < seen.count; ++i) {
        const Bits* legal = seen.legal + i * seen.shape.legal_words();
        float* row = values + i * roles;
        float total = 0;
        std::uint32_t first = 0;
        for (std::size_t role = 0; role < roles; ++role) {
            const std::uint32_t end = first + seen.shape.moves[role];
            const float moves = static_cast<float>(count_bits(legal, first, end)), usual = usual_moves_[role];
            row[role] = moves > 1 && usual > 0 ? (moves - usual) / (moves + usual) : 0;
            total += row[role];
            first = end;
        }
        for (std::size_t role = 0; role < roles; ++role) {
            const float others = roles > 1 ? (total - row[role]) / static_cast<float>(roles - 1) : 0;
            row[role] = std::clamp(50 + 25 * (row[role] - others), 0.0f, 100.0f);
        }
    }
}

bool WeightedEvaluation::uses_payoffs() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.evaluation->uses_payoffs(); });
}

void WeightedEvaluation::evaluate(const SeenStates& seen, float* values) const {
    const std::size_t size = seen.count * seen.shape.roles();
    std::vector<float> part_values(size);
    std::fill(values, values + size, 0.0f);
    float total = 0;
    for (const Part& part : parts_) total += part.weight;
    for (const Part& part : parts_) {
        part.evaluation->evaluate(seen, part_values.data());
        for (std::size_t i = 0; i < size; ++i) values[i] += part.weight / total * part_values[i];
    }
}

}  // namespace ludorum
