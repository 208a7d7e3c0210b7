#include "search/minimax/random_play_statistics.h"

#include <algorithm>
#include <chrono>

#include "support/bits.h"
#include "support/clock.h"
#include "support/splitmix64.h"

namespace ludorum::minimax {
namespace {

// Longer walks tell little more; and few walks are for engines that take long.
constexpr std::uint32_t kMostSteps = 400, kMostStepsOfFew = 64, kFew = 16;

}  // namespace

RandomPlayStatistics sample_random_play(const Simulator& simulator, const Bits* state, std::int32_t chance_role, std::uint32_t walks, std::uint64_t seed,
              double seconds, const std::atomic<std::int32_t>& stop) {
    const auto begin = Clock::now();
    const Shape& shape = simulator.shape();
    const std::size_t words = shape.state_words(), legal_words = shape.legal_words(), roles = shape.roles();
    RandomPlayStatistics found;
    found.walks = walks;
    found.usual_moves.assign(roles, 0);
    std::vector<double> total(roles, 0), choices(roles, 0);

    std::uint8_t is_terminal = 0;
    std::vector<Bits> legal(walks * legal_words), states(walks * words), later(walks * words);
    simulator.terminal_and_legal(state, 1, &is_terminal, legal.data());
    for (std::uint32_t i = 0; i < walks; ++i) {
        std::copy_n(state, words, states.data() + i * words);
        std::copy_n(legal.data(), legal_words, legal.data() + i * legal_words);
    }
    bool is_stuck = false;
    for (std::uint32_t role = 0, first = 0; role < roles; first += shape.moves[role++])
        is_stuck |= !any_bit(legal.data(), first, first + shape.moves[role]);
    std::uint32_t going = is_terminal || is_stuck ? 0 : walks;
    std::vector<std::uint32_t> parents(walks), joint(walks * roles), moves;
    std::vector<std::uint8_t> over(walks);
    std::vector<std::int16_t> payoffs(walks * roles);
    for (std::uint32_t i = 0; i < walks; ++i) parents[i] = i;

    const std::uint32_t steps = walks < kFew ? kMostStepsOfFew : kMostSteps;
    for (std::uint32_t step = 0; step < steps && going && !stop; ++step) {
        if (std::chrono::duration<double>(Clock::now() - begin).count() > seconds) break;
        for (std::uint32_t i = 0; i < going; ++i) {
            std::uint32_t choosers = 0;
            for (std::uint32_t role = 0, first = 0; role < roles; first += shape.moves[role++]) {
                moves.clear();
                for_bits(legal.data() + i * legal_words, first, first + shape.moves[role],
                         [&](std::uint32_t move) { moves.push_back(move); });
                joint[i * roles + role] = moves[splitmix64(seed) % moves.size()];
                if (moves.size() < 2) continue;
                total[role] += static_cast<double>(moves.size());
                ++choices[role];
                choosers += static_cast<std::int32_t>(role) != chance_role;
            }
            found.is_sequential &= choosers < 2;
        }
        simulator.expand(states.data(), parents.data(), going, joint.data(), false,
                         {later.data(), over.data(), legal.data(), payoffs.data()});
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < going; ++i) {
            if (over[i]) {
                double sum = 0;
                for (std::uint32_t role = 0; role < roles; ++role)
                    if (static_cast<std::int32_t>(role) != chance_role) sum += payoffs[i * roles + role];
                if (found.ended++ == 0) found.sum = sum;
                found.is_constant_sum &= sum == found.sum;
                continue;
            }
            std::copy_n(later.data() + i * words, words, states.data() + kept * words);
            std::copy_n(legal.data() + i * legal_words, legal_words, legal.data() + kept * legal_words);
            ++kept;
        }
        going = kept;
    }
    for (std::uint32_t role = 0; role < roles; ++role)
        if (choices[role] > 0) found.usual_moves[role] = static_cast<double>(total[role] / choices[role]);
    return found;
}

}  // namespace ludorum::minimax
