// goal_distance.h: how far a state seems to be from a goal, by the goal's own formula.
//
// A literal of a fluent costs nothing if it holds and 1 if it does not; a
// conjunction costs what its parts cost together, a disjunction what its
// cheapest part does. For a goal that says where every piece has to be, that
// counts the pieces that are elsewhere. It is no lower bound on the moves that
// are left: one move may mend several conditions at once.
#pragma once

#include <cstdint>
#include <vector>

#include "search/puzzle/guide.h"

namespace ludorum::puzzle {

class GoalDistance final : public Guide {
public:
    // A formula: its gates are conjunctions, numbered from `fluents` + 1 on in this order; literal 2w is wire w, 2w + 1
    // its negation; wire 0 is false, and wires from 1 to `fluents` are fluents. Gate i has the inputs from
    // offsets[i] to offsets[i + 1], all of smaller wires; one without any is a wire that nothing is known of, and
    // costs nothing.
    // Throws std::invalid_argument for what is no such formula.
    GoalDistance(std::uint32_t fluents, std::vector<std::uint32_t> offsets, std::vector<std::uint32_t> inputs,
                 std::uint32_t root);

    std::uint32_t operator()(const Bits* state) override;

private:
    std::uint32_t fluents_;
    std::vector<std::uint32_t> offsets_, inputs_;
    std::uint32_t root_;
    std::vector<std::uint32_t> used_;   // the fluents that the formula reads
    std::vector<std::uint32_t> costs_;  // of every literal
};

}  // namespace ludorum::puzzle
