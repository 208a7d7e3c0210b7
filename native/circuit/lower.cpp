// lower.cpp: from a circuit to a program: which cones there are, and what each
// must leave for the next.
#include <algorithm>

#include "circuit/decisive.h"
#include "circuit/gate_graph.h"
#include "circuit/program.h"
#include "circuit/schedule.h"
#include "circuit/slots.h"

namespace ludorum::circuit {
namespace {

Cone encode(const Schedule& schedule, const GateGraph& graph, const SlotAllocator& slots) {
    Cone cone;
    std::uint32_t loop_start = 0;
    for (const Item& item : schedule) {
        if (item.kind != Item::kNode) {
            const auto& loop = graph.loop(item.index);
            const bool begins = item.kind == Item::kLoopBegin;
            cone.runs.push_back({begins ? Op::kLoopBegin : Op::kLoopEnd, {}, static_cast<std::uint32_t>(loop.size()),
                                 loop_start, cone.operands.size()});
            for (const auto& [wire, definition] : loop) {
                cone.operands.push_back(slots.slot(wire));
                if (!begins) cone.operands.push_back(slots.slot(definition));
            }
            if (begins) loop_start = static_cast<std::uint32_t>(cone.runs.size());
            continue;
        }
        const GateGraph::Gate& gate = graph.gate(item.index);
        const bool goes_on = !cone.runs.empty() && cone.runs.size() != loop_start && cone.runs.back().op == gate.op &&
                             cone.runs.back().shape == gate.shape;
        if (!goes_on) cone.runs.push_back({gate.op, gate.shape, 0, 0, cone.operands.size()});
        ++cone.runs.back().count;
        cone.operands.push_back(slots.slot(item.index));
        for (Node input : gate.inputs) cone.operands.push_back(slots.slot(input));
        ++cone.gates;
        cone.inputs += gate.inputs.size();
    }
    return cone;
}

// Fluents that take the old value of another fluent, in an order in which none is overwritten before it is read.
// Where they go in a circle, one of the values is put aside in a copy.
class Exchange {
public:
    Exchange(GateGraph& graph, std::vector<Node>& next, std::uint32_t fluents) : fluents_(fluents), state_(fluents, kNew) {
        for (std::uint32_t fluent = 0; fluent < fluents; ++fluent) visit(graph, next, fluent);
    }

    const std::vector<std::uint32_t>& order() const { return order_; }

private:
    enum State : char { kNew, kUnderWay, kDone };

    bool is_fluent(Node node) const { return node >= Program::kFluentSlots && node < Program::kFluentSlots + fluents_; }

    // Reads follow the chain from a fluent to the one whose value it takes; a fluent is written before its source is.
    void visit(GateGraph& graph, std::vector<Node>& next, std::uint32_t fluent) {
        std::vector<std::uint32_t> chain;
        while (state_[fluent] == kNew) {
            state_[fluent] = kUnderWay;
            chain.push_back(fluent);
            const Node source = next[fluent];
            if (!is_fluent(source) || source == Program::kFluentSlots + fluent) break;
            const std::uint32_t from = source - Program::kFluentSlots;
            if (state_[from] == kUnderWay) {
                next[fluent] = graph.copy(source);
                break;
            }
            fluent = from;
        }
        for (std::uint32_t member : chain) state_[member] = kDone;
        // A chain that ends in one that was visited before must be written before it.
        order_.insert(order_.begin(), chain.begin(), chain.end());
    }

    std::uint32_t fluents_;
    std::vector<State> state_;
    std::vector<std::uint32_t> order_;
};

// Says how many slots they take.
Slot lower_steps(const Circuit& circuit, Steps& steps) {
    GateGraph graph(circuit);
    const Node terminal = graph.plain(circuit.terminal);
    std::vector<Node> legal, next;
    for (Literal literal : circuit.legal) legal.push_back(graph.plain(literal));
    for (Literal literal : circuit.next) next.push_back(graph.plain(literal));
    const Exchange exchange(graph, next, circuit.fluents);
    std::vector<Node> roots(legal);
    roots.push_back(terminal);
    roots.insert(roots.end(), next.begin(), next.end());
    graph.fuse(roots);

    Scheduler scheduler(graph);
    const Schedule first = scheduler.cone({terminal}), second = scheduler.cone(legal), third = scheduler.cone(next);
    SlotAllocator slots(graph, 1 + circuit.first_gate());
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent)
        slots.prefer(next[fluent], Program::kFluentSlots + fluent);
    // A game that has ended is read from its fluents, after the terminal cone or after the legal one.
    std::vector<Node> before_next(legal);
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) before_next.push_back(Program::kFluentSlots + fluent);
    slots.run({&first, &second, &third}, {{terminal}, before_next, next});
    steps.terminal = encode(first, graph, slots);
    steps.legal = encode(second, graph, slots);
    steps.next = encode(third, graph, slots);
    steps.carried = slots.carried();
    steps.terminal_slot = slots.slot(terminal);
    for (Node node : legal) steps.legal_slots.push_back(slots.slot(node));
    for (std::uint32_t fluent : exchange.order()) {
        const Slot from = slots.slot(next[fluent]), to = Program::kFluentSlots + fluent;
        if (from != to) steps.transfers.emplace_back(to, from);
    }
    return slots.count();
}

void lower_goals(const Circuit& circuit, Program& program) {
    GateGraph graph(circuit);
    std::vector<Node> goals;
    for (const Circuit::Goal& goal : circuit.goals) goals.push_back(graph.plain(goal.literal));
    graph.fuse(goals);
    const Schedule schedule = Scheduler(graph).cone(goals);
    SlotAllocator slots(graph, Program::kFluentSlots + circuit.fluents);
    slots.run({&schedule}, {goals});
    program.goal = encode(schedule, graph, slots);
    program.goal_slots = slots.count();
    for (Node node : graph.below(goals))
        if (node >= Program::kFluentSlots && node < Program::kFluentSlots + circuit.fluents)
            program.goal_fluents.push_back(node - Program::kFluentSlots);
    for (std::size_t i = 0; i < goals.size(); ++i)
        program.goals.push_back({circuit.goals[i].role, circuit.goals[i].value, slots.slot(goals[i])});
}

void lower_percepts(const Circuit& circuit, Program& program) {
    GateGraph graph(circuit);
    std::vector<Node> percepts;
    for (const Circuit::Percept& percept : circuit.percepts) percepts.push_back(graph.plain(percept.literal));
    graph.fuse(percepts);
    const Schedule schedule = Scheduler(graph).cone(percepts);
    SlotAllocator slots(graph, 1 + circuit.first_gate());
    slots.run({&schedule}, {percepts});
    program.percept = encode(schedule, graph, slots);
    program.percept_slots = slots.count();
    for (std::size_t i = 0; i < percepts.size(); ++i)
        program.percepts.push_back({circuit.percepts[i].role, slots.slot(percepts[i])});
}

}  // namespace

Program lower(const Circuit& circuit, Following following) {
    Program program;
    program.fluents = circuit.fluents;
    program.moves = circuit.moves;
    program.turns = circuit.turns;
    program.turn_cycle = TurnCycle(circuit);
    const auto lower_here = [&](const Circuit& here, Steps& steps) {
        // States that are in no phase of a game that has phases are rare.
        if (following == Following::kRules || (&steps == &program.any && !circuit.phases.empty())) return lower_steps(here, steps);
        const Decisive made = decisive(here, circuit);
        program.decisive_moves += made.moves;
        return lower_steps(made.circuit, steps);
    };
    program.slots = lower_here(circuit, program.any);
    for (std::size_t phase = 0; phase < circuit.phases.size(); ++phase)
        program.slots = std::max(program.slots, lower_here(in_phase(circuit, phase), program.phases.emplace_back()));
    lower_goals(circuit, program);
    lower_percepts(circuit, program);
    return program;
}

}  // namespace ludorum::circuit
