#include "evaluation/program.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "evaluation/kernels/kernel.h"
#include "support/bits.h"
#include "support/transpose.h"

namespace ludorum::evaluation {
namespace {

constexpr std::uint32_t kAny = ~std::uint32_t{0};

// Values are whole multiples of 2^-40: what is less comes from the order of additions, and states that are the same turned
// round should be worth the same. A double plus this has no finer digits.
constexpr double kGrain = 6144;

// How many operands and constants an operation has.
struct Form { std::uint32_t operands, constants; };
constexpr Form form(Operation operation) {
    switch (operation) {
        case Operation::kMoves: return {1, 0};
        case Operation::kSum: return {kAny, 2};
        case Operation::kPower:
        case Operation::kDual: return {1, 1};
        case Operation::kProduct: return {kAny, 0};
        case Operation::kComplement: return {1, 0};
        case Operation::kIfLess: return {3, 1};
        case Operation::kIfHolds: return {3, 0};
        case Operation::kRatio: return {2, 0};
        default: return {kAny, kAny};
    }
}

bool reads_planes(Operation operation) {
    return operation == Operation::kFirst || operation == Operation::kMean || operation == Operation::kCount;
}

// Calls visit(plane) for every plane that a step reads.
template <class Visit> void for_planes(const EvaluationCode& code, const EvaluationCode::Step& step, Visit visit) {
    const std::uint32_t* operand = code.operands.data() + step.operands;
    const std::uint32_t* const end = code.operands.data() + step.operands_end;
    if (step.operation == Operation::kFirst) {
        while (operand != end)
            for (const std::uint32_t* const stop = operand + 1 + *operand; ++operand != stop;) visit(*operand);
    } else if (step.operation == Operation::kIfHolds) {
        visit(*operand);
    } else if (reads_planes(step.operation)) {
        for (; operand != end; ++operand) visit(*operand);
    }
}

void require(bool is_right, const char* what) {
    if (!is_right) throw std::invalid_argument(std::string("not an evaluation: ") + what);
}

}  // namespace

void EvaluationCode::check(std::uint32_t conditions) const {
    std::vector<bool> is_written(slots, false);
    const auto reads = [&](std::uint32_t slot) { require(slot < slots && is_written[slot], "a slot is read before it is written"); };
    for (const Step& step : steps) {
        require(static_cast<std::uint32_t>(step.operation) < kOperations, "an operation that there is not");
        require(step.operands <= step.operands_end && step.operands_end <= operands.size(), "operands out of range");
        require(step.constants <= step.constants_end && step.constants_end <= constants.size(), "constants out of range");
        const std::uint32_t count = step.operands_end - step.operands, numbers = step.constants_end - step.constants;
        const Form wanted = form(step.operation);
        require(wanted.operands == kAny || wanted.operands == count, "a wrong number of operands");
        require(wanted.constants == kAny || wanted.constants == numbers, "a wrong number of constants");
        const std::uint32_t* operand = operands.data() + step.operands;
        if (step.operation == Operation::kFirst) {
            std::uint32_t groups = 0;
            for (std::uint32_t i = 0; i < count; i += 1 + operand[i], ++groups)
                require(operand[i] < count - i, "a group that does not end");
            require(numbers == groups + 1, "not one constant a group, and one more");
        } else if (reads_planes(step.operation) || step.operation == Operation::kWeighted) {
            require(numbers == count + 1, "not one constant an operand, and one more");
        } else if (step.operation == Operation::kMoves) {
            require(*operand < roles, "a role that there is not");
        }
        for_planes(*this, step, [&](std::uint32_t plane) { require(plane < fluents + conditions, "a plane that there is not"); });
        if (!reads_planes(step.operation) && step.operation != Operation::kMoves)
            for (std::uint32_t i = step.operation == Operation::kIfHolds; i < count; ++i) reads(operand[i]);
        require(step.slot < slots, "a slot that there is not");
        is_written[step.slot] = true;
    }
    for (double constant : constants) require(std::isfinite(constant), "a constant that is no number");
    require(outputs.size() == roles, "not one value a role");
    for (std::uint32_t slot : outputs) reads(slot);
}

const std::vector<const EvaluationKernel*>& evaluation_kernels() {
    static const std::vector<const EvaluationKernel*> kernels = [] {
        std::vector<const EvaluationKernel*> found{&kEvaluationBase};
#if defined(LUDORUM_X86)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx2")) found.push_back(&kEvaluationAvx2);
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
            found.push_back(&kEvaluationAvx512);
#endif
        return found;
    }();
    return kernels;
}

ProgramEvaluation::ProgramEvaluation(EvaluationCode code, std::shared_ptr<const Simulator> conditions, const EvaluationKernel& kernel)
    : code_(std::move(code)), conditions_(std::move(conditions)), kernel_(kernel) {
    require(!conditions_ || conditions_->shape().fluents == code_.fluents, "conditions on other fluents");
    code_.check(conditions_ ? conditions_->shape().moves[0] : 0);
    for (const EvaluationCode::Step& step : code_.steps) {
        counts_moves_ |= step.operation == Operation::kMoves;
        for_planes(code_, step, [&](std::uint32_t plane) {
            if (plane < code_.fluents) words_.push_back(plane / 64);
            else condition_words_.push_back((plane - code_.fluents) / 64);
        });
    }
    for (std::vector<std::uint32_t>* words : {&words_, &condition_words_}) {
        std::sort(words->begin(), words->end());
        words->erase(std::unique(words->begin(), words->end()), words->end());
    }
}

void ProgramEvaluation::evaluate(const SeenStates& seen, double* values) const {
    require(seen.shape.fluents == code_.fluents && seen.shape.roles() == code_.roles, "it is of another game");
    struct alignas(64) Line { double doubles[8]; };
    // Kept from one call to the next: a search evaluates a few dozen states at a time.
    thread_local std::vector<Line> slots;
    thread_local std::vector<std::uint64_t> planes;
    thread_local std::vector<Bits> held;
    thread_local std::vector<std::uint8_t> ignored;
    const std::uint32_t roles = code_.roles;
    const std::size_t state_words = words_for(code_.fluents);
    const std::size_t condition_words = conditions_ ? conditions_->shape().legal_words() : 0;
    // Whole words, so that a block of 64 planes is transposed in place.
    slots.resize(code_.slots * (kBlock / 8));
    planes.resize(code_.fluents + 64 * (condition_words + 1));
    if (!condition_words_.empty()) {
        held.resize(seen.count * condition_words);
        ignored.resize(seen.count);
        conditions_->terminal_and_legal(seen.states, seen.count, ignored.data(), held.data());
    }
    thread_local std::vector<double> moves;
    moves.resize(counts_moves_ ? roles * kBlock : 0);
    for (std::size_t begin = 0; begin < seen.count; begin += kBlock) {
        const std::uint32_t count = static_cast<std::uint32_t>(std::min<std::size_t>(kBlock, seen.count - begin));
        const auto load = [&](const Bits* rows, std::size_t width, std::uint32_t word, std::uint64_t* first, std::uint32_t wanted) {
            std::uint64_t block[64];
            for (std::uint32_t i = 0; i < count; ++i) block[i] = rows[i * width + word];
            std::fill(block + count, block + 64, 0);
            transpose(block);
            std::copy(block, block + wanted, first);
        };
        for (std::uint32_t word : words_)
            load(seen.states + begin * state_words, state_words, word, planes.data() + 64 * word,
                 std::min<std::uint32_t>(64, code_.fluents - 64 * word));
        for (std::uint32_t word : condition_words_)
            load(held.data() + begin * condition_words, condition_words, word, planes.data() + code_.fluents + 64 * word, 64);
        const std::uint32_t block = block_for(count);
        if (counts_moves_)
            for (std::uint32_t i = 0; i < count; ++i) {
                const Bits* legal = seen.legal + (begin + i) * seen.shape.legal_words();
                std::uint32_t first = 0;
                for (std::uint32_t role = 0; role < roles; ++role) {
                    const std::uint32_t end = first + seen.shape.moves[role];
                    moves[role * block + i] = static_cast<double>(count_bits(legal, first, end));
                    first = end;
                }
            }
        double* const of_slots = reinterpret_cast<double*>(slots.data());
        kernel_.run(code_, count, planes.data(), moves.data(), of_slots);
        for (std::uint32_t role = 0; role < roles; ++role) {
            const double* found = of_slots + code_.outputs[role] * block;
            for (std::uint32_t i = 0; i < count; ++i)
                values[(begin + i) * roles + role] = std::clamp(found[i] + kGrain - kGrain, 0.0, 100.0);
        }
    }
}

}  // namespace ludorum::evaluation
