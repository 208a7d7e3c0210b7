#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/leaf_playouts.h"
#include "search/mcts/policy.h"
#include "search/mcts/stepped.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/chi_squared.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::testing;

namespace {

State random_state(Generator& random, std::uint32_t fluents) {
    State state(fluents);
    for (std::uint32_t fluent = 0; fluent < fluents; ++fluent) state[fluent] = random() & 1;
    return state;
}

// Plays a game from every state, tickets in their order, with at most `most` under way; results are in the order of tickets.
struct AllPlayed {
    std::vector<std::int32_t> lengths;
    std::vector<std::int16_t> goals;
    std::vector<Bits> played;
    std::vector<std::vector<std::uint32_t>> histories;  // where they are noted
};

// `before` may hold the joint move that led to each.
AllPlayed play_all(LeafPlayouts& playouts, const Shape& shape, const std::vector<State>& states, std::uint32_t most, std::uint32_t enough,
                   std::span<const std::uint32_t> before = {}) {
    AllPlayed all{std::vector<std::int32_t>(states.size(), -1), std::vector<std::int16_t>(states.size() * shape.roles(), -1),
                  std::vector<Bits>(states.size() * shape.legal_words()), std::vector<std::vector<std::uint32_t>>(states.size())};
    std::uint32_t started = 0, ended = 0;
    LeafResults results;
    while (ended < states.size()) {
        for (; started < states.size() && started - ended < most; ++started) {
            const std::vector<Bits> row = to_rows({states[started]});
            // Any phase is right; it only helps to keep those apart that differ in whose turn it is.
            playouts.begin(row.data(), started, started % 3, before.empty() ? before : before.subspan(started * shape.roles(), shape.roles()));
        }
        results.clear();
        playouts.play(enough, 7, results);
        for (std::size_t i = 0; i < results.tickets.size(); ++i, ++ended) {
            const std::uint32_t ticket = results.tickets[i];
            CHECK(all.lengths[ticket] == -1);
            all.lengths[ticket] = results.lengths[i];
            std::copy_n(results.goals.begin() + i * shape.roles(), shape.roles(), all.goals.begin() + ticket * shape.roles());
            if (!results.played.empty())
                std::copy_n(results.played.begin() + i * shape.legal_words(), shape.legal_words(),
                            all.played.begin() + ticket * shape.legal_words());
            if (results.history_ends.empty()) continue;
            const std::size_t begin = i ? results.history_ends[i - 1] : 0;
            all.histories[ticket].assign(results.history.begin() + static_cast<std::ptrdiff_t>(begin),
                                         results.history.begin() + static_cast<std::ptrdiff_t>(results.history_ends[i]));
        }
    }
    return all;
}

// Twenty moves of which a state says which are legal; the game ends after one, and the goal tells which it was.
constexpr std::uint32_t kMoves = 20;

Builder one_choice() {
    Builder builder(2 * kMoves, {kMoves});
    std::vector<Literal> made;
    for (std::uint32_t move = 0; move < kMoves; ++move) {
        builder.legal(0, move) = builder.fluent(move);
        builder.next(kMoves + move) = builder.move(0, move);
        made.push_back(builder.fluent(kMoves + move));
        builder.goal(0, static_cast<int>(move), made.back());
    }
    builder.terminal() = builder.any_of(made);
    return builder;
}

std::vector<State> random_choices(Generator& random, std::size_t count) {
    std::vector<State> states;
    while (states.size() < count) {
        State state = random_state(random, 2 * kMoves);
        std::fill(state.begin() + kMoves, state.end(), false);
        if (std::count(state.begin(), state.end(), true)) states.push_back(state);
    }
    return states;
}

}  // namespace

TEST("games from states of their own are as long as the definition says, and as often") {
    Generator random(21);
    for (int i = 0; i < 60; ++i) {
        const Circuit circuit = random_circuit(random);
        const std::uint32_t max_steps = 1 + below(random, 5);
        const std::vector<State> starts{random_state(random, circuit.fluents), random_state(random, circuit.fluents),
                                        random_state(random, circuit.fluents)};
        std::vector<State> states;
        for (int k = 0; k < 3000; ++k) states.push_back(starts[k % 3]);
        for (const Width& width : every_width(circuit)) {
            LeafSpec spec;
            spec.lanes = width.lanes;
            spec.seed = random();
            spec.max_steps = max_steps;
            const auto playouts = width.simulator->leaf_playouts(spec);
            const Shape& shape = width.simulator->shape();
            const AllPlayed all = play_all(*playouts, shape, states, 1 + below(random, 2 * width.lanes), 1 + below(random, 40));
            for (std::size_t start = 0; start < 3; ++start) {
                std::map<int, double> expected;
                for (const auto& [end, probability] : Naive(circuit).ends(starts[start], static_cast<int>(max_steps)))
                    expected[std::get<1>(end)] += 1000 * probability;
                std::vector<std::uint64_t> observed(expected.size());
                std::vector<double> awaited;
                for (const auto& [length, count] : expected) awaited.push_back(count);
                for (std::size_t k = start; k < states.size(); k += 3) {
                    const auto found = expected.find(all.lengths[k]);
                    CHECK(found != expected.end());
                    if (found != expected.end()) ++observed[std::distance(expected.begin(), found)];
                }
                CHECK(chi_squared(observed, awaited).is_plausible());
            }
        }
    }
}

TEST("without a preference every legal move is as likely as the others") {
    Generator random(22);
    const Builder builder = one_choice();
    const std::vector<State> starts = random_choices(random, 5);
    std::vector<State> states;
    for (int k = 0; k < 10'000; ++k) states.push_back(starts[k % starts.size()]);
    for (const Width& width : every_width(builder.circuit())) {
        LeafSpec spec;
        spec.lanes = width.lanes;
        spec.notes_moves = true;
        const auto playouts = width.simulator->leaf_playouts(spec);
        const AllPlayed all = play_all(*playouts, width.simulator->shape(), states, 300, 20);
        std::vector<std::vector<std::uint64_t>> counts(starts.size(), std::vector<std::uint64_t>(kMoves));
        for (std::size_t k = 0; k < states.size(); ++k) {
            CHECK(states[k][static_cast<std::size_t>(all.goals[k])]);
            CHECK(all.lengths[k] == 1);
            CHECK(all.played[k] == Bits{1} << all.goals[k]);
            ++counts[k % starts.size()][static_cast<std::size_t>(all.goals[k])];
        }
        for (std::size_t start = 0; start < starts.size(); ++start) {
            std::vector<std::uint64_t> legal;
            for (std::uint32_t move = 0; move < kMoves; ++move)
                if (starts[start][move]) legal.push_back(counts[start][move]);
            CHECK(uniformity(legal).is_plausible());
        }
    }
}

TEST("goals are those of the game that ended, also where another began and ended in its lane before they were asked for") {
    Generator random(25);
    Builder builder = one_choice();
    // With one legal move the goal is known beforehand.
    std::vector<State> states;
    for (int k = 0; k < 5'000; ++k) {
        State state(2 * kMoves);
        state[below(random, kMoves)] = true;
        states.push_back(state);
    }
    // Turns make games of one phase wait while those of another are played, so that lanes are used again within a call.
    builder.turns() = 3;
    for (const Width& width : every_width(builder.circuit())) {
        LeafSpec spec;
        spec.lanes = width.lanes;
        for (const std::uint32_t most : {width.lanes / 2, width.lanes, 3 * width.lanes}) {
            const auto playouts = width.simulator->leaf_playouts(spec);
            const AllPlayed all = play_all(*playouts, width.simulator->shape(), states, most, most);
            for (std::size_t k = 0; k < states.size(); ++k) CHECK(states[k][static_cast<std::size_t>(all.goals[k])]);
        }
    }
}

TEST("a greedy lane makes the first legal move of an order, and other lanes any") {
    Generator random(23);
    const Builder builder = one_choice();
    for (const Width& width : every_width(builder.circuit()))
        for (double greedy : {1.0, 0.75}) {
            const std::vector<State> states = random_choices(random, 4000);
            Preference preference;
            preference.orders = 1;
            preference.greedy = greedy;
            preference.order.resize(kMoves);
            std::iota(preference.order.begin(), preference.order.end(), 0);
            std::shuffle(preference.order.begin(), preference.order.end(), random);
            LeafSpec spec;
            spec.lanes = width.lanes;
            const auto playouts = width.simulator->leaf_playouts(spec);
            playouts->prefer(preference);
            const AllPlayed all = play_all(*playouts, width.simulator->shape(), states, 200, 1);
            double expected = 0;
            std::uint64_t first = 0;
            for (std::size_t k = 0; k < states.size(); ++k) {
                const auto best = std::find_if(preference.order.begin(), preference.order.end(),
                                               [&](std::uint32_t move) { return states[k][move]; });
                first += static_cast<std::uint32_t>(all.goals[k]) == *best;
                const auto legal = static_cast<double>(std::count(states[k].begin(), states[k].end(), true));
                expected += greedy + (1 - greedy) / legal;
                CHECK(states[k][static_cast<std::size_t>(all.goals[k])]);
            }
            if (greedy == 1) CHECK(first == states.size());
            const double all_of_them = static_cast<double>(states.size());
            CHECK(chi_squared({first, states.size() - first}, {expected, all_of_them - expected}).is_plausible());
        }
}

TEST("of several orders every lane takes one, each as often") {
    Generator random(24);
    const Builder builder = one_choice();
    // All moves are legal, and each order begins with another one.
    const std::vector<State> states(8000, [] {
        State state(2 * kMoves, false);
        std::fill(state.begin(), state.begin() + kMoves, true);
        return state;
    }());
    Preference preference;
    preference.orders = 4;
    preference.greedy = 1;
    for (std::uint32_t which = 0; which < 4; ++which)
        for (std::uint32_t i = 0; i < kMoves; ++i) preference.order.push_back((5 * which + i) % kMoves);
    for (const Width& width : every_width(builder.circuit())) {
        LeafSpec spec;
        spec.lanes = width.lanes;
        const auto playouts = width.simulator->leaf_playouts(spec);
        playouts->prefer(preference);
        const AllPlayed all = play_all(*playouts, width.simulator->shape(), states, 500, 10);
        std::vector<std::uint64_t> counts(4);
        for (std::int16_t goal : all.goals) {
            CHECK(goal % 5 == 0);
            ++counts[static_cast<std::size_t>(goal / 5)];
        }
        CHECK(uniformity(counts).is_plausible());
    }
}

TEST("a greedy lane makes the best legal reply to the move before, else the first legal move of an order") {
    Generator random(27);
    const Builder builder = one_choice();
    const std::vector<State> states = random_choices(random, 4000);
    // Some games begin without a move before, and some moves have fewer replies than others, or none.
    std::vector<std::uint32_t> before;
    for (std::size_t k = 0; k < states.size(); ++k) before.push_back(below(random, 5) ? below(random, kMoves) : kNoMove);
    Preference preference;
    preference.orders = 1;
    preference.greedy = 1;
    preference.replies = 3;
    for (std::uint32_t move = 0; move < kMoves; ++move) {
        preference.order.push_back((7 * move + 3) % kMoves);
        const std::uint32_t known = move % 4;
        for (std::uint32_t i = 0; i < 3; ++i) preference.reply.push_back(i < known ? below(random, kMoves) : kNoMove);
    }
    for (const Width& width : every_width(builder.circuit())) {
        LeafSpec spec;
        spec.lanes = width.lanes;
        spec.replies = true;
        const auto playouts = width.simulator->leaf_playouts(spec);
        playouts->prefer(preference);
        const AllPlayed all = play_all(*playouts, width.simulator->shape(), states, 200, 1, before);
        std::size_t noted = 0;
        for (std::size_t k = 0; k < states.size(); ++k) {
            std::vector<std::uint32_t> wanted;
            for (std::uint32_t i = 0; before[k] != kNoMove && i < 3; ++i)
                if (const std::uint32_t reply = preference.reply[3 * before[k] + i]; reply != kNoMove) wanted.push_back(reply);
            wanted.insert(wanted.end(), preference.order.begin(), preference.order.end());
            const auto best = std::find_if(wanted.begin(), wanted.end(), [&](std::uint32_t move) { return states[k][move]; });
            CHECK(static_cast<std::uint32_t>(all.goals[k]) == *best);
            if (all.histories[k].empty()) continue;
            CHECK(all.histories[k] == std::vector<std::uint32_t>{*best});
            ++noted;
        }
        // Those in the first column.
        CHECK(width.lanes == 64 ? noted == states.size() : noted > 0 && noted < states.size());
    }
}

TEST("what is dropped does not come back") {
    const Builder builder = one_choice();
    Generator random(25);
    const std::vector<State> states = random_choices(random, 100);
    for (const Width& width : every_width(builder.circuit())) {
        LeafSpec spec;
        spec.lanes = width.lanes;
        const auto playouts = width.simulator->leaf_playouts(spec);
        for (std::uint32_t k = 0; k < 50; ++k) playouts->begin(to_rows({states[k]}).data(), k, 0, {});
        LeafResults results;
        playouts->play(1, 1, results);
        playouts->forget();
        results.clear();
        for (std::uint32_t k = 50; k < 100; ++k) playouts->begin(to_rows({states[k]}).data(), k, 0, {});
        while (results.tickets.size() < 50) playouts->play(1, 10, results);
        std::sort(results.tickets.begin(), results.tickets.end());
        for (std::uint32_t k = 0; k < 50; ++k) CHECK(results.tickets[k] == 50 + k);
        results.clear();
        playouts->play(1, 10, results);
        CHECK(results.tickets.empty());
    }
}

namespace {

mcts::Options options_for(mcts::Policy policy, mcts::Choice choice) {
    mcts::Options options;
    options.policy = policy;
    options.choice = choice;
    return options;
}

}  // namespace

TEST("the orders of Gibbs' measure begin with each legal move as often as the measure says") {
    Shape shape;
    shape.moves = {4};
    shape.all_moves = 4;
    mcts::Options options = options_for(mcts::Policy::kMast, mcts::Choice::kGibbs);
    options.temperature = 0.5;
    mcts::Statistics statistics(shape, options);
    const float worth[4] = {0.1f, 0.9f, 0.5f, 0.4f};
    for (std::uint32_t move = 0; move < 4; ++move) {
        const Bits played = Bits{1} << move;
        statistics.add(&played, &worth[move]);
    }
    // The second, the third and the fourth are legal.
    double total = 0;
    std::vector<double> expected;
    for (int move = 1; move < 4; ++move) total += std::exp(worth[move] / 0.5);
    for (int move = 1; move < 4; ++move) expected.push_back(8000 * std::exp(worth[move] / 0.5) / total);
    std::vector<std::uint64_t> from_orders(3), from_choices(3);
    Preference preference;
    Random random(5);
    statistics.update(preference, random);
    const std::vector<std::uint32_t> legal{1, 2, 3};
    for (int i = 0; i < 8000; ++i) {
        statistics.update(preference, random);
        const std::uint32_t* order = preference.order.data() + std::size_t(i) % preference.orders * 4;
        ++from_orders[*std::find_if(order, order + 4, [](std::uint32_t move) { return move != 0; }) - 1];
        ++from_choices[statistics.choose(0, legal, {}, random)];
    }
    CHECK(chi_squared(from_orders, expected).is_plausible());
    CHECK(chi_squared(from_choices, expected).is_plausible());
}

TEST("sequences of moves count once they were seen often enough, and fade") {
    // One role, so that its own moves come before: after 0 it is 1 that wins, after 1 it is 0.
    Shape shape;
    shape.moves = {2};
    shape.all_moves = 2;
    mcts::Options options = options_for(mcts::Policy::kNst, mcts::Choice::kEpsilonGreedy);
    options.epsilon = 0;
    options.decay = 0.5;
    mcts::Statistics statistics(shape, options);
    Random random(6);
    const float win = 1, loss = 0;
    const auto play = [&](std::uint32_t first, std::uint32_t second) {
        const std::vector<std::uint32_t> moves{first, second};
        statistics.add(moves, first != second ? &win : &loss);
    };
    const std::vector<std::uint32_t> both{0, 1};
    const auto after = [&](std::uint32_t move) { return both[statistics.choose(0, both, {&move, nullptr}, random)]; };
    for (int i = 0; i < 7; ++i)
        for (std::uint32_t first : both)
            for (std::uint32_t second : both) play(first, second);
    // Alone, 0 is the better one.
    for (int i = 0; i < 10; ++i) statistics.add(std::vector<std::uint32_t>{0}, &win);
    CHECK(after(0) == 1);
    CHECK(after(1) == 0);
    // With half their weight the pairs were not seen seven times any more.
    statistics.decay();
    CHECK(after(0) == 0);
    CHECK(after(1) == 0);
}

TEST("replies are the moves that were better after a move than what is usual, the best first") {
    Shape shape;
    shape.moves = {3, 7};
    shape.all_moves = 10;
    mcts::Options options = options_for(mcts::Policy::kReplies, mcts::Choice::kEpsilonGreedy);
    mcts::Statistics statistics(shape, options);
    // After 0 of the first role the replies 0 to 6 of the second bring 0.0 to 0.6; after 1 it is the other way round.
    for (int times = 0; times < 20; ++times)
        for (std::uint32_t move : {0u, 1u})
            for (std::uint32_t reply = 0; reply < 7; ++reply) {
                const float values[2] = {0.5f, 0.1f * static_cast<float>(move == 0 ? reply : 6 - reply)};
                statistics.add(std::vector<std::uint32_t>{move, kNoMove, kNoMove, reply}, values);
            }
    // What was seen less than seven times does not count.
    const float most[2] = {0, 1};
    for (int times = 0; times < 3; ++times) statistics.add(std::vector<std::uint32_t>{2, kNoMove, kNoMove, 6}, most);
    Preference preference;
    Random random(8);
    for (int i = 0; i < 2; ++i) statistics.update(preference, random);
    const auto replies = [&](std::uint32_t move) {
        return std::vector<std::uint32_t>(preference.reply.begin() + move * preference.replies,
                                          preference.reply.begin() + (move + 1) * preference.replies);
    };
    CHECK(preference.replies == 4);
    CHECK(replies(0) == (std::vector<std::uint32_t>{6, 5, 4, kNoMove}));
    CHECK(replies(1) == (std::vector<std::uint32_t>{0, 1, 2, kNoMove}));
    // The second role's moves were answered by nothing that was noted.
    for (std::uint32_t move = 2; move < 10; ++move) CHECK(replies(move) == std::vector<std::uint32_t>(4, kNoMove));
}

TEST("stepped playouts are as long as the definition says, and as often") {
    Generator random(26);
    for (int i = 0; i < 30; ++i) {
        const Circuit circuit = random_circuit(random);
        const std::uint32_t max_steps = 1 + below(random, 5);
        const State start = random_state(random, circuit.fluents);
        const CircuitSimulator simulator(circuit);
        const mcts::Statistics statistics(simulator.shape(), {});
        LeafSpec spec;
        spec.seed = random();
        spec.max_steps = max_steps;
        mcts::SteppedPlayouts playouts(simulator, statistics, spec, false);
        const AllPlayed all = play_all(playouts, simulator.shape(), std::vector<State>(2000, start), 100, 10);
        std::map<int, double> expected;
        for (const auto& [end, probability] : Naive(circuit).ends(start, static_cast<int>(max_steps)))
            expected[std::get<1>(end)] += 2000 * probability;
        std::vector<std::uint64_t> observed;
        std::vector<double> awaited;
        for (const auto& [length, count] : expected) {
            awaited.push_back(count);
            observed.push_back(static_cast<std::uint64_t>(std::count(all.lengths.begin(), all.lengths.end(), length)));
        }
        CHECK(std::accumulate(observed.begin(), observed.end(), std::uint64_t{0}) == 2000);
        CHECK(chi_squared(observed, awaited).is_plausible());
    }
}

TEST("the last state of a game that was cut is told, however it is played") {
    // Seventy lights that move on by one; the game is over where the first three shine.
    constexpr std::uint32_t kLights = 70, kSteps = 9;
    Builder builder(kLights, {1, 1});
    for (std::uint32_t light = 0; light < kLights; ++light) builder.next(light) = builder.fluent((light + kLights - 1) % kLights);
    builder.terminal() = builder.all_of({builder.fluent(0), builder.fluent(1), builder.fluent(2)});
    Generator random(27);
    std::vector<State> states;
    for (int k = 0; k < 600; ++k) states.push_back(random_state(random, kLights));
    const auto check = [&](LeafPlayouts& playouts, const Shape& shape) {
        for (std::uint32_t k = 0; k < states.size(); ++k) playouts.begin(to_rows({states[k]}).data(), k, 0, {});
        LeafResults results;
        while (results.tickets.size() < states.size()) playouts.play(50, 4, results);
        std::size_t cut = 0;
        for (std::size_t i = 0; i < results.tickets.size(); ++i) {
            State state = states[results.tickets[i]];
            std::int32_t length = 0;
            for (; length < static_cast<std::int32_t>(kSteps) && !(state[0] && state[1] && state[2]); ++length)
                std::rotate(state.begin(), state.end() - 1, state.end());
            const bool is_over = state[0] && state[1] && state[2];
            CHECK(results.lengths[i] == length);
            CHECK((results.is_cut[i] != 0) == !is_over);
            if (is_over) continue;
            ++cut;
            const std::vector<Bits> row = to_rows({state});
            CHECK(std::equal(row.begin(), row.end(), results.ends.begin() + static_cast<std::ptrdiff_t>(i * shape.state_words())));
        }
        CHECK(cut > 0 && cut < states.size());
    };
    LeafSpec spec;
    spec.max_steps = kSteps;
    spec.notes_ends = true;
    for (const Width& width : every_width(builder.circuit())) {
        spec.lanes = width.lanes;
        check(*width.simulator->leaf_playouts(spec), width.simulator->shape());
        const mcts::Statistics statistics(width.simulator->shape(), {});
        mcts::SteppedPlayouts stepped(*width.simulator, statistics, spec, false);
        check(stepped, width.simulator->shape());
    }
}
