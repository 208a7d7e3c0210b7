// minimax.cpp: heuristic search as Python sees it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "bindings.h"
#include "python_evaluation.h"
#include "search/minimax/minimax.h"
#include "search/minimax/survey.h"

using namespace nanobind::literals;

namespace ludorum {
namespace {

constexpr std::uint32_t kWalks = 256;  // that show how many moves roles have

// A search with all that it refers to.
class Searcher {
public:
    Searcher(const Simulator& simulator, List<std::uint64_t> state, std::uint32_t role, std::int32_t chance_role,
             std::optional<bool> constant_sum, std::optional<float> sum, bool paranoid, bool nonuniform, double goals,
             double mobility, nb::object evaluation, double evaluation_weight, std::int64_t table_mb, std::int64_t sweep,
             std::uint64_t seed, double survey_seconds, std::shared_ptr<Symmetries> symmetries) {
        const Bits* start = single_state(simulator, state);
        const std::uint32_t roles = simulator.shape().roles();
        if (role >= roles) throw std::invalid_argument("there is no such role");
        if (chance_role >= static_cast<std::int32_t>(roles)) throw std::invalid_argument("there is no such role of chance");
        if (table_mb < 0 || table_mb > (1 << 20)) throw std::invalid_argument("table_mb must be between 0 and 2^20");
        if (sum && !(*sum >= 0 && *sum < 1e9)) throw std::invalid_argument("goals cannot add up to less than 0");
        if (sweep < 1 || sweep > 4096) throw std::invalid_argument("sweep must be between 1 and 4096");
        for (double weight : {goals, mobility, evaluation_weight})
            if (!(weight >= 0 && weight < 1e9)) throw std::invalid_argument("a weight cannot be less than 0");
        minimax::Survey found;
        {
            Outside outside;
            found = minimax::survey(simulator, start, chance_role, kWalks, seed, survey_seconds, interpreter_ends());
        }
        survey_ = found;
        std::vector<WeightedEvaluation::Part> parts;
        if (goals > 0) parts.push_back({static_cast<float>(goals), std::make_shared<GoalEvaluation>()});
        if (mobility > 0) parts.push_back({static_cast<float>(mobility), std::make_shared<MobilityEvaluation>(found.usual_moves)});
        if (!evaluation.is_none() && evaluation_weight > 0)
            parts.push_back({static_cast<float>(evaluation_weight), to_evaluation(evaluation)});
        std::shared_ptr<const Evaluation> whole;
        if (parts.size() == 1) whole = parts.front().evaluation;
        else if (!parts.empty()) whole = std::make_shared<WeightedEvaluation>(std::move(parts));
        function_ = std::move(evaluation);
        minimax::Options options;
        options.role = role;
        options.chance_role = chance_role;
        // Walks that do not end say nothing of a sum that is known.
        options.sum = sum.value_or(found.sum);
        options.sum_is = constant_sum ? (*constant_sum ? minimax::Sum::kConstant : minimax::Sum::kVaries)
                                      : found.is_constant_sum ? minimax::Sum::kAssumed : minimax::Sum::kVaries;
        options.is_paranoid = paranoid;
        options.is_nonuniform = nonuniform;
        options.table_bytes = static_cast<std::size_t>(table_mb) << 20;
        options.sweep = static_cast<std::size_t>(sweep);
        options.seed = seed;
        options.symmetries = std::move(symmetries);
        search_ = std::make_unique<minimax::Minimax>(simulator, std::move(whole), options);
        words_ = simulator.shape().state_words();
    }

    minimax::Report search(List<std::uint64_t> state, double seconds, std::uint64_t states, std::uint32_t depth) {
        if (state.size() != words_) throw std::invalid_argument("the state has the wrong number of words");
        if (std::isnan(seconds)) throw std::invalid_argument("seconds must be a number");
        if (depth < 1 || depth > 1000) throw std::invalid_argument("depth must be between 1 and 1000");
        if (busy_.exchange(true)) throw std::invalid_argument("this search is running already");
        stop_ = 0;
        struct Free { std::atomic<bool>& busy; ~Free() { busy = false; } } free{busy_};
        return interruptibly(stop_, [&] { return search_->search(state.data(), {seconds, states, depth}, stop_); });
    }

    void stop() { stop_ = 1; }
    minimax::Report progress() const { return search_->progress(); }
    const minimax::Survey& survey() const { return survey_; }
    std::size_t table_bytes() const { return search_->table_bytes(); }

    // The function may know the search, and then only Python's collector can free the two.
    static int traverse(PyObject* self, visitproc visit, void* arg) {
        Py_VISIT(Py_TYPE(self));
        if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Searcher>(self)->function_.ptr());
        return 0;
    }
    static int clear(PyObject* self) {
        if (nb::inst_ready(self)) {
            Searcher* searcher = nb::inst_ptr<Searcher>(self);
            searcher->search_.reset();
            searcher->function_.reset();
        }
        return 0;
    }

private:

    nb::object function_;
    std::size_t words_ = 0;
    std::atomic<std::int32_t> stop_{0};
    std::atomic<bool> busy_{false};
    minimax::Survey survey_;
    std::unique_ptr<minimax::Minimax> search_;
};

const char* name(minimax::Method method) {
    switch (method) {
        case minimax::Method::kAlphaBeta: return "alpha-beta";
        case minimax::Method::kParanoid: return "paranoid";
        case minimax::Method::kSinglePlayer: return "single-player";
        case minimax::Method::kMaxN: return "max^n";
    }
    return "";
}

nb::typed<nb::dict, nb::str, nb::any> as_dict(const minimax::Report& report, std::size_t roles) {
    nb::typed<nb::dict, nb::str, nb::any> result;
    const auto numbers = [](const std::vector<float>& values) {
        nb::list list;
        for (float value : values) {
            if (std::isnan(value)) list.append(nb::none());
            else list.append(static_cast<double>(value));
        }
        return list;
    };
    result["method"] = name(report.method);
    result["assumes_sum"] = report.assumes_sum;
    result["values"] = numbers(report.values);
    result["lower"] = numbers(report.lower);
    result["upper"] = numbers(report.upper);
    result["proved"] = report.is_proved;
    result["over"] = report.is_over;
    result["depth"] = report.depth;
    nb::list line;
    for (std::size_t i = 0; i < report.line.size(); i += roles)
        line.append(nb::cast(std::vector<std::uint32_t>(report.line.begin() + static_cast<std::ptrdiff_t>(i),
                                                        report.line.begin() + static_cast<std::ptrdiff_t>(i + roles))));
    result["line"] = line;
    nb::list moves;
    for (const minimax::MoveReport& move : report.moves)
        moves.append(nb::make_tuple(move.move, static_cast<double>(move.value), static_cast<double>(move.lower),
                                    static_cast<double>(move.upper), move.is_exact, move.is_proved));
    result["moves"] = moves;
    result["states"] = report.counts.states;
    result["generated"] = report.counts.generated;
    result["sweeps"] = report.counts.sweeps;
    result["simultaneous"] = report.counts.simultaneous;
    result["turned"] = report.counts.turned;
    result["spared"] = report.counts.spared;
    result["uses_symmetries"] = report.uses_symmetries;
    result["seconds"] = report.seconds;
    return result;
}

}  // namespace

void bind_minimax(nb::module_& m) {
    m.def("usual_moves", [](const Simulator& simulator, List<std::uint64_t> state, std::int32_t chance_role, std::uint64_t seed, double seconds) {
        const Bits* start = single_state(simulator, state);
        Outside outside;
        return minimax::survey(simulator, start, chance_role, kWalks, seed, seconds, interpreter_ends()).usual_moves;
    }, "simulator"_a, "state"_a, "chance_role"_a, "seed"_a, "seconds"_a,
       "How many moves every role has on average where it has a choice, in random walks from a state.");
    static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(Searcher::traverse)},
                                  {Py_tp_clear, reinterpret_cast<void*>(Searcher::clear)},
                                  {0, nullptr}};
    nb::class_<Searcher>(m, "Minimax", nb::type_slots(slots), "Alpha-beta, max^n or paranoid search with iterative deepening.")
        .def(nb::init<const Simulator&, List<std::uint64_t>, std::uint32_t, std::int32_t, std::optional<bool>, std::optional<float>, bool, bool,
                      double, double, nb::object, double, std::int64_t, std::int64_t, std::uint64_t, double,
                      std::shared_ptr<Symmetries>>(),
             nb::keep_alive<1, 2>(), "simulator"_a, "state"_a, "role"_a, "chance_role"_a, "constant_sum"_a.none(), "sum"_a.none(),
             "paranoid"_a, "nonuniform"_a, "goals"_a, "mobility"_a, "evaluation"_a.none(), "evaluation_weight"_a, "table_mb"_a, "sweep"_a, "seed"_a,
             "survey_seconds"_a, "symmetries"_a.none())
        .def("search", [](Searcher& self, List<std::uint64_t> state, double seconds, std::uint64_t states, std::uint32_t depth) {
            const minimax::Report report = self.search(state, seconds, states, depth);
            return as_dict(report, self.survey().usual_moves.size());
        }, "state"_a, "seconds"_a, "states"_a, "depth"_a, "Searches until the state is solved or the budget is spent.")
        .def("stop", &Searcher::stop, "Ends the search that is running; from any thread.")
        .def_prop_ro("progress", [](const Searcher& self) { return as_dict(self.progress(), self.survey().usual_moves.size()); },
             "What the search that is running, or else the last one, has found.")
        .def_prop_ro("survey", [](const Searcher& self) {
            const minimax::Survey& found = self.survey();
            nb::typed<nb::dict, nb::str, nb::any> result;
            result["usual_moves"] = found.usual_moves;
            result["sequential"] = found.is_sequential;
            result["constant_sum"] = found.is_constant_sum;
            result["sum"] = found.sum;
            result["walks"] = found.walks;
            result["ended"] = found.ended;
            return result;
        }, "What random walks showed of the game before the first search.")
        .def_prop_ro("table_bytes", &Searcher::table_bytes, "The size of the table of states.");
}

}  // namespace ludorum
