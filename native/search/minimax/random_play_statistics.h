// random_play_statistics.h: what random walks show of a game: how many moves its roles have, and whether their goals have one sum.
//
// A walk can refute that a game is constant-sum; that none did is no proof.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/simulator.h"

namespace ludorum::minimax {

struct RandomPlayStatistics {
    std::vector<double> usual_moves;     // of each role, the mean over the states where it had a choice; 0: it never had
    bool is_sequential = true;          // never did two roles (chance apart) have a choice at once
    bool is_constant_sum = true;        // all walks that ended had the same sum of goals (chance apart)
    double sum = 100;                    // that sum, if any ended
    std::uint32_t walks = 0, ended = 0;
};

// Walks from a state, side by side; the same for the same seed as long as `seconds` are enough.
RandomPlayStatistics sample_random_play(const Simulator& simulator, const Bits* state, std::int32_t chance_role, std::uint32_t walks, std::uint64_t seed,
              double seconds, const std::atomic<std::int32_t>& stop);

}  // namespace ludorum::minimax
