#include "relations/machine.h"

#include <algorithm>

namespace ludorum::relations {
namespace {

// The budget is looked at after so much work: well under a millisecond.
constexpr std::uint32_t kFuel = 1 << 14;
// Registers of all rules that are at work at the same time.
constexpr std::size_t kRegisters = std::size_t{1} << 20;
// Calls within calls. Recursion takes none of them, unless it leads through a negation.
constexpr std::uint32_t kDeepest = 2000;
// Calls and answers are known again from state to state, until there are so many that new tables in the cache are faster
// than old ones in memory.
constexpr std::uint32_t kMostKnown = 2048;
// Arguments of a call or an answer; the widest relations of the corpus have fewer.
constexpr std::size_t kWidest = 128;

}  // namespace

struct Machine::Op {
    Kind kind;
    std::uint16_t ins = 0, outs = 0;   // for scans, outs counts those that are wanted: pairs of column and register
    std::uint32_t target = 0;
    std::int32_t out, back, fail;
    std::uint32_t iterator;
    std::uint32_t in_pool = 0, out_pool = 0;
};

struct Machine::Code {
    std::uint32_t procedure = 0, registers = 0, frame = 0;
    std::vector<Op> ops;
};

// What is remembered of a procedure. A call (the values of its bound arguments) keeps its number for good.
struct Machine::Answers {
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

    std::uint32_t free;
    bool is_recursive;
    Level level;
    TupleTable calls;
    std::vector<Call> of_call;
    // Forgets what held. What holds from now on is of this version, which was never used before.
    void start(std::uint32_t new_version) {
        version = new_version;
        rows.clear();
        next.clear();
        row_count = 0;
        if (calls.size() > kMostKnown) {
            calls.clear();
            of_call.clear();
        }
        if (calls.size() == 0 || tuples.size() > kMostKnown) {
            tuples.clear();
            stamps.clear();
        }
    }

    std::uint32_t version = 0;           // of the rows
    std::vector<TermId> rows;            // `free` terms each
    std::vector<std::uint32_t> next;     // by row, of a recursive procedure
    std::uint32_t row_count = 0;
    TupleTable tuples;                   // (call,) row; so that an answer is given once
    std::vector<std::uint32_t> stamps;   // by tuple
    std::size_t bytes() const {
        return calls.bytes() + tuples.bytes() + of_call.capacity() * sizeof(Call) +
               4 * (rows.capacity() + next.capacity() + stamps.capacity());
    }
};

Machine::Machine(const Program& program, Budget budget)
    : program_(program), budget_(budget), terms_(program.constants, program.arities), versions_{1, 1, 1},
      registers_(new TermId[kRegisters]), top_(registers_.get()) {
    for (std::size_t i = 0; i < program.ground_terms.size(); ++i) {
        std::span<const std::int32_t> text(program.ground_terms[i]);
        if (terms_.read(text) != program.constants + i) throw std::invalid_argument("not a program: ground terms out of order");
    }
    sets_.reserve(program.sets.size());
    views_.reserve(program.views.size());
    filled_set_.assign(program.procedures.size(), kNone);
    for (const SetSpec& spec : program.sets) {
        FactSet& set = sets_.emplace_back(spec);
        if (spec.procedure >= 0) filled_set_[static_cast<std::size_t>(spec.procedure)] = static_cast<std::uint32_t>(sets_.size() - 1);
        if (spec.level == Level::kStatic && spec.procedure < 0) set.start(1);
        std::vector<TermId> row;
        for (const auto& text : spec.facts) {
            std::span<const std::int32_t> rest(text);
            row.clear();
            while (!rest.empty()) row.push_back(terms_.read(rest));
            if (row.size() != spec.arity) throw std::invalid_argument("not a program: a fact of another arity");
            set.add(row.data());
        }
    }
    for (const ViewSpec& spec : program.views) views_.emplace_back(spec, sets_[spec.set]);
    for (const IndexSpec& spec : program.indexes) indexes_.emplace_back(spec, views_[spec.view]);
    tallies_.resize(program.procedures.size());
    for (std::uint32_t number = 0; number < program.procedures.size(); ++number) {
        const Procedure& procedure = program.procedures[number];
        answers_.emplace_back(procedure);
        std::vector<Code>& codes = codes_.emplace_back();
        if (procedure.bound + procedure.free > kWidest) throw std::invalid_argument("a relation has too many arguments");
        for (const Rule& rule : procedure.rules) {
            Code& code = codes.emplace_back();
            code.procedure = number;
            code.registers = rule.registers;
            code.frame = rule.registers + rule.iterators;
            for (const Operation& from : rule.operations) {
                Op op{from.kind, static_cast<std::uint16_t>(from.arguments.size()), 0, from.target, from.out, from.back, from.fail,
                      rule.registers + from.iterator, static_cast<std::uint32_t>(pool_.size()), 0};
                if (from.arguments.size() > kWidest) throw std::invalid_argument("a relation has too many arguments");
                pool_.insert(pool_.end(), from.arguments.begin(), from.arguments.end());
                op.out_pool = static_cast<std::uint32_t>(pool_.size());
                for (std::size_t i = 0; i < from.outputs.size(); ++i) {
                    if (from.outputs[i] < 0) continue;
                    const std::uint32_t column = from.kind == Kind::kScan ? program.indexes[from.target].free[i] : static_cast<std::uint32_t>(i);
                    pool_.push_back(static_cast<std::int32_t>(column));
                    pool_.push_back(from.outputs[i]);
                    ++op.outs;
                }
                code.ops.push_back(op);
            }
        }
    }
    load({});
}

Machine::~Machine() = default;

std::size_t Machine::bytes() const {
    std::size_t sum = terms_.bytes() + consumers_.capacity() * sizeof(Consumer) + 4 * saved_.capacity() + tasks_.capacity() * sizeof(Task) +
                      opened_.capacity() * 8;
    for (const FactSet& set : sets_) sum += set.bytes();
    for (const View& view : views_) sum += view.bytes();
    for (const Index& index : indexes_) sum += index.bytes();
    for (const Answers& answers : answers_) sum += answers.bytes();
    return sum;
}

std::uint64_t Machine::work() const { return work_ + (kFuel - fuel_); }

bool Machine::is_worn() const { return is_broken_ || versions_[2] > 0xFFF00000 || bytes() > budget_.bytes / 2; }


void Machine::refuel() {
    fuel_ = kFuel;
    work_ += kFuel;
    if (stop_ != nullptr && *stop_ != 0) throw Stopped("stopped");
    const auto now = std::chrono::steady_clock::now();
    // The clock is read only if a question takes long.
    if (!is_timed_) {
        is_timed_ = true;
        deadline_ = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(budget_.seconds));
    }
    if (now > deadline_) throw OutOfTime("a question passed its budget of time");
    if (bytes() > budget_.bytes) throw OutOfMemory("a question passed its budget of memory");
}

std::uint32_t Machine::fluent(TermId term) {
    FactSet& set = sets_[program_.true_set];
    const std::uint32_t fact = set.facts.add(&term);
    if (fact == set.stamps.size()) set.stamps.push_back(0);
    return fact;
}

void Machine::load(const std::vector<std::uint32_t>& fluents) {
    versions_[1] = ++versions_[2];
    FactSet& set = sets_[program_.true_set];
    set.start(versions_[1]);
    for (std::uint32_t fact : fluents) set.hold(fact);
    sets_[program_.does_set].start(versions_[2]);
}

void Machine::act(const std::vector<TermId>& joint) {
    FactSet& set = sets_[program_.does_set];
    set.start(++versions_[2]);
    for (std::size_t role = 0; role < joint.size(); ++role) {
        const TermId row[2] = {program_.roles[role], joint[role]};
        set.add(row);
    }
}

bool Machine::is_terminal() {
    is_timed_ = false;
    // Until the answer is there: an exception leaves tables behind that are half done.
    is_broken_ = true;
    const bool holds = answers_[program_.terminal].of_call[call(program_.terminal, nullptr)].holds;
    is_broken_ = false;
    return holds;
}

const FactSet& Machine::ask(std::uint32_t number) {
    FactSet& set = sets_[number];
    if (set.version != versions_[static_cast<int>(set.level)]) {
        is_timed_ = false;
        is_broken_ = true;
        fill(set);
        is_broken_ = false;
    }
    return set;
}

void Machine::fill(FactSet& set) {
    // What fills a set does not read it: recursive relations are procedures.
    const auto procedure = static_cast<std::uint32_t>(set.procedure);
    set.start(versions_[static_cast<int>(set.level)]);
    ++tallies_[procedure].calls;
    run_rules(procedure, 0);
    tallies_[procedure].answers += set.current.size();
}

inline void Machine::gather(const Op& op, const TermId* registers, TermId* to) const {
    const std::int32_t* operands = pool_.data() + op.in_pool;
    for (std::uint32_t i = 0; i < op.ins; ++i) to[i] = value(operands[i], registers);
}

std::uint32_t Machine::call(std::uint32_t procedure, const TermId* arguments) {
    Answers& answers = answers_[procedure];
    if (answers.version != versions_[static_cast<int>(answers.level)]) answers.start(versions_[static_cast<int>(answers.level)]);
    const std::uint32_t number = answers.calls.add(arguments);
    if (number == answers.of_call.size()) answers.of_call.emplace_back();
    ++tallies_[procedure].calls;
    Answers::Call& here = answers.of_call[number];
    if (here.version != versions_[static_cast<int>(answers.level)]) {
        evaluate(procedure, number);
    } else if (here.status == Answers::kOpen) {
        throw Unstratified(program_.procedures[procedure].name);
    }
    return number;
}

void Machine::evaluate(std::uint32_t procedure, std::uint32_t number) {
    Answers& answers = answers_[procedure];
    if (answers.is_recursive) {
        solve(procedure, number);
        return;
    }
    {
        Answers::Call& here = answers.of_call[number];
        here.version = answers.version;
        here.status = Answers::kOpen;
        here.holds = false;
        here.first = here.last = answers.row_count;
    }
    run_rules(procedure, number);
    Answers::Call& here = answers.of_call[number];
    here.last = answers.row_count;
    here.status = Answers::kDone;
    tallies_[procedure].answers += answers.free ? here.last - here.first : here.holds;
}

void Machine::run_rules(std::uint32_t procedure, std::uint32_t number) {
    Answers& answers = answers_[procedure];
    ++tallies_[procedure].evaluations;
    const std::uint64_t before = work();
    if (++depth_ > kDeepest) throw OutOfMemory("a question needs too many calls within calls");
    for (const Code& code : codes_[procedure]) {
        TermId* const registers = top_;
        if (registers + code.frame > registers_.get() + kRegisters) throw OutOfMemory("a question needs too many registers");
        const TermId* bound = answers.calls.size() ? answers.calls.tuple(number) : nullptr;
        std::copy(bound, bound + answers.calls.width(), registers);
        top_ += code.frame;
        run(code, number, registers, 0, -1);
        top_ = registers;
        if (answers.free == 0 && filled_set_[procedure] == kNone && answers.of_call[number].holds) break;
    }
    --depth_;
    tallies_[procedure].work += work() - before;
}

// ---- recursion ----

void Machine::solve(std::uint32_t procedure, std::uint32_t number) {
    const std::size_t tasks = tasks_.size(), opened = opened_.size(), consumers = consumers_.size(), saved = saved_.size();
    const std::uint32_t outer = generation_;
    // Those that are at work have smaller numbers, and those that are over left no open call.
    generation_ = outer + 1;
    open(procedure, number);
    while (tasks_.size() > tasks) {
        const Task task = tasks_.back();
        tasks_.pop_back();
        if (!task.is_start) {
            wake(task.procedure, task.call);
        } else if (answers_[task.procedure].free > 0 || !answers_[task.procedure].of_call[task.call].holds) {
            run_rules(task.procedure, task.call);
        }
    }
    for (std::size_t i = opened; i < opened_.size(); ++i) {
        Answers::Call& here = answers_[opened_[i].first].of_call[opened_[i].second];
        here.status = Answers::kDone;
        here.consumers = kNone;
    }
    opened_.resize(opened);
    consumers_.resize(consumers);
    saved_.resize(saved);
    generation_ = outer;
}

void Machine::open(std::uint32_t procedure, std::uint32_t number) {
    Answers& answers = answers_[procedure];
    Answers::Call& here = answers.of_call[number];
    here.version = answers.version;
    here.status = Answers::kOpen;
    here.generation = generation_;
    here.holds = here.is_queued = false;
    here.first = here.last = here.consumers = kNone;
    opened_.emplace_back(procedure, number);
    tasks_.push_back({procedure, number, true});
}

std::uint32_t Machine::suspend(const Code& code, std::uint32_t at, std::uint32_t caller, const TermId* registers, const TermId* arguments) {
    const Op& op = code.ops[at];
    Answers& answers = answers_[op.target];
    if (answers.version != versions_[static_cast<int>(answers.level)]) answers.start(versions_[static_cast<int>(answers.level)]);
    const std::uint32_t number = answers.calls.add(arguments);
    if (number == answers.of_call.size()) answers.of_call.emplace_back();
    ++tallies_[op.target].calls;
    if (answers.of_call[number].version != versions_[static_cast<int>(answers.level)]) {
        open(op.target, number);
    } else if (answers.of_call[number].status == Answers::kDone) {
        return number;
    } else if (answers.of_call[number].generation != generation_) {
        throw Unstratified(program_.procedures[op.target].name);
    }
    Answers::Call& here = answers.of_call[number];
    const auto consumer = static_cast<std::uint32_t>(consumers_.size());
    consumers_.push_back({&code, at, caller, static_cast<std::uint32_t>(saved_.size()), kNone, here.consumers});
    saved_.insert(saved_.end(), registers, registers + code.registers);
    here.consumers = consumer;
    if (here.first != kNone && !here.is_queued) {
        here.is_queued = true;
        tasks_.push_back({op.target, number, false});
    }
    return kNone;
}

void Machine::wake(std::uint32_t procedure, std::uint32_t number) {
    answers_[procedure].of_call[number].is_queued = false;
    for (std::uint32_t c = answers_[procedure].of_call[number].consumers; c != kNone; c = consumers_[c].next) {
        while (true) {
            // Nothing is held by reference: every vector here may grow while the consumer runs.
            Answers& answers = answers_[procedure];
            const std::uint32_t last = consumers_[c].last;
            const std::uint32_t row = last == kNone ? answers.of_call[number].first : answers.next[last];
            if (row == kNone) break;
            spend();
            consumers_[c].last = row;
            const Consumer consumer = consumers_[c];
            const Code& code = *consumer.code;
            const Answers& own = answers_[code.procedure];
            if (own.free == 0 && own.of_call[consumer.call].holds) break;
            TermId* const registers = top_;
            if (registers + code.frame > registers_.get() + kRegisters) throw OutOfMemory("a question needs too many registers");
            std::copy_n(saved_.data() + consumer.registers, code.registers, registers);
            const Op& op = code.ops[consumer.at];
            const std::int32_t* outs = pool_.data() + op.out_pool;
            for (std::uint32_t i = 0; i < op.outs; ++i)
                registers[outs[2 * i + 1]] = answers.rows[std::size_t{row} * answers.free + static_cast<std::uint32_t>(outs[2 * i])];
            top_ += code.frame;
            run(code, consumer.call, registers, static_cast<std::int32_t>(consumer.at) + 1, static_cast<std::int32_t>(consumer.at));
            top_ = registers;
        }
    }
}

// Whether the rule need not go on.
bool Machine::emit(const Code& code, const Op& op, std::uint32_t number, const TermId* registers) {
    TermId row[kWidest + 1];
    if (filled_set_[code.procedure] != kNone) {
        gather(op, registers, row);
        sets_[filled_set_[code.procedure]].add(row);
        return false;
    }
    Answers& answers = answers_[code.procedure];
    Answers::Call& here = answers.of_call[number];
    if (answers.free == 0) {
        if (here.holds) return true;
        here.holds = true;
        if (!answers.is_recursive) return true;
    } else {
        const bool is_keyed = answers.calls.width() > 0;
        row[0] = number;
        gather(op, registers, row + is_keyed);
        const std::uint32_t tuple = answers.tuples.add(row);
        if (tuple == answers.stamps.size()) answers.stamps.push_back(0);
        if (answers.stamps[tuple] == answers.version) return false;
        answers.stamps[tuple] = answers.version;
        answers.rows.insert(answers.rows.end(), row + is_keyed, row + is_keyed + answers.free);
    }
    const std::uint32_t added = answers.row_count++;
    if (!answers.is_recursive) return false;
    ++tallies_[code.procedure].answers;
    answers.next.push_back(kNone);
    if (here.first == kNone) here.first = added;
    else answers.next[here.last] = added;
    here.last = added;
    if (here.consumers != kNone && !here.is_queued) {
        here.is_queued = true;
        tasks_.push_back({code.procedure, number, false});
    }
    return answers.free == 0;
}

// ---- one rule ----

void Machine::run(const Code& code, std::uint32_t number, TermId* registers, std::int32_t at, std::int32_t floor) {
    const Op* const ops = code.ops.data();
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
                Index& index = indexes_[op.target];
                FactSet& set = index.view().set();
                if (set.version != versions_[static_cast<int>(set.level)]) fill(set);
                index.update(terms_);
                gather(op, registers, key);
                const std::uint32_t row = index.first(key);
                passes = row != kNone;
                if (!passes) break;
                registers[op.iterator] = row;
                take(op, index.view().leaves(row));
                if (op.out >= 0) registers[op.out] = *set.facts.tuple(index.view().fact(row));
                break;
            }
            case Kind::kCallTest:
            case Kind::kCallNot: {
                spend();
                gather(op, registers, key);
                const std::uint32_t called = call(op.target, key);
                passes = answers_[op.target].of_call[called].holds == (op.kind == Kind::kCallTest);
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
                if (emit(code, op, number, registers)) return;
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
            spend();
            if (scan.kind == Kind::kScan) {
                const Index& index = indexes_[scan.target];
                const std::uint32_t row = index.next(registers[scan.iterator]);
                if (row != kNone) {
                    registers[scan.iterator] = row;
                    take(scan, index.view().leaves(row));
                    if (scan.out >= 0) registers[scan.out] = *index.view().set().facts.tuple(index.view().fact(row));
                    break;
                }
            } else {
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
