#include <algorithm>
#include <vector>

#include "search/mcts/selection.h"
#include "tests/builder.h"
#include "tests/check.h"

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
            edges[e].add_prior(visits, visits * EdgeStats::parts(static_cast<float>(below(random, 5)) / 4), false);
            node->count_visit(static_cast<std::int32_t>(visits), false);
            tree.refresh(edges.ref(e));
            if (below(random, 10) == 0) edges.ref(e).settle();
        }
    }

    // Which edges paths take that set out so many at a time.
    std::vector<std::uint32_t> edges_taken(std::uint32_t count, std::uint32_t at_a_time) {
        std::vector<SelectedPath> paths(count);
        Random random(1);
        for (std::uint32_t first = 0; first < count; first += at_a_time) {
            std::vector<SelectedPath*> some;
            for (std::uint32_t i = first; i < std::min(count, first + at_a_time); ++i) some.push_back(&paths[i]);
            selection.select(node, 2, random, some);
        }
        std::vector<std::uint32_t> taken;
        for (const SelectedPath& path : paths) taken.push_back(2 * path.steps.at(0).edge + path.wants_node);
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

TEST("paths that choose together choose as if one had set out after the other") {
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
        CHECK(together.node->visits.load() == apart.node->visits.load());
        for (std::uint32_t e = 0; e < moves; ++e) {
            CHECK(together.node->edges(0)[e].started() == apart.node->edges(0)[e].started());
            CHECK(together.node->edges(0).score(e) == apart.node->edges(0).score(e));
            CHECK(together.node->edges(0).exploration_term(e) == apart.node->edges(0).exploration_term(e));
        }
    }
}

TEST("threads at the same node prefer different moves, and together try those alike that are as good") {
    constexpr std::uint32_t kThreads = 2, kMoves = 8, kBefore = 10'000, kWalks = 64, kRounds = 40;
    Options options;
    options.memory = std::size_t{1} << 20;
    options.threads = kThreads;
    OneNode one(kMoves, options);
    // So often that paths in flight count for little.
    const Edges edges = one.node->edges(0);
    for (std::uint32_t e = 0; e < kMoves; ++e) {
        edges[e].add_prior(kBefore, kBefore * EdgeStats::parts(0.5f), true);
        one.node->count_visit(kBefore, true);
        one.tree.refresh(edges.ref(e));
    }
    Selection other(one.tree, one.statistics, one.sufficiency, 1);
    Random random(1);
    std::vector<std::uint32_t> taken(kThreads * kMoves);
    for (std::uint32_t round = 0; round < kRounds * kThreads; ++round) {
        const std::uint32_t thread = round % kThreads;
        std::vector<SelectedPath> paths(kWalks);
        std::vector<SelectedPath*> all;
        for (SelectedPath& path : paths) all.push_back(&path);
        (thread ? other : one.selection).select(one.node, 2, random, all);
        for (const SelectedPath& path : paths) {
            const std::uint32_t e = path.steps.at(0).edge;
            ++taken[thread * kMoves + e];
            edges[e].complete(1, EdgeStats::parts(0.5f), true);
            one.tree.refresh(edges.ref(e));
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

TEST("paths are counted alike, one by one or many at once, whether their number grows or falls") {
    Generator random(32);
    for (int i = 0; i < 200; ++i) {
        Node by_one, at_once;
        by_one.choosers = at_once.choosers = 1;
        const std::uint32_t from = below(random, 40), to = below(random, 40);
        at_once.count_visits_of(from, to);
        for (std::uint32_t now = from; now != to; now = to > from ? now + 1 : now - 1) by_one.count_visits_of(now, to > from ? now + 1 : now - 1);
        CHECK(by_one.visits.load() == at_once.visits.load());
    }
}
