#include "tests/naive.h"

#include <optional>

#include "circuit/kernels/kernels.h"

namespace ludorum::testing {

// The wires of one state, computed when asked for.
class Naive::Values {
public:
    Values(const Circuit& circuit, const State& state, const Joint* joint) : circuit_(circuit), known_(circuit.wires) {
        known_[0] = false;
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) known_[1 + fluent] = state[fluent];
        Wire wire = circuit.first_move();
        for (std::uint32_t role = 0; role < circuit.roles(); ++role)
            for (std::uint32_t move = 0; move < circuit.moves[role]; ++move) known_[wire++] = joint && (*joint)[role] == move;
    }

    bool of(Literal literal) { return wire(wire_of(literal)) != is_negated(literal); }

private:
    bool wire(Wire wire) {
        if (known_[wire]) return *known_[wire];
        if (circuit_.gate(wire).empty()) return solve(wire);
        bool value = true;
        for (Literal literal : circuit_.gate(wire)) value = of(literal) && value;
        known_[wire] = value;
        return value;
    }

    // The least fixpoint of the component of a loop wire: from false, everything anew in each round.
    bool solve(Wire wire) {
        std::uint32_t component = 0;
        for (const Circuit::Loop& loop : circuit_.loops)
            if (loop.wire == wire) component = loop.component;
        const auto before = known_;
        std::vector<bool> values(circuit_.wires, false);
        for (bool changed = true; changed;) {
            changed = false;
            known_ = before;
            for (const Circuit::Loop& loop : circuit_.loops)
                if (loop.component == component) known_[loop.wire] = values[loop.wire];
            for (const Circuit::Loop& loop : circuit_.loops)
                if (loop.component == component && of(loop.definition) != values[loop.wire]) {
                    values[loop.wire] = !values[loop.wire];
                    changed = true;
                }
        }
        return *known_[wire];
    }

    const Circuit& circuit_;
    std::vector<std::optional<bool>> known_;
};

bool Naive::is_terminal(const State& state) const { return Values(circuit_, state, nullptr).of(circuit_.terminal); }

std::vector<bool> Naive::legal(const State& state) const {
    Values values(circuit_, state, nullptr);
    std::vector<bool> found;
    for (Literal literal : circuit_.legal) found.push_back(values.of(literal));
    return found;
}

std::vector<int> Naive::goals(const State& state) const {
    Values values(circuit_, state, nullptr);
    std::vector<int> found(circuit_.roles(), -1), count(circuit_.roles(), 0);
    for (const Circuit::Goal& goal : circuit_.goals)
        if (values.of(goal.literal)) found[goal.role] = ++count[goal.role] == 1 ? goal.value : -1;
    return found;
}

State Naive::after(const State& state, const Joint& joint) const {
    Values values(circuit_, state, &joint);
    State successor;
    for (Literal literal : circuit_.next) successor.push_back(values.of(literal));
    return successor;
}

std::vector<bool> Naive::percepts(const State& state, const Joint& joint) const {
    Values values(circuit_, state, &joint);
    std::vector<bool> told;
    for (const Circuit::Percept& percept : circuit_.percepts) told.push_back(values.of(percept.literal));
    return told;
}

std::vector<Joint> Naive::joint_moves(const State& state) const {
    const std::vector<bool> is_legal = legal(state);
    std::vector<Joint> joints{{}};
    std::size_t first = 0;
    for (std::uint32_t moves : circuit_.moves) {
        std::vector<Joint> longer;
        for (const Joint& joint : joints)
            for (std::uint32_t move = 0; move < moves; ++move)
                if (is_legal[first + move]) {
                    longer.push_back(joint);
                    longer.back().push_back(move);
                }
        joints = std::move(longer);
        first += moves;
    }
    return joints;
}

std::map<Naive::End, double> Naive::ends(const State& state, int max_steps) const {
    std::map<End, double> found;
    std::map<State, double> now{{state, 1.0}};
    for (int length = 0; !now.empty(); ++length) {
        std::map<State, double> later;
        for (const auto& [reached, probability] : now) {
            const auto end = [&](Outcome outcome) { found[{outcome, length, goals(reached)}] += probability; };
            if (is_terminal(reached)) {
                end(kFinished);
            } else if (length == max_steps) {
                end(kCut);
            } else if (const auto joints = joint_moves(reached); joints.empty()) {
                end(kStuck);
            } else {
                for (const Joint& joint : joints)
                    later[after(reached, joint)] += probability / static_cast<double>(joints.size());
            }
        }
        now = std::move(later);
    }
    return found;
}

}  // namespace ludorum::testing
