#include <algorithm>
#include <vector>

#include "builder.h"
#include "check.h"
#include "search/mcts/selection.h"

using namespace ludorum;
using namespace ludorum::testing;
using namespace ludorum::mcts;

namespace {

// A tree of one state in which one role has so many moves.
struct OneNode {
    OneNode(std::uint32_t moves, const Options& options)
        : shape{1, {moves}, {}, moves}, tree(shape, options), statistics(shape, options), sufficiency(1, options),
          selection(tree, statistics, sufficiency, 0) {
        const Bits state = 0;
        std::vector<Bits> legal(shape.legal_words());
        for (std::uint32_t move = 0; move < moves; ++move) legal[move / 64] |= Bits{1} << (move % 64);
        node = tree.add({&state, tree.expect(&state), legal.data(), false, nullptr}, 0).node;
    }

    // Some moves were tried before, with any result, and some are settled.
    OneNode(std::uint32_t moves, const Options& options, std::uint64_t seed) : OneNode(moves, options) {
        Generator random(seed);
        const Edges edges = node->edges(0);
        for (std::uint32_t e = 0; e < moves; ++e) {
            if (below(random, 3) == 0) continue;
            // Few different means, so that some are equal; some were tried more often than there are roots at hand.
            const std::uint32_t visits = 1 + below(random, below(random, 4) ? 30 : 3000);
            edges[e].come_back_before(visits, visits * Record::parts(static_cast<float>(below(random, 5)) / 4), false);
            node->count_walk(static_cast<std::int32_t>(visits), false);
            tree.refresh(edges.spot(e));
            if (below(random, 10) == 0) edges.spot(e).settle();
        }
    }

    // Which edges walks take that set out so many at a time.
    std::vector<std::uint32_t> edges_taken(std::uint32_t count, std::uint32_t at_a_time) {
        std::vector<Walk> walks(count);
        Random random(1);
        for (std::uint32_t first = 0; first < count; first += at_a_time) {
            std::vector<Walk*> some;
            for (std::uint32_t i = first; i < std::min(count, first + at_a_time); ++i) some.push_back(&walks[i]);
            selection.walk(node, 2, random, some);
        }
        std::vector<std::uint32_t> taken;
        for (const Walk& walk : walks) taken.push_back(2 * walk.steps.at(0).edge + walk.wants_node);
        return taken;
    }

    Shape shape;
    Tree tree;
    Statistics statistics;
    SufficiencyModel sufficiency;
    Selection selection;
    Node* node;
};

}  // namespace

TEST("walks that choose together choose as if one had set out after the other") {
    Generator random(31);
    for (int i = 0; i < 300; ++i) {
        Options options;
        options.memory = std::size_t{1} << 20;
        options.exploration = 0.1 * (1 + below(random, 20));
        options.virtual_loss = 0.5 * below(random, 3);
        const std::uint32_t moves = 2 + below(random, i % 2 ? 8 : 70), count = 2 + below(random, 400);
        const std::uint64_t seed = random();
        OneNode together(moves, options, seed), apart(moves, options, seed);
        CHECK(together.edges_taken(count, 1 + below(random, count)) == apart.edges_taken(count, 1));
        CHECK(together.node->walks.load() == apart.node->walks.load());
        for (std::uint32_t e = 0; e < moves; ++e) {
            CHECK(together.node->edges(0)[e].begun() == apart.node->edges(0)[e].begun());
            CHECK(together.node->edges(0).score(e) == apart.node->edges(0).score(e));
            CHECK(together.node->edges(0).doubt(e) == apart.node->edges(0).doubt(e));
        }
    }
}

TEST("threads at the same node prefer different moves, and together try those alike that are as good") {
    constexpr std::uint32_t kThreads = 2, kMoves = 8, kBefore = 10'000, kWalks = 64, kRounds = 40;
    Options options;
    options.memory = std::size_t{1} << 20;
    options.threads = kThreads;
    OneNode one(kMoves, options);
    // So often that walks in flight count for little.
    const Edges edges = one.node->edges(0);
    for (std::uint32_t e = 0; e < kMoves; ++e) {
        edges[e].come_back_before(kBefore, kBefore * Record::parts(0.5f), true);
        one.node->count_walk(kBefore, true);
        one.tree.refresh(edges.spot(e));
    }
    Selection other(one.tree, one.statistics, one.sufficiency, 1);
    Random random(1);
    std::vector<std::uint32_t> taken(kThreads * kMoves);
    for (std::uint32_t round = 0; round < kRounds * kThreads; ++round) {
        const std::uint32_t thread = round % kThreads;
        std::vector<Walk> walks(kWalks);
        std::vector<Walk*> all;
        for (Walk& walk : walks) all.push_back(&walk);
        (thread ? other : one.selection).walk(one.node, 2, random, all);
        for (const Walk& walk : walks) {
            const std::uint32_t e = walk.steps.at(0).edge;
            ++taken[thread * kMoves + e];
            edges[e].come_back(1, Record::parts(0.5f), true);
            one.tree.refresh(edges.spot(e));
        }
    }
    std::uint32_t met = 0, least = ~0u, most = 0;
    for (std::uint32_t e = 0; e < kMoves; ++e) {
        const std::uint32_t first = taken[e], second = taken[kMoves + e];
        met += std::min(first, second);
        least = std::min(least, first + second);
        most = std::max(most, first + second);
    }
    CHECK(10 * met < kThreads * kRounds * kWalks);
    CHECK(10 * (most - least) < most);
}

TEST("walks are counted alike, one by one or many at once, whether their number grows or falls") {
    Generator random(32);
    for (int i = 0; i < 200; ++i) {
        Node by_one, at_once;
        by_one.choosers = at_once.choosers = 1;
        const std::uint32_t from = below(random, 40), to = below(random, 40);
        at_once.count_walks_of(from, to);
        for (std::uint32_t now = from; now != to; now = to > from ? now + 1 : now - 1) by_one.count_walks_of(now, to > from ? now + 1 : now - 1);
        CHECK(by_one.walks.load() == at_once.walks.load());
    }
}
