// nested.h: nested Monte-Carlo search (Cazenave, IJCAI 2009).
//
// Level 0 plays at random. Level n tries every move of a state by a search of
// level n - 1 below it, remembers the best series of moves that any of them
// found, makes the first move of it and goes on. At its end a search starts
// anew, with other random numbers. What is best: the higher goal value, then
// the smaller distance from the goal, then the shorter series.
//
// The playouts below all moves run side by side in the lanes of the engine.
// The same seed and number of rounds give the same result.
//
// In the literature: nested Monte-Carlo search (Cazenave 2009).
#pragma once

#include <optional>

#include "search/puzzle/goal_distance.h"
#include "search/puzzle/search.h"

namespace ludorum::puzzle {

class Nested {
public:
    // Playouts are given up after `max_steps` moves.
    Nested(const Simulator& simulator, std::optional<GoalDistance> distance, const Bits* start, int target,
           std::uint32_t level, std::uint64_t seed, std::uint32_t max_steps);

    // Plays rounds until the limits or the number of rounds are reached; it is never exhausted.
    Status run(const Limits& limits, std::uint64_t rounds);

    // The best of all rounds. If no playout came to an end, the moves of the one that came nearest, and the value -1.
    const Found& best() const { return best_; }
    std::uint64_t rounds() const { return rounds_; }
    std::uint64_t playouts() const { return playouts_; }

private:
    struct Series {
        int value = -2;  // -1: did not come to an end; -2: nothing at all
        std::uint32_t distance = GoalDistance::kFar;
        std::vector<std::uint32_t> moves;

        bool is_better_than(const Series& other) const;
    };

    // The successors of a state and the moves to them; none if it is terminal or stuck.
    struct Children {
        std::vector<std::uint32_t> moves;
        std::vector<Bits> states;
    };
    Children expand(const std::vector<Bits>& state) const;
    std::vector<Series> play_out(std::vector<Bits> states, std::size_t count, std::size_t made);
    Series search(const std::vector<Bits>& start, std::uint32_t level, std::size_t made, const Limits& limits);

    const Simulator& simulator_;
    std::optional<GoalDistance> distance_;
    const std::vector<Bits> start_;
    const int target_;
    const std::uint32_t level_, max_steps_;
    std::uint64_t random_;
    Series found_;
    Found best_;
    std::uint64_t rounds_ = 0, playouts_ = 0;
};

}  // namespace ludorum::puzzle
