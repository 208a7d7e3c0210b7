// kernels.h: the inner loops, compiled once for every width of a machine word.
//
// The kernels know slots, planes and lanes, and nothing else; every pointer
// they get was checked by somebody above. Their source (the .inl files) uses no
// templates or inline functions of other headers, so that the linker can
// never take a wide version of shared code for a machine that lacks it.
//
// Bit g of word c of a slot is the truth of its wire in lane 64 c + g. The 64
// lanes of a word are a column; each column has a random stream of its own,
// so that what happens in it depends neither on the width nor on its
// neighbours.
#pragma once

#include <cstdint>

#include "circuit/kernels/op.h"
#include "engine/outcome.h"

namespace ludorum::circuit {

// Moves are counted in groups of this size; four planes hold their count.
constexpr std::uint32_t kGroupSize = 15;

// A run with its operands scaled to words: slot * columns.
struct KernelRun {
    Op op;
    GateShape shape;
    std::uint32_t count;
    std::uint32_t target;
    std::uint64_t operands;
};

struct KernelCode {
    const KernelRun* runs;
    std::uint32_t count;
    const std::uint32_t* operands;
};

struct KernelChoiceNode {
    std::uint32_t left, right, bits, planes;
};

// The moves of a role that may be legal. What is kept of them goes by their places among these; only `place` goes by
// the numbers of all moves of the role.
struct KernelRole {
    std::uint32_t moves;
    const std::uint32_t* legal;   // word offsets of the legal slots
    const std::uint32_t* chosen;  // and of the move slots
    const std::uint32_t* number;  // and of planes of all moves of the game
    std::uint32_t all_moves;      // of the role, also those that are never legal;
    const std::uint32_t* place;   // where each is among the others, kNoPlace if it is never legal
    bool is_bound;                // it has one move, which nobody looks at
    bool shares_moves;            // its move slots are written to in other phases too
    std::uint32_t groups, nodes;
    const KernelChoiceNode* tree;
    std::uint64_t* counts;        // scratch planes
    std::uint64_t* ranks;
    std::uint8_t* empty;          // a flag a node: no lane has a legal move in it, and all of it was cleared
};
constexpr std::uint32_t kNoPlace = ~std::uint32_t{0};

// A game in one of its phases, or in any.
struct KernelGame {
    KernelCode terminal, legal, next, goal;
    std::uint32_t terminal_slot;
    std::uint32_t transfers;
    const std::uint32_t* transfer_to;
    const std::uint32_t* transfer_from;
    std::uint32_t roles;
    const KernelRole* role;
    std::uint32_t random_bits;   // planes of randomness a draw
    std::uint32_t rank_bits;     // planes of the largest count of a role
    std::uint64_t* draw;         // scratch: 2 * rank_bits planes, then roles planes for who was served

    std::uint32_t goal_fluents;
    const std::uint32_t* goal_fluent_to;    // in the slots of the goal cone
    const std::uint32_t* goal_fluent_from;  // in the slots of the game
    std::uint32_t goals;
    const std::uint32_t* goal_role;
    const std::int16_t* goal_value;
    const std::uint32_t* goal_slot;
};

// The phases of a game, one after the other and again; one that is right for any state is a round by itself.
struct KernelRound {
    const KernelGame* phase;
    std::uint32_t phases;
};

// Playouts from one state, in blocks (see simulator.h).
struct KernelPlayouts {
    std::uint64_t* slots;
    std::uint64_t* goal_slots;
    // What a lane needs to start anew: slots to set and slots to clear.
    std::uint32_t sets, clears;
    const std::uint32_t* set;
    const std::uint32_t* clear;

    std::uint64_t seed;
    std::uint32_t max_steps;
    std::uint32_t turns;         // games begin only at multiples of this,
    std::uint32_t phase;         // in this phase
    std::uint64_t playouts;      // of all blocks
    std::uint64_t block_size;
    std::uint64_t* next_block;   // shared by the threads
    const std::int32_t* stop;    // non-zero: come back soon

    std::int16_t no_goal;        // where not exactly one holds
    std::int16_t* goals;         // playouts × roles; these are filled in block by block
    std::int32_t* lengths;
    std::uint8_t* outcomes;
    std::uint64_t steps;         // out: how often all lanes stepped together
    std::uint64_t goal_evaluations;
};

constexpr std::uint32_t kMostOrderBits = 4;

// How moves are chosen other than uniformly: an order of a role's moves, best first, is the same for all lanes, so the
// best legal move of every lane at once costs three instructions a move. Several orders drawn from a distribution give
// every lane a choice from that distribution (see policy.h).
struct KernelPolicy {
    std::uint64_t* played;       // a plane a move: lanes whose game has seen it; null if nobody asks
    std::uint32_t moves;         // of all roles
    std::uint32_t orders;        // a power of two, at most 2^kMostOrderBits; 0: every choice is uniform
    const std::uint32_t* order;  // orders × moves, role by role: numbers of moves within the role
    std::uint32_t greedy;        // of 65,536: how often a lane takes the first legal move of an order
    std::uint32_t replies;       // to a move, at the most, which come before the orders
    const std::uint32_t* reply;  // moves × replies, up to kNoPlace: numbers of moves within the next role
    std::uint64_t* last;         // a plane a move of all roles: lanes where it was made in the step before; null without
    std::uint64_t* picked;       // scratch: a plane a move
    std::uint32_t* picks;        // scratch: a number a move
    std::uint32_t* noted;        // the moves of the games in the first column: its lanes × kMostNoted × roles
};

// Of a longer game only the first steps are noted.
constexpr std::uint32_t kMostNoted = 256;

// Games from states of their own, one a lane. They go on from call to call: whoever calls loads states into free lanes
// and collects those that have ended.
struct KernelLeaves {
    std::uint64_t* slots;
    std::uint64_t* goal_slots;
    std::uint64_t* random;       // the generators of the columns: four words of lanes, made by `seed`
    KernelPolicy policy;
    std::uint64_t* live;         // a word a column: lanes with a game
    std::uint64_t* ended;        // likewise: those whose game has ended since they were last collected
    std::uint64_t* began;        // a lane: the step at which its game began
    std::int32_t* lengths;       // of ended games, by lane
    std::uint8_t* outcomes;
    std::uint32_t max_steps;
    std::uint32_t enough;        // come back when so many have ended, or none is left,
    std::uint64_t until;         // or at this step
    std::uint64_t now;           // and, modulo their number, the phase
    std::uint64_t steps;         // out: added to
    std::uint64_t* ends;         // the last states of games that were cut, a plane a fluent; null if nobody asks
    std::uint32_t fluents;
    std::uint32_t first_fluent;  // where their planes begin in the slots
    // Lanes where games have ended before whose goals nobody has asked for yet, a word a column. When the next game ends
    // in one of them, the goals of all games that have ended so far are noted, a plane a goal.
    std::uint64_t* unpaid;       // none afterwards, if they were noted
    std::uint64_t* paid;
    std::uint64_t* ended_then;   // out: lanes of this call among them
    bool is_paid;                // out: whether they were noted
};

struct Kernels {
    std::uint32_t columns;       // 64-lane words of a slot
    void (*evaluate)(const KernelCode& code, std::uint64_t* slots);
    void (*transfer)(const KernelGame& game, std::uint64_t* slots);
    void (*play)(const KernelRound& round, KernelPlayouts& playouts);
    void (*seed)(std::uint64_t* random, std::uint64_t seed);
    void (*play_leaves)(const KernelRound& round, KernelLeaves& leaves);
};

// One for each width and instruction set; see available_kernels() for those that this machine can run.
extern const Kernels kKernels64Base, kKernels256Base, kKernels512Base;
extern const Kernels kKernels256Avx2, kKernels512Avx2, kKernels512Avx512;

}  // namespace ludorum::circuit
