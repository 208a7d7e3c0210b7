// options.h: how a tree search behaves. Every option composes with the others.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/symmetries.h"

namespace ludorum::mcts {

enum class Rave { kNever, kAlways, kAdaptive };
enum class Sufficiency { kNever, kFixed, kAdaptive };
enum class Policy { kUniform, kMast, kNst, kReplies };
enum class Choice { kGibbs, kEpsilonGreedy };

// Values of goals are from 0 to 1 here.
struct Options {
    // With an evaluation: the moves of a new node begin as if they had been tried so often, each time with what the
    // successor is worth by it; and playouts end after so many steps (never: kNoCutoff), with what the state is worth then.
    static constexpr std::uint32_t kNoCutoff = 0xFFFFFFFF;
    std::uint32_t prior_visits = 0;
    std::uint32_t cutoff = kNoCutoff;

    // Selection: mean + exploration * sqrt(log(visits of the node) / visits of the move).
    double exploration = 0.4;

    // A leaf in flight counts as a visit; this is how much of it counts as a loss.
    double virtual_loss = 1;
    // How many leaves are in flight at most in a thread; 0: as many as there are lanes. While the tree is small there
    // are fewer, so that its first branches are not chosen blindly.
    std::uint32_t in_flight = 0;
    // A move gets a node when it is tried for this time; until then its successor is a leaf. 0: the second time while the
    // tree is small, later in a large one.
    std::uint32_t expand_at = 0;
    std::uint32_t lanes = 0;  // of a thread; 0: what the simulator finds best
    std::uint32_t threads = 1;
    std::uint64_t seed = 0;
    std::uint32_t max_steps = 10'000;
    std::uint64_t memory = std::uint64_t{1} << 30;  // of the tree, in bytes; where it is full it no longer grows
    std::int32_t chance_role = -1;                  // a role that does not choose but draws, all moves equally likely

    // By which states are one node, so that what is learned of one is known of all its images; may be null. Play goes on
    // from the image that has the node, so the simulator must be right for it. Not with statistics of moves.
    std::shared_ptr<const Symmetries> symmetries;

    // Whether what is certain is backed up as such, and left alone from then on.
    bool proofs = true;

    // Moves that were good later in playouts count for a node too, with a weight that falls with its visits.
    Rave rave = Rave::kNever;
    double rave_equivalence = 700;
    double rave_margin = 0;

    // No exploration where a move is good enough.
    Sufficiency sufficiency = Sufficiency::kNever;
    double sufficient = 0.6;

    // Whether playouts make moves that win at once and avoid those that lose at once, where the engine can tell.
    bool decisive = false;

    // How playouts choose: by what moves (or sequences of up to three; or moves and replies to them) were worth so far.
    Policy policy = Policy::kUniform;
    Choice choice = Choice::kEpsilonGreedy;
    double temperature = 0.1;           // of the Gibbs measure
    double epsilon = 0.2;               // how often the choice is uniform
    double decay = 1;                   // what is kept of the counts from move to move
    std::uint32_t ngram_visits = 7;     // a longer sequence counts when it was seen so often
};

}  // namespace ludorum::mcts
