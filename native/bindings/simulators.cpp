// simulators.cpp: engines as Python sees them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "circuit/circuit_simulator.h"
#include "engine/outcomes.h"
#include "engine/perft.h"
#include "search/drivers.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using namespace circuit;

Circuit make_circuit(std::uint32_t fluents, std::vector<std::uint32_t> moves, std::uint32_t turns,
                     std::vector<std::vector<std::uint32_t>> phases, const List<std::uint32_t>& offsets,
                     const List<std::uint32_t>& inputs, const List<std::uint32_t>& loop_wires,
                     const List<std::uint32_t>& loop_definitions, const List<std::uint32_t>& loop_components,
                     const List<std::uint32_t>& next, const List<std::uint32_t>& legal, std::uint32_t terminal,
                     const std::vector<std::tuple<std::uint32_t, std::int16_t, std::uint32_t>>& goals,
                     const std::vector<std::pair<std::uint32_t, std::uint32_t>>& percepts) {
    Circuit circuit;
    circuit.fluents = fluents;
    circuit.moves = std::move(moves);
    circuit.turns = turns;
    circuit.phases = std::move(phases);
    circuit.input_offsets = to_vector(offsets);
    if (circuit.input_offsets.empty()) throw std::invalid_argument("not a circuit: no input offsets");
    circuit.wires = static_cast<std::uint32_t>(circuit.input_offsets.size() - 1);
    circuit.inputs = to_vector(inputs);
    if (loop_wires.size() != loop_definitions.size() || loop_wires.size() != loop_components.size())
        throw std::invalid_argument("not a circuit: loops of unequal lengths");
    for (std::size_t i = 0; i < loop_wires.size(); ++i)
        circuit.loops.push_back({loop_wires.data()[i], loop_definitions.data()[i], loop_components.data()[i]});
    circuit.next = to_vector(next);
    circuit.legal = to_vector(legal);
    circuit.terminal = terminal;
    for (auto [role, value, literal] : goals) circuit.goals.push_back({role, value, literal});
    for (auto [role, literal] : percepts) circuit.percepts.push_back({role, literal});
    std::stable_sort(circuit.goals.begin(), circuit.goals.end(), [](const auto& a, const auto& b) { return a.role < b.role; });
    return circuit;
}

nb::typed<nb::dict, nb::str, nb::any> describe(const CircuitSimulator& simulator) {
    const Program& program = simulator.program();
    nb::typed<nb::dict, nb::str, nb::any> result;
    const auto cone = [](const Cone& code) {
        nb::dict entry;
        entry["gates"] = code.gates;
        entry["inputs"] = code.inputs;
        entry["runs"] = code.runs.size();
        return entry;
    };
    const auto tell = [&](nb::dict into, const Steps& steps) {
        into["terminal"] = cone(steps.terminal);
        into["legal"] = cone(steps.legal);
        into["next"] = cone(steps.next);
        into["carried"] = steps.carried.size();
        into["transfers"] = steps.transfers.size();
    };
    tell(result, program.any);
    result["goal"] = cone(program.goal);
    result["percept"] = cone(program.percept);
    nb::list phases;
    for (const Steps& steps : program.phases) {
        nb::dict phase;
        tell(phase, steps);
        phases.append(phase);
    }
    result["phases"] = phases;
    result["slots"] = program.slots;
    result["goal_slots"] = program.goal_slots;
    return result;
}

nb::typed<nb::dict, nb::str, nb::any> describe(const search::DriverRun& run) {
    nb::typed<nb::dict, nb::str, nb::any> result;
    result["seconds"] = run.seconds;
    result["nodes"] = run.nodes;
    result["completed"] = run.completed;
    result["is_whole"] = run.is_whole;
    result["playouts"] = run.playouts;
    return result;
}

}  // namespace

void bind_simulators(nb::module_& m) {
    m.def("available_lanes", [] {
        std::vector<std::pair<std::uint32_t, std::string>> found;
        for (const KernelChoice& choice : available_kernels()) found.emplace_back(64 * choice.kernels->columns, choice.instructions);
        return found;
    }, "The widths that can be used here, each with its instruction set.");

    nb::class_<Simulator>(m, "Simulator", "Answers for many states at once; search needs nothing else of an engine.")
        .def_prop_ro("move_counts", [](const Simulator& self) { return self.shape().moves; }, "How many moves each role has in rows of bits.")
        .def_prop_ro("percept_roles", [](const Simulator& self) { return self.shape().percepts; }, "For every percept its role.")
        .def("decisive_moves", [](const Simulator& self) {
            GilRelease released;
            return self.decisive_moves();
        }, "How many moves decisive playouts can see to end the game at once.")
        .def("terminal_and_legal", [](const Simulator& self, Rows<std::uint64_t> states) {
            check_states(self, states);
            auto terminal = make_array<std::uint8_t>({states.shape(0)});
            auto legal = make_array<std::uint64_t>({states.shape(0), self.shape().legal_words()});
            {
                GilRelease released;
                self.terminal_and_legal(states.data(), states.shape(0), terminal.data(), legal.data());
            }
            return std::make_tuple(terminal, legal);
        }, "states"_a, "Whether states are terminal, and the legal moves as bits.")
        .def("step", [](const Simulator& self, Rows<std::uint64_t> states, Rows<std::uint32_t> joint) {
            check_states(self, states);
            check_joint(self, states, joint);
            auto successors = make_array<std::uint64_t>({states.shape(0), states.shape(1)});
            {
                GilRelease released;
                self.step(states.data(), states.shape(0), joint.data(), successors.data());
            }
            return successors;
        }, "states"_a, "joint"_a, "The successors of states; the moves must be legal.")
        .def("goals", [](const Simulator& self, Rows<std::uint64_t> states) {
            check_states(self, states);
            auto values = make_array<std::int16_t>({states.shape(0), self.shape().roles()});
            {
                GilRelease released;
                self.goals(states.data(), states.shape(0), values.data());
            }
            return values;
        }, "states"_a, "Goal values by state and role; -1 where not exactly one holds.")
        .def("percepts", [](const Simulator& self, Rows<std::uint64_t> states, Rows<std::uint32_t> joint) {
            check_states(self, states);
            check_joint(self, states, joint);
            auto told = make_array<std::uint64_t>({states.shape(0), self.shape().percept_words()});
            {
                GilRelease released;
                self.percepts(states.data(), states.shape(0), joint.data(), told.data());
            }
            return told;
        }, "states"_a, "joint"_a, "What is perceived after joint moves, as bits.")
        .def("playouts", [](const Simulator& self, List<std::uint64_t> state, std::int64_t n, std::uint64_t seed,
                            std::int64_t threads, std::int64_t max_steps, std::int64_t lanes) {
            const Bits* start = single_state(self, state);
            if (n < 0) throw std::invalid_argument("playouts cannot be fewer than 0");
            if (threads < 1 || threads > 1024) throw std::invalid_argument("threads must be between 1 and 1024");
            if (max_steps < 0 || max_steps > 0x7FFFFFFF) throw std::invalid_argument("max_steps must be between 0 and 2^31 - 1");
            if (lanes != 0 && lanes != 64 && lanes != 256 && lanes != 512)
                throw std::invalid_argument("lanes must be 64, 256 or 512");
            const std::size_t playouts = static_cast<std::size_t>(n);
            auto goals = make_array<std::int16_t>({playouts, self.shape().roles()});
            auto lengths = make_array<std::int32_t>({playouts});
            auto outcomes = make_array<std::uint8_t>({playouts});
            PlayoutSpec spec{playouts, seed, static_cast<std::uint32_t>(threads), static_cast<std::uint32_t>(max_steps),
                             static_cast<std::uint32_t>(lanes)};
            PlayoutResults results{goals.data(), lengths.data(), outcomes.data()};
            const PlayoutWork work = interruptibly([&](const std::atomic<std::int32_t>& stop) {
                return self.playouts(start, spec, results, stop);
            });
            return std::make_tuple(goals, lengths, outcomes, work.lanes, work.steps, work.goal_evaluations);
        }, "state"_a, "n"_a, "seed"_a, "threads"_a, "max_steps"_a, "lanes"_a,
           "Random matches: goals, lengths, outcomes, and lanes, steps and goal evaluations made.")
        .def("mean_outcomes", [](const Simulator& self, Rows<std::uint64_t> states, std::uint32_t playouts, std::uint64_t seed,
                                 std::uint32_t max_steps, double seconds) {
            check_states(self, states);
            if (playouts < 1) throw std::invalid_argument("at least one playout from a state");
            const OutcomeSpec spec{playouts, seed, max_steps, seconds};
            std::vector<float> means(states.shape(0) * self.shape().roles());
            const std::size_t done = interruptibly([&](const std::atomic<std::int32_t>& stop) {
                return mean_outcomes(self, states.data(), states.shape(0), spec, means.data(), stop);
            });
            auto rows = make_array<float>({done, self.shape().roles()});
            std::copy_n(means.begin(), rows.size(), rows.data());
            return rows;
        }, "states"_a, "playouts"_a, "seed"_a, "max_steps"_a, "seconds"_a,
           "What random matches from the first states bring on average, as far as there is time; no number where none ends.")
        .def("perft", [](const Simulator& self, List<std::uint64_t> state, std::uint32_t depth) {
            const Bits* start = single_state(self, state);
            return interruptibly([&](const std::atomic<std::int32_t>& stop) { return perft(self, start, depth, stop); });
        }, "state"_a, "depth"_a, "Numbers of sequences of joint moves, a number a depth.")
        .def("joint_moves", [](const Simulator& self, List<std::uint64_t> state, std::uint64_t limit) {
            const Bits* start = single_state(self, state);
            const auto joints = joint_moves(self, start, limit);
            const std::size_t roles = self.shape().roles();
            auto rows = make_array<std::uint32_t>({joints.size() / roles, roles});
            std::copy(joints.begin(), joints.end(), rows.data());
            return rows;
        }, "state"_a, "limit"_a, "All joint moves in a state, as move numbers.")
        .def("deepen", [](const Simulator& self, List<std::uint64_t> state, double seconds, std::size_t at_once) {
            const Bits* start = single_state(self, state);
            if (at_once < 1) throw std::invalid_argument("at least one state at once");
            return describe(interruptibly([&](const std::atomic<std::int32_t>& stop) { return search::deepen(self, start, seconds, at_once, stop); }));
        }, "state"_a, "seconds"_a, "at_once"_a, "Iterative deepening without values: seconds, nodes, nodes of completed depths.")
        .def("play_on", [](const Simulator& self, List<std::uint64_t> state, double seconds, std::uint64_t seed) {
            const Bits* start = single_state(self, state);
            return describe(interruptibly([&](const std::atomic<std::int32_t>& stop) { return search::play_on(self, start, seconds, seed, stop); }));
        }, "state"_a, "seconds"_a, "seed"_a, "Random matches for some seconds: seconds, nodes, playouts.");

    nb::class_<Circuit>(m, "Circuit", "A game as a network of gates over fluents and moves.")
        .def("__init__", [](Circuit* self, std::uint32_t fluents, std::vector<std::uint32_t> moves, std::uint32_t turns,
                            std::vector<std::vector<std::uint32_t>> phases, List<std::uint32_t> offsets,
                            List<std::uint32_t> inputs, List<std::uint32_t> loop_wires,
                            List<std::uint32_t> loop_definitions, List<std::uint32_t> loop_components,
                            List<std::uint32_t> next, List<std::uint32_t> legal, std::uint32_t terminal,
                            std::vector<std::tuple<std::uint32_t, std::int16_t, std::uint32_t>> goals,
                            std::vector<std::pair<std::uint32_t, std::uint32_t>> percepts) {
            Circuit circuit = make_circuit(fluents, std::move(moves), turns, std::move(phases), offsets, inputs, loop_wires,
                                           loop_definitions, loop_components, next, legal, terminal, goals, percepts);
            circuit.check();
            new (self) Circuit(std::move(circuit));
        }, "fluents"_a, "moves"_a, "turns"_a, "phases"_a, "offsets"_a, "inputs"_a, "loop_wires"_a, "loop_definitions"_a,
           "loop_components"_a, "next"_a, "legal"_a, "terminal"_a, "goals"_a, "percepts"_a)
        .def_ro("turns", &Circuit::turns)
        .def_ro("phases", &Circuit::phases)
        .def_ro("next", &Circuit::next)
        .def_ro("legal", &Circuit::legal, "A literal a move, role by role.")
        .def_ro("terminal", &Circuit::terminal)
        .def_prop_ro("gates", [](const Circuit& self) { return self.wires - self.first_gate() - self.loops.size(); })
        .def_prop_ro("inputs", [](const Circuit& self) { return self.inputs.size(); }, "What the gates read together.")
        .def_prop_ro("gate_inputs", [](const Circuit& self) {
            const Wire first = self.first_gate();
            nb::object gates = nb::steal(PyTuple_New(self.wires - first));
            for (Wire wire = first; wire < self.wires; ++wire) {
                const auto inputs = self.gate(wire);
                PyObject* gate = PyTuple_New(static_cast<Py_ssize_t>(inputs.size()));
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    PyTuple_SET_ITEM(gate, static_cast<Py_ssize_t>(i), PyLong_FromUnsignedLong(inputs[i]));
                PyTuple_SET_ITEM(gates.ptr(), wire - first, gate);
            }
            return nb::borrow<nb::typed<nb::tuple, nb::typed<nb::tuple, int, nb::ellipsis>, nb::ellipsis>>(gates);
        }, "The literals that every wire after the given ones reads.")
        .def_prop_ro("loops", [](const Circuit& self) {
            std::vector<std::tuple<Wire, Literal, std::uint32_t>> loops;
            for (const Circuit::Loop& loop : self.loops) loops.emplace_back(loop.wire, loop.definition, loop.component);
            return loops;
        }, "Wires, definitions and components.")
        .def_prop_ro("goals", [](const Circuit& self) {
            std::vector<std::tuple<std::uint32_t, std::int16_t, Literal>> goals;
            for (const Circuit::Goal& goal : self.goals) goals.emplace_back(goal.role, goal.value, goal.literal);
            return goals;
        }, "Roles, values and literals.")
        .def_prop_ro("percepts", [](const Circuit& self) {
            std::vector<std::pair<std::uint32_t, Literal>> percepts;
            for (const Circuit::Percept& percept : self.percepts) percepts.emplace_back(percept.role, percept.literal);
            return percepts;
        }, "Roles and literals.")
        .def("find_phases", [](const Circuit& self, const std::vector<std::uint32_t>& initial, std::size_t most) {
            std::vector<bool> holds(self.fluents, false);
            for (std::uint32_t fluent : initial) holds.at(fluent) = true;
            GilRelease released;
            return find_phases(self, holds, most);
        }, "initial"_a, "most"_a,
           "Literals that hold in the phases through which some fluents go by themselves, from a state where these fluents hold.");

    nb::class_<CircuitSimulator, Simulator>(m, "CircuitSimulator", "Plays a circuit on many states at once.")
        .def(nb::init<const Circuit&>(), "circuit"_a)
        .def("deepen_incremental", [](const CircuitSimulator& self, List<std::uint64_t> state, double seconds) {
            const Bits* start = single_state(self, state);
            IncrementalEvaluator evaluator(self.incremental_plan());
            return describe(interruptibly([&](const std::atomic<std::int32_t>& stop) { return search::deepen(evaluator, self.shape(), start, seconds, stop); }));
        }, "state"_a, "seconds"_a, "The same, one state at a time, recomputing what a move changes.")
        .def("play_on_incremental", [](const CircuitSimulator& self, List<std::uint64_t> state, double seconds, std::uint64_t seed) {
            const Bits* start = single_state(self, state);
            IncrementalEvaluator evaluator(self.incremental_plan());
            return describe(interruptibly([&](const std::atomic<std::int32_t>& stop) {
                return search::play_on(evaluator, self.shape(), start, seconds, seed, stop);
            }));
        }, "state"_a, "seconds"_a, "seed"_a, "The same, one state at a time, recomputing what a move changes.")
        .def("describe", [](const CircuitSimulator& self) { return describe(self); }, "Sizes of the cones: gates, inputs, runs, slots.")
        .def("fastest_lanes", [](const CircuitSimulator& self, List<std::uint64_t> state) {
            const Bits* start = single_state(self, state);
            GilRelease released;
            return self.fastest_lanes(start);
        }, "state"_a, "The width that plays fastest here, by a short trial.");
}

}  // namespace ludorum::bindings
