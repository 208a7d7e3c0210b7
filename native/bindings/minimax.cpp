// minimax.cpp: heuristic search as Python sees it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/python_evaluation.h"
#include "search/minimax/minimax.h"
#include "search/minimax/random_play_statistics.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

// What a search is told in Python: minimax::Options before random play has shown what is missing in them.
struct SearcherOptions {
    std::uint32_t role = 0;
    std::int32_t chance_role = -1;
    std::optional<bool> constant_sum;
    std::optional<double> sum;
    bool paranoid = false, nonuniform = false, null_windows = true, equilibria = false;
    double goals = 1, mobility = 1, evaluation_weight = 1;
    std::int64_t table_mb = 64, sweep = 64;
    std::uint64_t seed = 0;
    std::uint32_t survey_walks = 256;
    double survey_seconds = 1e9;
    std::shared_ptr<Symmetries> symmetries;
};

void bind_options(nb::module_& m) {
    nb::class_<SearcherOptions>(m, "MinimaxOptions", "How alpha-beta, max^n or paranoid search behaves.")
        .def(nb::init<>())
        .def_rw("role", &SearcherOptions::role)
        .def_rw("chance_role", &SearcherOptions::chance_role)
        .def_rw("constant_sum", &SearcherOptions::constant_sum, nb::for_setter("value"_a.none()))
        .def_rw("sum", &SearcherOptions::sum, nb::for_setter("value"_a.none()))
        .def_rw("paranoid", &SearcherOptions::paranoid)
        .def_rw("nonuniform", &SearcherOptions::nonuniform)
        .def_rw("null_windows", &SearcherOptions::null_windows)
        .def_rw("equilibria", &SearcherOptions::equilibria)
        .def_rw("goals", &SearcherOptions::goals)
        .def_rw("mobility", &SearcherOptions::mobility)
        .def_rw("evaluation_weight", &SearcherOptions::evaluation_weight)
        .def_rw("table_mb", &SearcherOptions::table_mb)
        .def_rw("sweep", &SearcherOptions::sweep)
        .def_rw("seed", &SearcherOptions::seed)
        .def_rw("survey_walks", &SearcherOptions::survey_walks)
        .def_rw("survey_seconds", &SearcherOptions::survey_seconds)
        .def_rw("symmetries", &SearcherOptions::symmetries, nb::for_setter("value"_a.none()));
}

// A search with all that it refers to.
class Searcher {
public:
    Searcher(const Simulator& simulator, List<std::uint64_t> state, nb::object evaluation, const SearcherOptions& given) {
        const Bits* start = single_state(simulator, state);
        const std::uint32_t roles = simulator.shape().roles();
        if (given.role >= roles) throw std::invalid_argument("there is no such role");
        if (given.chance_role >= static_cast<std::int32_t>(roles)) throw std::invalid_argument("there is no such role of chance");
        if (given.table_mb < 0 || given.table_mb > (1 << 20)) throw std::invalid_argument("table_mb must be between 0 and 2^20");
        if (given.sum && !(*given.sum >= 0 && *given.sum < 1e9)) throw std::invalid_argument("goals cannot add up to less than 0");
        if (given.sweep < 1 || given.sweep > 4096) throw std::invalid_argument("sweep must be between 1 and 4096");
        for (double weight : {given.goals, given.mobility, given.evaluation_weight})
            if (!(weight >= 0 && weight < 1e9)) throw std::invalid_argument("a weight cannot be less than 0");
        minimax::RandomPlayStatistics found;
        {
            GilRelease released;
            found = minimax::sample_random_play(simulator, start, given.chance_role, given.survey_walks, given.seed, given.survey_seconds, interpreter_ends());
        }
        survey_ = found;
        std::vector<evaluation::WeightedEvaluation::Part> parts;
        if (given.goals > 0) parts.push_back({given.goals, std::make_shared<evaluation::GoalEvaluation>()});
        if (given.mobility > 0) parts.push_back({given.mobility, std::make_shared<evaluation::MobilityEvaluation>(found.usual_moves)});
        if (!evaluation.is_none() && given.evaluation_weight > 0)
            parts.push_back({given.evaluation_weight, to_evaluation(evaluation)});
        std::shared_ptr<const evaluation::Evaluation> whole;
        if (parts.size() == 1) whole = parts.front().evaluation;
        else if (!parts.empty()) whole = std::make_shared<evaluation::WeightedEvaluation>(std::move(parts));
        function_ = std::move(evaluation);
        minimax::Options options;
        options.role = given.role;
        options.chance_role = given.chance_role;
        // Walks that do not end say nothing of a sum that is known.
        options.sum = given.sum.value_or(found.sum);
        options.sum_is = given.constant_sum ? (*given.constant_sum ? minimax::Sum::kConstant : minimax::Sum::kVaries)
                                      : found.is_constant_sum ? minimax::Sum::kAssumed : minimax::Sum::kVaries;
        options.is_paranoid = given.paranoid;
        options.is_nonuniform = given.nonuniform;
        options.uses_null_windows = given.null_windows;
        options.uses_equilibria = given.equilibria;
        options.table_bytes = static_cast<std::size_t>(given.table_mb) << 20;
        options.sweep = static_cast<std::size_t>(given.sweep);
        options.seed = given.seed;
        options.symmetries = given.symmetries;
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
    const minimax::RandomPlayStatistics& survey() const { return survey_; }
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
    minimax::RandomPlayStatistics survey_;
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
    const auto numbers = [](const std::vector<double>& values) {
        nb::list list;
        for (double value : values) {
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
                                    static_cast<double>(move.upper), move.is_exact, move.is_proved,
                                    move.probability));
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
    bind_options(m);
    m.def("usual_moves", [](const Simulator& simulator, List<std::uint64_t> state, std::int32_t chance_role, std::uint32_t walks, std::uint64_t seed, double seconds) {
        const Bits* start = single_state(simulator, state);
        GilRelease released;
        return minimax::sample_random_play(simulator, start, chance_role, walks, seed, seconds, interpreter_ends()).usual_moves;
    }, "simulator"_a, "state"_a, "chance_role"_a, "walks"_a, "seed"_a, "seconds"_a,
       "How many moves every role has on average where it has a choice, in random walks from a state.");
    static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(Searcher::traverse)},
                                  {Py_tp_clear, reinterpret_cast<void*>(Searcher::clear)},
                                  {0, nullptr}};
    nb::class_<Searcher>(m, "Minimax", nb::type_slots(slots), "Alpha-beta, max^n or paranoid search with iterative deepening.")
        .def(nb::init<const Simulator&, List<std::uint64_t>, nb::object, const SearcherOptions&>(), nb::keep_alive<1, 2>(), "simulator"_a,
             "state"_a, "evaluation"_a.none(), "options"_a)
        .def("search", [](Searcher& self, List<std::uint64_t> state, double seconds, std::uint64_t states, std::uint32_t depth) {
            const minimax::Report report = self.search(state, seconds, states, depth);
            return as_dict(report, self.survey().usual_moves.size());
        }, "state"_a, "seconds"_a, "states"_a, "depth"_a, "Searches until the state is solved or the budget is spent.")
        .def("stop", &Searcher::stop, "Ends the search that is running; from any thread.")
        .def_prop_ro("progress", [](const Searcher& self) { return as_dict(self.progress(), self.survey().usual_moves.size()); },
             "What the search that is running, or else the last one, has found.")
        .def_prop_ro("survey", [](const Searcher& self) {
            const minimax::RandomPlayStatistics& found = self.survey();
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

}  // namespace ludorum::bindings
