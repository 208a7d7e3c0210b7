// circuit.h: a game as a network of AND gates over fluents and moves.
//
// Wire 0 is the constant false, then come the fluents, then the moves of the
// first role, of the second, and so on, then gates and loop wires. A literal
// is 2 * wire, plus 1 for its negation. A gate is the conjunction of its
// input literals; disjunctions are written with De Morgan.
//
// A gate reads only wires with smaller numbers. Recursion goes through loop
// wires: those of one component start false and take the value of their
// definitions, again and again, until nothing changes (the least fixpoint;
// the definitions must be monotone in the component's own loop wires). A
// component depends on none that comes later.
//
// In the literature: an and-inverter graph with wide gates; propositional networks (Schkufza, Love and Genesereth 2008).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ludorum::circuit {

using Wire = std::uint32_t;
using Literal = std::uint32_t;

constexpr Literal kFalse = 0;
constexpr Literal kTrue = 1;
constexpr Wire wire_of(Literal literal) { return literal >> 1; }
constexpr bool is_negated(Literal literal) { return literal & 1; }

struct Circuit {
    struct Goal { std::uint32_t role; std::int16_t value; Literal literal; };
    struct Percept { std::uint32_t role; Literal literal; };
    struct Loop { Wire wire; Literal definition; std::uint32_t component; };

    std::uint32_t fluents = 0;
    std::vector<std::uint32_t> moves;          // number of moves of each role
    std::uint32_t turns = 1;                   // playouts begin games at multiples of so many steps only: no other effect
    // What tells whose turn it is goes round by itself, whatever is played: from a state where the literals of one
    // phase hold (of the same fluents in all of them), a step leads to one where those of the next do. None: not known.
    std::vector<std::vector<Literal>> phases;

    std::uint32_t wires = 0;
    std::vector<std::uint32_t> input_offsets;  // wires + 1
    std::vector<Literal> inputs;               // empty range: no gate
    std::vector<Loop> loops;                   // grouped by component

    std::vector<Literal> next;                 // one a fluent
    std::vector<Literal> legal;                // one a move, role by role
    Literal terminal = kFalse;
    std::vector<Goal> goals;                   // role by role
    std::vector<Percept> percepts;

    std::uint32_t roles() const { return static_cast<std::uint32_t>(moves.size()); }
    std::uint32_t all_moves() const;
    Wire first_move() const { return 1 + fluents; }
    std::uint32_t first_gate() const { return first_move() + all_moves(); }
    std::span<const Literal> gate(Wire wire) const {
        return {inputs.data() + input_offsets[wire], inputs.data() + input_offsets[wire + 1]};
    }

    // Throws std::invalid_argument that says what is wrong; everything below
    // this file assumes that it passed.
    void check() const;
};

}  // namespace ludorum::circuit
