#include "circuit/incremental_evaluator.h"

#include <algorithm>
#include <bit>

namespace ludorum::circuit {

IncrementalEvaluator::IncrementalEvaluator(const IncrementalPlan& plan)
    : plan_(plan),
      value_(plan.nodes, 0),
      false_inputs_(plan.false_inputs),
      marked_(words_for(plan.nodes), 0),
      has_lost_(plan.components.size(), 0),
      legal_(plan.moves.size()),
      state_(words_for(plan.fluents), 0),
      joint_(plan.moves.size(), ~0u) {
    for (Set& waiting : waiting_) waiting.resize(plan.nodes);
    for (std::size_t role = 0; role < legal_.size(); ++role) legal_[role].resize(plan.moves[role]);
    changing_.resize(plan.fluents);
    for (std::uint32_t role = 0; role < legal_.size(); ++role)
        for (std::uint32_t move = 0; move < plan.moves[role]; ++move)
            if (truth(plan.legal[plan.first_move[role] + move])) legal_[role].toggle(move);
    for (std::uint32_t fluent = 0; fluent < plan.fluents; ++fluent)
        if (truth(plan.next[fluent])) changing_.toggle(fluent);
    for (Node node = plan.tier_begin[0]; node < plan.nodes; ++node)
        if (false_inputs_[node] == 0) mark(node);
    for (std::uint32_t tier = 0; tier < IncrementalPlan::kTiers; ++tier) {
        propagate_waiting(tier);
        run(tier);
    }
}

// ---- questions ----

void IncrementalEvaluator::load(const Bits* state) {
    for (std::size_t word = 0; word < state_.size(); ++word)
        for (Bits differing = state[word] ^ state_[word]; differing; differing &= differing - 1)
            set_input(static_cast<Node>(1 + 64 * word + static_cast<std::size_t>(std::countr_zero(differing))));
    depth_ = 0;
}

bool IncrementalEvaluator::is_terminal() {
    flush(0);
    return truth(plan_.terminal);
}

const std::vector<std::uint32_t>& IncrementalEvaluator::legal(std::uint32_t role) {
    flush(1);
    return legal_[role].members;
}

void IncrementalEvaluator::legal_row(Bits* row) {
    flush(1);
    std::fill(row, row + words_for(plan_.all_moves), Bits{0});
    for (std::size_t role = 0; role < legal_.size(); ++role)
        for (std::uint32_t move : legal_[role].members) {
            const std::uint32_t bit = plan_.first_move[role] + move;
            row[bit / 64] |= Bits{1} << (bit % 64);
        }
}

void IncrementalEvaluator::goals(std::int16_t* values) {
    flush(3);
    std::vector<std::uint32_t> found(legal_.size(), 0);
    std::fill(values, values + legal_.size(), kNoGoal);
    for (const IncrementalPlan::Goal& goal : plan_.goals)
        if (truth(goal.literal)) values[goal.role] = ++found[goal.role] == 1 ? goal.value : kNoGoal;
}

void IncrementalEvaluator::make(const std::uint32_t* joint) {
    act(joint);
    if (depth_ == undo_.size()) undo_.emplace_back();
    std::vector<std::uint32_t>& changes = undo_[depth_++];
    changes = changing_.members;
    for (std::uint32_t fluent : changes) set_input(1 + fluent);
}

void IncrementalEvaluator::retract() {
    for (std::uint32_t fluent : undo_[--depth_]) set_input(1 + fluent);
}

void IncrementalEvaluator::successor(const std::uint32_t* joint, Bits* row) {
    act(joint);
    std::copy(state_.begin(), state_.end(), row);
    for (std::uint32_t fluent : changing_.members) row[fluent / 64] ^= Bits{1} << (fluent % 64);
}

// ---- what is given ----

// The moves stay until the next ones, so that every role always makes one, as the gates may assume; who asks for
// anything but the successor does not see them.
void IncrementalEvaluator::act(const std::uint32_t* joint) {
    for (std::size_t role = 0; role < joint_.size(); ++role) {
        if (joint_[role] == joint[role]) continue;
        const Node first = 1 + plan_.fluents + plan_.first_move[role];
        if (joint_[role] != ~0u) set_input(first + joint_[role]);
        set_input(first + joint[role]);
        joint_[role] = joint[role];
    }
    flush(2);
}

// Flips a fluent or a move. All who read it wait until they are asked.
void IncrementalEvaluator::set_input(Node input) {
    value_[input] ^= 1;
    if (input <= plan_.fluents) state_[(input - 1) / 64] ^= Bits{1} << ((input - 1) % 64);
    note(input);
    for (std::uint32_t tier = 0; tier < IncrementalPlan::kTiers; ++tier) {
        const std::size_t at = std::size_t{IncrementalPlan::kTiers} * input + tier;
        if (plan_.reader_offsets[at] != plan_.reader_offsets[at + 1]) waiting_[tier].toggle(input);
    }
}

void IncrementalEvaluator::note(Node node) {
    for (std::uint32_t i = plan_.watcher_offsets[node]; i < plan_.watcher_offsets[node + 1]; ++i) {
        const std::uint32_t watcher = plan_.watchers[i];
        if (watcher < plan_.fluents) {
            changing_.toggle(watcher);
        } else {
            const std::uint32_t move = watcher - plan_.fluents;
            const auto role = static_cast<std::size_t>(
                std::upper_bound(plan_.first_move.begin(), plan_.first_move.end(), move) - plan_.first_move.begin() - 1);
            legal_[role].toggle(move - plan_.first_move[role]);
        }
    }
}

// ---- propagation ----

void IncrementalEvaluator::flush(std::uint32_t last_tier) {
    for (std::uint32_t tier = 0; tier <= last_tier; ++tier) {
        if (waiting_[tier].members.empty()) continue;
        propagate_waiting(tier);
        run(tier);
    }
}

void IncrementalEvaluator::propagate_waiting(std::uint32_t tier) {
    Set& waiting = waiting_[tier];
    for (Node node : waiting.members) {
        waiting.place[node] = ~0u;
        propagate(node, tier);
    }
    waiting.members.clear();
}

void IncrementalEvaluator::run(std::uint32_t tier) {
    const Node end = plan_.tier_begin[tier + 1];
    for (Node node = next_marked(plan_.tier_begin[tier], end); node < end; node = next_marked(node, end)) visit(node, tier);
}

void IncrementalEvaluator::visit(Node node, std::uint32_t tier) {
    const std::uint32_t component = plan_.component_of[node];
    if (component != IncrementalPlan::kNoComponent) return solve(component, tier);
    marked_[node / 64] &= ~(Bits{1} << (node % 64));
    if ((false_inputs_[node] == 0) != (value_[node] != 0)) flip(node, tier);
}

void IncrementalEvaluator::flip(Node node, std::uint32_t tier) {
    value_[node] ^= 1;
    note(node);
    propagate(node, tier);
    for (std::uint32_t later = tier + 1; later < IncrementalPlan::kTiers; ++later) {
        const std::size_t at = std::size_t{IncrementalPlan::kTiers} * node + later;
        if (plan_.reader_offsets[at] != plan_.reader_offsets[at + 1]) waiting_[later].toggle(node);
    }
}

// Counts a flip in the readers of one tier, and marks those that flip too.
void IncrementalEvaluator::propagate(Node node, std::uint32_t tier) {
    const std::size_t at = std::size_t{IncrementalPlan::kTiers} * node + tier;
    const std::uint32_t value = value_[node];
    const bool has_components = !plan_.components.empty();
    for (std::uint32_t i = plan_.reader_offsets[at]; i < plan_.reader_offsets[at + 1]; ++i) {
        const std::uint32_t reader = plan_.readers[i];
        std::uint32_t& count = false_inputs_[reader >> 1];
        if (value != (reader & 1)) {
            if (--count == 0) mark(reader >> 1);
            if (has_components && plan_.polarity[reader >> 1] < 0) invalidate(reader >> 1);
        } else {
            if (count++ == 0) mark(reader >> 1);
        }
    }
}

// The least fixpoint of a component after something outside it has changed. Where nothing was lost, what held still
// does, and the fixpoint lies above it. Else loops might hold each other up: all are let go.
void IncrementalEvaluator::solve(std::uint32_t number, std::uint32_t tier) {
    const IncrementalPlan::Component& component = plan_.components[number];
    if (!visit_members(component, tier) || has_lost_[number] || component.is_mixed) {
        for (Node loop = component.begin; loop < component.loops_end; ++loop) {
            if (!value_[loop]) continue;
            flip(loop, tier);
            mark(loop);
        }
        visit_members(component, tier);
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (Node loop = next_marked(component.begin, component.loops_end); loop < component.loops_end;
             loop = next_marked(loop, component.loops_end)) {
            marked_[loop / 64] &= ~(Bits{1} << (loop % 64));
            if (value_[loop] || false_inputs_[loop] != 0) continue;
            flip(loop, tier);
            grew = true;
        }
        if (grew) visit_members(component, tier);
    }
    has_lost_[number] = 0;
}

// A gate that shrinks as the loops grow says that none of several things holds. One of those is gone, and another still
// holds, or will before the gate is visited: perhaps only because of the first.
void IncrementalEvaluator::invalidate(Node member) {
    has_lost_[plan_.component_of[member]] = 1;
    mark(member);
}

// The gates of a component with its loops as they are; whether nothing was lost.
bool IncrementalEvaluator::visit_members(const IncrementalPlan::Component& component, std::uint32_t tier) {
    bool only_gained = true;
    for (Node loop = next_marked(component.begin, component.loops_end); loop < component.loops_end;
         loop = next_marked(loop + 1, component.loops_end))
        only_gained &= !value_[loop] || false_inputs_[loop] == 0;
    for (Node node = next_marked(component.loops_end, component.end); node < component.end;
         node = next_marked(node, component.end)) {
        marked_[node / 64] &= ~(Bits{1} << (node % 64));
        if ((false_inputs_[node] == 0) == (value_[node] != 0)) continue;
        flip(node, tier);
        only_gained &= plan_.polarity[node] == (value_[node] ? 1 : -1);
    }
    return only_gained;
}

// The first node at or after `from` that is marked, or `end`.
IncrementalEvaluator::Node IncrementalEvaluator::next_marked(Node from, Node end) const {
    if (from >= end) return end;
    std::size_t word = from / 64;
    const std::size_t last = (end - 1) / 64;
    Bits bits = marked_[word] & (~Bits{0} << (from % 64));
    while (!bits && word < last) bits = marked_[++word];
    if (!bits) return end;
    return std::min(end, static_cast<Node>(64 * word + static_cast<std::size_t>(std::countr_zero(bits))));
}

}  // namespace ludorum::circuit
