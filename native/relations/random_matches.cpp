// Random matches: playouts for search, and the sample that plans are made from.
#include <algorithm>

#include "engine/outcome.h"
#include "relations/relations_simulator.h"
#include "relations/workspace.h"
#include "support/parallel.h"
#include "support/splitmix64.h"

namespace ludorum::relations {

PlayoutWork RelationsSimulator::playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                                         const std::atomic<std::int32_t>& stop) const {
    std::atomic<std::uint64_t> next{0}, steps{0}, asked{0};
    const auto play = [&](std::uint32_t) {
        try {
            Lease lease = borrow(&stop);
            std::uint64_t own_steps = 0, own_asked = 0;
            for (std::uint64_t i; !stop && (i = next++) < spec.playouts;) {
                std::uint64_t random = spec.seed, mixed = splitmix64(random) ^ i;
                random = splitmix64(mixed);
                lease->begin(state);
                lease->machine().watch(&stop);
                std::uint32_t length = 0;
                Outcome outcome = kFinished;
                while (true) {
                    const auto turn = lease->turn(random, length < spec.max_steps);
                    lease->machine().watch(&stop);
                    if (turn == Workspace::Turn::kTerminal) break;
                    if (turn == Workspace::Turn::kStuck) {
                        outcome = kStuck;
                        break;
                    }
                    if (length == spec.max_steps) {
                        outcome = kCut;
                        break;
                    }
                    ++length;
                    if (stop) break;
                }
                lease->goals(results.goals + i * shape_.roles());
                lease->end();
                results.lengths[i] = static_cast<std::int32_t>(length);
                results.outcomes[i] = outcome;
                own_steps += length;
                ++own_asked;
            }
            steps += own_steps;
            asked += own_asked;
        } catch (const Stopped&) {
        }
    };
    const auto threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(spec.threads, spec.playouts));
    parallel_invoke(threads, play, [&] { next = spec.playouts; });
    return {1, steps, asked};
}

Sample RelationsSimulator::sample(std::uint64_t states, std::uint64_t steps, std::uint64_t seed, std::size_t kept,
                                  const std::atomic<std::int32_t>& stop) const {
    Lease lease = borrow(&stop);
    const std::vector<Bits> start = initial(stop);
    Sample sample;
    lease->notes_percepts = true;
    sample.set_sizes.assign(program_.sets.size(), 0);
    const auto is_over = [&] { return sample.states >= states || lease->machine().work() / Machine::kStep >= steps || stop; };
    std::uint64_t random = seed;
    const auto measure = [&] {
        for (std::size_t set = 0; set < program_.sets.size(); ++set) sample.set_sizes[set] += lease->machine().set(static_cast<std::uint32_t>(set)).current.size();
    };
    std::uint64_t every = std::max<std::uint64_t>(1, states / std::max<std::size_t>(kept, 1));
    try {
        while (!is_over()) {
            lease.load(start.data());
            while (!is_over()) {
                if (sample.states % every == 0 && sample.true_rows.size() < kept) {
                    auto& texts = sample.true_rows.emplace_back();
                    for (std::uint32_t fact : lease->state()) lease->machine().terms().write(lease->machine().term_of(fact), texts.emplace_back());
                }
                // Moves are numbered as they are met with, so that there is room for them.
                if (!lease->machine().is_terminal()) {
                    const auto& moves = lease->legal();
                    for (std::size_t role = 0; role < moves.size(); ++role)
                        for (TermId term : moves[role]) lease->move_number(role, term);
                }
                for (std::uint32_t fact : lease->state()) lease->fluent_number(fact);
                measure();
                ++sample.states;
                const auto turn = lease->turn(random, true);
                lease->machine().watch(&stop);
                if (turn != Workspace::Turn::kMoved) {
                    std::vector<std::int16_t> values(shape_.roles());
                    lease->goals(values.data());
                    break;
                }
            }
        }
    } catch (const OutOfTime&) {
        sample.is_cut_short = true;
    } catch (const OutOfMemory&) {
        sample.is_cut_short = true;
    } catch (const Unstratified&) {
        sample.is_cut_short = true;
    }
    lease->notes_percepts = false;
    sample.work = lease->machine().work() / Machine::kStep;
    sample.tallies = lease->machine().tallies();
    for (Tally& tally : sample.tallies) {
        tally.work /= Machine::kStep;
        tally.own /= Machine::kStep;
    }
    return sample;
}

}  // namespace ludorum::relations
