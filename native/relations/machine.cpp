#include "relations/machine.h"

namespace ludorum::relations {

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

bool Machine::is_worn() const { return is_broken_ || versions_[2] > 0xFFF00000 || bytes() > budget_.bytes / 2; }

void Machine::refuel() {
    work_ += static_cast<std::uint64_t>(kFuel - fuel_);
    fuel_ = kFuel;
    if (stop_ != nullptr && *stop_ != 0) throw Stopped("stopped");
    const auto now = Clock::now();
    // The clock is read only if a question takes long.
    if (!is_timed_) {
        is_timed_ = true;
        deadline_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget_.seconds));
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

}  // namespace ludorum::relations
