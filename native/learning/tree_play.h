// tree_play.h: a tree search that asks a net plays against itself; what the trees find out is what the net learns from.
//
// Of every state that was searched from, and of its successors that were tried often enough, the value in the tree is
// kept; where the tree has proved a value, that. In a game that goes on the value of a root is mixed with what came
// later, as in self_play.h.
//
// In the literature: learning from the tree (TreeStrap, Veness et al. 2009; Descent, Cohen-Solal 2020).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "learning/self_play.h"

namespace ludorum::learning {

struct TreePlayOptions {
    PlayOptions play;                 // lanes and the temperature are not used
    std::uint32_t playouts = 200;     // a move
    std::uint32_t prior_visits = 64;  // that the net counts for
    std::uint32_t least_visits = 16;  // of a successor that is learned from
};

// Requires: the net is of the simulator's game. Once `stop` is not 0 the result is unfinished.
Experience tree_play(const Simulator& simulator, const std::shared_ptr<const evaluation::NetEvaluation>& net, const Bits* start,
                     const TreePlayOptions& options, const std::atomic<std::int32_t>& stop);

}  // namespace ludorum::learning
