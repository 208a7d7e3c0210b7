#include "selection.h"

#include <algorithm>
#include <cmath>

namespace ludorum::mcts {
namespace {

// States can be reached again, so a walk might never end.
constexpr std::size_t kLongestWalk = 4096;

// sqrt(log(visits)), taken anew when they have grown by a sixteenth: then it is right to within a hundredth.
float root_of_log(Node& node) {
    const std::uint32_t all = node.visits + node.pending;
    if (all > node.logged + node.logged / 16 || all < node.logged) {
        node.logged = all;
        node.log = std::sqrt(std::log(static_cast<float>(all)));
    }
    return node.log;
}

// The edge with the largest score + factor * doubt; one of the first of equals. Four at a time, because this is what a
// walk spends its time with.
std::uint32_t best(const Edges& edges, float factor) {
    typedef float Four __attribute__((vector_size(16)));
    typedef float FourAnywhere __attribute__((vector_size(16), aligned(4), may_alias));
    typedef std::int32_t Numbers __attribute__((vector_size(16)));
    const float *score = edges.score, *doubt = edges.doubt();
    const auto count = static_cast<std::int32_t>(edges.count);
    std::int32_t e = 0;
    Four most = Four{} - 1e30f;
    Numbers found = {0, 0, 0, 0}, here = {0, 1, 2, 3};
    for (; e + 4 <= count; e += 4, here += 4) {
        const Four value = *reinterpret_cast<const FourAnywhere*>(score + e) + factor * *reinterpret_cast<const FourAnywhere*>(doubt + e);
        const Numbers is_more = value > most;
        most = is_more ? value : most;
        found = is_more ? here : found;
    }
    float top = most[0];
    std::int32_t best = found[0];
    for (int i = 1; i < 4; ++i)
        if (most[i] > top) {
            top = most[i];
            best = found[i];
        }
    for (; e < count; ++e)
        if (const float value = score[e] + factor * doubt[e]; value > top) {
            top = value;
            best = e;
        }
    return static_cast<std::uint32_t>(best);
}

// Any of those that come close to the largest. Where several choose at once, choices that follow from the same counts
// would go together, as if each knew the others'.
std::uint32_t one_of_the_best(const Edges& edges, float factor, Random& random) {
    constexpr float kClose = 0.05f;
    const std::uint32_t first = best(edges, factor);
    const float enough = edges.score[first] + factor * edges.doubt()[first] - kClose;
    std::uint32_t found = first, close = 0;
    for (std::uint32_t e = 0; e < edges.count; ++e)
        if (edges.score[e] + factor * edges.doubt()[e] >= enough && random.below(++close) == 0) found = e;
    return found;
}

}  // namespace

bool Selection::uses_rave(Node& root) const {
    const Options& options = tree_.options();
    if (options.rave != Rave::kAdaptive) return options.rave == Rave::kAlways;
    // RAVE is used while it was too optimistic for more playouts than it was too pessimistic for (adaptive RAVE).
    const Guard guard(root, options.threads > 1);
    std::uint64_t optimistic = 0, pessimistic = 0;
    for (std::size_t r = 0; r < tree_.shape().roles(); ++r) {
        const Edges& edges = root.edges[r];
        for (std::uint32_t e = 0; edges.count > 1 && e < edges.count; ++e) {
            if (!edges[e].visits || !edges.later(e).visits) continue;
            const double surplus = double{edges.later(e).mean} - edges[e].mean - options.rave_margin;
            if (surplus > 0) optimistic += edges[e].visits;
            else if (surplus < 0) pessimistic += edges[e].visits;
        }
    }
    return optimistic > pessimistic;
}

// One of the moves that were never tried, as playouts would choose.
std::uint32_t Selection::untried(const Edges& edges, std::size_t role, const Context& context, Random& random) const {
    std::vector<std::uint32_t> open, moves;
    for (std::uint32_t e = 0; e < edges.count; ++e)
        if (edges[e].visits + edges[e].pending == 0) {
            open.push_back(e);
            moves.push_back(edges.move[e]);
        }
    return open[statistics_.choose(role, moves, context, random)];
}

std::uint32_t Selection::choose(Node& node, std::size_t role, bool has_rave, const Context& context, Random& random) const {
    const Options& options = tree_.options();
    const Edges& edges = node.edges[role];
    if (static_cast<std::int32_t>(role) == options.chance_role) return random.below(edges.count);
    if (node.untried && options.policy != Policy::kUniform && !has_rave) return untried(edges, role, context, random);
    double exploration = options.exploration;
    if (options.sufficiency != Sufficiency::kNever) {
        float most = 0;
        for (std::uint32_t e = 0; e < edges.count; ++e)
            if (edges[e].visits) most = std::max(most, edges[e].mean);
        if (sufficiency_.is_enough(role, most, random)) exploration = 0;
    }
    const float factor = static_cast<float>(exploration) * root_of_log(node);
    if (!has_rave) {
        // A move that was never tried is tried first even where nothing else is explored.
        const float weight = exploration == 0 ? 1e-3f : factor;
        return node.choosers == 1 ? best(edges, weight) : one_of_the_best(edges, weight, random);
    }

    const auto all = static_cast<float>(node.visits + node.pending);
    const auto k = static_cast<float>(options.rave_equivalence);
    const float weight = std::sqrt(k / (3 * all + k));
    std::uint32_t found = 0, equals = 0;
    float most = -1e30f;
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        if (edges.score[e] == kSettled) continue;
        // A move that was never tried is taken for the best possible, so that it is preferred to one that is not.
        const bool is_new = edges[e].visits + edges[e].pending == 0;
        float value = is_new ? 1.0f : edges.score[e] + factor * edges.doubt()[e];
        if (edges.later(e).visits) value = (1 - weight) * value + weight * edges.later(e).mean;
        if (value < most) continue;
        equals = value > most ? 1 : equals + 1;
        if (value > most || random.below(equals) == 0) found = e;
        most = value;
    }
    return found;
}

// One move further; the node that comes next, or null at the end of the walk.
Node* Selection::step(Node* node, bool is_locked, bool has_rave, std::uint32_t expand_at, Random& random, Walk& walk) const {
    const Options& options = tree_.options();
    const std::size_t roles = tree_.shape().roles(), first = walk.edges.size();
    walk.nodes.push_back(node);
    walk.edges.resize(first + roles);
    std::uint32_t* joint = walk.edges.data() + first;
    std::uint32_t tries = expand_at;
    walk.end = nullptr;
    std::vector<std::uint32_t> before;
    Context context;
    if (node->untried && options.policy == Policy::kNst) {
        const std::size_t steps = walk.nodes.size() - 1;
        walk.add_moves(steps - std::min<std::size_t>(steps, 2), roles, before);
        before.resize(before.size() - roles);
        if (steps >= 1) context.last = before.data() + before.size() - roles;
        if (steps >= 2) context.last_but_one = before.data();
    }
    {
        const Guard guard(*node, options.threads > 1 && !is_locked);
        ++node->pending;
        for (std::size_t r = 0; r < roles; ++r) {
            const Edges& edges = node->edges[r];
            joint[r] = 0;
            if (edges.count > 1) {
                const std::uint32_t e = joint[r] = choose(*node, r, has_rave, context, random);
                Record& record = edges[e];
                if (node->untried && record.visits + record.pending == 0) --node->untried;
                ++record.pending;
                tree_.refresh(edges, e);
                if (node->choosers == 1) {
                    walk.end = record.child;
                    tries = record.visits + record.pending;
                }
            }
        }
    }
    if (node->choosers != 1) walk.end = tree_.linked(*node, joint);
    walk.wants_node = tries >= expand_at;
    if (walk.end) prefetch(walk.end);
    return walk.end && walk.nodes.size() < kLongestWalk ? walk.end : nullptr;
}

void Selection::walk(Node* root, std::uint32_t expand_at, Random& random, std::span<Walk* const> walks) const {
    constexpr std::size_t kSideBySide = 32;
    const bool has_rave = uses_rave(*root);
    Node* at[kSideBySide];
    for (std::size_t first = 0; first < walks.size(); first += kSideBySide) {
        const std::size_t count = std::min(kSideBySide, walks.size() - first);
        {
            // The root is what all threads want at the same time: held once for all of them it changes hands seldom.
            const Guard guard(*root, tree_.options().threads > 1);
            for (std::size_t i = 0; i < count; ++i) {
                walks[first + i]->clear();
                at[i] = step(root, true, has_rave, expand_at, random, *walks[first + i]);
            }
        }
        for (bool is_on = true; is_on;) {
            is_on = false;
            for (std::size_t i = 0; i < count; ++i) {
                if (!at[i]) continue;
                // Looked at only now, because the node had to come from memory.
                if (at[i]->is_solved.load(std::memory_order_relaxed)) {
                    at[i] = nullptr;
                    continue;
                }
                at[i] = step(at[i], false, has_rave, expand_at, random, *walks[first + i]);
                is_on |= at[i] != nullptr;
            }
        }
    }
}

}  // namespace ludorum::mcts
