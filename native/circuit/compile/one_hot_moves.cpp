#include <algorithm>

#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {
namespace {

// Gates are looked through as long as what they bar is no more than this together.
constexpr std::size_t kMostBarred = 1 << 26;

}  // namespace

Circuit use_one_hot_moves(const Circuit& circuit, Budget& budget) {
    const Wire first_move = circuit.first_move(), first_gate = circuit.first_gate();
    std::vector<std::uint32_t> role_of;
    std::vector<Wire> first_of{first_move};  // a role, and after the last
    for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
        role_of.insert(role_of.end(), circuit.moves[role], role);
        first_of.push_back(first_of.back() + circuit.moves[role]);
    }
    // Gates that say of some moves, and of nothing else, that none of them is made: looked through, because "nobody moves
    // there" is often a relation of its own that many rules read. By their new wires, from the first gate on.
    std::vector<std::vector<Wire>> barred_by;
    std::size_t barred_in_all = 0;

    std::vector<Wire> none_of;
    std::vector<Literal> kept, others;
    return rewrite(circuit, budget, [&](GateBuilder& builder, Wire, std::span<const Literal> inputs) {
        none_of.clear();
        kept.clear();
        for (Literal literal : inputs) {
            const Wire wire = wire_of(literal);
            if (is_negated(literal) && wire >= first_move && wire < first_gate) {
                none_of.push_back(wire);
            } else if (!is_negated(literal) && wire >= first_gate && wire - first_gate < barred_by.size() &&
                       !barred_by[wire - first_gate].empty()) {
                const auto& moves = barred_by[wire - first_gate];
                none_of.insert(none_of.end(), moves.begin(), moves.end());
                budget.spend(moves.size());
            } else {
                kept.push_back(literal);
            }
        }
        if (none_of.empty()) return builder.again(inputs);
        std::sort(none_of.begin(), none_of.end());
        none_of.erase(std::unique(none_of.begin(), none_of.end()), none_of.end());
        const std::size_t replaced = inputs.size() - kept.size();
        // Each role's others are a gate of their own.
        std::size_t cost = 0;
        for (std::size_t i = 0; i < none_of.size(); ++i) {
            const std::uint32_t role = role_of[none_of[i] - first_move];
            if (i == 0 || role != role_of[none_of[i - 1] - first_move]) cost += circuit.moves[role] + 1;
        }
        if (cost < replaced + none_of.size()) {
            for (std::size_t i = 0; i < none_of.size();) {
                const std::uint32_t role = role_of[none_of[i] - first_move];
                others.clear();
                for (Wire move = first_of[role]; move < first_of[role + 1]; ++move) {
                    if (i < none_of.size() && none_of[i] == move) ++i;
                    else others.push_back(2 * move);
                }
                kept.push_back(builder.any_of(others));
            }
            return builder.all_of(kept);
        }
        const Literal literal = builder.again(inputs);
        if (kept.empty() && !is_negated(literal) && wire_of(literal) >= first_gate && barred_in_all < kMostBarred) {
            barred_by.resize(std::max<std::size_t>(barred_by.size(), wire_of(literal) - first_gate + 1));
            barred_in_all += none_of.size();
            barred_by[wire_of(literal) - first_gate] = none_of;
        }
        return literal;
    });
}

}  // namespace ludorum::circuit
