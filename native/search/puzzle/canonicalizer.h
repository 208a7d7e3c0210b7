// canonicalizer.h: when two states of a puzzle count as one.
//
// Two states are the same if they differ only in a step counter, or if a
// symmetry of the game makes one of the other. A state stands for all that are
// the same by its canonical row: without its counter, and the one that stands
// for all its images (symmetries.h).
//
// A counter is a list of fluents of which exactly one holds, the next one
// after every step whatever is done. So a row and the number of steps that led
// to it say what the whole state is.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulator.h"
#include "engine/symmetries.h"

namespace ludorum::puzzle {

class Canonicalizer {
public:
    // The counter starts with the fluent that holds in the state where search starts; it may be empty. A symmetry
    // says for every fluent which one takes its place; the identity may be left out.
    // Throws std::invalid_argument for what is no permutation, or does not leave the counter alone.
    Canonicalizer(std::uint32_t fluents, std::vector<std::uint32_t> counter, const std::vector<std::vector<std::uint32_t>>& symmetries);

    std::size_t words() const { return words_; }
    bool has_counter() const { return !counter_.empty(); }
    // The number of steps after which the counter has come to its end.
    std::size_t steps() const { return counter_.size() - 1; }

    // Requires: `row` is not `state`.
    void canonical(const Bits* state, Bits* row) const;

    // Makes the state of a row after so many steps, in place.
    void set_counter(Bits* row, std::size_t steps) const {
        if (steps < counter_.size()) row[counter_[steps] / 64] |= Bits{1} << (counter_[steps] % 64);
    }

private:
    std::size_t words_;
    std::vector<std::uint32_t> counter_;
    std::vector<Bits> counted_;                          // the mask of all fluents but those of the counter
    Symmetries symmetries_;
};

}  // namespace ludorum::puzzle
