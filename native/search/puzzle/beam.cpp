#include "search/puzzle/beam.h"

#include <algorithm>

#include "support/splitmix64.h"

namespace ludorum::puzzle {
namespace {

constexpr std::size_t kBatch = 512;
// Wider beams are as good as none.
constexpr std::uint64_t kWidest = 1 << 20;

}  // namespace

Beam::Beam(const Simulator& simulator, Canonicalizer canonicalizer, std::optional<GoalDistance> distance, const Bits* start, int target,
           std::uint64_t seed, std::uint32_t max_steps, std::size_t memory)
    : simulator_(simulator), canonicalizer_(std::move(canonicalizer)), distance_(std::move(distance)),
      start_(start, start + canonicalizer_.words()), target_(target), max_steps_(max_steps), memory_(memory), random_(seed),
      expansion_(simulator_, canonicalizer_) {
    begin();
}

void Beam::begin() {
    store_.emplace(canonicalizer_.words(), memory_);
    std::vector<Bits> row(canonicalizer_.words());
    canonicalizer_.canonical(start_.data(), row.data());
    layer_.clear();
    candidates_.clear();
    // The start is judged like any other state: it may be terminal.
    met_ = {store_->find_or_add(row.data(), kNoNode, 0).node};
    expanded_ = judged_ = 0;
    steps_ = 0;
    has_dropped_ = is_full_ = false;
}

Status Beam::run(const Limits& limits) {
    while (best_.value < target_) {
        if (limits.passed()) return Status::kRunning;
        if (expanded_ < layer_.size() && !is_full_) {
            expand(limits);
        } else if (judged_ < met_.size()) {
            judge(limits);
        } else if (!candidates_.empty() && steps_ < max_steps_ && !is_full_) {
            choose();
        } else {
            if (!has_dropped_ && !is_full_ && candidates_.empty()) return Status::kExhausted;
            // Each width is tried in all three ways.
            if (++rounds_ % 3 == 0 && !is_full_) width_ = std::min(kWidest, 2 * width_);
            random_ = splitmix64(random_);
            begin();
        }
    }
    return Status::kSolved;
}

void Beam::expand(const Limits& limits) {
    while (expanded_ < layer_.size() && !limits.passed()) {
        const std::size_t end = std::min(layer_.size(), expanded_ + kBatch);
        nodes_.assign(layer_.begin() + static_cast<std::ptrdiff_t>(expanded_), layer_.begin() + static_cast<std::ptrdiff_t>(end));
        expansion_.look(*store_, nodes_);
        expansion_.step();
        for (std::size_t child = 0; child < expansion_.children(); ++child) {
            const Node parent = nodes_[expansion_.parent(child)];
            const Store::Place place = store_->find_or_add(expansion_.child(child), parent, store_->steps(parent) + 1);
            if (place.node == kNoNode) {
                is_full_ = true;
                return;
            }
            if (place.is_new) met_.push_back(place.node);
        }
        expanded_ = end;
    }
}

void Beam::judge(const Limits& limits) {
    while (judged_ < met_.size() && best_.value < target_ && !limits.passed()) {
        const std::size_t end = std::min(met_.size(), judged_ + kBatch);
        nodes_.assign(met_.begin() + static_cast<std::ptrdiff_t>(judged_), met_.begin() + static_cast<std::ptrdiff_t>(end));
        expansion_.look(*store_, nodes_);
        states_ += nodes_.size();
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (!expansion_.is_terminal(i)) {
                if (expansion_.mobility(i) > 0)
                    candidates_.push_back({rank(i, expansion_.states().data() + i * canonicalizer_.words()), nodes_[i]});
            } else if (expansion_.value(i) > best_.value) {
                Found found = follow(simulator_, canonicalizer_, start_.data(), *store_, store_->way_to(nodes_[i]));
                if (found.value > best_.value) best_ = std::move(found);
            }
        }
        judged_ = end;
    }
}

std::uint64_t Beam::rank(std::size_t looked_at, const Bits* state) {
    constexpr std::uint64_t kMost = (1 << 16) - 1;
    const std::uint64_t moves = std::min<std::uint64_t>(kMost, expansion_.mobility(looked_at));
    const std::uint64_t wanted = rounds_ % 3 == 2 ? moves : kMost - moves;
    const std::uint64_t distance = distance_ && rounds_ % 3 == 0 ? (*distance_)(state) : 0;
    random_ = splitmix64(random_);
    return distance << 48 | wanted << 32 | random_ >> 32;
}

void Beam::choose() {
    if (candidates_.size() > width_) {
        has_dropped_ = true;
        const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(width_);
        std::nth_element(candidates_.begin(), end, candidates_.end(), [](const Candidate& a, const Candidate& b) {
            return a.rank < b.rank;
        });
        candidates_.erase(end, candidates_.end());
    }
    layer_.clear();
    for (const Candidate& candidate : candidates_) layer_.push_back(candidate.node);
    candidates_.clear();
    met_.clear();
    expanded_ = judged_ = 0;
    ++steps_;
}

}  // namespace ludorum::puzzle
