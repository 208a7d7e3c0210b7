#include "relations/machine.h"

#include <algorithm>

namespace ludorum::relations {
namespace {

// The budget is looked at after so much work: well under a millisecond.
constexpr std::int32_t kFuel = 1 << 16;
// Registers of all rules that are at work at the same time.
constexpr std::size_t kRegisters = std::size_t{1} << 20;
// Calls within calls. Recursion takes none of them, unless it leads through a negation.
constexpr std::uint32_t kDeepest = 2000;
// Calls and answers are known again from state to state, until there are so many that new tables in the cache are faster
// than old ones in memory.
constexpr std::uint32_t kMostKnown = 2048;
// Instances of a segment for the same values, words of all instances of a rule and of a machine: there are more in games
// that are too large to be unfolded.
constexpr std::uint32_t kMostInstances = 1 << 14;
constexpr std::size_t kMostWords = std::size_t{1} << 20, kMostWordsInAll = std::size_t{1} << 22;
// Values by which instances are looked up: with more of them, a look-up costs more than it saves.
constexpr std::uint32_t kMostKeys = 1 << 13;
// So often instances are looked up by values before it is decided whether they are found often enough.
constexpr std::uint32_t kTrial = 1 << 16;
// So many answers of a call are compared one by one.
constexpr std::uint32_t kFewAnswers = 12;
// Arguments of a call or an answer; the widest relations of the corpus have fewer.
constexpr std::size_t kWidest = 128;

bool is_scan(Kind kind) { return kind == Kind::kScan || kind == Kind::kCallScan || kind == Kind::kSuspend; }

}  // namespace

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

Machine::Machine(const Program& program, Budget budget)
    : program_(program), budget_(budget), terms_(program.constants, program.arities), versions_{1, 1, 1},
      registers_(new TermId[kRegisters]), top_(registers_.get()), fuel_(kFuel) {
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
            // After the registers comes the number of the call.
            code.frame = rule.registers + 1 + rule.iterators;
            for (const Operation& from : rule.operations) {
                Op op{from.kind, static_cast<std::uint16_t>(from.arguments.size()), 0, from.target, from.out, from.back, from.fail,
                      rule.registers + 1 + from.iterator, static_cast<std::uint32_t>(pool_.size()), 0};
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
                code.plain.push_back(op);
            }
            code.ops = code.plain;
            code.bound = procedure.bound;
            // What never changes is computed once, and a recursion goes on in the middle of its rules.
            if (procedure.level != Level::kStatic && !procedure.is_recursive) {
                code.has_lasting_numbers = true;
                unfold_rule(code);
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
    for (const auto& codes : codes_)
        for (const Code& code : codes)
            for (const Segment& segment : code.segments) sum += segment.bytes();
    return sum;
}

std::uint64_t Machine::work() const { return work_ + static_cast<std::uint64_t>(kFuel - fuel_); }

bool Machine::is_worn() const { return is_broken_ || versions_[2] > 0xFFF00000 || bytes() > budget_.bytes / 2; }


void Machine::refuel() {
    work_ += static_cast<std::uint64_t>(kFuel - fuel_);
    fuel_ = kFuel;
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

// Adds what is done from now on to the work of a procedure, also if it is given up.
class Machine::Tallying {
public:
    Tallying(Machine& machine, std::uint32_t procedure)
        : machine_(machine), procedure_(procedure), before_(machine.work()), called_(machine.called_) {
        machine.called_ = 0;
    }
    ~Tallying() {
        const std::uint64_t spent = machine_.work() - before_;
        machine_.tallies_[procedure_].work += spent;
        machine_.tallies_[procedure_].own += spent - machine_.called_;
        machine_.called_ = called_ + spent;
    }
    Tallying(const Tallying&) = delete;
    Tallying& operator=(const Tallying&) = delete;

private:
    Machine& machine_;
    std::uint32_t procedure_;
    std::uint64_t before_, called_;
};

void Machine::run_rules(std::uint32_t procedure, std::uint32_t number) {
    Answers& answers = answers_[procedure];
    ++tallies_[procedure].evaluations;
    const Tallying tallying(*this, procedure);
    if (answers.is_renumbered) {
        answers.is_renumbered = false;
        for (Code& code : codes_[procedure]) {
            if (!code.has_lasting_numbers) continue;
            code.has_lasting_numbers = false;
            unfold_rule(code);
        }
    }
    if (++depth_ > kDeepest) throw OutOfMemory("a question needs too many calls within calls");
    for (Code& code : codes_[procedure]) {
        TermId* const registers = top_;
        const std::uint32_t depth = depth_;
        while (true) {
            if (registers + code.frame > registers_.get() + kRegisters) throw OutOfMemory("a question needs too many registers");
            const TermId* bound = answers.calls.size() ? answers.calls.tuple(number) : nullptr;
            std::copy(bound, bound + answers.calls.width(), registers);
            registers[code.registers] = number;
            top_ = registers + code.frame;
            try {
                run(code, code.ops, number, registers, 0, -1);
                break;
            } catch (const Unwieldy& unwieldy) {
                // From the start, without this segment; answers that were given already are not given again.
                code.folded.push_back(unwieldy.start);
                depth_ = depth;
                unfold_rule(code);
            }
        }
        top_ = registers;
        if (answers.free == 0 && filled_set_[procedure] == kNone && answers.of_call[number].holds) break;
    }
    --depth_;
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

std::uint32_t Machine::suspend(Code& code, std::uint32_t at, std::uint32_t caller, const TermId* registers, const TermId* arguments) {
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
            Code& code = *consumer.code;
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
            run(code, code.ops, consumer.call, registers, static_cast<std::int32_t>(consumer.at) + 1, static_cast<std::int32_t>(consumer.at));
            top_ = registers;
        }
    }
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

// ---- instances ----

void Machine::unfold_rule(Code& code) {
    const auto is_static = [](Level level) { return level == Level::kStatic; };
    std::uint32_t frame = code.registers + 1;
    for (const Op& op : code.plain)
        if (is_scan(op.kind)) frame = std::max(frame, op.iterator + 2);
    unfold(code, frame,
           {[&](std::uint32_t view) { return is_static(program_.sets[program_.views[view].set].level); },
            [&](std::uint32_t index) { return is_static(program_.sets[program_.views[program_.indexes[index].view].set].level); },
            [&](std::uint32_t procedure) { return is_static(program_.procedures[procedure].level); },
            [&](std::uint32_t view) { return &views_[view].set(); }, &pool_, filled_set_[code.procedure] != kNone});
    noted_words_ = 0;
    for (const auto& codes : codes_)
        for (const Code& other : codes)
            for (const Segment& segment : other.segments) noted_words_ += segment.instances.size();
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

Segment::Range Machine::note_instances(Code& code, Segment& segment, std::uint32_t key, TermId* registers) {
    // What is done once for many states is not counted as work.
    const std::uint64_t work = work_, called = called_;
    const std::int32_t fuel = fuel_;
    ++segment.missed;
    if (key >= segment.ranges.size()) segment.ranges.resize(std::max<std::size_t>(key + 1, 2 * segment.ranges.size()));
    const std::uint32_t first = segment.count;
    const std::size_t words = segment.instances.size();
    if (segment.taken_late >= 0) {
        const Op& scan = code.ops[static_cast<std::size_t>(segment.taken_late)];
        const View& view = indexes_[scan.target].view();
        const TermId* row = view.leaves(registers[scan.iterator]);
        const std::int32_t* outs = pool_.data() + scan.out_pool;
        for (std::uint32_t i = 0; i < scan.late_outs; ++i) registers[outs[2 * i + 1]] = row[outs[2 * i]];
        if (scan.late_out >= 0) registers[scan.late_out] = *view.set().facts.tuple(view.fact(registers[scan.iterator]));
    }
    noted_ = &segment;
    first_noted_ = first;
    note_.resize(segment.stride);
    run(code, segment.ops, 0, registers, 0, -1);
    noted_ = nullptr;
    noted_words_ += segment.instances.size() - words;
    segment.ranges[key] = {first, segment.count};
    if (segment.instances.size() > kMostWords || noted_words_ > kMostWordsInAll) throw Unwieldy{segment.start};
    work_ = work;
    called_ = called;
    fuel_ = fuel;
    return segment.ranges[key];
}

void Machine::note_instance(const Code& code, const TermId* registers) {
    Segment& segment = *noted_;
    if (segment.count - first_noted_ >= kMostInstances) throw Unwieldy{segment.start};
    std::uint32_t* to = note_.data() + segment.first_output;
    if (segment.emits && filled_set_[code.procedure] != kNone) {
        TermId row[kWidest];
        for (std::size_t i = 0; i < segment.outputs.size(); ++i) row[i] = value(segment.outputs[i], registers);
        *to = sets_[filled_set_[code.procedure]].number(row);
    } else {
        for (std::int32_t output : segment.outputs) *to++ = value(output, registers);
    }
    segment.instances.insert(segment.instances.end(), note_.begin(), note_.end());
    ++segment.count;
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

// ---- one rule ----

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
                Index& index = indexes_[op.target];
                FactSet& set = index.view().set();
                if (set.version != versions_[static_cast<int>(set.level)]) fill(set);
                index.update(terms_);
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
