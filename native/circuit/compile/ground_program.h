// ground_program.h: ground rules by numbers, as grounding leaves them.
//
// A literal of a body is an atom `a`, or `~a` for its negation. The atoms of
// fluents and moves are inputs and head no rule; an atom that heads no rule and
// is no fact is false.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/compile/budget.h"

namespace ludorum::circuit {

using Atom = std::uint32_t;
constexpr Atom kNoAtom = ~Atom{0};
constexpr Atom atom_of(std::int32_t literal) { return static_cast<Atom>(literal < 0 ? ~literal : literal); }

struct GroundRules {
    std::vector<std::int32_t> heads;
    std::vector<std::uint32_t> ends;  // of the bodies
    std::vector<std::int32_t> literals;

    std::size_t size() const { return heads.size(); }
    std::span<const std::int32_t> body(std::size_t rule) const {
        return {literals.data() + (rule ? ends[rule - 1] : 0), literals.data() + ends[rule]};
    }

    // Throws std::invalid_argument if a number is out of range.
    void check(std::size_t atoms) const;
};

// An atom that is given from outside, and the atoms that make it possible.
struct GivenAtom { Atom atom; std::vector<Atom> reasons; };

struct DecidedRules {
    GroundRules rules;
    std::vector<bool> facts, impossible;  // an atom each
};

// Rules without what is already decided. An atom is a fact if it is given as one or heads a rule without conditions. It is
// false if it heads no rule and is not given, or if all the atoms are that make it possible. A true condition is left out,
// a rule with a false one is dropped, and a fact heads no rule.
// In the literature: unit propagation by counting (Dowling, Gallier 1984).
DecidedRules decide(const GroundRules& rules, std::vector<bool> facts, const std::vector<GivenAtom>& given);

struct GroundProgram {
    std::size_t atoms = 0;
    GroundRules rules;
    std::vector<Atom> facts;
    std::vector<Atom> fluents;         // their atoms, in the order of the circuit
    std::vector<std::uint32_t> moves;  // how many each role has
    std::vector<Atom> does, legal;     // one a move, role by role
    std::vector<Atom> next;            // one a fluent, or kNoAtom
    Atom terminal = kNoAtom;
    struct Goal { std::uint32_t role; std::int16_t value; Atom atom; };
    struct Percept { std::uint32_t role; Atom atom; };
    std::vector<Goal> goals;
    std::vector<Percept> percepts;

    // Throws std::invalid_argument if a number is out of range.
    void check() const;
};

// The circuit that says what the ground program says, rule by rule: atoms become disjunctions of conjunctions, recursion
// becomes loops. Requires: program.check() passed. Throws OutOfBudget.
Circuit build(const GroundProgram& program, Budget& budget);

}  // namespace ludorum::circuit
