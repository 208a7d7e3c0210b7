#include <vector>

#include "builder.h"
#include "check.h"
#include "search/mcts/selection.h"

using namespace ludorum;
using namespace ludorum::testing;
using namespace ludorum::mcts;

namespace {

// A tree of one state in which one role has so many moves, some of them tried before with any result, some settled.
struct OneNode {
    OneNode(std::uint32_t moves, const Options& options, std::uint64_t seed)
        : shape{1, {moves}, {}, moves}, tree(shape, options), statistics(shape, options), sufficiency(1, options),
          selection(tree, statistics, sufficiency) {
        const Bits state = 0;
        std::vector<Bits> legal(shape.legal_words());
        for (std::uint32_t move = 0; move < moves; ++move) legal[move / 64] |= Bits{1} << (move % 64);
        node = tree.add({&state, tree.expect(&state), legal.data(), false, nullptr}, 0).node;
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
