// Turns of random matches, with what is remembered of states that were met with before.
#include <algorithm>

#include "relations/workspace.h"
#include "support/splitmix64.h"

namespace ludorum::relations {
namespace {

// From 0 to below `count`; takes a random number in any case.
std::size_t choose(std::uint64_t& random, std::size_t count) {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(splitmix64(random)) * count) >> 64);
}

}  // namespace

RelationsSimulator::Workspace::Turn RelationsSimulator::Workspace::turn(std::uint64_t& random, bool may_move) {
    if (memory_.is_on() && (here_ != kNone || (here_ = memory_.number(state_)) != kNone)) return remembered_turn(random, may_move);
    if (machine_->is_terminal()) return Turn::kTerminal;
    const auto& moves = legal();
    joint_.resize(moves.size());
    bool is_stuck = false;
    for (std::size_t role = 0; role < moves.size(); ++role) {
        const std::size_t rank = choose(random, moves[role].size());
        is_stuck |= moves[role].empty();
        if (!moves[role].empty()) joint_[role] = ranked(moves[role], rank);
    }
    if (is_stuck) return Turn::kStuck;
    if (!may_move) return Turn::kMoved;
    move_on();
    return Turn::kMoved;
}

RelationsSimulator::Workspace::Turn RelationsSimulator::Workspace::remembered_turn(std::uint64_t& random, bool may_move) {
    if (!memory_.at(here_).is_known) study();
    const PlayMemory::Node& node = memory_.at(here_);
    if (node.is_terminal) return Turn::kTerminal;
    joint_.resize(node.legal.size());
    bool is_stuck = false;
    std::size_t edge = 0;
    for (std::size_t role = 0; role < node.legal.size(); ++role) {
        const std::size_t count = node.legal[role].size(), rank = choose(random, count);
        is_stuck |= count == 0;
        if (count > 0) joint_[role] = node.legal[role][rank];
        edge = edge * count + rank;
    }
    if (is_stuck) return Turn::kStuck;
    if (!may_move) return Turn::kMoved;
    const std::uint32_t successor = node.successors.empty() ? kNone : node.successors[edge];
    if (successor != kNone) {
        memory_.count(true);
        here_ = successor;
        is_loaded_ = false;
        return Turn::kMoved;
    }
    recall();
    if (!memory_.count(false)) {
        forget();
        memory_.turn_off();
        move_on();
        return Turn::kMoved;
    }
    const std::uint32_t from = here_;
    const std::uint64_t made = machines_made_;
    move_on();
    if (made != machines_made_) return Turn::kMoved;
    here_ = memory_.number(state_);
    if (here_ != kNone && !memory_.at(from).successors.empty()) memory_.at(from).successors[edge] = here_;
    return Turn::kMoved;
}

void RelationsSimulator::Workspace::move_on() {
    machine_->act(joint_);
    if (notes_percepts) {
        const auto& percepts = sees();
        for (std::size_t role = 0; role < percepts.size(); ++role)
            for (TermId term : percepts[role]) percept_number(role, term);
    }
    advance();
    if (++turns_ % 64 == 0 && machine_->is_worn()) refresh();
}

TermId RelationsSimulator::Workspace::ranked(const std::vector<TermId>& moves, std::size_t rank) {
    if (moves.size() == 1) return moves.front();
    order_.assign(moves.begin(), moves.end());
    std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(rank), order_.end(),
                     [&](TermId a, TermId b) { return comes_before(a, b); });
    return order_[rank];
}

void RelationsSimulator::Workspace::study() {
    recall();
    PlayMemory::Node& node = memory_.at(here_);
    node.is_terminal = machine_->is_terminal();
    if (!node.is_terminal) {
        node.legal = legal();
        std::size_t joints = 1;
        for (auto& moves : node.legal) {
            std::sort(moves.begin(), moves.end(), [&](TermId a, TermId b) { return comes_before(a, b); });
            joints = std::min(PlayMemory::kMostSuccessors + 1, joints * std::min(PlayMemory::kMostSuccessors + 1, moves.size()));
        }
        if (joints <= PlayMemory::kMostSuccessors) node.successors.assign(joints, kNone);
    }
    node.is_known = true;
}

void RelationsSimulator::Workspace::recall() {
    if (is_loaded_) return;
    state_ = memory_.at(here_).facts;
    machine_->load(state_);
    is_loaded_ = true;
}

}  // namespace ludorum::relations
