#include "support/transpose.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

std::vector<State> random_states(Generator& random, std::uint32_t fluents, std::size_t count) {
    std::vector<State> states(count, State(fluents));
    for (State& state : states)
        for (std::uint32_t fluent = 0; fluent < fluents; ++fluent) state[fluent] = random() & 1;
    return states;
}

// Moves for every state, legal or not: a circuit has a value either way.
std::vector<std::uint32_t> random_joints(Generator& random, const std::vector<std::uint32_t>& moves, std::size_t count) {
    std::vector<std::uint32_t> joints;
    for (std::size_t i = 0; i < count; ++i)
        for (std::uint32_t of_role : moves) joints.push_back(below(random, of_role));
    return joints;
}

void compare(const Circuit& circuit, const Width& width, const std::vector<State>& states,
             const std::vector<std::uint32_t>& joints) {
    const Naive naive(circuit);
    const Simulator& simulator = *width.simulator;
    const Shape& shape = simulator.shape();
    const std::size_t count = states.size(), roles = shape.roles();
    const std::vector<Bits> rows = to_rows(states);
    std::vector<std::uint8_t> terminal(count, 77);
    std::vector<Bits> legal(count * shape.legal_words(), ~Bits{0}), successors(count * shape.state_words(), ~Bits{0});
    std::vector<Bits> told(count * shape.percept_words(), ~Bits{0});
    std::vector<std::int16_t> goals(count * roles, 77);
    simulator.terminal_and_legal(rows.data(), count, terminal.data(), legal.data());
    simulator.step(rows.data(), count, joints.data(), successors.data());
    simulator.goals(rows.data(), count, goals.data());
    simulator.percepts(rows.data(), count, joints.data(), told.data());
    for (std::size_t i = 0; i < count; ++i) {
        const Joint joint(joints.begin() + i * roles, joints.begin() + (i + 1) * roles);
        CHECK(terminal[i] == naive.is_terminal(states[i]));
        const std::vector<bool> is_legal = naive.legal(states[i]);
        for (std::size_t move = 0; move < is_legal.size(); ++move)
            CHECK(bit(legal.data() + i * shape.legal_words(), move) == is_legal[move]);
        const std::vector<int> values = naive.goals(states[i]);
        for (std::size_t role = 0; role < roles; ++role) CHECK(goals[i * roles + role] == values[role]);
        const std::vector<bool> percepts = naive.percepts(states[i], joint);
        for (std::size_t percept = 0; percept < percepts.size(); ++percept)
            CHECK(bit(told.data() + i * shape.percept_words(), percept) == percepts[percept]);
    }
    // Whole rows, so that nothing is left in bits beyond the last fluent.
    std::vector<State> later;
    for (std::size_t i = 0; i < count; ++i)
        later.push_back(naive.after(states[i], Joint(joints.begin() + i * roles, joints.begin() + (i + 1) * roles)));
    CHECK(successors == to_rows(later));
}

}  // namespace

TEST("a transposed block has columns for rows") {
    Generator random(1);
    std::uint64_t rows[64], turned[64];
    for (int i = 0; i < 64; ++i) rows[i] = turned[i] = random();
    transpose(turned);
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 64; ++j) CHECK(((turned[j] >> i) & 1) == ((rows[i] >> j) & 1));
}

TEST("every width evaluates random circuits as the definition says") {
    Generator random(2);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        const std::size_t count = 1 + below(random, 100);
        const auto states = random_states(random, circuit.fluents, count);
        const auto joints = random_joints(random, circuit.moves, count);
        for (const Width& width : every_width(circuit)) compare(circuit, width, states, joints);
    }
}

TEST("batches need not fill the lanes, and may be larger than they are") {
    Generator random(3);
    for (std::size_t count : {0, 1, 63, 64, 65, 255, 257, 512, 513, 1100}) {
        const Circuit circuit = random_circuit(random);
        const auto states = random_states(random, circuit.fluents, count);
        const auto joints = random_joints(random, circuit.moves, count);
        for (const Width& width : every_width(circuit)) compare(circuit, width, states, joints);
    }
}

TEST("more than 64 fluents and moves take several words") {
    // A ring that turns with the first move and is mirrored bit by bit with the second.
    constexpr std::uint32_t kSize = 150;
    Builder builder(kSize, {2, 130});
    for (std::uint32_t fluent = 0; fluent < kSize; ++fluent) {
        const Literal turned = builder.all_of({builder.move(0, 0), builder.fluent((fluent + 1) % kSize)});
        const Literal flipped = builder.all_of({builder.move(0, 1), negated(builder.fluent(fluent))});
        builder.next(fluent) = builder.any_of({turned, flipped});
    }
    for (std::uint32_t move = 0; move < 130; ++move) builder.legal(1, move) = builder.fluent(move);
    Generator random(4);
    const auto states = random_states(random, kSize, 70);
    const auto joints = random_joints(random, builder.circuit().moves, 70);
    for (const Width& width : every_width(builder.circuit())) compare(builder.circuit(), width, states, joints);
}

TEST("fluents may change places in circles and chains") {
    // 0 and 1 swap, 2, 3 and 4 go round, 5 follows 0, 6 follows 5, 7 keeps its value, 8 is what 7 is not.
    Builder builder(9, {1});
    const std::uint32_t source[] = {1, 0, 3, 4, 2, 0, 5, 7};
    for (std::uint32_t fluent = 0; fluent < 8; ++fluent) builder.next(fluent) = builder.fluent(source[fluent]);
    builder.next(8) = negated(builder.fluent(7));
    Generator random(5);
    const auto states = random_states(random, 9, 200);
    const auto joints = random_joints(random, {1}, 200);
    for (const Width& width : every_width(builder.circuit())) compare(builder.circuit(), width, states, joints);
}

TEST("a loop reaches its fixpoint in every lane, however long that takes") {
    // Which of fifty rooms in a row can be reached from the first through open doors.
    constexpr std::uint32_t kRooms = 50;
    Builder builder(kRooms, {1});
    std::vector<Literal> reached;
    for (std::uint32_t room = 0; room < kRooms; ++room) reached.push_back(builder.loop(0));
    // Against the direction of the numbers, so that one round gets one room further.
    for (std::uint32_t room = 0; room < kRooms; ++room) {
        const Literal before = room + 1 == kRooms ? kTrue : reached[room + 1];
        builder.define(reached[room], builder.all_of({builder.fluent(room), before}));
        builder.next(room) = reached[room];
    }
    builder.terminal() = reached[0];
    std::vector<State> states;
    for (std::uint32_t closed = 0; closed <= kRooms; ++closed) {
        states.emplace_back(kRooms, true);
        if (closed < kRooms) states.back()[closed] = false;
    }
    const std::vector<std::uint32_t> joints(states.size(), 0);
    for (const Width& width : every_width(builder.circuit())) compare(builder.circuit(), width, states, joints);
}
