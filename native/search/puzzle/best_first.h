// best_first.h: A*, the states that look nearest to the goal first.
//
// States are expanded in the order of steps + weight × distance, those of one
// rank with the latest first, a batch at a time. A state that is reached again
// by fewer steps is expanded again. The distance is no lower bound, so that a plan
// need not be a shortest one.
#pragma once

#include <memory>

#include "search/puzzle/guide.h"
#include "search/puzzle/search.h"

namespace ludorum::puzzle {

class BestFirst {
public:
    BestFirst(const Simulator& simulator, Canonicalizer canonicalizer, std::shared_ptr<Guide> guide, const Bits* start, int target,
              std::uint32_t weight, std::size_t memory);

    Status run(const Limits& limits);

    const Found& best() const { return best_; }
    std::uint64_t states() const { return store_.size(); }
    std::uint32_t nearest() const { return nearest_; }  // the least distance of all states so far

private:
    void push(Node node, std::uint32_t distance);
    bool pop_batch();

    const Simulator& simulator_;
    const Canonicalizer canonicalizer_;
    std::shared_ptr<Guide> guide_;
    const std::vector<Bits> start_;
    const int target_;
    const std::uint32_t weight_;
    Store store_;
    Expansion expansion_;
    struct Waiting { Node node; std::uint32_t steps; };  // worth expanding only if no shorter way was found since
    std::vector<std::vector<Waiting>> open_;              // by rank
    std::size_t lowest_ = 0;                              // no rank below it has any
    std::vector<Node> nodes_;
    std::size_t batch_ = 1;
    std::uint32_t nearest_ = Guide::kFar;
    Found best_;
};

}  // namespace ludorum::puzzle
