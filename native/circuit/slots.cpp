#include "circuit/slots.h"

#include <algorithm>

namespace ludorum::circuit {

SlotAllocator::SlotAllocator(const GateGraph& graph, Slot given)
    : graph_(graph), next_(given), slots_(graph.size(), kNoNode), last_use_(graph.size(), 0) {
    for (Node node = 0; node < given; ++node) slots_[node] = node;
}

void SlotAllocator::run(const std::vector<const Schedule*>& schedules, const std::vector<std::vector<Node>>& kept) {
    // Time 0 is before everything, so that what is never read is known from what is read first.
    std::uint32_t time = 1;
    std::vector<std::uint32_t> ends;
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        note_uses(*schedules[i], time);
        for (Node node : kept[i]) use(node, time);
        ends.push_back(time++);
    }
    time = 1;
    for (const Schedule* schedule : schedules) {
        for (const Item& item : *schedule) {
            if (item.kind == Item::kLoopBegin)
                for (const auto& [wire, definition] : graph_.loop(item.index)) place(wire);
            // A gate may write where it reads: operands are loaded before the result is stored.
            release(time);
            if (item.kind == Item::kNode && !place_as_preferred(item.index, time)) place(item.index);
            ++time;
        }
        release(time++);
    }
    const auto carry = [&](Node node) {
        if (last_use_[node] > ends[0]) carried_.push_back(slots_[node]);
    };
    for (const Item& item : *schedules.front()) {
        if (item.kind == Item::kNode) carry(item.index);
        if (item.kind == Item::kLoopBegin)
            for (const auto& [wire, definition] : graph_.loop(item.index)) carry(wire);
    }
}

void SlotAllocator::use(Node node, std::uint32_t time) { last_use_[node] = std::max(last_use_[node], time); }

void SlotAllocator::note_uses(const Schedule& schedule, std::uint32_t& time) {
    // What a loop reads from outside is read until the loop has ended.
    std::vector<Node> read_in_loop;
    bool in_loop = false;
    for (const Item& item : schedule) {
        if (item.kind == Item::kNode) {
            use(item.index, time);
            for (Node input : graph_.gate(item.index).inputs) {
                use(input, time);
                if (in_loop && graph_.gate(input).component != graph_.gate(item.index).component) read_in_loop.push_back(input);
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

void SlotAllocator::place(Node node) {
    if (free_.empty()) {
        slots_[node] = next_++;
    } else {
        slots_[node] = free_.back();
        free_.pop_back();
    }
    expiring_[last_use_[node]].push_back(node);
}

bool SlotAllocator::place_as_preferred(Node node, std::uint32_t time) {
    const auto found = preferred_.find(node);
    if (found == preferred_.end() || graph_.gate(node).component != kNoComponent) return false;
    for (Slot slot : found->second)
        if (last_use_[slot] <= time) {
            slots_[node] = slot;
            return true;
        }
    return false;
}

void SlotAllocator::release(std::uint32_t time) {
    const auto found = expiring_.find(time);
    if (found == expiring_.end()) return;
    for (Node node : found->second) free_.push_back(slots_[node]);
    expiring_.erase(found);
}

}  // namespace ludorum::circuit
