#include <new>
#include <thread>

#include "tests/builder.h"
#include "tests/check.h"
#include "tests/chi_squared.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::testing;

namespace {

State random_state(Generator& random, const Circuit& circuit) {
    State state(circuit.fluents);
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) state[fluent] = random() & 1;
    return state;
}

// A counter that goes from 0 to `end`; with each step the role may also stop there for good.
Builder counter(std::uint32_t end) {
    Builder builder(end + 1, {1});
    for (std::uint32_t i = 1; i <= end; ++i) builder.next(i) = builder.fluent(i - 1);
    builder.goal(0, 40, builder.fluent(end));
    builder.goal(0, 10, negated(builder.fluent(end)));
    return builder;
}

State at(std::uint32_t size, std::uint32_t number) {
    State state(size, false);
    state[number] = true;
    return state;
}

void all_end(const Circuit& circuit, const State& state, std::uint32_t max_steps, int outcome, int length, int goal) {
    for (const Width& width : every_width(circuit))
        for (std::uint64_t playouts : {1, 64, 65, 1000}) {
            const Played played = play(width, state, playouts, 1, max_steps);
            CHECK(played.outcomes == std::vector<std::uint8_t>(playouts, static_cast<std::uint8_t>(outcome)));
            CHECK(played.lengths == std::vector<std::int32_t>(playouts, length));
            CHECK(played.goals == std::vector<std::int16_t>(playouts * circuit.roles(), static_cast<std::int16_t>(goal)));
        }
}

// How playouts ended, in the order of the ends that are possible; an impossible end is a failure.
std::vector<std::uint64_t> count_ends(const std::map<Naive::End, double>& possible, const Played& played, std::uint32_t roles) {
    std::vector<std::uint64_t> counts(possible.size(), 0);
    for (std::size_t i = 0; i < played.lengths.size(); ++i) {
        const std::vector<int> goals(played.goals.begin() + i * roles, played.goals.begin() + (i + 1) * roles);
        const auto found = possible.find({played.outcomes[i], played.lengths[i], goals});
        CHECK(found != possible.end());
        if (found != possible.end()) ++counts[std::distance(possible.begin(), found)];
    }
    return counts;
}

}  // namespace

TEST("playouts of random circuits end as the definition says, and as often") {
    Generator random(8);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        const State state = random_state(random, circuit);
        const int max_steps = 1 + static_cast<int>(below(random, 5));
        const auto possible = Naive(circuit).ends(state, max_steps);
        std::vector<double> expected;
        for (const auto& [end, probability] : possible) expected.push_back(4000 * probability);
        const auto widths = every_width(circuit);
        const Played played = play(widths.front(), state, 4000, random(), max_steps);
        CHECK(chi_squared(count_ends(possible, played, circuit.roles()), expected).is_plausible());
    }
}

TEST("the same seed gives the same playouts for every width and number of threads") {
    Generator random(9);
    for (int i = 0; i < 60; ++i) {
        const Circuit circuit = random_circuit(random);
        const State state = random_state(random, circuit);
        const std::uint64_t seed = random(), playouts = 1 + below(random, 10'000);
        const auto widths = every_width(circuit);
        const Played first = play(widths.front(), state, playouts, seed, 20);
        for (const Width& width : widths)
            for (std::uint32_t threads : {1, 2, 5}) CHECK(play(width, state, playouts, seed, 20, threads) == first);
    }
}

TEST("a block that does not fill its lanes is not disturbed by what was played there before") {
    // Whether the second role has a choice depends on what the first one did; five steps a game, and the goals tell
    // the last choices.
    Builder builder(8, {2, 2});
    builder.next(0) = builder.move(0, 0);
    builder.legal(1, 1) = builder.fluent(0);
    builder.next(1) = builder.move(1, 1);
    builder.next(2) = kTrue;
    for (std::uint32_t i = 3; i < 7; ++i) builder.next(i) = builder.fluent(i - 1);
    builder.next(7) = builder.fluent(1);
    builder.terminal() = builder.fluent(6);
    builder.goal(0, 1, builder.fluent(0));
    builder.goal(0, 0, negated(builder.fluent(0)));
    builder.goal(1, 3, builder.all_of({builder.fluent(1), builder.fluent(7)}));
    builder.goal(1, 2, builder.all_of({builder.fluent(1), negated(builder.fluent(7))}));
    builder.goal(1, 1, builder.all_of({negated(builder.fluent(1)), builder.fluent(7)}));
    builder.goal(1, 0, builder.all_of({negated(builder.fluent(1)), negated(builder.fluent(7))}));
    const auto widths = every_width(builder.circuit());
    for (std::uint64_t playouts = 1; playouts < 700; playouts += 9)
        for (const Width& width : widths)
            CHECK(play(width, State(8, false), playouts, playouts) == play(widths.front(), State(8, false), playouts, playouts));
}

TEST("another seed gives other playouts") {
    Builder builder(2, {2});
    builder.next(0) = builder.next(1) = builder.move(0, 0);
    builder.terminal() = builder.fluent(0);
    const auto widths = every_width(builder.circuit());
    CHECK(play(widths[0], State(2, false), 1000, 1) != play(widths[0], State(2, false), 1000, 2));
    CHECK(play(widths[0], State(2, false), 1000, 1) == play(widths[0], State(2, false), 1000, 1));
}

TEST("a playout is finished in a terminal state, and its length is the number of steps") {
    Builder builder = counter(5);
    builder.terminal() = builder.fluent(5);
    all_end(builder.circuit(), at(6, 0), 10'000, kFinished, 5, 40);
    all_end(builder.circuit(), at(6, 3), 10'000, kFinished, 2, 40);
    // The last step that is allowed may be the one that finishes it.
    all_end(builder.circuit(), at(6, 0), 5, kFinished, 5, 40);
}

TEST("a playout is cut at the limit of steps, and the goals are those of its last state") {
    Builder builder = counter(5);
    builder.terminal() = builder.fluent(5);
    all_end(builder.circuit(), at(6, 0), 4, kCut, 4, 10);
    all_end(builder.circuit(), at(6, 0), 1, kCut, 1, 10);
    all_end(builder.circuit(), at(6, 0), 0, kCut, 0, 10);
    all_end(builder.circuit(), at(6, 5), 0, kFinished, 0, 40);
    // Never terminal; the counter has run out by then.
    all_end(counter(5).circuit(), at(6, 0), 77, kCut, 77, 10);
    all_end(counter(5).circuit(), at(6, 0), 5, kCut, 5, 40);
}

TEST("a playout is stuck where a role has no legal move") {
    Builder builder = counter(5);
    builder.legal(0, 0) = negated(builder.fluent(5));
    all_end(builder.circuit(), at(6, 0), 10'000, kStuck, 5, 40);
    all_end(builder.circuit(), at(6, 5), 10'000, kStuck, 0, 40);
    // At the limit it is cut, whether it could go on or not; a terminal state is finished, not stuck.
    all_end(builder.circuit(), at(6, 0), 5, kCut, 5, 40);
    builder.terminal() = builder.fluent(5);
    all_end(builder.circuit(), at(6, 0), 10'000, kFinished, 5, 40);
}

TEST("one role without a legal move is enough to be stuck") {
    Builder builder(1, {3, 2});
    builder.next(0) = kTrue;
    builder.legal(1, 0) = builder.legal(1, 1) = negated(builder.fluent(0));
    all_end(builder.circuit(), State(1, false), 10'000, kStuck, 1, kNoGoal);
}

TEST("a role that never has a move makes every playout stuck at once") {
    all_end(Builder(1, {2, 0}).circuit(), State(1, false), 10'000, kStuck, 0, kNoGoal);
    all_end(Builder(0, {0}).circuit(), State(), 10'000, kStuck, 0, kNoGoal);
}

TEST("a game may have no fluents") {
    Builder builder(0, {3});
    builder.goal(0, 30, kTrue);
    all_end(builder.circuit(), State(), 9, kCut, 9, 30);
    builder.terminal() = kTrue;
    all_end(builder.circuit(), State(), 9, kFinished, 0, 30);
}

TEST("a playout from a terminal state has no steps") {
    Builder builder = counter(5);
    builder.terminal() = builder.fluent(5);
    all_end(builder.circuit(), at(6, 5), 10'000, kFinished, 0, 40);
}

TEST("no goal and several goals are no goal") {
    Builder builder(1, {1});
    builder.next(0) = builder.terminal() = builder.fluent(0);
    builder.goal(0, 0, builder.fluent(0));
    builder.goal(0, 100, builder.fluent(0));
    all_end(builder.circuit(), State(1, true), 10, kFinished, 0, kNoGoal);
    all_end(builder.circuit(), State(1, false), 10, kCut, 10, kNoGoal);
}

TEST("the goals are those of the last state, even where its fluents are not read again") {
    // What comes next is known from the terminal cone, and could be written over the fluent.
    Builder builder(2, {1});
    const Literal both = builder.all_of({builder.fluent(0), builder.fluent(1)});
    builder.terminal() = negated(both);
    builder.next(0) = both;
    builder.next(1) = negated(both);
    builder.goal(0, 70, builder.fluent(0));
    builder.goal(0, 20, negated(builder.fluent(0)));
    // Both, then the first alone.
    all_end(builder.circuit(), State(2, true), 10, kFinished, 1, 70);
    all_end(builder.circuit(), State(2, true), 1, kFinished, 1, 70);
}

TEST("short games are not favoured where lanes are filled again") {
    // Half of the playouts end after one step, the others after fifty.
    constexpr std::uint32_t kLong = 50;
    Builder builder(kLong + 2, {2});
    const Literal start = builder.fluent(0);
    builder.next(1) = builder.all_of({start, builder.move(0, 0)});
    builder.next(2) = builder.all_of({start, builder.move(0, 1)});
    for (std::uint32_t i = 3; i <= kLong + 1; ++i) builder.next(i) = builder.fluent(i - 1);
    builder.terminal() = builder.any_of({builder.fluent(1), builder.fluent(kLong + 1)});
    for (const Width& width : every_width(builder.circuit())) {
        const Played played = play(width, at(kLong + 2, 0), 20'000, 3);
        std::vector<std::uint64_t> counts(2, 0);
        for (std::int32_t length : played.lengths) {
            CHECK(length == 1 || length == static_cast<std::int32_t>(kLong));
            ++counts[length == 1 ? 0 : 1];
        }
        CHECK(uniformity(counts).is_plausible());
    }
}

TEST("no playouts are none") {
    const Builder builder = counter(5);
    for (const Width& width : every_width(builder.circuit())) CHECK(play(width, at(6, 0), 0, 1, 10).lengths.empty());
}

TEST("playouts come back soon after they are told to stop") {
    const Builder builder = counter(5);
    for (const Width& width : every_width(builder.circuit())) {
        std::atomic<std::int32_t> stop{0};
        std::vector<std::int16_t> goals(1000);
        std::vector<std::int32_t> lengths(1000);
        std::vector<std::uint8_t> outcomes(1000);
        const std::vector<Bits> state = to_rows({at(6, 0)});
        std::thread playing([&] {
            // Years of steps: only stopping can end this.
            width.simulator->playouts(state.data(), {1000, 1, 2, 0x7FFFFFFF, width.lanes},
                                      {goals.data(), lengths.data(), outcomes.data()}, stop);
        });
        stop = 1;
        playing.join();
    }
}

TEST("playouts that are told to stop before they begin leave their results alone, however many they are") {
    Builder builder = counter(5);
    builder.terminal() = builder.fluent(5);
    const std::atomic<std::int32_t> stop{1};
    for (const Width& width : every_width(builder.circuit()))
        for (std::uint32_t number : {0, 5}) {
            std::vector<std::int16_t> goals(1000, 77);
            std::vector<std::int32_t> lengths(1000, 77);
            std::vector<std::uint8_t> outcomes(1000, 77);
            width.simulator->playouts(to_rows({at(6, number)}).data(), {1000, 1, 2, 10'000, width.lanes},
                                      {goals.data(), lengths.data(), outcomes.data()}, stop);
            CHECK(goals == std::vector<std::int16_t>(1000, 77));
            CHECK(lengths == std::vector<std::int32_t>(1000, 77));
            CHECK(outcomes == std::vector<std::uint8_t>(1000, 77));
        }
}

TEST("what goes wrong in one thread of playouts is told to whoever asked for them") {
    const Builder builder = counter(5);
    for (const KernelChoice& choice : all_kernels()) {
        static std::thread::id asking;
        static decltype(Kernels::play) play_on;
        asking = std::this_thread::get_id();
        play_on = choice.kernels->play;
        Kernels scarce = *choice.kernels;
        scarce.play = [](const KernelRound& round, KernelPlayouts& job) {
            if (std::this_thread::get_id() != asking) throw std::bad_alloc();
            play_on(round, job);
        };
        Width width{"scarce", 64 * scarce.columns, std::make_unique<CircuitSimulator>(builder.circuit(), std::vector<KernelChoice>{{&scarce, "scarce"}})};
        CHECK_THROWS(std::bad_alloc, "bad_alloc", play(width, at(6, 0), 1000, 1, 10, 2));
        CHECK(play(width, at(6, 0), 1000, 1, 10, 1).lengths == std::vector<std::int32_t>(1000, 10));
    }
}

TEST("the trial of widths names one of those that there are") {
    const Builder builder = counter(5);
    const CircuitSimulator simulator(builder.circuit());
    const std::uint32_t lanes = simulator.fastest_lanes(to_rows({at(6, 0)}).data());
    CHECK(lanes == 64 || lanes == 256 || lanes == 512);
}
