// history.h: which moves were good elsewhere (Schaeffer's history heuristic).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/simulator.h"

namespace ludorum::minimax {

class History {
public:
    explicit History(const Shape& shape) : scores_(shape.all_moves, 0.0) {
        std::uint32_t first = 0;
        for (std::uint32_t moves : shape.moves) {
            first_.push_back(first);
            first += moves;
        }
    }

    // A move that was best, or cut off, in a search to this depth.
    void praise(std::uint32_t role, std::uint32_t move, double depth) {
        double& score = scores_[first_[role] + move];
        score += depth * depth;
        if (score > most_) most_ = score;
    }

    // From 0 to below 1.
    double score(std::uint32_t role, std::uint32_t move) const { return scores_[first_[role] + move] / (most_ + 1); }

    // What was good in the last search counts less in this one.
    void fade() {
        for (double& score : scores_) score /= 8;
        most_ /= 8;
    }

private:
    std::vector<double> scores_;
    std::vector<std::uint32_t> first_;
    double most_ = 0;
};

}  // namespace ludorum::minimax
