#include "engine/outcomes.h"

#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "engine/leaf_playouts.h"
#include "support/clock.h"

namespace ludorum {
namespace {

// A fixed width, so that every machine plays the same matches.
constexpr std::uint32_t kLanes = 256;
// Lanes are filled again when a quarter of the matches has ended, or after so many steps, when it is time to look at the clock.
constexpr std::uint32_t kRounds = 4, kSteps = 64;

}  // namespace

std::size_t mean_outcomes(const Simulator& simulator, const Bits* states, std::size_t count, const OutcomeSpec& spec, float* means,
                          const std::atomic<std::int32_t>& stop) {
    const std::size_t roles = simulator.shape().roles(), words = simulator.shape().state_words();
    LeafSpec leaves;
    leaves.lanes = kLanes;
    leaves.seed = spec.seed;
    leaves.max_steps = spec.max_steps;
    const std::unique_ptr<LeafPlayouts> matches = simulator.leaf_playouts(leaves);
    if (!matches) throw std::invalid_argument("this engine does not play from many states at once");
    const Clock::time_point begin = Clock::now();
    const auto is_time_over = [&] { return std::chrono::duration<double>(Clock::now() - begin).count() >= spec.seconds; };

    std::vector<std::uint64_t> sums(count * roles), ended(count);
    LeafResults results;
    std::size_t begun = 0;
    for (std::uint64_t under_way = 0; !stop;) {
        for (; begun < count && under_way < kLanes && !is_time_over(); ++begun, under_way += spec.playouts)
            for (std::uint32_t i = 0; i < spec.playouts; ++i) matches->begin(states + begun * words, static_cast<std::uint32_t>(begun), 0, {});
        if (under_way == 0) break;
        results.clear();
        matches->play(kLanes / kRounds, kSteps, results);
        under_way -= results.tickets.size();
        for (std::size_t i = 0; i < results.tickets.size(); ++i) {
            if (results.is_cut[i]) continue;
            const std::size_t state = results.tickets[i];
            ++ended[state];
            for (std::size_t r = 0; r < roles; ++r) sums[state * roles + r] += static_cast<std::uint64_t>(results.goals[i * roles + r]);
        }
    }
    for (std::size_t i = 0; i < begun * roles; ++i)
        means[i] = ended[i / roles] ? static_cast<float>(static_cast<double>(sums[i]) / static_cast<double>(ended[i / roles]))
                                    : std::numeric_limits<float>::quiet_NaN();
    return begun;
}

}  // namespace ludorum
