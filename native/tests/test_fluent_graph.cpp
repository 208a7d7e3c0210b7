#include <algorithm>

#include "circuit/by_joint_moves.h"
#include "circuit/fluent_graph.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/naive.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

// Nothing is similar to anything else.
Marks no_marks(const Circuit& circuit) { return {std::vector<std::uint32_t>(circuit.fluents + 1, 0), {}, {}}; }

FluentGraph graph_of(const Circuit& circuit, const Marks& marks) {
    const std::atomic<std::int32_t> stop{0};
    return *fluent_graph(circuit, marks, stop);
}

std::vector<std::uint32_t> sources(const FluentGraph& graph, std::uint32_t fluent) {
    return {graph.sources.begin() + graph.offsets[fluent], graph.sources.begin() + graph.offsets[fluent + 1]};
}

State random_state(Generator& random, std::uint32_t fluents) {
    State state(fluents);
    for (std::uint32_t fluent = 0; fluent < fluents; ++fluent) state[fluent] = random() & 1;
    return state;
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST("whatever holds after a step has an edge from what held before, in random circuits") {
    Generator random(11);
    for (int i = 0; i < 300; ++i) {
        const Circuit circuit = random_circuit(random);
        const FluentGraph graph = graph_of(circuit, no_marks(circuit));
        const Naive naive(circuit);
        for (int trial = 0; trial < 20; ++trial) {
            const State state = random_state(random, circuit.fluents);
            for (const Joint& joint : naive.joint_moves(state)) {
                const State later = naive.after(state, joint);
                for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) {
                    if (!later[fluent]) continue;
                    const Numbers found = sources(graph, fluent);
                    CHECK(std::any_of(found.begin(), found.end(),
                                      [&](std::uint32_t source) { return source == circuit.fluents || state[source]; }));
                }
            }
        }
    }
}

TEST("written out by joint moves, nothing that holds next along random walks is lost, and groups that are shown stay so") {
    Generator random(13);
    const std::atomic<std::int32_t> stop{0};
    std::size_t shown = 0, walked = 0;
    for (int i = 0; i < 400; ++i) {
        const Circuit circuit = random_circuit(random);
        State state = random_state(random, circuit.fluents);
        // Pairs of which at most one holds now.
        Groups likely;
        for (std::uint32_t one = 0; one < circuit.fluents; ++one)
            for (std::uint32_t other = 0; other < one; ++other)
                if (!state[one] || !state[other]) likely.push_back({other, one});
        const ByJointMoves written = by_joint_moves(circuit, {}, likely, stop);
        shown += written.groups.size();
        written.circuit.check();
        const Naive naive(circuit), other(written.circuit);
        for (int step = 0; step < 12; ++step) {
            for (const auto& group : written.groups) CHECK(!state[group[0]] || !state[group[1]]);
            const auto joints = naive.joint_moves(state);
            if (joints.empty()) break;
            for (const Joint& joint : joints) {
                const State later = naive.after(state, joint), written_later = other.after(state, joint);
                for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) CHECK(!later[fluent] || written_later[fluent]);
            }
            state = naive.after(state, joints[random() % joints.size()]);
            ++walked;
        }
    }
    CHECK(shown > 100);
    CHECK(walked > 1000);
}

TEST("no walk in a random circuit is shorter than a distance") {
    Generator random(12);
    for (int i = 0; i < 100; ++i) {
        const Circuit circuit = random_circuit(random);
        if (circuit.fluents == 0) continue;
        Numbers targets(circuit.fluents);
        for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) targets[fluent] = fluent;
        const auto rows = distances(graph_of(circuit, no_marks(circuit)), targets);
        const Naive naive(circuit);
        const State start = random_state(random, circuit.fluents);
        State state = start;
        for (std::int32_t steps = 0; steps < 6; ++steps) {
            for (std::uint32_t fluent = 0; fluent < circuit.fluents; ++fluent) {
                if (!state[fluent]) continue;
                const std::int32_t* row = rows.data() + fluent * (circuit.fluents + 1);
                bool is_explained = row[circuit.fluents] != kUnreachable && row[circuit.fluents] <= steps;
                for (std::uint32_t from = 0; from < circuit.fluents; ++from)
                    is_explained |= start[from] && row[from] != kUnreachable && row[from] <= steps;
                CHECK(is_explained);
            }
            const auto joints = naive.joint_moves(state);
            if (joints.empty()) break;
            state = naive.after(state, joints[below(random, static_cast<std::uint32_t>(joints.size()))]);
        }
    }
}

TEST("a move stands for what makes it legal") {
    // The only move needs fluent 0, or fluents 1 and 2; it makes fluent 3 true.
    Builder builder(4, {2});
    builder.legal(0, 0) = builder.any_of({builder.fluent(0), builder.all_of({builder.fluent(1), builder.fluent(2)})});
    builder.next(3) = builder.move(0, 0);
    const Numbers found = sources(graph_of(builder.circuit(), no_marks(builder.circuit())), 3);
    CHECK((found == Numbers{0, 1} || found == Numbers{0, 2}));
}

TEST("of what would do, the more similar is taken") {
    // Fluent 2 shares the mark of fluent 3, fluent 1 does not.
    Builder builder(4, {2});
    builder.legal(0, 0) = builder.any_of({builder.fluent(0), builder.all_of({builder.fluent(1), builder.fluent(2)})});
    builder.next(3) = builder.move(0, 0);
    const FluentGraph graph = graph_of(builder.circuit(), {{0, 0, 0, 1, 2}, {0, 0}, {1}});
    CHECK((sources(graph, 3) == Numbers{0, 2}));
}

TEST("not to make a move is to make another one") {
    // One of two moves is made; the first needs fluent 0, the second fluent 1. Fluent 2 holds after what is not the first.
    Builder builder(3, {2});
    builder.legal(0, 0) = builder.fluent(0);
    builder.legal(0, 1) = builder.fluent(1);
    builder.next(2) = negated(builder.move(0, 0));
    CHECK((sources(graph_of(builder.circuit(), no_marks(builder.circuit())), 2) == Numbers{1}));
}

TEST("what needs no fluent comes from nothing, and what cannot be has no edge") {
    Builder builder(3, {1});
    builder.next(0) = negated(builder.fluent(1));
    builder.next(1) = kFalse;
    builder.next(2) = kTrue;
    const FluentGraph graph = graph_of(builder.circuit(), no_marks(builder.circuit()));
    CHECK((sources(graph, 0) == Numbers{3}));
    CHECK(sources(graph, 1).empty());
    CHECK((sources(graph, 2) == Numbers{3}));
    const auto rows = distances(graph, Numbers{0, 1});
    CHECK((rows == std::vector<std::int32_t>{0, kUnreachable, kUnreachable, 1, kUnreachable, 0, kUnreachable, kUnreachable}));
}

TEST("more fluents than there are lanes are asked about in turn") {
    constexpr std::uint32_t kSize = 700;
    Builder builder(kSize, {1});
    for (std::uint32_t fluent = 0; fluent < kSize; ++fluent) builder.next(fluent) = builder.fluent((fluent + 1) % kSize);
    const FluentGraph graph = graph_of(builder.circuit(), no_marks(builder.circuit()));
    for (std::uint32_t fluent = 0; fluent < kSize; ++fluent) CHECK((sources(graph, fluent) == Numbers{(fluent + 1) % kSize}));
    const auto row = distances(graph, Numbers{5});
    CHECK(row[6] == 1);
    CHECK(row[4] == static_cast<std::int32_t>(kSize) - 1);
}

TEST("recursion is followed to its end") {
    // Door n leads from room n + 1 to room n; the room 0 is reached next if it is reached through open doors now.
    constexpr std::uint32_t kDoors = 5;
    Builder builder(kDoors + 1, {1});
    std::vector<Literal> reached;
    for (std::uint32_t room = 0; room < kDoors; ++room) reached.push_back(builder.loop(0));
    for (std::uint32_t room = 0; room < kDoors; ++room) {
        const Literal before = room + 1 == kDoors ? kTrue : reached[room + 1];
        builder.define(reached[room], builder.all_of({builder.fluent(room), before}));
    }
    builder.next(kDoors) = reached[0];
    const Numbers found = sources(graph_of(builder.circuit(), no_marks(builder.circuit())), kDoors);
    CHECK(found.size() == 1);
    CHECK(found.front() < kDoors);
}

TEST("a search for edges can be stopped") {
    Builder builder(2, {1});
    const std::atomic<std::int32_t> stop{1};
    CHECK(!fluent_graph(builder.circuit(), no_marks(builder.circuit()), stop));
}
