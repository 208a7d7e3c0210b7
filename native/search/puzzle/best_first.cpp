#include "search/puzzle/best_first.h"

#include <algorithm>

namespace ludorum::puzzle {
namespace {

// A batch fills the lanes, but takes states that are not the best of all: it starts small and grows with the search.
constexpr std::size_t kLargestBatch = 512;

}  // namespace

BestFirst::BestFirst(const Simulator& simulator, Canonicalizer canonicalizer, std::shared_ptr<Guide> guide, const Bits* start, int target,
                     std::uint32_t weight, std::size_t memory)
    : simulator_(simulator), canonicalizer_(std::move(canonicalizer)), guide_(std::move(guide)),
      start_(start, start + canonicalizer_.words()), target_(target), weight_(weight), store_(canonicalizer_.words(), memory),
      expansion_(simulator_, canonicalizer_) {
    std::vector<Bits> row(canonicalizer_.words());
    canonicalizer_.canonical(start, row.data());
    push(store_.find_or_add(row.data(), kNoNode, 0).node, (*guide_)(start));
}

void BestFirst::push(Node node, std::uint32_t distance) {
    nearest_ = std::min(nearest_, distance);
    const std::size_t rank = store_.steps(node) + std::size_t{weight_} * distance;
    if (rank >= open_.size()) open_.resize(rank + 1);
    open_[rank].push_back({node, store_.steps(node)});
    lowest_ = std::min(lowest_, rank);
}

bool BestFirst::pop_batch() {
    nodes_.clear();
    while (lowest_ < open_.size() && nodes_.size() < batch_) {
        if (open_[lowest_].empty()) {
            ++lowest_;
            continue;
        }
        const Waiting next = open_[lowest_].back();
        open_[lowest_].pop_back();
        if (next.steps == store_.steps(next.node)) nodes_.push_back(next.node);
    }
    batch_ = std::min<std::size_t>(kLargestBatch, 1 + store_.size() / 64);
    return !nodes_.empty();
}

Status BestFirst::run(const Limits& limits) {
    if (best_.value >= target_) return Status::kSolved;
    while (!limits.passed()) {
        if (!pop_batch()) return Status::kExhausted;
        expansion_.look(store_, nodes_);
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (expansion_.value(i) > best_.value) {
                Found found = follow(simulator_, canonicalizer_, start_.data(), store_, store_.way_to(nodes_[i]));
                if (found.value > best_.value) best_ = std::move(found);
                if (best_.value >= target_) return Status::kSolved;
            }
        expansion_.step();
        for (std::size_t child = 0; child < expansion_.children(); ++child) {
            const Node parent = nodes_[expansion_.parent(child)];
            const std::uint32_t steps = store_.steps(parent) + 1;
            const Store::Place place = store_.find_or_add(expansion_.child(child), parent, steps);
            if (place.node == kNoNode) return Status::kFull;
            if (!place.is_new) {
                if (steps >= store_.steps(place.node)) continue;
                store_.reparent(place.node, parent, steps);
            }
            push(place.node, (*guide_)(expansion_.child(child)));
        }
    }
    return Status::kRunning;
}

}  // namespace ludorum::puzzle
