// incremental_evaluator.h: a circuit that follows one game, recomputing only what a move changes.
//
// Every gate keeps how many of its inputs are false, so a wire that flips costs
// as much as it has readers. Gates are visited in the order of their levels, so
// each flips once. Recursive parts stay exact: where something that could hold
// a loop up is lost, its loops are let go and found again from below; what is
// only gained is added.
//
// What a question does not need waits: changes are kept for terminal, legal,
// next and goals apart, and those that are taken back before anyone asked cancel
// out. So stepping back costs next to nothing.
//
// Threads: a plan may be shared; a evaluator belongs to one thread.
//
// In the literature: event-driven simulation; delete and rederive for recursion (Gupta, Mumick and Subrahmanian 1993).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "circuit/circuit.h"
#include "engine/simulator.h"

namespace ludorum::circuit {

// The circuit sorted for following: nodes are the constant, fluents and moves as
// in the circuit, then gates and loops in the order in which they are visited.
struct IncrementalPlan {
    using Node = std::uint32_t;
    static constexpr std::uint32_t kTiers = 4;  // terminal, legal, next, goals
    static constexpr std::uint32_t kNoComponent = ~0u;

    // Requires: circuit.check() passed.
    explicit IncrementalPlan(const Circuit& circuit);

    // Its loops first. Mixed: some gate reads its loops both as they are and negated, so what it loses cannot be told.
    struct Component { Node begin, loops_end, end; bool is_mixed; };
    struct Goal { std::uint32_t role; std::int16_t value; Literal literal; };

    std::uint32_t fluents, all_moves, nodes;
    std::vector<std::uint32_t> moves, first_move;   // of each role
    std::array<Node, kTiers + 1> tier_begin;        // nodes of a tier
    std::vector<std::uint32_t> reader_offsets;      // of node n in tier t: kTiers * n + t
    std::vector<std::uint32_t> readers;             // 2 * node, plus 1 if it reads the negation
    std::vector<std::uint32_t> false_inputs;        // if every node is false
    std::vector<std::uint32_t> component_of;
    std::vector<std::int8_t> polarity;              // of members: 1 if it grows with the loops, −1 if it shrinks
    std::vector<Component> components;
    std::vector<std::uint32_t> watcher_offsets;     // of a node
    std::vector<std::uint32_t> watchers;            // a fluent that now changes or stays, or fluents + a move
    std::vector<Literal> legal, next;               // over nodes
    Literal terminal;
    std::vector<Goal> goals;
};

class IncrementalEvaluator {
public:
    // Requires: the plan outlives it. Starts in the state where nothing holds.
    explicit IncrementalEvaluator(const IncrementalPlan& plan);

    // Goes to any state; the nearer it is, the cheaper. Forgets the way back.
    void load(const Bits* state);

    bool is_terminal();
    // A role's legal moves, in no particular order.
    const std::vector<std::uint32_t>& legal(std::uint32_t role);
    void legal_row(Bits* row);
    void goals(std::int16_t* values);

    // Requires: each move is legal, and the state is not terminal.
    void make(const std::uint32_t* joint);
    // Undoes the last make. Requires: there was one since `load`.
    void retract();
    // What make would lead to. Requires: as make.
    void successor(const std::uint32_t* joint, Bits* row);

private:
    using Node = IncrementalPlan::Node;

    // Numbers below a bound, with the ones that are in listed.
    struct Set {
        std::vector<std::uint32_t> members, place;
        void resize(std::size_t count) { place.assign(count, ~0u); }
        void toggle(std::uint32_t number) {
            if (place[number] == ~0u) {
                place[number] = static_cast<std::uint32_t>(members.size());
                members.push_back(number);
            } else {
                place[members.back()] = place[number];
                members[place[number]] = members.back();
                members.pop_back();
                place[number] = ~0u;
            }
        }
    };

    bool truth(Literal literal) const { return value_[literal >> 1] != (literal & 1); }
    void set_input(Node input);
    void act(const std::uint32_t* joint);
    void flush(std::uint32_t last_tier);
    void propagate_waiting(std::uint32_t tier);
    void run(std::uint32_t tier);
    void visit(Node node, std::uint32_t tier);
    void flip(Node node, std::uint32_t tier);
    void propagate(Node node, std::uint32_t tier);
    void solve(std::uint32_t component, std::uint32_t tier);
    void invalidate(Node member);
    bool visit_members(const IncrementalPlan::Component& component, std::uint32_t tier);
    void note(Node node);
    void mark(Node node) { marked_[node / 64] |= Bits{1} << (node % 64); }
    Node next_marked(Node from, Node end) const;

    const IncrementalPlan& plan_;
    std::vector<std::uint8_t> value_;
    std::vector<std::uint32_t> false_inputs_;
    std::vector<Bits> marked_;                          // nodes to visit
    std::vector<std::uint8_t> has_lost_;                // of components: something that may have held its loops up
    std::array<Set, IncrementalPlan::kTiers> waiting_;       // nodes whose readers in a tier have not been told of a flip
    std::vector<Set> legal_;                            // by role
    Set changing_;                                      // fluents whose next value is not their value
    std::vector<Bits> state_;
    std::vector<std::uint32_t> joint_;
    std::vector<std::vector<std::uint32_t>> undo_;
    std::size_t depth_ = 0;
};

}  // namespace ludorum::circuit
