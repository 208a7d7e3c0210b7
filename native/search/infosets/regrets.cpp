#include "search/infosets/regrets.h"

#include <algorithm>

namespace ludorum::infosets {

RegretMatching::RegretMatching(const SequenceForm& game, bool is_predictive) : game_(game), is_predictive_(is_predictive) {
    for (std::size_t player = 0; player < game.players.size(); ++player) {
        const std::size_t sequences = game.players[player].sequences();
        regrets_.emplace_back(sequences, 0);
        sums_.emplace_back(sequences, 0);
        choices_.emplace_back(sequences, 1);
        for (const InformationSet& set : game.players[player].sets)
            std::fill_n(choices_.back().begin() + set.first, set.moves, 1.0 / set.moves);
        plans_.push_back(plan_of(game.players[player], choices_.back()));
    }
}

void RegretMatching::run(std::uint64_t rounds, const std::atomic<std::int32_t>& stop) {
    for (; rounds > 0 && stop == 0; --rounds) {
        ++rounds_;
        for (std::size_t player = 0; player < plans_.size(); ++player) update(player);
    }
}

void RegretMatching::update(std::size_t player) {
    const Player& self = game_.players[player];
    std::vector<double> worth = game_.worths(player, plans_);
    std::vector<double>&regrets = regrets_[player], &choices = choices_[player];
    for (std::size_t number = self.sets.size(); number-- > 0;) {
        const InformationSet& set = self.sets[number];
        double mean = 0, sum = 0;
        for (std::uint32_t s = set.first; s < set.first + set.moves; ++s) mean += choices[s] * worth[s];
        for (std::uint32_t s = set.first; s < set.first + set.moves; ++s) {
            const double gain = worth[s] - mean;
            regrets[s] = std::max(0.0, regrets[s] + gain);
            sum += choices[s] = is_predictive_ ? std::max(0.0, regrets[s] + gain) : regrets[s];
        }
        for (std::uint32_t s = set.first; s < set.first + set.moves; ++s) choices[s] = sum > 0 ? choices[s] / sum : 1.0 / set.moves;
        worth[set.parent] += mean;
    }
    plans_[player] = plan_of(self, choices);
    const double weight = static_cast<double>(rounds_) * static_cast<double>(rounds_);
    for (std::size_t s = 0; s < self.sequences(); ++s) sums_[player][s] += weight * plans_[player][s];
}

std::vector<Plan> RegretMatching::average() const {
    std::vector<Plan> plans = sums_;
    for (Plan& plan : plans) {
        const double whole = plan[0];
        if (whole == 0) continue;
        for (double& part : plan) part /= whole;
    }
    if (rounds_ == 0) return plans_;
    return plans;
}

}  // namespace ludorum::infosets
