#include "engine/perft.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::testing;

namespace {

const std::atomic<std::int32_t> kGoOn{0};

// A heap from which one or two are taken; fluent n says that n are left.
Circuit heap(std::uint32_t size) {
    Builder builder(size + 1, {2});
    builder.terminal() = builder.fluent(0);
    builder.legal(0, 1) = negated(builder.fluent(1));
    for (std::uint32_t left = 0; left < size; ++left) {
        const Literal one = builder.all_of({builder.move(0, 0), builder.fluent(left + 1)});
        const Literal two = left + 2 <= size ? builder.all_of({builder.move(0, 1), builder.fluent(left + 2)}) : kFalse;
        builder.next(left) = builder.any_of({one, two});
    }
    return builder.circuit();
}

State full(std::uint32_t size) {
    State state(size + 1, false);
    state[size] = true;
    return state;
}

}  // namespace

TEST("perft counts the ways to empty a heap") {
    // From four: 4; 3 2; 2 1 1 0; 1 0 0 0; 0. Terminal states have no moves.
    const std::vector<std::uint64_t> expected{2, 4, 4, 1, 0};
    for (const Width& width : every_width(heap(4)))
        CHECK(perft(*width.simulator, to_rows({full(4)}).data(), 5, kGoOn) == expected);
}

TEST("perft of a large heap is a sum of binomials") {
    // A sequence of d moves, t of which take two, is possible if d + t are there to be taken.
    constexpr std::uint32_t kSize = 40;
    const auto counts = perft(CircuitSimulator(heap(kSize)), to_rows({full(kSize)}).data(), kSize, kGoOn);
    for (std::uint32_t depth = 1; depth <= kSize; ++depth) {
        double sequences = 0, binomial = 1;
        for (std::uint32_t twos = 0; twos <= depth && depth + twos <= kSize; ++twos) {
            sequences += binomial;
            binomial = binomial * (depth - twos) / (twos + 1);
        }
        CHECK(static_cast<double>(counts[depth - 1]) == sequences);
    }
}

TEST("simultaneous moves multiply") {
    Builder builder(0, {3, 4, 2});
    builder.legal(1, 2) = kFalse;
    const CircuitSimulator simulator(builder.circuit());
    const std::vector<std::uint64_t> expected{18, 18 * 18, 18 * 18 * 18};
    CHECK(perft(simulator, nullptr, 3, kGoOn) == expected);
}

TEST("perft refuses to count past 2^64") {
    Builder builder(0, {1 << 14});
    const CircuitSimulator simulator(builder.circuit());
    CHECK(perft(simulator, nullptr, 4, kGoOn).back() == std::uint64_t{1} << 56);
    CHECK_THROWS(std::overflow_error, "2^64", perft(simulator, nullptr, 5, kGoOn));
}

TEST("joint moves come with the first role slowest, and no more than asked for") {
    Builder builder(1, {2, 3});
    builder.legal(1, 1) = builder.fluent(0);
    builder.terminal() = builder.all_of({builder.fluent(0), builder.fluent(0)});
    const CircuitSimulator simulator(builder.circuit());
    const std::vector<Bits> off{0}, on{1};
    CHECK((joint_moves(simulator, off.data(), 100) == std::vector<std::uint32_t>{0, 0, 0, 2, 1, 0, 1, 2}));
    CHECK((joint_moves(simulator, off.data(), 3) == std::vector<std::uint32_t>{0, 0, 0, 2, 1, 0}));
    CHECK(joint_moves(simulator, off.data(), 0).empty());
    CHECK(joint_moves(simulator, on.data(), 100).empty());
}

TEST("random circuits have as many sequences as the definition says") {
    Generator random(6);
    for (int i = 0; i < 100; ++i) {
        const Circuit circuit = random_circuit(random);
        const Naive naive(circuit);
        State state(circuit.fluents);
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) state[fluent] = random() & 1;
        std::vector<std::uint64_t> expected(2, 0);
        if (!naive.is_terminal(state))
            for (const Joint& joint : naive.joint_moves(state)) {
                ++expected[0];
                const State later = naive.after(state, joint);
                if (!naive.is_terminal(later)) expected[1] += naive.joint_moves(later).size();
            }
        CHECK(perft(CircuitSimulator(circuit), to_rows({state}).data(), 2, kGoOn) == expected);
    }
}
