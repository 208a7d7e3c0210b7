#include "search/puzzle/search.h"

#include <algorithm>
#include <bit>

namespace ludorum::puzzle {

void Expansion::look(const Store& store, const std::vector<Node>& nodes) {
    const std::size_t words = canonicalizer_.words();
    states_.resize(nodes.size() * words);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::copy_n(store.row(nodes[i]), words, states_.data() + i * words);
        canonicalizer_.set_counter(states_.data() + i * words, store.steps(nodes[i]));
    }
    terminal_.resize(nodes.size());
    legal_.resize(nodes.size() * simulator_.shape().legal_words());
    simulator_.terminal_and_legal(states_.data(), nodes.size(), terminal_.data(), legal_.data());
    ended_.clear();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (terminal_[i]) ended_.insert(ended_.end(), states_.begin() + i * words, states_.begin() + (i + 1) * words);
    values_.assign(nodes.size(), -1);
    const auto ended = static_cast<std::size_t>(std::count_if(terminal_.begin(), terminal_.end(), [](auto t) { return t != 0; }));
    if (ended == 0) return;
    goals_.resize(ended);
    simulator_.goals(ended_.data(), ended, goals_.data());
    std::size_t next = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (terminal_[i]) values_[i] = worth(goals_[next++]);
}

std::uint64_t Expansion::mobility(std::size_t i) const {
    const std::size_t words = simulator_.shape().legal_words();
    std::uint64_t count = 0;
    for (std::size_t word = i * words; word < (i + 1) * words; ++word) count += static_cast<std::uint64_t>(std::popcount(legal_[word]));
    return count;
}

void Expansion::step() {
    const std::size_t words = canonicalizer_.words(), legal_words = simulator_.shape().legal_words();
    parents_.clear();
    moves_.clear();
    sources_.clear();
    for (std::size_t i = 0; i < terminal_.size(); ++i) {
        if (terminal_[i]) continue;
        for_moves(legal_.data() + i * legal_words, legal_words, [&](std::uint32_t move) {
            parents_.push_back(static_cast<std::uint32_t>(i));
            moves_.push_back(move);
            sources_.insert(sources_.end(), states_.begin() + i * words, states_.begin() + (i + 1) * words);
        });
    }
    rows_.resize(sources_.size());
    if (moves_.empty()) return;
    simulator_.step(sources_.data(), moves_.size(), moves_.data(), rows_.data());
    std::vector<Bits> canonical(words);
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        canonicalizer_.canonical(rows_.data() + i * words, canonical.data());
        std::copy(canonical.begin(), canonical.end(), rows_.begin() + i * words);
    }
}

Found follow(const Simulator& simulator, const Canonicalizer& canonicalizer, const Bits* start, const Store& store,
             const std::vector<Node>& way) {
    const std::size_t words = canonicalizer.words();
    std::vector<Bits> state(start, start + words), legal(simulator.shape().legal_words()), row(words);
    std::uint8_t terminal = 0;
    Found found;
    for (std::size_t i = 1; i < way.size(); ++i) {
        simulator.terminal_and_legal(state.data(), 1, &terminal, legal.data());
        if (terminal) return {};
        std::vector<std::uint32_t> moves;
        for_moves(legal.data(), legal.size(), [&](std::uint32_t move) { moves.push_back(move); });
        std::vector<Bits> sources, successors(moves.size() * words);
        for (std::size_t m = 0; m < moves.size(); ++m) sources.insert(sources.end(), state.begin(), state.end());
        simulator.step(sources.data(), moves.size(), moves.data(), successors.data());
        std::size_t chosen = 0;
        for (; chosen < moves.size(); ++chosen) {
            canonicalizer.canonical(successors.data() + chosen * words, row.data());
            if (std::equal(row.begin(), row.end(), store.row(way[i]))) break;
        }
        if (chosen == moves.size()) return {};
        found.plan.push_back(moves[chosen]);
        std::copy_n(successors.data() + chosen * words, words, state.data());
    }
    simulator.terminal_and_legal(state.data(), 1, &terminal, legal.data());
    if (!terminal) return {};
    std::int16_t goal = 0;
    simulator.goals(state.data(), 1, &goal);
    found.value = worth(goal);
    return found;
}

}  // namespace ludorum::puzzle
