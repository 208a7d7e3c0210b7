#include "circuit/schedule.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ludorum::circuit {

Scheduler::Scheduler(const GateGraph& graph) : graph_(graph), done_(graph.size(), false), depth_(graph.size(), 0) {
    for (Node node = 0; node < graph.size(); ++node) done_[node] = graph.gate(node).is_given;
}

Schedule Scheduler::cone(const std::vector<Node>& roots) {
    std::map<std::uint32_t, std::vector<Item>> by_depth;
    for (Node node : postorder(roots)) {
        const std::uint32_t component = graph_.gate(node).component;
        if (component == kNoComponent) by_depth[depth_[node]].push_back({Item::kNode, node});
        else if (node == graph_.loop(component)[0].first) by_depth[depth_[node]].push_back({Item::kLoopBegin, component});
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

// A gate by itself, or all of a loop.
template <class Visit> void Scheduler::for_unit(Node node, Visit visit) const {
    const std::uint32_t component = graph_.gate(node).component;
    if (component == kNoComponent) return visit(node);
    for (const auto& [wire, definition] : graph_.loop(component)) visit(wire);
    for (Node member : graph_.members(component)) visit(member);
}

// What the unit of this node reads from outside.
template <class Visit> void Scheduler::for_inputs(Node node, Visit visit) const {
    const std::uint32_t component = graph_.gate(node).component;
    const auto visit_outside = [&](Node input) {
        if (component == kNoComponent || graph_.gate(input).component != component) visit(input);
    };
    for_unit(node, [&](Node member) {
        for (Node input : graph_.gate(member).inputs) visit_outside(input);
    });
    if (component != kNoComponent)
        for (const auto& [wire, definition] : graph_.loop(component)) visit_outside(definition);
}

// Units that are not done yet, inputs before what reads them; sets their depths.
std::vector<Node> Scheduler::postorder(const std::vector<Node>& roots) {
    std::vector<Node> order;
    std::vector<std::pair<Node, bool>> stack;
    for (Node root : roots) stack.emplace_back(root, false);
    while (!stack.empty()) {
        const auto [node, inputs_are_done] = stack.back();
        stack.pop_back();
        if (done_[node]) continue;
        if (!inputs_are_done) {
            stack.emplace_back(node, true);
            for_inputs(node, [&](Node input) { if (!done_[input]) stack.emplace_back(input, false); });
            continue;
        }
        std::uint32_t depth = 0;
        for_inputs(node, [&](Node input) { depth = std::max(depth, depth_[input] + 1); });
        for_unit(node, [&](Node member) {
            done_[member] = true;
            depth_[member] = depth;
            order.push_back(member);
        });
    }
    return order;
}

void Scheduler::sort_by_shape(std::vector<Item>& items) const {
    const auto key = [&](const Item& item) {
        if (item.kind != Item::kNode) return std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t>{255, 0, 0, 0};
        const GateGraph::Gate& gate = graph_.gate(item.index);
        return std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t>{static_cast<int>(gate.op), gate.shape.inputs,
                                                                            gate.shape.both, gate.shape.but};
    };
    std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return key(a) < key(b); });
}

void Scheduler::append_loop(std::uint32_t component, Schedule& schedule) const {
    schedule.push_back({Item::kLoopBegin, component});
    std::unordered_map<Node, std::uint32_t> depth;
    std::map<std::uint32_t, std::vector<Item>> by_depth;
    for (Node node : graph_.members(component)) {
        std::uint32_t deepest = 0;
        for (Node input : graph_.gate(node).inputs)
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

}  // namespace ludorum::circuit
