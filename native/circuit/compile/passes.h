// passes.h: what makes circuits smaller, one pass a file, each from circuit to circuit.
//
// Requires: circuit.check() passed. Throws OutOfBudget.
#pragma once

#include <utility>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/compile/budget.h"

namespace ludorum::circuit {

// Constants are propagated, equal gates become one, and what nobody asks for is dropped.
// In the literature: structural hashing, dead-code elimination.
Circuit simplify(const Circuit& circuit, Budget& budget);

// A move that is made is legal: what its legality demands need not be asked again beside it, and two moves of a role
// exclude each other. This holds wherever a state steps; nothing that is asked of a state alone reads moves.
// In the literature: care sets, observability don't-cares.
Circuit use_legality(const Circuit& circuit, Budget& budget);

// A conjunction that only one other conjunction reads becomes part of that one.
Circuit flatten(const Circuit& circuit, Budget& budget);

// A role makes exactly one move, so "none of these" is "one of the others" wherever that reads less. A frame axiom reads
// most of a role's moves (a cell stays as it is whatever is played elsewhere); its complement reads the few others.
Circuit use_one_hot_moves(const Circuit& circuit, Budget& budget);

// (a and b) or (a and c) is a and (b or c), for every disjunction of conjunctions that nobody else reads.
// In the literature: algebraic factoring (Brayton, McMullen 1982), by the most common literal.
Circuit factor(const Circuit& circuit, Budget& budget);

// Pairs of literals that many gates read are read once: the most common pair, then the next, until none is worth a gate.
// In the literature: common subexpression elimination by pairs (Paar 1997), fast_extract (Rajski, Vasudevamurthy 1992).
Circuit share(const Circuit& circuit, Budget& budget);

// A fluent and the literal that it agrees with in every reachable state: a constant or an earlier fluent.
using Agreement = std::pair<std::uint32_t, Literal>;

// The circuit with every reader of a fluent given the first one that it agrees with, and what agrees with what. It is right
// only where they do. Random play suggests which; then they are proved by induction, all together.
// In the literature: signal correspondence (van Eijk 2000).
std::pair<Circuit, std::vector<Agreement>> merge_agreeing_fluents(const Circuit& circuit, const std::vector<bool>& initial,
                                                                 Budget& budget);

// What was proved of fluents, by their numbers: groups of which exactly one or at most one holds, and constants.
struct ProvedFluents {
    std::vector<std::vector<std::uint32_t>> one_hot, exclusive;
    std::vector<std::uint32_t> never, always;
};

// The circuit with every gate made simpler by what was proved: right only where that holds.
Circuit use_proved_fluents(const Circuit& circuit, const ProvedFluents& proved, Budget& budget);

// The circuit with the phases of its turns, if playing by them is worth it (see phases.h).
Circuit find_turns(const Circuit& circuit, const std::vector<bool>& initial, Budget& budget);

// The same circuit without loops; throws OutOfBudget if it would have more than `most_gates`.
Circuit unroll(const Circuit& circuit, std::size_t most_gates, Budget& budget);

}  // namespace ludorum::circuit
