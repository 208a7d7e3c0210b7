#include "circuit/circuit_simulator.h"
#include "search/puzzle/beam.h"
#include "search/puzzle/best_first.h"
#include "search/puzzle/breadth_first.h"
#include "search/puzzle/nested.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::puzzle;
using namespace ludorum::testing;

namespace {

const std::atomic<std::int32_t> kGoOn{0}, kStop{1};

constexpr std::size_t kMemory = std::size_t{1} << 26;

// A row of lamps that are pressed one at a time, each as often as one likes; all of them lit is worth 100 and ends
// the game. Fluent n is lamp n.
Circuit lamps(std::uint32_t count) {
    Builder builder(count, {count});
    std::vector<Literal> all;
    for (std::uint32_t lamp = 0; lamp < count; ++lamp) {
        const Literal lit = builder.fluent(lamp), pressed = builder.move(0, lamp);
        builder.next(lamp) = builder.any_of({builder.all_of({lit, negated(pressed)}), builder.all_of({negated(lit), pressed})});
        all.push_back(lit);
    }
    const Literal done = builder.all_of(all);
    builder.terminal() = done;
    builder.goal(0, 100, done);
    return builder.circuit();
}

// The same lamps, with a counter of `steps` after them that ends the game; then as many of the first two as are lit
// are worth 30 each, whatever the others are. Lamps alone never end it.
Circuit limited_lamps(std::uint32_t count, std::uint32_t steps) {
    Builder builder(count + steps + 1, {count});
    for (std::uint32_t lamp = 0; lamp < count; ++lamp) {
        const Literal lit = builder.fluent(lamp), pressed = builder.move(0, lamp);
        builder.next(lamp) = builder.any_of({builder.all_of({lit, negated(pressed)}), builder.all_of({negated(lit), pressed})});
    }
    for (std::uint32_t step = 0; step < steps; ++step) builder.next(count + step + 1) = builder.fluent(count + step);
    builder.terminal() = builder.fluent(count + steps);
    const Literal first = builder.fluent(0), second = builder.fluent(1);
    builder.goal(0, 60, builder.all_of({first, second}));
    builder.goal(0, 30, builder.any_of({builder.all_of({first, negated(second)}), builder.all_of({negated(first), second})}));
    builder.goal(0, 0, builder.all_of({negated(first), negated(second)}));
    return builder.circuit();
}

std::vector<Bits> start_of(std::uint32_t fluents, std::vector<std::uint32_t> held) {
    State state(fluents, false);
    for (const std::uint32_t fluent : held) state[fluent] = true;
    return to_rows({state});
}

std::vector<std::uint32_t> counting(std::uint32_t first, std::uint32_t steps) {
    std::vector<std::uint32_t> counter;
    for (std::uint32_t step = 0; step <= steps; ++step) counter.push_back(first + step);
    return counter;
}

// How far states are from having all of the first `count` fluents.
GoalDistance missing(std::uint32_t fluents, std::uint32_t count) {
    std::vector<std::uint32_t> inputs;
    for (std::uint32_t fluent = 0; fluent < count; ++fluent) inputs.push_back(positive(1 + fluent));
    return GoalDistance(fluents, {0, count}, inputs, positive(1 + fluents));
}

// Where a plan leads; checks that every move is legal.
int value_of(const Simulator& simulator, std::vector<Bits> state, const std::vector<std::uint32_t>& plan) {
    std::uint8_t terminal = 0;
    std::vector<Bits> legal(simulator.shape().legal_words()), next(state.size());
    for (const std::uint32_t move : plan) {
        simulator.terminal_and_legal(state.data(), 1, &terminal, legal.data());
        CHECK(!terminal && ((legal[move / 64] >> (move % 64)) & 1));
        simulator.step(state.data(), 1, &move, next.data());
        state = next;
    }
    simulator.terminal_and_legal(state.data(), 1, &terminal, legal.data());
    CHECK(terminal);
    std::int16_t goal = 0;
    simulator.goals(state.data(), 1, &goal);
    return goal;
}

}  // namespace

TEST("breadth-first search presses every lamp that is dark, once") {
    for (const Width& width : every_width(lamps(10))) {
        const auto start = start_of(10, {2, 5});
        BreadthFirst search(*width.simulator, Canonicalizer(10, {}, {}), start.data(), 100, kMemory);
        CHECK(search.run(within(60, kGoOn)) == Status::kSolved);
        CHECK(search.best().plan.size() == 8);
        CHECK(value_of(*width.simulator, start, search.best().plan) == 100);
    }
}

TEST("breadth-first search visits every state once") {
    // The goal cannot be had: the value asked for is above the highest.
    const CircuitSimulator simulator(lamps(12));
    const auto start = start_of(12, {});
    BreadthFirst search(simulator, Canonicalizer(12, {}, {}), start.data(), 101, kMemory);
    CHECK(search.run(within(60, kGoOn)) == Status::kExhausted);
    CHECK(search.states() == std::uint64_t{1} << 12);
    CHECK(search.best().value == 100);
}

TEST("states that a symmetry makes of one another are visited once, and the plan leads where it should") {
    // All lamps can change places in a circle: necklaces of 12 beads of two colours, OEIS A000031.
    std::vector<std::vector<std::uint32_t>> rotations;
    for (std::uint32_t by = 1; by < 12; ++by) {
        rotations.emplace_back();
        for (std::uint32_t lamp = 0; lamp < 12; ++lamp) rotations.back().push_back((lamp + by) % 12);
    }
    const CircuitSimulator simulator(lamps(12));
    const auto start = start_of(12, {3});
    BreadthFirst search(simulator, Canonicalizer(12, {}, rotations), start.data(), 101, kMemory);
    CHECK(search.run(within(60, kGoOn)) == Status::kExhausted);
    CHECK(search.states() == 352);
    CHECK(search.best().plan.size() == 11);
    CHECK(value_of(simulator, start, search.best().plan) == 100);
}

TEST("a counter makes no states of its own, and the ceiling tells what it might hide") {
    const CircuitSimulator simulator(limited_lamps(6, 9));
    const auto start = start_of(16, {6});
    BreadthFirst apart(simulator, Canonicalizer(16, {}, {}), start.data(), 101, kMemory);
    CHECK(apart.run(within(60, kGoOn)) == Status::kExhausted);
    // Every step changes one lamp, so after nine steps an odd number of lamps is lit: the two and one more, say.
    CHECK(apart.best().value == 60 && apart.best().plan.size() == 9);
    CHECK(apart.ceiling() == -1);

    BreadthFirst merged(simulator, Canonicalizer(16, counting(6, 9), {}), start.data(), 101, kMemory);
    CHECK(merged.run(within(60, kGoOn)) == Status::kExhausted);
    CHECK(merged.states() == 64);
    // It met every row before the end of the counter, where it would have been worth something.
    CHECK(merged.best().value == -1 && merged.ceiling() == 60);
}

TEST("A* finds what breadth-first search finds, with and without a counter and symmetries") {
    const CircuitSimulator simulator(lamps(20));
    const auto start = start_of(20, {0, 1, 2});
    std::vector<std::uint32_t> mirror;
    for (std::uint32_t lamp = 0; lamp < 20; ++lamp) mirror.push_back(19 - lamp);
    for (const auto& symmetries : {std::vector<std::vector<std::uint32_t>>{}, {mirror}}) {
        BestFirst search(simulator, Canonicalizer(20, {}, symmetries), std::make_shared<GoalDistance>(missing(20, 20)), start.data(), 100, 4, kMemory);
        CHECK(search.run(within(60, kGoOn)) == Status::kSolved);
        CHECK(search.nearest() == 0);
        CHECK(search.best().plan.size() == 17);
        CHECK(value_of(simulator, start, search.best().plan) == 100);
        // It goes straight there: every expansion of a batch has at most 20 successors.
        CHECK(search.states() < 5'000);
    }
    const CircuitSimulator limited(limited_lamps(6, 8));
    const auto other = start_of(15, {6});
    BestFirst search(limited, Canonicalizer(15, {}, {}), std::make_shared<GoalDistance>(missing(15, 2)), other.data(), 60, 1, kMemory);
    CHECK(search.run(within(60, kGoOn)) == Status::kSolved);
    CHECK(value_of(limited, other, search.best().plan) == 60);
}

TEST("nested search finds the same from the same seed, and lights all lamps") {
    const CircuitSimulator simulator(limited_lamps(8, 12));
    const auto start = start_of(21, {8});
    const auto found = [&](std::uint64_t seed) {
        Nested search(simulator, missing(21, 2), start.data(), 60, 2, seed, 100);
        search.run(within(60, kGoOn), 5);
        return search.best();
    };
    const Found one = found(1);
    CHECK(one.value == 60 && value_of(simulator, start, one.plan) == 60);
    CHECK(found(1).plan == one.plan);
    CHECK(found(2).plan != one.plan || found(3).plan != one.plan);
}

TEST("a beam finds its way through far more states than it is wide, the same from the same seed") {
    const CircuitSimulator simulator(lamps(40));
    const auto start = start_of(40, {7});
    const auto found = [&](std::optional<GoalDistance> distance, std::uint64_t seed) {
        Beam search(simulator, Canonicalizer(40, {}, {}), std::move(distance), start.data(), 100, seed, 100, kMemory);
        CHECK(search.run(within(60, kGoOn)) == Status::kSolved);
        CHECK(search.width() == 64);
        return search.best();
    };
    const Found one = found(missing(40, 40), 1);
    CHECK(one.plan.size() == 39 && value_of(simulator, start, one.plan) == 100);
    CHECK(found(missing(40, 40), 1).plan == one.plan);
    CHECK(found(missing(40, 40), 2).plan != one.plan);
}

TEST("a beam that is wide enough visits everything, and one that is not starts anew") {
    const CircuitSimulator simulator(lamps(10));
    const auto start = start_of(10, {});
    Beam search(simulator, Canonicalizer(10, {}, {}), std::nullopt, start.data(), 101, 1, 100, kMemory);
    CHECK(search.run(within(60, kGoOn)) == Status::kExhausted);
    CHECK(search.best().value == 100 && value_of(simulator, start, search.best().plan) == 100);
    // The largest layer has 10 over 5 = 252 states, so that 64 and 128 were too few.
    CHECK(search.width() == 256);

    // Without memory for more than a chunk of rows it never grows wider, and goes on all the same.
    const CircuitSimulator many(lamps(30));
    const auto dark = start_of(30, {});
    Beam small(many, Canonicalizer(30, {}, {}), std::nullopt, dark.data(), 101, 1, 100, 1);
    CHECK(small.run(within(0.2, kGoOn)) == Status::kRunning);
    CHECK(small.width() == 64 && small.states() > 0);
}

TEST("a search gives up when it is told to, goes on where it was, and keeps to its memory") {
    const CircuitSimulator simulator(lamps(16));
    const auto start = start_of(16, {});
    BreadthFirst search(simulator, Canonicalizer(16, {}, {}), start.data(), 101, kMemory);
    CHECK(search.run(within(60, kStop)) == Status::kRunning);
    CHECK(search.states() == 1);
    while (search.run(within(0.001, kGoOn)) == Status::kRunning) {}
    CHECK(search.states() == std::uint64_t{1} << 16);
    BreadthFirst small(simulator, Canonicalizer(16, {}, {}), start.data(), 101, 800'000);
    CHECK(small.run(within(60, kGoOn)) == Status::kFull);
    CHECK(small.states() < std::uint64_t{1} << 16);
}

TEST("the distance from a goal counts what is missing") {
    // (a and b) or (not c): from nothing held the second costs nothing; from c alone both of a and b, or c, are wrong.
    const std::vector<std::uint32_t> inputs{positive(1), positive(2), negated(positive(4)), positive(3)};
    GoalDistance distance(3, {0, 2, 4}, inputs, negated(positive(5)));
    CHECK(distance(start_of(3, {}).data()) == 0);
    CHECK(distance(start_of(3, {2}).data()) == 1);
    CHECK(distance(start_of(3, {0, 1, 2}).data()) == 0);
    GoalDistance both(3, {0, 2}, {positive(1), positive(2)}, positive(4));
    CHECK(both(start_of(3, {2}).data()) == 2);
    CHECK(both(start_of(3, {1}).data()) == 1);
    CHECK_THROWS(std::invalid_argument, "formula", GoalDistance(3, {0, 1}, {positive(4)}, positive(4)));
    CHECK_THROWS(std::invalid_argument, "formula", GoalDistance(3, {0}, {}, positive(9)));
}

TEST("what is no permutation is no symmetry") {
    CHECK_THROWS(std::invalid_argument, "permutation", Canonicalizer(3, {}, {{0, 0, 1}}));
    CHECK_THROWS(std::invalid_argument, "permutation", Canonicalizer(3, {}, {{0, 1}}));
    CHECK_THROWS(std::invalid_argument, "counter", Canonicalizer(3, {0, 1}, {{1, 0, 2}}));
    CHECK_THROWS(std::invalid_argument, "fluents", Canonicalizer(3, {3}, {}));
}
