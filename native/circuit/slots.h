// slots.h: a place for every gate for as long as somebody reads it, by a
// linear scan over schedules that run one after another.
//
// In the literature: linear scan register allocation (Poletto and Sarkar 1999).
#pragma once

#include <unordered_map>
#include <vector>

#include "circuit/program.h"
#include "circuit/schedule.h"

namespace ludorum::circuit {

class SlotAllocator {
public:
    // The first `given` nodes keep the slots of their own numbers.
    SlotAllocator(const GateGraph& graph, Slot given);

    // Puts this node into that given node's slot if nobody reads the old value any more by then.
    void prefer(Node node, Slot slot) { preferred_[node].push_back(slot); }

    // The schedules in order, and what must still be there after each of them.
    void run(const std::vector<const Schedule*>& schedules, const std::vector<std::vector<Node>>& kept);

    Slot slot(Node node) const { return slots_[node]; }
    Slot count() const { return next_; }
    // Slots that the first schedule leaves for the others.
    const std::vector<Slot>& carried() const { return carried_; }

private:
    void use(Node node, std::uint32_t time);
    void note_uses(const Schedule& schedule, std::uint32_t& time);
    void place(Node node);
    bool place_as_preferred(Node node, std::uint32_t time);
    void release(std::uint32_t time);

    const GateGraph& graph_;
    Slot next_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> last_use_;
    std::vector<Slot> free_, carried_;
    std::unordered_map<std::uint32_t, std::vector<Node>> expiring_;
    std::unordered_map<Node, std::vector<Slot>> preferred_;
};

}  // namespace ludorum::circuit
