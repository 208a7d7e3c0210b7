// ida_star.h: depth-first search to a bound that grows, with all the memory there is for states that were met.
//
// Only states whose steps and distance from the goal together are within the bound are gone into; the least that was
// beyond is the next bound. A state that was met in this iteration by no more steps is not gone into again. Where the
// memory is full, states are searched without being kept, so that it goes on where breadth-first search must end.
// Without a guide the first plan is a shortest one.
//
// In the literature: IDA* (Korf 1985), with a table of states (MREC: Sen, Bagchi 1989; memory-enhanced IDA*: Reinefeld,
// Marsland 1994).
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>

#include "search/puzzle/guide.h"
#include "search/puzzle/search.h"

namespace ludorum::puzzle {

class IdaStar {
public:
    // Throws std::invalid_argument where states have a counter: their depth would count twice.
    IdaStar(const Simulator& simulator, Canonicalizer canonicalizer, std::shared_ptr<Guide> guide, const Bits* start, int target,
            std::size_t memory);

    Status run(const Limits& limits);

    const Found& best() const { return best_; }
    std::uint64_t states() const { return states_; }
    std::uint32_t bound() const { return bound_; }

private:
    struct Level {
        std::vector<Bits> state;
        std::vector<std::uint32_t> moves;  // that are left, the next one last
        std::vector<Bits> successors;      // of all of them
        std::vector<std::uint32_t> guesses;
        std::uint32_t move = 0;            // that led here
    };

    void begin();
    bool enter(const Bits* state, std::uint32_t move);
    bool is_met(const Bits* row, std::uint32_t steps);

    const Simulator& simulator_;
    const Canonicalizer canonicalizer_;
    std::shared_ptr<Guide> guide_;
    const std::vector<Bits> start_;
    const int target_;
    const std::size_t memory_;
    std::unique_ptr<Store> store_;
    std::vector<std::uint32_t> iteration_of_;  // of every row that is kept, when it was met last
    std::vector<Level> levels_;
    std::size_t depth_ = 0;                    // how many levels are in use
    std::uint32_t bound_ = 0, next_bound_ = 0, iteration_ = 0;
    std::uint64_t states_ = 0;
    Found best_;
};

}  // namespace ludorum::puzzle
