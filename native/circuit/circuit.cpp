#include "circuit/circuit.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ludorum::circuit {

std::uint32_t Circuit::all_moves() const { return std::accumulate(moves.begin(), moves.end(), 0u); }

namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(std::string("not a circuit: ") + what);
}

}  // namespace

void Circuit::check() const {
    require(wires >= first_gate(), "fewer wires than constant, fluents and moves");
    require(wires < (1u << 30), "too many wires");
    require(!moves.empty(), "no roles");
    require(turns >= 1, "no turns");
    for (const auto& phase : phases) {
        require(!phase.empty() && phase.size() == phases.front().size(), "phases of unequal sizes");
        for (std::size_t i = 0; i < phase.size(); ++i) {
            const Wire wire = wire_of(phase[i]);
            require(wire > 0 && wire < first_move(), "a phase that is not told by fluents");
            require(wire == wire_of(phases.front()[i]), "phases that are told by different fluents");
            require(i == 0 || wire > wire_of(phase[i - 1]), "a phase whose fluents are not in order");
        }
    }
    require(phases.empty() || turns == phases.size(), "not as many turns as phases");
    require(input_offsets.size() == std::size_t{wires} + 1, "input offsets do not fit the wires");
    require(input_offsets.front() == 0 && input_offsets.back() == inputs.size(), "input offsets do not fit the inputs");
    require(std::is_sorted(input_offsets.begin(), input_offsets.end()), "input offsets decrease");
    std::vector<bool> is_loop(wires, false);
    for (std::size_t i = 0; i < loops.size(); ++i) {
        require(loops[i].wire >= first_gate() && loops[i].wire < wires, "a loop wire out of range");
        require(!is_loop[loops[i].wire], "a loop wire twice");
        require(wire_of(loops[i].definition) < wires, "a loop definition out of range");
        require(loops[i].component < wires, "a component out of range");
        require(i == 0 || loops[i].component >= loops[i - 1].component, "loops are not grouped by component");
        is_loop[loops[i].wire] = true;
    }
    for (Wire wire = 0; wire < wires; ++wire) {
        const auto gate_inputs = gate(wire);
        const bool is_gate = wire >= first_gate() && !is_loop[wire];
        require(is_gate == !gate_inputs.empty(), "a gate without inputs, or inputs of something that is no gate");
        for (Literal literal : gate_inputs) require(wire_of(literal) < wire, "a gate that reads a later wire");
    }
    // The last component that each wire depends on, one more than its number; 0: none.
    std::vector<std::uint32_t> component(wires, 0);
    for (const Loop& loop : loops) component[loop.wire] = loop.component + 1;
    for (Wire wire = first_gate(); wire < wires; ++wire)
        for (Literal literal : gate(wire)) component[wire] = std::max(component[wire], component[wire_of(literal)]);
    for (const Loop& loop : loops)
        require(component[wire_of(loop.definition)] <= loop.component + 1, "a loop that depends on a later component");
    require(next.size() == fluents, "not one next literal a fluent");
    require(legal.size() == all_moves(), "not one legal literal a move");
    for (Literal literal : next) require(wire_of(literal) < wires, "a next literal out of range");
    for (Literal literal : legal) require(wire_of(literal) < wires, "a legal literal out of range");
    require(wire_of(terminal) < wires, "the terminal literal out of range");
    for (const Goal& goal : goals) require(goal.role < roles() && wire_of(goal.literal) < wires, "a goal out of range");
    for (std::size_t i = 1; i < goals.size(); ++i) require(goals[i].role >= goals[i - 1].role, "goals are not grouped by role");
    for (const Percept& percept : percepts)
        require(percept.role < roles() && wire_of(percept.literal) < wires, "a percept out of range");
    // Every wire that depends on a move, so that what may not depend on one can be refused.
    std::vector<bool> after_moves(wires, false);
    for (Wire wire = first_move(); wire < first_gate(); ++wire) after_moves[wire] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (Wire wire = first_gate(); wire < wires; ++wire) {
            if (after_moves[wire]) continue;
            for (Literal literal : gate(wire))
                if (after_moves[wire_of(literal)]) { after_moves[wire] = true; break; }
        }
        for (const Loop& loop : loops)
            if (!after_moves[loop.wire] && after_moves[wire_of(loop.definition)]) after_moves[loop.wire] = changed = true;
    }
    require(!after_moves[wire_of(terminal)], "terminal depends on moves");
    for (Literal literal : legal) require(!after_moves[wire_of(literal)], "a legal literal depends on moves");
    for (const Goal& goal : goals) require(!after_moves[wire_of(goal.literal)], "a goal depends on moves");
}

}  // namespace ludorum::circuit
