#include "evaluation/playouts.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "engine/leaf_playouts.h"
#include "engine/outcomes.h"

namespace ludorum::evaluation {

PlayoutEvaluation::PlayoutEvaluation(const Simulator& simulator, std::uint32_t playouts, std::uint32_t max_steps, std::uint64_t seed)
    : simulator_(simulator), playouts_(playouts), max_steps_(max_steps), seed_(seed) {
    LeafSpec spec;
    spec.lanes = 64;
    if (!simulator.leaf_playouts(spec)) throw std::invalid_argument("this engine does not play from many states at once");
}

void PlayoutEvaluation::evaluate(const SeenStates& seen, double* values) const {
    const std::size_t numbers = seen.count * seen.shape.roles();
    std::vector<float> means(numbers);
    const std::atomic<std::int32_t> stop{0};
    OutcomeSpec spec;
    spec.playouts = playouts_;
    spec.max_steps = max_steps_;
    spec.seed = seed_;
    spec.seconds = std::numeric_limits<double>::infinity();
    mean_outcomes(simulator_, seen.states, seen.count, spec, means.data(), stop);
    for (std::size_t i = 0; i < numbers; ++i) values[i] = std::isnan(means[i]) ? 50.0 : static_cast<double>(means[i]);
}

}  // namespace ludorum::evaluation
