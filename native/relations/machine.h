// machine.h: answers questions about one state at a time by running join plans.
//
// A question computes what it needs and no more: sets are filled when they are
// first read, procedures run for the arguments they are called with, and both
// are remembered until the state (or the joint move) changes. Recursion is
// tabled: a rule that calls a procedure of its own recursion is suspended with
// its registers and goes on with every answer, once each, so that cycles end
// and depth takes memory but no stack.
//
// Threads: a machine belongs to one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "relations/answers.h"
#include "relations/code.h"
#include "relations/facts.h"
#include "relations/program.h"
#include "relations/terms.h"
#include "support/clock.h"

namespace ludorum::relations {

// A question took more than it may. The machine is worn then.
struct OutOfTime : std::runtime_error { using std::runtime_error::runtime_error; };
struct OutOfMemory : std::runtime_error { using std::runtime_error::runtime_error; };
struct Stopped : std::runtime_error { using std::runtime_error::runtime_error; };
// An answer depends on its own negation; the message is the name of a relation.
struct Unstratified : std::runtime_error { using std::runtime_error::runtime_error; };

struct Budget {
    double seconds = 60;
    std::size_t bytes = std::size_t{1} << 30;
};

// What a procedure did so far; its work is with that of those it called, and its own without.
struct Tally { std::uint64_t calls = 0, evaluations = 0, answers = 0, work = 0, own = 0; };

class Machine {
public:
    // Requires: program.check() passed and the program outlives the machine.
    Machine(const Program& program, Budget budget);
    ~Machine();

    Terms& terms() { return terms_; }
    FactSet& set(std::uint32_t number) { return sets_[number]; }
    const FactSet& true_set() const { return sets_[program_.true_set]; }

    // The fact of a fluent, for load.
    std::uint32_t fluent(TermId term);
    // The fact of the fluent that a fact of `next` is about.
    std::uint32_t following(std::uint32_t next) {
        if (next >= following_.size()) following_.resize(next + 1, kNone);
        if (following_[next] == kNone) following_[next] = fluent(*sets_[program_.next_set].facts.tuple(next));
        return following_[next];
    }
    TermId term_of(std::uint32_t fluent) const { return *true_set().facts.tuple(fluent); }

    // Questions are about this state from now on, before any move.
    void load(const std::vector<std::uint32_t>& fluents);
    // … and about this joint move, one term a role.
    void act(const std::vector<TermId>& joint);

    bool is_terminal();
    // The rows that hold of init, legal, goal, next or sees.
    const FactSet& ask(std::uint32_t set);

    // Questions are given up soon after this is not 0.
    void watch(const std::atomic<std::int32_t>* stop) { stop_ = stop; }

    std::size_t bytes() const;
    const std::vector<Tally>& tallies() const { return tallies_; }
    // Steps so far: a step of a plan is kStep, one of an instance that was unfolded is 1.
    static constexpr std::int32_t kStep = 4;
    std::uint64_t work() const { return work_ + static_cast<std::uint64_t>(kFuel - fuel_); }
    // Whether it has to be made anew before it is given another state: it holds too much, has run
    // out of versions, or was interrupted by an exception.
    bool is_worn() const;
    bool is_broken() const { return is_broken_; }

private:
    class Tallying;
    struct Unwieldy { std::uint32_t start; };
    // The budget is looked at after so much work: well under a millisecond.
    static constexpr std::int32_t kFuel = 1 << 16;
    // Registers of all rules that are at work at the same time.
    static constexpr std::size_t kRegisters = std::size_t{1} << 20;
    struct Task { std::uint32_t procedure, call; bool is_start; };
    struct Consumer { Code* code; std::uint32_t at, call, registers, last, next; };

    void refuel();
    void spend(std::int32_t steps = kStep) {
        if ((fuel_ -= steps) <= 0) refuel();
    }
    TermId value(std::int32_t operand, const TermId* registers) const {
        return operand >= 0 ? registers[operand] : static_cast<TermId>(~operand);
    }
    void gather(const Op& op, const TermId* registers, TermId* to) const;
    void fill(FactSet& set);
    std::uint32_t call(std::uint32_t procedure, const TermId* arguments);
    bool holds(std::uint32_t procedure, const TermId* arguments);
    void evaluate(std::uint32_t procedure, std::uint32_t call);
    void run_rules(std::uint32_t procedure, std::uint32_t call);
    void solve(std::uint32_t procedure, std::uint32_t call);
    void open(std::uint32_t procedure, std::uint32_t call);
    void wake(std::uint32_t procedure, std::uint32_t call);
    std::uint32_t suspend(Code& code, std::uint32_t at, std::uint32_t call, const TermId* registers, const TermId* arguments);
    bool emit(std::uint32_t procedure, std::uint32_t call, const TermId* values);
    void run(Code& code, const std::vector<Op>& ops, std::uint32_t call, TermId* registers, std::int32_t at, std::int32_t floor);
    void unfold_rule(Code& code);
    Segment::Range instances(Code& code, Segment& segment, TermId* registers);
    Segment::Range note_instances(Code& code, Segment& segment, std::uint32_t key, TermId* registers);
    void note_instance(const Code& code, const TermId* registers);
    Index& current_index(std::uint32_t number);
    bool is_valid(const Segment& segment, const std::uint32_t* instance);
    enum class Found : std::uint8_t { kNothing, kSome, kAll };
    Found answer(const Code& code, Segment& segment, Segment::Range range, std::int32_t at, std::uint32_t number);
    bool next_instance(Segment& segment, const Op& op, std::uint32_t from, TermId* registers);

    const Program& program_;
    Budget budget_;
    Terms terms_;
    std::vector<FactSet> sets_;
    std::vector<View> views_;
    std::vector<Index> indexes_;
    std::vector<std::int32_t> pool_;                 // operands and outputs of all operations
    std::vector<std::vector<Code>> codes_;           // by procedure
    std::vector<std::uint32_t> filled_set_;          // by procedure: the set it fills, or kNone
    std::vector<Answers> answers_;                   // by procedure
    std::vector<Tally> tallies_;
    std::vector<std::uint32_t> following_;           // by fact of `next`, that of `true`
    std::uint32_t versions_[3];                      // by level
    std::unique_ptr<TermId[]> registers_;
    TermId* top_;
    std::uint32_t depth_ = 0, generation_ = 0;
    std::vector<Task> tasks_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> opened_;
    std::vector<Consumer> consumers_;
    std::vector<TermId> saved_;                      // registers of consumers
    std::uint64_t work_ = 0;
    std::uint64_t called_ = 0;                       // work of those that the present procedure called
    std::int32_t fuel_;
    Segment* noted_ = nullptr;                       // whose instances are being found
    std::uint32_t first_noted_ = 0;
    std::vector<std::uint32_t> note_;                // the instance so far
    std::size_t noted_words_ = 0;                    // of all instances
    bool is_timed_ = false, is_broken_ = false;
    Clock::time_point deadline_;
    const std::atomic<std::int32_t>* stop_ = nullptr;
};

}  // namespace ludorum::relations
