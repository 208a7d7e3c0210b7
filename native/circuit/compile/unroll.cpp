// unroll.cpp: recursion without loops, for formats that have none.
//
// The wires of a component start false and never fall back, so after as many
// rounds as it has wires nothing can change any more: that many copies of its
// gates, each reading the one before, give the fixpoint. Mostly fewer do, which
// shows when two rounds give the same literals.
#include <algorithm>

#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {
namespace {

// The gates and loop wires that the definitions of a component read, in order, up to other loops.
std::vector<Wire> cone(const Circuit& circuit, std::span<const Circuit::Loop> loops) {
    std::vector<bool> is_found(circuit.wires, false);
    std::vector<Wire> found;
    const auto add = [&](Literal literal) {
        const Wire wire = wire_of(literal);
        if (wire < circuit.first_gate() || is_found[wire]) return;
        is_found[wire] = true;
        found.push_back(wire);
    };
    for (const Circuit::Loop& loop : loops) add(loop.definition);
    for (std::size_t i = 0; i < found.size(); ++i)
        for (Literal literal : circuit.gate(found[i])) add(literal);
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

Circuit unroll(const Circuit& circuit, std::size_t most_gates, Budget& budget) {
    if (circuit.loops.empty()) return circuit;
    constexpr Literal kUnset = ~Literal{0};
    GateBuilder builder(circuit.first_gate(), &budget);
    std::vector<Literal> now = same_given(circuit), inputs;
    now.resize(circuit.wires, kUnset);
    const auto value = [&](Literal literal) { return now[wire_of(literal)] ^ (literal & 1); };
    const auto make = [&](Wire wire) {
        inputs.clear();
        for (Literal literal : circuit.gate(wire)) inputs.push_back(value(literal));
        now[wire] = builder.all_of(inputs);
        if (builder.wires() - builder.given() > most_gates) throw OutOfBudget();
    };
    for (std::size_t begin = 0; begin < circuit.loops.size();) {
        std::size_t end = begin;
        while (end < circuit.loops.size() && circuit.loops[end].component == circuit.loops[begin].component) ++end;
        const std::span loops(circuit.loops.data() + begin, end - begin);
        // Those of its gates that depend on its own loop wires go round.
        std::vector<bool> turns(circuit.wires, false);
        for (const Circuit::Loop& loop : loops) turns[loop.wire] = true;
        std::vector<Wire> turning;
        for (Wire wire : cone(circuit, loops)) {
            const auto below = circuit.gate(wire);
            if (std::any_of(below.begin(), below.end(), [&](Literal literal) { return turns[wire_of(literal)]; })) {
                turns[wire] = true;
                turning.push_back(wire);
            } else if (!turns[wire] && now[wire] == kUnset) {
                make(wire);
            }
        }
        std::vector<Literal> values(loops.size(), kFalse), following(loops.size());
        for (std::size_t round = 0; round < loops.size(); ++round) {
            for (std::size_t i = 0; i < loops.size(); ++i) now[loops[i].wire] = values[i];
            for (Wire wire : turning) make(wire);
            for (std::size_t i = 0; i < loops.size(); ++i) following[i] = value(loops[i].definition);
            if (following == values) break;
            std::swap(values, following);
        }
        for (std::size_t i = 0; i < loops.size(); ++i) now[loops[i].wire] = values[i];
        for (Wire wire : turning) now[wire] = kUnset;
        begin = end;
    }
    for (Wire wire = circuit.first_gate(); wire < circuit.wires; ++wire)
        if (now[wire] == kUnset) make(wire);
    // Simplifying drops what only the rounds that were broken off or made constant needed.
    Circuit result = frame(circuit, value);
    builder.take(result);
    return simplify(result, budget);
}

}  // namespace ludorum::circuit
