// compile.cpp: making circuits, pass by pass. Where a budget is used up there is no result.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <optional>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "circuit/compile/gate_builder.h"
#include "circuit/compile/ground_program.h"
#include "circuit/compile/passes.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using namespace circuit;

// What `make(budget)` gives; nothing if the budget is used up.
template <class Make> auto within(double seconds, std::uint64_t bytes, Make make) {
    return interruptibly([&](const std::atomic<std::int32_t>& stop) -> std::optional<decltype(make(std::declval<Budget&>()))> {
        try {
            Budget budget(seconds, bytes, stop);
            return make(budget);
        } catch (const OutOfBudget&) {
            return std::nullopt;
        } catch (const std::bad_alloc&) {
            return std::nullopt;
        }
    });
}

std::vector<bool> holding(const std::vector<std::uint32_t>& numbers, std::size_t count) {
    std::vector<bool> holds(count, false);
    for (std::uint32_t number : numbers) holds.at(number) = true;
    return holds;
}

template <class Number> auto array_of(const std::vector<Number>& numbers) {
    auto array = make_array<Number>({numbers.size()});
    std::copy(numbers.begin(), numbers.end(), array.data());
    return array;
}

GroundRules rules_of(const List<std::int32_t>& heads, const List<std::uint32_t>& ends, const List<std::int32_t>& literals) {
    return {to_vector(heads), to_vector(ends), to_vector(literals)};
}

using Literals = nb::typed<nb::iterable, Literal>;

std::vector<Literal> literals_of(Literals values) {
    std::vector<Literal> literals;
    for (nb::handle value : values) literals.push_back(nb::cast<Literal>(value));
    return literals;
}

nb::typed<nb::tuple, int, nb::ellipsis> tuple_of(std::span<const Literal> literals) {
    nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(literals.size())));
    for (std::size_t i = 0; i < literals.size(); ++i)
        PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromUnsignedLong(literals[i]));
    return nb::borrow<nb::typed<nb::tuple, int, nb::ellipsis>>(tuple);
}

using Pass = Circuit (*)(const Circuit&, Budget&);

void bind_pass(nb::module_& m, const char* name, Pass pass, const char* doc) {
    m.def(name, [pass](const Circuit& circuit, double seconds, std::uint64_t bytes) {
        return within(seconds, bytes, [&](Budget& budget) { return pass(circuit, budget); });
    }, "circuit"_a, "seconds"_a, "bytes"_a, doc);
}

}  // namespace

void bind_compile(nb::module_& m) {
    nb::class_<GroundProgram>(m, "GroundProgram", "Ground rules by numbers, and which atoms a circuit is about.")
        .def("__init__", [](GroundProgram* self, std::size_t atoms, List<std::int32_t> heads, List<std::uint32_t> ends,
                            List<std::int32_t> literals, std::vector<Atom> facts, std::vector<Atom> fluents,
                            std::vector<std::uint32_t> moves, std::vector<Atom> does, std::vector<Atom> legal,
                            const std::vector<std::optional<Atom>>& next, std::optional<Atom> terminal,
                            const std::vector<std::tuple<std::uint32_t, std::int16_t, Atom>>& goals,
                            const std::vector<std::pair<std::uint32_t, Atom>>& percepts) {
            GroundProgram program{atoms, rules_of(heads, ends, literals), std::move(facts), std::move(fluents),
                                  std::move(moves), std::move(does), std::move(legal), {}, terminal.value_or(kNoAtom), {}, {}};
            for (std::optional<Atom> atom : next) program.next.push_back(atom.value_or(kNoAtom));
            for (auto [role, value, atom] : goals) program.goals.push_back({role, value, atom});
            for (auto [role, atom] : percepts) program.percepts.push_back({role, atom});
            program.check();
            new (self) GroundProgram(std::move(program));
        }, "atoms"_a, "heads"_a, "ends"_a, "literals"_a, "facts"_a, "fluents"_a, "moves"_a, "does"_a, "legal"_a, "next"_a,
           "terminal"_a.none(), "goals"_a, "percepts"_a);

    m.def("decide", [](List<std::int32_t> heads, List<std::uint32_t> ends, List<std::int32_t> literals, std::size_t atoms,
                       const std::vector<Atom>& facts, const std::vector<std::pair<Atom, std::vector<Atom>>>& given) {
        const GroundRules rules = rules_of(heads, ends, literals);
        rules.check(atoms);
        std::vector<GivenAtom> given_atoms;
        for (const auto& [atom, reasons] : given) {
            for (Atom reason : reasons)
                if (reason >= atoms) throw std::invalid_argument("a reason out of range");
            if (atom >= atoms) throw std::invalid_argument("a given atom out of range");
            given_atoms.push_back({atom, reasons});
        }
        const std::vector<bool> known = holding(facts, atoms);
        DecidedRules decided;
        {
            GilRelease released;
            decided = decide(rules, known, given_atoms);
        }
        std::vector<Atom> all_facts, impossible;
        for (Atom atom = 0; atom < atoms; ++atom) {
            if (decided.facts[atom]) all_facts.push_back(atom);
            if (decided.impossible[atom]) impossible.push_back(atom);
        }
        return std::make_tuple(array_of(decided.rules.heads), array_of(decided.rules.ends), array_of(decided.rules.literals),
                               all_facts, impossible);
    }, "heads"_a, "ends"_a, "literals"_a, "atoms"_a, "facts"_a, "given"_a,
       "Rules without what is already decided: heads, ends, literals, facts, and atoms that are never true.");

    m.def("build", [](const GroundProgram& program, double seconds, std::uint64_t bytes) {
        return within(seconds, bytes, [&](Budget& budget) { return build(program, budget); });
    }, "program"_a, "seconds"_a, "bytes"_a, "The circuit that says what a ground program says.");
    bind_pass(m, "simplify", simplify, "Propagates constants and drops what nobody asks for.");
    bind_pass(m, "use_legality", use_legality, "Leaves out beside a move what its legality demands.");
    bind_pass(m, "flatten", flatten, "Makes a conjunction that one other reads part of that one.");
    bind_pass(m, "use_one_hot_moves", use_one_hot_moves, "Replaces none of many moves by one of the others.");
    bind_pass(m, "factor", factor, "Says common literals of alternatives once.");
    bind_pass(m, "share", share, "Reads pairs of literals once that many gates read.");
    m.def("unroll", [](const Circuit& circuit, std::size_t most_gates, double seconds, std::uint64_t bytes) {
        return within(seconds, bytes, [&](Budget& budget) { return unroll(circuit, most_gates, budget); });
    }, "circuit"_a, "most_gates"_a, "seconds"_a, "bytes"_a, "The same circuit without loops.");
    m.def("merge_agreeing_fluents", [](const Circuit& circuit, const std::vector<std::uint32_t>& initial, double seconds, std::uint64_t bytes) {
        const std::vector<bool> holds = holding(initial, circuit.fluents);
        return within(seconds, bytes, [&](Budget& budget) { return merge_agreeing_fluents(circuit, holds, budget); });
    }, "circuit"_a, "initial"_a, "seconds"_a, "bytes"_a, "Reads fluents as one that provably agree; and which do.");
    m.def("find_turns", [](const Circuit& circuit, const std::vector<std::uint32_t>& initial, double seconds, std::uint64_t bytes) {
        const std::vector<bool> holds = holding(initial, circuit.fluents);
        return within(seconds, bytes, [&](Budget& budget) { return find_turns(circuit, holds, budget); });
    }, "circuit"_a, "initial"_a, "seconds"_a, "bytes"_a, "The circuit with its phases, if they are worth having.");
    m.def("use_proved_fluents", [](const Circuit& circuit, std::vector<std::vector<std::uint32_t>> one_hot,
                                   std::vector<std::vector<std::uint32_t>> exclusive, std::vector<std::uint32_t> never,
                                   std::vector<std::uint32_t> always, double seconds, std::uint64_t bytes) {
        const ProvedFluents proved{std::move(one_hot), std::move(exclusive), std::move(never), std::move(always)};
        for (const auto* groups : {&proved.one_hot, &proved.exclusive})
            for (const auto& group : *groups) holding(group, circuit.fluents);
        holding(proved.never, circuit.fluents), holding(proved.always, circuit.fluents);
        return within(seconds, bytes, [&](Budget& budget) { return use_proved_fluents(circuit, proved, budget); });
    }, "circuit"_a, "one_hot"_a, "exclusive"_a, "never"_a, "always"_a, "seconds"_a, "bytes"_a,
       "Makes every gate simpler by what was proved of fluents.");

    nb::class_<GateBuilder>(m, "GateBuilder", "Makes gates; the same conjunction always gives the same literal.")
        .def("__init__", [](GateBuilder* self, Wire given) { new (self) GateBuilder(given); }, "given"_a)
        .def_prop_ro("given", &GateBuilder::given, "How many wires there were before the first gate.")
        .def_prop_ro("wires", &GateBuilder::wires, "How many wires there are, the given ones included.")
        .def_prop_ro("gate_inputs", [](const GateBuilder& self) {
            nb::list gates;
            for (Wire wire = self.given(); wire < self.wires(); ++wire) gates.append(tuple_of(self.inputs_of(wire)));
            return nb::borrow<nb::typed<nb::tuple, nb::typed<nb::tuple, int, nb::ellipsis>, nb::ellipsis>>(nb::tuple(gates));
        }, "The literals that every wire after the given ones reads.")
        .def("loop_wire", &GateBuilder::loop_wire, "A new loop wire.")
        .def("inputs_of", [](const GateBuilder& self, Wire wire) {
            if (wire >= self.wires()) throw std::out_of_range("there is no such wire");
            return tuple_of(self.inputs_of(wire));
        }, "wire"_a, "The literals that a gate reads; nothing for any other wire.")
        .def("all_of", [](GateBuilder& self, Literals literals) { return self.all_of(literals_of(literals)); },
             "literals"_a, "The conjunction, simplified by what its inputs and their inputs say.")
        .def("any_of", [](GateBuilder& self, Literals literals) { return self.any_of(literals_of(literals)); },
             "literals"_a, "The disjunction, likewise.")
        .def("again", [](GateBuilder& self, Literals literals) { return self.again(literals_of(literals)); },
             "literals"_a, "The conjunction of inputs that were simplified before: only the plainest.");
}

}  // namespace ludorum::bindings
