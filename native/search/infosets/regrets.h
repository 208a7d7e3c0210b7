// regrets.h: playing a game against oneself until nobody regrets much.
//
// After every round each player asks how much better each move would have done
// at each information set, and in the next round plays moves in proportion to
// how much it regrets not having played them. In a game of two players with a
// constant sum the average over all rounds, later ones counting more, comes as
// close to an equilibrium as one likes. In others it is what it is: ask best
// replies how much can be gained.
//
// Whoever is predictive takes it that the next round brings what the last one
// brought. Which is better depends on the game: with it liar's dice and Kuhn poker
// need a tenth of the rounds, and Leduc poker three times as many.
//
// In the literature: CFR+ (Tammelin 2014) and PCFR+ (Farina, Kroer, Sandholm
// 2021), here on the sequence form.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "search/infosets/sequence_form.h"

namespace ludorum::infosets {

class RegretMatching {
public:
    // Requires: the game outlives this.
    explicit RegretMatching(const SequenceForm& game, bool is_predictive = false);

    // Plays so many more rounds, or until it is told to stop.
    void run(std::uint64_t rounds, const std::atomic<std::int32_t>& stop);

    std::uint64_t rounds() const { return rounds_; }
    // The average plan of every player; those of later rounds count more, by the square of their number.
    std::vector<Plan> average() const;

private:
    void update(std::size_t player);

    const SequenceForm& game_;
    const bool is_predictive_;
    std::uint64_t rounds_ = 0;
    std::vector<std::vector<double>> regrets_, choices_, sums_;
    std::vector<Plan> plans_;
};

}  // namespace ludorum::infosets
