#include "search/puzzle/nested.h"

#include <algorithm>
#include <bit>

#include "support/splitmix64.h"

namespace ludorum::puzzle {

Nested::Nested(const Simulator& simulator, std::optional<GoalDistance> distance, const Bits* start, int target,
               std::uint32_t level, std::uint64_t seed, std::uint32_t max_steps)
    : simulator_(simulator), distance_(std::move(distance)), start_(start, start + simulator.shape().state_words()),
      target_(target), level_(level), max_steps_(max_steps), random_(seed) {}

bool Nested::Series::is_better_than(const Series& other) const {
    if (value != other.value) return value > other.value;
    if (distance != other.distance) return distance < other.distance;
    return moves.size() < other.moves.size();
}

Status Nested::run(const Limits& limits, std::uint64_t rounds) {
    for (; rounds_ < rounds && !limits.passed() && best_.value < target_; ++rounds_) {
        // The first rounds are of lower levels: a puzzle that these can do is done in no time.
        const auto level = static_cast<std::uint32_t>(std::min<std::uint64_t>(level_, 1 + rounds_ / 4));
        const Series series = search(start_, level, 0, limits);
        if (series.is_better_than(found_)) {
            found_ = series;
            best_ = {std::max(series.value, -1), series.moves};
        }
    }
    return best_.value >= target_ ? Status::kSolved : Status::kRunning;
}

Nested::Children Nested::expand(const std::vector<Bits>& state) const {
    Children children;
    std::uint8_t terminal = 0;
    std::vector<Bits> legal(simulator_.shape().legal_words());
    simulator_.terminal_and_legal(state.data(), 1, &terminal, legal.data());
    if (terminal) return children;
    for_moves(legal.data(), legal.size(), [&](std::uint32_t move) { children.moves.push_back(move); });
    std::vector<Bits> sources;
    for (std::size_t i = 0; i < children.moves.size(); ++i) sources.insert(sources.end(), state.begin(), state.end());
    children.states.resize(sources.size());
    if (!children.moves.empty())
        simulator_.step(sources.data(), children.moves.size(), children.moves.data(), children.states.data());
    return children;
}

std::vector<Nested::Series> Nested::play_out(std::vector<Bits> states, std::size_t count, std::size_t made) {
    const std::size_t words = simulator_.shape().state_words(), legal_words = simulator_.shape().legal_words();
    std::vector<Series> series(count);
    std::vector<std::size_t> playing(count);
    for (std::size_t i = 0; i < count; ++i) playing[i] = i;
    std::vector<std::uint8_t> terminal;
    std::vector<Bits> legal, sources, ended;
    std::vector<std::uint32_t> moves;
    std::vector<std::size_t> stay, finished;
    const auto leave = [&](std::size_t which, const Bits* state, int value) {
        series[which].value = value;
        series[which].distance = distance_ ? (*distance_)(state) : 0;
    };
    while (!playing.empty()) {
        terminal.resize(playing.size());
        legal.resize(playing.size() * legal_words);
        simulator_.terminal_and_legal(states.data(), playing.size(), terminal.data(), legal.data());
        sources.clear();
        moves.clear();
        stay.clear();
        ended.clear();
        finished.clear();
        for (std::size_t i = 0; i < playing.size(); ++i) {
            const Bits* state = states.data() + i * words;
            const Bits* choices = legal.data() + i * legal_words;
            std::uint32_t count_legal = 0;
            for (std::size_t word = 0; word < legal_words; ++word) count_legal += static_cast<std::uint32_t>(std::popcount(choices[word]));
            if (terminal[i]) {
                ended.insert(ended.end(), state, state + words);
                finished.push_back(playing[i]);
            } else if (count_legal == 0 || made >= max_steps_) {
                leave(playing[i], state, -1);
            } else {
                std::uint64_t rank = splitmix64(random_) % count_legal;
                std::uint32_t chosen = 0;
                for_moves(choices, legal_words, [&](std::uint32_t move) {
                    if (rank-- == 0) chosen = move;
                });
                series[playing[i]].moves.push_back(chosen);
                moves.push_back(chosen);
                sources.insert(sources.end(), state, state + words);
                stay.push_back(playing[i]);
            }
        }
        if (!finished.empty()) {
            std::vector<std::int16_t> goals(finished.size());
            simulator_.goals(ended.data(), finished.size(), goals.data());
            for (std::size_t i = 0; i < finished.size(); ++i) leave(finished[i], ended.data() + i * words, worth(goals[i]));
        }
        playing = stay;
        states.resize(sources.size());
        if (!playing.empty()) simulator_.step(sources.data(), playing.size(), moves.data(), states.data());
        ++made;
    }
    playouts_ += count;
    return series;
}

Nested::Series Nested::search(const std::vector<Bits>& start, std::uint32_t level, std::size_t made, const Limits& limits) {
    const std::size_t words = start.size();
    std::vector<Bits> state = start;
    Series best = play_out(state, 1, made).front();
    // The best series is kept from the start on, with as many moves of it made as were made in all.
    for (std::size_t done = 0; done < best.moves.size() && best.value < target_; ++done) {
        Children children = expand(state);
        if (level == 1) {
            std::vector<Series> tails = play_out(children.states, children.moves.size(), made + done + 1);
            for (std::size_t i = 0; i < tails.size(); ++i) {
                Series whole{tails[i].value, tails[i].distance, {best.moves.begin(), best.moves.begin() + static_cast<std::ptrdiff_t>(done)}};
                whole.moves.push_back(children.moves[i]);
                whole.moves.insert(whole.moves.end(), tails[i].moves.begin(), tails[i].moves.end());
                if (whole.is_better_than(best)) best = std::move(whole);
            }
        } else {
            for (std::size_t i = 0; i < children.moves.size() && !limits.passed() && best.value < target_; ++i) {
                const std::vector<Bits> child(children.states.begin() + static_cast<std::ptrdiff_t>(i * words),
                                              children.states.begin() + static_cast<std::ptrdiff_t>((i + 1) * words));
                const Series tail = search(child, level - 1, made + done + 1, limits);
                Series whole{tail.value, tail.distance, {best.moves.begin(), best.moves.begin() + static_cast<std::ptrdiff_t>(done)}};
                whole.moves.push_back(children.moves[i]);
                whole.moves.insert(whole.moves.end(), tail.moves.begin(), tail.moves.end());
                if (whole.is_better_than(best)) best = std::move(whole);
            }
        }
        if (limits.passed() || done >= best.moves.size()) break;
        const auto chosen = std::find(children.moves.begin(), children.moves.end(), best.moves[done]);
        const auto which = static_cast<std::size_t>(chosen - children.moves.begin());
        state.assign(children.states.begin() + static_cast<std::ptrdiff_t>(which * words),
                     children.states.begin() + static_cast<std::ptrdiff_t>((which + 1) * words));
    }
    return best;
}

}  // namespace ludorum::puzzle
