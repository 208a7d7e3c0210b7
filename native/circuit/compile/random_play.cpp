#include "circuit/compile/random_play.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "circuit/compile/rewrite.h"
#include "support/splitmix64.h"

namespace ludorum::circuit {

RandomPlay::RandomPlay(const Circuit& circuit, const std::vector<bool>& initial)
    : circuit_(circuit), initial_(initial), is_loop_(loop_wires(circuit)), values_(circuit.wires, 0) {
    for (std::size_t i = 0; i < circuit.loops.size(); ++i) {
        const Circuit::Loop& loop = circuit.loops[i];
        if (i == 0 || loop.component != circuit.loops[i - 1].component) components_.push_back({i, i, loop.wire, 0});
        Component& component = components_.back();
        component.end = i + 1;
        component.first = std::min(component.first, loop.wire);
        component.last = std::max(component.last, wire_of(loop.definition));
    }
    // What stands before all loops of a component and of those after it is final when they are reached.
    for (std::size_t i = components_.size(); i-- > 1;)
        components_[i - 1].first = std::min(components_[i - 1].first, components_[i].first);
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) values_[1 + fluent] = initial[fluent] ? ~0ull : 0;
}

std::uint64_t RandomPlay::step() {
    std::fill(values_.begin() + circuit_.first_move(), values_.begin() + circuit_.first_gate(), 0);
    evaluate();
    const std::uint64_t over = value(circuit_.terminal) | choose_moves();
    evaluate();
    std::vector<std::uint64_t> next(circuit_.fluents);
    for (std::uint32_t fluent = 0; fluent < circuit_.fluents; ++fluent)
        next[fluent] = (value(circuit_.next[fluent]) & ~over) | (initial_[fluent] ? over : 0);
    std::copy(next.begin(), next.end(), values_.begin() + 1);
    return over;
}

void RandomPlay::evaluate() {
    for (const Circuit::Loop& loop : circuit_.loops) values_[loop.wire] = 0;
    Wire done = circuit_.first_gate();
    for (const Component& component : components_) {
        evaluate(done, component.first);
        done = component.first;
        for (bool changes = true; changes;) {
            evaluate(done, component.last + 1);
            changes = false;
            for (std::size_t i = component.begin; i < component.end; ++i) {
                const std::uint64_t now = value(circuit_.loops[i].definition);
                changes |= std::exchange(values_[circuit_.loops[i].wire], now) != now;
            }
        }
    }
    evaluate(done, circuit_.wires);
}

void RandomPlay::evaluate(Wire begin, Wire end) {
    for (Wire wire = begin; wire < end; ++wire) {
        if (is_loop_[wire]) continue;
        std::uint64_t all = ~0ull;
        for (Literal literal : circuit_.gate(wire)) all &= value(literal);
        values_[wire] = all;
    }
}

std::uint64_t RandomPlay::choose_moves() {
    std::uint64_t stuck = 0;
    for (std::size_t first = 0; std::uint32_t moves : circuit_.moves) {
        // Reservoir sampling: the n-th legal move takes the place of the one before with a chance of one in n.
        std::array<std::uint32_t, 64> counts{}, chosen{};
        for (std::size_t move = first; move < first + moves; ++move)
            for (std::uint64_t games = value(circuit_.legal[move]); games; games &= games - 1) {
                const int game = std::countr_zero(games);
                if (below(++counts[game]) == 0) chosen[game] = static_cast<std::uint32_t>(move);
            }
        for (std::size_t game = 0; game < 64; ++game) {
            if (counts[game]) values_[circuit_.first_move() + chosen[game]] |= 1ull << game;
            else stuck |= 1ull << game;
        }
        first += moves;
    }
    return stuck;
}

std::uint32_t RandomPlay::below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((splitmix64(random_) >> 32) * count) >> 32);
}

}  // namespace ludorum::circuit
