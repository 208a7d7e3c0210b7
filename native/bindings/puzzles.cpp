// puzzles.cpp: the searches for the plan of a single role, as Python sees them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "search/puzzle/beam.h"
#include "search/puzzle/best_first.h"
#include "search/puzzle/breadth_first.h"
#include "search/puzzle/ida_star.h"
#include "search/puzzle/minimin.h"
#include "search/puzzle/nested.h"
#include "search/puzzle/relaxed_plan.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using puzzle::Beam;
using puzzle::BestFirst;
using puzzle::BreadthFirst;
using puzzle::GoalDistance;
using puzzle::Guide;
using puzzle::IdaStar;
using puzzle::Minimin;
using puzzle::Nested;
using puzzle::RelaxedPlan;
using puzzle::Canonicalizer;
using puzzle::Status;

const char* name_of(Status status) {
    switch (status) {
        case Status::kRunning: return "running";
        case Status::kSolved: return "solved";
        case Status::kExhausted: return "exhausted";
        case Status::kFull: return "full";
    }
    return "";
}

const Bits* puzzle_state(const Simulator& simulator, const List<std::uint64_t>& start) {
    if (simulator.shape().roles() != 1) throw std::invalid_argument("a plan is of one role");
    return single_state(simulator, start);
}

std::size_t checked_memory(std::int64_t memory) {
    if (memory <= 0) throw std::invalid_argument("memory must be more than 0 bytes");
    return static_cast<std::size_t>(memory);
}

template <class Search> const char* run(Search& self, double seconds) {
    return name_of(interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.run(puzzle::within(seconds, stop)); }));
}

}  // namespace

void bind_puzzles(nb::module_& m) {
    nb::class_<Guide>(m, "Guide", "What tells how far a state seems to be from the goal.")
        .def("__call__", [](Guide& self, List<std::uint64_t> state) { return self(state.data()); }, "state"_a);
    nb::class_<RelaxedPlan, Guide>(m, "RelaxedPlan", "The moves of a plan where nothing that holds ever ceases to.")
        .def("__init__", [](RelaxedPlan* self, const circuit::Circuit& circuit, std::uint32_t goal) {
            if (circuit.roles() != 1) throw std::invalid_argument("a plan is of one role");
            if (goal >= 2 * circuit.wires) throw std::invalid_argument("there is no such literal");
            new (self) RelaxedPlan(circuit, goal);
        }, "circuit"_a, "goal"_a);
    nb::class_<GoalDistance, Guide>(m, "GoalDistance", "How far a state seems to be from a goal, by the goal's formula.")
        .def("__init__", [](GoalDistance* self, std::uint32_t fluents, List<std::uint32_t> offsets, List<std::uint32_t> inputs,
                            std::uint32_t root) {
            new (self) GoalDistance(fluents, to_vector(offsets), to_vector(inputs), root);
        }, "fluents"_a, "offsets"_a, "inputs"_a, "root"_a);

    nb::class_<BreadthFirst>(m, "BreadthFirst", "All states that can be reached, the nearest first.")
        .def("__init__", [](BreadthFirst* self, const Simulator& simulator, List<std::uint64_t> start, int target, std::int64_t memory,
                            std::vector<std::uint32_t> counter, std::vector<std::vector<std::uint32_t>> symmetries) {
            const Bits* state = puzzle_state(simulator, start);
            Canonicalizer canonicalizer(simulator.shape().fluents, std::move(counter), std::move(symmetries));
            new (self) BreadthFirst(simulator, std::move(canonicalizer), state, target, checked_memory(memory));
        }, "simulator"_a, "start"_a, "target"_a, "memory"_a, "counter"_a, "symmetries"_a, nb::keep_alive<1, 2>())
        .def("run", &run<BreadthFirst>, "seconds"_a, "Goes on for so long: 'running', 'solved', 'exhausted' or 'full'.")
        .def_prop_ro("value", [](const BreadthFirst& self) { return self.best().value; })
        .def_prop_ro("plan", [](const BreadthFirst& self) { return self.best().plan; })
        .def_prop_ro("states", &BreadthFirst::states)
        .def_prop_ro("depth", &BreadthFirst::depth)
        .def_prop_ro("ceiling", &BreadthFirst::ceiling);

    nb::class_<BestFirst>(m, "BestFirst", "A*: the states that look nearest to the goal first.")
        .def("__init__", [](BestFirst* self, const Simulator& simulator, List<std::uint64_t> start, int target, std::int64_t memory,
                            std::vector<std::uint32_t> counter, std::vector<std::vector<std::uint32_t>> symmetries,
                            std::shared_ptr<Guide> guide, std::uint32_t weight) {
            const Bits* state = puzzle_state(simulator, start);
            if (weight > 1000) throw std::invalid_argument("weight must be between 0 and 1000");
            Canonicalizer canonicalizer(simulator.shape().fluents, std::move(counter), std::move(symmetries));
            new (self) BestFirst(simulator, std::move(canonicalizer), std::move(guide), state, target, weight, checked_memory(memory));
        }, "simulator"_a, "start"_a, "target"_a, "memory"_a, "counter"_a, "symmetries"_a, "guide"_a, "weight"_a,
           nb::keep_alive<1, 2>())
        .def("run", &run<BestFirst>, "seconds"_a, "Goes on for so long: 'running', 'solved', 'exhausted' or 'full'.")
        .def_prop_ro("value", [](const BestFirst& self) { return self.best().value; })
        .def_prop_ro("plan", [](const BestFirst& self) { return self.best().plan; })
        .def_prop_ro("states", &BestFirst::states)
        .def_prop_ro("nearest", &BestFirst::nearest);

    nb::class_<IdaStar>(m, "IdaStar", "Depth-first search to a bound that grows, with a table of states.")
        .def("__init__", [](IdaStar* self, const Simulator& simulator, List<std::uint64_t> start, int target, std::int64_t memory,
                            std::vector<std::vector<std::uint32_t>> symmetries, std::shared_ptr<Guide> guide) {
            const Bits* state = puzzle_state(simulator, start);
            Canonicalizer canonicalizer(simulator.shape().fluents, {}, std::move(symmetries));
            new (self) IdaStar(simulator, std::move(canonicalizer), std::move(guide), state, target, checked_memory(memory));
        }, "simulator"_a, "start"_a, "target"_a, "memory"_a, "symmetries"_a, "guide"_a.none(), nb::keep_alive<1, 2>())
        .def("run", &run<IdaStar>, "seconds"_a, "Goes on for so long: 'running', 'solved' or 'exhausted'.")
        .def_prop_ro("value", [](const IdaStar& self) { return self.best().value; })
        .def_prop_ro("plan", [](const IdaStar& self) { return self.best().plan; })
        .def_prop_ro("states", &IdaStar::states)
        .def_prop_ro("bound", &IdaStar::bound);

    nb::class_<Minimin>(m, "Minimin", "Looks a few steps ahead, makes the best move, and learns from it.")
        .def("__init__", [](Minimin* self, const Simulator& simulator, List<std::uint64_t> start, int target, std::int64_t memory,
                            std::shared_ptr<Guide> guide, std::uint32_t lookahead, std::uint64_t seed, std::uint32_t max_steps) {
            const Bits* state = puzzle_state(simulator, start);
            if (lookahead < 1 || lookahead > 20) throw std::invalid_argument("lookahead must be between 1 and 20");
            Canonicalizer canonicalizer(simulator.shape().fluents, {}, {});
            new (self) Minimin(simulator, std::move(canonicalizer), std::move(guide), state, target, lookahead, seed, max_steps,
                               checked_memory(memory));
        }, "simulator"_a, "start"_a, "target"_a, "memory"_a, "guide"_a, "lookahead"_a, "seed"_a, "max_steps"_a, nb::keep_alive<1, 2>())
        .def("run", &run<Minimin>, "seconds"_a, "Goes on for so long: 'running', 'solved' or 'exhausted'.")
        .def_prop_ro("value", [](const Minimin& self) { return self.best().value; })
        .def_prop_ro("plan", [](const Minimin& self) { return self.best().plan; })
        .def_prop_ro("states", &Minimin::states)
        .def_prop_ro("rounds", &Minimin::rounds);

    nb::class_<Beam>(m, "Beam", "Beam search, wider and wider.")
        .def("__init__", [](Beam* self, const Simulator& simulator, List<std::uint64_t> start, int target, std::int64_t memory,
                            std::vector<std::uint32_t> counter, std::vector<std::vector<std::uint32_t>> symmetries,
                            std::optional<GoalDistance> distance, std::uint64_t seed, std::uint32_t max_steps) {
            const Bits* state = puzzle_state(simulator, start);
            Canonicalizer canonicalizer(simulator.shape().fluents, std::move(counter), std::move(symmetries));
            new (self) Beam(simulator, std::move(canonicalizer), std::move(distance), state, target, seed, max_steps, checked_memory(memory));
        }, "simulator"_a, "start"_a, "target"_a, "memory"_a, "counter"_a, "symmetries"_a, "distance"_a.none(), "seed"_a,
           "max_steps"_a, nb::keep_alive<1, 2>())
        .def("run", &run<Beam>, "seconds"_a, "Goes on for so long: 'running', 'solved' or 'exhausted'.")
        .def_prop_ro("value", [](const Beam& self) { return self.best().value; })
        .def_prop_ro("plan", [](const Beam& self) { return self.best().plan; })
        .def_prop_ro("states", &Beam::states)
        .def_prop_ro("width", &Beam::width);

    nb::class_<Nested>(m, "Nested", "Nested Monte-Carlo search, again and again.")
        .def("__init__", [](Nested* self, const Simulator& simulator, List<std::uint64_t> start, int target,
                            std::optional<GoalDistance> distance, std::uint32_t level, std::uint64_t seed, std::uint32_t max_steps) {
            const Bits* state = puzzle_state(simulator, start);
            if (level < 1 || level > 9) throw std::invalid_argument("level must be between 1 and 9");
            new (self) Nested(simulator, std::move(distance), state, target, level, seed, max_steps);
        }, "simulator"_a, "start"_a, "target"_a, "distance"_a.none(), "level"_a, "seed"_a, "max_steps"_a, nb::keep_alive<1, 2>())
        .def("run", [](Nested& self, double seconds, std::uint64_t rounds) {
            return name_of(interruptibly([&](const std::atomic<std::int32_t>& stop) {
                return self.run(puzzle::within(seconds, stop), rounds);
            }));
        }, "seconds"_a, "rounds"_a, "Goes on for so long, or until so many rounds were played: 'running' or 'solved'.")
        .def_prop_ro("value", [](const Nested& self) { return self.best().value; })
        .def_prop_ro("plan", [](const Nested& self) { return self.best().plan; })
        .def_prop_ro("rounds", &Nested::rounds)
        .def_prop_ro("playouts", &Nested::playouts);
}

}  // namespace ludorum::bindings
