#include "search/puzzle/minimin.h"

#include <algorithm>

namespace ludorum::puzzle {

Minimin::Minimin(const Simulator& simulator, Canonicalizer canonicalizer, std::shared_ptr<Guide> guide, const Bits* start, int target,
                 std::uint32_t lookahead, std::uint64_t seed, std::uint32_t max_steps, std::size_t memory)
    : simulator_(simulator), canonicalizer_(std::move(canonicalizer)), guide_(std::move(guide)),
      start_(start, start + canonicalizer_.words()), target_(target), lookahead_(lookahead), max_steps_(max_steps),
      random_(seed * 2 + 1), most_learned_(memory / (8 * canonicalizer_.words() + 64)), here_(start_) {}

std::size_t Minimin::RowHash::operator()(const std::vector<Bits>& row) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (Bits word : row) {
        hash = (hash ^ word) * 0xbf58476d1ce4e5b9;
        hash ^= hash >> 31;
    }
    return hash;
}

Minimin::Children Minimin::expand(const Bits* state) {
    const Shape& shape = simulator_.shape();
    const std::size_t words = shape.state_words();
    std::uint8_t is_over = 0;
    std::vector<Bits> legal(shape.legal_words()), sources;
    simulator_.terminal_and_legal(state, 1, &is_over, legal.data());
    Children found;
    if (is_over) return found;
    for_moves(legal.data(), legal.size(), [&](std::uint32_t move) { found.moves.push_back(move); });
    for (std::size_t i = 0; i < found.moves.size(); ++i) sources.insert(sources.end(), state, state + words);
    found.states.resize(sources.size());
    if (!found.moves.empty()) simulator_.step(sources.data(), found.moves.size(), found.moves.data(), found.states.data());
    states_ += found.moves.size();
    return found;
}

// The goal value of a state that is over.
std::optional<std::uint32_t> Minimin::at_end(const Bits* state) {
    std::uint8_t is_over = 0;
    std::vector<Bits> legal(simulator_.shape().legal_words());
    simulator_.terminal_and_legal(state, 1, &is_over, legal.data());
    if (!is_over) return std::nullopt;
    std::int16_t goal = 0;
    simulator_.goals(state, 1, &goal);
    return static_cast<std::uint32_t>(worth(goal));
}

std::uint32_t Minimin::known(const Bits* state) {
    std::vector<Bits> row(canonicalizer_.words());
    canonicalizer_.canonical(state, row.data());
    const auto found = learned_.find(row);
    return found != learned_.end() ? found->second : (*guide_)(state);
}

// The least of steps and distance over all states so many steps below; nothing that costs `most` is of interest.
std::uint32_t Minimin::look(const Bits* state, std::uint32_t depth, std::uint32_t most) {
    if (const auto value = at_end(state)) return static_cast<int>(*value) >= target_ ? 0 : kNever;
    if (depth == 0) return known(state);
    if (most <= 1) return most;
    const Children below = expand(state);
    std::uint32_t least = kNever;
    const std::size_t words = simulator_.shape().state_words();
    for (std::size_t i = 0; i < below.moves.size(); ++i)
        least = std::min(least, std::min(kNever, 1 + look(below.states.data() + i * words, depth - 1, std::min(most, least) - 1)));
    return least;
}

void Minimin::restart() {
    here_ = start_;
    made_.clear();
    ++rounds_;
}

Status Minimin::run(const Limits& limits) {
    const std::size_t words = simulator_.shape().state_words();
    while (best_.value < target_) {
        if (limits.passed()) return Status::kRunning;
        const auto ended = at_end(here_.data());
        if (ended && static_cast<int>(*ended) > best_.value) best_ = {static_cast<int>(*ended), made_};
        if (best_.value >= target_) break;
        const Children below = expand(here_.data());
        if (ended || below.moves.empty() || made_.size() >= max_steps_) {
            // A state without a move that there is nothing to hope for is the end of the search.
            if (made_.empty()) return Status::kExhausted;
            restart();
            continue;
        }
        std::uint32_t least = kNever;
        std::size_t chosen = 0, equals = 0;
        for (std::size_t i = 0; i < below.moves.size(); ++i) {
            const std::uint32_t cost = std::min(kNever, 1 + look(below.states.data() + i * words, lookahead_ - 1, std::min(kNever, least + 1)));
            if (cost < least) {
                least = cost;
                chosen = i;
                equals = 1;
            } else {
                random_ = random_ * 6364136223846793005 + 1442695040888963407;
                if (cost == least && (random_ >> 33) % ++equals == 0) chosen = i;
            }
        }
        if (learned_.size() >= most_learned_) learned_.clear();
        std::vector<Bits> row(words);
        canonicalizer_.canonical(here_.data(), row.data());
        learned_[row] = least;
        if (least >= kNever) {  // nothing but dead ends ahead
            if (made_.empty()) return Status::kExhausted;
            restart();
            continue;
        }
        made_.push_back(below.moves[chosen]);
        here_.assign(below.states.begin() + static_cast<std::ptrdiff_t>(chosen * words),
                     below.states.begin() + static_cast<std::ptrdiff_t>((chosen + 1) * words));
    }
    return Status::kSolved;
}

}  // namespace ludorum::puzzle
