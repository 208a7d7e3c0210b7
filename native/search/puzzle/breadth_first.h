// breadth_first.h: all states, those that are nearest first.
//
// The first plan of a value that it finds is a shortest one (counted in
// moves, with all states that are the same merged). If it comes to the end, the
// best value is the highest there is, provided that `ceiling` is not above it.
#pragma once

#include "search/puzzle/search.h"

namespace ludorum::puzzle {

class BreadthFirst {
public:
    // Stops at a plan that is worth `target`, and when the states take more than about `memory` bytes.
    BreadthFirst(const Simulator& simulator, Canonicalizer canonicalizer, const Bits* start, int target, std::size_t memory);

    Status run(const Limits& limits);

    const Found& best() const { return best_; }
    std::uint64_t states() const { return store_.size(); }
    std::uint32_t depth() const { return store_.size() ? store_.steps(next_ ? next_ - 1 : 0) : 0; }

    // The highest value that a state reached so far would have at the end of the counter, -1 without a counter.
    // States are expanded only where they are first met; they might also be met when the counter ends the game.
    int ceiling() const { return ceiling_; }

private:
    void look_at_the_end();

    const Simulator& simulator_;
    const Canonicalizer canonicalizer_;
    const std::vector<Bits> start_;
    const int target_;
    Store store_;
    Expansion expansion_;
    std::vector<Node> nodes_;
    std::size_t batch_ = 16;
    Node next_ = 0;  // the first that was not expanded; they are in the order of their distance
    Found best_;
    int ceiling_ = -1;
};

}  // namespace ludorum::puzzle
