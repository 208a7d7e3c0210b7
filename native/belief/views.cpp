#include "belief/views.h"

#include <algorithm>

#include "engine/leaf_playouts.h"
#include "support/splitmix64.h"

namespace ludorum::belief {

ViewSimulator::ViewSimulator(const Simulator& simulator, std::optional<std::uint32_t> random)
    : simulator_(simulator), shape_(simulator.shape()), random_(random), plain_(shape_.state_words()) {
    masks_.assign(shape_.roles(), std::vector<Bits>(shape_.percept_words(), 0));
    for (std::size_t percept = 0; percept < shape_.percepts.size(); ++percept)
        masks_[shape_.percepts[percept]][percept / 64] |= Bits{1} << (percept % 64);
    shape_.fluents = static_cast<std::uint32_t>(64 * (plain_ + shape_.roles()));
}

std::vector<Bits> ViewSimulator::plain(const Bits* states, std::size_t count) const {
    const std::size_t words = shape_.state_words();
    std::vector<Bits> rows(count * plain_);
    for (std::size_t i = 0; i < count; ++i) std::copy_n(states + i * words, plain_, rows.data() + i * plain_);
    return rows;
}

void ViewSimulator::terminal_and_legal(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const {
    simulator_.terminal_and_legal(plain(states, count).data(), count, terminal, legal);
}

Bits ViewSimulator::seen(Bits view, std::uint32_t role, std::uint32_t move, const Bits* told) const {
    Bits hash = mix64(view + 0x9E3779B97F4A7C15ull * (Bits{move} + 1));
    for (std::size_t word = 0; word < masks_[role].size(); ++word)
        if (const Bits own = told[word] & masks_[role][word]) hash = mix64(hash ^ mix64(own + (Bits{word} << 56) + 1));
    return mix64(hash + 1);
}

void ViewSimulator::step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const {
    const std::size_t words = shape_.state_words(), width = shape_.percept_words(), roles = shape_.roles();
    const std::vector<Bits> rows = plain(states, count);
    std::vector<Bits> later(count * plain_), told(count * width);
    simulator_.step(rows.data(), count, joint, later.data());
    simulator_.percepts(rows.data(), count, joint, told.data());
    for (std::size_t i = 0; i < count; ++i) {
        const Bits* views = states + i * words + plain_;
        Bits* row = successors + i * words;
        std::copy_n(later.data() + i * plain_, plain_, row);
        for (std::uint32_t role = 0; role < roles; ++role)
            row[plain_ + role] = role == random_ ? 0 : seen(views[role], role, joint[i * roles + role], told.data() + i * width);
    }
}

void ViewSimulator::goals(const Bits* states, std::size_t count, std::int16_t* values) const {
    simulator_.goals(plain(states, count).data(), count, values);
}

void ViewSimulator::payoffs(const Bits* states, std::size_t count, std::int16_t* values) const {
    simulator_.payoffs(plain(states, count).data(), count, values);
}

void ViewSimulator::percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const {
    simulator_.percepts(plain(states, count).data(), count, joint, told);
}

// The state comes first in a row, so that whoever takes a single one need not know what is behind it.

PlayoutWork ViewSimulator::playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                                    const std::atomic<std::int32_t>& stop) const {
    return simulator_.playouts(state, spec, results, stop);
}

std::unique_ptr<LeafPlayouts> ViewSimulator::leaf_playouts(const LeafSpec& spec) const { return simulator_.leaf_playouts(spec); }

}  // namespace ludorum::belief
