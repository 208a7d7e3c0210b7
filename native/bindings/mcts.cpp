// mcts.cpp: the tree search as Python sees it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/python_evaluation.h"
#include "search/mcts/search.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using namespace mcts;

void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

// What is wrong with options, before a search rests on them.
void check(const Options& options) {
    require(options.exploration >= 0, "exploration cannot be less than 0");
    require(options.virtual_loss >= 0, "virtual_loss cannot be less than 0");
    require(options.in_flight <= 65536, "in_flight cannot be more than 65536");
    require(options.lanes == 0 || options.lanes == 64 || options.lanes == 256 || options.lanes == 512, "lanes must be 64, 256 or 512");
    require(options.threads >= 1 && options.threads <= 1024, "threads must be between 1 and 1024");
    require(options.max_steps >= 1, "max_steps cannot be less than 1");
    require(options.rave_equivalence > 0, "rave_equivalence must be more than 0");
    require(options.temperature > 0, "temperature must be more than 0");
    require(options.epsilon >= 0 && options.epsilon <= 1, "epsilon must be between 0 and 1");
    require(options.decay >= 0 && options.decay <= 1, "decay must be between 0 and 1");
}

// An option with a few values, which have names in Python.
template <class T, class Class>
void def_named(Class& bound, const char* name, T Options::* member, std::vector<std::pair<const char*, T>> values) {
    bound.def_prop_rw(name, [member, values](const Options& self) {
        return std::string(std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.second == self.*member; })->first);
    }, [member, values](Options& self, const std::string& given) {
        std::string names;
        for (const auto& [each, value] : values) {
            if (given == each) {
                self.*member = value;
                return;
            }
            names += names.empty() ? each : std::string(", ") + each;
        }
        throw std::invalid_argument(given + " is none of " + names);
    });
}

void bind_options(nb::module_& m) {
    nb::class_<Options> bound(m, "TreeOptions", "How a tree search behaves; values of goals are from 0 to 1.");
    bound.def(nb::init<>())
        .def_rw("exploration", &Options::exploration)
        .def_rw("virtual_loss", &Options::virtual_loss)
        .def_rw("in_flight", &Options::in_flight)
        .def_rw("expand_at", &Options::expand_at)
        .def_rw("lanes", &Options::lanes)
        .def_rw("threads", &Options::threads)
        .def_rw("seed", &Options::seed)
        .def_rw("max_steps", &Options::max_steps)
        .def_rw("memory", &Options::memory)
        .def_rw("chance_role", &Options::chance_role)
        .def_rw("proofs", &Options::proofs)
        .def_rw("rave_equivalence", &Options::rave_equivalence)
        .def_rw("rave_margin", &Options::rave_margin)
        .def_rw("sufficient", &Options::sufficient)
        .def_rw("temperature", &Options::temperature)
        .def_rw("epsilon", &Options::epsilon)
        .def_rw("decay", &Options::decay)
        .def_rw("ngram_visits", &Options::ngram_visits)
        .def_rw("decisive", &Options::decisive)
        .def_rw("prior_visits", &Options::prior_visits)
        .def_prop_rw("cutoff", [](const Options& self) {
            return self.cutoff == Options::kNoCutoff ? std::optional<std::uint32_t>() : self.cutoff;
        }, [](Options& self, std::optional<std::uint32_t> steps) { self.cutoff = steps.value_or(Options::kNoCutoff); }, "steps"_a.none())
        .def_prop_rw("symmetries", [](const Options& self) { return std::const_pointer_cast<Symmetries>(self.symmetries); },
                     [](Options& self, std::shared_ptr<Symmetries> group) { self.symmetries = std::move(group); }, "group"_a.none());
    def_named<Rave>(bound, "rave", &Options::rave, {{"never", Rave::kNever}, {"always", Rave::kAlways}, {"adaptive", Rave::kAdaptive}});
    def_named<Sufficiency>(bound, "sufficiency", &Options::sufficiency,
                           {{"never", Sufficiency::kNever}, {"fixed", Sufficiency::kFixed}, {"adaptive", Sufficiency::kAdaptive}});
    def_named<Policy>(bound, "policy", &Options::policy, {{"uniform", Policy::kUniform}, {"mast", Policy::kMast}, {"nst", Policy::kNst}, {"replies", Policy::kReplies}});
    def_named<Choice>(bound, "choice", &Options::choice, {{"gibbs", Choice::kGibbs}, {"epsilon", Choice::kEpsilonGreedy}});
}

nb::typed<nb::dict, nb::str, nb::any> as_dict(const Report& report) {
    nb::typed<nb::dict, nb::str, nb::any> result;
    nb::list moves;
    for (const MoveReport& move : report.moves)
        moves.append(nb::make_tuple(move.role, move.move, move.visits, move.mean, move.low, move.high));
    result["moves"] = moves;
    result["variation"] = report.variation;
    result["values"] = report.values;
    result["low"] = report.low;
    result["high"] = report.high;
    result["visits"] = report.visits;
    result["playouts"] = report.playouts;
    result["steps"] = report.steps;
    result["lane_steps"] = report.lane_steps;
    result["nodes"] = report.nodes;
    result["memory"] = report.memory;
    result["deepest"] = report.deepest;
    result["is_solved"] = report.is_solved;
    return result;
}

// Its threads may wait for Python, so Python must not wait for them without letting go.
class PyTreeSearch final : public TreeSearch, public InterpreterExitListener {
public:
    using TreeSearch::TreeSearch;
    ~PyTreeSearch() {
        GilRelease released(std::nothrow);
        halt();
    }
    void tell_to_end() noexcept override { tell_to_halt(); }
    bool is_going() const override { return is_thinking(); }
};

}  // namespace

void bind_mcts(nb::module_& m) {
    bind_options(m);
    nb::class_<PyTreeSearch>(m, "TreeSearch", "Monte-Carlo tree search over a simulator.")
        .def("__init__", [](PyTreeSearch* self, const Simulator& simulator, nb::object evaluation, const Options& options) {
            check(options);
            new (self) PyTreeSearch(simulator, options, evaluation.is_none() ? nullptr : to_evaluation(evaluation));
        }, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), "simulator"_a, "evaluation"_a.none(), "options"_a)
        .def("set_root", [](PyTreeSearch& self, List<std::uint64_t> state, bool moves_made) {
            if (state.size() != self.shape().state_words()) throw std::invalid_argument("the state has the wrong number of words");
            GilRelease released;
            self.set_root(state.data(), moves_made);
        }, "state"_a, "moves_made"_a, "Where to search from; what is known of it is kept.")
        .def("think", [](PyTreeSearch& self, std::int64_t playouts, double seconds) {
            const std::uint64_t most = playouts < 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(playouts);
            return interruptibly([&](const std::atomic<std::int32_t>& stop) {
                self.think(most, seconds, stop);
                return true;
            });
        }, "playouts"_a, "seconds"_a, "Search; fewer than 0 playouts mean any number.")
        .def("begin", [](PyTreeSearch& self) { self.begin(); }, nb::call_guard<GilRelease>(), "Search in the background until told to halt.")
        .def("halt", [](PyTreeSearch& self) { self.halt(); }, nb::call_guard<GilRelease>(), "End the search in the background.")
        .def("report", [](const PyTreeSearch& self) {
            Report report;
            {
                GilRelease released;
                report = self.report();
            }
            return as_dict(report);
        }, "What is known at the root; can be asked while it thinks.");
}

}  // namespace ludorum::bindings
