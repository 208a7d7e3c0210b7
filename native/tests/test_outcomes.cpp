#include <atomic>
#include <cmath>

#include "engine/outcomes.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::testing;

namespace {

// A state says which of ten moves are legal. After one the game is over, and brings ten times its number to one role and
// as much less than 90 to the other, who only watches.
constexpr std::uint32_t kMoves = 10;

Builder raffle() {
    Builder builder(2 * kMoves, {kMoves, 1});
    std::vector<Literal> made;
    for (std::uint32_t move = 0; move < kMoves; ++move) {
        builder.legal(0, move) = builder.fluent(move);
        builder.next(kMoves + move) = builder.move(0, move);
        made.push_back(builder.fluent(kMoves + move));
    }
    for (std::uint32_t move = 0; move < kMoves; ++move) builder.goal(0, static_cast<int>(10 * move), made[move]);
    for (std::uint32_t move = 0; move < kMoves; ++move) builder.goal(1, static_cast<int>(90 - 10 * move), made[move]);
    builder.terminal() = builder.any_of(made);
    return builder;
}

State holding(std::initializer_list<std::uint32_t> fluents) {
    State state(2 * kMoves);
    for (std::uint32_t fluent : fluents) state[fluent] = true;
    return state;
}

std::vector<float> means(const Circuit& circuit, const std::vector<State>& states, OutcomeSpec spec) {
    const CircuitSimulator simulator(circuit);
    const std::vector<Bits> rows = to_rows(states);
    const std::atomic<std::int32_t> stop{0};
    std::vector<float> found(states.size() * simulator.shape().roles(), -1);
    found.resize(mean_outcomes(simulator, rows.data(), states.size(), spec, found.data(), stop) * simulator.shape().roles());
    return found;
}

}  // namespace

TEST("matches from a state are worth the mean of what its moves bring") {
    const Builder builder = raffle();
    OutcomeSpec spec;
    spec.playouts = 5000;
    spec.seconds = 1e9;
    const std::vector<State> states{holding({3}), holding({0, 9}), holding({1, 2, 6}), holding({kMoves + 7})};
    const std::vector<float> found = means(builder.circuit(), states, spec);
    CHECK(found.size() == 2 * states.size());
    CHECK(found[0] == 30 && found[1] == 60);
    // Six standard errors.
    CHECK(std::abs(found[2] - 45) < 6 * 45 / std::sqrt(5000.0f));
    CHECK(std::abs(found[4] - 30) < 6 * 21.6f / std::sqrt(5000.0f));
    for (std::size_t i = 0; i < states.size(); ++i) CHECK(std::abs(found[2 * i] + found[2 * i + 1] - 90) < 1e-3f);
    // What is over is worth its goals.
    CHECK(found[6] == 70 && found[7] == 20);
    CHECK(found == means(builder.circuit(), states, spec));
}

TEST("each of very many states gets the matches that were begun from it") {
    const Builder builder = raffle();
    OutcomeSpec spec;
    spec.playouts = 3;
    spec.seconds = 1e9;
    std::vector<State> states;
    for (std::uint32_t i = 0; i < 2000; ++i) states.push_back(holding({i * 7 % kMoves}));
    const std::vector<float> found = means(builder.circuit(), states, spec);
    CHECK(found.size() == 2 * states.size());
    for (std::uint32_t i = 0; i < states.size(); ++i) CHECK(found[2 * i] == static_cast<float>(10 * (i * 7 % kMoves)));
}

TEST("matches that are cut say nothing, and where none ends there is no mean") {
    Builder builder = raffle();
    builder.terminal() = builder.all_of({builder.fluent(kMoves), builder.fluent(kMoves + 1)});
    for (std::uint32_t move = 0; move < kMoves; ++move) builder.next(move) = builder.fluent(move);
    OutcomeSpec spec;
    spec.max_steps = 9;
    spec.seconds = 1e9;
    for (float mean : means(builder.circuit(), {holding({2}), holding({3, 4})}, spec)) CHECK(std::isnan(mean));
}

TEST("without time nothing is played from any state") {
    const Builder builder = raffle();
    CHECK(means(builder.circuit(), {holding({3})}, OutcomeSpec{}).empty());
}
