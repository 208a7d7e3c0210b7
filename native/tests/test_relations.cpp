#include <algorithm>
#include <atomic>

#include "engine/perft.h"
#include "relations/machine.h"
#include "relations/relations_simulator.h"
#include "tests/check.h"

using namespace ludorum;
using namespace ludorum::relations;

namespace {

const std::atomic<std::int32_t> kGoOn{0};

std::int32_t constant(std::int32_t number) { return ~number; }

Operation operation(Kind kind, std::uint32_t target, std::vector<std::int32_t> arguments, std::vector<std::int32_t> outputs = {}) {
    Operation made;
    made.kind = kind;
    made.target = target;
    made.arguments = std::move(arguments);
    made.outputs = std::move(outputs);
    return made;
}

Operation back(Operation made, std::int32_t way) {
    made.back = made.fail = way;
    return made;
}

// A walker on a ring of four rooms steps on or stays, until it is in room 3. The fluent is the room it is in, the moves
// are terms step(room) with the room it goes to. Constants 0 to 3 are rooms, 4 is the role, 5 is the value 100.
relations::Program ring() {
    relations::Program program;
    program.constants = 6;
    program.arities = {1};
    program.roles = {4};
    program.goal_values = {-1, -1, -1, -1, -1, 100};
    const auto set = [&](const char* name, Level level, std::uint32_t arity, std::int32_t procedure, std::vector<std::vector<std::int32_t>> facts = {}) {
        program.sets.push_back({name, level, arity, procedure, std::move(facts)});
        return static_cast<std::uint32_t>(program.sets.size() - 1);
    };
    program.true_set = set("true", Level::kState, 1, -1);
    program.does_set = set("does", Level::kJoint, 2, -1);
    program.init_set = set("init", Level::kStatic, 1, -1, {{0}});
    program.next_set = set("next", Level::kJoint, 1, 0);
    program.legal_set = set("legal", Level::kState, 2, 1);
    program.goal_set = set("goal", Level::kStatic, 2, -1, {{4, 5}});
    program.sees_set = set("sees", Level::kStatic, 2, -1);
    const std::uint32_t after = set("after", Level::kStatic, 2, -1, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
    program.terminal = 2;
    // Rooms; does(role, step(room)); after(room, room).
    program.views = {{program.true_set, {-1}, 1}, {program.does_set, {-1, 0, -1}, 2}, {after, {-1, -1}, 2}};
    program.indexes = {{0, {}, {0}}, {1, {}, {0, 1}}, {2, {0}, {1}}};
    Operation here = operation(Kind::kScan, 0, {}, {0});
    Operation build = operation(Kind::kBuild, 0, {0});
    build.out = 1;
    Operation on = back(operation(Kind::kScan, 2, {0}, {2}), 0);
    on.iterator = 2;
    Operation build_on = operation(Kind::kBuild, 0, {2});
    build_on.out = 1;
    const Procedure next{"next", Level::kJoint, 0, 1, false,
                         {{2, 2, {operation(Kind::kScan, 1, {}, {0, 1}), back(operation(Kind::kEmit, 0, {1}), 0)}}}};
    const Procedure legal{"legal", Level::kState, 0, 2, false,
                          {{2, 2, {here, build, back(operation(Kind::kEmit, 0, {constant(4), 1}), 0)}},
                           {3, 4, {here, on, build_on, back(operation(Kind::kEmit, 0, {constant(4), 1}), 1)}}}};
    const Procedure terminal{"terminal", Level::kState, 0, 0, false,
                             {{0, 0, {operation(Kind::kTest, 0, {constant(3)}), operation(Kind::kEmit, 0, {})}}}};
    program.procedures = {next, legal, terminal};
    return program;
}

// reach(x, y) for a bound x: an edge, or an edge and reach from there. The edges are the ring's.
relations::Program with_reach() {
    relations::Program program = ring();
    Operation edge = operation(Kind::kScan, 2, {0}, {1});
    Operation onward = back(operation(Kind::kSuspend, 3, {1}, {2}), 0);
    onward.iterator = 2;
    program.procedures.push_back({"reach", Level::kStatic, 1, 1, true,
                                  {{2, 2, {edge, back(operation(Kind::kEmit, 0, {1}), 0)}},
                                   {3, 4, {edge, onward, back(operation(Kind::kEmit, 0, {2}), 1)}}}});
    // It is the end where everything can be reached from room 0, including itself.
    Operation call = operation(Kind::kCallScan, 3, {constant(0)}, {0});
    program.procedures[2].rules = {{1, 2, {call, back(operation(Kind::kSame, 0, {0, constant(0)}), 0), operation(Kind::kEmit, 0, {})}}};
    return program;
}

RelationsSimulator simulator(const relations::Program& program, std::uint32_t fluents = 64) {
    return {program, {fluents, {64}, {64}}, {}};
}

}  // namespace

TEST("a tuple keeps its number, and other tuples get others") {
    for (std::uint32_t width : {1u, 2u, 3u, 7u}) {
        TupleTable table(width);
        std::vector<std::uint32_t> tuple(width, 5);
        for (std::uint32_t i = 0; i < 1000; ++i) {
            tuple[width / 2] = i;
            CHECK(table.find(tuple.data()) == kNone);
            CHECK(table.add(tuple.data()) == i);
        }
        for (std::uint32_t i = 0; i < 1000; ++i) {
            tuple[width / 2] = i;
            CHECK(table.add(tuple.data()) == i);
            CHECK(table.find(tuple.data()) == i);
            CHECK(table.tuple(i)[width / 2] == i);
        }
        table.clear();
        CHECK(table.find(tuple.data()) == kNone);
        CHECK(table.add(tuple.data()) == 0);
    }
}

TEST("terms nest as deep as they like, and are read as they are written") {
    const std::uint32_t arities[] = {1, 2};
    Terms terms(3, arities);
    TermId term = 0;
    for (int depth = 0; depth < 100'000; ++depth) {
        const TermId pair[2] = {term, 2};
        term = depth % 2 ? terms.build(0, &term) : terms.build(1, pair);
    }
    std::vector<std::int32_t> text;
    terms.write(term, text);
    std::span<const std::int32_t> rest(text);
    CHECK(terms.read(rest) == term);
    CHECK(rest.empty());
    Terms others(3, arities);
    rest = text;
    CHECK(others.hash(others.read(rest)) == terms.hash(term));
    const std::vector<std::int32_t> broken[] = {{~1, 0}, {7}, {~5, 0}, {}};
    for (const auto& bad : broken) {
        rest = bad;
        CHECK_THROWS(std::invalid_argument, "", terms.read(rest));
    }
}

TEST("a walker on a ring ends in the last room") {
    const RelationsSimulator ring_simulator = simulator(ring());
    const std::vector<Bits> start = ring_simulator.initial(kGoOn);
    CHECK(ring_simulator.fluent(ring_simulator.fluents(start.data()).at(0)) == std::vector<std::int32_t>{0});
    CHECK(ring_simulator.moves(start.data(), kGoOn).at(0).size() == 2);
    // Every step is stay or go on: of n steps, those sequences that never went on three times are still under way.
    CHECK((perft(ring_simulator, start.data(), 5, kGoOn) == std::vector<std::uint64_t>{2, 4, 8, 14, 22}));
    std::vector<std::int16_t> goals(1000);
    std::vector<std::int32_t> lengths(1000);
    std::vector<std::uint8_t> outcomes(1000);
    ring_simulator.playouts(start.data(), {1000, 7, 2}, {goals.data(), lengths.data(), outcomes.data()}, kGoOn);
    double sum = 0;
    for (int i = 0; i < 1000; ++i) {
        CHECK(goals[i] == 100 && outcomes[i] == 0 && lengths[i] >= 3);
        sum += lengths[i];
    }
    // Three successes of a fair coin take six throws; the standard deviation of the mean is 0.08.
    CHECK(sum / 1000 > 5.5 && sum / 1000 < 6.5);
}

TEST("a search counts the lowest of several goals, and none as nothing") {
    // In room 0 the walker has goals 100 and 40, in room 1 only one that is no number from 0 to 100, in room 2 only 70.
    relations::Program program = ring();
    program.goal_values = {40, 70, -1, -1, -1, 100};
    program.sets[program.goal_set] = {"goal", Level::kState, 2, 3, {}};
    const auto goal = [](std::int32_t room, std::int32_t value) {
        return Rule{0, 0, {operation(Kind::kTest, 0, {constant(room)}), operation(Kind::kEmit, 0, {constant(4), constant(value)})}};
    };
    program.procedures.push_back({"goal", Level::kState, 0, 2, false, {goal(0, 5), goal(0, 0), goal(1, 3), goal(2, 1)}});
    const RelationsSimulator walks = simulator(program);
    std::vector<Bits> states;
    for (std::int32_t room : {0, 1, 2, 3, 0}) {
        const std::vector<Bits> row = walks.row({{room}});
        states.insert(states.end(), row.begin(), row.end());
    }
    std::vector<std::int16_t> payoffs(5), goals(5);
    walks.payoffs(states.data(), 5, payoffs.data());
    CHECK((payoffs == std::vector<std::int16_t>{40, 0, 70, 0, 40}));
    walks.goals(states.data(), 5, goals.data());
    CHECK((goals == std::vector<std::int16_t>{kNoGoal, kNoGoal, 70, kNoGoal, kNoGoal}));
}

TEST("rows without room refer to states, and equal states have equal rows") {
    relations::Program program = ring();
    const RelationsSimulator narrow = simulator(program, 1);
    std::vector<std::vector<Bits>> rows;
    // Room is given out in words of 64 fluents: terms take up more of it than that.
    std::vector<std::int32_t> text{0};
    for (int depth = 0; depth < 200; ++depth) {
        text.insert(text.begin(), ~0);
        rows.push_back(narrow.row({text}));
    }
    CHECK(rows.front().back() == 0);
    CHECK(rows.back().back() != 0);
    CHECK(rows[198] != rows[199]);
    CHECK(narrow.row({text, text}) == rows.back());
    CHECK(narrow.fluent(narrow.fluents(rows.back().data()).at(0)) == text);
}

TEST("recursion through a cycle ends with all answers") {
    const RelationsSimulator ring_simulator = simulator(with_reach());
    CHECK(ring_simulator.is_terminal(ring_simulator.initial(kGoOn).data(), kGoOn));
}

TEST("a question that never ends is ended by its budget, and the next one is answered") {
    relations::Program program = ring();
    // next(step(x)) for every x there is, and step(x) is there if x is.
    Operation again = operation(Kind::kSuspend, 3, {}, {0});
    Operation build = operation(Kind::kBuild, 0, {0});
    build.out = 1;
    program.procedures.push_back({"endless", Level::kStatic, 0, 1, true,
                                  {{1, 0, {operation(Kind::kEmit, 0, {constant(0)})}},
                                   {2, 2, {again, build, back(operation(Kind::kEmit, 0, {1}), 0)}}}});
    program.procedures[0].rules.push_back({1, 2, {operation(Kind::kCallScan, 3, {}, {0}), back(operation(Kind::kEmit, 0, {0}), 0)}});
    const RelationsSimulator small(program, {64, {64}, {64}}, {60, std::size_t{1} << 25});
    const std::vector<Bits> start = small.initial(kGoOn);
    const std::uint32_t move = small.moves(start.data(), kGoOn).at(0).at(0);
    CHECK_THROWS(OutOfMemory, "memory", small.after(start.data(), &move, kGoOn));
    const RelationsSimulator hasty(program, {64, {64}, {64}}, {0.01, std::size_t{1} << 32});
    const std::vector<Bits> begin = hasty.initial(kGoOn);
    hasty.moves(begin.data(), kGoOn);
    CHECK_THROWS(OutOfTime, "time", hasty.after(begin.data(), &move, kGoOn));
    const std::atomic<std::int32_t> stop{1};
    CHECK_THROWS(Stopped, "", hasty.after(begin.data(), &move, stop));
    CHECK(!hasty.is_terminal(begin.data(), kGoOn));
}

TEST("what is no program is refused") {
    const auto refused = [](auto change) {
        relations::Program program = ring();
        change(program);
        CHECK_THROWS(std::invalid_argument, "not a program", simulator(program));
    };
    refused([](auto& program) { program.procedures[0].rules[0].operations[0].target = 99; });
    refused([](auto& program) { program.procedures[0].rules[0].operations[1].arguments = {9}; });
    refused([](auto& program) { program.procedures[1].rules[0].operations.pop_back(); });
    refused([](auto& program) { program.views[1].set = 50; });
    refused([](auto& program) { program.indexes[2].bound = {4}; });
    refused([](auto& program) { program.roles.clear(); });
    refused([](auto& program) { program.terminal = 1; });
}

TEST("tuples keep their numbers, close together or far apart, until they are forgotten") {
    for (const std::uint32_t spread : {1u, 3u, 1000u, 1000003u}) {
        for (const std::uint32_t width : {1u, 2u, 3u, 7u}) {
            TupleTable table(width);
            const auto tuple = [&](std::uint32_t number) {
                std::vector<std::uint32_t> made(width, 5);
                // Backwards, so that a box has to grow at both ends.
                made[0] = (width == 1 ? 1 : spread) * (500 - number % 500);
                made[width - 1] += number / 500 + (width == 1 ? made[0] : 0);
                return made;
            };
            for (int round = 0; round < 2; ++round) {
                const std::uint32_t count = width == 1 ? 500 : 2000;
                for (std::uint32_t number = 0; number < count; ++number) {
                    CHECK(table.find(tuple(number).data()) == kNone);
                    CHECK(table.add(tuple(number).data()) == number);
                    CHECK(table.add(tuple(number / 2).data()) == number / 2);
                }
                for (std::uint32_t number = 0; number < count; ++number) CHECK(table.find(tuple(number).data()) == number);
                table.clear();
                CHECK(table.size() == 0);
            }
        }
    }
}

TEST("a rule whose instances are too many for the values it is asked with is run as it stands") {
    // Static rows 0 … 149 twice make 22,500 instances for one state: more than are kept. Each room is next to every other,
    // so the walker may step to all of them, and stays in the game until it has come to room 3.
    relations::Program program;
    constexpr std::uint32_t kRooms = 150;
    program.constants = kRooms + 2;
    program.arities = {2};
    program.roles = {kRooms};
    program.goal_values.assign(kRooms + 2, -1);
    const auto set = [&](const char* name, Level level, std::uint32_t arity, std::int32_t procedure) {
        program.sets.push_back({name, level, arity, procedure, {}});
        return static_cast<std::uint32_t>(program.sets.size() - 1);
    };
    program.true_set = set("true", Level::kState, 1, -1);
    program.does_set = set("does", Level::kJoint, 2, -1);
    program.init_set = set("init", Level::kStatic, 1, -1);
    program.sets.back().facts = {{0}};
    program.next_set = set("next", Level::kJoint, 1, 0);
    program.legal_set = set("legal", Level::kState, 2, 1);
    program.goal_set = set("goal", Level::kStatic, 2, -1);
    program.sees_set = set("sees", Level::kStatic, 2, -1);
    const std::uint32_t rooms = set("rooms", Level::kStatic, 1, -1);
    for (std::int32_t room = 0; room < static_cast<std::int32_t>(kRooms); ++room) program.sets.back().facts.push_back({room});
    program.terminal = 2;
    program.views = {{program.true_set, {-1}, 1}, {program.does_set, {-1, 0, -1, -1}, 3}, {rooms, {-1}, 1}};
    program.indexes = {{2, {}, {0}}, {1, {}, {0, 1, 2}}};
    // legal(role, step(x, y)) for rooms x and y, if the walker is in x.
    Operation first = operation(Kind::kScan, 0, {}, {0});
    Operation second = operation(Kind::kScan, 0, {}, {1});
    second.back = 0;
    second.iterator = 2;
    Operation here = operation(Kind::kTest, 0, {0});
    here.back = 1;
    here.fail = 0;
    Operation build = back(operation(Kind::kBuild, 0, {0, 1}), 1);
    build.out = 2;
    program.procedures = {
        {"next", Level::kJoint, 0, 1, false, {{3, 2, {operation(Kind::kScan, 1, {}, {-1, -1, 1}), back(operation(Kind::kEmit, 0, {1}), 0)}}}},
        {"legal", Level::kState, 0, 2, false, {{3, 4, {first, second, here, build, back(operation(Kind::kEmit, 0, {constant(kRooms), 2}), 1)}}}},
        {"terminal", Level::kState, 0, 0, false, {{1, 0, {operation(Kind::kTest, 0, {constant(3)}), operation(Kind::kEmit, 0, {})}}}}};
    const RelationsSimulator walk(program, {256, {1 << 15}, {64}}, {60, std::size_t{1} << 30});
    std::vector<Bits> state = walk.initial(kGoOn);
    for (int step = 0; step < 3; ++step) {
        const auto moves = walk.moves(state.data(), kGoOn).at(0);
        CHECK(moves.size() == kRooms);
        const std::uint32_t on = walk.move_number(0, {~0, step, step + 1});
        CHECK(std::find(moves.begin(), moves.end(), on) != moves.end());
        CHECK(!walk.is_terminal(state.data(), kGoOn));
        state = walk.after(state.data(), &on, kGoOn);
    }
    CHECK(walk.is_terminal(state.data(), kGoOn));
}

TEST("a row for which no instance passes does not end the search for others") {
    // A walker in several rooms at once steps on from any of them; from constants 4 and 5 there is no way. The pairs of
    // rooms are scanned without a key, so that it is the comparison with the room that fails, for every pair.
    relations::Program program = ring();
    program.sets[program.init_set].facts = {{4}, {0}, {5}};
    program.indexes.push_back({2, {}, {0, 1}});
    const auto pairs = static_cast<std::uint32_t>(program.indexes.size() - 1);
    Operation here = operation(Kind::kScan, 0, {}, {0});
    Operation pair = operation(Kind::kScan, pairs, {}, {1, 2});
    pair.back = 0;
    pair.iterator = 2;
    Operation build = back(operation(Kind::kBuild, 0, {2}), 1);
    build.out = 3;
    program.procedures[1].rules = {
        {4, 4, {here, pair, back(operation(Kind::kSame, 0, {0, 1}), 1), build, back(operation(Kind::kEmit, 0, {constant(4), 3}), 1)}}};
    const RelationsSimulator walk(program, {256, {64}, {64}}, {60, std::size_t{1} << 30});
    const std::vector<Bits> state = walk.initial(kGoOn);
    CHECK(walk.moves(state.data(), kGoOn).at(0) == std::vector<std::uint32_t>{walk.move_number(0, {~0, 1})});
}
