// Running one rule: the loop over its operations, and what is called in it so often that it is inlined.
#include <algorithm>

#include "relations/machine.h"

namespace ludorum::relations {
namespace {

// Values by which instances are looked up: with more of them, a look-up costs more than it saves.
constexpr std::uint32_t kMostKeys = 1 << 13;
// So often instances are looked up by values before it is decided whether they are found often enough.
constexpr std::uint32_t kTrial = 1 << 16;
// So many answers of a call are compared one by one.
constexpr std::uint32_t kFewAnswers = 12;

}  // namespace

inline void Machine::gather(const Op& op, const TermId* registers, TermId* to) const {
    const std::int32_t* operands = pool_.data() + op.in_pool;
    for (std::uint32_t i = 0; i < op.ins; ++i) to[i] = value(operands[i], registers);
}

inline bool Machine::holds(std::uint32_t procedure, const TermId* arguments) {
    Answers& answers = answers_[procedure];
    if (answers.level != Level::kStatic) return answers.of_call[call(procedure, arguments)].holds;
    // What is true for good is known by a byte.
    const std::uint32_t known = answers.calls.find(arguments);
    if (known < answers.verdicts.size() && answers.verdicts[known] != Answers::kUnknown) {
        ++tallies_[procedure].calls;
        return answers.verdicts[known] == Answers::kHolds;
    }
    const std::uint32_t number = call(procedure, arguments);
    if (number >= answers.verdicts.size()) answers.verdicts.resize(std::max<std::size_t>(number + 1, 2 * answers.verdicts.size()), Answers::kUnknown);
    const bool found = answers.of_call[number].holds;
    answers.verdicts[number] = found ? Answers::kHolds : Answers::kFails;
    return found;
}

// Whether the rule need not go on.
bool Machine::emit(std::uint32_t procedure, std::uint32_t number, const TermId* values) {
    if (filled_set_[procedure] != kNone) {
        sets_[filled_set_[procedure]].add(values);
        return false;
    }
    Answers& answers = answers_[procedure];
    Answers::Call& here = answers.of_call[number];
    if (answers.free == 0) {
        if (here.holds) return true;
        here.holds = true;
        if (!answers.is_recursive) return true;
    } else {
        // Of a few answers that stand together it is seen at once whether this one is among them.
        const std::uint32_t given = answers.is_recursive ? kFewAnswers + 1 : answers.row_count - here.first;
        if (given < kFewAnswers) {
            const TermId* row = answers.rows.data() + std::size_t{here.first} * answers.free;
            for (std::uint32_t i = 0; i < given; ++i, row += answers.free)
                if (std::equal(row, row + answers.free, values)) return false;
        } else {
            if (given == kFewAnswers)
                for (std::uint32_t i = 0; i < given; ++i) answers.is_new(number, answers.rows.data() + std::size_t{here.first + i} * answers.free);
            if (!answers.is_new(number, values)) return false;
        }
        answers.rows.insert(answers.rows.end(), values, values + answers.free);
    }
    const std::uint32_t added = answers.row_count++;
    if (!answers.is_recursive) return false;
    ++tallies_[procedure].answers;
    answers.next.push_back(kNone);
    if (here.first == kNone) here.first = added;
    else answers.next[here.last] = added;
    here.last = added;
    if (here.consumers != kNone && !here.is_queued) {
        here.is_queued = true;
        tasks_.push_back({procedure, number, false});
    }
    return answers.free == 0;
}

inline Segment::Range Machine::instances(Code& code, Segment& segment, TermId* registers) {
    std::uint32_t key = 0;
    if (segment.key == Segment::Key::kPlace) {
        key = registers[segment.key_registers.front()];
    } else if (segment.key == Segment::Key::kValues) {
        spend();
        TermId values[kWidest];
        for (std::size_t i = 0; i < segment.key_registers.size(); ++i) values[i] = registers[segment.key_registers[i]];
        key = segment.keys.add(values);
        if (key == kMostKeys) throw Unwieldy{segment.start};
        if (++segment.asked == kTrial) {
            if (segment.missed > kTrial / 8) throw Unwieldy{segment.start};
            segment.asked = segment.missed = 0;
        }
    }
    if (key < segment.ranges.size() && segment.ranges[key].first != kNone) return segment.ranges[key];
    return note_instances(code, segment, key, registers);
}

// Gives the answers of instances whose tests pass, all of them or the first (see Segment::after_answer).
inline Machine::Found Machine::answer(const Code& code, Segment& segment, Segment::Range range, std::int32_t at, std::uint32_t number) {
    Found found = Found::kNothing;
    FactSet* const filled = filled_set_[code.procedure] == kNone ? nullptr : &sets_[filled_set_[code.procedure]];
    for (std::uint32_t i = range.first; i < range.last; ++i) {
        const std::uint32_t* instance = segment.instances.data() + std::size_t{i} * segment.stride;
        if (!is_valid(segment, instance)) continue;
        found = Found::kSome;
        if (filled != nullptr) filled->hold(instance[segment.first_output]);
        else if (emit(code.procedure, number, instance + segment.first_output)) return Found::kAll;
        if (segment.after_answer != at) break;
    }
    return found;
}

// From an instance on, the first that passes its tests, with its outputs in their registers.
inline bool Machine::next_instance(Segment& segment, const Op& op, std::uint32_t from, TermId* registers) {
    const std::uint32_t last = registers[op.iterator + 1];
    for (std::uint32_t i = from; i < last; ++i) {
        // A test may run other rules, but not this one, so that the instances stay where they are.
        const std::uint32_t* instance = segment.instances.data() + std::size_t{i} * segment.stride;
        if (!is_valid(segment, instance)) continue;
        for (std::size_t o = 0; o < segment.outputs.size(); ++o) registers[segment.outputs[o]] = instance[segment.first_output + o];
        registers[op.iterator] = i;
        return true;
    }
    return false;
}

// An index with all that holds in the state, or after the moves.
inline Index& Machine::current_index(std::uint32_t number) {
    Index& index = indexes_[number];
    FactSet& set = index.view().set();
    if (set.version != versions_[static_cast<int>(set.level)]) fill(set);
    index.update(terms_);
    return index;
}

inline bool Machine::is_valid(const Segment& segment, const std::uint32_t* instance) {
    spend(1);
    for (const Segment::Check& check : segment.checks) {
        if (check.set != nullptr) {
            if (check.set->version != versions_[static_cast<int>(check.set->level)]) fill(*check.set);
            if (check.set->holds(instance[check.at]) != (check.kind == Kind::kTest)) return false;
        } else {
            spend();
            if (holds(check.target, instance + check.at) != (check.kind == Kind::kCallTest)) return false;
        }
    }
    return true;
}

void Machine::run(Code& code, const std::vector<Op>& operations, std::uint32_t number, TermId* registers, std::int32_t at, std::int32_t floor) {
    const Op* const ops = operations.data();
    const std::int32_t* const pool = pool_.data();
    TermId key[kWidest];
    // The loop goes on to the next operation, or back to a scan for its next row.
    const auto take = [&](const Op& op, const TermId* row) {
        const std::int32_t* outs = pool + op.out_pool;
        for (std::uint32_t i = 0; i < op.outs; ++i) registers[outs[2 * i + 1]] = row[outs[2 * i]];
    };
    while (true) {
        const Op& op = ops[at];
        bool passes = true;
        switch (op.kind) {
            case Kind::kSame: passes = value(pool[op.in_pool], registers) == value(pool[op.in_pool + 1], registers); break;
            case Kind::kDiffer: passes = value(pool[op.in_pool], registers) != value(pool[op.in_pool + 1], registers); break;
            case Kind::kTake: {
                const TermId term = value(pool[op.in_pool], registers);
                passes = terms_.functor(term) == op.target;
                if (passes) take(op, terms_.arguments(term));
                break;
            }
            case Kind::kBuild:
                gather(op, registers, key);
                registers[op.out] = terms_.build(op.target, key);
                break;
            case Kind::kTest:
            case Kind::kTestNot: {
                spend();
                View& view = views_[op.target];
                FactSet& set = view.set();
                if (set.version != versions_[static_cast<int>(set.level)]) fill(set);
                view.catch_up(terms_);
                gather(op, registers, key);
                const std::uint32_t row = view.find(key);
                passes = (row != kNone && set.holds(view.fact(row))) == (op.kind == Kind::kTest);
                if (passes && op.out >= 0) registers[op.out] = *set.facts.tuple(view.fact(row));
                break;
            }
            case Kind::kScan: {
                spend();
                Index& index = current_index(op.target);
                gather(op, registers, key);
                const std::uint32_t row = index.first(key);
                passes = row != kNone;
                if (!passes) break;
                registers[op.iterator] = row;
                take(op, index.view().leaves(row));
                if (op.out >= 0) registers[op.out] = *index.view().set().facts.tuple(index.view().fact(row));
                break;
            }
            case Kind::kCallTest:
            case Kind::kCallNot: {
                spend();
                gather(op, registers, key);
                passes = holds(op.target, key) == (op.kind == Kind::kCallTest);
                break;
            }
            case Kind::kCallScan:
            case Kind::kSuspend: {
                spend();
                gather(op, registers, key);
                const std::uint32_t called = op.kind == Kind::kCallScan ? call(op.target, key)
                                                                        : suspend(code, static_cast<std::uint32_t>(at), number, registers, key);
                if (called == kNone) {
                    at = op.back;
                    goto back;
                }
                const Answers& answers = answers_[op.target];
                const Answers::Call& here = answers.of_call[called];
                passes = here.first != kNone && (answers.is_recursive || here.first < here.last);
                if (!passes) break;
                registers[op.iterator] = here.first;
                registers[op.iterator + 1] = here.last;
                take(op, answers.rows.data() + std::size_t{here.first} * answers.free);
                break;
            }
            case Kind::kEmit:
                gather(op, registers, key);
                if (emit(code.procedure, number, key)) return;
                at = op.back;
                goto back;
            case Kind::kUnfold: {
                Segment& segment = code.segments[op.target];
                const Segment::Range range = instances(code, segment, registers);
                if (segment.emits) {
                    const Found found = answer(code, segment, range, at, number);
                    if (found == Found::kAll) return;
                    at = found == Found::kNothing ? op.fail : segment.after_answer != at ? segment.after_answer : op.back;
                    goto back;
                }
                registers[op.iterator + 1] = range.last;
                passes = next_instance(segment, op, range.first, registers);
                break;
            }
            case Kind::kScanUnfold: {
                spend();
                Index& index = current_index(op.target);
                gather(op, registers, key);
                Segment& segment = code.segments[ops[at + 1].target];
                std::uint32_t row = index.first(key);
                passes = row != kNone;
                if (!passes) break;
                for (; row != kNone; row = index.next(row)) {
                    registers[op.iterator] = row;
                    if (answer(code, segment, instances(code, segment, registers), at + 1, number) == Found::kAll) return;
                }
                at = op.back;
                goto back;
            }
            case Kind::kNoteTest:
                gather(op, registers, key);
                note_[op.iterator] = views_[op.target].number(key, terms_);
                if (op.out >= 0) registers[op.out] = *views_[op.target].set().facts.tuple(note_[op.iterator]);
                break;
            case Kind::kNoteCall:
                gather(op, registers, note_.data() + op.iterator);
                break;
            case Kind::kNoteInstance:
                note_instance(code, registers);
                at = op.back;
                goto back;
        }
        if (passes) {
            ++at;
            continue;
        }
        at = op.fail;
    back:
        while (true) {
            if (at <= floor) return;
            const Op& scan = ops[at];
            if (scan.kind == Kind::kScan) {
                spend();
                const Index& index = indexes_[scan.target];
                const std::uint32_t row = index.next(registers[scan.iterator]);
                if (row != kNone) {
                    registers[scan.iterator] = row;
                    take(scan, index.view().leaves(row));
                    if (scan.out >= 0) registers[scan.out] = *index.view().set().facts.tuple(index.view().fact(row));
                    break;
                }
            } else if (scan.kind == Kind::kUnfold) {
                if (next_instance(code.segments[scan.target], scan, registers[scan.iterator] + 1, registers)) break;
            } else {
                spend();
                const Answers& answers = answers_[scan.target];
                const std::uint32_t here = registers[scan.iterator];
                if (here != (answers.is_recursive ? registers[scan.iterator + 1] : registers[scan.iterator + 1] - 1)) {
                    const std::uint32_t row = answers.is_recursive ? answers.next[here] : here + 1;
                    registers[scan.iterator] = row;
                    take(scan, answers.rows.data() + std::size_t{row} * answers.free);
                    break;
                }
            }
            at = scan.back;
        }
        ++at;
    }
}

}  // namespace ludorum::relations
