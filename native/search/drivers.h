// drivers.h: searches without any wit, to measure what the rules cost.
//
// They are those of Schiffel and Björnsson's comparison of reasoners: iterative
// deepening to a terminal state or a depth, and random matches, both without
// values. A node is a state that was computed by a move, so all engines that
// are right count the same nodes at the same depth.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "circuit/incremental_evaluator.h"
#include "engine/simulator.h"

namespace ludorum::search {

struct DriverRun {
    double seconds = 0;                    // of the processor
    std::uint64_t nodes = 0;
    std::vector<std::uint64_t> completed;  // deepening: the nodes of each depth that was searched to its end, from 0
    bool is_whole = false;                 // deepening: the last depth reached the end of every match
    std::uint64_t playouts = 0;            // random matches: how many ended
};

using Stop = std::atomic<std::int32_t>;  // they end early once it is not 0

// `at_once`: how many states an engine is asked about in one call, at most.
DriverRun deepen(const Simulator& simulator, const Bits* state, double seconds, std::size_t at_once, const Stop& stop);
DriverRun play_on(const Simulator& simulator, const Bits* state, double seconds, std::uint64_t seed, const Stop& stop);

// One state at a time.
DriverRun deepen(circuit::IncrementalEvaluator& evaluator, const Shape& shape, const Bits* state, double seconds, const Stop& stop);
DriverRun play_on(circuit::IncrementalEvaluator& evaluator, const Shape& shape, const Bits* state, double seconds, std::uint64_t seed, const Stop& stop);

}  // namespace ludorum::search
