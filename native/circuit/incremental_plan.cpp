#include <algorithm>

#include "circuit/incremental_evaluator.h"

namespace ludorum::circuit {
namespace {

constexpr std::uint32_t kNone = ~0u;

// The gates and loops of a circuit as units: a component is one, any other gate is one by itself.
class Units {
public:
    explicit Units(const Circuit& circuit) : circuit_(circuit), unit_of_(circuit.wires, kNone), definition_(circuit.wires, kFalse) {
        for (const Circuit::Loop& loop : circuit.loops) definition_[loop.wire] = loop.definition;
        for (std::size_t first = 0; first < circuit.loops.size();) {
            std::size_t end = first;
            while (end < circuit.loops.size() && circuit.loops[end].component == circuit.loops[first].component) ++end;
            add_component(first, end);
            first = end;
        }
        for (Wire wire = circuit.first_gate(); wire < circuit.wires; ++wire) {
            if (unit_of_[wire] != kNone) continue;
            unit_of_[wire] = static_cast<std::uint32_t>(members_.size());
            members_.push_back({wire});
            loops_.push_back(0);
        }
    }

    // Its loops first, then its gates in the order of the circuit.
    const std::vector<Wire>& members(std::uint32_t unit) const { return members_[unit]; }
    std::size_t loops(std::uint32_t unit) const { return loops_[unit]; }
    std::size_t size() const { return members_.size(); }
    std::uint32_t unit_of(Wire wire) const { return unit_of_[wire]; }
    bool is_loop(Wire wire) const { return wire >= circuit_.first_gate() && circuit_.gate(wire).empty(); }

    template <class Visit> void for_inputs(Wire wire, Visit visit) const {
        if (is_loop(wire)) visit(definition_[wire]);
        else for (Literal literal : circuit_.gate(wire)) visit(literal);
    }

    // Calls visit(unit) for what these literals need and was not visited before, each after all that it needs itself.
    template <class Visit> void for_needed(const std::vector<Literal>& roots, std::vector<bool>& seen, Visit visit) const {
        struct Frame { std::uint32_t unit; std::vector<std::uint32_t> needs; std::size_t next; };
        std::vector<Frame> stack;
        const auto enter = [&](Wire wire) {
            const std::uint32_t unit = unit_of_[wire];
            if (unit == kNone || seen[unit]) return;
            seen[unit] = true;
            std::vector<std::uint32_t> needs;
            for (Wire member : members_[unit])
                for_inputs(member, [&](Literal literal) { needs.push_back(wire_of(literal)); });
            stack.push_back({unit, std::move(needs), 0});
        };
        for (Literal root : roots) {
            enter(wire_of(root));
            while (!stack.empty()) {
                if (stack.back().next < stack.back().needs.size()) {
                    enter(stack.back().needs[stack.back().next++]);
                } else {
                    visit(stack.back().unit);
                    stack.pop_back();
                }
            }
        }
    }

private:
    // The loops and the gates that lie on their cycles: what depends on a loop, and on which a loop depends.
    void add_component(std::size_t first, std::size_t end) {
        std::vector<std::uint8_t> depends(circuit_.wires, 0), needed(circuit_.wires, 0);
        for (std::size_t i = first; i < end; ++i) depends[circuit_.loops[i].wire] = 1;
        for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire)
            for (Literal literal : circuit_.gate(wire)) depends[wire] |= depends[wire_of(literal)];
        for (std::size_t i = first; i < end; ++i) needed[wire_of(circuit_.loops[i].definition)] = 1;
        for (Wire wire = circuit_.wires; wire-- > circuit_.first_gate();)
            if (needed[wire])
                for (Literal literal : circuit_.gate(wire)) needed[wire_of(literal)] = 1;
        const auto unit = static_cast<std::uint32_t>(members_.size());
        std::vector<Wire>& members = members_.emplace_back();
        for (std::size_t i = first; i < end; ++i) members.push_back(circuit_.loops[i].wire);
        loops_.push_back(members.size());
        for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire)
            if (depends[wire] && needed[wire] && !is_loop(wire)) members.push_back(wire);
        for (Wire wire : members) unit_of_[wire] = unit;
    }

    const Circuit& circuit_;
    std::vector<std::uint32_t> unit_of_;
    std::vector<Literal> definition_;
    std::vector<std::vector<Wire>> members_;
    std::vector<std::size_t> loops_;
};

}  // namespace

IncrementalPlan::IncrementalPlan(const Circuit& circuit) : fluents(circuit.fluents), all_moves(circuit.all_moves()), moves(circuit.moves) {
    const Units units(circuit);
    std::array<std::vector<Literal>, kTiers> roots;
    roots[0] = {circuit.terminal};
    roots[1] = circuit.legal;
    roots[2] = circuit.next;
    for (const Circuit::Goal& goal : circuit.goals) roots[3].push_back(goal.literal);

    // Numbers for the nodes, tier by tier.
    std::vector<Node> node_of(circuit.wires, kNone);
    for (Wire wire = 0; wire < circuit.first_gate(); ++wire) node_of[wire] = wire;
    std::vector<Wire> wire_at;
    nodes = circuit.first_gate();
    component_of.assign(nodes, kNoComponent);
    std::vector<bool> seen(units.size(), false);
    for (std::uint32_t tier = 0; tier < kTiers; ++tier) {
        tier_begin[tier] = nodes;
        units.for_needed(roots[tier], seen, [&](std::uint32_t unit) {
            const bool is_component = units.loops(unit) > 0;
            const auto begin = nodes;
            for (Wire wire : units.members(unit)) {
                node_of[wire] = nodes++;
                wire_at.push_back(wire);
                component_of.push_back(is_component ? static_cast<std::uint32_t>(components.size()) : kNoComponent);
            }
            if (is_component) components.push_back({begin, begin + static_cast<Node>(units.loops(unit)), nodes, false});
        });
    }
    tier_begin[kTiers] = nodes;

    // Who reads whom.
    const auto over_nodes = [&](Literal literal) { return 2 * node_of[wire_of(literal)] + (literal & 1); };
    const auto tier_of = [&](Node node) {
        return static_cast<std::uint32_t>(std::upper_bound(tier_begin.begin(), tier_begin.end(), node) - tier_begin.begin() - 1);
    };
    false_inputs.assign(nodes, 0);
    reader_offsets.assign(std::size_t{kTiers} * nodes + 1, 0);
    const auto for_reads = [&](auto visit) {
        for (Node node = circuit.first_gate(); node < nodes; ++node)
            units.for_inputs(wire_at[node - circuit.first_gate()], [&](Literal literal) { visit(node, over_nodes(literal)); });
    };
    for_reads([&](Node node, Literal literal) {
        ++reader_offsets[std::size_t{kTiers} * (literal >> 1) + tier_of(node) + 1];
        false_inputs[node] += !(literal & 1);
    });
    for (std::size_t i = 1; i < reader_offsets.size(); ++i) reader_offsets[i] += reader_offsets[i - 1];
    readers.resize(reader_offsets.back());
    std::vector<std::uint32_t> at(reader_offsets.begin(), reader_offsets.end() - 1);
    for_reads([&](Node node, Literal literal) {
        readers[at[std::size_t{kTiers} * (literal >> 1) + tier_of(node)]++] = 2 * node + (literal & 1);
    });

    polarity.assign(nodes, 0);
    for (Component& component : components) {
        for (Node node = component.begin; node < component.loops_end; ++node) polarity[node] = 1;
        for (Node node = component.loops_end; node < component.end; ++node) {
            units.for_inputs(wire_at[node - circuit.first_gate()], [&](Literal wire_literal) {
                const Literal literal = over_nodes(wire_literal);
                const Node input = literal >> 1;
                if (input < component.begin || input >= component.end) return;
                const auto found = static_cast<std::int8_t>((literal & 1) ? -polarity[input] : polarity[input]);
                component.is_mixed |= polarity[node] == -found;
                polarity[node] = found;
            });
        }
    }

    // What is read off the nodes.
    for (std::uint32_t role = 0, first = 0; role < moves.size(); first += moves[role++]) first_move.push_back(first);
    for (Literal literal : circuit.legal) legal.push_back(over_nodes(literal));
    for (Literal literal : circuit.next) next.push_back(over_nodes(literal));
    terminal = over_nodes(circuit.terminal);
    for (const Circuit::Goal& goal : circuit.goals) goals.push_back({goal.role, goal.value, over_nodes(goal.literal)});
    std::vector<std::vector<std::uint32_t>> watching(nodes);
    for (std::uint32_t move = 0; move < all_moves; ++move) watching[legal[move] >> 1].push_back(fluents + move);
    for (std::uint32_t fluent = 0; fluent < fluents; ++fluent) {
        watching[next[fluent] >> 1].push_back(fluent);
        watching[1 + fluent].push_back(fluent);
    }
    watcher_offsets.push_back(0);
    for (const auto& of_node : watching) {
        watchers.insert(watchers.end(), of_node.begin(), of_node.end());
        watcher_offsets.push_back(static_cast<std::uint32_t>(watchers.size()));
    }
}

}  // namespace ludorum::circuit
