#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "search/mcts/search.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::evaluation;
using namespace ludorum::testing;
using namespace ludorum::mcts;

namespace {

const std::atomic<std::int32_t> kGoOn{0};

// Some number from 0 to 100 for every state and role.
float guess(const Bits* row, std::size_t words, std::size_t role) {
    std::uint64_t mixed = 0x9E3779B97F4A7C15ull * (role + 1);
    for (std::size_t word = 0; word < words; ++word) mixed = (mixed ^ row[word]) * 0xBF58476D1CE4E5B9ull;
    return static_cast<float>((mixed >> 33) % 101);
}

class Guesses final : public Evaluation {
public:
    void evaluate(const SeenStates& seen, double* values) const override {
        const std::size_t words = seen.shape.state_words(), roles = seen.shape.roles();
        for (std::size_t i = 0; i < seen.count; ++i)
            for (std::size_t role = 0; role < roles; ++role) values[i * roles + role] = guess(seen.states + i * words, words, role);
    }
};

bool can_be_searched(const Naive& naive, const Circuit& circuit, const State& state) {
    if (naive.is_terminal(state)) return false;
    const std::vector<bool> legal = naive.legal(state);
    std::size_t move = 0;
    for (std::uint32_t count : circuit.moves) {
        if (std::count(legal.begin() + static_cast<std::ptrdiff_t>(move), legal.begin() + static_cast<std::ptrdiff_t>(move + count), true) == 0)
            return false;
        move += count;
    }
    return true;
}

State random_state(Generator& random, std::uint32_t fluents) {
    State state(fluents);
    for (std::uint32_t fluent = 0; fluent < fluents; ++fluent) state[fluent] = random() & 1;
    return state;
}

std::map<std::uint32_t, std::uint64_t> visits_by_role(const Report& report) {
    std::map<std::uint32_t, std::uint64_t> visits;
    for (const MoveReport& move : report.moves) visits[move.role] += move.visits;
    return visits;
}

// Lights that are lit one after another, until all are. Whoever lights the first before the second has won.
constexpr std::uint32_t kRaceLights = 9;
Circuit race() {
    Builder builder(kRaceLights + 1, {kRaceLights});
    std::vector<Literal> lit;
    for (std::uint32_t light = 0; light < kRaceLights; ++light) {
        builder.next(light) = builder.any_of({builder.fluent(light), builder.move(0, light)});
        builder.legal(0, light) = negated(builder.fluent(light));
        lit.push_back(builder.fluent(light));
    }
    const Literal has_won = builder.fluent(kRaceLights);
    builder.next(kRaceLights) = builder.any_of({has_won, builder.all_of({builder.move(0, 0), negated(builder.fluent(1))})});
    builder.terminal() = builder.all_of(lit);
    builder.goal(0, 100, has_won);
    builder.goal(0, 0, negated(has_won));
    return builder.circuit();
}

}  // namespace

TEST("every playout is a visit of a move of every role that has a choice, whatever the options") {
    Generator random(41);
    const auto guesses = std::make_shared<Guesses>();
    int searched = 0;
    for (int i = 0; i < 300 && searched < 24; ++i) {
        const Circuit circuit = random_circuit(random);
        const Naive naive(circuit);
        const State state = random_state(random, circuit.fluents);
        if (!can_be_searched(naive, circuit, state)) continue;
        ++searched;
        const CircuitSimulator simulator(circuit);
        Options options;
        options.seed = random();
        options.proofs = false;
        options.max_steps = 20;
        options.threads = 1 + below(random, 3);
        options.lanes = 64;
        options.prior_visits = below(random, 2) * 3;
        if (below(random, 2)) options.cutoff = below(random, 4);
        options.rave = static_cast<Rave>(below(random, 3));
        options.policy = static_cast<Policy>(below(random, 3));
        options.memory = below(random, 2) ? std::uint64_t{1} << 14 : std::uint64_t{1} << 24;
        TreeSearch search(simulator, options, guesses);
        search.set_root(to_rows({state}).data(), false);
        search.think(100, 1e12, kGoOn);
        const Report report = search.report();
        // A game may come back to where it began, so that a playout is more than one visit.
        for (const auto& [role, visits] : visits_by_role(report)) CHECK(visits >= 100 && visits == report.visits);
        // On the way down the tree is tidied where its memory is short.
        for (const MoveReport& move : report.moves) CHECK(move.mean >= 0 && move.mean <= 1);
        if (report.variation.empty()) continue;
        std::vector<std::uint32_t> joint(report.variation.begin(), report.variation.begin() + circuit.roles());
        std::vector<Bits> next(simulator.shape().state_words());
        simulator.step(to_rows({state}).data(), 1, joint.data(), next.data());
        try {
            search.set_root(next.data(), true);
            search.think(50, 1e12, kGoOn);
        } catch (const std::invalid_argument&) {
            // There the game is over.
        }
    }
    CHECK(searched == 24);
}

TEST("before a move is tried it is worth what the evaluation says of its successor") {
    // The role sets a light or leaves it; nothing ends.
    constexpr std::uint32_t kLights = 5;
    Builder builder(kLights, {kLights});
    for (std::uint32_t light = 0; light < kLights; ++light) builder.next(light) = builder.any_of({builder.fluent(light), builder.move(0, light)});
    for (const Width& width : every_width(builder.circuit())) {
        Options options;
        options.prior_visits = 4;
        options.max_steps = 3;
        options.lanes = width.lanes;
        TreeSearch search(*width.simulator, options, std::make_shared<Guesses>());
        const Bits dark = 0;
        search.set_root(&dark, false);
        const Report report = search.report();
        CHECK(report.moves.size() == kLights);
        CHECK(report.visits == 0);
        for (const MoveReport& move : report.moves) {
            const Bits lit = Bits{1} << move.move;
            CHECK(move.visits == 0);
            CHECK(std::abs(100 * move.mean - guess(&lit, 1, 0)) < 1e-3);
        }
    }
}

TEST("a playout that is cut at once is worth what the evaluation says of its leaf") {
    constexpr std::uint32_t kLights = 5;
    Builder builder(kLights, {kLights});
    for (std::uint32_t light = 0; light < kLights; ++light) builder.next(light) = builder.any_of({builder.fluent(light), builder.move(0, light)});
    for (const Width& width : every_width(builder.circuit())) {
        Options options;
        options.cutoff = 0;
        options.in_flight = 1;
        options.lanes = width.lanes;
        TreeSearch search(*width.simulator, options, std::make_shared<Guesses>());
        const Bits dark = 0;
        search.set_root(&dark, false);
        search.think(kLights, 1e12, kGoOn);
        for (const MoveReport& move : search.report().moves) {
            const Bits lit = Bits{1} << move.move;
            CHECK(move.visits == 1);
            CHECK(std::abs(100 * move.mean - guess(&lit, 1, 0)) < 1e-3);
        }
    }
}

TEST("threads that share a tree lose nothing of what their playouts brought") {
    const Circuit circuit = race();
    const CircuitSimulator simulator(circuit);
    for (const bool has_proofs : {false, true})
        for (const Policy policy : {Policy::kUniform, Policy::kMast, Policy::kNst}) {
            Options options;
            options.threads = 4;
            options.lanes = 64;
            options.proofs = has_proofs;
            options.policy = policy;
            options.rave = policy == Policy::kMast ? Rave::kAlways : Rave::kNever;
            options.sufficiency = policy == Policy::kNst ? Sufficiency::kAdaptive : Sufficiency::kNever;
            TreeSearch search(simulator, options);
            const Bits dark = 0;
            search.set_root(&dark, false);
            constexpr std::uint64_t kPlayouts = 6000;
            search.think(kPlayouts, 1e12, kGoOn);
            const Report report = search.report();
            // What is proved ends the search early.
            CHECK(report.is_solved == has_proofs);
            CHECK(has_proofs || report.visits == kPlayouts);
            for (const auto& [role, visits] : visits_by_role(report)) CHECK(visits == report.visits);
            CHECK(report.moves.size() == kRaceLights);
            // After these two moves all that comes is worth the same.
            for (const MoveReport& move : report.moves) {
                if (move.move == 0 && move.visits) CHECK(move.mean == 1);
                if (move.move == 1) CHECK(move.mean == 0);
            }
        }
}

TEST("while threads think in the background others may ask what they found") {
    const Circuit circuit = race();
    const CircuitSimulator simulator(circuit);
    Options options;
    options.threads = 2;
    options.lanes = 64;
    options.proofs = false;
    TreeSearch search(simulator, options);
    const Bits dark = 0;
    search.set_root(&dark, false);
    search.begin();
    std::uint64_t before = 0;
    for (int i = 0; i < 20; ++i) {
        const std::uint64_t now = search.report().playouts;
        CHECK(now >= before);
        before = now;
    }
    search.halt();
    const Report report = search.report();
    CHECK(report.playouts >= before);
    for (const auto& [role, visits] : visits_by_role(report)) CHECK(visits == report.visits);
    search.begin();
    CHECK(search.is_thinking());
    search.tell_to_halt();
    while (search.is_thinking()) std::this_thread::yield();
    CHECK(search.report().playouts >= report.playouts);
}
