#include <algorithm>
#include <map>

#include "circuit/compile/passes.h"
#include "circuit/compile/random_play.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {
namespace {

constexpr std::size_t kSteps = 100;
// At most this many bits of states are looked at, so that games with very many fluents get fewer samples.
constexpr std::size_t kMostBits = 20'000'000;
constexpr std::size_t kMostRounds = 12;
// Rounds go over the whole circuit; a large one gets fewer of them, by the inputs of its gates.
constexpr std::size_t kMostWork = 300'000;

Literal itself(std::uint32_t fluent) { return 2 * (fluent + 1); }

// For every fluent the literal that it agreed with in random play: a constant, an earlier fluent, or itself.
std::vector<Literal> suggest(const Circuit& circuit, const std::vector<bool>& initial, Budget& budget) {
    const std::size_t steps = std::min(kSteps, kMostBits / (64 * std::size_t{circuit.fluents}) + 1);
    RandomPlay play(circuit, initial);
    // With the first state's value taken out, those that disagree look like those that agree.
    std::vector<std::vector<std::uint64_t>> seen(circuit.fluents);
    for (std::size_t step = 0; step < steps; ++step) {
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent)
            seen[fluent].push_back(play.states()[fluent] ^ (initial[fluent] ? ~0ull : 0));
        play.step();
        budget.spend(2 * circuit.inputs.size() + circuit.wires);
    }
    std::map<std::vector<std::uint64_t>, std::uint32_t> first;
    std::vector<Literal> found;
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) {
        if (std::all_of(seen[fluent].begin(), seen[fluent].end(), [](std::uint64_t word) { return word == 0; })) {
            found.push_back(initial[fluent] ? kTrue : kFalse);
            continue;
        }
        const std::uint32_t leader = first.emplace(std::move(seen[fluent]), fluent).first->second;
        found.push_back(itself(leader) ^ Literal{initial[fluent] != initial[leader]});
    }
    return found;
}

// Those that stood for the same but go on to different values no longer do.
std::vector<Literal> tell_apart(const std::vector<Literal>& stands_for, const std::vector<Literal>& next) {
    std::map<std::pair<Literal, Literal>, std::uint32_t> leaders;
    std::vector<Literal> found;
    for (std::uint32_t fluent = 0; fluent < stands_for.size(); ++fluent) {
        const Literal phase = stands_for[fluent] & 1, group = stands_for[fluent] ^ phase, goes_to = next[fluent] ^ phase;
        // A constant stays one only if it goes on being that constant.
        if (group == kFalse && goes_to == kFalse) {
            found.push_back(stands_for[fluent]);
            continue;
        }
        const std::uint32_t leader = leaders.emplace(std::pair{group, goes_to}, fluent).first->second;
        found.push_back(leader == fluent ? itself(fluent) : itself(leader) ^ phase ^ (stands_for[leader] & 1));
    }
    return found;
}

}  // namespace

std::pair<Circuit, std::vector<Agreement>> merge_agreeing_fluents(const Circuit& circuit, const std::vector<bool>& initial,
                                                                 Budget& budget) {
    if (circuit.fluents == 0) return {circuit, {}};
    std::vector<Literal> stands_for = suggest(circuit, initial, budget);
    const std::size_t rounds = std::clamp(kMostWork / std::max<std::size_t>(circuit.inputs.size(), 1), std::size_t{2}, kMostRounds);
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<Literal> given = same_given(circuit);
        std::vector<Agreement> agreements;
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent)
            if (stands_for[fluent] != itself(fluent)) agreements.emplace_back(fluent, given[1 + fluent] = stands_for[fluent]);
        if (agreements.empty()) break;
        Circuit merged = rewrite(circuit, budget, std::move(given), [](GateBuilder& builder, Wire, std::span<const Literal> inputs) {
            return builder.all_of(inputs);
        });
        std::vector<Literal> told_apart = tell_apart(stands_for, merged.next);
        if (told_apart == stands_for) return {std::move(merged), std::move(agreements)};
        stands_for = std::move(told_apart);
    }
    return {circuit, {}};
}

}  // namespace ludorum::circuit
