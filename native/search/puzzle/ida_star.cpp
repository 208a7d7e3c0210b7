#include "search/puzzle/ida_star.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace ludorum::puzzle {
namespace {

constexpr std::uint32_t kBeyondAll = std::numeric_limits<std::uint32_t>::max();

}  // namespace

IdaStar::IdaStar(const Simulator& simulator, Canonicalizer canonicalizer, std::shared_ptr<Guide> guide, const Bits* start, int target,
                 std::size_t memory)
    : simulator_(simulator), canonicalizer_(std::move(canonicalizer)), guide_(std::move(guide)),
      start_(start, start + canonicalizer_.words()), target_(target), memory_(memory),
      store_(std::make_unique<Store>(canonicalizer_.words(), memory)) {
    if (canonicalizer_.has_counter()) throw std::invalid_argument("iterative deepening does not merge steps of a counter");
    bound_ = guide_ ? (*guide_)(start) : 0;
    begin();
}

void IdaStar::begin() {
    ++iteration_;
    next_bound_ = kBeyondAll;
    depth_ = 0;
    enter(start_.data(), 0);
}

// Whether this iteration met the state by no more steps; else it is kept, as far as there is room.
bool IdaStar::is_met(const Bits* state, std::uint32_t steps) {
    std::vector<Bits> row(canonicalizer_.words());
    canonicalizer_.canonical(state, row.data());
    const Store::Place place = store_->find_or_add(row.data(), kNoNode, steps);
    if (place.node == kNoNode) return false;
    if (place.node >= iteration_of_.size()) iteration_of_.resize(place.node + 1, 0);
    const bool is_old = !place.is_new && iteration_of_[place.node] == iteration_ && store_->steps(place.node) <= steps;
    if (!is_old) {
        store_->reparent(place.node, kNoNode, steps);
        iteration_of_[place.node] = iteration_;
    }
    return is_old;
}

// A new level for a state, unless it is over. True if the target was reached.
bool IdaStar::enter(const Bits* state, std::uint32_t move) {
    ++states_;
    const Shape& shape = simulator_.shape();
    const std::size_t words = shape.state_words();
    if (levels_.size() <= depth_) levels_.resize(depth_ + 1);
    Level& level = levels_[depth_];
    level.state.assign(state, state + words);
    level.move = move;
    level.moves.clear();
    std::uint8_t is_over = 0;
    std::vector<Bits> legal(shape.legal_words());
    simulator_.terminal_and_legal(state, 1, &is_over, legal.data());
    if (is_over) {
        std::int16_t goal = 0;
        simulator_.goals(state, 1, &goal);
        if (worth(goal) > best_.value) {
            best_.value = worth(goal);
            best_.plan.clear();
            for (std::size_t i = 1; i <= depth_; ++i) best_.plan.push_back(levels_[i].move);
        }
        return best_.value >= target_;
    }
    for_moves(legal.data(), legal.size(), [&](std::uint32_t each) { level.moves.push_back(each); });
    std::vector<Bits> sources;
    for (std::size_t i = 0; i < level.moves.size(); ++i) sources.insert(sources.end(), state, state + words);
    level.successors.resize(sources.size());
    if (!level.moves.empty()) simulator_.step(sources.data(), level.moves.size(), level.moves.data(), level.successors.data());
    level.guesses.assign(level.moves.size(), 0);
    if (guide_) {
        for (std::size_t i = 0; i < level.moves.size(); ++i) level.guesses[i] = (*guide_)(level.successors.data() + i * words);
        // What looks nearest is gone into first, and so stands last.
        std::vector<std::size_t> order(level.moves.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return level.guesses[a] > level.guesses[b]; });
        Level sorted = level;
        for (std::size_t i = 0; i < order.size(); ++i) {
            sorted.moves[i] = level.moves[order[i]];
            sorted.guesses[i] = level.guesses[order[i]];
            std::copy_n(level.successors.data() + order[i] * words, words, sorted.successors.data() + i * words);
        }
        level = std::move(sorted);
    }
    ++depth_;
    return false;
}

Status IdaStar::run(const Limits& limits) {
    const std::size_t words = simulator_.shape().state_words();
    if (best_.value >= target_) return Status::kSolved;
    while (!limits.passed()) {
        if (depth_ == 0) {
            if (next_bound_ == kBeyondAll) return Status::kExhausted;
            bound_ = next_bound_;
            begin();
            continue;
        }
        Level& level = levels_[depth_ - 1];
        if (level.moves.empty()) {
            --depth_;
            continue;
        }
        const std::size_t last = level.moves.size() - 1;
        const std::uint32_t move = level.moves[last], steps = static_cast<std::uint32_t>(depth_), rank = steps + level.guesses[last];
        level.moves.pop_back();
        if (rank > bound_) {
            next_bound_ = std::min(next_bound_, rank);
            continue;
        }
        const std::vector<Bits> state(level.successors.begin() + static_cast<std::ptrdiff_t>(last * words),
                                      level.successors.begin() + static_cast<std::ptrdiff_t>((last + 1) * words));
        if (is_met(state.data(), steps)) continue;
        if (enter(state.data(), move)) return Status::kSolved;
    }
    return Status::kRunning;
}

}  // namespace ludorum::puzzle
