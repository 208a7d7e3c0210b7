#include "search/infosets/sequence_form.h"

namespace ludorum::infosets {

Plan plan_of(const Player& player, std::span<const double> choices) {
    Plan plan(player.sequences(), 0);
    plan[0] = 1;
    for (const InformationSet& set : player.sets)
        for (std::uint32_t i = 0; i < set.moves; ++i) plan[set.first + i] = plan[set.parent] * choices[set.first + i];
    return plan;
}

Plan SequenceForm::uniform(std::size_t player) const {
    std::vector<double> choices(players[player].sequences(), 1);
    for (const InformationSet& set : players[player].sets)
        for (std::uint32_t i = 0; i < set.moves; ++i) choices[set.first + i] = 1.0 / set.moves;
    return plan_of(players[player], choices);
}

std::vector<double> SequenceForm::values(std::span<const Plan> plans) const {
    const std::size_t count = players.size();
    std::vector<double> sums(count, 0);
    for (std::size_t outcome = 0; outcome < outcomes.size(); ++outcome) {
        double reach = 1;
        for (std::size_t player = 0; player < count; ++player) reach *= plans[player][outcomes.sequences[outcome * count + player]];
        for (std::size_t player = 0; player < count; ++player) sums[player] += reach * outcomes.payoffs[outcome * count + player];
    }
    return sums;
}

std::vector<double> SequenceForm::worths(std::size_t player, std::span<const Plan> plans) const {
    const std::size_t count = players.size();
    std::vector<double> found(players[player].sequences(), 0);
    for (std::size_t outcome = 0; outcome < outcomes.size(); ++outcome) {
        const std::uint32_t* sequences = outcomes.sequences.data() + outcome * count;
        double reach = outcomes.payoffs[outcome * count + player];
        for (std::size_t other = 0; other < count; ++other)
            if (other != player) reach *= plans[other][sequences[other]];
        found[sequences[player]] += reach;
    }
    return found;
}

SequenceForm::Reply SequenceForm::best_reply(std::size_t player, std::span<const Plan> plans) const {
    const Player& self = players[player];
    std::vector<double> worth = worths(player, plans), choices(self.sequences(), 0);
    for (std::size_t number = self.sets.size(); number-- > 0;) {
        const InformationSet& set = self.sets[number];
        std::uint32_t best = set.first;
        for (std::uint32_t sequence = set.first; sequence < set.first + set.moves; ++sequence)
            if (worth[sequence] > worth[best]) best = sequence;
        choices[best] = 1;
        worth[set.parent] += worth[best];
    }
    return {worth[0], plan_of(self, choices)};
}

}  // namespace ludorum::infosets
