#include <bit>

#include "circuit/compile/passes.h"
#include "circuit/compile/random_play.h"
#include "circuit/compile/rewrite.h"
#include "circuit/phases.h"

namespace ludorum::circuit {
namespace {

// A longer round would take too many circuits.
constexpr std::size_t kMostPhases = 8;
constexpr int kMostSteps = 40;
// A step must cost no more than this part of what it cost before, the wait for the beginning of a round included.
constexpr double kWorthwhile = 0.95;

// How many steps a game has in random play, at least.
double length(const Circuit& circuit, const std::vector<bool>& initial, Budget& budget) {
    RandomPlay play(circuit, initial);
    std::uint64_t alive = ~0ull;
    std::size_t steps = 0;
    for (int step = 0; step < kMostSteps && alive; ++step) {
        alive &= ~play.step();
        steps += static_cast<std::size_t>(std::popcount(alive));
        budget.spend(2 * circuit.inputs.size() + circuit.wires);
    }
    return std::max(1.0, static_cast<double>(steps) / 64);
}

// What a step costs: the inputs of all gates that it needs.
double cost(Circuit circuit) {
    circuit.goals.clear();
    circuit.percepts.clear();
    const std::vector<bool> needed = needed_wires(circuit);
    std::size_t inputs = 1;
    for (Wire wire = circuit.first_gate(); wire < circuit.wires; ++wire)
        if (needed[wire]) inputs += circuit.gate(wire).size();
    return static_cast<double>(inputs);
}

}  // namespace

Circuit find_turns(const Circuit& circuit, const std::vector<bool>& initial, Budget& budget) {
    Circuit result = circuit;
    result.turns = 1;
    result.phases = find_phases(circuit, initial, kMostPhases);
    if (result.phases.empty()) return result;
    const double phases = static_cast<double>(result.phases.size());
    result.turns = static_cast<std::uint32_t>(result.phases.size());
    double in_phases = 0;
    for (std::size_t phase = 0; phase < result.phases.size(); ++phase) {
        in_phases += cost(in_phase(result, phase)) / phases;
        budget.spend(circuit.inputs.size() + circuit.wires);
    }
    // A lane waits for half a round, on the average, before its next game begins.
    const double wait = (phases - 1) / 2 / length(circuit, initial, budget);
    if ((1 + wait) * in_phases > kWorthwhile * cost(circuit)) {
        result.turns = 1;
        result.phases.clear();
    }
    return result;
}

}  // namespace ludorum::circuit
