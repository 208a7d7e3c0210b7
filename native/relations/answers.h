// answers.h: what a procedure has answered.
//
// A call is the values of the bound arguments. It keeps its number from state
// to state, so that what is known of it lives in arrays under that number; its
// answers hold for one version only, that of the state or the joint move.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "relations/program.h"
#include "relations/terms.h"
#include "relations/tuple_table.h"

namespace ludorum::relations {

// Arguments of a call or an answer, at most; the widest relations of the corpus have fewer.
constexpr std::size_t kWidest = 128;
// Calls and answers are known again from state to state, until there are so many that new tables in the cache are faster
// than old ones in memory.
constexpr std::uint32_t kMostKnown = 2048;

// What is remembered of a procedure. A call (the values of its bound arguments) keeps its number for good.
struct Answers {
    enum Status : std::uint8_t { kOpen, kDone };
    struct Call {
        std::uint32_t version = 0;
        std::uint32_t first = 0, last = 0;     // answers: of a recursive procedure a list, else a range
        std::uint32_t consumers = kNone, generation = 0;
        Status status = kDone;
        bool holds = false, is_queued = false;
    };

    Answers(const Procedure& procedure)
        : free(procedure.free), is_recursive(procedure.is_recursive), level(procedure.level), calls(procedure.bound),
          tuples(procedure.free + (procedure.bound > 0)) {}

    enum Verdict : std::uint8_t { kUnknown, kHolds, kFails };

    std::uint32_t free;
    bool is_recursive;
    Level level;
    TupleTable calls;
    std::vector<Call> of_call;
    std::vector<Verdict> verdicts;       // by call, of what never changes
    // Forgets what held. What holds from now on is of this version, which was never used before.
    void start(std::uint32_t new_version) {
        version = new_version;
        rows.clear();
        next.clear();
        row_count = 0;
        if (calls.size() > kMostKnown) {
            calls.clear();
            of_call.clear();
            is_renumbered = true;
        }
        if (calls.size() == 0 || tuples.size() > kMostKnown) {
            tuples.clear();
            stamps.clear();
        }
    }

    // Whether an answer to a call was not given before; it is now.
    bool is_new(std::uint32_t call, const TermId* values) {
        TermId row[kWidest + 1];
        const bool is_keyed = calls.width() > 0;
        row[0] = call;
        std::copy_n(values, free, row + is_keyed);
        const std::uint32_t tuple = tuples.add(row);
        if (tuple == stamps.size()) stamps.push_back(0);
        if (stamps[tuple] == version) return false;
        stamps[tuple] = version;
        return true;
    }

    bool is_renumbered = false;          // calls have got other numbers; since the rules were last run
    std::uint32_t version = 0;           // of the rows
    std::vector<TermId> rows;            // `free` terms each
    std::vector<std::uint32_t> next;     // by row, of a recursive procedure
    std::uint32_t row_count = 0;
    TupleTable tuples;                   // (call,) row; so that an answer is given once
    std::vector<std::uint32_t> stamps;   // by tuple
    std::size_t bytes() const {
        return calls.bytes() + tuples.bytes() + verdicts.capacity() + of_call.capacity() * sizeof(Call) +
               4 * (rows.capacity() + next.capacity() + stamps.capacity());
    }
};

}  // namespace ludorum::relations
