// fluent_graph.h: which fluents must hold now for a fluent to hold next, and how many steps that takes at least.
//
// A set of fluents is needed for a fluent f if f cannot hold next wherever none of the set holds now. An edge leads
// from every fluent of such a set to f; f depends on nothing if no set is needed, and has no edge at all if it can
// never hold next. Along the edges there is a path of at most n steps from a fluent that holds now to every fluent
// that holds n steps later, so the shortest path is a lower bound.
//
// Whether a set is needed is found by evaluating the circuit for what may be: a fluent may be true unless it is in
// the set, every fluent may be false, a move may be made if it may be legal, and not be made if the role may have
// another. That is what the disjuncts of next(f) say when all of them are written out, without writing them out. One
// bit is one question, so that hundreds of sets are tried in one sweep.
//
// Of many such sets one is taken that cannot do without any of its fluents, and whose fluents are as similar to f as
// can be: the least similar ones are given up first.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "circuit/circuit.h"

namespace ludorum::circuit {

struct FluentGraph {
    std::uint32_t fluents = 0;
    std::vector<std::uint32_t> offsets;  // fluents + 1
    std::vector<std::uint32_t> sources;  // of each fluent's edges, ascending; `fluents` stands for nothing
};

// How similar fluents are: the weights of the marks that they share.
struct Marks {
    std::vector<std::uint32_t> offsets;  // fluents + 1
    std::vector<std::uint32_t> marks;
    std::vector<std::uint32_t> weights;  // one a mark
};

// None if `stop` was set before it was done. Requires: circuit.check() passed; marks are of the circuit's fluents.
std::optional<FluentGraph> fluent_graph(const Circuit& circuit, const Marks& marks, const std::atomic<std::int32_t>& stop);

constexpr std::int32_t kUnreachable = -1;

// For every target a row: the length of the shortest path from each fluent, and from nothing, which comes last.
std::vector<std::int32_t> distances(const FluentGraph& graph, std::span<const std::uint32_t> targets);

}  // namespace ludorum::circuit
