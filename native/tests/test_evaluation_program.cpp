#include <algorithm>
#include <cmath>

#include "circuit/circuit_simulator.h"
#include "evaluation/kernels/kernel.h"
#include "evaluation/program.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::evaluation;
using namespace ludorum::testing;

namespace {

constexpr std::uint32_t kFluents = 90, kRoles = 2;

// Written one step after the other; a step gives the slot of its number.
class Writer {
public:
    explicit Writer(std::uint32_t fluents = kFluents) { code_.fluents = fluents; code_.roles = kRoles; }

    std::uint32_t add(Operation operation, std::vector<std::uint32_t> operands, std::vector<double> constants) {
        const auto first = static_cast<std::uint32_t>(code_.operands.size()), number = static_cast<std::uint32_t>(code_.constants.size());
        code_.operands.insert(code_.operands.end(), operands.begin(), operands.end());
        code_.constants.insert(code_.constants.end(), constants.begin(), constants.end());
        code_.steps.push_back({operation, code_.slots, first, static_cast<std::uint32_t>(code_.operands.size()), number,
                               static_cast<std::uint32_t>(code_.constants.size())});
        return code_.slots++;
    }

    EvaluationCode finished(std::uint32_t first, std::uint32_t second) {
        code_.outputs = {first, second};
        return code_;
    }

    EvaluationCode code_;
};

// What a step means, one state at a time and in double precision.
double meaning(const EvaluationCode& code, const EvaluationCode::Step& step, const std::vector<double>& slots,
               const std::vector<bool>& planes, const std::vector<double>& moves) {
    const std::vector<std::uint32_t> operands(code.operands.begin() + step.operands, code.operands.begin() + step.operands_end);
    const std::vector<double> constants(code.constants.begin() + step.constants, code.constants.begin() + step.constants_end);
    switch (step.operation) {
        case Operation::kFirst: {
            std::size_t group = 0;
            for (std::size_t i = 0; i < operands.size(); i += 1 + operands[i], ++group)
                for (std::size_t k = 1; k <= operands[i]; ++k)
                    if (planes[operands[i + k]]) return constants[group];
            return constants.back();
        }
        case Operation::kMean: {
            double sum = 0, count = 0;
            for (std::size_t i = 0; i < operands.size(); ++i)
                if (planes[operands[i]]) sum += constants[i], ++count;
            return count > 0 ? sum / count : constants.back();
        }
        case Operation::kCount: {
            double sum = constants.back();
            for (std::size_t i = 0; i < operands.size(); ++i) sum += planes[operands[i]] ? constants[i] : 0;
            return sum;
        }
        case Operation::kMoves: return moves[operands[0]];
        case Operation::kSum: {
            double sum = 0, most = 0;
            for (std::uint32_t slot : operands) sum += slots[slot], most = std::max(most, slots[slot]);
            return std::min(sum, most < constants[0] ? constants[1] : 1.0);
        }
        case Operation::kPower: return std::pow(slots[operands[0]], constants[0]);
        case Operation::kDual: return std::pow(1 - std::pow(slots[operands[0]], 1 / constants[0]), constants[0]);
        case Operation::kProduct: {
            double product = 1;
            for (std::uint32_t slot : operands) product *= slots[slot];
            return product;
        }
        case Operation::kComplement: return 1 - slots[operands[0]];
        case Operation::kIfLess: return slots[operands[0]] < constants[0] ? slots[operands[1]] : slots[operands[2]];
        case Operation::kIfHolds: return planes[operands[0]] ? slots[operands[1]] : slots[operands[2]];
        case Operation::kWeighted: {
            double sum = constants.back();
            for (std::size_t i = 0; i < operands.size(); ++i) sum += constants[i] * slots[operands[i]];
            return sum;
        }
        case Operation::kRatio: {
            const double a = slots[operands[0]], b = slots[operands[1]];
            return a + b > 0 ? (a - b) / (a + b) : 0;
        }
    }
    return 0;
}

std::vector<double> values_by_meaning(const EvaluationCode& code, const std::vector<bool>& planes, const std::vector<double>& moves) {
    std::vector<double> slots(code.slots);
    for (const EvaluationCode::Step& step : code.steps) slots[step.slot] = meaning(code, step, slots, planes, moves);
    std::vector<double> values;
    for (std::uint32_t slot : code.outputs) values.push_back(std::clamp(slots[slot], 0.0, 100.0));
    return values;
}

// A program with every operation; all its numbers stay between 0 and 1 but for the last.
EvaluationCode random_code(Generator& random, std::uint32_t planes) {
    Writer writer;
    std::vector<std::uint32_t> slots;
    const auto number = [&] { return static_cast<double>(below(random, 1000)) / 999.0; };
    const auto plane = [&] { return below(random, planes); };
    const auto slot = [&] { return slots[below(random, static_cast<std::uint32_t>(slots.size()))]; };
    for (int leaf = 0; leaf < 6; ++leaf) {
        std::vector<std::uint32_t> operands;
        std::vector<double> constants{number()};
        for (std::uint32_t group = below(random, 4); group-- > 0;) {
            const std::uint32_t size = 1 + below(random, 5);
            operands.push_back(size);
            for (std::uint32_t i = 0; i < size; ++i) operands.push_back(plane());
            constants.push_back(number());
        }
        slots.push_back(writer.add(Operation::kFirst, operands, constants));
        slots.push_back(writer.add(Operation::kMean, {plane(), plane(), plane()}, {number(), number(), number(), number()}));
    }
    for (int step = 0; step < 40; ++step) {
        switch (below(random, 7)) {
            case 0: slots.push_back(writer.add(Operation::kSum, {slot(), slot(), slot()}, {number(), number()})); break;
            case 1: slots.push_back(writer.add(Operation::kPower, {slot()}, {1.0 + static_cast<double>(below(random, 8))})); break;
            case 2: slots.push_back(writer.add(Operation::kDual, {slot()}, {1.0 + static_cast<double>(below(random, 8))})); break;
            case 3: slots.push_back(writer.add(Operation::kProduct, {slot(), slot()}, {})); break;
            case 4: slots.push_back(writer.add(Operation::kComplement, {slot()}, {})); break;
            case 5: slots.push_back(writer.add(Operation::kIfHolds, {plane(), slot(), slot()}, {})); break;
            default: slots.push_back(writer.add(Operation::kPower, {slot()}, {0.25})); break;
        }
    }
    const std::uint32_t counted = writer.add(Operation::kCount, {plane(), plane()}, {2, 3, 1});
    const std::uint32_t mine = writer.add(Operation::kMoves, {0}, {}), other = writer.add(Operation::kMoves, {1}, {});
    const std::uint32_t ratio = writer.add(Operation::kRatio, {mine, other}, {});
    const std::uint32_t chosen = writer.add(Operation::kIfLess, {counted, slot(), slot()}, {3.5});
    const std::uint32_t first = writer.add(Operation::kWeighted, {slot(), slot(), ratio, chosen}, {30, 40, 25, -10, 20});
    return writer.finished(first, writer.add(Operation::kWeighted, {slots.back()}, {100, 0}));
}

struct Seen {
    Shape shape;
    std::vector<State> states, legal;
    std::vector<Bits> state_rows, legal_rows;

    Seen(Generator& random, std::size_t count) {
        shape.fluents = kFluents;
        shape.moves = {3, 70};
        shape.all_moves = 73;
        for (std::size_t i = 0; i < count; ++i) {
            states.emplace_back(kFluents);
            legal.emplace_back(shape.all_moves);
            for (State* row : {&states.back(), &legal.back()})
                for (std::size_t bit = 0; bit < row->size(); ++bit) (*row)[bit] = below(random, 3) == 0;
        }
        state_rows = to_rows(states);
        legal_rows = to_rows(legal);
    }

    SeenStates seen() const { return {shape, states.size(), state_rows.data(), legal_rows.data(), nullptr}; }

    std::vector<double> moves(std::size_t i) const {
        return {static_cast<double>(std::count(legal[i].begin(), legal[i].begin() + 3, true)),
                static_cast<double>(std::count(legal[i].begin() + 3, legal[i].end(), true))};
    }
};

// That fluents 0 and 1 hold together, and that fluent 70 does not.
std::shared_ptr<const Simulator> some_conditions() {
    Builder builder(kFluents, {2});
    builder.legal(0, 0) = builder.all_of({builder.fluent(0), builder.fluent(1)});
    builder.legal(0, 1) = negated(builder.fluent(70));
    return std::make_shared<CircuitSimulator>(builder.circuit());
}

}  // namespace

TEST("random evaluation programs mean what their steps say, whatever the instructions") {
    Generator random(21);
    const auto conditions = some_conditions();
    for (int i = 0; i < 60; ++i) {
        const EvaluationCode code = random_code(random, kFluents + 2);
        const Seen seen(random, below(random, 150));
        std::vector<double> first;
        for (const EvaluationKernel* kernel : evaluation_kernels()) {
            const ProgramEvaluation evaluation(code, conditions, *kernel);
            std::vector<double> values(seen.states.size() * kRoles, -1);
            evaluation.evaluate(seen.seen(), values.data());
            for (std::size_t state = 0; state < seen.states.size(); ++state) {
                std::vector<bool> planes = seen.states[state];
                planes.push_back(planes[0] && planes[1]);
                planes.push_back(!planes[70]);
                const auto wanted = values_by_meaning(code, planes, seen.moves(state));
                for (std::size_t role = 0; role < kRoles; ++role)
                    CHECK(std::abs(values[state * kRoles + role] - wanted[role]) < 0.02);
            }
            if (first.empty()) first = values;
            // To the last bit, so that a search finds the same on every machine.
            CHECK(values == first);
        }
    }
}

TEST("powers and roots are right to six digits") {
    Writer writer;
    std::vector<double> constants;
    std::vector<std::uint32_t> operands;
    // Seven fluents in binary: the numbers from 0 to 1 in steps of 1/127.
    for (std::uint32_t bit = 0; bit < 7; ++bit) operands.push_back(bit), constants.push_back(static_cast<double>(1 << bit) / 127.0);
    constants.push_back(0);
    const std::uint32_t x = writer.add(Operation::kCount, operands, constants);
    const std::uint32_t root = writer.add(Operation::kPower, {x}, {1.0 / 15}), power = writer.add(Operation::kPower, {x}, {15});
    const std::uint32_t back = writer.add(Operation::kPower, {power}, {1.0 / 15});
    const EvaluationCode code = writer.finished(writer.add(Operation::kWeighted, {root}, {100, 0}), writer.add(Operation::kWeighted, {back}, {100, 0}));
    Generator random(1);
    Seen seen(random, 128);
    for (std::size_t i = 0; i < 128; ++i)
        for (std::uint32_t bit = 0; bit < 7; ++bit) seen.states[i][bit] = (i >> bit) & 1;
    seen.state_rows = to_rows(seen.states);
    for (const EvaluationKernel* kernel : evaluation_kernels()) {
        std::vector<double> values(128 * kRoles);
        ProgramEvaluation(code, nullptr, *kernel).evaluate(seen.seen(), values.data());
        for (std::size_t i = 0; i < 128; ++i) {
            const double number = static_cast<double>(i) / 127;
            CHECK(std::abs(values[i * kRoles] - 100 * std::pow(number, 1.0 / 15)) < 1e-4);
            // What is smaller than 1/16 to the 15th power is still a double.
            CHECK(std::abs(values[i * kRoles + 1] - 100 * number) < 1e-3);
        }
    }
}

TEST("what is no evaluation program is refused") {
    const auto refused = [](const char* why, std::uint32_t conditions, auto change) {
        Writer writer;
        const std::uint32_t leaf = writer.add(Operation::kFirst, {1, 5}, {1, 0});
        const std::uint32_t sum = writer.add(Operation::kSum, {leaf, leaf}, {0, 1});
        EvaluationCode code = writer.finished(sum, leaf);
        change(code);
        CHECK_THROWS(std::invalid_argument, why, code.check(conditions));
    };
    refused("a plane that there is not", 2, [](EvaluationCode& code) { code.operands[1] = kFluents + 2; });
    refused("a group that does not end", 0, [](EvaluationCode& code) { code.operands[0] = 2; });
    refused("a slot is read before it is written", 0, [](EvaluationCode& code) { code.operands[2] = 1; });
    refused("a slot that there is not", 0, [](EvaluationCode& code) { code.steps[1].slot = 2; });
    refused("not one value a role", 0, [](EvaluationCode& code) { code.outputs.pop_back(); });
    refused("not one constant a group", 0, [](EvaluationCode& code) { code.steps[0].constants_end = 1; });
    refused("operands out of range", 0, [](EvaluationCode& code) { code.steps[1].operands_end = 9; });
    refused("an operation that there is not", 0, [](EvaluationCode& code) { code.steps[0].operation = static_cast<Operation>(99); });
    refused("a constant that is no number", 0, [](EvaluationCode& code) { code.constants[0] = std::nanf(""); });
}
