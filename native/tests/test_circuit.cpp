#include <algorithm>
#include <utility>

#include "circuit/circuit.h"
#include "tests/builder.h"
#include "tests/check.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

// One of everything: two fluents, two roles, gates and a loop.
Builder small() {
    Builder builder(2, {2, 1});
    const Literal gate = builder.all_of({builder.fluent(0), negated(builder.fluent(1))});
    const Literal loop = builder.loop(0);
    builder.define(loop, builder.any_of({loop, gate}));
    builder.next(0) = builder.all_of({builder.move(0, 1), loop});
    builder.terminal() = loop;
    builder.legal(0, 0) = gate;
    builder.goal(0, 100, gate);
    builder.goal(1, 0, loop);
    builder.percept(1, builder.move(0, 0));
    return builder;
}

// What check() says of the small circuit after a change.
template <class Change> void refuse(const char* reason, Change change) {
    Circuit circuit = small().circuit();
    change(circuit);
    CHECK_THROWS(std::invalid_argument, reason, circuit.check());
}

Literal out_of_range(const Circuit& circuit) { return positive(circuit.wires); }
Literal a_move(const Circuit& circuit) { return positive(circuit.first_move()); }

}  // namespace

TEST("a circuit that keeps the rules is accepted") {
    small().circuit().check();
    Builder(0, {1}).circuit().check();
    Builder(0, {0, 3}).circuit().check();
    Generator random(1);
    for (int i = 0; i < 200; ++i) random_circuit(random).check();
}

TEST("wires, offsets and inputs must fit together") {
    refuse("fewer wires", [](Circuit& circuit) { circuit.wires = 3; });
    refuse("no roles", [](Circuit& circuit) { circuit.moves.clear(); });
    refuse("no turns", [](Circuit& circuit) { circuit.turns = 0; });
    refuse("too many wires", [](Circuit& circuit) { circuit.wires = 1u << 30; });
    refuse("offsets do not fit the wires", [](Circuit& circuit) { circuit.input_offsets.push_back(0); });
    refuse("offsets do not fit the inputs", [](Circuit& circuit) { circuit.inputs.push_back(kTrue); });
    refuse("offsets do not fit the inputs", [](Circuit& circuit) { circuit.input_offsets.front() = 1; });
    refuse("offsets decrease", [](Circuit& circuit) { circuit.input_offsets[circuit.first_gate() + 1] = 1000; });
}

TEST("a gate has inputs, all of them earlier, and nothing else has any") {
    refuse("a gate that reads a later wire", [](Circuit& circuit) { circuit.inputs[0] = positive(circuit.first_gate()); });
    refuse("a gate that reads a later wire", [](Circuit& circuit) { circuit.inputs[0] = out_of_range(circuit); });
    refuse("a gate without inputs", [](Circuit& circuit) {
        circuit.input_offsets.push_back(circuit.input_offsets.back());
        ++circuit.wires;
    });
    refuse("inputs of something that is no gate", [](Circuit& circuit) {
        circuit.inputs.insert(circuit.inputs.begin(), kTrue);
        for (Wire wire = circuit.first_move() + 1; wire <= circuit.wires; ++wire) ++circuit.input_offsets[wire];
    });
}

TEST("a loop has a wire of its own, a definition and a component") {
    refuse("a loop wire out of range", [](Circuit& circuit) { circuit.loops[0].wire = 1; });
    refuse("a loop wire out of range", [](Circuit& circuit) { circuit.loops[0].wire = circuit.wires; });
    refuse("a loop wire twice", [](Circuit& circuit) { circuit.loops.push_back(circuit.loops[0]); });
    refuse("a loop definition out of range", [](Circuit& circuit) { circuit.loops[0].definition = out_of_range(circuit); });
    refuse("a component out of range", [](Circuit& circuit) { circuit.loops[0].component = ~0u; });
    Builder builder(0, {1});
    builder.loop(1);
    builder.loop(0);
    CHECK_THROWS(std::invalid_argument, "not grouped by component", builder.circuit().check());
}

TEST("a component depends on itself and on earlier ones") {
    Builder builder(0, {1});
    const Literal first = builder.loop(0), second = builder.loop(1), third = builder.loop(1);
    builder.define(second, third);
    builder.define(third, builder.all_of({first, second}));
    builder.circuit().check();
    builder.define(first, builder.all_of({kTrue, second}));
    CHECK_THROWS(std::invalid_argument, "depends on a later component", builder.circuit().check());
    builder.define(first, third);
    CHECK_THROWS(std::invalid_argument, "depends on a later component", builder.circuit().check());
}

TEST("phases are told by the same fluents, in order") {
    const auto with = [](std::vector<std::vector<Literal>> phases) {
        return [phases](Circuit& circuit) {
            circuit.phases = phases;
            circuit.turns = static_cast<std::uint32_t>(std::max<std::size_t>(1, phases.size()));
        };
    };
    refuse("phases of unequal sizes", with({{2}, {}}));
    refuse("phases of unequal sizes", with({{}, {}}));
    refuse("phases of unequal sizes", with({{2}, {3, 4}}));
    refuse("a phase that is not told by fluents", with({{kTrue}}));
    refuse("a phase that is not told by fluents", [](Circuit& circuit) { circuit.phases = {{a_move(circuit)}}; });
    refuse("a phase that is not told by fluents", [](Circuit& circuit) { circuit.phases = {{out_of_range(circuit)}}; });
    refuse("phases that are told by different fluents", with({{2}, {4}}));
    refuse("a phase whose fluents are not in order", with({{4, 2}, {5, 3}}));
    refuse("a phase whose fluents are not in order", with({{2, 3}, {3, 2}}));
    refuse("not as many turns as phases", [](Circuit& circuit) { circuit.phases = {{2}, {3}}; });
}

TEST("answers must be there and point at wires") {
    refuse("not one next literal a fluent", [](Circuit& circuit) { circuit.next.pop_back(); });
    refuse("not one legal literal a move", [](Circuit& circuit) { circuit.legal.push_back(kTrue); });
    refuse("a next literal out of range", [](Circuit& circuit) { circuit.next[1] = out_of_range(circuit); });
    refuse("a legal literal out of range", [](Circuit& circuit) { circuit.legal[1] = out_of_range(circuit); });
    refuse("the terminal literal out of range", [](Circuit& circuit) { circuit.terminal = out_of_range(circuit); });
    refuse("a goal out of range", [](Circuit& circuit) { circuit.goals[0].literal = out_of_range(circuit); });
    refuse("a goal out of range", [](Circuit& circuit) { circuit.goals[1].role = 2; });
    refuse("goals are not grouped by role", [](Circuit& circuit) { std::swap(circuit.goals[0], circuit.goals[1]); });
    refuse("a percept out of range", [](Circuit& circuit) { circuit.percepts[0].literal = out_of_range(circuit); });
    refuse("a percept out of range", [](Circuit& circuit) { circuit.percepts[0].role = 2; });
}

TEST("what is asked before the moves cannot depend on them") {
    refuse("terminal depends on moves", [](Circuit& circuit) { circuit.terminal = a_move(circuit); });
    refuse("a legal literal depends on moves", [](Circuit& circuit) { circuit.legal[0] = negated(a_move(circuit)); });
    refuse("a goal depends on moves", [](Circuit& circuit) { circuit.goals[0].literal = a_move(circuit); });
    // Through a gate, and through a loop whose definition comes later than its wire.
    refuse("terminal depends on moves", [](Circuit& circuit) { circuit.terminal = circuit.next[0]; });
    Builder builder(0, {1});
    const Literal loop = builder.loop(0), reader = builder.all_of({loop, kTrue});
    builder.define(loop, builder.move(0, 0));
    builder.terminal() = reader;
    CHECK_THROWS(std::invalid_argument, "terminal depends on moves", builder.circuit().check());
}
