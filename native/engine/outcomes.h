// outcomes.h: how random matches from many states end on average, which is
// what an evaluation is fitted to.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/simulator.h"

namespace ludorum {

struct OutcomeSpec {
    std::uint32_t playouts = 64;    // from every state
    std::uint64_t seed = 0;
    std::uint32_t max_steps = 500;  // a match that goes on for longer says nothing
    double seconds = 0;             // after which none is begun from another state
};

// means[i * roles + r] is what matches from state i are worth to role r on average, and not a number where none came to
// its end. Says how many states were played from, the first ones; of the others nothing is written. The same for every
// width if the time suffices. Comes back early, with nothing that counts, once `stop` is not 0.
// Throws std::invalid_argument if the engine does not play from many states at once.
std::size_t mean_outcomes(const Simulator& simulator, const Bits* states, std::size_t count, const OutcomeSpec& spec, float* means,
                          const std::atomic<std::int32_t>& stop);

}  // namespace ludorum
