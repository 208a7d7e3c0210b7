// circuit_expand.cpp: successors with all that a tree search asks of them, without leaving the lanes in between.
#include <algorithm>
#include <bit>
#include <limits>

#include "circuit/circuit_simulator.h"
#include "circuit/circuit_workspace.h"

namespace ludorum::circuit {

namespace {

constexpr std::uint64_t first_bits(std::size_t count) { return count < 64 ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0}; }

}  // namespace

// The payoffs of those of the 64 lanes of a column that are wanted; a row a lane.
void CircuitSimulator::read_payoffs(const CircuitCode& code, const std::uint64_t* goal_slots, std::uint32_t column,
                                    std::uint64_t wanted, std::int16_t* values) const {
    constexpr std::int16_t kNone = std::numeric_limits<std::int16_t>::max();
    const std::size_t roles = shape_.roles();
    for (std::uint64_t left = wanted; left; left &= left - 1)
        std::fill_n(values + static_cast<std::size_t>(std::countr_zero(left)) * roles, roles, kNone);
    for (std::size_t g = 0; g < code.goal_roles_.size(); ++g)
        for (std::uint64_t left = goal_slots[code.goal_slots_[g] + column] & wanted; left; left &= left - 1) {
            std::int16_t& value = values[static_cast<std::size_t>(std::countr_zero(left)) * roles + code.goal_roles_[g]];
            value = std::min(value, code.goal_values_[g]);
        }
    for (std::uint64_t left = wanted; left; left &= left - 1) {
        std::int16_t* row = values + static_cast<std::size_t>(std::countr_zero(left)) * roles;
        std::replace(row, row + roles, kNone, std::int16_t{0});
    }
}

void CircuitSimulator::payoffs(const Bits* states, std::size_t count, std::int16_t* values) const {
    const CircuitCode& code = code_for(count);
    auto work = borrow(code);
    std::uint64_t* slots = work->goal_slots.data();
    by_lanes(code, program_, shape_, {states, count}, slots, [&](std::size_t first, std::size_t end) {
        code.kernels().evaluate(code.goal_.code(), slots);
        for_columns(first, end, code.columns(), [&](std::size_t at, std::size_t some, std::uint32_t column) {
            read_payoffs(code, slots, column, first_bits(some), values + at * shape_.roles());
        });
    });
    give_back(std::move(work));
}

void CircuitSimulator::expand(const Bits* states, const std::uint32_t* parents, std::size_t count, const std::uint32_t* joint,
                              bool all_payoffs, Successors found) const {
    const CircuitCode& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->slots.data();
    std::uint64_t* fluents = slots + Program::kFluentSlots * n;
    std::uint64_t* goal_slots = work->goal_slots.data();
    const std::size_t state_words = shape_.state_words(), legal_words = shape_.legal_words(), roles = shape_.roles();
    const std::uint32_t phase = program_.turn_cycle.phase_of_all(count, [&](std::size_t i) { return states + parents[i] * state_words; });
    const std::uint32_t phase_after = phase == TurnCycle::kNone ? phase : program_.turn_cycle.after(phase);
    const KernelGame &before = work->game(phase), &after = work->game(phase_after);
    const ScaledSteps& steps = code.steps(phase_after);
    for (std::size_t first = 0; first < count; first += code.lanes()) {
        const std::size_t end = std::min<std::size_t>(count, first + code.lanes());
        std::uint64_t* moves = slots + std::size_t{program_.first_move_slot()} * n;
        std::fill_n(moves, std::size_t{shape_.all_moves} * n, std::uint64_t{0});
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_planes([&](std::size_t i) { return states + parents[at + i] * state_words; }, state_words, some, shape_.fluents,
                      fluents, n, column);
            set_moves(shape_, joint + at * roles, some, moves, n, column);
        });
        if (!code.steps(phase).carried.empty()) code.kernels().evaluate(before.terminal, slots);
        code.kernels().evaluate(before.legal, slots);
        code.kernels().evaluate(before.next, slots);
        code.kernels().transfer(before, slots);
        code.kernels().evaluate(after.terminal, slots);
        std::uint64_t over[8], any_over = 0;
        for_columns(first, end, n, [&](std::size_t, std::size_t, std::uint32_t column) {
            over[column] = slots[after.terminal_slot + column];
        });
        code.kernels().evaluate(after.legal, slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            std::size_t move = 0;
            for (std::uint32_t role_moves : shape_.moves) {
                std::uint64_t able = 0;
                for (const std::size_t last = move + role_moves; move < last; ++move) able |= slots[steps.legal_slots[move] + column];
                over[column] |= ~able;
            }
            over[column] &= first_bits(some);
            any_over |= over[column];
            for (std::size_t i = 0; i < some; ++i) found.over[at + i] = (over[column] >> i) & 1;
            if (found.legal)
                to_rows([&](std::size_t number) { return slots + steps.legal_slots[number]; }, shape_.all_moves, legal_words, some,
                        found.legal + at * legal_words, column);
            to_rows([&](std::size_t fluent) { return fluents + fluent * n; }, shape_.fluents, state_words, some,
                    found.states + at * state_words, column);
        });
        if (!all_payoffs && !any_over) continue;
        for (std::uint32_t fluent : code.goal_fluents_) std::copy_n(slots + fluent, n, goal_slots + fluent);
        code.kernels().evaluate(code.goal_.code(), goal_slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            read_payoffs(code, goal_slots, column, all_payoffs ? first_bits(some) : over[column], found.payoffs + at * roles);
        });
    }
    give_back(std::move(work));
}

}  // namespace ludorum::circuit
