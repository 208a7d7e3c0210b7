// information_sets.cpp: small games with secrets, whole, as Python sees them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "belief/views.h"
#include "search/infosets/ismcts.h"
#include "search/infosets/regrets.h"
#include "search/infosets/tree.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using infosets::Plan;
using infosets::RegretMatching;
using infosets::SequenceForm;
using infosets::Tree;
using belief::ViewSimulator;
using infosets::InformationSetSearch;
using infosets::Selection;
using Doubles = Array<double>;

Selection selection_of(const std::string& name) {
    if (name == "ucb") return Selection::kUcb;
    if (name == "regret") return Selection::kRegret;
    if (name == "solve") return Selection::kSolve;
    throw std::invalid_argument("moves are selected by ucb, regret or solve");
}

template <class T> Array<T> to_array(const std::vector<T>& list, std::vector<std::size_t> shape) {
    auto array = make_array<T>(std::move(shape));
    std::copy(list.begin(), list.end(), array.data());
    return array;
}

Doubles to_array(const Plan& plan) { return to_array(plan, {plan.size()}); }

std::size_t checked_player(const Tree& tree, std::size_t player) {
    if (player >= tree.roles.size()) throw std::invalid_argument("no such player");
    return player;
}

std::vector<Plan> make_plans(const Tree& tree, const std::vector<List<double>>& plans) {
    if (plans.size() != tree.roles.size()) throw std::invalid_argument("not one plan a player");
    std::vector<Plan> found;
    for (std::size_t player = 0; player < plans.size(); ++player) {
        if (plans[player].size() != tree.form.players[player].sequences()) throw std::invalid_argument("not one number a sequence");
        found.push_back(to_vector(plans[player]));
    }
    return found;
}

}  // namespace

void bind_information_sets(nb::module_& m) {
    nb::class_<Tree>(m, "InformationTree", "A small game with all its information sets; plans are numbers by sequence.")
        .def_static("grow", [](const Simulator& simulator, List<std::uint64_t> initial, std::optional<std::uint32_t> random,
                               std::uint64_t nodes, double seconds, bool cuts) {
            const Bits* state = single_state(simulator, initial);
            if (random && *random >= simulator.shape().roles()) throw std::invalid_argument("no such role");
            return interruptibly([&](const std::atomic<std::int32_t>& stop) {
                return infosets::grow(simulator, state, random, {nodes, seconds, cuts}, stop);
            });
        }, "simulator"_a, "initial"_a, "random"_a.none(), "nodes"_a, "seconds"_a, "cuts"_a = false)
        .def_ro("roles", &Tree::roles, "The role of every player.")
        .def_ro("nodes", &Tree::nodes)
        .def_ro("layers", &Tree::layers)
        .def_ro("is_whole", &Tree::is_whole)
        .def_ro("uninformed", &Tree::uninformed, "A role that is told too little to know its legal moves.")
        .def("cuts", [](const Tree& self) {
            std::vector<std::pair<Array<Bits>, nb::bytes>> found;
            for (const infosets::Cut& cut : self.cuts)
                found.emplace_back(to_array(cut.state, {cut.state.size()}), nb::bytes(cut.future.data(), cut.future.size()));
            return found;
        }, "States that were not gone beyond: everybody knew what can follow. Each with all of that, which tells them apart.")
        .def("cut_views", [](const Tree& self, std::size_t player) { return self.cut_views[checked_player(self, player)]; }, "player"_a,
             "What a player has seen where the tree was cut, and the number of the cut.")
        .def("settle", [](Tree& self, const std::vector<std::vector<double>>& worths) {
            if (worths.size() != self.cuts.size()) throw std::invalid_argument("not one row a cut");
            for (const auto& row : worths)
                if (row.size() != self.roles.size()) throw std::invalid_argument("not one number a player");
            self.settle(worths);
        }, "worths"_a, "Says what each cut is worth to every player: from now on they are ends.")
        .def("sets", [](const Tree& self, std::size_t player) {
            const auto& sets = self.form.players[checked_player(self, player)].sets;
            auto array = make_array<std::uint32_t>({sets.size(), 4});
            for (std::size_t i = 0; i < sets.size(); ++i) {
                const std::uint32_t row[4]{sets[i].parent, sets[i].first, sets[i].moves, sets[i].view};
                std::copy_n(row, 4, array.data() + 4 * i);
            }
            return array;
        }, "player"_a, "Its information sets: parent sequence, first sequence, number of moves, view.")
        .def("moves", [](const Tree& self, std::size_t player) {
            const auto& moves = self.form.players[checked_player(self, player)].moves;
            return to_array(moves, {moves.size()});
        }, "player"_a, "The last move of each of its sequences; of the first, which is empty, nothing.")
        .def("history", [](const Tree& self, std::size_t player, std::uint32_t view) {
            const auto& views = self.views[checked_player(self, player)];
            if (view >= views.size()) throw std::invalid_argument("no such view");
            std::vector<std::pair<std::uint32_t, std::vector<Bits>>> turns;
            for (; view != 0; view = views[view].before)
                turns.emplace_back(views[view].move, self.percept_rows[player][views[view].percepts]);
            std::reverse(turns.begin(), turns.end());
            return turns;
        }, "player"_a, "view"_a, "What a player has seen, turn by turn: its own move and a row of percepts.")
        .def("outcomes", [](const Tree& self) {
            const auto& ends = self.form.outcomes;
            const std::size_t count = self.roles.size();
            return std::make_tuple(to_array(ends.sequences, {ends.size(), count}), to_array(ends.weights, {ends.size()}),
                                   to_array(ends.payoffs, {ends.size(), count}));
        }, "Ends by the sequences of all players: these, the probability of chance, and payoffs times that.")
        .def("uniform", [](const Tree& self, std::size_t player) { return to_array(self.form.uniform(checked_player(self, player))); },
             "player"_a)
        .def("values", [](const Tree& self, const std::vector<List<double>>& plans) {
            return self.form.values(make_plans(self, plans));
        }, "plans"_a, "What every player gets on average.")
        .def("best_reply", [](const Tree& self, std::size_t player, const std::vector<List<double>>& plans) {
            const auto reply = self.form.best_reply(checked_player(self, player), make_plans(self, plans));
            return std::make_tuple(reply.value, to_array(reply.plan));
        }, "player"_a, "plans"_a, "What a best reply gets against the plans of the others, and its plan.");

    nb::class_<RegretMatching>(m, "RegretMatching", "CFR+ on a game with all its information sets.")
        .def("__init__", [](RegretMatching* self, const Tree& tree, bool predictive) { new (self) RegretMatching(tree.form, predictive); }, "tree"_a, "predictive"_a = false,
             nb::keep_alive<1, 2>())
        .def("run", [](RegretMatching& self, std::uint64_t rounds) {
            interruptibly([&](const std::atomic<std::int32_t>& stop) { self.run(rounds, stop); });
        }, "rounds"_a)
        .def_prop_ro("rounds", &RegretMatching::rounds)
        .def("average", [](const RegretMatching& self) {
            std::vector<Doubles> plans;
            for (const Plan& plan : self.average()) plans.push_back(to_array(plan));
            return plans;
        }, "The average plan of every player.");

    nb::class_<ViewSimulator, Simulator>(m, "ViewSimulator", "A game whose rows also have a word a role: what it has seen so far.")
        .def("__init__", [](ViewSimulator* self, const Simulator& simulator, std::optional<std::uint32_t> random) {
            if (random && *random >= simulator.shape().roles()) throw std::invalid_argument("no such role");
            new (self) ViewSimulator(simulator, random);
        }, "simulator"_a, "random"_a.none(), nb::keep_alive<1, 2>())
        .def_prop_ro("plain_words", &ViewSimulator::plain_words, "How many words of a row are the state itself.");

    nb::class_<InformationSetSearch>(m, "InformationSetSearch", "A tree search for every role by what that role knows.")
        .def("__init__", [](InformationSetSearch* self, const ViewSimulator& simulator, const std::string& selection, double exploration,
                            std::size_t at_once, std::size_t most_nodes, std::uint32_t max_steps, std::uint64_t seed) {
            if (at_once < 1) throw std::invalid_argument("at least one simulation at once");
            if (!(exploration >= 0) || (selection != "ucb" && exploration > 1)) throw std::invalid_argument("an exploration out of range");
            new (self) InformationSetSearch(simulator, {selection_of(selection), exploration, at_once, most_nodes, max_steps, seed});
        }, "simulator"_a, "selection"_a, "exploration"_a, "at_once"_a, "most_nodes"_a, "max_steps"_a, "seed"_a, nb::keep_alive<1, 2>())
        .def("run", [](InformationSetSearch& self, Rows<std::uint64_t> states, List<double> weights, std::uint64_t simulations,
                       double seconds) {
            check_states(self.simulator(), states);
            if (states.shape(0) == 0 || weights.size() != states.shape(0)) throw std::invalid_argument("not one weight a state");
            return interruptibly([&](const std::atomic<std::int32_t>& stop) {
                return self.run(states.data(), weights.data(), states.shape(0), simulations, seconds, stop);
            });
        }, "states"_a, "weights"_a, "simulations"_a, "seconds"_a, "Simulations from states, drawn by their weights; how many were made.")
        .def("report", [](const InformationSetSearch& self, std::uint32_t role, std::uint64_t view) {
            std::vector<std::tuple<std::uint32_t, std::uint64_t, double, double>> moves;
            for (const infosets::MoveReport& found : self.report(role, view))
                moves.emplace_back(found.move, found.visits, found.value, found.probability);
            return moves;
        }, "role"_a, "view"_a, "Of a role with a view: moves, visits, mean results, and probabilities in the average strategy.")
        .def_prop_ro("nodes", &InformationSetSearch::nodes);
}

}  // namespace ludorum::bindings
