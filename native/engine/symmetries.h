// symmetries.h: permutations of fluents and moves that leave a game what it
// is, tabulated, and the least of the images of a state under them.
//
// Of all states that symmetries make of each other one stands for all: the one
// with the least key (of zobrist.h). Keys of all images are found side by
// side, without making the images.
//
// Threads: may be shared.
//
// In the literature: symmetries of general games (Schiffel 2010).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulator.h"

namespace ludorum {

class Symmetries {
public:
    // For every symmetry which fluent takes the place of which, and which move (all roles' moves in a row) of which;
    // without moves where nobody asks for them. The identity is added as element 0 and may be left out. Together they
    // must be a group, else states that are the same are not always recognised.
    // Throws std::invalid_argument for what is no permutation, or moves a move to another role, or is too large.
    Symmetries(std::uint32_t fluents, std::vector<std::uint32_t> move_counts, const std::vector<std::vector<std::uint32_t>>& of_fluents,
               const std::vector<std::vector<std::uint32_t>>& of_moves);

    std::size_t size() const { return size_; }
    std::size_t words() const { return words_; }

    struct Image {
        std::uint32_t element;
        std::uint64_t key;
    };

    // Writes the image with the least key. Requires: `row` is not `state`.
    Image canonical(const Bits* state, Bits* row) const;

    // Writes the image under one element. Requires: likewise.
    void image(std::uint32_t element, const Bits* state, Bits* row) const;

    // The move that takes a move's place, all moves in a row; and back.
    std::uint32_t move(std::uint32_t element, std::uint32_t number) const { return moves_[element * all_moves_ + number]; }
    std::uint32_t move_back(std::uint32_t element, std::uint32_t number) const { return moves_back_[element * all_moves_ + number]; }

private:
    std::size_t words_, size_, all_moves_ = 0;
    std::vector<std::uint32_t> fluents_;             // element × fluents
    std::vector<std::uint32_t> moves_, moves_back_;  // element × moves
    std::vector<std::uint64_t> numbers_;             // fluent × element: the number of its image
    std::uint32_t count_;
};

}  // namespace ludorum
