// tree.h: all matches of a small game, as far as anybody can tell them apart.
//
// Goes through the game layer by layer. A node is a state together with what
// every player has seen so far: its own moves and its percepts, in order. Nodes
// where all of this is equal are one, and chance adds up. A view is numbered
// by the view before, the own move and the percepts since, so that equal numbers
// mean equal histories. The role random chooses uniformly and sees nothing.
//
// With cuts the tree ends where it is common knowledge what can follow: in all
// nodes that are linked by views, one with the next, the same moves are legal and
// lead to the same states and percepts. Whatever was seen before is then of no
// more use, and the game from there can be solved once for all ways to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "belief/weighted_states.h"
#include "search/infosets/sequence_form.h"
#include "engine/simulator.h"

namespace ludorum::infosets {

// What a player has seen by then: what it had seen before, the own move and the percepts since.
struct View {
    std::uint32_t before = 0, move = 0, percepts = 0;
};

struct Budget {
    std::uint64_t nodes = 0;
    double seconds = 0;
    bool cuts = false;
};

// Where it is common knowledge what can follow.
struct Cut {
    std::vector<Bits> state;  // one of those that it follows from
    std::string future;       // what follows, equal just where that is the same
};

struct Tree {
    SequenceForm form;
    std::vector<std::uint32_t> roles;                          // of every player its role
    std::vector<std::vector<View>> views;                      // of every player; the first is to have seen nothing
    std::vector<std::vector<std::vector<Bits>>> percept_rows;  // of every player, rows that its views refer to
    std::uint64_t nodes = 0;
    std::uint32_t layers = 0;
    bool is_whole = false;                     // or the budget did not suffice, or a role lacks knowledge
    std::optional<std::uint32_t> uninformed;   // a role that is told too little to know its legal moves
    // Where it was cut; ways there, as in outcomes; and of every player its views there with the number of the cut.
    std::vector<Cut> cuts;
    std::vector<std::uint32_t> cut_sequences, cut_numbers;
    std::vector<double> cut_weights;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> cut_views;
    std::size_t ends = 0;  // how many outcomes are ends of the game

    // Takes the cuts to be ends that are worth so much to every player, instead of what was said before.
    void settle(const std::vector<std::vector<double>>& worths);
};

// `random`: the role that is chance, if there is one.
Tree grow(const Simulator& simulator, const Bits* initial, std::optional<std::uint32_t> random, const Budget& budget,
          const std::atomic<std::int32_t>& stop);

}  // namespace ludorum::infosets
