#include <algorithm>

#include "circuit/decisive.h"
#include "circuit/phases.h"
#include "engine/leaf_playouts.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/naive.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

// What may be made in a state by the definition, one bit a move; nothing if a goal that matters is not clear.
std::vector<bool> allowed(const Circuit& circuit, const State& state) {
    const Naive naive(circuit);
    std::vector<bool> kept = naive.legal(state);
    const std::vector<Joint> joints = naive.joint_moves(state);
    std::vector<std::uint32_t> counts;
    for (std::uint32_t role = 0, first = 0; role < circuit.roles(); first += circuit.moves[role++])
        counts.push_back(static_cast<std::uint32_t>(std::count(kept.begin() + first, kept.begin() + first + circuit.moves[role], true)));
    for (std::uint32_t role = 0, first = 0; role < circuit.roles(); first += circuit.moves[role++]) {
        int most = -1, least = 101;
        for (const Circuit::Goal& goal : circuit.goals)
            if (goal.role == role && goal.literal != kFalse) most = std::max<int>(most, goal.value), least = std::min<int>(least, goal.value);
        bool others_choose = false;
        for (std::uint32_t other = 0; other < circuit.roles(); ++other) others_choose |= other != role && counts[other] > 1;
        if (others_choose || most <= least) continue;
        std::vector<bool> wins(circuit.moves[role]), losses(circuit.moves[role]);
        for (const Joint& joint : joints) {
            const State after = naive.after(state, joint);
            if (!naive.is_terminal(after)) continue;
            const int goal = naive.goals(after)[role];
            if (goal < 0) return {};
            wins[joint[role]] = goal == most;
            losses[joint[role]] = goal == least;
        }
        const bool can_win = std::count(wins.begin(), wins.end(), true) > 0;
        const bool must_lose = std::count(losses.begin(), losses.end(), true) == counts[role];
        for (std::uint32_t move = 0; move < circuit.moves[role]; ++move)
            kept[first + move] = kept[first + move] && (can_win ? wins[move] : must_lose || !losses[move]);
    }
    return kept;
}

std::vector<State> states_in(const Circuit& circuit, std::size_t phase, Generator& random) {
    std::vector<State> found;
    for (int i = 0; i < 200; ++i) {
        State state(circuit.fluents);
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) state[fluent] = random() & 1;
        if (!circuit.phases.empty())
            for (Literal literal : circuit.phases[phase]) state[wire_of(literal) - 1] = !is_negated(literal);
        const Naive naive(circuit);
        if (!naive.is_terminal(state) && !naive.joint_moves(state).empty()) found.push_back(state);
    }
    return found;
}

// Says in how many states something was decided.
int agrees_with_the_definition(const Circuit& here, const Circuit& whole, const std::vector<State>& states) {
    const Decisive made = decisive(here, whole);
    made.circuit.check();
    if (made.moves == 0) return 0;
    int decided = 0;
    std::vector<bool> ever(whole.all_moves()), as_allowed(whole.all_moves(), true), as_legal(whole.all_moves(), true);
    for (const State& state : states) {
        const std::vector<bool> expected = allowed(whole, state);
        if (expected.empty()) continue;
        const std::vector<bool> found = Naive(made.circuit).legal(state), legal = Naive(whole).legal(state);
        decided += expected != legal;
        for (std::size_t move = 0; move < expected.size(); ++move) {
            ever[move] = ever[move] || expected[move];
            as_allowed[move] = as_allowed[move] && found[move] == expected[move];
            as_legal[move] = as_legal[move] && found[move] == legal[move];
        }
    }
    // A move that can never be kept may stay.
    for (std::size_t move = 0; move < ever.size(); ++move) CHECK(as_allowed[move] || (!ever[move] && as_legal[move]));
    return decided;
}

// A player takes one to three of a heap of matches; who takes the last wins, or loses.
Circuit heap(bool last_wins) {
    constexpr std::uint32_t kMatches = 7;
    Builder builder(2 + kMatches + 1, {4, 4});
    builder.ring({0, 1});
    std::vector<std::vector<Literal>> reached(kMatches + 1);
    for (std::uint32_t role = 0; role < 2; ++role) {
        for (std::uint32_t taken = 1; taken <= 3; ++taken) {
            std::vector<Literal> enough;
            for (std::uint32_t left = taken; left <= kMatches; ++left) {
                enough.push_back(builder.fluent(2 + left));
                reached[left - taken].push_back(builder.all_of({builder.move(role, taken - 1), builder.fluent(2 + left)}));
            }
            builder.legal(role, taken - 1) = builder.all_of({builder.fluent(role), builder.any_of(enough)});
        }
        builder.legal(role, 3) = negated(builder.fluent(role));
    }
    for (std::uint32_t left = 0; left < kMatches; ++left) builder.next(2 + left) = builder.any_of(reached[left]);
    builder.terminal() = builder.fluent(2);
    for (std::uint32_t role = 0; role < 2; ++role) {
        // Whose turn it is when none is left did not take the last.
        const Literal wins = builder.fluent(last_wins ? 1 - role : role);
        builder.goal(role, 100, wins);
        builder.goal(role, 0, negated(wins));
    }
    return builder.circuit();
}

// Two players in turn, or whoever a fluent says, change a few fluents as chance has it, without recursion; three goals.
Circuit random_duel(Generator& random, bool in_turn) {
    constexpr std::uint32_t kFluents = 9, kMoves = 4;
    Builder builder(kFluents, {kMoves, kMoves});
    if (in_turn) builder.ring({0, 1});
    std::vector<Literal> of_state, of_all;
    for (std::uint32_t fluent = 2; fluent < kFluents; ++fluent) of_state.push_back(builder.fluent(fluent));
    const auto any_literal = [&](const std::vector<Literal>& from) {
        return from[below(random, static_cast<std::uint32_t>(from.size()))] ^ static_cast<Literal>(random() & 1);
    };
    const auto grow = [&](std::vector<Literal>& from, int gates) {
        for (int i = 0; i < gates; ++i) {
            std::vector<Literal> inputs{any_literal(from), any_literal(from)};
            if (random() & 1) inputs.push_back(any_literal(from));
            from.push_back(random() & 1 ? builder.all_of(inputs) : builder.any_of(inputs));
        }
    };
    grow(of_state, 8);
    of_all = of_state;
    for (std::uint32_t role = 0; role < 2; ++role) {
        const Literal turn = in_turn ? builder.fluent(role) : role == 0 ? builder.fluent(0) : negated(builder.fluent(0));
        for (std::uint32_t move = 0; move + 1 < kMoves; ++move) {
            builder.legal(role, move) = move ? builder.all_of({turn, any_literal(of_state)}) : turn;
            of_all.push_back(builder.move(role, move));
            of_all.push_back(builder.all_of({builder.move(role, move), any_literal(of_state)}));
        }
        builder.legal(role, kMoves - 1) = negated(turn);
    }
    grow(of_all, 12);
    for (std::uint32_t fluent = in_turn ? 2 : 0; fluent < kFluents; ++fluent)
        builder.next(fluent) = random() % 3 ? any_literal(of_all) : builder.fluent(fluent);
    builder.terminal() = any_literal(of_state);
    for (std::uint32_t role = 0; role < 2; ++role) {
        const Literal high = any_literal(of_state), low = any_literal(of_state);
        builder.goal(role, 100, high);
        builder.goal(role, 50, builder.all_of({negated(high), negated(low)}));
        builder.goal(role, 0, builder.all_of({negated(high), low}));
    }
    return builder.circuit();
}

}  // namespace

TEST("who can take the last match does, and nobody takes it who would lose by it") {
    for (const bool last_wins : {true, false}) {
        const Circuit circuit = heap(last_wins);
        for (std::size_t phase = 0; phase < 2; ++phase) {
            const Decisive made = decisive(in_phase(circuit, phase), circuit);
            CHECK(made.moves == 3);
            for (std::uint32_t left = 1; left <= 7; ++left) {
                State state(circuit.fluents);
                state[phase] = state[2 + left] = true;
                const std::vector<bool> legal = Naive(made.circuit).legal(state);
                for (std::uint32_t taken = 1; taken <= 3; ++taken) {
                    const bool is_kept = last_wins ? (left <= 3 ? taken == left : taken <= left)
                                                   : left == 1 ? taken == 1 : taken < left;
                    CHECK(legal[4 * phase + taken - 1] == is_kept);
                }
            }
        }
    }
}

TEST("what is legal in random circuits is restricted as the definition says") {
    Generator random(41);
    int decided = 0, in_phases = 0;
    for (int i = 0; i < 400; ++i) {
        const Circuit circuit = random_duel(random, i % 2);
        circuit.check();
        decided += agrees_with_the_definition(circuit, circuit, states_in(circuit, 0, random));
        for (std::size_t phase = 0; phase < circuit.phases.size(); ++phase)
            in_phases += agrees_with_the_definition(in_phase(circuit, phase), circuit, states_in(circuit, phase, random));
    }
    CHECK(decided > 500);
    CHECK(in_phases > 500);
}

TEST("circuits of every kind keep their moves or have fewer, and some for every role") {
    Generator random(42);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_ring(random, Ring::kAny);
        const Decisive made = decisive(circuit, circuit);
        made.circuit.check();
        for (const State& state : states_in(circuit, below(random, static_cast<std::uint32_t>(circuit.phases.size())), random)) {
            const std::vector<bool> before = Naive(circuit).legal(state), after = Naive(made.circuit).legal(state);
            for (std::uint32_t role = 0, first = 0; role < circuit.roles(); first += circuit.moves[role++]) {
                bool has_some = false;
                for (std::uint32_t move = first; move < first + circuit.moves[role]; ++move) {
                    CHECK(before[move] || !after[move]);
                    has_some |= after[move];
                }
                CHECK(has_some);
            }
        }
    }
}

TEST("decisive playouts from a state that can be won at once are won in one step") {
    const Circuit circuit = heap(true);
    for (const Width& width : every_width(circuit)) {
        CHECK(width.simulator->decisive_moves() == 6);
        LeafSpec spec;
        spec.lanes = width.lanes;
        spec.decisive = true;
        const auto playouts = width.simulator->leaf_playouts(spec);
        State state(circuit.fluents);
        state[0] = state[2 + 3] = true;
        for (std::uint32_t ticket = 0; ticket < 100; ++ticket) playouts->begin(to_rows({state}).data(), ticket, 0, {});
        LeafResults results;
        playouts->play(100, 1000, results);
        CHECK(results.tickets.size() == 100);
        for (std::size_t k = 0; k < results.tickets.size(); ++k)
            CHECK(results.lengths[k] == 1 && results.goals[2 * k] == 100 && results.goals[2 * k + 1] == 0);
    }
}
