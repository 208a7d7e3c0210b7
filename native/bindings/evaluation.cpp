// evaluation.cpp: what states are worth, and what is known for it, as Python sees them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "circuit/by_joint_moves.h"
#include "circuit/circuit_simulator.h"
#include "circuit/fluent_graph.h"
#include "evaluation/kernels/kernel.h"
#include "evaluation/playouts.h"
#include "evaluation/program.h"
#include "support/clock.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using namespace circuit;
using namespace evaluation;

EvaluationCode make_code(std::uint32_t fluents, std::uint32_t roles, std::uint32_t slots, const List<std::uint8_t>& operations,
                         const List<std::uint32_t>& step_slots, const List<std::uint32_t>& operand_ends,
                         const List<std::uint32_t>& operands, const List<std::uint32_t>& constant_ends,
                         const List<double>& constants, const List<std::uint32_t>& outputs) {
    if (step_slots.size() != operations.size() || operand_ends.size() != operations.size() || constant_ends.size() != operations.size())
        throw std::invalid_argument("not an evaluation: steps of unequal numbers");
    EvaluationCode code;
    code.fluents = fluents;
    code.roles = roles;
    code.slots = slots;
    code.operands = to_vector(operands);
    code.constants = to_vector(constants);
    code.outputs = to_vector(outputs);
    std::uint32_t operand = 0, constant = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        code.steps.push_back({static_cast<Operation>(operations.data()[i]), step_slots.data()[i], operand, operand_ends.data()[i],
                              constant, constant_ends.data()[i]});
        operand = operand_ends.data()[i];
        constant = constant_ends.data()[i];
    }
    return code;
}

FluentGraph make_graph(const List<std::uint32_t>& offsets, const List<std::uint32_t>& sources) {
    FluentGraph graph{static_cast<std::uint32_t>(offsets.size()) - 1, to_vector(offsets), to_vector(sources)};
    if (offsets.size() == 0 || graph.offsets.front() != 0 || graph.offsets.back() != graph.sources.size()
        || !std::is_sorted(graph.offsets.begin(), graph.offsets.end()))
        throw std::invalid_argument("not a graph: offsets out of order");
    for (std::uint32_t source : graph.sources)
        if (source > graph.fluents) throw std::invalid_argument("not a graph: a fluent that there is not");
    return graph;
}

Marks make_marks(const Circuit& circuit, const List<std::uint32_t>& offsets, const List<std::uint32_t>& marks,
                 const List<std::uint32_t>& weights) {
    Marks made{to_vector(offsets), to_vector(marks), to_vector(weights)};
    if (made.offsets.size() != circuit.fluents + std::size_t{1} || made.offsets.front() != 0 || made.offsets.back() != made.marks.size()
        || !std::is_sorted(made.offsets.begin(), made.offsets.end()))
        throw std::invalid_argument("not the marks of these fluents");
    for (std::uint32_t mark : made.marks)
        if (mark >= made.weights.size()) throw std::invalid_argument("a mark without a weight");
    return made;
}

Groups make_groups(const Circuit& circuit, const List<std::uint32_t>& ends, const List<std::uint32_t>& members) {
    Groups made;
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const std::uint32_t end = ends.data()[i];
        if (end < begin || end > members.size()) throw std::invalid_argument("not groups: ends out of order");
        made.emplace_back(members.data() + begin, members.data() + end);
        begin = end;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
        if (members.data()[i] >= circuit.fluents) throw std::invalid_argument("not a group: a fluent that there is not");
    return made;
}

// Sets the flag when the time is over.
template <class Work> auto within(double seconds, Work work) {
    return interruptibly([&](std::atomic<std::int32_t>& interrupted) {
        std::atomic<std::int32_t> stop{0};
        const auto end = Clock::now() + std::chrono::duration<double>(std::min(seconds, 1e6));
        const std::jthread watch([&](const std::stop_token& is_done) {
            while (!is_done.stop_requested() && !interrupted && Clock::now() < end)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            stop = 1;
        });
        return work(stop);
    });
}

}  // namespace

void bind_evaluation(nb::module_& m) {
    nb::class_<Evaluation>(m, "Evaluation", "What states that are not over may be worth.")
        .def("evaluate", [](const Evaluation& self, const Simulator& simulator, Rows<std::uint64_t> states) {
            check_states(simulator, states);
            const Shape& shape = simulator.shape();
            const std::size_t count = states.shape(0);
            auto values = make_array<double>({count, shape.roles()});
            {
                GilRelease released;
                std::vector<std::uint8_t> terminal(count);
                std::vector<Bits> legal(count * shape.legal_words());
                std::vector<std::int16_t> payoffs(self.uses_payoffs() ? count * shape.roles() : 0);
                simulator.terminal_and_legal(states.data(), count, terminal.data(), legal.data());
                if (self.uses_payoffs()) simulator.payoffs(states.data(), count, payoffs.data());
                self.evaluate({shape, count, states.data(), legal.data(), payoffs.data()}, values.data());
            }
            return values;
        }, "simulator"_a, "states"_a, "What states are worth to every role, from 0 to 100.")
        .def("time", [](const Evaluation& self, const Simulator& simulator, Rows<std::uint64_t> states, std::size_t at_a_time) {
            check_states(simulator, states);
            if (at_a_time == 0) throw std::invalid_argument("at least one state at a time");
            const Shape& shape = simulator.shape();
            const std::size_t count = states.shape(0);
            GilRelease released;
            std::vector<std::uint8_t> terminal(count);
            std::vector<Bits> legal(count * shape.legal_words());
            std::vector<std::int16_t> payoffs(count * shape.roles());
            std::vector<double> values(count * shape.roles());
            simulator.terminal_and_legal(states.data(), count, terminal.data(), legal.data());
            if (self.uses_payoffs()) simulator.payoffs(states.data(), count, payoffs.data());
            const std::clock_t begin = std::clock();
            for (std::size_t first = 0; first < count; first += at_a_time)
                self.evaluate({shape, std::min(at_a_time, count - first), states.data() + first * shape.state_words(),
                               legal.data() + first * shape.legal_words(), payoffs.data() + first * shape.roles()},
                              values.data() + first * shape.roles());
            return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        }, "simulator"_a, "states"_a, "at_a_time"_a, "The CPU seconds that evaluating states takes, so many at a time.");

    nb::class_<GoalEvaluation, Evaluation>(m, "GoalEvaluation", "The goal values that hold now.").def(nb::init<>());
    nb::class_<MobilityEvaluation, Evaluation>(m, "MobilityEvaluation", "Whether a role has more moves than usual.")
        .def(nb::init<std::vector<double>>(), "usual_moves"_a);
    nb::class_<PlayoutEvaluation, Evaluation>(m, "PlayoutEvaluation", "What random matches from a state end with on average.")
        .def("__init__", [](PlayoutEvaluation* self, const Simulator& simulator, std::uint32_t playouts, std::uint32_t max_steps,
                            std::uint64_t seed) {
            if (playouts < 1 || max_steps < 1) throw std::invalid_argument("at least one playout of one step");
            new (self) PlayoutEvaluation(simulator, playouts, max_steps, seed);
        }, "simulator"_a, "playouts"_a, "max_steps"_a, "seed"_a, nb::keep_alive<1, 2>());
    nb::class_<WeightedEvaluation, Evaluation>(m, "WeightedEvaluation", "The mean of others, each with its weight.")
        .def("__init__", [](WeightedEvaluation* self, const std::vector<std::tuple<double, std::shared_ptr<Evaluation>>>& parts) {
            std::vector<WeightedEvaluation::Part> weighted;
            for (const auto& [weight, evaluation] : parts) {
                if (!(weight > 0)) throw std::invalid_argument("a weight must be more than 0");
                weighted.push_back({weight, evaluation});
            }
            if (weighted.empty()) throw std::invalid_argument("nothing to take the mean of");
            new (self) WeightedEvaluation(std::move(weighted));
        }, "parts"_a);

    nb::class_<ProgramEvaluation, Evaluation>(m, "ProgramEvaluation", "An evaluation as a program over lanes of states.")
        .def("__init__", [](ProgramEvaluation* self, std::uint32_t fluents, std::uint32_t roles, std::uint32_t slots,
                            List<std::uint8_t> operations, List<std::uint32_t> step_slots, List<std::uint32_t> operand_ends,
                            List<std::uint32_t> operands, List<std::uint32_t> constant_ends, List<double> constants,
                            List<std::uint32_t> outputs, std::shared_ptr<CircuitSimulator> conditions,
                            const std::optional<std::string>& instructions) {
            const EvaluationKernel* kernel = evaluation_kernels().back();
            if (instructions) {
                const auto& kernels = evaluation_kernels();
                const auto found = std::find_if(kernels.begin(), kernels.end(),
                                                [&](const EvaluationKernel* each) { return *instructions == each->instructions; });
                if (found == kernels.end()) throw std::invalid_argument("this machine has no such instructions");
                kernel = *found;
            }
            new (self) ProgramEvaluation(make_code(fluents, roles, slots, operations, step_slots, operand_ends, operands, constant_ends,
                                                   constants, outputs), std::move(conditions), *kernel);
        }, "fluents"_a, "roles"_a, "slots"_a, "operations"_a, "step_slots"_a, "operand_ends"_a, "operands"_a, "constant_ends"_a,
           "constants"_a, "outputs"_a, "conditions"_a.none(), "instructions"_a.none() = nb::none())
        .def_prop_ro("steps", [](const ProgramEvaluation& self) { return self.code().steps.size(); }, "How many steps the program has.");
    m.def("evaluation_instructions", [] {
        std::vector<std::string> found;
        for (const EvaluationKernel* kernel : evaluation_kernels()) found.emplace_back(kernel->instructions);
        return found;
    }, "The instruction sets that evaluation programs can use here, the fastest last.");

    m.def("by_joint_moves", [](const Circuit& circuit, List<std::uint32_t> group_ends, List<std::uint32_t> groups, std::size_t sure, double seconds) {
        Groups certain = make_groups(circuit, group_ends, groups);
        if (sure > certain.size()) throw std::invalid_argument("more groups are sure than there are");
        const Groups likely(certain.begin() + static_cast<std::ptrdiff_t>(sure), certain.end());
        certain.resize(sure);
        return within(seconds, [&](const std::atomic<std::int32_t>& stop) { return by_joint_moves(circuit, certain, likely, stop).circuit; });
    }, "circuit"_a, "group_ends"_a, "groups"_a, "sure"_a, "seconds"_a,
       "The circuit with what holds next written out by joint moves, where of some groups at most one fluent holds; as it is if that is too much.");
    m.def("fluent_graph", [](const Circuit& circuit, List<std::uint32_t> mark_offsets, List<std::uint32_t> marks,
                             List<std::uint32_t> weights, double seconds)
              -> std::optional<std::tuple<Array<std::uint32_t>, Array<std::uint32_t>>> {
        const Marks made = make_marks(circuit, mark_offsets, marks, weights);
        const auto graph = within(seconds, [&](const std::atomic<std::int32_t>& stop) { return fluent_graph(circuit, made, stop); });
        if (!graph) return std::nullopt;
        auto offsets = make_array<std::uint32_t>({graph->offsets.size()}), sources = make_array<std::uint32_t>({graph->sources.size()});
        std::copy(graph->offsets.begin(), graph->offsets.end(), offsets.data());
        std::copy(graph->sources.begin(), graph->sources.end(), sources.data());
        return std::make_tuple(offsets, sources);
    }, "circuit"_a, "mark_offsets"_a, "marks"_a, "weights"_a, "seconds"_a,
       "The edges that lead to every fluent: offsets and sources; None if the time did not suffice.");
    m.def("fluent_distances", [](List<std::uint32_t> offsets, List<std::uint32_t> sources, List<std::uint32_t> targets) {
        const FluentGraph graph = make_graph(offsets, sources);
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (targets.data()[i] >= graph.fluents) throw std::invalid_argument("there is no such fluent");
        auto rows = make_array<std::int32_t>({targets.size(), graph.fluents + std::size_t{1}});
        GilRelease released;
        const auto found = distances(graph, {targets.data(), targets.size()});
        std::copy(found.begin(), found.end(), rows.data());
        return rows;
    }, "offsets"_a, "sources"_a, "targets"_a,
       "For every target the number of steps from each fluent, and from nothing; -1 where there is no way.");
}

}  // namespace ludorum::bindings
