// program.h: rules as join plans.
//
// There are two ways to answer for a relation. A *set* is computed whole, once
// a state, and read through views and indexes; `true` and `does` are sets that
// are given. A *procedure* computes only what is asked: it is called with some
// arguments bound, and remembers its answers as long as they hold.
//
// A rule is a sequence of operations on registers, read as nested loops: an
// operation that fails goes back to the nearest scan before it that could make
// a difference. An operand is a register if it is not negative, else the
// complement of a constant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ludorum::relations {

// What an answer depends on, and so how long it may be remembered.
enum class Level : std::uint8_t { kStatic, kState, kJoint };

enum class Kind : std::uint8_t {
    kSame,        // operands a, b are equal
    kDiffer,      // operands a, b differ
    kTake,        // operand a is a term of functor `target`; its arguments go to the outputs
    kBuild,       // register `out` becomes the term of functor `target` with these arguments
    kTest,        // the view `target` has this row; the term of the fact goes to `out`
    kTestNot,     // the view `target` does not have this row
    kScan,        // for every row of the index `target` under this key: outputs, and the term of the fact to `out`
    kCallTest,    // the procedure `target` holds of these arguments
    kCallNot,     // it does not
    kCallScan,    // for every answer of the procedure: outputs
    kSuspend,     // as kCallScan, of a procedure of the same recursion
    kEmit,        // the arguments are an answer

    // Only in the code of machines (see code.h).
    kScanUnfold,    // kScan, and at once for every row the instances of the segment after it, which ends the rule
    kUnfold,        // for every instance of the segment `target` whose tests pass: its outputs
    kNoteTest,      // the number of the fact that is to be tested goes into the instance
    kNoteCall,      // so do the arguments of the call
    kNoteInstance,  // there is an instance
};

struct Operation {
    Kind kind;
    std::uint32_t target = 0;
    std::int32_t out = -1;                   // a register, or none
    std::int32_t back = -1, fail = -1;       // operations of the same rule to go on with; -1: there are no more answers
    std::vector<std::int32_t> arguments;     // operands
    std::vector<std::int32_t> outputs;       // a register for each column that is not bound, -1: not wanted
    std::uint32_t iterator = 0;              // where a scan keeps its place
};

struct Rule {
    std::uint32_t registers = 0, iterators = 0;  // the first registers are the bound arguments
    std::vector<Operation> operations;
};

struct Procedure {
    std::string name;
    Level level = Level::kState;
    std::uint32_t bound = 0, free = 0;
    bool is_recursive = false;
    std::vector<Rule> rules;
};

struct SetSpec {
    std::string name;
    Level level = Level::kState;
    std::uint32_t arity = 0;
    std::int32_t procedure = -1;                         // what fills it; -1: it is given
    std::vector<std::vector<std::int32_t>> facts;        // texts of given rows (see Terms::write), one after the other
};

// The leaves of the terms of a set that have a certain form: -1 is a leaf, f ≥ 0 a term of functor f. In preorder.
struct ViewSpec {
    std::uint32_t set = 0;
    std::vector<std::int32_t> pattern;
    std::uint32_t leaves = 0;
};

struct IndexSpec {
    std::uint32_t view = 0;
    std::vector<std::uint32_t> bound, free;  // leaves
};

struct Program {
    std::uint32_t constants = 0;
    std::vector<std::uint32_t> arities;                    // of functors
    std::vector<std::vector<std::int32_t>> ground_terms;   // further constants: texts of compound terms
    std::vector<SetSpec> sets;
    std::vector<ViewSpec> views;
    std::vector<IndexSpec> indexes;
    std::vector<Procedure> procedures;

    // Where the questions are answered: sets, and a procedure without arguments.
    std::uint32_t true_set = 0, does_set = 0, init_set = 0, next_set = 0, legal_set = 0, goal_set = 0, sees_set = 0;
    std::uint32_t terminal = 0;
    std::vector<std::uint32_t> roles;         // constants
    std::vector<std::int16_t> goal_values;    // by constant; -1 is no value of a goal

    // Throws std::invalid_argument for numbers that point nowhere.
    void check() const;
};

}  // namespace ludorum::relations
