// leaf_playouts.h: random games from many states at once, as a tree search
// plays them: each from a state of its own, begun as others end.
//
// A game is known by its ticket, a number that whoever began it chose. Games
// are played by an object of this kind, which one thread owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulator.h"

namespace ludorum {

struct LeafSpec {
    std::uint32_t lanes = 0;           // 0: what is fastest here
    std::uint64_t seed = 0;
    std::uint32_t max_steps = 10'000;  // a game that goes on for longer is cut
    bool notes_moves = false;          // whether `played` is filled
    bool notes_ends = false;           // whether `ends` is filled
    // Whether moves that win at once are made and those that lose at once avoided, where the engine can tell.
    bool decisive = false;
    // Whether replies of the preference are looked for, and the moves of some games are noted in `history`.
    bool replies = false;
};

constexpr std::uint32_t kNoMove = ~std::uint32_t{0};

// Games that have ended, in the order of their fields.
struct LeafResults {
    std::vector<std::uint32_t> tickets;
    std::vector<std::int16_t> goals;   // games × roles; none counts as 0, of several the lowest
    std::vector<std::int32_t> lengths;
    std::vector<Bits> played;          // games × words of legal moves: those that were made at least once
    std::vector<std::uint8_t> is_cut;  // whether a game was cut
    std::vector<Bits> ends;            // games × words of states: the last state of those that were cut
    // Joint moves as move numbers, game after game, and where each game's end; only from those who choose by them. Of a
    // game that was not noted there are none; kNoMove is a role's that had no choice.
    std::vector<std::uint32_t> history;
    std::vector<std::size_t> history_ends;

    void clear() {
        tickets.clear();
        goals.clear();
        lengths.clear();
        played.clear();
        is_cut.clear();
        ends.clear();
        history.clear();
        history_ends.clear();
    }
};

// An order of every role's moves, best first. In each choice a lane takes, with the chance `greedy`, the first legal
// reply to the move that the role before made in the step before, else the first legal move of one of the orders (each as
// likely as the others); and else any legal move.
struct Preference {
    std::uint32_t orders = 0;               // 0: no preference; else a power of two, at most 16
    std::vector<std::uint32_t> order;       // orders × all moves, role by role: move numbers within the role
    double greedy = 0;
    std::uint32_t replies = 0;              // to a move, at the most
    std::vector<std::uint32_t> reply;       // all moves × replies, best first, up to kNoMove: of the next role's moves
};

class LeafPlayouts {
public:
    virtual ~LeafPlayouts() = default;

    virtual std::uint32_t lanes() const = 0;

    // Begins a game. The state may be terminal. Games begin sooner and are played faster if those whose `phase` is
    // the same modulo the turns of the game have the same role to move. `before` holds the joint moves that led there,
    // for those who choose by them.
    virtual void begin(const Bits* state, std::uint32_t ticket, std::uint32_t phase, std::span<const std::uint32_t> before) = 0;

    // How moves are chosen from now on, by those who choose by orders.
    virtual void prefer(const Preference& preference) = 0;

    // Plays on until at least `enough` games have ended, or all have, or so many steps were made, and adds those that
    // have ended to the results.
    virtual void play(std::uint32_t enough, std::uint64_t most_steps, LeafResults& results) = 0;

    // Drops all games that are under way.
    virtual void forget() = 0;

    // How often all lanes stepped together.
    virtual std::uint64_t steps() const = 0;
};

}  // namespace ludorum
