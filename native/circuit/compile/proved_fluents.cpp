#include <algorithm>

#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {

Circuit use_proved_fluents(const Circuit& circuit, const ProvedFluents& proved, Budget& budget) {
    std::vector<Literal> given = same_given(circuit);
    for (std::uint32_t fluent : proved.never) given[1 + fluent] = kFalse;
    for (std::uint32_t fluent : proved.always) given[1 + fluent] = kTrue;
    const Wire first_move = circuit.first_move();

    // The groups of each fluent, by its wire; those of which exactly one holds come first.
    std::vector<std::vector<std::uint32_t>> groups;
    for (const auto& group : proved.one_hot) groups.push_back(group);
    const std::size_t one_hot = groups.size();
    for (const auto& group : proved.exclusive) groups.push_back(group);
    std::vector<std::vector<std::uint32_t>> groups_of(first_move);
    for (std::uint32_t number = 0; number < groups.size(); ++number) {
        std::sort(groups[number].begin(), groups[number].end());
        for (std::uint32_t fluent : groups[number]) groups_of[1 + fluent].push_back(number);
    }
    const auto are_rivals = [&](Wire one, Wire other) {
        return one != other && std::ranges::find_first_of(groups_of[one], groups_of[other]) != groups_of[one].end();
    };

    std::vector<Literal> kept, others;
    std::vector<std::uint32_t> touched;
    return rewrite(circuit, budget, std::move(given), [&](GateBuilder& builder, Wire, std::span<const Literal> inputs) {
        // One of a group says that none of the others holds.
        kept.assign(inputs.begin(), inputs.end());
        for (Literal literal : inputs) {
            if (is_negated(literal) || wire_of(literal) >= first_move || groups_of[wire_of(literal)].empty()) continue;
            budget.spend(kept.size());
            for (Literal other : kept)
                if (!is_negated(other) && wire_of(other) < first_move && are_rivals(wire_of(literal), wire_of(other))) return kFalse;
            std::erase_if(kept, [&](Literal other) {
                return is_negated(other) && wire_of(other) < first_move && are_rivals(wire_of(literal), wire_of(other));
            });
        }
        // Where exactly one holds, "none of these" is "one of the others".
        touched.clear();
        for (Literal literal : kept)
            if (is_negated(literal) && wire_of(literal) < first_move)
                for (std::uint32_t group : groups_of[wire_of(literal)])
                    if (group < one_hot) touched.push_back(group);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        for (std::uint32_t number : touched) {
            const auto& group = groups[number];
            const auto is_barred = [&](Literal literal) {
                return is_negated(literal) && wire_of(literal) < first_move && wire_of(literal) > 0 &&
                       std::binary_search(group.begin(), group.end(), wire_of(literal) - 1);
            };
            std::sort(kept.begin(), kept.end());
            kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
            const auto barred = static_cast<std::size_t>(std::count_if(kept.begin(), kept.end(), is_barred));
            if (group.size() + 1 >= 2 * barred) continue;
            others.clear();
            for (std::uint32_t fluent : group)
                if (!std::binary_search(kept.begin(), kept.end(), 2 * (fluent + 1) + 1)) others.push_back(2 * (fluent + 1));
            std::erase_if(kept, is_barred);
            kept.push_back(builder.any_of(others));
        }
        return builder.all_of(kept);
    });
}

}  // namespace ludorum::circuit
