#include "selection.h"

#include <algorithm>
#include <cmath>

namespace ludorum::mcts {
namespace {

// States can be reached again, so a walk might never end.
constexpr std::size_t kLongestWalk = 4096;

// sqrt(log(walks)), taken anew when they have grown by a sixteenth: then it is right to within a hundredth.
float root_of_log(Node& node) {
    if (node.walks > node.logged + node.logged / 16 || node.walks < node.logged) {
        node.logged = node.walks;
        node.log = std::sqrt(std::log(static_cast<float>(node.walks)));
    }
    return node.log;
}

// The edge with the largest score + factor * doubt; one of the first of equals. Four at a time, because this is what a
// walk spends its time with.
std::uint32_t best(const Edges& edges, float factor) {
    typedef float Values __attribute__((vector_size(16), may_alias));
    typedef std::int32_t Numbers __attribute__((vector_size(16)));
    Values most = Values{} - 1e30f;
    Numbers found = {0, 0, 0, 0}, here = {0, 1, 2, 3};
    for (const Four& four : edges.fours()) {
        const Values value = *reinterpret_cast<const Values*>(four.score) + factor * *reinterpret_cast<const Values*>(four.doubt);
        const Numbers is_more = value > most;
        most = is_more ? value : most;
        found = is_more ? here : found;
        here += 4;
    }
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (most[i] > most[best]) best = i;
    return static_cast<std::uint32_t>(found[best]);
}

// Any of those that come close to the largest. Where several choose at once, choices that follow from the same counts
// would go together, as if each knew the others'.
std::uint32_t one_of_the_best(const Edges& edges, float factor, Random& random) {
    constexpr float kClose = 0.05f;
    const std::uint32_t first = best(edges, factor);
    const float enough = edges.score(first) + factor * edges.doubt(first) - kClose;
    std::uint32_t found = first, close = 0;
    for (std::uint32_t e = 0; e < edges.count; ++e)
        if (edges.score(e) + factor * edges.doubt(e) >= enough && random.below(++close) == 0) found = e;
    return found;
}

}  // namespace

Selection::Selection(Tree& tree, const Statistics& statistics, const SufficiencyModel& sufficiency)
    : tree_(tree),
      statistics_(statistics),
      sufficiency_(sufficiency),
      exploration_(static_cast<float>(tree.options().exploration)),
      is_plain_(tree.options().policy == Policy::kUniform && tree.options().rave == Rave::kNever &&
                tree.options().sufficiency == Sufficiency::kNever && exploration_ > 0) {}

bool Selection::uses_rave(Node& root) const {
    const Options& options = tree_.options();
    if (options.rave != Rave::kAdaptive) return options.rave == Rave::kAlways;
    // RAVE is used while it was too optimistic for more playouts than it was too pessimistic for (adaptive RAVE).
    const Guard guard(root, options.threads > 1);
    std::uint64_t optimistic = 0, pessimistic = 0;
    for (std::size_t r = 0; r < tree_.shape().roles(); ++r) {
        if (root.count(r) < 2) continue;
        const Edges edges = root.edges(r);
        for (std::uint32_t e = 0; e < edges.count; ++e) {
            if (!edges[e].visits || !edges.later(e).visits) continue;
            const double surplus = double{edges.later(e).mean} - edges[e].mean() - options.rave_margin;
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
            moves.push_back(edges.move(e));
        }
    return open[statistics_.choose(role, moves, context, random)];
}

std::uint32_t Selection::choose(Node& node, std::size_t role, bool has_rave, const Context& context, Random& random) const {
    const Options& options = tree_.options();
    const Edges edges = node.edges(role);
    if (static_cast<std::int32_t>(role) == options.chance_role) return random.below(edges.count);
    if (node.untried && options.policy != Policy::kUniform && !has_rave) return untried(edges, role, context, random);
    double exploration = options.exploration;
    if (options.sufficiency != Sufficiency::kNever) {
        float most = 0;
        for (std::uint32_t e = 0; e < edges.count; ++e)
            most = std::max(most, edges[e].mean());
        if (sufficiency_.is_enough(role, most, random)) exploration = 0;
    }
    const float factor = static_cast<float>(exploration) * root_of_log(node);
    if (!has_rave) {
        // A move that was never tried is tried first even where nothing else is explored.
        const float weight = exploration == 0 ? 1e-3f : factor;
        return node.choosers == 1 ? best(edges, weight) : one_of_the_best(edges, weight, random);
    }

    const auto all = static_cast<float>(node.walks);
    const auto k = static_cast<float>(options.rave_equivalence);
    const float weight = std::sqrt(k / (3 * all + k));
    std::uint32_t found = 0, equals = 0;
    float most = -1e30f;
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        if (edges.score(e) == kSettled) continue;
        // A move that was never tried is taken for the best possible, so that it is preferred to one that is not.
        const bool is_new = edges[e].visits + edges[e].pending == 0;
        float value = is_new ? 1.0f : edges.score(e) + factor * edges.doubt(e);
        if (edges.later(e).visits) value = (1 - weight) * value + weight * edges.later(e).mean;
        if (value < most) continue;
        equals = value > most ? 1 : equals + 1;
        if (value > most || random.below(equals) == 0) found = e;
        most = value;
    }
    return found;
}

// One move further; the node that comes next, or null at the end of the walk. Requires: the node's lock.
Node* Selection::step(Node& node, bool has_rave, std::uint32_t expand_at, Random& random, Walk& walk) const {
    const std::size_t roles = tree_.shape().roles(), first = walk.edges.size();
    walk.nodes.push_back(&node);
    walk.edges.resize(first + roles);
    std::uint32_t* joint = walk.edges.data() + first;
    std::vector<std::uint32_t> before;
    Context context;
    if (node.untried && tree_.options().policy == Policy::kNst) {
        const std::size_t steps = walk.nodes.size() - 1;
        walk.add_moves(steps - std::min<std::size_t>(steps, 2), roles, before);
        before.resize(before.size() - roles);
        if (steps >= 1) context.last = before.data() + before.size() - roles;
        if (steps >= 2) context.last_but_one = before.data();
    }
    ++node.walks;
    const auto choose_for = [&](std::size_t role) -> Record& {
        const Edges edges = node.edges(role);
        const bool is_plain = is_plain_ && node.choosers == 1 && static_cast<std::int32_t>(role) != tree_.options().chance_role;
        const std::uint32_t e = joint[role] = is_plain ? best(edges, exploration_ * root_of_log(node))
                                                       : choose(node, role, has_rave, context, random);
        Record& record = edges[e];
        if (node.untried && record.visits + record.pending == 0) --node.untried;
        ++record.pending;
        tree_.refresh(edges, e);
        return record;
    };
    if (node.choosers == 1) {
        const Record& record = choose_for(node.only_chooser);
        walk.end = record.child;
        walk.wants_node = record.visits + record.pending >= expand_at + node.prior;
    } else {
        for (std::size_t r = 0; r < roles; ++r)
            if (node.count(r) > 1) choose_for(r);
        walk.end = tree_.linked(node, joint);
        walk.wants_node = true;
    }
    return walk.nodes.size() < kLongestWalk ? walk.end : nullptr;
}

void Selection::walk(Node* root, std::uint32_t expand_at, Random& random, std::span<Walk* const> walks) {
    const bool has_rave = uses_rave(*root);
    for (Walk* walk : walks) walk->clear();
    flocks_.run(root, static_cast<std::uint32_t>(walks.size()), tree_.options().threads > 1,
                [root](const Node& node) { return &node == root || !node.is_solved.load(std::memory_order_relaxed); },
                [&](std::uint32_t i, std::size_t, Node& node) { return step(node, has_rave, expand_at, random, *walks[i]); });
}

}  // namespace ludorum::mcts
