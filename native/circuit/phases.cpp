#include "circuit/phases.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

namespace ludorum::circuit {
namespace {

// A circuit made anew, with some of its fluents and moves given as constants.
class ConstantPropagation {
public:
    // `given`: a literal for the constant and for every fluent and move.
    ConstantPropagation(const Circuit& circuit, std::vector<Literal> given) : circuit_(circuit), values_(std::move(given)) {
        result_.fluents = circuit.fluents;
        result_.moves = circuit.moves;
        result_.wires = circuit.first_gate();
        result_.input_offsets.assign(std::size_t{result_.wires} + 1, 0);
        values_.resize(circuit.wires, kFalse);
        std::vector<bool> is_loop(circuit.wires, false);
        for (const Circuit::Loop& loop : circuit.loops) is_loop[loop.wire] = true;
        for (Wire wire = circuit.first_gate(); wire < circuit.wires; ++wire)
            values_[wire] = is_loop[wire] ? add({}) : all_of(circuit.gate(wire));
        for (const Circuit::Loop& loop : circuit.loops)
            result_.loops.push_back({wire_of(values_[loop.wire]), value(loop.definition), loop.component});
        for (Literal literal : circuit.next) result_.next.push_back(value(literal));
        for (Literal literal : circuit.legal) result_.legal.push_back(value(literal));
        result_.terminal = value(circuit.terminal);
    }

    Circuit take() { return std::move(result_); }

private:
    struct Hash {
        std::size_t operator()(const std::vector<Literal>& literals) const {
            std::size_t hash = literals.size();
            for (Literal literal : literals) hash = (hash ^ literal) * 0x9E3779B97F4A7C15ull + (hash >> 29);
            return hash;
        }
    };

    Literal value(Literal literal) const { return values_[wire_of(literal)] ^ (literal & 1); }

    Literal all_of(std::span<const Literal> inputs) {
        std::vector<Literal> kept;
        for (Literal input : inputs) {
            const Literal literal = value(input);
            if (literal == kFalse) return kFalse;
            if (literal != kTrue) kept.push_back(literal);
        }
        std::sort(kept.begin(), kept.end());
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        for (std::size_t i = 1; i < kept.size(); ++i)
            if (kept[i] == (kept[i - 1] ^ 1)) return kFalse;
        if (kept.empty()) return kTrue;
        if (kept.size() == 1) return kept.front();
        if (const auto known = gates_.find(kept); known != gates_.end()) return known->second;
        const Literal gate = add(kept);
        gates_.emplace(std::move(kept), gate);
        return gate;
    }

    Literal add(const std::vector<Literal>& inputs) {
        result_.inputs.insert(result_.inputs.end(), inputs.begin(), inputs.end());
        result_.input_offsets.push_back(static_cast<std::uint32_t>(result_.inputs.size()));
        return 2 * result_.wires++;
    }

    const Circuit& circuit_;
    std::vector<Literal> values_;  // of the wires of the old circuit
    Circuit result_;
    std::unordered_map<std::vector<Literal>, Literal, Hash> gates_;
};

enum class Truth : std::uint8_t { kNo, kYes, kUnknown };

// What is known of the next state if something is known of this one.
class TernarySimulation {
public:
    explicit TernarySimulation(const Circuit& circuit) : circuit_(circuit), values_(circuit.wires, Truth::kUnknown), is_loop_(circuit.wires, false) {
        values_[0] = Truth::kNo;
        for (const Circuit::Loop& loop : circuit.loops) is_loop_[loop.wire] = true;
    }

    std::vector<Truth> after(const std::vector<Truth>& fluents) {
        std::copy(fluents.begin(), fluents.end(), values_.begin() + 1);
        const auto moves = values_.begin() + circuit_.first_move();
        std::fill(moves, moves + circuit_.all_moves(), Truth::kUnknown);
        evaluate();
        for (std::size_t first = 0; std::uint32_t of_role : circuit_.moves) {
            std::size_t possible = 0;
            for (std::size_t move = first; move < first + of_role; ++move) possible += value(circuit_.legal[move]) != Truth::kNo;
            for (std::size_t move = first; move < first + of_role; ++move)
                if (value(circuit_.legal[move]) == Truth::kNo) moves[static_cast<std::ptrdiff_t>(move)] = Truth::kNo;
                else if (possible == 1) moves[static_cast<std::ptrdiff_t>(move)] = Truth::kYes;
            first += of_role;
        }
        evaluate();
        std::vector<Truth> next;
        for (Literal literal : circuit_.next) next.push_back(value(literal));
        return next;
    }

private:
    Truth value(Literal literal) const {
        const Truth truth = values_[wire_of(literal)];
        if (truth == Truth::kUnknown || !is_negated(literal)) return truth;
        return truth == Truth::kNo ? Truth::kYes : Truth::kNo;
    }

    void evaluate() {
        for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire) {
            if (is_loop_[wire]) continue;
            Truth all = Truth::kYes;
            for (Literal literal : circuit_.gate(wire)) {
                const Truth truth = value(literal);
                if (truth != Truth::kYes) all = truth;
                if (truth == Truth::kNo) break;
            }
            values_[wire] = all;
        }
    }

    const Circuit& circuit_;
    std::vector<Truth> values_;
    std::vector<bool> is_loop_;
};

// After how many steps a fluent, always known, first does what it did before; 0 if that is not seen.
std::size_t period(const std::vector<std::vector<Truth>>& walk, std::size_t fluent, std::size_t most) {
    for (const auto& state : walk)
        if (state[fluent] == Truth::kUnknown) return 0;
    for (std::size_t steps = 1; steps <= most; ++steps) {
        std::size_t at = steps;
        while (at < walk.size() && walk[at][fluent] == walk[at - steps][fluent]) ++at;
        if (at == walk.size()) return steps;
    }
    return 0;
}

}  // namespace

std::vector<std::vector<Literal>> find_phases(const Circuit& circuit, const std::vector<bool>& initial, std::size_t most) {
    TernarySimulation simulation(circuit);
    std::vector<Truth> start;
    for (bool holds : initial) start.push_back(holds ? Truth::kYes : Truth::kNo);
    // Who does not go round is taken to be unknown from the beginning, until all that are left go round without them.
    for (;;) {
        std::vector<std::vector<Truth>> walk{start};
        while (walk.size() <= 2 * most) {
            walk.push_back(simulation.after(walk.back()));
            for (std::size_t fluent = 0; fluent < start.size(); ++fluent)
                if (start[fluent] == Truth::kUnknown) walk.back()[fluent] = Truth::kUnknown;
        }
        std::size_t length = 1, longest = 0, left = 0;
        bool has_changed = false;
        std::vector<std::size_t> periods(start.size(), 0);
        for (std::size_t fluent = 0; fluent < start.size(); ++fluent) {
            if (start[fluent] == Truth::kUnknown) continue;
            periods[fluent] = period(walk, fluent, most);
            if (periods[fluent] > 1) {
                length = std::lcm(length, periods[fluent]);
                longest = std::max(longest, periods[fluent]);
                ++left;
            } else {
                start[fluent] = Truth::kUnknown;
                has_changed = true;
            }
        }
        if (left == 0) return {};
        if (length > most)
            for (std::size_t fluent = 0; fluent < start.size(); ++fluent)
                if (periods[fluent] == longest) start[fluent] = Truth::kUnknown, has_changed = true;
        if (has_changed) continue;
        std::vector<std::vector<Literal>> phases(length);
        for (std::size_t phase = 0; phase < length; ++phase)
            for (std::size_t fluent = 0; fluent < start.size(); ++fluent)
                if (start[fluent] != Truth::kUnknown)
                    phases[phase].push_back(static_cast<Literal>(2 * (fluent + 1) + (walk[phase][fluent] == Truth::kNo)));
        return phases;
    }
}

Circuit in_phase(const Circuit& circuit, std::size_t phase) {
    std::vector<Literal> given(circuit.first_gate());
    for (Wire wire = 1; wire < given.size(); ++wire) given[wire] = 2 * wire;
    for (Literal literal : circuit.phases[phase]) given[wire_of(literal)] = is_negated(literal) ? kFalse : kTrue;
    // What is legal does not depend on moves, so it is known what can be made before the rest is looked at.
    const Circuit here = ConstantPropagation(circuit, given).take();
    bool can_be_left = true;
    std::size_t move = 0;
    for (std::uint32_t moves : circuit.moves) {
        const auto first = here.legal.begin() + static_cast<std::ptrdiff_t>(move);
        const auto possible = static_cast<std::ptrdiff_t>(moves) - std::count(first, first + moves, kFalse);
        can_be_left &= possible > 0;
        for (const std::size_t end = move + moves; move < end; ++move)
            if (here.legal[move] == kFalse) given[circuit.first_move() + move] = kFalse;
            else if (possible == 1) given[circuit.first_move() + move] = kTrue;
    }
    Circuit folded = ConstantPropagation(here, given).take();
    // Where a role can never move nobody makes a step, so anything follows.
    if (!can_be_left) return folded;
    for (Literal literal : circuit.phases[(phase + 1) % circuit.phases.size()])
        if (folded.next[wire_of(literal) - 1] != (is_negated(literal) ? kFalse : kTrue))
            throw std::invalid_argument("not a circuit: a phase that does not lead to the next");
    return folded;
}

TurnCycle::TurnCycle(const Circuit& circuit) : phases_(static_cast<std::uint32_t>(circuit.phases.size())) {
    if (phases_ == 0) return;
    for (Literal literal : circuit.phases.front()) {
        const std::uint32_t fluent = wire_of(literal) - 1;
        if (masks_.empty() || masks_.back().word != fluent / 64) masks_.push_back({fluent / 64, 0});
        masks_.back().bits |= Bits{1} << (fluent % 64);
    }
    for (const auto& phase : circuit.phases)
        for (const Mask& mask : masks_) {
            Bits& value = values_.emplace_back(0);
            for (Literal literal : phase)
                if (const std::uint32_t fluent = wire_of(literal) - 1; fluent / 64 == mask.word && !is_negated(literal))
                    value |= Bits{1} << (fluent % 64);
        }
}

std::uint32_t TurnCycle::phase_of(const Bits* state) const {
    for (std::uint32_t phase = 0; phase < phases_; ++phase)
        if (is_in(state, phase)) return phase;
    return kNone;
}

}  // namespace ludorum::circuit
