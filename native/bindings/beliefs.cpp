// beliefs.cpp: sets of states that are possible for a role, as Python sees them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "belief/advance.h"
#include "belief/planning.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using belief::Advanced;
using belief::Ending;
using belief::WeightedStates;

const char* name_of(Ending ending) {
    switch (ending) {
        case Ending::kDone: return "done";
        case Ending::kTooManyStates: return "too many states";
        case Ending::kTooManyTries: return "too many tries";
        case Ending::kOutOfTime: return "out of time";
    }
    return "";
}

using States = std::tuple<Array<std::uint64_t>, Array<double>>;

States to_arrays(const WeightedStates& found) {
    auto rows = make_array<std::uint64_t>({found.size(), found.words()});
    auto weights = make_array<double>({found.size()});
    std::copy(found.rows(), found.rows() + found.size() * found.words(), rows.data());
    std::copy(found.weights().begin(), found.weights().end(), weights.data());
    return {rows, weights};
}

belief::Turn make_turn(const Simulator& simulator, std::uint32_t seat, std::vector<std::int64_t> moves,
                       const std::optional<List<std::uint64_t>>& told) {
    const Shape& shape = simulator.shape();
    if (seat >= shape.roles() || moves.size() != shape.roles()) throw std::invalid_argument("not one move a role");
    for (std::size_t role = 0; role < moves.size(); ++role)
        if (moves[role] != belief::kUnknownMove && (moves[role] < 0 || moves[role] >= static_cast<std::int64_t>(shape.moves[role])))
            throw std::invalid_argument("a move number out of range");
    if (told && told->size() != shape.percept_words()) throw std::invalid_argument("percepts have the wrong number of words");
    return {seat, std::move(moves), told ? told->data() : nullptr};
}

void check_weights(const Rows<std::uint64_t>& states, const List<double>& weights) {
    if (weights.size() != states.shape(0)) throw std::invalid_argument("not one weight a state");
}

belief::MoveClasses make_classes(const Simulator& simulator, const List<std::uint32_t>& classes) {
    const std::uint32_t moves = simulator.shape().all_moves;
    if (classes.size() != 0 && classes.size() != moves) throw std::invalid_argument("not one class a move");
    for (std::size_t move = 0; move < classes.size(); ++move)
        if (classes.data()[move] >= moves) throw std::invalid_argument("a class out of range");
    return to_vector(classes);
}

}  // namespace

void bind_beliefs(nb::module_& m) {
    m.def("advance_belief", [](const Simulator& simulator, Rows<std::uint64_t> states, List<double> weights, std::uint32_t seat,
                               std::vector<std::int64_t> moves, std::optional<List<std::uint64_t>> told, List<std::uint32_t> classes,
                               std::size_t most_states, std::uint64_t most_tries, double seconds) {
        check_states(simulator, states);
        check_weights(states, weights);
        const belief::Turn turn = make_turn(simulator, seat, std::move(moves), told);
        const belief::MoveClasses alike = make_classes(simulator, classes);
        const Advanced found = interruptibly([&](const std::atomic<std::int32_t>& stop) {
            return belief::advance(simulator, states.data(), weights.data(), states.shape(0), turn, alike,
                                   {most_states, most_tries, seconds}, stop);
        });
        auto [rows, sums] = to_arrays(found.states);
        return std::make_tuple(rows, sums, name_of(found.ending), found.tries);
    }, "simulator"_a, "states"_a, "weights"_a, "seat"_a, "moves"_a, "told"_a.none(), "classes"_a, "most_states"_a, "most_tries"_a,
       "seconds"_a,
       "All states that are possible after a turn of which a role knows some moves (-1: unknown) and its percepts (None: not told), "
       "their weights, how it ended ('done', or what there was too little of) and how many joint moves were tried.");
    m.def("advance_sample", [](const Simulator& simulator, Rows<std::uint64_t> states, List<double> weights, std::uint32_t seat,
                               std::vector<std::int64_t> moves, std::optional<List<std::uint64_t>> told, List<std::uint32_t> classes,
                               std::size_t most_states, std::uint64_t most_tries, double seconds, std::uint64_t seed) {
        check_states(simulator, states);
        check_weights(states, weights);
        if (most_states == 0) throw std::invalid_argument("a sample has at least one state");
        const belief::Turn turn = make_turn(simulator, seat, std::move(moves), told);
        const belief::MoveClasses alike = make_classes(simulator, classes);
        const Advanced found = interruptibly([&](const std::atomic<std::int32_t>& stop) {
            return belief::advance_some(simulator, states.data(), weights.data(), states.shape(0), turn, alike,
                                        {most_states, most_tries, seconds}, seed, stop);
        });
        return to_arrays(found.states);
    }, "simulator"_a, "states"_a, "weights"_a, "seat"_a, "moves"_a, "told"_a.none(), "classes"_a, "most_states"_a, "most_tries"_a,
       "seconds"_a, "seed"_a, "A sample of those states, with weights that are right on average.");
    nb::class_<belief::Planner>(m, "BeliefPlanner", "What a role's moves are worth by what it knows and will be told.")
        .def("__init__", [](belief::Planner* self, const Simulator& simulator, std::uint32_t seat, double ceiling) {
            if (seat >= simulator.shape().roles()) throw std::invalid_argument("no such role");
            new (self) belief::Planner(simulator, seat, ceiling);
        }, "simulator"_a, "seat"_a, "ceiling"_a, nb::keep_alive<1, 2>())
        .def("plan", [](belief::Planner& self, Rows<std::uint64_t> states, List<double> weights, std::uint32_t horizon,
                        std::uint64_t most_tries, double seconds) {
            check_states(self.simulator(), states);
            check_weights(states, weights);
            if (horizon < 1 || horizon > 100) throw std::invalid_argument("a horizon is of 1 to 100 turns");
            const belief::Plan plan = interruptibly([&](const std::atomic<std::int32_t>& stop) {
                return self.plan(states.data(), weights.data(), states.shape(0), horizon, most_tries, seconds, stop);
            });
            std::vector<std::pair<std::uint32_t, double>> moves;
            for (const belief::MoveValue& found : plan.moves) moves.emplace_back(found.move, found.value);
            return std::make_tuple(moves, plan.is_exact, plan.is_done);
        }, "states"_a, "weights"_a, "horizon"_a, "most_tries"_a, "seconds"_a,
           "The value of every move that is legal in all states, whether it is exact, and whether it came to the end.")
        .def_prop_ro("tries", &belief::Planner::tries);
    m.def("thin_states", [](Rows<std::uint64_t> states, List<double> weights, std::size_t most, std::uint64_t seed) {
        check_weights(states, weights);
        if (most == 0) throw std::invalid_argument("a sample has at least one state");
        WeightedStates kept(states.shape(1));
        {
            GilRelease release;
            WeightedStates all(states.shape(1));
            for (std::size_t i = 0; i < states.shape(0); ++i) all.add(states.data() + i * states.shape(1), weights.data()[i]);
            kept = belief::thinned(all, most, seed);
        }
        return to_arrays(kept);
    }, "states"_a, "weights"_a, "most"_a, "seed"_a, "About so many of the states, with weights that are right on average.");
}

}  // namespace ludorum::bindings
