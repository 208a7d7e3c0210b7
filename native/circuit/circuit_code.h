// circuit_code.h: a program made ready for one width: where slots were, there
// are words. Inside the circuit's simulator only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "circuit/choice.h"
#include "circuit/kernels/kernels.h"
#include "circuit/program.h"

namespace ludorum::circuit {

// A cone for one width: operands scaled to words.
struct ScaledCone {
    ScaledCone(const Cone& cone, std::uint32_t columns) : operands(cone.operands) {
        for (const Run& run : cone.runs) runs.push_back({run.op, run.shape, run.count, run.target, run.operands});
        for (std::uint32_t& operand : operands) operand *= columns;
    }

    KernelCode code() const { return {runs.data(), static_cast<std::uint32_t>(runs.size()), operands.data()}; }

    std::vector<KernelRun> runs;
    std::vector<std::uint32_t> operands;
};

// The moves that a role can make at all, as choosing among them needs them.
struct ScaledRole {
    std::vector<std::uint32_t> legal, chosen, number, place;
    bool is_bound = false, shares_moves = false;
    ChoiceTree tree;
    std::vector<KernelChoiceNode> nodes;
};

// Steps for one width.
struct ScaledSteps {
    ScaledSteps(const Steps& steps, const Program& program, std::uint32_t columns)
        : terminal(steps.terminal, columns),
          legal(steps.legal, columns),
          next(steps.next, columns),
          terminal_slot(steps.terminal_slot * columns),
          carried(steps.carried) {
        for (auto [to, from] : steps.transfers) {
            transfer_to.push_back(to * columns);
            transfer_from.push_back(from * columns);
        }
        for (Slot slot : steps.legal_slots) legal_slots.push_back(slot * columns);
        const bool is_any = &steps == &program.any;
        for (std::uint32_t first = 0; std::uint32_t moves : program.moves) {
            ScaledRole& role = roles.emplace_back();
            for (std::uint32_t move = first; move < first + moves; ++move) {
                const bool is_possible = is_any || steps.legal_slots[move] != 0;
                role.place.push_back(is_possible ? static_cast<std::uint32_t>(role.legal.size()) : kNoPlace);
                if (!is_possible) continue;
                role.legal.push_back(legal_slots[move]);
                role.chosen.push_back((program.first_move_slot() + move) * columns);
                role.number.push_back(move * columns);
            }
            first += moves;
            role.is_bound = !is_any && role.legal.size() == 1;
            role.tree = choice_tree(static_cast<std::uint32_t>(role.legal.size()));
            for (const ChoiceNode& node : role.tree.nodes) role.nodes.push_back({node.left, node.right, node.bits, node.planes});
        }
    }

    ScaledCone terminal, legal, next;
    std::uint32_t terminal_slot;
    std::vector<Slot> carried;
    std::vector<std::uint32_t> transfer_to, transfer_from, legal_slots;
    std::vector<ScaledRole> roles;
};

// The program for one width.
class CircuitCode {
public:
    CircuitCode(const Program& program, const Kernels& kernels)
        : goal_(program.goal, kernels.columns), percept_(program.percept, kernels.columns), kernels_(kernels) {
        const std::uint32_t n = kernels.columns;
        steps_.emplace_back(program.any, program, n);
        for (const Steps& steps : program.phases) steps_.emplace_back(steps, program, n);
        mark_shared_moves();
        for (const ScaledRole& role : steps_.front().roles)
            if (!role.nodes.empty()) rank_bits_ = std::max(rank_bits_, role.nodes.back().bits);
        for (std::uint32_t fluent : program.goal_fluents) goal_fluents_.push_back((Program::kFluentSlots + fluent) * n);
        for (const GoalSlot& goal : program.goals) {
            goal_roles_.push_back(goal.role);
            goal_values_.push_back(goal.value);
            goal_slots_.push_back(goal.slot * n);
        }
    }

    const Kernels& kernels() const { return kernels_; }
    std::uint32_t columns() const { return kernels_.columns; }
    std::uint32_t lanes() const { return 64 * kernels_.columns; }

    // Those of a phase, or those that are right for any state.
    const ScaledSteps& steps(std::uint32_t phase) const { return steps_[phase == TurnCycle::kNone ? 0 : 1 + phase]; }
    std::span<const ScaledSteps> all_steps() const { return steps_; }

    ScaledCone goal_, percept_;
    std::vector<std::uint32_t> goal_fluents_, goal_roles_, goal_slots_;
    std::vector<std::int16_t> goal_values_;
    std::uint32_t rank_bits_ = 0;  // of the largest number of moves

private:
    void mark_shared_moves() {
        for (std::size_t r = 0; r < steps_.front().roles.size(); ++r)
            for (std::size_t a = 1; a < steps_.size(); ++a)
                for (std::size_t b = 1; b < steps_.size(); ++b) {
                    ScaledRole &one = steps_[a].roles[r], &other = steps_[b].roles[r];
                    if (a == b || one.is_bound || other.is_bound) continue;
                    one.shares_moves |= std::find_first_of(one.chosen.begin(), one.chosen.end(), other.chosen.begin(),
                                                           other.chosen.end()) != one.chosen.end();
                }
    }

    std::vector<ScaledSteps> steps_;
    const Kernels& kernels_;
};

}  // namespace ludorum::circuit
