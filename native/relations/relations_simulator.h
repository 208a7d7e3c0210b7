// relations_simulator.h: the simulator that computes with relations, without grounding.
//
// Fluents and moves are numbered as they first occur, so their number is not
// known beforehand; a row has room for a fixed number of fluents, and the legal
// moves for a fixed number of each role. A state with a fluent that came too
// late for the room is kept by the simulator, and its row is a reference (the
// last word is not 0 then). Rows of equal states are equal all the same, so
// whoever copies, compares or hashes rows need not know. A move that came too
// late cannot be told in bits: `look` throws OutOfMemory, `moves` tells it.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/simulator.h"
#include "relations/dictionary.h"
#include "relations/machine.h"
#include "relations/program.h"

namespace ludorum::relations {

// How many fluents, moves and percepts (of each role) rows have room for.
struct Room { std::uint32_t fluents = 0; std::vector<std::uint32_t> moves, percepts; };

// What random play from the initial state met with.
struct Sample {
    std::uint64_t states = 0, work = 0;
    bool is_cut_short = false;                                // a question passed its budget, or has no answer
    std::vector<Tally> tallies;                               // by procedure
    std::vector<std::vector<std::vector<std::int32_t>>> true_rows;  // some states: texts of fluents
    std::vector<std::uint64_t> set_sizes;                     // by set: rows in all the states together
};

class RelationsSimulator final : public Simulator {
public:
    // Throws std::invalid_argument for what is no program, and what a question may throw.
    RelationsSimulator(Program program, Room room, Budget budget);
    ~RelationsSimulator() override;

    const Shape& shape() const override { return shape_; }

    void terminal_and_legal(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const override;
    void step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const override;
    void goals(const Bits* states, std::size_t count, std::int16_t* values) const override;
    void payoffs(const Bits* states, std::size_t count, std::int16_t* values) const override;
    void percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const override;
    PlayoutWork playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                         const std::atomic<std::int32_t>& stop) const override;

    // ---- what rows mean ----

    using Text = std::vector<std::int32_t>;
    std::vector<Bits> initial(const std::atomic<std::int32_t>& stop) const;
    std::vector<Bits> row(const std::vector<Text>& fluents) const;
    std::vector<std::uint32_t> fluents(const Bits* state) const;  // sorted
    Text fluent(std::uint32_t number) const { return fluents_.text(number); }
    Text move(std::uint32_t role, std::uint32_t number) const { return moves_.at(role).text(number); }
    std::uint32_t move_number(std::uint32_t role, const Text& text) const { return moves_.at(role).number(text); }
    Text percept(std::uint32_t role, std::uint32_t number) const { return percepts_.at(role).text(number); }
    std::uint32_t percept_number(std::uint32_t role, const Text& text) const { return percepts_.at(role).number(text); }
    std::uint32_t known_fluents() const { return fluents_.size(); }
    std::uint32_t known_moves(std::uint32_t role) const { return moves_.at(role).size(); }
    std::uint32_t known_percepts(std::uint32_t role) const { return percepts_.at(role).size(); }

    // ---- one state, without bounds on moves and percepts ----

    bool is_terminal(const Bits* state, const std::atomic<std::int32_t>& stop) const;
    std::vector<std::vector<std::uint32_t>> moves(const Bits* state, const std::atomic<std::int32_t>& stop) const;
    std::vector<Bits> after(const Bits* state, const std::uint32_t* joint, const std::atomic<std::int32_t>& stop) const;
    std::vector<std::int16_t> goals_of(const Bits* state, const std::atomic<std::int32_t>& stop) const;
    std::vector<std::vector<std::uint32_t>> told(const Bits* state, const std::uint32_t* joint,
                                                 const std::atomic<std::int32_t>& stop) const;

    // Random play for so many states or steps, whichever ends first.
    Sample sample(std::uint64_t states, std::uint64_t steps, std::uint64_t seed, std::size_t kept,
                  const std::atomic<std::int32_t>& stop) const;
    // All rows of a set that is the same in every state, at most `limit`: texts, one row after the other.
    std::vector<std::vector<Text>> extent(std::uint32_t set, std::size_t limit, const std::atomic<std::int32_t>& stop) const;

private:
    class Workspace;
    struct Lease;

    Lease borrow(const std::atomic<std::int32_t>* stop = nullptr) const;
    void write_row(Workspace& workspace, const std::vector<std::uint32_t>& fluents, Bits* row) const;

    Program program_;
    Budget budget_;
    Shape shape_;
    std::size_t inline_fluents_;
    mutable Dictionary fluents_;
    mutable std::deque<Dictionary> moves_, percepts_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Workspace>> idle_;
    mutable std::map<std::vector<std::uint32_t>, std::uint64_t> kept_;   // states that do not fit a row
    mutable std::vector<const std::vector<std::uint32_t>*> kept_states_;
};

}  // namespace ludorum::relations
