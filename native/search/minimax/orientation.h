// orientation.h: successors of a state told in the numbers of its image.
//
// Symmetries keep roles, so the image of a state has as many successors,
// numbered by the same choosers; only the order of a role's moves differs.
#pragma once

#include <cstdint>

#include "engine/symmetries.h"
#include "search/minimax/successor_batch.h"

namespace ludorum::minimax {

// The moves of a role start at `first_of_role[role]` among all.
struct Orientation {
    const Symmetries& symmetries;
    std::span<const std::uint32_t> first_of_role;

    // The number of a successor among those of the image of its parent under an element.
    std::uint32_t turned(const SuccessorBatch& batch, const SuccessorRange& range, std::uint32_t element, std::uint32_t child) const {
        return mapped(batch, range, child, [&](const Chooser& chooser, std::uint32_t position) { return rank(batch, chooser, element, position); });
    }

    // The number of the successor that has this number among those of the image.
    std::uint32_t turned_back(const SuccessorBatch& batch, const SuccessorRange& range, std::uint32_t element, std::uint32_t child) const {
        return mapped(batch, range, child, [&](const Chooser& chooser, std::uint32_t position) {
            std::uint32_t found = 0;
            while (found + 1 < chooser.count && rank(batch, chooser, element, found) != position) ++found;
            return found;
        });
    }

private:
    template <class Map>
    std::uint32_t mapped(const SuccessorBatch& batch, const SuccessorRange& range, std::uint32_t child, Map map) const {
        std::uint32_t result = 0;
        for (std::uint32_t k = 0; k < range.choosers; ++k) {
            const Chooser& chooser = batch.choosers[range.first_chooser + k];
            result += map(chooser, child / chooser.stride % chooser.count) * chooser.stride;
        }
        return result;
    }

    // How many of the chooser's moves have images before that of one of them.
    std::uint32_t rank(const SuccessorBatch& batch, const Chooser& chooser, std::uint32_t element, std::uint32_t position) const {
        const std::uint32_t first = first_of_role[chooser.role];
        const auto image = [&](std::uint32_t p) { return symmetries.move(element, first + batch.moves[chooser.first_move + p]); };
        const std::uint32_t own = image(position);
        std::uint32_t before = 0;
        for (std::uint32_t p = 0; p < chooser.count; ++p) before += image(p) < own;
        return before;
    }
};

}  // namespace ludorum::minimax
