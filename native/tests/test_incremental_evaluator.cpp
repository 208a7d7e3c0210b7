#include "circuit/incremental_evaluator.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/naive.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

std::vector<Bits> row_of(const State& state) {
    std::vector<Bits> row(words_for(state.size()), 0);
    for (std::size_t fluent = 0; fluent < state.size(); ++fluent)
        if (state[fluent]) row[fluent / 64] |= Bits{1} << (fluent % 64);
    return row;
}

State random_state(const Circuit& circuit, Generator& random) {
    State state;
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) state.push_back(below(random, 2));
    return state;
}

// Asks some of the questions, in some order, and compares the answers with the definition.
void compare(const Circuit& circuit, const Naive& naive, const State& state, IncrementalEvaluator& evaluator, Generator& random) {
    for (int i = 0; i < 3; ++i) {
        switch (below(random, 4)) {
            case 0: CHECK(evaluator.is_terminal() == naive.is_terminal(state)); break;
            case 1: {
                const auto expected = naive.legal(state);
                std::vector<Bits> row(words_for(circuit.all_moves()));
                evaluator.legal_row(row.data());
                for (std::size_t move = 0; move < expected.size(); ++move)
                    CHECK(((row[move / 64] >> (move % 64)) & 1) == expected[move]);
                break;
            }
            case 2: {
                std::vector<std::int16_t> values(circuit.roles());
                evaluator.goals(values.data());
                CHECK(std::vector<int>(values.begin(), values.end()) == naive.goals(state));
                break;
            }
            default: {
                const auto joints = naive.joint_moves(state);
                if (joints.empty()) break;
                const Joint& joint = joints[below(random, static_cast<std::uint32_t>(joints.size()))];
                std::vector<Bits> row(words_for(circuit.fluents));
                evaluator.successor(joint.data(), row.data());
                CHECK(row == row_of(naive.after(state, joint)));
            }
        }
    }
}

}  // namespace

TEST("a evaluator answers by the definition, wherever it comes from") {
    Generator random(5);
    for (int i = 0; i < 400; ++i) {
        const Circuit circuit = random_circuit(random);
        const Naive naive(circuit);
        const IncrementalPlan plan(circuit);
        IncrementalEvaluator evaluator(plan);
        for (int j = 0; j < 6; ++j) {
            const State state = random_state(circuit, random);
            evaluator.load(row_of(state).data());
            compare(circuit, naive, state, evaluator, random);
        }
    }
}

TEST("a evaluator goes forth and back like the definition") {
    Generator random(6);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        const Naive naive(circuit);
        const IncrementalPlan plan(circuit);
        IncrementalEvaluator evaluator(plan);
        std::vector<State> path{random_state(circuit, random)};
        evaluator.load(row_of(path[0]).data());
        for (int j = 0; j < 20; ++j) {
            const auto joints = naive.joint_moves(path.back());
            if (!joints.empty() && (path.size() == 1 || below(random, 3) > 0)) {
                const Joint& joint = joints[below(random, static_cast<std::uint32_t>(joints.size()))];
                evaluator.make(joint.data());
                path.push_back(naive.after(path.back(), joint));
            } else if (path.size() > 1) {
                evaluator.retract();
                path.pop_back();
            }
            compare(circuit, naive, path.back(), evaluator, random);
        }
    }
}

TEST("loops that held each other up fall together, and rise again") {
    // Two places that reach each other, and a way in to each.
    Builder builder(2, {1});
    const Literal left = builder.loop(0), right = builder.loop(0);
    builder.define(left, builder.any_of({builder.fluent(0), right}));
    builder.define(right, builder.any_of({builder.fluent(1), left}));
    builder.terminal() = builder.all_of({left, right});
    const IncrementalPlan plan(builder.circuit());
    IncrementalEvaluator evaluator(plan);
    for (const Bits state : {Bits{0}, Bits{1}, Bits{0}, Bits{2}, Bits{3}, Bits{2}, Bits{0}, Bits{3}, Bits{0}}) {
        evaluator.load(&state);
        CHECK(evaluator.is_terminal() == (state != 0));
    }
}

TEST("a loop that loses its way in while a way through itself opens falls") {
    // One is in where the gate is not shut, or by a way round from within; shutting the gate leaves nobody in.
    Builder builder(2, {1});
    const Literal way_round = builder.fluent(0), shut = builder.fluent(1), in = builder.loop(0);
    builder.define(in, builder.any_of({shut ^ 1, builder.all_of({way_round, in})}));
    builder.terminal() = in;
    const IncrementalPlan plan(builder.circuit());
    IncrementalEvaluator evaluator(plan);
    for (const Bits state : {Bits{0}, Bits{3}, Bits{1}, Bits{2}, Bits{0}, Bits{3}, Bits{2}, Bits{3}, Bits{1}, Bits{3}}) {
        evaluator.load(&state);
        CHECK(evaluator.is_terminal() == !(state & 2));
    }
}
