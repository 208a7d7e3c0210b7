#include <algorithm>
#include <map>
#include <utility>

#include "circuit/phases.h"
#include "engine/leaf_playouts.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/chi_squared.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

// Any state in this phase.
State state_in(Generator& random, const Circuit& circuit, std::size_t phase) {
    State state(circuit.fluents);
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) state[fluent] = random() & 1;
    for (Literal literal : circuit.phases[phase]) state[wire_of(literal) - 1] = !is_negated(literal);
    return state;
}

// The same game without what is known of its phases.
Circuit forgetting(Circuit circuit) {
    circuit.phases.clear();
    return circuit;
}

// Two players take turns with moves of their own; a counter ends the game. The first fluents tell whose turn it is.
Builder turns(std::uint32_t steps) {
    Builder builder(2 + steps + 1, {3, 3});
    builder.ring({0, 1});
    for (std::uint32_t role = 0; role < 2; ++role) {
        builder.legal(role, 0) = builder.legal(role, 1) = builder.fluent(role);
        builder.legal(role, 2) = negated(builder.fluent(role));
    }
    for (std::uint32_t i = 3; i < 2 + steps; ++i) builder.next(i) = builder.fluent(i - 1);
    builder.next(2 + steps) = builder.any_of({builder.move(0, 0), builder.move(1, 0)});
    builder.terminal() = builder.fluent(1 + steps);
    builder.goal(0, 100, builder.fluent(2 + steps));
    builder.goal(0, 0, negated(builder.fluent(2 + steps)));
    return builder;
}

// What a simulator answers about states, against the definition.
void answers_like_the_definition(const Circuit& circuit, const std::vector<State>& states, Generator& random) {
    const Naive naive(circuit);
    std::vector<State> going;
    std::vector<Joint> moves;
    for (const State& state : states)
        if (const auto joint = naive.joint_moves(state); !joint.empty()) {
            going.push_back(state);
            moves.push_back(joint[below(random, static_cast<std::uint32_t>(joint.size()))]);
        }
    std::vector<std::uint32_t> joint, parents;
    for (const Joint& move : moves) joint.insert(joint.end(), move.begin(), move.end());
    // In another order than the states are in.
    for (std::uint32_t i = 0; i < going.size(); ++i) parents.push_back(static_cast<std::uint32_t>(going.size()) - 1 - i);
    std::vector<std::uint32_t> turned;
    for (std::uint32_t parent : parents)
        turned.insert(turned.end(), joint.begin() + parent * circuit.roles(), joint.begin() + (parent + 1) * circuit.roles());
    const std::vector<Bits> rows = to_rows(states), going_rows = to_rows(going);
    for (const Width& width : every_width(circuit)) {
        const Shape& shape = width.simulator->shape();
        std::vector<std::uint8_t> terminal(states.size());
        std::vector<Bits> legal(states.size() * shape.legal_words());
        width.simulator->terminal_and_legal(rows.data(), states.size(), terminal.data(), legal.data());
        for (std::size_t i = 0; i < states.size(); ++i) {
            CHECK((terminal[i] != 0) == naive.is_terminal(states[i]));
            const std::vector<bool> expected = naive.legal(states[i]);
            for (std::size_t move = 0; move < expected.size(); ++move)
                CHECK(bit(legal.data() + i * shape.legal_words(), move) == expected[move]);
        }
        std::vector<Bits> after(going.size() * shape.state_words());
        width.simulator->step(going_rows.data(), going.size(), joint.data(), after.data());
        for (std::size_t i = 0; i < going.size(); ++i) {
            const State expected = naive.after(going[i], moves[i]);
            for (std::size_t fluent = 0; fluent < expected.size(); ++fluent)
                CHECK(bit(after.data() + i * shape.state_words(), fluent) == expected[fluent]);
        }
        std::vector<Bits> found(after.size()), found_legal(going.size() * shape.legal_words());
        std::vector<std::uint8_t> over(going.size());
        std::vector<std::int16_t> payoffs(going.size() * circuit.roles());
        width.simulator->expand(going_rows.data(), parents.data(), going.size(), turned.data(), false,
                                {found.data(), over.data(), found_legal.data(), payoffs.data()});
        for (std::size_t i = 0; i < going.size(); ++i) {
            const State expected = naive.after(going[parents[i]], moves[parents[i]]);
            for (std::size_t fluent = 0; fluent < expected.size(); ++fluent)
                CHECK(bit(found.data() + i * shape.state_words(), fluent) == expected[fluent]);
            const std::vector<bool> able = naive.legal(expected);
            for (std::size_t move = 0; move < able.size(); ++move)
                CHECK(bit(found_legal.data() + i * shape.legal_words(), move) == able[move]);
            CHECK((over[i] != 0) == (naive.is_terminal(expected) || naive.joint_moves(expected).empty()));
        }
    }
}

}  // namespace

TEST("in a phase the moves of others are gone, and what they would change") {
    const Circuit circuit = turns(5).circuit();
    const CircuitSimulator simulator(circuit);
    const Program& program = simulator.program();
    const auto inputs = [](const Steps& steps) { return steps.terminal.inputs + steps.legal.inputs + steps.next.inputs; };
    CHECK(program.phases.size() == 2);
    for (std::size_t phase = 0; phase < 2; ++phase) {
        const Circuit here = in_phase(circuit, phase);
        here.check();
        const std::size_t own = 3 * phase, other = 3 - own;
        CHECK(here.legal[own] == kTrue && here.legal[own + 1] == kTrue && here.legal[own + 2] == kFalse);
        CHECK(here.legal[other] == kFalse && here.legal[other + 1] == kFalse && here.legal[other + 2] == kTrue);
        CHECK(here.next[phase] == kFalse && here.next[1 - phase] == kTrue);
        // The last fluent is set by the first move of whoever moves, and by nothing else.
        CHECK(here.next.back() == positive(circuit.first_move() + static_cast<Wire>(own)));
        CHECK(inputs(program.phases[phase]) < inputs(program.any));
    }
}

TEST("phases that do not follow one another are refused") {
    Builder builder = turns(5);
    // After a move the other one's turn may be left out.
    builder.next(1) = builder.all_of({builder.fluent(0), builder.move(0, 0)});
    CHECK_THROWS(std::invalid_argument, "a phase that does not lead to the next", CircuitSimulator(builder.circuit()));
}

TEST("a phase that nobody can leave may be followed by any") {
    // In the first phase the first player can move only if a fluent holds and does not, which is seen once it is known
    // whose turn it is; the turn is passed by that move.
    Builder builder(4, {1, 2});
    builder.ring({0, 1});
    const Literal holds = builder.all_of({builder.fluent(0), builder.fluent(2)});
    const Literal fails = builder.all_of({builder.fluent(0), negated(builder.fluent(2))});
    builder.legal(0, 0) = builder.any_of({builder.fluent(1), builder.all_of({holds, fails})});
    builder.next(1) = builder.all_of({builder.fluent(0), builder.move(0, 0)});
    builder.next(2) = builder.move(1, 0);
    builder.terminal() = builder.fluent(3);
    const Circuit& circuit = builder.circuit();
    Generator random(36);
    const State first = state_in(random, circuit, 0), second = state_in(random, circuit, 1);
    CHECK(find_phases(circuit, second, 8) == (std::vector{circuit.phases[1], circuit.phases[0]}));
    answers_like_the_definition(circuit, {first, first, second}, random);
    answers_like_the_definition(circuit, {second, second}, random);
    for (const Width& width : every_width(circuit)) {
        State here = second;
        here[3] = false;
        const Played played = play(width, here, 100, 1);
        CHECK(played.outcomes == std::vector<std::uint8_t>(100, kStuck));
        CHECK(played.lengths == std::vector<std::int32_t>(100, 1));
    }
}

TEST("what goes round is found, from whichever phase it begins") {
    Generator random(35);
    for (int i = 0; i < 200; ++i) {
        Circuit circuit = random_ring(random, Ring::kAny);
        const auto ring = circuit.phases;
        const std::size_t first = below(random, static_cast<std::uint32_t>(ring.size()));
        circuit.phases = find_phases(circuit, state_in(random, circuit, first), 6);
        circuit.turns = static_cast<std::uint32_t>(circuit.phases.size());
        circuit.check();
        // There may be more that goes round, but that is there, and every phase leads to the next.
        for (std::size_t phase = 0; phase < circuit.phases.size(); ++phase) {
            in_phase(circuit, phase);
            for (Literal literal : ring[(first + phase) % ring.size()])
                CHECK(std::count(circuit.phases[phase].begin(), circuit.phases[phase].end(), literal) == 1);
        }
        CHECK(circuit.phases.size() % ring.size() == 0 && !circuit.phases.empty());
    }
    CHECK(find_phases(turns(5).circuit(), State(8), 6).empty());
    Builder slow(7, {1});
    slow.ring({0, 1, 2, 3, 4, 5, 6});
    CHECK(find_phases(slow.circuit(), state_in(random, slow.circuit(), 0), 6).empty());
    CHECK(find_phases(slow.circuit(), state_in(random, slow.circuit(), 0), 7).size() == 7);
}

TEST("a phase is told by its fluents, in whichever words they are") {
    Builder builder(130, {1});
    builder.ring({129, 3, 70});
    const TurnCycle turn_cycle(builder.circuit());
    CHECK(turn_cycle.phases() == 3);
    Generator random(1);
    for (std::uint32_t phase = 0; phase < 3; ++phase) {
        State state = state_in(random, builder.circuit(), phase);
        CHECK(turn_cycle.phase_of(to_rows({state}).data()) == phase);
        CHECK(turn_cycle.after(phase) == (phase + 1) % 3);
        state[3].flip();
        CHECK(turn_cycle.phase_of(to_rows({state}).data()) == TurnCycle::kNone);
    }
    CHECK(TurnCycle(Builder(3, {1}).circuit()).phase_of(to_rows({State(3)}).data()) == TurnCycle::kNone);
}

TEST("states in one phase, in several and in none are answered by the definition") {
    Generator random(31);
    for (int i = 0; i < 150; ++i) {
        const Circuit circuit = random_ring(random, Ring::kAny);
        circuit.check();
        std::vector<State> together, mixed;
        const std::size_t phase = below(random, static_cast<std::uint32_t>(circuit.phases.size()));
        for (int k = 0; k < 70; ++k) {
            together.push_back(state_in(random, circuit, phase));
            mixed.push_back(state_in(random, circuit, below(random, static_cast<std::uint32_t>(circuit.phases.size()))));
            if (k % 9 == 0) mixed.back()[wire_of(circuit.phases[0][0]) - 1].flip();
        }
        answers_like_the_definition(circuit, together, random);
        answers_like_the_definition(circuit, mixed, random);
    }
}

TEST("playouts by phases end as the definition says, and as often") {
    Generator random(32);
    for (int i = 0; i < 150; ++i) {
        const Circuit circuit = random_ring(random, Ring::kAny);
        const State state = state_in(random, circuit, below(random, static_cast<std::uint32_t>(circuit.phases.size())));
        const int max_steps = 1 + static_cast<int>(below(random, 5));
        const auto possible = Naive(circuit).ends(state, max_steps);
        std::vector<double> expected;
        for (const auto& [end, probability] : possible) expected.push_back(4000 * probability);
        const auto widths = every_width(circuit);
        const Played played = play(widths.back(), state, 4000, random(), max_steps);
        std::vector<std::uint64_t> counts(possible.size(), 0);
        for (std::size_t k = 0; k < played.lengths.size(); ++k) {
            const auto goals = played.goals.begin() + static_cast<std::ptrdiff_t>(k * circuit.roles());
            const auto found = possible.find({played.outcomes[k], played.lengths[k], {goals, goals + circuit.roles()}});
            CHECK(found != possible.end());
            if (found != possible.end()) ++counts[static_cast<std::size_t>(std::distance(possible.begin(), found))];
        }
        CHECK(chi_squared(counts, expected).is_plausible());
    }
}

TEST("the same seed gives the same playouts whether phases are known or not") {
    Generator random(33);
    for (int i = 0; i < 150; ++i) {
        const Circuit circuit = random_ring(random, Ring::kNeverStuck);
        const State state = state_in(random, circuit, below(random, static_cast<std::uint32_t>(circuit.phases.size())));
        const std::uint64_t seed = random(), playouts = 1 + below(random, 2000);
        const auto knowing = every_width(circuit), others = every_width(forgetting(circuit));
        for (std::size_t k = 0; k < knowing.size(); ++k)
            CHECK(play(knowing[k], state, playouts, seed, 20) == play(others[k], state, playouts, seed, 20));
    }
}

TEST("games from states of their own are the same whether phases are known or not") {
    Generator random(34);
    for (int i = 0; i < 60; ++i) {
        // Where two choose at once, what is drawn for them depends on what is left in lanes without a game.
        const Circuit circuit = random_ring(random, Ring::kOneChooses), other = forgetting(circuit);
        std::vector<std::pair<std::vector<Bits>, std::uint32_t>> leaves;
        for (int k = 0; k < 300; ++k) {
            const std::uint32_t phase = below(random, static_cast<std::uint32_t>(circuit.phases.size()));
            leaves.emplace_back(to_rows({state_in(random, circuit, phase)}), phase);
        }
        Preference preference;
        preference.orders = i % 2 ? 2 : 0;
        preference.greedy = 0.5;
        for (std::uint32_t order = 0; order < preference.orders; ++order)
            for (std::uint32_t moves : circuit.moves) {
                std::vector<std::uint32_t> numbers(moves);
                for (std::uint32_t move = 0; move < moves; ++move) numbers[move] = move;
                std::shuffle(numbers.begin(), numbers.end(), random);
                preference.order.insert(preference.order.end(), numbers.begin(), numbers.end());
            }
        LeafSpec spec;
        spec.seed = random();
        spec.max_steps = 12;
        spec.notes_moves = spec.notes_ends = true;
        const auto played = [&](const Width& width) {
            spec.lanes = width.lanes;
            const auto playouts = width.simulator->leaf_playouts(spec);
            playouts->prefer(preference);
            for (std::uint32_t ticket = 0; ticket < leaves.size(); ++ticket)
                playouts->begin(leaves[ticket].first.data(), ticket, leaves[ticket].second, {});
            LeafResults results;
            while (results.tickets.size() < leaves.size()) playouts->play(10, 3, results);
            return results;
        };
        const auto knowing = every_width(circuit), others = every_width(other);
        for (std::size_t k = 0; k < knowing.size(); ++k) {
            const LeafResults one = played(knowing[k]), two = played(others[k]);
            CHECK(one.tickets == two.tickets);
            CHECK(one.lengths == two.lengths);
            CHECK(one.goals == two.goals);
            CHECK(one.played == two.played);
            CHECK(one.ends == two.ends);
        }
    }
}

TEST("moves that are made in several phases are forgotten in each") {
    // In the first phase the moves of one group are legal, in the second those of the other; nobody ever makes two.
    Builder builder(4, {20});
    builder.ring({0, 1});
    builder.next(2) = builder.fluent(0);
    std::vector<Literal> low, high;
    for (std::uint32_t move = 0; move < 20; ++move) {
        (move < 15 ? low : high).push_back(builder.move(0, move));
        builder.legal(0, move) = move < 15 ? negated(builder.fluent(2)) : builder.fluent(2);
    }
    builder.next(3) = builder.any_of({builder.fluent(3), builder.all_of({builder.any_of(low), builder.any_of(high)})});
    builder.goal(0, 100, negated(builder.fluent(3)));
    builder.goal(0, 0, builder.fluent(3));
    State state(4);
    state[0] = true;
    const std::uint32_t games = 100;
    for (const Width& width : every_width(builder.circuit())) {
        CHECK(play(width, state, games, 1, 6).goals == std::vector<std::int16_t>(games, 100));
        LeafSpec spec;
        spec.lanes = width.lanes;
        spec.max_steps = 6;
        const auto playouts = width.simulator->leaf_playouts(spec);
        for (std::uint32_t ticket = 0; ticket < games; ++ticket) playouts->begin(to_rows({state}).data(), ticket, 0, {});
        LeafResults results;
        while (results.tickets.size() < games) playouts->play(games, 100, results);
        CHECK(results.goals == std::vector<std::int16_t>(games, 100));
    }
}

TEST("what others did in the lanes before is not taken for a move of a phase") {
    // In the second phase a move may be made if a fluent holds, which it never does in the games that are played.
    Builder builder(4, {2, 17});
    builder.ring({0, 1});
    builder.next(2) = builder.fluent(2);
    for (std::uint32_t move = 1; move < 17; ++move) builder.legal(1, move) = builder.all_of({builder.fluent(1), builder.fluent(2)});
    builder.next(3) = builder.any_of({builder.fluent(3), builder.move(1, 16)});
    builder.goal(0, 100, negated(builder.fluent(3)));
    builder.goal(0, 0, builder.fluent(3));
    State state(4), other(4);
    state[1] = true;
    other[1] = other[2] = true;
    for (const Width& width : every_width(builder.circuit())) {
        CHECK(play(width, state, 100, 1, 4).goals[0] == 100);
        const std::vector<Bits> rows = to_rows(std::vector<State>(width.lanes, other));
        std::vector<std::uint32_t> joint;
        for (std::uint32_t i = 0; i < width.lanes; ++i) joint.insert(joint.end(), {0, 16});
        std::vector<Bits> after(rows.size());
        width.simulator->step(rows.data(), width.lanes, joint.data(), after.data());
        const Played played = play(width, state, 100, 1, 4);
        for (std::size_t i = 0; i < 100; ++i) CHECK(played.goals[2 * i] == 100);
    }
}

TEST("a lane that begins anew knows nothing of the game before, in its phase") {
    // What ends the game would set the last fluent, so that nobody ever sees it set. In the first phase both are one gate.
    Builder builder(5, {2});
    builder.ring({0, 1});
    builder.next(2) = builder.any_of({builder.fluent(2), builder.move(0, 0)});
    builder.next(3) = kTrue;
    builder.terminal() = builder.all_of({builder.fluent(2), builder.fluent(3), builder.fluent(0)});
    builder.next(4) = builder.any_of({builder.fluent(4), builder.all_of({builder.fluent(0), builder.fluent(2), builder.fluent(3)})});
    builder.goal(0, 100, negated(builder.fluent(4)));
    builder.goal(0, 0, builder.fluent(4));
    State state(5);
    state[0] = true;
    for (const Width& width : every_width(builder.circuit()))
        CHECK(play(width, state, 2000, 1).goals == std::vector<std::int16_t>(2000, 100));
}

TEST("in every phase a greedy lane makes the first legal move of its role's order") {
    const Circuit circuit = turns(5).circuit();
    Preference preference;
    preference.orders = 1;
    preference.greedy = 1;
    // The last of them is only legal for whoever waits: the first player makes the second move, the second the first.
    preference.order = {2, 1, 0, 2, 0, 1};
    for (const Width& width : every_width(circuit)) {
        LeafSpec spec;
        spec.lanes = width.lanes;
        spec.notes_moves = true;
        const auto playouts = width.simulator->leaf_playouts(spec);
        playouts->prefer(preference);
        State first(circuit.fluents), second(circuit.fluents);
        first[0] = first[2] = second[1] = second[2] = true;
        for (std::uint32_t ticket = 0; ticket < 200; ++ticket)
            playouts->begin(to_rows({ticket % 2 ? second : first}).data(), ticket, ticket, {});
        LeafResults results;
        while (results.tickets.size() < 200) playouts->play(200, 100, results);
        for (std::size_t i = 0; i < 200; ++i) {
            CHECK(results.played[i] == 0b101'110);
            // Four moves lead to the end, so whoever begins does not make the last one.
            CHECK(results.goals[2 * i] == (results.tickets[i] % 2 ? 0 : 100));
        }
    }
}

TEST("games from any states, in phases or not, are as long as the definition says and note the moves that were made") {
    Generator random(37);
    for (int i = 0; i < 60; ++i) {
        const Circuit circuit = random_ring(random, Ring::kAny);
        const Naive naive(circuit);
        const std::uint32_t max_steps = below(random, 6);
        std::vector<State> states;
        for (std::uint32_t k = 0; k < 8; ++k)
            states.push_back(state_in(random, circuit, below(random, static_cast<std::uint32_t>(circuit.phases.size()))));
        // Half of the time one that is in no phase comes last, while the others are played.
        if (i % 2) states.back()[wire_of(circuit.phases[0][0]) - 1].flip();
        std::vector<std::map<std::pair<int, bool>, double>> possible;
        for (const State& state : states)
            for (auto& ends = possible.emplace_back(); const auto& [end, probability] : naive.ends(state, static_cast<int>(max_steps)))
                ends[{std::get<1>(end), std::get<0>(end) == kCut}] += probability;
        LeafSpec spec;
        spec.seed = random();
        spec.max_steps = max_steps;
        spec.notes_moves = true;
        for (const Width& width : every_width(circuit)) {
            spec.lanes = width.lanes;
            const auto playouts = width.simulator->leaf_playouts(spec);
            LeafResults results;
            const std::uint32_t games = 700;
            for (std::uint32_t ticket = 0; ticket < games; ++ticket) {
                const std::size_t which = ticket < 600 ? ticket % 7 : 7;
                playouts->begin(to_rows({states[which]}).data(), ticket, ticket, {});
                if (ticket % 90 == 0) playouts->play(20, 3, results);
            }
            while (results.tickets.size() < games) playouts->play(games, 100, results);
            const std::size_t words = width.simulator->shape().legal_words();
            std::vector<std::map<std::pair<int, bool>, std::uint64_t>> found(8);
            for (std::size_t k = 0; k < games; ++k) {
                const std::size_t which = results.tickets[k] < 600 ? results.tickets[k] % 7 : 7;
                ++found[which][{results.lengths[k], results.is_cut[k] != 0}];
                // Every role has made a move in every step, and none where there was none.
                std::uint32_t move = 0;
                for (std::uint32_t moves : circuit.moves) {
                    int made = 0;
                    for (const std::uint32_t end = move + moves; move < end; ++move) made += bit(results.played.data() + k * words, move);
                    CHECK(made <= results.lengths[k] && (made > 0) == (results.lengths[k] > 0));
                }
            }
            for (std::size_t which = 0; which < 8; ++which) {
                std::uint64_t all = 0;
                for (const auto& [end, count] : found[which]) {
                    all += count;
                    CHECK(possible[which].contains(end));
                }
                std::vector<std::uint64_t> counts;
                std::vector<double> expected;
                for (const auto& [end, probability] : possible[which]) {
                    counts.push_back(found[which][end]);
                    expected.push_back(static_cast<double>(all) * probability);
                }
                CHECK(chi_squared(counts, expected).is_plausible());
            }
        }
    }
}

TEST("a state that is in no phase is played by the rules, and so are those beside it") {
    // Without a turn nobody's own moves are legal: both can only pass, and the first goal is never reached.
    const std::uint32_t steps = 6;
    const Circuit circuit = turns(steps).circuit();
    State first(circuit.fluents), second(circuit.fluents), odd(circuit.fluents);
    first[0] = first[2] = true;
    second[1] = second[3] = true;
    odd[2] = true;
    for (const Width& width : every_width(circuit)) {
        LeafSpec spec;
        spec.lanes = width.lanes;
        const auto playouts = width.simulator->leaf_playouts(spec);
        LeafResults results;
        for (std::uint32_t ticket = 0; ticket < 300; ++ticket) {
            const State& state = ticket % 2 ? second : ticket == 200 ? odd : first;
            playouts->begin(to_rows({state}).data(), ticket, ticket, {});
            if (ticket % 50 == 0) playouts->play(1, 2, results);
        }
        while (results.tickets.size() < 300) playouts->play(300, 100, results);
        std::uint32_t won = 0;
        for (std::size_t i = 0; i < 300; ++i) {
            const bool is_second = results.tickets[i] % 2 != 0;
            CHECK(results.lengths[i] == static_cast<std::int32_t>(is_second ? steps - 2 : steps - 1));
            if (results.tickets[i] == 200) CHECK(results.goals[2 * i] == 0);
            else won += results.goals[2 * i] == 100;
        }
        // The last move decides, and is one of two: as good as never fewer than 90 of 299, nor more than 210.
        CHECK(won > 90 && won < 210);
        const Played alone = play(width, odd, 100, 1);
        CHECK(alone.lengths == std::vector<std::int32_t>(100, static_cast<std::int32_t>(steps) - 1));
        CHECK(std::all_of(alone.goals.begin(), alone.goals.end(), [](std::int16_t goal) { return goal <= 0; }));
    }
}
