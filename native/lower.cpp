// lower.cpp: from wires to slots.
//
// 1. Nodes: every gate becomes an AND, an OR or a BUT (all of these but not
//    that), stored in the polarity that needs no extra instruction.
// 2. Schedule: the nodes that a cone needs, by depth, and within a depth by
//    shape, so that the kernels run long loops without a branch a gate.
// 3. Slots: a linear scan over the schedule gives every node a place for as
//    long as somebody reads it.
#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "program.h"

namespace ludorum {
namespace {

using Node = std::uint32_t;
constexpr Node kNone = std::numeric_limits<Node>::max();
constexpr std::uint32_t kNoComponent = std::numeric_limits<std::uint32_t>::max();

enum class Shape : std::uint8_t { kGiven, kLoop, kAnd, kOr, kBut, kNot, kCopy };

struct VectorHash {
    std::size_t operator()(const std::vector<Node>& key) const {
        std::size_t hash = key.size();
        for (Node node : key) hash = (hash ^ node) * 0x9E3779B97F4A7C15ull + (hash >> 29);
        return hash;
    }
};

// The circuit as nodes that the kernels know how to evaluate.
class Graph {
public:
    explicit Graph(const Circuit& circuit) : circuit_(circuit) {
        // Nodes 0 and 1 are the constants; the given nodes have the numbers of their slots.
        const Wire given = circuit.first_gate();
        for (Node node = 0; node <= given; ++node) add(Shape::kGiven, {});
        value_.resize(circuit.wires);
        for (Wire wire = 0; wire < given; ++wire) value_[wire] = {wire == 0 ? 0 : wire + 1, false};
        for (const Circuit::Loop& loop : circuit.loops) {
            value_[loop.wire] = {add(Shape::kLoop, {}), false};
            component_.back() = loop.component;
        }
        for (Wire wire = given; wire < circuit.wires; ++wire)
            if (!circuit.gate(wire).empty()) add_gate(wire);
        std::uint32_t components = 0;
        for (const Circuit::Loop& loop : circuit.loops) components = std::max(components, loop.component + 1);
        loops_.resize(components);
        for (const Circuit::Loop& loop : circuit.loops)
            loops_[loop.component].emplace_back(value_[loop.wire].node, plain(loop.definition));
        for (std::uint32_t component = 0; component < components; ++component) mark_component(component);
    }

    // The node that holds this literal as it is, not negated.
    Node plain(Literal literal) {
        const Value value = of(literal);
        if (!value.inverted) return value.node;
        if (value.node <= 1) return 1 - value.node;
        auto [place, is_new] = negations_.try_emplace(value.node, kNone);
        if (is_new) place->second = add(Shape::kNot, {value.node});
        return place->second;
    }

    Node copy(Node node) { return add(Shape::kCopy, {node}); }

    Shape shape(Node node) const { return shape_[node]; }
    const std::vector<Node>& inputs(Node node) const { return inputs_[node]; }
    std::uint32_t component(Node node) const { return component_[node]; }
    const std::vector<std::pair<Node, Node>>& loop(std::uint32_t component) const { return loops_[component]; }
    const std::vector<Node>& members(std::uint32_t component) const { return members_[component]; }
    Node size() const { return static_cast<Node>(shape_.size()); }
    std::uint32_t components() const { return static_cast<std::uint32_t>(loops_.size()); }

private:
    struct Value { Node node; bool inverted; };

    Value of(Literal literal) const {
        Value value = value_[wire_of(literal)];
        value.inverted ^= is_negated(literal);
        return value;
    }

    Node add(Shape shape, std::vector<Node> inputs) {
        shape_.push_back(shape);
        inputs_.push_back(std::move(inputs));
        component_.push_back(kNoComponent);
        return static_cast<Node>(shape_.size() - 1);
    }

    Node any_of(std::vector<Node> nodes) {
        std::sort(nodes.begin(), nodes.end());
        auto [place, is_new] = disjunctions_.try_emplace(nodes, kNone);
        if (is_new) place->second = add(Shape::kOr, std::move(nodes));
        return place->second;
    }

    void add_gate(Wire wire) {
        std::vector<Node> held, barred;
        for (Literal literal : circuit_.gate(wire)) {
            const Value value = of(literal);
            (value.inverted ? barred : held).push_back(value.node);
        }
        if (held.empty()) {
            value_[wire] = {barred.size() == 1 ? barred[0] : any_of(std::move(barred)), true};
        } else if (barred.empty()) {
            value_[wire] = {held.size() == 1 ? held[0] : add(Shape::kAnd, std::move(held)), false};
        } else {
            held.push_back(barred.size() == 1 ? barred[0] : any_of(std::move(barred)));
            value_[wire] = {add(Shape::kBut, std::move(held)), false};
        }
    }

    // The members of a loop: what its wires reach and its definitions read.
    void mark_component(std::uint32_t component) {
        std::vector<bool> reached(size(), false), read(size(), false);
        for (const auto& [wire, definition] : loops_[component]) reached[wire] = true;
        for (Node node = 0; node < size(); ++node)
            for (Node input : inputs_[node])
                if (reached[input]) reached[node] = true;
        std::vector<Node> stack;
        for (const auto& [wire, definition] : loops_[component]) stack.push_back(definition);
        while (!stack.empty()) {
            const Node node = stack.back();
            stack.pop_back();
            if (read[node]) continue;
            read[node] = true;
            for (Node input : inputs_[node]) stack.push_back(input);
        }
        members_.emplace_back();
        for (Node node = 0; node < size(); ++node)
            if (reached[node] && read[node] && shape_[node] != Shape::kLoop) {
                component_[node] = component;
                members_.back().push_back(node);
            }
    }

    const Circuit& circuit_;
    std::vector<Shape> shape_;
    std::vector<std::vector<Node>> inputs_;
    std::vector<std::uint32_t> component_;
    std::vector<Value> value_;
    std::vector<std::vector<std::pair<Node, Node>>> loops_;
    std::vector<std::vector<Node>> members_;
    std::unordered_map<Node, Node> negations_;
    std::unordered_map<std::vector<Node>, Node, VectorHash> disjunctions_;
};

// One entry of a schedule: a node, or the border of a loop.
struct Item {
    enum Kind : std::uint8_t { kNode, kLoopBegin, kLoopEnd } kind;
    std::uint32_t index;
};

using Schedule = std::vector<Item>;

class Scheduler {
public:
    explicit Scheduler(const Graph& graph) : graph_(graph), done_(graph.size(), false), depth_(graph.size(), 0) {
        for (Node node = 0; node < graph.size(); ++node) done_[node] = graph.shape(node) == Shape::kGiven;
        depth_of_component_.resize(graph.components());
    }

    // What must be evaluated for these nodes, beyond what earlier calls did.
    Schedule cone(const std::vector<Node>& roots) {
        std::vector<Node> order = postorder(roots);
        std::map<std::uint32_t, std::vector<Item>> by_depth;
        for (Node node : order) {
            const std::uint32_t component = graph_.component(node);
            if (component == kNoComponent)
                by_depth[depth_[node]].push_back({Item::kNode, node});
            else if (graph_.shape(node) == Shape::kLoop && node == graph_.loop(component)[0].first)
                by_depth[depth_[node]].push_back({Item::kLoopBegin, component});
        }
        Schedule schedule;
        for (auto& [depth, items] : by_depth) {
            sort_by_shape(items);
            for (const Item& item : items) {
                if (item.kind == Item::kNode) schedule.push_back(item);
                else append_loop(item.index, schedule);
            }
        }
        return schedule;
    }

private:
    // Visits inputs before the nodes that read them; a loop counts as one unit. Sets depths.
    std::vector<Node> postorder(const std::vector<Node>& roots) {
        std::vector<Node> order;
        std::vector<std::pair<Node, bool>> stack;
        for (Node root : roots) stack.emplace_back(root, false);
        while (!stack.empty()) {
            auto [node, is_left] = stack.back();
            stack.pop_back();
            const std::uint32_t component = graph_.component(node);
            if (is_left) {
                if (done_[node]) continue;
                std::uint32_t depth = 0;
                for_inputs(node, [&](Node input) { depth = std::max(depth, depth_[input] + 1); });
                for_unit(node, [&](Node member) {
                    done_[member] = true;
                    depth_[member] = depth;
                    order.push_back(member);
                });
                if (component != kNoComponent) depth_of_component_[component] = depth;
            } else if (!done_[node]) {
                stack.emplace_back(node, true);
                for_inputs(node, [&](Node input) { if (!done_[input]) stack.emplace_back(input, false); });
            }
        }
        return order;
    }

    template <class Visit> void for_unit(Node node, Visit visit) const {
        const std::uint32_t component = graph_.component(node);
        if (component == kNoComponent) return visit(node);
        for (const auto& [wire, definition] : graph_.loop(component)) visit(wire);
        for (Node member : graph_.members(component)) visit(member);
    }

    // What the unit of this node reads from outside.
    template <class Visit> void for_inputs(Node node, Visit visit) const {
        const std::uint32_t component = graph_.component(node);
        for_unit(node, [&](Node member) {
            for (Node input : graph_.inputs(member))
                if (component == kNoComponent || graph_.component(input) != component) visit(input);
        });
        if (component != kNoComponent)
            for (const auto& [wire, definition] : graph_.loop(component))
                if (graph_.component(definition) != component) visit(definition);
    }

    void sort_by_shape(std::vector<Item>& items) const {
        auto key = [&](const Item& item) {
            if (item.kind != Item::kNode) return std::pair<int, std::size_t>{255, 0};
            return std::pair<int, std::size_t>{static_cast<int>(graph_.shape(item.index)), graph_.inputs(item.index).size()};
        };
        std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return key(a) < key(b); });
    }

    void append_loop(std::uint32_t component, Schedule& schedule) const {
        schedule.push_back({Item::kLoopBegin, component});
        std::unordered_map<Node, std::uint32_t> depth;
        std::map<std::uint32_t, std::vector<Item>> by_depth;
        for (Node node : graph_.members(component)) {  // in topological order, as the nodes were made
            std::uint32_t deepest = 0;
            for (Node input : graph_.inputs(node))
                if (auto found = depth.find(input); found != depth.end()) deepest = std::max(deepest, found->second + 1);
            depth[node] = deepest;
            by_depth[deepest].push_back({Item::kNode, node});
        }
        for (auto& [level, items] : by_depth) {
            sort_by_shape(items);
            schedule.insert(schedule.end(), items.begin(), items.end());
        }
        schedule.push_back({Item::kLoopEnd, component});
    }

    const Graph& graph_;
    std::vector<bool> done_;
    std::vector<std::uint32_t> depth_, depth_of_component_;
};

// Gives slots to the nodes of one or more schedules that run one after another.
class Allocator {
public:
    Allocator(const Graph& graph, Slot given) : graph_(graph), next_(given), slot_(graph.size(), kNone), last_use_(graph.size(), 0) {
        for (Node node = 0; node < given; ++node) slot_[node] = node;
    }

    // The schedules in order, and what must still be there after each of them.
    void run(const std::vector<const Schedule*>& schedules, const std::vector<std::vector<Node>>& kept) {
        std::uint32_t time = 0;
        std::vector<std::uint32_t> ends;
        for (std::size_t i = 0; i < schedules.size(); ++i) {
            note_uses(*schedules[i], time);
            for (Node node : kept[i]) use(node, time);
            ends.push_back(time++);
        }
        time = 0;
        for (const Schedule* schedule : schedules) {
            for (const Item& item : *schedule) {
                if (item.kind == Item::kLoopBegin)
                    for (const auto& [wire, definition] : graph_.loop(item.index)) place(wire);
                // A gate may write where it reads: operands are loaded before the result is stored.
                release(time);
                if (item.kind == Item::kNode) place(item.index);
                ++time;
            }
            release(time++);
        }
        for (const Item& item : *schedules.front()) {
            if (item.kind == Item::kNode) carry(item.index, ends[0]);
            if (item.kind == Item::kLoopBegin)
                for (const auto& [wire, definition] : graph_.loop(item.index)) carry(wire, ends[0]);
        }
    }

    Slot slot(Node node) const { return slot_[node]; }
    Slot slots() const { return next_; }
    const std::vector<Slot>& carried() const { return carried_; }

private:
    void use(Node node, std::uint32_t time) { last_use_[node] = std::max(last_use_[node], time); }

    void note_uses(const Schedule& schedule, std::uint32_t& time) {
        // What a loop reads from outside is read until the loop has ended.
        std::vector<Node> read_in_loop;
        bool in_loop = false;
        for (const Item& item : schedule) {
            if (item.kind == Item::kNode) {
                use(item.index, time);
                for (Node input : graph_.inputs(item.index)) {
                    use(input, time);
                    if (in_loop && graph_.component(input) != graph_.component(item.index)) read_in_loop.push_back(input);
                }
            } else {
                in_loop = item.kind == Item::kLoopBegin;
                for (const auto& [wire, definition] : graph_.loop(item.index)) {
                    use(wire, time);
                    if (!in_loop) use(definition, time);
                }
                if (!in_loop) {
                    for (Node node : read_in_loop) use(node, time);
                    read_in_loop.clear();
                }
            }
            ++time;
        }
    }

    void carry(Node node, std::uint32_t end) {
        if (last_use_[node] > end) carried_.push_back(slot_[node]);
    }

    void place(Node node) {
        if (free_.empty()) {
            slot_[node] = next_++;
        } else {
            slot_[node] = free_.back();
            free_.pop_back();
        }
        expiring_[last_use_[node]].push_back(node);
    }

    void release(std::uint32_t time) {
        auto found = expiring_.find(time);
        if (found == expiring_.end()) return;
        for (Node node : found->second) free_.push_back(slot_[node]);
        expiring_.erase(found);
    }

    const Graph& graph_;
    Slot next_;
    std::vector<Slot> slot_;
    std::vector<std::uint32_t> last_use_;
    std::vector<Slot> free_, carried_;
    std::unordered_map<std::uint32_t, std::vector<Node>> expiring_;
};

Op op_for(Shape shape, std::size_t inputs) {
    const auto by_size = [inputs](Op two) {
        return static_cast<Op>(static_cast<int>(two) + static_cast<int>(std::min<std::size_t>(inputs, 5) - 2));
    };
    switch (shape) {
        case Shape::kAnd: return by_size(Op::kAnd2);
        case Shape::kOr: return by_size(Op::kOr2);
        case Shape::kBut: return by_size(Op::kBut2);
        case Shape::kNot: return Op::kNot;
        default: return Op::kCopy;
    }
}

bool is_many(Op op) { return op == Op::kAndMany || op == Op::kOrMany || op == Op::kButMany; }

Cone encode(const Schedule& schedule, const Graph& graph, const Allocator& slots) {
    Cone cone;
    std::uint32_t loop_start = 0;
    for (const Item& item : schedule) {
        if (item.kind != Item::kNode) {
            const auto& loop = graph.loop(item.index);
            const bool begins = item.kind == Item::kLoopBegin;
            cone.runs.push_back({begins ? Op::kLoopBegin : Op::kLoopEnd, static_cast<std::uint32_t>(loop.size()),
                                 loop_start, cone.operands.size()});
            for (const auto& [wire, definition] : loop) {
                cone.operands.push_back(slots.slot(wire));
                if (!begins) cone.operands.push_back(slots.slot(definition));
            }
            if (begins) loop_start = static_cast<std::uint32_t>(cone.runs.size());
            continue;
        }
        const auto& inputs = graph.inputs(item.index);
        const Op op = op_for(graph.shape(item.index), inputs.size());
        const bool starts_run = cone.runs.empty() || cone.runs.back().op != op || cone.runs.size() == loop_start;
        if (starts_run) cone.runs.push_back({op, 0, 0, cone.operands.size()});
        ++cone.runs.back().count;
        cone.operands.push_back(slots.slot(item.index));
        if (is_many(op)) cone.operands.push_back(static_cast<Slot>(inputs.size()));
        for (Node input : inputs) cone.operands.push_back(slots.slot(input));
        ++cone.gates;
        cone.inputs += inputs.size();
    }
    return cone;
}

std::vector<std::uint32_t> fluents_below(const std::vector<Node>& roots, const Graph& graph, std::uint32_t fluents) {
    std::vector<bool> seen(graph.size(), false);
    std::vector<Node> stack(roots);
    std::vector<std::uint32_t> found;
    while (!stack.empty()) {
        const Node node = stack.back();
        stack.pop_back();
        if (seen[node]) continue;
        seen[node] = true;
        if (node >= Program::kFluentSlots && node < Program::kFluentSlots + fluents) found.push_back(node - Program::kFluentSlots);
        for (Node input : graph.inputs(node)) stack.push_back(input);
        if (graph.shape(node) == Shape::kLoop)
            for (const auto& [wire, definition] : graph.loop(graph.component(node))) stack.push_back(definition);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

Program lower(const Circuit& circuit) {
    Graph graph(circuit);
    Program program;
    program.fluents = circuit.fluents;
    program.moves = circuit.moves;

    const Node terminal = graph.plain(circuit.terminal);
    std::vector<Node> legal, next, goals, percepts;
    for (Literal literal : circuit.legal) legal.push_back(graph.plain(literal));
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) {
        Node node = graph.plain(circuit.next[fluent]);
        // Another fluent's old value must be put aside before that fluent gets its new one.
        const bool is_other_fluent = node >= Program::kFluentSlots && node < program.first_move_slot();
        if (is_other_fluent && node != Program::kFluentSlots + fluent) node = graph.copy(node);
        next.push_back(node);
    }
    for (const Circuit::Goal& goal : circuit.goals) goals.push_back(graph.plain(goal.literal));
    for (const Circuit::Percept& percept : circuit.percepts) percepts.push_back(graph.plain(percept.literal));

    {
        Scheduler scheduler(graph);
        const Schedule first = scheduler.cone({terminal}), second = scheduler.cone(legal), third = scheduler.cone(next);
        Allocator allocator(graph, 1 + circuit.first_gate());
        allocator.run({&first, &second, &third}, {{terminal}, legal, next});
        program.terminal = encode(first, graph, allocator);
        program.legal = encode(second, graph, allocator);
        program.next = encode(third, graph, allocator);
        program.slots = allocator.slots();
        program.carried = allocator.carried();
        program.terminal_slot = allocator.slot(terminal);
        for (Node node : legal) program.legal_slots.push_back(allocator.slot(node));
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) {
            const Slot from = allocator.slot(next[fluent]), to = Program::kFluentSlots + fluent;
            if (from != to) program.transfers.emplace_back(to, from);
        }
    }
    {
        Scheduler scheduler(graph);
        const Schedule schedule = scheduler.cone(goals);
        Allocator allocator(graph, Program::kFluentSlots + circuit.fluents);
        allocator.run({&schedule}, {goals});
        program.goal = encode(schedule, graph, allocator);
        program.goal_slots = allocator.slots();
        program.goal_fluents = fluents_below(goals, graph, circuit.fluents);
        for (std::size_t i = 0; i < goals.size(); ++i)
            program.goals.push_back({circuit.goals[i].role, circuit.goals[i].value, allocator.slot(goals[i])});
    }
    {
        Scheduler scheduler(graph);
        const Schedule schedule = scheduler.cone(percepts);
        Allocator allocator(graph, 1 + circuit.first_gate());
        allocator.run({&schedule}, {percepts});
        program.percept = encode(schedule, graph, allocator);
        program.percept_slots = allocator.slots();
        for (std::size_t i = 0; i < percepts.size(); ++i)
            program.percepts.push_back({circuit.percepts[i].role, allocator.slot(percepts[i])});
    }
    return program;
}

}  // namespace ludorum
