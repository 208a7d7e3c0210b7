#include "search/puzzle/breadth_first.h"

#include <algorithm>

namespace ludorum::puzzle {
namespace {

// Enough states to fill the widest lanes several times, and no more successors than a moment takes.
constexpr std::size_t kBatch = 2048, kSuccessors = 1 << 15;

}  // namespace

BreadthFirst::BreadthFirst(const Simulator& simulator, Canonicalizer canonicalizer, const Bits* start, int target, std::size_t memory)
    : simulator_(simulator), canonicalizer_(std::move(canonicalizer)), start_(start, start + canonicalizer_.words()), target_(target),
      store_(canonicalizer_.words(), memory), expansion_(simulator_, canonicalizer_) {
    std::vector<Bits> row(canonicalizer_.words());
    canonicalizer_.canonical(start, row.data());
    store_.find_or_add(row.data(), kNoNode, 0);
}

Status BreadthFirst::run(const Limits& limits) {
    if (best_.value >= target_) return Status::kSolved;
    while (next_ < store_.size()) {
        if (limits.passed()) return Status::kRunning;
        nodes_.clear();
        for (Node node = next_; node < store_.size() && nodes_.size() < batch_; ++node) nodes_.push_back(node);
        expansion_.look(store_, nodes_);
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (expansion_.value(i) > best_.value) {
                Found found = follow(simulator_, canonicalizer_, start_.data(), store_, store_.way_to(nodes_[i]));
                if (found.value > best_.value) best_ = std::move(found);
                if (best_.value >= target_) return Status::kSolved;
            }
        if (canonicalizer_.has_counter()) look_at_the_end();
        expansion_.step();
        for (std::size_t child = 0; child < expansion_.children(); ++child) {
            const Node parent = nodes_[expansion_.parent(child)];
            if (store_.find_or_add(expansion_.child(child), parent, store_.steps(parent) + 1).node == kNoNode) return Status::kFull;
        }
        next_ += static_cast<Node>(nodes_.size());
        const std::size_t each = 1 + expansion_.children() / nodes_.size();
        batch_ = std::clamp<std::size_t>(kSuccessors / each, 16, kBatch);
    }
    return Status::kExhausted;
}

void BreadthFirst::look_at_the_end() {
    std::vector<Bits> ends;
    // Terminal states too: one that ends the game now may be worth more at the end of the counter.
    for (const Node node : nodes_) {
        ends.insert(ends.end(), store_.row(node), store_.row(node) + canonicalizer_.words());
        canonicalizer_.set_counter(ends.data() + ends.size() - canonicalizer_.words(), canonicalizer_.steps());
    }
    if (ends.empty()) return;
    std::vector<std::int16_t> goals(ends.size() / canonicalizer_.words());
    simulator_.goals(ends.data(), goals.size(), goals.data());
    for (const std::int16_t goal : goals) ceiling_ = std::max(ceiling_, worth(goal));
}

}  // namespace ludorum::puzzle
