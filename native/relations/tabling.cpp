// Recursion: rules that wait for answers of their own relation, and go on with each of them once.
#include <algorithm>

#include "relations/machine.h"

namespace ludorum::relations {

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

}  // namespace ludorum::relations
