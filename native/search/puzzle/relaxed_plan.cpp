#include "search/puzzle/relaxed_plan.h"

#include <algorithm>

namespace ludorum::puzzle {

using circuit::Literal;
using circuit::Wire;
using circuit::wire_of;

namespace {

constexpr std::uint32_t kNever = 1u << 30;

std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return std::min(kNever, a + b); }

}  // namespace

std::uint32_t RelaxedPlan::operator()(const Bits* state) {
    find_costs(state);
    return costs_[goal_] >= kNever ? kFar : std::min(kFar, count_moves());
}

void RelaxedPlan::find_costs(const Bits* state) {
    const circuit::Circuit& c = circuit_;
    costs_.assign(2 * std::size_t{c.wires}, kNever);
    order_.assign(costs_.size(), 0);
    std::uint32_t now = 0;
    bool is_new = true;
    const auto lower = [&](Literal literal, std::uint32_t cost) {
        if (cost >= costs_[literal]) return;
        costs_[literal] = cost;
        order_[literal] = ++now;
        is_new = true;
    };
    lower(circuit::kTrue, 0);
    for (std::uint32_t fluent = 0; fluent < c.fluents; ++fluent)
        lower(2 * (1 + fluent) + !((state[fluent / 64] >> (fluent % 64)) & 1), 0);
    // That a move is not made, and that what rules go round for does not hold, costs nothing.
    for (Wire wire = c.first_move(); wire < c.first_gate(); ++wire) lower(2 * wire + 1, 0);
    for (const auto& loop : c.loops) lower(2 * loop.wire + 1, 0);
    while (is_new) {
        is_new = false;
        // What does not read moves settles before they are looked at; all is looked at until nothing becomes cheaper.
        for (Wire wire = c.first_gate(); wire < c.wires; ++wire) {
            const auto inputs = c.gate(wire);
            if (inputs.empty()) continue;
            std::uint32_t all = 0, none = kNever;
            for (Literal input : inputs) {
                all = sum(all, costs_[input]);
                none = std::min(none, costs_[input ^ 1]);
            }
            lower(2 * wire, all);
            lower(2 * wire + 1, none);
        }
        for (const auto& loop : c.loops) lower(2 * loop.wire, costs_[loop.definition]);
        for (std::uint32_t move = 0; move < c.legal.size(); ++move)
            if (costs_[c.legal[move]] < kNever) lower(2 * (c.first_move() + move), sum(costs_[c.legal[move]], 1));
        for (std::uint32_t fluent = 0; fluent < c.fluents; ++fluent) {
            lower(2 * (1 + fluent), costs_[c.next[fluent]]);
            lower(2 * (1 + fluent) + 1, costs_[c.next[fluent] ^ 1]);
        }
    }
}

// Back from the goal, by what made each literal as cheap as it is.
std::uint32_t RelaxedPlan::count_moves() {
    const circuit::Circuit& c = circuit_;
    is_wanted_.assign(costs_.size(), 0);
    wanted_.assign(1, goal_);
    std::uint32_t moves = 0;
    const auto want = [&](Literal literal) {
        if (costs_[literal] > 0 && !is_wanted_[literal]) {
            is_wanted_[literal] = 1;
            wanted_.push_back(literal);
        }
    };
    is_wanted_[goal_] = 1;
    std::vector<Literal> definitions;
    while (!wanted_.empty()) {
        const Literal literal = wanted_.back();
        wanted_.pop_back();
        const Wire wire = wire_of(literal);
        if (costs_[literal] == 0) continue;
        if (wire >= 1 && wire <= c.fluents) {
            want(c.next[wire - 1] ^ (literal & 1));
        } else if (wire < c.first_gate()) {
            ++moves;
            want(c.legal[wire - c.first_move()]);
        } else if (const auto inputs = c.gate(wire); inputs.empty()) {
            for (const auto& loop : c.loops)
                if (loop.wire == wire) want(loop.definition);
        } else if (literal & 1) {
            Literal cheapest = inputs.front() ^ 1;
            for (Literal input : inputs)
                if (std::pair(costs_[input ^ 1], order_[input ^ 1]) < std::pair(costs_[cheapest], order_[cheapest])) cheapest = input ^ 1;
            want(cheapest);
        } else {
            for (Literal input : inputs) want(input);
        }
    }
    return moves;
}

}  // namespace ludorum::puzzle
