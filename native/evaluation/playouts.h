// playouts.h: what random matches from a state end with on average, as its value: Monte Carlo at the leaves of a search
// that looks ahead.
#pragma once

#include <cstdint>

#include "evaluation/evaluation.h"

namespace ludorum::evaluation {

// The same states in the same order have the same values. Where no match comes to its end within `max_steps`, a state is
// worth 50. The simulator must outlive it, and play from many states at once.
class PlayoutEvaluation final : public Evaluation {
public:
    PlayoutEvaluation(const Simulator& simulator, std::uint32_t playouts, std::uint32_t max_steps, std::uint64_t seed);

    void evaluate(const SeenStates& seen, double* values) const override;

private:
    const Simulator& simulator_;
    std::uint32_t playouts_, max_steps_;
    std::uint64_t seed_;
};

}  // namespace ludorum::evaluation
