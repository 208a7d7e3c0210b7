#include "engine/simulator.h"

#include <algorithm>

#include "engine/leaf_playouts.h"
#include "support/bits.h"

namespace ludorum {

std::unique_ptr<LeafPlayouts> Simulator::leaf_playouts(const LeafSpec&) const { return nullptr; }

void Simulator::advance(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors,
                        std::uint8_t* terminal, Bits* legal) const {
    std::vector<Bits> after(count * shape().state_words());
    step(states, count, joint, after.data());
    terminal_and_legal(after.data(), count, terminal, legal);
    std::copy(after.begin(), after.end(), successors);
}

void Simulator::payoffs(const Bits* states, std::size_t count, std::int16_t* values) const {
    goals(states, count, values);
    std::replace(values, values + count * shape().roles(), kNoGoal, std::int16_t{0});
}

void Simulator::expand(const Bits* states, const std::uint32_t* parents, std::size_t count, const std::uint32_t* joint,
                       bool all_payoffs, Successors found) const {
    const std::size_t words = shape().state_words(), legal_words = shape().legal_words(), roles = shape().roles();
    std::vector<Bits> rows(count * words);
    for (std::size_t i = 0; i < count; ++i) std::copy_n(states + parents[i] * words, words, rows.data() + i * words);
    step(rows.data(), count, joint, found.states);
    std::vector<Bits> unasked(found.legal ? 0 : count * legal_words);
    if (!found.legal) found.legal = unasked.data();
    terminal_and_legal(found.states, count, found.over, found.legal);
    bool any_over = false;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t first = 0;
        for (std::uint32_t moves : shape().moves) {
            found.over[i] |= !any_bit(found.legal + i * legal_words, first, first + moves);
            first += moves;
        }
        any_over |= found.over[i] != 0;
    }
    if (all_payoffs) {
        payoffs(found.states, count, found.payoffs);
    } else if (any_over) {
        for (std::size_t i = 0; i < count; ++i)
            if (found.over[i]) payoffs(found.states + i * words, 1, found.payoffs + i * roles);
    }
}

}  // namespace ludorum
