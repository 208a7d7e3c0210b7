// ismcts.h: a tree search for every role by what that role knows.
//
// A simulation begins in one of the states that are possible, with what every
// role has seen by then (belief/views.h), and goes on by the choices of all. A
// role chooses by the results of its own moves wherever it knew just as much: a
// node belongs to a role and its view, whatever the state is. So nobody chooses
// by what it cannot know, and moves that tell it something, or that keep
// something from others, get their worth. Many simulations are under way at
// once, and what comes after a role's first new node is played at random.
//
// Moves are chosen by upper confidence bounds, or so that regret stays small;
// then the average over all simulations is a strategy to draw moves from. From
// the beginning of a game, to its ends, with regrets weighted by how likely the
// others come there, that is a Monte Carlo solver of the game.
//
// In the literature: multiple-observer information-set MCTS (Cowling, Powley,
// Whitehouse 2012); regret matching in trees (Lisý et al. 2013); the solver is
// outcome sampling (Lanctot et al. 2009) with baselines (Schmid et al. 2019).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "belief/views.h"
#include "engine/leaf_playouts.h"
#include "support/random.h"

namespace ludorum::infosets {

enum class Selection { kUcb, kRegret, kSolve };

struct SearchOptions {
    Selection selection = Selection::kUcb;
    double exploration = 0.7;          // the constant of UCB, or the part of moves chosen at random
    std::size_t at_once = 256;         // simulations under way at most
    std::size_t most_nodes = 2'000'000;
    std::uint32_t max_steps = 1'000;
    std::uint64_t seed = 0;
};

struct MoveReport {
    std::uint32_t move = 0;
    std::uint64_t visits = 0;
    double value = 0;        // the mean of what came of it, 0 to 100
    double probability = 0;  // in the average strategy
};

class InformationSetSearch {
public:
    // Requires: the simulator outlives this.
    InformationSetSearch(const belief::ViewSimulator& simulator, const SearchOptions& options);

    // So many simulations, or for so long, from states drawn by their weights, which are rows with views.
    std::uint64_t run(const Bits* rows, const double* weights, std::size_t count, std::uint64_t simulations, double seconds,
                      const std::atomic<std::int32_t>& stop);

    // What is known of the moves of a role with a view; empty if it never came there.
    std::vector<MoveReport> report(std::uint32_t role, Bits view) const;

    std::size_t nodes() const { return nodes_.size(); }
    const belief::ViewSimulator& simulator() const { return simulator_; }

private:
    struct Edge {
        std::uint32_t move = 0;
        std::uint64_t visits = 0, available = 0;
        double sum = 0, regret = 0, strategy = 0;
        std::vector<double> means;  // of every role, what came of it lately; only where a game is solved
    };
    struct Node {
        std::uint32_t role = 0;
        std::vector<Edge> edges;
    };
    // A choice in a simulation.
    struct Choice {
        std::uint32_t node = 0, edge = 0;
        double sampled = 1;            // how likely it fell on this move
        std::vector<double> strategy;  // how likely it should, and the others, 0 if not legal; empty with bounds
        std::vector<double> reach;     // the logarithms of how likely each role should have come here, and did
        double drawn = 0;
    };
    struct Simulation {
        std::vector<Choice> path;
        std::vector<std::uint8_t> has_left;  // by role: whether it plays at random from here on
        std::vector<double> reach;
        double drawn = 0;
        std::uint32_t steps = 0, idle = 0;
        bool is_played_out = false;
    };

    // Draws states for as many simulations as are to be under way.
    void begin(const Bits* rows, const std::vector<double>& sums, std::size_t under_way, std::uint64_t most);
    // One turn of all simulations in their trees.
    void turn();
    // Plays on from leaves, and takes in what has ended.
    void play_out();
    // Forgets simulations that there is no time for.
    void drop();
    std::uint32_t choose(Simulation& simulation, std::uint32_t role, Bits view, const std::vector<std::uint32_t>& legal);
    std::size_t by_bounds(const Node& node, const std::vector<std::size_t>& open);
    std::size_t by_regrets(const Node& node, const std::vector<std::size_t>& open, Choice& choice);
    void find_moves(const Bits* legal);
    std::size_t edge_of(Node& node, std::size_t place, std::uint32_t move) const;
    void finish(std::uint32_t number, const std::int16_t* goals);
    void learn_regrets(const Simulation& simulation, const std::int16_t* goals);
    void learn_to_solve(const Simulation& simulation, const std::int16_t* goals);
    bool solves() const { return options_.selection == Selection::kSolve; }

    const belief::ViewSimulator& simulator_;
    const Shape& shape_;
    SearchOptions options_;
    Random random_;
    std::vector<Node> nodes_;
    std::unordered_map<Bits, std::uint32_t> numbers_;  // of nodes, by role and view
    std::unique_ptr<LeafPlayouts> playouts_;
    // Simulations by number; which are free, which are in their trees and in which states, which are played out.
    std::vector<Simulation> simulations_;
    std::vector<std::uint32_t> free_, whose_;
    std::vector<Bits> states_;
    std::size_t played_out_ = 0;
    std::uint64_t begun_ = 0, ended_ = 0, done_ = 0;
    // Made again every turn.
    std::vector<std::uint8_t> terminal_;
    std::vector<Bits> legal_, later_, ends_;
    std::vector<std::uint32_t> joints_, ended_now_;
    std::vector<std::int16_t> goals_;
    std::vector<std::vector<std::uint32_t>> moves_;
    std::vector<std::size_t> open_;
    LeafResults results_;
};

}  // namespace ludorum::infosets
