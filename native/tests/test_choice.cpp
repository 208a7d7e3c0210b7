#include <algorithm>
#include <bit>

#include "circuit/choice.h"
#include "tests/builder.h"
#include "tests/check.h"
#include "tests/chi_squared.h"
#include "tests/widths.h"

using namespace ludorum;
using namespace ludorum::circuit;
using namespace ludorum::testing;

namespace {

// One step in which each role makes a move; its goal is the number of the move.
Builder one_step(const std::vector<std::uint32_t>& moves) {
    std::uint32_t all = 0;
    for (std::uint32_t of_role : moves) all += of_role;
    Builder builder(1 + all, moves);
    builder.terminal() = builder.fluent(0);
    builder.next(0) = kTrue;
    std::uint32_t fluent = 1;
    for (std::uint32_t role = 0; role < moves.size(); ++role)
        for (std::uint32_t move = 0; move < moves[role]; ++move, ++fluent) {
            builder.next(fluent) = builder.move(role, move);
            builder.goal(role, static_cast<int>(move), builder.fluent(fluent));
        }
    return builder;
}

State first_state(const Builder& builder) { return State(builder.circuit().fluents, false); }

// `legal` numbers below `moves`, ascending and unevenly spread.
std::vector<std::uint32_t> some_numbers(Generator& random, std::uint32_t moves, std::uint32_t legal) {
    std::vector<std::uint32_t> numbers(moves);
    for (std::uint32_t move = 0; move < moves; ++move) numbers[move] = move;
    for (std::uint32_t i = 0; i < legal; ++i) std::swap(numbers[i], numbers[i + below(random, moves - i)]);
    numbers.resize(legal);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

// How often each of these numbers was chosen; an unexpected one is a failure.
std::vector<std::uint64_t> count(const std::vector<std::uint32_t>& numbers, const std::vector<std::int16_t>& chosen) {
    std::vector<std::uint64_t> counts(numbers.size(), 0);
    for (std::int16_t move : chosen) {
        const auto found = std::find(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(move));
        CHECK(found != numbers.end());
        if (found != numbers.end()) ++counts[found - numbers.begin()];
    }
    return counts;
}

constexpr std::uint32_t kLegalCounts[] = {1, 2, 3, 7, 15, 16, 31, 100, 500};
// Among so many moves; not a multiple, so that the gaps between legal ones cannot all be equal.
constexpr std::uint32_t all_moves(std::uint32_t legal) { return 3 * legal + 1; }
std::uint64_t enough_playouts(std::uint32_t legal) { return std::max<std::uint64_t>(20'000, 100 * legal); }

}  // namespace

TEST("the tree of choices covers every move once, and its counts fit their planes") {
    CHECK(choice_tree(0).nodes.empty());
    for (std::uint32_t moves = 1; moves < 700; ++moves) {
        const ChoiceTree tree = choice_tree(moves);
        std::uint32_t next_move = 0, planes = 0;
        std::vector<std::uint32_t> leaves, parents(tree.nodes.size(), 0);
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const ChoiceNode& node = tree.nodes[i];
            if (i < tree.groups) {
                CHECK(node.left == next_move);
                CHECK(node.right >= 1 && node.right <= kGroupSize);
                next_move += node.right;
                leaves.push_back(node.right);
            } else {
                CHECK(node.left < i && node.right < i);
                ++parents[node.left];
                ++parents[node.right];
                leaves.push_back(leaves[node.left] + leaves[node.right]);
            }
            CHECK(node.bits == static_cast<std::uint32_t>(std::bit_width(leaves.back())));
            CHECK(node.planes == planes);
            planes += node.bits;
        }
        CHECK(next_move == moves);
        CHECK(leaves.back() == moves);
        CHECK(tree.planes == planes);
        for (std::size_t i = 0; i + 1 < parents.size(); ++i) CHECK(parents[i] == 1);
    }
}

TEST("every legal move is equally likely, whatever their number") {
    Generator random(7);
    for (std::uint32_t legal : kLegalCounts) {
        Builder builder = one_step({all_moves(legal)});
        const auto numbers = some_numbers(random, all_moves(legal), legal);
        for (std::uint32_t move = 0; move < all_moves(legal); ++move)
            builder.legal(0, move) = std::binary_search(numbers.begin(), numbers.end(), move) ? kTrue : kFalse;
        for (const Width& width : every_width(builder.circuit())) {
            const Played played = play(width, first_state(builder), enough_playouts(legal), 11);
            CHECK(uniformity(count(numbers, played.goals)).is_plausible());
        }
    }
}

TEST("a chooser that favours moves after a gap would be noticed") {
    // The usual mistake: a random place among all moves, and from there the next legal one. The same moves and the
    // same number of playouts as above.
    Generator random(7);
    for (std::uint32_t legal : kLegalCounts) {
        const auto numbers = some_numbers(random, all_moves(legal), legal);
        if (legal == 1) continue;
        Generator places(12);
        std::vector<std::int16_t> chosen;
        for (std::uint64_t i = 0; i < enough_playouts(legal); ++i) {
            const auto found = std::lower_bound(numbers.begin(), numbers.end(), below(places, all_moves(legal)));
            chosen.push_back(static_cast<std::int16_t>(found == numbers.end() ? numbers.front() : *found));
        }
        CHECK(!uniformity(count(numbers, chosen)).is_plausible());
    }
}

TEST("a chooser that takes random bits modulo the number of moves would be noticed") {
    for (std::uint32_t legal : kLegalCounts) {
        if (std::has_single_bit(legal)) continue;
        Generator bits(13);
        std::vector<std::uint64_t> counts(legal, 0);
        for (std::uint64_t i = 0; i < enough_playouts(legal); ++i) ++counts[(bits() % (2 * std::bit_ceil(legal))) % legal];
        CHECK(!uniformity(counts).is_plausible());
    }
}

TEST("lanes with different numbers of legal moves choose uniformly side by side") {
    // The first step chooses a number n below 40, the second one of n + 1 moves; n + 1 is then told by a second role.
    constexpr std::uint32_t kMost = 40;
    Builder builder(2 + 2 * kMost, {kMost, 1});
    const Literal started = builder.fluent(0), over = builder.fluent(1);
    builder.next(0) = kTrue;
    builder.next(1) = started;
    builder.terminal() = over;
    for (std::uint32_t i = 0; i < kMost; ++i) {
        const Literal limit = builder.fluent(2 + i);
        builder.next(2 + i) = builder.any_of({limit, builder.all_of({builder.move(0, i), negated(started)})});
        builder.next(2 + kMost + i) = builder.all_of({builder.move(0, i), started});
        builder.goal(0, static_cast<int>(i), builder.fluent(2 + kMost + i));
    }
    for (std::uint32_t i = 0; i < kMost; ++i) {
        builder.goal(1, static_cast<int>(i), builder.fluent(2 + i));
        std::vector<Literal> at_least{negated(started)};
        for (std::uint32_t limit = i; limit < kMost; ++limit) at_least.push_back(builder.fluent(2 + limit));
        builder.legal(0, i) = builder.any_of(at_least);
    }
    for (const Width& width : every_width(builder.circuit())) {
        const Played played = play(width, first_state(builder), 200'000, 14);
        std::vector<std::vector<std::uint64_t>> counts;
        for (std::uint32_t limit = 0; limit < kMost; ++limit) counts.emplace_back(limit + 1, 0);
        for (std::size_t i = 0; i < played.lengths.size(); ++i) {
            const auto move = played.goals[2 * i], limit = played.goals[2 * i + 1];
            CHECK(move >= 0 && move <= limit);
            if (move >= 0 && move <= limit) ++counts[limit][move];
        }
        for (const auto& of_limit : counts) CHECK(uniformity(of_limit).is_plausible());
    }
}

TEST("roles that move at once choose independently") {
    Builder builder = one_step({3, 5, 2});
    builder.legal(1, 3) = kFalse;
    for (const Width& width : every_width(builder.circuit())) {
        const Played played = play(width, first_state(builder), 24'000, 15);
        std::vector<std::uint64_t> table(3 * 4 * 2, 0);
        for (std::size_t i = 0; i < played.lengths.size(); ++i) {
            const auto *joint = &played.goals[3 * i];
            ++table[(joint[0] * 4 + std::min<int>(joint[1], 3)) * 2 + joint[2]];
        }
        CHECK(uniformity(table).is_plausible());
    }
}

TEST("successive steps choose independently") {
    // Two steps of one role among five; the first move is told by the goal of a second role.
    Builder builder(12, {5, 1});
    const Literal started = builder.fluent(0);
    builder.next(0) = kTrue;
    builder.next(1) = started;
    builder.terminal() = builder.fluent(1);
    for (std::uint32_t i = 0; i < 5; ++i) {
        const Literal first = builder.all_of({builder.move(0, i), negated(started)});
        builder.next(2 + i) = builder.any_of({builder.fluent(2 + i), first});
        builder.next(7 + i) = builder.all_of({builder.move(0, i), started});
        builder.goal(0, static_cast<int>(i), builder.fluent(7 + i));
    }
    for (std::uint32_t i = 0; i < 5; ++i) builder.goal(1, static_cast<int>(i), builder.fluent(2 + i));
    for (const Width& width : every_width(builder.circuit())) {
        const Played played = play(width, first_state(builder), 25'000, 16);
        std::vector<std::uint64_t> table(25, 0);
        for (std::size_t i = 0; i < played.lengths.size(); ++i) ++table[5 * played.goals[2 * i] + played.goals[2 * i + 1]];
        CHECK(uniformity(table).is_plausible());
    }
}

TEST("neighbouring lanes and blocks choose independently") {
    const Builder builder = one_step({6});
    for (const Width& width : every_width(builder.circuit()))
        for (std::size_t apart : {1, 64, 256}) {
            const Played played = play(width, first_state(builder), 1 << 16, 17);
            std::vector<std::uint64_t> table(36, 0);
            for (std::size_t i = 0; i + apart < played.goals.size(); i += 2 * apart)
                for (std::size_t j = i; j < i + apart; ++j) ++table[6 * played.goals[j] + played.goals[j + apart]];
            CHECK(uniformity(table).is_plausible());
        }
}
