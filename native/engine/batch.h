// batch.h: many games side by side that are stepped together, for learning.
//
// Game i has its state, its legal moves and how far it is; a step advances all
// games that are not over by one joint move each, a game that is over stays as
// it is until it is put back. What is written out (moves, fluents, masks) goes
// into arrays of the caller.
//
// Requires: the simulator outlives the batch.
// Threads:  one thread at a time asks a batch; it works with as many as it was told.
// Does not: depend on the number of threads in anything that it answers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/simulator.h"
#include "support/rows/row_kernels.h"
#include "support/thread_team.h"

namespace ludorum {

// How a game of a batch is.
enum class Standing : std::uint8_t { kGoing = 0, kTerminal = 1, kStuck = 2, kCut = 3 };

// What a step does besides, and where it writes what then holds (null: nowhere).
struct AfterStep {
    bool begin_anew = false;          // games that are over start again at once
    std::uint8_t* fluents = nullptr;  // size × fluents, bytes 0 and 1
    std::uint8_t* legal = nullptr;    // size × all_moves
    Bits* told = nullptr;             // what the roles were told: size × percept_words, 0 for games that made no step
};

class Batch {
public:
    // n games in the state `start`; those that have made max_steps steps are cut.
    Batch(const Simulator& simulator, const Bits* start, std::size_t n, std::uint32_t max_steps, std::uint32_t threads);

    const Shape& shape() const { return shape_; }
    std::size_t size() const { return standings_.size(); }
    const Bits* states() const { return states_.data(); }
    const Bits* legal() const { return legal_.data(); }
    const std::uint8_t* standings() const { return standings_.data(); }
    const std::uint32_t* lengths() const { return lengths_.data(); }
    // How games ended in the last step, kGoing for the others; and what they ended with, size × roles, if they began
    // anew then: kNoGoal for the others.
    const std::uint8_t* ended() const { return ended_.data(); }
    const std::int16_t* final_goals() const { return final_goals_.data(); }

    // Of what follows the games that are not over and for which chosen[i] is not 0 (all if it is null) take part.

    // For each of them and every role a legal move, each as likely as any other: size × roles, kNoMove for the others.
    // Every game draws from a random stream of its own, so what it draws does not depend on the games beside it.
    void sample(const std::uint8_t* chosen, std::uint32_t* joint);
    static constexpr std::uint32_t kNoMove = kNoBit;
    // Begins the streams of games anew; of these, over or not.
    void seed(const std::uint64_t* seeds, const std::uint8_t* chosen);

    // The first of them whose joint move has an illegal part, with its role; size() if there is none.
    std::pair<std::size_t, std::uint32_t> first_illegal(const std::uint32_t* joint, const std::uint8_t* chosen);

    // Advances them. Requires: first_illegal found none.
    void step(const std::uint32_t* joint, const std::uint8_t* chosen, const AfterStep& then);

    // Puts the games for which chosen[i] is not 0 (all if it is null) into a state, with no steps made.
    void set(const std::uint8_t* chosen, const Bits* state);

    // For every game and role whether it has more than one legal move; none where a game is over: size × roles.
    void choosers(std::uint8_t* flags);

    // For every game and role the goal value of its state, or kNoGoal.
    void goals(std::int16_t* values);

    // What holds, and the legal moves from number `first` to before `end` of all, as bytes 0 and 1.
    void write_fluents(std::uint8_t* bytes);
    void write_legal(std::uint32_t first, std::uint32_t end, std::uint8_t* bytes);

private:
    // A state that games are put into, and what is known of it.
    struct Place {
        std::vector<Bits> state, legal;
        Standing standing = Standing::kGoing;
    };
    bool takes_part(std::size_t game, const std::uint8_t* chosen) const {
        return standings_[game] == 0 && (chosen == nullptr || chosen[game] != 0);
    }
    // work(first, end) for every block of games, by several threads.
    template <class Work> void for_blocks(Work work);
    void step_all(std::size_t from, std::size_t to, const std::uint32_t* joint, Bits* told);
    void step_some(std::size_t from, std::size_t to, const std::uint32_t* joint, const std::uint8_t* chosen, Bits* told);
    void end_block(std::size_t from, std::size_t to, const AfterStep& then);
    // How games from `from` on are, from their legal moves and lengths, and from whether they are terminal.
    void judge(std::size_t from, std::size_t to, const std::uint8_t* terminal);
    RowRange legal_of(std::size_t role, std::size_t from) const {
        return {legal_.data() + from * shape_.legal_words(), shape_.legal_words(), first_moves_[role],
                first_moves_[role] + shape_.moves[role]};
    }
    Place look_at(const Bits* state) const;
    void put(std::size_t game, const Place& place);

    const Simulator& simulator_;
    const Shape& shape_;
    std::vector<std::uint32_t> first_moves_;  // by role, where its moves begin among all
    std::uint32_t max_steps_;
    ThreadTeam team_;
    std::vector<Bits> states_, legal_;
    std::vector<std::uint8_t> standings_, ended_;
    std::vector<std::uint32_t> lengths_;
    std::vector<std::uint64_t> streams_;
    std::vector<std::int16_t> final_goals_;
    Place start_, there_;  // where all began, and the state that games were put into last
};

}  // namespace ludorum
