// advance.h: where a turn leads from all states that are possible, many at once.
//
// A role knows its own move and its percepts. Every joint move of the others
// that explains them leads to a state that is possible afterwards. Its weight
// is the sum, over all ways there, of the weight of the state before and of the
// probability that the others chose so if they choose uniformly, each role by
// itself. Moves that no fluent and no percept tells apart are tried once for
// all of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "belief/weighted_states.h"
#include "engine/simulator.h"

namespace ludorum::belief {

constexpr std::int64_t kUnknownMove = -1;

// What a role knows of a turn.
struct Turn {
    std::uint32_t seat = 0;           // whose knowledge it is
    std::vector<std::int64_t> moves;  // the move of every role, or kUnknownMove
    const Bits* told = nullptr;       // the percepts of the role in a row of all percepts; null if it was told moves instead
};

// For every move, role by role, the first of those that have the same effect; empty if that is not known.
using MoveClasses = std::vector<std::uint32_t>;

struct Limits {
    std::size_t states = 0;   // that are kept
    std::uint64_t tries = 0;  // joint moves that are looked at
    double seconds = 0;
};

enum class Ending { kDone, kTooManyStates, kTooManyTries, kOutOfTime };

struct Advanced {
    WeightedStates states;
    Ending ending = Ending::kDone;
    std::uint64_t tries = 0;
};

// All states that are possible after the turn. With another ending than kDone it is only a part of them.
Advanced advance(const Simulator& simulator, const Bits* rows, const double* weights, std::size_t count, const Turn& turn,
                 const MoveClasses& classes, const Limits& limits, const std::atomic<std::int32_t>& stop);

// Some of them, with weights that are right on average: where a state has more joint moves than its share of the tries,
// as many are drawn. Ends kDone or kOutOfTime; in time it has looked at every state.
Advanced advance_some(const Simulator& simulator, const Bits* rows, const double* weights, std::size_t count, const Turn& turn,
                      const MoveClasses& classes, const Limits& limits, std::uint64_t seed, const std::atomic<std::int32_t>& stop);

}  // namespace ludorum::belief
