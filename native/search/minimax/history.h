// history.h: which moves were good elsewhere (Schaeffer's history heuristic).
#pragma once

#include <cstdint>
#include <vector>

#include "simulator.h"

namespace ludorum::minimax {

class History {
public:
    explicit History(const Shape& shape) : scores_(shape.all_moves, 0.0f) {
        std::uint32_t first = 0;
        for (std::uint32_t moves : shape.moves) {
            first_.push_back(first);
            first += moves;
        }
    }

    // A move that was best, or cut off, in a search to this depth.
    void praise(std::uint32_t role, std::uint32_t move, float depth) {
        float& score = scores_[first_[role] + move];
        score += depth * depth;
        if (score > most_) most_ = score;
    }

    // From 0 to below 1.
    float score(std::uint32_t role, std::uint32_t move) const { return scores_[first_[role] + move] / (most_ + 1); }

    // What was good in the last search counts less in this one.
    void fade() {
        for (float& score : scores_) score /= 8;
        most_ /= 8;
    }

private:
    std::vector<float> scores_;
    std::vector<std::uint32_t> first_;
    float most_ = 0;
};

}  // namespace ludorum::minimax
