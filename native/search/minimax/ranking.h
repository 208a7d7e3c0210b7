// ranking.h: choices in the order of their promise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "search/minimax/tree.h"

namespace ludorum::minimax {

// Sorts by falling promise; equals stay in the order of their positions.
inline void best_first(std::span<Ranked> choices) {
    constexpr std::size_t kFew = 32;
    if (choices.size() > kFew) {
        std::stable_sort(choices.begin(), choices.end(), [](const Ranked& a, const Ranked& b) { return a.promise > b.promise; });
        return;
    }
    for (std::size_t i = 1; i < choices.size(); ++i) {
        const Ranked taken = choices[i];
        std::size_t j = i;
        for (; j > 0 && choices[j - 1].promise < taken.promise; --j) choices[j] = choices[j - 1];
        choices[j] = taken;
    }
}

// At the end of the depth all values are known already and nothing is gained by sorting them; but what is proved comes
// before what is estimated, so that no estimate hides it.
inline void put_ends_first(const std::uint8_t* over, std::span<Ranked> choices) {
    std::size_t filled = 0;
    for (const bool wanted : {true, false})
        for (std::uint32_t position = 0; position < choices.size(); ++position)
            if ((over[position] != 0) == wanted) choices[filled++] = {0, position};
}

}  // namespace ludorum::minimax
