// relations.cpp: the relational engine as Python sees it.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "relations/relations_simulator.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using namespace relations;

using Text = std::vector<std::int32_t>;
using Numbers = std::vector<std::uint32_t>;
// Kind, target, out, back, fail, iterator, arguments, outputs.
using OperationTuple = std::tuple<std::uint8_t, std::uint32_t, std::int32_t, std::int32_t, std::int32_t, std::uint32_t, Text, Text>;
using RuleTuple = std::tuple<std::uint32_t, std::uint32_t, std::vector<OperationTuple>>;
// Name, level, bound, free, whether it is recursive, rules.
using ProcedureTuple = std::tuple<std::string, std::uint8_t, std::uint32_t, std::uint32_t, bool, std::vector<RuleTuple>>;
// Name, level, arity, procedure, facts.
using SetTuple = std::tuple<std::string, std::uint8_t, std::uint32_t, std::int32_t, std::vector<Text>>;
using ViewTuple = std::tuple<std::uint32_t, Text, std::uint32_t>;
using IndexTuple = std::tuple<std::uint32_t, Numbers, Numbers>;

Level level_of(std::uint8_t level) {
    if (level > static_cast<std::uint8_t>(Level::kJoint)) throw std::invalid_argument("not a program: a level");
    return static_cast<Level>(level);
}

relations::Program make_program(std::uint32_t constants, Numbers arities, std::vector<Text> ground_terms, const std::vector<SetTuple>& sets,
                                const std::vector<ViewTuple>& views, const std::vector<IndexTuple>& indexes,
                                const std::vector<ProcedureTuple>& procedures, const Numbers& questions, Numbers roles,
                                std::vector<std::int16_t> goal_values) {
    relations::Program program;
    program.constants = constants;
    program.arities = std::move(arities);
    program.ground_terms = std::move(ground_terms);
    for (const auto& [name, level, arity, procedure, facts] : sets) program.sets.push_back({name, level_of(level), arity, procedure, facts});
    for (const auto& [set, pattern, leaves] : views) program.views.push_back({set, pattern, leaves});
    for (const auto& [view, bound, free] : indexes) program.indexes.push_back({view, bound, free});
    for (const auto& [name, level, bound, free, is_recursive, rules] : procedures) {
        Procedure& procedure = program.procedures.emplace_back();
        procedure.name = name;
        procedure.level = level_of(level);
        procedure.bound = bound;
        procedure.free = free;
        procedure.is_recursive = is_recursive;
        for (const auto& [registers, iterators, operations] : rules) {
            Rule& rule = procedure.rules.emplace_back();
            rule.registers = registers;
            rule.iterators = iterators;
            for (const auto& [kind, target, out, back, fail, iterator, arguments, outputs] : operations) {
                if (kind > static_cast<std::uint8_t>(Kind::kEmit)) throw std::invalid_argument("not a program: an operation");
                rule.operations.push_back({static_cast<Kind>(kind), target, out, back, fail, arguments, outputs, iterator});
            }
        }
    }
    if (questions.size() != 8) throw std::invalid_argument("not a program: eight questions");
    program.true_set = questions[0];
    program.does_set = questions[1];
    program.init_set = questions[2];
    program.next_set = questions[3];
    program.legal_set = questions[4];
    program.goal_set = questions[5];
    program.sees_set = questions[6];
    program.terminal = questions[7];
    program.roles = std::move(roles);
    program.goal_values = std::move(goal_values);
    return program;
}

Array<std::uint64_t> to_array(const std::vector<Bits>& row) {
    auto array = make_array<std::uint64_t>({row.size()});
    std::copy(row.begin(), row.end(), array.data());
    return array;
}

Numbers checked_joint(const RelationsSimulator& simulator, const Numbers& joint) {
    if (joint.size() != simulator.shape().roles()) throw std::invalid_argument("not one move a role");
    for (std::uint32_t role = 0; role < joint.size(); ++role)
        if (joint[role] >= simulator.known_moves(role)) throw std::invalid_argument("a move number out of range");
    return joint;
}

nb::typed<nb::dict, nb::str, nb::any> describe(const Sample& sample) {
    nb::typed<nb::dict, nb::str, nb::any> result;
    result["states"] = sample.states;
    result["work"] = sample.work;
    result["is_cut_short"] = sample.is_cut_short;
    nb::list tallies;
    nb::list own;
    for (const Tally& tally : sample.tallies) {
        tallies.append(nb::make_tuple(tally.calls, tally.evaluations, tally.answers, tally.work));
        own.append(tally.own);
    }
    result["own"] = own;
    result["tallies"] = tallies;
    result["true"] = nb::cast(sample.true_rows);
    result["sizes"] = nb::cast(sample.set_sizes);
    return result;
}

}  // namespace

void bind_relations(nb::module_& m) {
    nb::exception<OutOfTime>(m, "OutOfTime");
    nb::exception<OutOfMemory>(m, "OutOfMemory");
    nb::exception<Unstratified>(m, "Unstratified");

    nb::class_<RelationsSimulator, Simulator>(m, "RelationsSimulator", "Plays by join plans over relations, without grounding.")
        .def("__init__", [](RelationsSimulator* self, std::uint32_t constants, Numbers arities, std::vector<Text> ground_terms,
                            const std::vector<SetTuple>& sets, const std::vector<ViewTuple>& views, const std::vector<IndexTuple>& indexes,
                            const std::vector<ProcedureTuple>& procedures, const Numbers& questions, Numbers roles,
                            std::vector<std::int16_t> goal_values, const std::tuple<std::uint32_t, Numbers, Numbers>& room,
                            double seconds, std::uint64_t memory_mb) {
            new (self) RelationsSimulator(
                make_program(constants, std::move(arities), std::move(ground_terms), sets, views, indexes, procedures, questions,
                             std::move(roles), std::move(goal_values)),
                Room{std::get<0>(room), std::get<1>(room), std::get<2>(room)}, Budget{seconds, static_cast<std::size_t>(memory_mb) << 20});
        }, "constants"_a, "arities"_a, "ground_terms"_a, "sets"_a, "views"_a, "indexes"_a, "procedures"_a, "questions"_a, "roles"_a,
           "goal_values"_a, "room"_a, "seconds"_a, "memory_mb"_a)
        .def("initial", [](const RelationsSimulator& self) {
            return to_array(interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.initial(stop); }));
        }, "The row of the initial state.")
        .def("row", [](const RelationsSimulator& self, const std::vector<Text>& fluents) { return to_array(self.row(fluents)); },
             "fluents"_a, "The row of the state where these hold.")
        .def("fluents", [](const RelationsSimulator& self, List<std::uint64_t> state) { return self.fluents(single_state(self, state)); },
             "state"_a, "The numbers of the fluents that hold.")
        .def("fluent", [](const RelationsSimulator& self, std::uint32_t number) {
            if (number >= self.known_fluents()) throw std::invalid_argument("no such fluent");
            return self.fluent(number);
        }, "number"_a)
        .def("move", [](const RelationsSimulator& self, std::uint32_t role, std::uint32_t number) {
            if (role >= self.shape().roles() || number >= self.known_moves(role)) throw std::invalid_argument("no such move");
            return self.move(role, number);
        }, "role"_a, "number"_a)
        .def("move_number", [](const RelationsSimulator& self, std::uint32_t role, const Text& text) {
            if (role >= self.shape().roles()) throw std::invalid_argument("no such role");
            return self.move_number(role, text);
        }, "role"_a, "text"_a)
        .def("percept", [](const RelationsSimulator& self, std::uint32_t role, std::uint32_t number) {
            if (role >= self.shape().roles() || number >= self.known_percepts(role)) throw std::invalid_argument("no such percept");
            return self.percept(role, number);
        }, "role"_a, "number"_a)
        .def("percept_number", [](const RelationsSimulator& self, std::uint32_t role, const Text& text) {
            if (role >= self.shape().roles()) throw std::invalid_argument("no such role");
            return self.percept_number(role, text);
        }, "role"_a, "text"_a)
        .def("known", [](const RelationsSimulator& self) {
            Numbers moves, percepts;
            for (std::uint32_t role = 0; role < self.shape().roles(); ++role) {
                moves.push_back(self.known_moves(role));
                percepts.push_back(self.known_percepts(role));
            }
            return std::make_tuple(self.known_fluents(), moves, percepts);
        }, "How many fluents, and moves and percepts by role, were met with so far.")
        .def("is_terminal", [](const RelationsSimulator& self, List<std::uint64_t> state) {
            const Bits* row = single_state(self, state);
            return interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.is_terminal(row, stop); });
        }, "state"_a)
        .def("moves", [](const RelationsSimulator& self, List<std::uint64_t> state) {
            const Bits* row = single_state(self, state);
            return interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.moves(row, stop); });
        }, "state"_a, "By role, the numbers of the legal moves.")
        .def("after", [](const RelationsSimulator& self, List<std::uint64_t> state, const Numbers& joint) {
            const Bits* row = single_state(self, state);
            const Numbers moves = checked_joint(self, joint);
            return to_array(interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.after(row, moves.data(), stop); }));
        }, "state"_a, "joint"_a)
        .def("goals_of", [](const RelationsSimulator& self, List<std::uint64_t> state) {
            const Bits* row = single_state(self, state);
            return interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.goals_of(row, stop); });
        }, "state"_a)
        .def("told", [](const RelationsSimulator& self, List<std::uint64_t> state, const Numbers& joint) {
            const Bits* row = single_state(self, state);
            const Numbers moves = checked_joint(self, joint);
            return interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.told(row, moves.data(), stop); });
        }, "state"_a, "joint"_a, "By role, the numbers of what is perceived after a joint move.")
        .def("sample", [](const RelationsSimulator& self, std::uint64_t states, std::uint64_t steps, std::uint64_t seed, std::size_t kept) {
            return describe(interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.sample(states, steps, seed, kept, stop); }));
        }, "states"_a, "steps"_a, "seed"_a, "kept"_a, "What random play meets with: work, calls, sizes, and some of the states.")
        .def("extent", [](const RelationsSimulator& self, std::uint32_t set, std::size_t limit) {
            return interruptibly([&](const std::atomic<std::int32_t>& stop) { return self.extent(set, limit, stop); });
        }, "set"_a, "limit"_a, "The rows of a set that is the same in all states.");
}

}  // namespace ludorum::bindings
