#include "circuit/gate_graph.h"

#include <algorithm>

namespace ludorum::circuit {

std::size_t GateGraph::Hash::operator()(const std::vector<Node>& nodes) const {
    std::size_t hash = nodes.size();
    for (Node node : nodes) hash = (hash ^ node) * 0x9E3779B97F4A7C15ull + (hash >> 29);
    return hash;
}

GateGraph::GateGraph(const Circuit& circuit) {
    const Wire given = circuit.first_gate();
    gates_.resize(given + 1);
    for (Gate& gate : gates_) gate.is_given = true;
    values_.resize(circuit.wires);
    for (Wire wire = 0; wire < given; ++wire) values_[wire] = {wire == 0 ? 0 : wire + 1, false};
    for (const Circuit::Loop& loop : circuit.loops) {
        const Node node = add(Op::kCopy, {});
        gates_[node].is_loop = true;
        gates_[node].component = loop.component;
        values_[loop.wire] = {node, false};
    }
    for (Wire wire = given; wire < circuit.wires; ++wire)
        if (!circuit.gate(wire).empty()) add_gate(circuit, wire);
    std::uint32_t components = 0;
    for (const Circuit::Loop& loop : circuit.loops) components = std::max(components, loop.component + 1);
    loops_.resize(components);
    for (const Circuit::Loop& loop : circuit.loops)
        loops_[loop.component].emplace_back(values_[loop.wire].node, plain(loop.definition));
}

GateGraph::Value GateGraph::of(Literal literal) const {
    Value value = values_[wire_of(literal)];
    value.inverted ^= is_negated(literal);
    return value;
}

Node GateGraph::plain(Literal literal) {
    const Value value = of(literal);
    if (!value.inverted) return value.node;
    if (value.node <= 1) return 1 - value.node;
    auto [place, is_new] = negations_.try_emplace(value.node, kNoNode);
    if (is_new) place->second = add(Op::kNot, {value.node});
    return place->second;
}

Node GateGraph::copy(Node node) { return add(Op::kCopy, {node}); }

Node GateGraph::add(Op op, std::vector<Node> inputs) {
    Gate& gate = gates_.emplace_back();
    gate.op = op;
    gate.shape.inputs = static_cast<std::uint32_t>(inputs.size());
    gate.inputs = std::move(inputs);
    return size() - 1;
}

Node GateGraph::any_of(std::vector<Node> nodes) {
    std::sort(nodes.begin(), nodes.end());
    auto [place, is_new] = disjunctions_.try_emplace(nodes, kNoNode);
    if (is_new) place->second = add(Op::kSum, std::move(nodes));
    return place->second;
}

void GateGraph::add_gate(const Circuit& circuit, Wire wire) {
    std::vector<Node> held, barred;
    for (Literal literal : circuit.gate(wire)) {
        const Value value = of(literal);
        (value.inverted ? barred : held).push_back(value.node);
    }
    if (held.empty()) {
        values_[wire] = {barred.size() == 1 ? barred[0] : any_of(std::move(barred)), true};
    } else if (barred.empty()) {
        values_[wire] = {held.size() == 1 ? held[0] : add(Op::kAnd, std::move(held)), false};
    } else {
        held.push_back(barred.size() == 1 ? barred[0] : any_of(std::move(barred)));
        values_[wire] = {add(Op::kBut, std::move(held)), false};
    }
}

std::vector<Node> GateGraph::below(const std::vector<Node>& roots) const {
    std::vector<bool> seen(size(), false);
    std::vector<Node> stack(roots), found;
    while (!stack.empty()) {
        const Node node = stack.back();
        stack.pop_back();
        if (seen[node]) continue;
        seen[node] = true;
        stack.insert(stack.end(), gates_[node].inputs.begin(), gates_[node].inputs.end());
        if (gates_[node].is_loop)
            for (const auto& [wire, definition] : loops_[gates_[node].component]) {
                stack.push_back(wire);
                stack.push_back(definition);
            }
    }
    for (Node node = 0; node < size(); ++node)
        if (seen[node]) found.push_back(node);
    return found;
}

// The gates of a loop: what its wires reach and its definitions read.
void GateGraph::mark_component(std::uint32_t component) {
    std::vector<bool> reached(size(), false), read(size(), false);
    for (const auto& [wire, definition] : loops_[component]) reached[wire] = true;
    for (Node node = 0; node < size(); ++node)
        for (Node input : gates_[node].inputs)
            if (reached[input]) reached[node] = true;
    std::vector<Node> stack;
    for (const auto& [wire, definition] : loops_[component]) stack.push_back(definition);
    while (!stack.empty()) {
        const Node node = stack.back();
        stack.pop_back();
        if (read[node]) continue;
        read[node] = true;
        stack.insert(stack.end(), gates_[node].inputs.begin(), gates_[node].inputs.end());
    }
    for (Node node = 0; node < size(); ++node)
        if (reached[node] && read[node] && !gates_[node].is_loop) gates_[node].component = component;
}

void GateGraph::fuse(const std::vector<Node>& roots) {
    for (std::uint32_t component = 0; component < components(); ++component) mark_component(component);
    std::vector<std::uint32_t> readers(size(), 0);
    for (Node node : roots) readers[node] += 2;  // what is asked for must stay
    const std::vector<Node> needed = below(roots);
    for (Node node : needed)
        for (Node input : gates_[node].inputs) ++readers[input];
    for (const auto& loop : loops_)
        for (const auto& [wire, definition] : loop) readers[definition] += 2;
    for (Node node : needed)
        if (gates_[node].op == Op::kSum) absorb(node, readers);
    members_.resize(components());
    for (Node node : below(roots))
        if (!gates_[node].is_loop && gates_[node].component != kNoComponent) members_[gates_[node].component].push_back(node);
}

void GateGraph::absorb(Node sum, const std::vector<std::uint32_t>& readers) {
    std::vector<Node> both, but, singles;
    for (Node input : gates_[sum].inputs) {
        const Gate& gate = gates_[input];
        const bool fits = readers[input] == 1 && gate.inputs.size() == 2 && gate.component == gates_[sum].component;
        if (fits && gate.op == Op::kAnd) both.insert(both.end(), gate.inputs.begin(), gate.inputs.end());
        else if (fits && gate.op == Op::kBut) but.insert(but.end(), gate.inputs.begin(), gate.inputs.end());
        else singles.push_back(input);
    }
    Gate& gate = gates_[sum];
    gate.shape.both = static_cast<std::uint32_t>(both.size() / 2);
    gate.shape.but = static_cast<std::uint32_t>(but.size() / 2);
    gate.inputs = std::move(both);
    gate.inputs.insert(gate.inputs.end(), but.begin(), but.end());
    gate.inputs.insert(gate.inputs.end(), singles.begin(), singles.end());
    gate.shape.inputs = static_cast<std::uint32_t>(gate.inputs.size());
}

}  // namespace ludorum::circuit
