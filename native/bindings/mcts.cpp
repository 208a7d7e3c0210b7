// mcts.cpp: the tree search as Python sees it.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>

#include "arrays.h"
#include "bindings.h"
#include "python_evaluation.h"
#include "search/mcts/search.h"

using namespace nanobind::literals;

namespace ludorum {
namespace {

using namespace mcts;

template <class T> T one_of(const std::string& name, std::initializer_list<std::pair<const char*, T>> known) {
    std::string names;
    for (const auto& [each, value] : known) {
        if (name == each) return value;
        names += names.empty() ? each : std::string(", ") + each;
    }
    throw std::invalid_argument(name + " is none of " + names);
}

void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

Options make_options(double exploration, double virtual_loss, std::uint32_t in_flight, std::uint32_t expand_at, std::uint32_t lanes,
                     std::uint32_t threads, std::uint64_t seed, std::uint32_t max_steps, std::uint64_t memory, std::int32_t chance_role, bool proofs,
                     const std::string& rave, double rave_equivalence, double rave_margin, const std::string& sufficiency,
                     double sufficient, const std::string& policy, const std::string& choice, double temperature, double epsilon,
                     double decay, std::uint32_t ngram_visits, std::uint32_t prior_visits, std::int64_t cutoff,
                     std::shared_ptr<Symmetries> symmetries) {
    require(exploration >= 0, "exploration cannot be less than 0");
    require(virtual_loss >= 0, "virtual_loss cannot be less than 0");
    require(in_flight <= 65536, "in_flight cannot be more than 65536");
    require(lanes == 0 || lanes == 64 || lanes == 256 || lanes == 512, "lanes must be 64, 256 or 512");
    require(threads >= 1 && threads <= 1024, "threads must be between 1 and 1024");
    require(max_steps >= 1, "max_steps cannot be less than 1");
    require(rave_equivalence > 0, "rave_equivalence must be more than 0");
    require(temperature > 0, "temperature must be more than 0");
    require(epsilon >= 0 && epsilon <= 1, "epsilon must be between 0 and 1");
    require(decay >= 0 && decay <= 1, "decay must be between 0 and 1");
    Options options;
    options.exploration = exploration;
    options.virtual_loss = virtual_loss;
    options.in_flight = in_flight;
    options.expand_at = expand_at;
    options.lanes = lanes;
    options.threads = threads;
    options.seed = seed;
    options.max_steps = max_steps;
    options.memory = memory;
    options.chance_role = chance_role;
    options.proofs = proofs;
    options.rave = one_of<Rave>(rave, {{"never", Rave::kNever}, {"always", Rave::kAlways}, {"adaptive", Rave::kAdaptive}});
    options.rave_equivalence = rave_equivalence;
    options.rave_margin = rave_margin;
    options.sufficiency = one_of<Sufficiency>(
        sufficiency, {{"never", Sufficiency::kNever}, {"fixed", Sufficiency::kFixed}, {"adaptive", Sufficiency::kAdaptive}});
    options.sufficient = sufficient;
    options.policy = one_of<Policy>(policy, {{"uniform", Policy::kUniform}, {"mast", Policy::kMast}, {"nst", Policy::kNst}});
    options.choice = one_of<Choice>(choice, {{"gibbs", Choice::kGibbs}, {"epsilon", Choice::kEpsilonGreedy}});
    options.temperature = temperature;
    options.epsilon = epsilon;
    options.decay = decay;
    options.ngram_visits = ngram_visits;
    options.symmetries = std::move(symmetries);
    options.prior_visits = prior_visits;
    if (cutoff >= 0) options.cutoff = static_cast<std::uint32_t>(std::min<std::int64_t>(cutoff, Options::kNoCutoff));
    return options;
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
class Held final : public TreeSearch, public EndsWithPython {
public:
    using TreeSearch::TreeSearch;
    ~Held() {
        Outside outside(std::nothrow);
        halt();
    }
    void tell_to_end() noexcept override { tell_to_halt(); }
    bool is_going() const override { return is_thinking(); }
};

}  // namespace

void bind_mcts(nb::module_& m) {
    nb::class_<Held>(m, "TreeSearch", "Monte-Carlo tree search over a simulator.")
        .def("__init__", [](Held* self, const Simulator& simulator, nb::object evaluation, double exploration, double virtual_loss, std::uint32_t in_flight,
                            std::uint32_t expand_at, std::uint32_t lanes, std::uint32_t threads, std::uint64_t seed, std::uint32_t max_steps,
                            std::uint64_t memory, std::int32_t chance_role, bool proofs, const std::string& rave, double rave_equivalence,
                            double rave_margin, const std::string& sufficiency, double sufficient, const std::string& policy,
                            const std::string& choice, double temperature, double epsilon, double decay, std::uint32_t ngram_visits,
                            std::uint32_t prior_visits, std::int64_t cutoff, std::shared_ptr<Symmetries> symmetries) {
            new (self) Held(simulator, make_options(exploration, virtual_loss, in_flight, expand_at, lanes, threads, seed, max_steps,
                                                          memory, chance_role, proofs, rave, rave_equivalence, rave_margin, sufficiency,
                                                          sufficient, policy, choice, temperature, epsilon, decay, ngram_visits, prior_visits,
                                                    cutoff, std::move(symmetries)),
                            evaluation.is_none() ? nullptr : to_evaluation(evaluation));
        }, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), "simulator"_a, "evaluation"_a.none() = nb::none(), nb::kw_only(), "exploration"_a, "virtual_loss"_a, "in_flight"_a, "expand_at"_a, "lanes"_a,
           "threads"_a, "seed"_a, "max_steps"_a, "memory"_a, "chance_role"_a, "proofs"_a, "rave"_a, "rave_equivalence"_a, "rave_margin"_a,
           "sufficiency"_a, "sufficient"_a, "policy"_a, "choice"_a, "temperature"_a, "epsilon"_a, "decay"_a, "ngram_visits"_a,
           "prior_visits"_a, "cutoff"_a, "symmetries"_a.none())
        .def("set_root", [](Held& self, List<std::uint64_t> state, bool moves_made) {
            if (state.size() != self.shape().state_words()) throw std::invalid_argument("the state has the wrong number of words");
            Outside outside;
            self.set_root(state.data(), moves_made);
        }, "state"_a, "moves_made"_a, "Where to search from; what is known of it is kept.")
        .def("think", [](Held& self, std::int64_t playouts, double seconds) {
            const std::uint64_t most = playouts < 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(playouts);
            return interruptibly([&](const std::atomic<std::int32_t>& stop) {
                self.think(most, seconds, stop);
                return true;
            });
        }, "playouts"_a, "seconds"_a, "Search; fewer than 0 playouts mean any number.")
        .def("begin", [](Held& self) { self.begin(); }, nb::call_guard<Outside>(), "Search in the background until told to halt.")
        .def("halt", [](Held& self) { self.halt(); }, nb::call_guard<Outside>(), "End the search in the background.")
        .def("report", [](const Held& self) {
            Report report;
            {
                Outside outside;
                report = self.report();
            }
            return as_dict(report);
        }, "What is known at the root; can be asked while it thinks.");
}

}  // namespace ludorum
