// rewrite.h: rebuilding a circuit gate by gate, the frame of every pass.
#pragma once

#include <vector>

#include "circuit/circuit.h"
#include "circuit/compile/gate_builder.h"

namespace ludorum::circuit {

// For every wire whether something that is asked for depends on it.
std::vector<bool> needed_wires(const Circuit& circuit);

// For every wire how often it is read, by gates or from outside.
std::vector<std::uint32_t> fan_out(const Circuit& circuit);

std::vector<bool> loop_wires(const Circuit& circuit);

// Calls `use` on every literal that somebody asks for, loop definitions apart.
template <class Use> void for_each_root(const Circuit& circuit, Use use) {
    use(circuit.terminal);
    for (Literal literal : circuit.next) use(literal);
    for (Literal literal : circuit.legal) use(literal);
    for (const Circuit::Goal& goal : circuit.goals) use(goal.literal);
    for (const Circuit::Percept& percept : circuit.percepts) use(percept.literal);
}

// The same inputs and questions as `circuit`, without gates, every literal changed by `now`. Nothing is known of turns.
template <class Now> Circuit frame(const Circuit& circuit, Now now) {
    Circuit result;
    result.fluents = circuit.fluents;
    result.moves = circuit.moves;
    for (Literal literal : circuit.next) result.next.push_back(now(literal));
    for (Literal literal : circuit.legal) result.legal.push_back(now(literal));
    result.terminal = now(circuit.terminal);
    for (const Circuit::Goal& goal : circuit.goals) result.goals.push_back({goal.role, goal.value, now(goal.literal)});
    for (const Circuit::Percept& percept : circuit.percepts) result.percepts.push_back({percept.role, now(percept.literal)});
    return result;
}

// The literals of the constant, the fluents and the moves, unchanged.
std::vector<Literal> same_given(const Circuit& circuit);

// The circuit with every gate that is needed made anew, inputs before the gates that read them: `rule` gets the builder, the
// old wire, and its inputs in the new circuit. `given` says what to use in place of the constant, the fluents and the moves.
template <class Rule> Circuit rewrite(const Circuit& circuit, Budget& budget, std::vector<Literal> given, Rule rule) {
    GateBuilder builder(circuit.first_gate(), &budget);
    const std::vector<bool> needed = needed_wires(circuit), is_loop = loop_wires(circuit);
    std::vector<Literal> values = std::move(given), inputs;
    values.resize(circuit.wires, kFalse);
    const auto now = [&](Literal literal) { return values[wire_of(literal)] ^ (literal & 1); };
    for (Wire wire = circuit.first_gate(); wire < circuit.wires; ++wire) {
        if (!needed[wire]) continue;
        if (is_loop[wire]) {
            values[wire] = 2 * builder.loop_wire();
            continue;
        }
        inputs.clear();
        for (Literal literal : circuit.gate(wire)) inputs.push_back(now(literal));
        values[wire] = rule(builder, wire, std::span<const Literal>(inputs));
    }
    Circuit result = frame(circuit, now);
    for (const Circuit::Loop& loop : circuit.loops)
        if (needed[loop.wire]) result.loops.push_back({wire_of(values[loop.wire]), now(loop.definition), loop.component});
    builder.take(result);
    return result;
}

template <class Rule> Circuit rewrite(const Circuit& circuit, Budget& budget, Rule rule) {
    return rewrite(circuit, budget, same_given(circuit), rule);
}

}  // namespace ludorum::circuit
