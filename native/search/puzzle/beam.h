// beam.h: beam search, layer by layer, with the best states of each.
//
// Of all states that are a number of steps away, only the most promising ones
// are expanded: so many as the beam is wide. When it comes to the end of its
// layers without success, it starts anew, and after three times twice as wide.
// What is promising changes from time to time: the states that are nearest to the
// goal and among them those with the most legal moves; those with the most
// legal moves alone, which is good where moves take others away; those with the
// fewest, which is good where whatever is left alone is lost (Warnsdorff's rule
// for knight's tours). Chance decides between equals.
//
// The same seed finds the same. It proves nothing, and so may drop states
// that were met and not chosen before.
//
// In the literature: beam search, widened from one run to the next (Zhang 1998: complete anytime beam search).
#pragma once

#include <optional>

#include "search/puzzle/goal_distance.h"
#include "search/puzzle/search.h"

namespace ludorum::puzzle {

class Beam {
public:
    // Layers beyond `max_steps` are not looked at; a beam whose states take more than about `memory` bytes starts anew,
    // no wider than before.
    Beam(const Simulator& simulator, Canonicalizer canonicalizer, std::optional<GoalDistance> distance, const Bits* start, int target,
         std::uint64_t seed, std::uint32_t max_steps, std::size_t memory);

    // Exhausted if a beam was so wide that it left out nothing.
    Status run(const Limits& limits);

    const Found& best() const { return best_; }
    std::uint64_t states() const { return states_; }
    std::uint64_t width() const { return width_; }

private:
    struct Candidate {
        std::uint64_t rank;  // the lower the better
        Node node;
    };

    void begin();
    void expand(const Limits& limits);
    void judge(const Limits& limits);
    void choose();
    std::uint64_t rank(std::size_t looked_at, const Bits* state);

    const Simulator& simulator_;
    const Canonicalizer canonicalizer_;
    std::optional<GoalDistance> distance_;
    const std::vector<Bits> start_;
    const int target_;
    const std::uint32_t max_steps_;
    const std::size_t memory_;
    std::uint64_t random_;
    std::optional<Store> store_;
    Expansion expansion_;
    std::vector<Node> layer_, met_, nodes_;  // to be expanded; met in doing so; those that are looked at together
    std::size_t expanded_ = 0, judged_ = 0;  // how many of them
    std::vector<Candidate> candidates_;
    std::uint32_t steps_ = 0;
    std::uint64_t width_ = 64, rounds_ = 0, states_ = 0;
    bool has_dropped_ = false, is_full_ = false;
    Found best_;
};

}  // namespace ludorum::puzzle
