#include <algorithm>
#include <cmath>
#include <optional>

#include "search/minimax/depth.h"
#include "search/minimax/minimax.h"
#include "search/minimax/random_play_statistics.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::evaluation;
using namespace ludorum::testing;
using namespace ludorum::minimax;

namespace {

const std::atomic<std::int32_t> kGoOn{0};

// Some number from 1 to 99 for every state and role.
double guess(const std::vector<Bits>& row, std::uint32_t role) {
    std::uint64_t mixed = 0x9E3779B97F4A7C15ull * (role + 1);
    for (Bits word : row) mixed = (mixed ^ word) * 0xBF58476D1CE4E5B9ull;
    return static_cast<double>(1 + (mixed >> 33) % 99);
}

class Guesses final : public Evaluation {
public:
    void evaluate(const SeenStates& seen, double* values) const override {
        const std::size_t words = seen.shape.state_words();
        for (std::size_t i = 0; i < seen.count; ++i)
            for (std::uint32_t role = 0; role < seen.shape.roles(); ++role)
                values[i * seen.shape.roles() + role] =
                    guess(std::vector<Bits>(seen.states + i * words, seen.states + (i + 1) * words), role);
    }
};

// The definition, without any of the ways to make it fast.
class Definition {
public:
    Definition(const Circuit& circuit, Options options) : circuit_(circuit), naive_(circuit), options_(options) {
        const auto is_chance = [&](std::uint32_t role) { return static_cast<std::int32_t>(role) == options.chance_role; };
        order_.push_back(options.role);
        for (std::uint32_t role = 0; role < circuit.roles(); ++role)
            if (role != options.role && !is_chance(role)) order_.push_back(role);
        if (options.chance_role >= 0) order_.push_back(static_cast<std::uint32_t>(options.chance_role));
    }

    struct Worth {
        std::vector<double> values;
        bool is_exact = false;
        double lower = 0, upper = 100;  // of the role that asks, if the others work against it
    };

    Worth of(const State& state, int depth, bool is_one_sided) const {
        const auto legal = moves(state);
        const bool is_over = naive_.is_terminal(state) || std::any_of(legal.begin(), legal.end(), [](const auto& of) { return of.empty(); });
        Worth worth;
        if (is_over) {
            worth.values = payoffs(state);
            worth.is_exact = true;
            worth.lower = worth.upper = worth.values[options_.role];
            return worth;
        }
        if (depth == 0) {
            for (std::uint32_t role = 0; role < circuit_.roles(); ++role) worth.values.push_back(guess(to_rows({state}), role));
            return worth;
        }
        Joint joint(circuit_.roles(), 0);
        return choose(state, legal, 0, joint, depth, is_one_sided);
    }

    bool is_over(const State& state) const {
        const auto legal = moves(state);
        return naive_.is_terminal(state) || std::any_of(legal.begin(), legal.end(), [](const auto& of) { return of.empty(); });
    }

private:
    std::vector<std::vector<std::uint32_t>> moves(const State& state) const {
        const std::vector<bool> legal = naive_.legal(state);
        std::vector<std::vector<std::uint32_t>> found;
        std::size_t first = 0;
        for (std::uint32_t count : circuit_.moves) {
            found.emplace_back();
            for (std::uint32_t move = 0; move < count; ++move)
                if (legal[first + move]) found.back().push_back(move);
            first += count;
        }
        return found;
    }

    // None is 0, and of several the lowest counts.
    std::vector<double> payoffs(const State& state) const {
        std::vector<double> found;
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            std::optional<int> lowest;
            for (const Circuit::Goal& goal : circuit_.goals)
                if (goal.role == role && holds(state, goal)) lowest = std::min<int>(lowest.value_or(100), goal.value);
            found.push_back(static_cast<double>(lowest.value_or(0)));
        }
        return found;
    }

    // Whether one goal holds, told by a circuit that has no other.
    bool holds(const State& state, const Circuit::Goal& goal) const {
        Circuit alone = circuit_;
        alone.goals = {goal};
        return Naive(alone).goals(state)[goal.role] != -1;
    }

    Worth choose(const State& state, const std::vector<std::vector<std::uint32_t>>& legal, std::size_t k, Joint& joint, int depth,
                 bool is_one_sided) const {
        if (k == order_.size()) return of(naive_.after(state, joint), depth - 1, is_one_sided);
        const std::uint32_t role = order_[k];
        const bool is_chance = static_cast<std::int32_t>(role) == options_.chance_role;
        std::vector<Worth> tried;
        for (std::uint32_t move : legal[role]) {
            joint[role] = move;
            tried.push_back(choose(state, legal, k + 1, joint, depth, is_one_sided));
        }
        Worth best = tried.front();
        const std::uint32_t me = options_.role;
        for (std::size_t i = 1; i < tried.size(); ++i) {
            const Worth& other = tried[i];
            best.is_exact = best.is_exact && other.is_exact;
            if (is_chance) {
                for (std::size_t r = 0; r < best.values.size(); ++r) best.values[r] += other.values[r];
                best.lower += other.lower;
                best.upper += other.upper;
                continue;
            }
            const bool is_better = is_one_sided && role != me ? other.values[me] < best.values[me] : other.values[role] > best.values[role];
            if (is_better) best.values = other.values;
            best.lower = role == me ? std::max(best.lower, other.lower) : std::min(best.lower, other.lower);
            best.upper = role == me ? std::max(best.upper, other.upper) : std::min(best.upper, other.upper);
        }
        if (is_chance) {
            for (double& value : best.values) value /= static_cast<double>(tried.size());
            best.lower /= static_cast<double>(tried.size());
            best.upper /= static_cast<double>(tried.size());
        }
        return best;
    }

    const Circuit& circuit_;
    Naive naive_;
    Options options_;
    std::vector<std::uint32_t> order_;
};

State random_state(Generator& random, const Circuit& circuit) {
    State state(circuit.fluents);
    for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) state[fluent] = random() & 1;
    return state;
}

bool are_close(double a, double b) { return std::abs(a - b) < 0.01; }

Options without_table() {
    Options options;
    options.table_bytes = 0;
    return options;
}

// The last of two heaps' objects wins; fluent h * 4 + n says that heap h has n, fluent 8 that it is the first role's turn.
Circuit two_heaps() {
    Builder builder(9, {7, 7});
    const Literal turn = builder.fluent(8);
    std::vector<Literal> empty;
    for (std::uint32_t heap = 0; heap < 2; ++heap) empty.push_back(builder.fluent(heap * 4));
    builder.terminal() = builder.all_of(empty);
    builder.next(8) = negated(turn);
    for (std::uint32_t role = 0; role < 2; ++role) {
        const Literal mine = role == 0 ? turn : negated(turn);
        builder.legal(role, 6) = negated(mine);  // wait
        for (std::uint32_t heap = 0; heap < 2; ++heap)
            for (std::uint32_t take = 1; take <= 3; ++take) {
                std::vector<Literal> enough;
                for (std::uint32_t size = take; size <= 3; ++size) enough.push_back(builder.fluent(heap * 4 + size));
                builder.legal(role, heap * 3 + take - 1) = builder.all_of({mine, builder.any_of(enough)});
            }
        builder.goal(role, 100, negated(mine));
        builder.goal(role, 0, mine);
    }
    for (std::uint32_t heap = 0; heap < 2; ++heap)
        for (std::uint32_t left = 0; left <= 3; ++left) {
            std::vector<Literal> ways, touched;
            for (std::uint32_t role = 0; role < 2; ++role)
                for (std::uint32_t take = 1; take <= 3; ++take) {
                    touched.push_back(builder.move(role, heap * 3 + take - 1));
                    if (left + take <= 3)
                        ways.push_back(builder.all_of({builder.move(role, heap * 3 + take - 1), builder.fluent(heap * 4 + left + take)}));
                }
            ways.push_back(builder.all_of({builder.fluent(heap * 4 + left), negated(builder.any_of(touched))}));
            builder.next(heap * 4 + left) = builder.any_of(ways);
        }
    return builder.circuit();
}

}  // namespace

TEST("equation 4.4: from the whole depth less one down to half of it") {
    // d = 9 and five successors: 8 times 1, 7/8, 6/8, 5/8, 4/8.
    const double expected[] = {8, 7, 6, 5, 4};
    for (std::uint32_t rank = 0; rank < 5; ++rank) CHECK((9 - 1) * kept_depth(rank, 5) == expected[rank]);
    // Figure 4.4: at depth 2 only the first of three successors is expanded.
    CHECK((2 - 1) * kept_depth(0, 3) >= 1);
    CHECK((2 - 1) * kept_depth(1, 3) < 1);
    // A single successor is the most promising one.
    CHECK((9 - 1) * kept_depth(0, 1) == 8);
}

TEST("expanding is stepping, looking and counting goals") {
    Generator random(11);
    for (int i = 0; i < 60; ++i) {
        const Circuit circuit = random_circuit(random);
        const Naive naive(circuit);
        for (const Width& width : every_width(circuit)) {
            const Shape& shape = width.simulator->shape();
            const State state = random_state(random, circuit);
            if (naive.is_terminal(state)) continue;
            const auto joints = naive.joint_moves(state);
            if (joints.empty()) continue;
            std::vector<std::uint32_t> joint, parents(joints.size(), 1);  // the second of two states
            for (const Joint& moves : joints) joint.insert(joint.end(), moves.begin(), moves.end());
            const std::vector<Bits> rows = to_rows({State(circuit.fluents), state});
            const std::size_t count = joints.size();
            std::vector<Bits> states(count * shape.state_words()), legal(count * shape.legal_words());
            std::vector<Bits> plain_states = states, plain_legal = legal;
            std::vector<std::uint8_t> over(count), plain_over(count);
            std::vector<std::int16_t> payoffs(count * shape.roles()), plain_payoffs = payoffs;
            width.simulator->expand(rows.data(), parents.data(), count, joint.data(), true,
                                    {states.data(), over.data(), legal.data(), payoffs.data()});
            width.simulator->Simulator::expand(rows.data(), parents.data(), count, joint.data(), true,
                                               {plain_states.data(), plain_over.data(), plain_legal.data(), plain_payoffs.data()});
            CHECK(states == plain_states);
            CHECK(over == plain_over);
            CHECK(legal == plain_legal);
            CHECK(payoffs == plain_payoffs);
        }
    }
}

TEST("of several goal values the lowest counts, and none is 0") {
    Builder builder(2, {1, 1});
    builder.goal(0, 80, builder.fluent(0));
    builder.goal(0, 30, builder.fluent(0));
    builder.goal(1, 60, builder.fluent(1));
    const CircuitSimulator simulator(builder.circuit());
    const std::vector<Bits> rows{1, 2, 3};
    std::vector<std::int16_t> values(6);
    simulator.payoffs(rows.data(), 3, values.data());
    CHECK((values == std::vector<std::int16_t>{30, 0, 0, 60, 30, 60}));
}

TEST("alpha-beta finds the values of the definition at every depth") {
    Generator random(12);
    int compared = 0;
    for (int i = 0; i < 400; ++i) {
        const Circuit circuit = random_circuit(random);
        const State state = random_state(random, circuit);
        Options options = without_table();
        options.is_paranoid = true;
        options.role = below(random, circuit.roles());
        options.chance_role = circuit.roles() > 1 && below(random, 3) == 0 ? static_cast<std::int32_t>((options.role + 1) % circuit.roles()) : -1;
        options.sweep = 1 + below(random, 100);
        const Definition definition(circuit, options);
        if (definition.is_over(state)) continue;
        const CircuitSimulator simulator(circuit);
        Minimax search(simulator, std::make_shared<Guesses>(), options);
        for (std::uint32_t depth = 1; depth <= 3; ++depth) {
            if (std::pow(Naive(circuit).joint_moves(state).size(), depth) > 3000) break;
            const Definition::Worth expected = definition.of(state, static_cast<int>(depth), true);
            const Report report = search.search(to_rows({state}).data(), {1e9, ~0ull, depth}, kGoOn);
            CHECK(are_close(report.values[options.role], std::clamp(expected.values[options.role], expected.lower, expected.upper)));
            CHECK(report.lower[options.role] <= expected.upper + 0.01);
            CHECK(report.upper[options.role] >= expected.lower - 0.01);
            if (expected.is_exact) CHECK(report.is_proved);
            ++compared;
        }
    }
    CHECK(compared > 300);
}

TEST("max^n finds the values of the definition at every depth") {
    Generator random(13);
    int compared = 0;
    for (int i = 0; i < 400; ++i) {
        const Circuit circuit = random_circuit(random);
        const State state = random_state(random, circuit);
        if (circuit.roles() < 2) continue;
        Options options = without_table();
        options.sum_is = Sum::kVaries;
        options.role = below(random, circuit.roles());
        options.chance_role = circuit.roles() > 2 && below(random, 2) == 0 ? static_cast<std::int32_t>((options.role + 1) % circuit.roles()) : -1;
        options.sweep = 1 + below(random, 100);
        const Definition definition(circuit, options);
        if (definition.is_over(state)) continue;
        const CircuitSimulator simulator(circuit);
        Minimax search(simulator, std::make_shared<Guesses>(), options);
        for (std::uint32_t depth = 1; depth <= 3; ++depth) {
            if (std::pow(Naive(circuit).joint_moves(state).size(), depth) > 3000) break;
            const Definition::Worth expected = definition.of(state, static_cast<int>(depth), false);
            const Report report = search.search(to_rows({state}).data(), {1e9, ~0ull, depth}, kGoOn);
            CHECK(report.method == Method::kMaxN);
            for (std::uint32_t role = 0; role < circuit.roles(); ++role) CHECK(are_close(report.values[role], expected.values[role]));
            // Where the best possible was found, what comes after it in the order was not looked at.
            if (expected.is_exact) CHECK(report.is_proved);
            ++compared;
        }
    }
    CHECK(compared > 200);
}

TEST("a table makes no difference to what is proved") {
    Generator random(14);
    int proved = 0;
    for (int i = 0; i < 1000; ++i) {
        const Circuit circuit = random_circuit(random);
        const State state = random_state(random, circuit);
        Options options = without_table();
        options.is_paranoid = below(random, 2) == 0;
        options.sum_is = Sum::kVaries;
        if (Definition(circuit, options).is_over(state)) continue;
        const CircuitSimulator simulator(circuit);
        Minimax plain(simulator, std::make_shared<Guesses>(), options);
        options.table_bytes = 1 << 14;  // so small that entries give way all the time
        Minimax kept(simulator, std::make_shared<Guesses>(), options);
        options.is_nonuniform = true;
        Minimax uneven(simulator, std::make_shared<Guesses>(), options);
        const Budget budget{1e9, 20'000, 6};
        const Report without = plain.search(to_rows({state}).data(), budget, kGoOn);
        for (Minimax* search : {&kept, &uneven}) {
            const Report with = search->search(to_rows({state}).data(), budget, kGoOn);
            CHECK(with.lower[0] <= without.upper[0] + 0.01);
            CHECK(with.upper[0] >= without.lower[0] - 0.01);
            if (!with.is_proved || !without.is_proved) continue;
            CHECK(are_close(with.values[0], without.values[0]));
            ++proved;
        }
    }
    CHECK(proved > 100);
}

TEST("two heaps are lost for whoever moves where they are equal") {
    const Circuit circuit = two_heaps();
    const CircuitSimulator simulator(circuit);
    for (Sum sum : {Sum::kConstant, Sum::kAssumed, Sum::kVaries})
        for (bool is_paranoid : {false, true})
            for (std::uint32_t role = 0; role < 2; ++role) {
                Options options;
                options.role = role;
                options.sum_is = sum;
                options.is_paranoid = is_paranoid;
                options.table_bytes = 1 << 16;
                Minimax search(simulator, nullptr, options);
                for (std::uint32_t a = 0; a <= 3; ++a)
                    for (std::uint32_t b = 0; b <= 3; ++b) {
                        State state(9, false);
                        state[a] = state[4 + b] = state[8] = true;
                        const Report report = search.search(to_rows({state}).data(), {}, kGoOn);
                        // Bouton: the first role, whose turn it is, loses where the sum without carry is 0.
                        CHECK(report.is_proved);
                        CHECK(report.values[role] == ((a == b) == (role == 0) ? 0 : 100));
                        CHECK(report.assumes_sum == (sum == Sum::kAssumed && !is_paranoid && a + b > 0));
                    }
            }
}

TEST("a state that is over with another sum turns alpha-beta into max^n") {
    // Both get 50, or both get 100: a constant sum was too much to hope for.
    Builder builder(2, {2, 1});
    builder.terminal() = builder.any_of({builder.fluent(0), builder.fluent(1)});
    builder.next(0) = builder.move(0, 0);
    builder.next(1) = builder.move(0, 1);
    for (std::uint32_t role = 0; role < 2; ++role) {
        builder.goal(role, 50, builder.fluent(0));
        builder.goal(role, 100, builder.fluent(1));
    }
    const CircuitSimulator simulator(builder.circuit());
    const std::vector<Bits> start{0};
    Minimax search(simulator, nullptr, {});
    const Report report = search.search(start.data(), {}, kGoOn);
    CHECK(report.method == Method::kMaxN);
    CHECK((report.values == std::vector<double>{100, 100}));
    CHECK(!sample_random_play(simulator, start.data(), -1, 64, 1, 1.0, kGoOn).is_constant_sum);
}

TEST("a survey counts the moves of those who have a choice") {
    const CircuitSimulator simulator(two_heaps());
    State state(9, false);
    state[3] = state[4 + 3] = state[8] = true;
    const RandomPlayStatistics found = sample_random_play(simulator, to_rows({state}).data(), -1, 64, 1, 10.0, kGoOn);
    CHECK(found.is_constant_sum);
    CHECK(found.sum == 100);
    CHECK(found.is_sequential);
    CHECK(found.ended == 64);
    // Six at first, and never more.
    for (double moves : found.usual_moves) CHECK(moves >= 2 && moves <= 6);
}

TEST("mobility is 50 where roles have as many moves as usual, and what one has more the other has less") {
    const MobilityEvaluation mobility({4, 4});
    const Shape shape{0, {8, 8}, {}, 16};
    const std::vector<Bits> legal{0x010F, 0x01FF, 0x0F01, 0x0101, 0x0F0F};
    std::vector<double> values(10);
    mobility.evaluate({shape, 5, nullptr, legal.data(), nullptr}, values.data());
    CHECK(values[0] == 50 && values[1] == 50);
    CHECK(values[2] > 50 && values[3] == 100 - values[2]);
    CHECK(values[4] == 50 && values[5] == 50);
    CHECK(values[6] == 50 && values[7] == 50);
    CHECK(values[8] == 50 && values[9] == 50);
}

TEST("a search ends at its budget of states and at once when told to stop") {
    Builder builder(8, {3, 3});  // a counter that never ends
    for (std::uint32_t fluent = 0; fluent < 8; ++fluent)
        builder.next(fluent) = builder.any_of({builder.all_of({builder.move(0, fluent % 3), negated(builder.fluent(fluent))}),
                                               builder.all_of({builder.move(1, fluent % 2), builder.fluent((fluent + 1) % 8)})});
    const CircuitSimulator simulator(builder.circuit());
    const std::vector<Bits> start{0};
    Minimax search(simulator, std::make_shared<Guesses>(), without_table());
    const Report report = search.search(start.data(), {1e9, 5000, 1000}, kGoOn);
    CHECK(report.counts.states >= 5000 && report.counts.states < 5000 + 2 * Tree::kMostSuccessors);
    CHECK(report.depth >= 1);
    CHECK(!report.is_proved);
    CHECK(report.line.size() >= 2);
    const std::atomic<std::int32_t> stop{1};
    const Report stopped = search.search(start.data(), {}, stop);
    CHECK(stopped.depth == 0);
    CHECK(stopped.line.empty());
}
