// Calls of procedures: what was answered before is remembered, the rest is worked out by the rules.
#include <algorithm>

#include "relations/machine.h"

namespace ludorum::relations {
namespace {

// Calls within calls. Recursion takes none of them, unless it leads through a negation.
constexpr std::uint32_t kDeepest = 2000;

}  // namespace

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

}  // namespace ludorum::relations
