#include <algorithm>
#include <utility>

#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {
namespace {

// All moves together are given no more demands than this: what is left out is only an optimisation.
constexpr std::size_t kMostDemands = 1 << 24;
constexpr Literal kUnknown = ~Literal{0};

// For every move the literals that hold whenever it is legal, as far as the conjunctions below it say so.
std::vector<std::vector<Literal>> demands_of_moves(const Circuit& circuit, Budget& budget) {
    std::vector<std::vector<Literal>> demands;
    std::vector<std::size_t> seen(2 * std::size_t{circuit.wires}, 0);
    std::size_t total = 0;
    for (Literal legal : circuit.legal) {
        auto& found = demands.emplace_back();
        if (total > kMostDemands || legal <= kTrue) continue;
        seen[legal] = demands.size();
        found.push_back(legal);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (is_negated(found[i])) continue;
            for (Literal literal : circuit.gate(wire_of(found[i])))
                if (literal > kTrue && std::exchange(seen[literal], demands.size()) != demands.size()) found.push_back(literal);
        }
        budget.spend(found.size());
        total += found.size();
    }
    return demands;
}

}  // namespace

Circuit use_legality(const Circuit& circuit, Budget& budget) {
    const Wire first_move = circuit.first_move(), first_gate = circuit.first_gate();
    const auto is_move = [&](Literal literal) { return wire_of(literal) >= first_move && wire_of(literal) < first_gate; };
    std::vector<std::uint32_t> role_of;
    for (std::uint32_t role = 0; role < circuit.roles(); ++role) role_of.insert(role_of.end(), circuit.moves[role], role);
    const auto role = [&](Literal move) { return role_of[wire_of(move) - first_move]; };

    const auto demands = demands_of_moves(circuit, budget);
    // What the old wires are now; those that were not made yet may be there the next time.
    std::vector<Literal> values = same_given(circuit);
    values.resize(circuit.wires, kUnknown);
    std::vector<std::vector<Literal>> translated(demands.size());
    std::vector<bool> is_complete(demands.size(), false);
    const auto demanded = [&](std::size_t move, Wire here) -> const std::vector<Literal>& {
        auto& found = translated[move];
        if (is_complete[move]) return found;
        found.clear();
        Wire last = 0;
        for (Literal literal : demands[move]) {
            const Literal value = values[wire_of(literal)];
            if (value != kUnknown) found.push_back(value ^ (literal & 1));
            last = std::max(last, wire_of(literal));
        }
        budget.spend(demands[move].size());
        is_complete[move] = last < here;
        std::sort(found.begin(), found.end());
        return found;
    };

    std::vector<Literal> made, kept;
    const auto rule = [&](GateBuilder& builder, Wire wire, std::span<const Literal> inputs) {
        made.clear();
        for (Literal literal : inputs)
            if (is_move(literal) && !is_negated(literal)) made.push_back(literal);
        if (made.empty()) return builder.again(inputs);
        std::sort(made.begin(), made.end());
        made.erase(std::unique(made.begin(), made.end()), made.end());
        for (std::size_t i = 1; i < made.size(); ++i)
            if (role(made[i]) == role(made[i - 1])) return kFalse;
        kept.assign(inputs.begin(), inputs.end());
        for (Literal move : made) {
            const auto& says = demanded(wire_of(move) - first_move, wire);
            const auto is_said = [&](Literal literal) { return std::binary_search(says.begin(), says.end(), literal); };
            for (Literal literal : kept)
                if (is_said(literal ^ 1)) return kFalse;
            std::erase_if(kept, [&](Literal literal) {
                return is_said(literal) || (is_negated(literal) && is_move(literal) && role(literal) == role(move));
            });
        }
        return builder.all_of(kept);
    };
    return rewrite(circuit, budget, [&](GateBuilder& builder, Wire wire, std::span<const Literal> inputs) {
        return values[wire] = rule(builder, wire, inputs);
    });
}

}  // namespace ludorum::circuit
