#include <memory>

#include "circuit/circuit_simulator.h"
#include "engine/symmetries.h"
#include "search/minimax/minimax.h"
#include "tests/builder.h"
#include "tests/check.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

// All rotations of a ring of fluents; move i is about fluent i, and the second role has one move.
Symmetries rotations(std::uint32_t size) {
    std::vector<std::vector<std::uint32_t>> fluents, moves;
    for (std::uint32_t shift = 1; shift < size; ++shift) {
        std::vector<std::uint32_t> images(size);
        for (std::uint32_t i = 0; i < size; ++i) images[i] = (i + shift) % size;
        fluents.push_back(images);
        images.push_back(size);
        moves.push_back(images);
    }
    return Symmetries(size, {size, 1}, fluents, moves);
}

}  // namespace

TEST("all images of a state are stood for by the same one") {
    const Symmetries ring = rotations(70);
    CHECK(ring.size() == 70);
    Generator random(1);
    for (int i = 0; i < 50; ++i) {
        const std::vector<Bits> state{random(), random() & 63};
        std::vector<Bits> expected(2), image(2), row(2);
        const Symmetries::Image first = ring.canonical(state.data(), expected.data());
        for (std::uint32_t element = 0; element < ring.size(); ++element) {
            ring.image(element, state.data(), image.data());
            const Symmetries::Image found = ring.canonical(image.data(), row.data());
            CHECK(row == expected);
            CHECK(found.key == first.key);
            ring.image(found.element, image.data(), row.data());
            CHECK(row == expected);
        }
    }
}

TEST("a state that no symmetry changes is left as it is") {
    const Symmetries ring = rotations(8);
    const std::vector<Bits> all{255};
    std::vector<Bits> row(1);
    CHECK(ring.canonical(all.data(), row.data()).element == 0);
    CHECK(row == all);
}

TEST("moves go with their fluents, and back") {
    const Symmetries ring = rotations(8);
    for (std::uint32_t element = 0; element < ring.size(); ++element) {
        CHECK(ring.move(element, 8) == 8);
        for (std::uint32_t move = 0; move < 8; ++move) {
            CHECK(ring.move_back(element, ring.move(element, move)) == move);
            const std::vector<Bits> one{Bits{1} << move};
            std::vector<Bits> image(1);
            ring.image(element, one.data(), image.data());
            CHECK(image[0] == Bits{1} << ring.move(element, move));
        }
    }
}

TEST("what is no symmetry of fluents and moves is refused") {
    using Lists = std::vector<std::vector<std::uint32_t>>;
    CHECK_THROWS(std::invalid_argument, "no permutation of the fluents", Symmetries(2, {}, Lists{{0, 0}}, {}));
    CHECK_THROWS(std::invalid_argument, "no permutation of the fluents", Symmetries(2, {}, Lists{{0, 1, 2}}, {}));
    CHECK_THROWS(std::invalid_argument, "no permutation of the moves", Symmetries(2, {2}, Lists{{1, 0}}, Lists{{1, 1}}));
    CHECK_THROWS(std::invalid_argument, "to another role", Symmetries(2, {1, 1}, Lists{{1, 0}}, Lists{{1, 0}}));
    CHECK_THROWS(std::invalid_argument, "of fluents and of moves", Symmetries(2, {1}, Lists{{1, 0}, {0, 1}}, Lists{{0}}));
}

TEST("minimax finds the same values with symmetries, and looks at fewer states") {
    // Two roles take lamps of a ring in turn, any lamp that is off; fluent 9 says whose turn it is. Who lights the second
    // of two neighbours that are both on loses; the ring turns.
    constexpr std::uint32_t kSize = 9;
    Builder builder(kSize + 1, {kSize + 1, kSize + 1});
    const auto lamp = [&](std::uint32_t i) { return builder.fluent(i % kSize); };
    const auto second = builder.fluent(kSize);
    std::vector<std::uint32_t> apart;
    for (std::uint32_t i = 0; i < kSize; ++i) {
        builder.next(i) = builder.all_of({lamp(i) ^ 1u, builder.move(0, i) ^ 1u, builder.move(1, i) ^ 1u}) ^ 1u;
        builder.legal(0, i) = builder.all_of({lamp(i) ^ 1u, second ^ 1u});
        builder.legal(1, i) = builder.all_of({lamp(i) ^ 1u, second});
        apart.push_back(builder.all_of({lamp(i), lamp(i + 1)}) ^ 1u);
    }
    builder.legal(0, kSize) = second;
    builder.legal(1, kSize) = second ^ 1u;
    builder.next(kSize) = second ^ 1u;
    builder.terminal() = builder.all_of(apart) ^ 1u;
    // The one whose turn it is did not do it.
    builder.goal(0, 100, second ^ 1u);
    builder.goal(0, 0, second);
    builder.goal(1, 100, second);
    builder.goal(1, 0, second ^ 1u);
    const CircuitSimulator simulator(builder.circuit());
    std::vector<std::vector<std::uint32_t>> fluents, moves;
    for (std::uint32_t shift = 1; shift < kSize; ++shift) {
        std::vector<std::uint32_t> images(kSize + 1), of_moves;
        for (std::uint32_t i = 0; i < kSize; ++i) images[i] = (i + shift) % kSize;
        images[kSize] = kSize;
        for (std::uint32_t role = 0; role < 2; ++role)
            for (std::uint32_t image : images) of_moves.push_back(role * (kSize + 1) + image);
        fluents.push_back(images);
        moves.push_back(of_moves);
    }
    const std::vector<Bits> start{0};
    const std::atomic<std::int32_t> go_on{0};
    for (const minimax::Sum sum : {minimax::Sum::kConstant, minimax::Sum::kVaries}) {
        minimax::Options options;
        options.sum_is = sum;
        minimax::Minimax plain(simulator, nullptr, options);
        options.symmetries = std::make_shared<Symmetries>(kSize + 1, std::vector<std::uint32_t>{kSize + 1, kSize + 1}, fluents, moves);
        minimax::Minimax merged(simulator, nullptr, options);
        const minimax::Report expected = plain.search(start.data(), {}, go_on), found = merged.search(start.data(), {}, go_on);
        CHECK(expected.is_proved && found.is_proved);
        CHECK(expected.values == found.values);
        CHECK(found.uses_symmetries && !expected.uses_symmetries);
        CHECK(2 * found.counts.states < expected.counts.states);
        CHECK(found.counts.spared > 0 && expected.counts.spared == 0);
        // Every move of the line is legal, so it was told in the right numbers; and it ends as it was promised to.
        std::vector<Bits> state = start, next(1), legal(1);
        std::uint8_t terminal = 0;
        for (std::size_t i = 0; i < found.line.size(); i += 2) {
            simulator.terminal_and_legal(state.data(), 1, &terminal, legal.data());
            CHECK(!terminal);
            CHECK(legal[0] >> found.line[i] & 1);
            CHECK(legal[0] >> (kSize + 1 + found.line[i + 1]) & 1);
            simulator.step(state.data(), 1, found.line.data() + i, next.data());
            state = next;
        }
        simulator.terminal_and_legal(state.data(), 1, &terminal, legal.data());
        CHECK(terminal);
        std::vector<std::int16_t> goals(2);
        simulator.goals(state.data(), 1, goals.data());
        CHECK(static_cast<float>(goals[0]) == found.values[0]);
    }
}
