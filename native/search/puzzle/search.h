// search.h: what the searches for a plan have in common.
//
// A plan is a series of moves of the only role, from the state where search
// starts to a terminal one. It is worth the goal value there; a state without
// a single goal value is worth 0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/simulator.h"
#include "search/puzzle/canonicalizer.h"
#include "search/puzzle/store.h"
#include "support/clock.h"

namespace ludorum::puzzle {

enum class Status : std::uint8_t {
    kRunning,    // the time was up, or somebody asked to stop; go on by another call
    kSolved,     // a plan that is worth the target was found
    kExhausted,  // there is nothing left to be searched
    kFull,       // the memory is used up
};

struct Found {
    int value = -1;                    // of the best plan so far; -1 if there is none
    std::vector<std::uint32_t> plan;
};

struct Limits {
    Clock::time_point until;
    const std::atomic<std::int32_t>& stop;

    bool passed() const { return stop != 0 || Clock::now() >= until; }
};

inline Limits within(double seconds, const std::atomic<std::int32_t>& stop) {
    const auto span = std::chrono::duration<double>(seconds);
    return {Clock::now() + std::chrono::duration_cast<Clock::duration>(span), stop};
}

inline int worth(std::int16_t goal) { return goal < 0 ? 0 : goal; }

// Calls visit(move) for every legal move in a row of bits.
template <class Visit> void for_moves(const Bits* legal, std::size_t words, Visit visit) {
    for (std::size_t word = 0; word < words; ++word)
        for (Bits left = legal[word]; left; left &= left - 1)
            visit(static_cast<std::uint32_t>(64 * word) + static_cast<std::uint32_t>(__builtin_ctzll(left)));
}

// States as a search expands them: those of nodes of a store, all their legal moves, and where these lead.
class Expansion {
public:
    Expansion(const Simulator& simulator, const Canonicalizer& canonicalizer) : simulator_(simulator), canonicalizer_(canonicalizer) {}

    // The states of these nodes, which of them are terminal, and the goal values of those.
    void look(const Store& store, const std::vector<Node>& nodes);
    // The successors of those that are not terminal, as canonical rows: children of the given node and move.
    void step();

    const std::vector<Bits>& states() const { return states_; }
    bool is_terminal(std::size_t i) const { return terminal_[i] != 0; }
    int value(std::size_t i) const { return values_[i]; }                   // of a terminal state
    std::uint64_t mobility(std::size_t i) const;                             // how many legal moves there are
    std::size_t children() const { return moves_.size(); }
    std::size_t parent(std::size_t child) const { return parents_[child]; }  // as a number of those looked at
    const Bits* child(std::size_t child) const { return rows_.data() + child * canonicalizer_.words(); }

private:
    const Simulator& simulator_;
    const Canonicalizer& canonicalizer_;
    std::vector<Bits> states_, legal_, ended_, sources_, rows_;
    std::vector<std::uint8_t> terminal_;
    std::vector<std::int16_t> goals_;
    std::vector<int> values_;
    std::vector<std::uint32_t> parents_, moves_;
};

// The moves along a way of canonical rows, from the state where it starts, with the value they really reach.
// A symmetric row is followed to whichever of its images the moves lead to. No plan (-1) if the last state is not
// terminal, as happens where a counter decides and a shorter way was found meanwhile.
Found follow(const Simulator& simulator, const Canonicalizer& canonicalizer, const Bits* start, const Store& store,
             const std::vector<Node>& way);

}  // namespace ludorum::puzzle
