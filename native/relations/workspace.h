// workspace.h: a machine, and what its numbers mean to the others.
//
// A simulator has a workspace for every thread that asks it something at the
// same time. Random matches go on in it turn by turn, and remember the states
// that they meet with where that is worth it (see play_memory.h).
//
// Threads: a workspace belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "relations/machine.h"
#include "relations/play_memory.h"
#include "relations/relations_simulator.h"

namespace ludorum::relations {

class RelationsSimulator::Workspace {
public:
    explicit Workspace(const RelationsSimulator& simulator);

    Machine& machine() { return *machine_; }

    // Loads a state, into a new machine if the old one is worn.
    void load(const Bits* row);
    // Loads the initial state, or the one that follows from the moves that were made.
    void start();
    void advance();
    const std::vector<std::uint32_t>& state() const { return state_; }
    // A worn machine is replaced, and the state carried over.
    void refresh();

    // By role, the terms that are legal, in no particular order.
    const std::vector<std::vector<TermId>>& legal() { return by_role(program_.legal_set); }
    const std::vector<std::vector<TermId>>& sees() { return by_role(program_.sees_set); }
    void goals(std::int16_t* values);
    void payoffs(std::int16_t* values);

    std::uint32_t fluent_number(std::uint32_t fact);
    std::uint32_t move_number(std::size_t role, TermId term);
    std::uint32_t percept_number(std::size_t role, TermId term) { return number(simulator_.percepts_[role], term); }
    TermId move_term(std::size_t role, std::uint32_t number);
    void act(const std::uint32_t* joint);

    // ---- random matches ----

    // Loads the state that many matches start from, remembering what they meet with if that is worth it.
    void begin(const Bits* row);
    void end() { memory_.turn_off(); }

    // Whether percepts are numbered on the way, so that there is room for them.
    bool notes_percepts = false;

    enum class Turn { kMoved, kTerminal, kStuck };

    // Whether the game goes on, and if it may, by moves that are chosen uniformly. The choice depends on the moves and
    // the random number, not on the order in which this machine met with them.
    Turn turn(std::uint64_t& random, bool may_move);

private:
    void reload();
    void renew();
    std::uint32_t number(Dictionary& dictionary, TermId term);
    std::uint32_t fact_of(std::uint32_t number);
    const std::vector<std::vector<TermId>>& by_role(std::uint32_t set);
    void compute_goals(std::int16_t* values);

    bool comes_before(TermId a, TermId b) const { return machine_->terms().hash(a) < machine_->terms().hash(b); }
    // The move of a rank in the order of hashes, which is the same in every machine.
    TermId ranked(const std::vector<TermId>& moves, std::size_t rank);
    // A turn by what is remembered of this state, which is added to.
    Turn remembered_turn(std::uint64_t& random, bool may_move);
    void move_on();
    // Finds out what there is to know of this state.
    void study();
    // Puts the state that play has come to into the machine.
    void recall();
    void forget() { here_ = root_ = kNone; }

    const RelationsSimulator& simulator_;
    const Program& program_;
    std::unique_ptr<Machine> machine_;
    std::vector<std::uint32_t> state_;
    PlayMemory memory_;
    std::uint32_t here_ = kNone, root_ = kNone;   // in the memory: this state, and the one that matches begin with
    std::vector<Bits> root_row_;
    bool is_loaded_ = true;                       // whether this state is what the machine was given
    std::uint64_t machines_made_ = 0;
    std::vector<TermId> joint_, order_;
    std::vector<std::vector<TermId>> by_role_;
    std::vector<std::size_t> role_of_term_;   // the number of roles for what is none
    std::vector<std::uint32_t> fact_of_number_, number_of_fact_;
    std::vector<std::vector<std::uint32_t>> number_of_move_, move_of_number_;
    Text text_;
    std::uint64_t turns_ = 0;
};

// A workspace for the time of a question.
struct RelationsSimulator::Lease {
    Lease(const RelationsSimulator& simulator, std::unique_ptr<Workspace> workspace, const std::atomic<std::int32_t>* stop)
        : simulator(simulator), workspace(std::move(workspace)), stop(stop) {
        this->workspace->machine().watch(stop);
    }
    Lease(const Lease&) = delete;
    ~Lease() {
        workspace->machine().watch(nullptr);
        const std::lock_guard guard(simulator.mutex_);
        simulator.idle_.push_back(std::move(workspace));
    }
    void load(const Bits* row) {
        workspace->load(row);
        workspace->machine().watch(stop);
    }
    Workspace* operator->() { return workspace.get(); }

    const RelationsSimulator& simulator;
    std::unique_ptr<Workspace> workspace;
    const std::atomic<std::int32_t>* stop;
};

}  // namespace ludorum::relations
