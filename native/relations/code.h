// code.h: rules as the machine runs them.
//
// A rule of a program is a list of operations. Those that depend on nothing but
// what never changes (static relations, terms) need not be done again and again
// for the same values: where such operations stand together, they are a
// *segment*, which is *unfolded*. For the values that it depends on, it is run
// once, and what comes out is kept as a list of *instances*: the facts that are
// still to be tested in a state, by their numbers, and the values (or the
// number of the fact) that the segment gives. In a state an instance is a few
// look-ups of stamps. That is grounding, but only of what is met with.
//
// A test of what changes from state to state belongs to its segment; a scan of
// it does not. A scan of what never changes begins a new segment if something
// is tested before it, so that what fails early is never unfolded further.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "relations/facts.h"
#include "relations/program.h"
#include "relations/terms.h"
#include "relations/tuple_table.h"

namespace ludorum::relations {

struct Op {
    Kind kind;
    std::uint16_t ins = 0, outs = 0;   // outs counts those that are wanted: pairs of column and register
    std::uint32_t target = 0;
    std::int32_t out = -1, back = -1, fail = -1;
    std::uint32_t iterator = 0;
    std::uint32_t in_pool = 0, out_pool = 0;
    std::uint32_t late_outs = 0;       // what only a segment wants, when it notes instances: then outs is 0 and out -1
    std::int32_t late_out = -1;
};

struct Segment {
    // What the instances depend on: nothing, the row or instance that was found last, or values (numbers of two rows or
    // instances, too).
    enum class Key : std::uint8_t { kNothing, kPlace, kValues };
    // What is left to be tested: a fact, whose number the instance has at `at`, or a call, whose arguments it has there.
    struct Check { Kind kind; std::uint32_t target, at; FactSet* set = nullptr; };
    struct Range { std::uint32_t first = kNone, last = 0; };

    std::vector<Op> ops;                  // the last notes an instance
    Key key = Key::kNothing;
    std::vector<std::int32_t> key_registers;
    std::int32_t taken_late = -1;         // the scan before it, if what that finds is taken only to note instances
    std::vector<Check> checks;
    std::vector<std::int32_t> outputs;    // operands
    std::uint32_t first_output = 0, stride = 0;
    bool emits = false;                   // the outputs are an answer; of a rule that fills a set, the number of the fact
    std::int32_t after_answer = -1;       // where to go on after an answer, in the rule; its own place: with the next instance
    std::uint32_t start = 0;              // the first of the operations of the rule that it stands for

    TupleTable keys;
    std::vector<Range> ranges;            // by number of the key
    std::vector<std::uint32_t> instances;
    std::uint32_t count = 0;
    std::uint32_t asked = 0, missed = 0;

    std::size_t bytes() const { return keys.bytes() + 8 * ranges.capacity() + 4 * instances.capacity(); }
};

struct Code {
    std::uint32_t procedure = 0, bound = 0, registers = 0, frame = 0;
    bool has_lasting_numbers = false;     // whether calls keep their numbers, so that segments may depend on these
    std::vector<Op> plain;                // as in the program
    std::vector<Op> ops;                  // with segments
    std::vector<Segment> segments;
    std::vector<std::uint32_t> folded;    // operations where no segment starts, since it did not pay
};

// What unfolding has to know of the program: of views, indexes and procedures whether they never change.
struct Unchanging {
    std::function<bool(std::uint32_t)> view, index, procedure;
    std::function<FactSet*(std::uint32_t)> set_of_view;
    const std::vector<std::int32_t>* pool;
    bool fills_a_set;
};

// Makes the operations of a rule anew, with segments.
void unfold(Code& code, std::uint32_t plain_frame, const Unchanging& unchanging);

}  // namespace ludorum::relations
