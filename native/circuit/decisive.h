// decisive.h: circuits in which whoever can win at once does, and nobody loses
// at once who need not: what playouts may be played by instead of the rules.
//
// For every move of a role it is asked what the next state would be if it were
// made: the fluents that it changes are put into what terminal and the goals
// depend on, and what is left of these is a function of the present state. Of
// most moves nothing is left, since they cannot end the game; of others a few
// gates, since what the move does not touch was not so before and is not so
// afterwards.
//
// In the literature: decisive moves (Teytaud and Teytaud 2010); cofactors and
// functional composition of and-inverter graphs.
#pragma once

#include <cstdint>

#include "circuit/circuit.h"

namespace ludorum::circuit {

struct Decisive {
    // As before, but for what is legal: of a role's legal moves those that end the game with its highest goal, where
    // there are some, else those that do not end it with its lowest, where there are some. A role that has one legal move
    // keeps it.
    Circuit circuit;
    // How many moves can end the game like that, and are known to be seen.
    std::uint32_t moves = 0;
};

// Of a circuit as it is in any state, or in one phase (`here`); `whole` tells what the end is and the goals. What would
// take too many gates is left as it is: moves whose effect is too far-reaching, ends told by recursive rules, and states
// where another role has a choice, too.
Decisive decisive(const Circuit& here, const Circuit& whole);

}  // namespace ludorum::circuit
