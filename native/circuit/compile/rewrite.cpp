#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {

std::vector<bool> needed_wires(const Circuit& circuit) {
    std::vector<bool> needed(circuit.wires, false);
    std::vector<Wire> definition(circuit.loops.empty() ? 0 : circuit.wires, 0), stack;
    for (const Circuit::Loop& loop : circuit.loops) definition[loop.wire] = wire_of(loop.definition);
    const auto need = [&](Wire wire) {
        if (needed[wire]) return;
        needed[wire] = true;
        if (wire >= circuit.first_gate()) stack.push_back(wire);
    };
    for_each_root(circuit, [&](Literal literal) { need(wire_of(literal)); });
    while (!stack.empty()) {
        const Wire wire = stack.back();
        stack.pop_back();
        for (Literal literal : circuit.gate(wire)) need(wire_of(literal));
        if (!definition.empty()) need(definition[wire]);
    }
    return needed;
}

std::vector<std::uint32_t> fan_out(const Circuit& circuit) {
    std::vector<std::uint32_t> readers(circuit.wires, 0);
    for (Literal literal : circuit.inputs) ++readers[wire_of(literal)];
    for_each_root(circuit, [&](Literal literal) { ++readers[wire_of(literal)]; });
    for (const Circuit::Loop& loop : circuit.loops) ++readers[wire_of(loop.definition)];
    return readers;
}

std::vector<bool> loop_wires(const Circuit& circuit) {
    std::vector<bool> is_loop(circuit.wires, false);
    for (const Circuit::Loop& loop : circuit.loops) is_loop[loop.wire] = true;
    return is_loop;
}

std::vector<Literal> same_given(const Circuit& circuit) {
    std::vector<Literal> given(circuit.first_gate());
    for (Wire wire = 0; wire < given.size(); ++wire) given[wire] = 2 * wire;
    return given;
}

}  // namespace ludorum::circuit
