// simulator.h: what search asks of an engine, on many states at once.
//
// States are rows of bits: bit f of a row is the truth of fluent f. (An engine
// that does not know all fluents beforehand may give out rows that refer to
// states it keeps; equal states have equal rows all the same, so whoever
// copies, compares and hashes rows need not know.) Moves are
// numbered within their role; a joint move is one number a role. Which engine
// is behind it (a circuit, relations) makes no difference to the caller.
//
// Threads: all methods may be called from several threads at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/outcome.h"
#include "support/bits.h"

namespace ludorum {

struct Shape {
    std::uint32_t fluents = 0;
    std::vector<std::uint32_t> moves;     // number of moves of each role
    std::vector<std::uint32_t> percepts;  // the role of each percept
    std::uint32_t all_moves = 0;

    std::uint32_t roles() const { return static_cast<std::uint32_t>(moves.size()); }
    std::size_t state_words() const { return words_for(fluents); }
    std::size_t legal_words() const { return words_for(all_moves); }  // a bit a move, role by role
    std::size_t percept_words() const { return words_for(percepts.size()); }
};

constexpr std::int16_t kNoGoal = -1;  // no goal value holds, or several

// Playouts come in blocks of a size that depends on their number alone. A
// block has a random stream of its own, starts its playouts as lanes become
// free and finishes them all, so that the results (in the order in which the
// playouts of a block end) are the same for every width and number of threads
// and do not favour short games.
struct PlayoutSpec {
    std::uint64_t playouts = 0;
    std::uint64_t seed = 0;
    std::uint32_t threads = 1;
    std::uint32_t max_steps = 10'000;
    std::uint32_t lanes = 0;  // 0: what is fastest here
};

struct PlayoutResults {
    std::int16_t* goals;      // playouts × roles
    std::int32_t* lengths;
    std::uint8_t* outcomes;   // Outcome
};

// What a run of playouts did, for measurements.
struct PlayoutWork {
    std::uint32_t lanes = 0;
    std::uint64_t steps = 0;             // of all lanes together
    std::uint64_t goal_evaluations = 0;  // likewise
};

class LeafPlayouts;
struct LeafSpec;
// What expand() finds out about the successors of states, a row each.
struct Successors {
    Bits* states;
    std::uint8_t* over;     // terminal, or stuck because some role has no legal move
    Bits* legal;            // null if nobody asks
    std::int16_t* payoffs;  // of those that are over, or of all if that was asked for; the others are not filled in
};

class Simulator {
public:
    virtual ~Simulator() = default;
    virtual const Shape& shape() const = 0;

    // Whether states are terminal, and every role's legal moves.
    virtual void terminal_and_legal(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const = 0;

    // Requires: each move is legal in its state, and no state is terminal.
    virtual void step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const = 0;

    // Both at once: the successors, and of these whether they are terminal and every role's legal moves. The successors
    // may take the place of the states. Requires: as step.
    virtual void advance(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors,
                         std::uint8_t* terminal, Bits* legal) const;

    // For every state and role the goal value, or kNoGoal.
    virtual void goals(const Bits* states, std::size_t count, std::int16_t* values) const = 0;

    // For every state and role the goal value as a search counts it: of several the lowest, and 0 for none. An engine
    // that can tell several from none overrides it.
    virtual void payoffs(const Bits* states, std::size_t count, std::int16_t* values) const;

    // All that a tree search needs of the successors: successor i is that of states[parents[i]] by joint move i.
    // One sweep where the engine has a faster way than asking one question after the other. Requires: as step.
    virtual void expand(const Bits* states, const std::uint32_t* parents, std::size_t count, const std::uint32_t* joint,
                        bool all_payoffs, Successors found) const;

    // What the roles are told after a joint move: a bit a percept. Requires: as step.
    virtual void percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const = 0;

    // Random matches from a state to their ends. Comes back early, with results unfinished, once `stop` is not 0.
    virtual PlayoutWork playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                                 const std::atomic<std::int32_t>& stop) const = 0;

    // Random matches from many states at once, begun as others end; see leaf_playouts.h. Null if the engine has no better
    // way than to step all of them by the questions above. Requires: outlives them.
    virtual std::unique_ptr<LeafPlayouts> leaf_playouts(const LeafSpec& spec) const;

    // How many moves playouts can see to end the game at once, where they are asked to be decisive; with none they are as
    // they would be otherwise.
    virtual std::uint32_t decisive_moves() const { return 0; }
};

}  // namespace ludorum
