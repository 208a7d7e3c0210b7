#include "selection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ludorum::mcts {
namespace {

// States can be reached again, so a walk might never end.
constexpr std::size_t kLongestWalk = 4096;
constexpr std::uint32_t kNone = ~std::uint32_t{0};

// sqrt(log(walks)), taken anew when they have grown by a sixteenth: then it is right to within a hundredth.
float root_of_log(Node& node, std::uint32_t walks) {
    const std::uint32_t logged = node.logged.load(std::memory_order_relaxed);
    if (walks <= logged + logged / 16 && walks >= logged) return node.log.load(std::memory_order_relaxed);
    const float log = std::sqrt(std::log(static_cast<float>(walks)));
    node.log.store(log, std::memory_order_relaxed);
    node.logged.store(walks, std::memory_order_relaxed);
    return log;
}

typedef float Values __attribute__((vector_size(16), may_alias));

// Four numbers at once. Another thread may just write one of them; then this is what it was before or what it is after.
inline Values load(const std::atomic<float>* four) {
#if defined(__SANITIZE_THREAD__)
    // It does not know that this machine reads aligned numbers whole.
    Values values;
    for (int i = 0; i < 4; ++i) values[i] = four[i].load(std::memory_order_relaxed);
    return values;
#else
    return *reinterpret_cast<const Values*>(four);
#endif
}

// The edge with the largest score + factor * doubt; one of the first of equals. Four at a time, because this is what a
// walk spends its time with.
std::uint32_t best(const Edges& edges, float factor) {
    typedef std::int32_t Numbers __attribute__((vector_size(16)));
    Values most = Values{} - 1e30f;
    Numbers found = {0, 0, 0, 0}, here = {0, 1, 2, 3};
    for (const Four& four : edges.fours()) {
        const Values value = load(four.score) + factor * load(four.doubt);
        const Numbers is_more = value > most;
        most = is_more ? value : most;
        found = is_more ? here : found;
        here += 4;
    }
#if defined(__SSE2__)
    // Without a branch, which nobody could predict.
    __m128 largest = _mm_max_ps(most, _mm_shuffle_ps(most, most, _MM_SHUFFLE(1, 0, 3, 2)));
    largest = _mm_max_ps(largest, _mm_shuffle_ps(largest, largest, _MM_SHUFFLE(2, 3, 0, 1)));
    const int best = std::countr_zero(static_cast<unsigned>(_mm_movemask_ps(_mm_cmpeq_ps(most, largest))));
#else
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (most[i] > most[best]) best = i;
#endif
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
    std::uint64_t optimistic = 0, pessimistic = 0;
    for (std::size_t r = 0; r < tree_.shape().roles(); ++r) {
        if (root.count(r) < 2) continue;
        const Edges edges = root.edges(r);
        for (std::uint32_t e = 0; e < edges.count; ++e) {
            const Record::Count count = edges[e].count();
            if (!count.visits() || !edges.later(e).visits) continue;
            const double surplus = double{edges.later(e).mean} - count.mean() - options.rave_margin;
            if (surplus > 0) optimistic += count.visits();
            else if (surplus < 0) pessimistic += count.visits();
        }
    }
    return optimistic > pessimistic;
}

// One of the moves that were never tried, as playouts would choose; or none, if all were.
std::optional<std::uint32_t> Selection::untried(const Node& node, std::size_t role, const Walk& walk, Random& random) const {
    const Edges edges = node.edges(role);
    std::vector<std::uint32_t> open, moves;
    for (std::uint32_t e = 0; e < edges.count; ++e)
        if (edges.is_untried(e)) {
            open.push_back(e);
            moves.push_back(edges.move(e));
        }
    if (open.empty()) return std::nullopt;
    std::vector<std::uint32_t> before;
    Context context;
    if (tree_.options().policy == Policy::kNst) {
        const std::size_t roles = tree_.shape().roles(), steps = walk.steps.size();
        walk.add_moves(steps - std::min<std::size_t>(steps, 2), roles, before);
        if (steps >= 1) context.last = before.data() + before.size() - roles;
        if (steps >= 2) context.last_but_one = before.data();
    }
    return open[statistics_.choose(role, moves, context, random)];
}

std::uint32_t Selection::choose(Node& node, std::uint32_t walks, std::size_t role, bool has_rave, const Walk& walk, Random& random) const {
    const Options& options = tree_.options();
    const Edges edges = node.edges(role);
    if (static_cast<std::int32_t>(role) == options.chance_role) return random.below(edges.count);
    if (options.policy != Policy::kUniform && node.choosers == 1 && !has_rave)
        if (const std::optional<std::uint32_t> found = untried(node, role, walk, random)) return *found;
    double exploration = options.exploration;
    if (options.sufficiency != Sufficiency::kNever) {
        float most = 0;
        for (std::uint32_t e = 0; e < edges.count; ++e)
            most = std::max(most, edges[e].count().mean());
        if (sufficiency_.is_enough(role, most, random)) exploration = 0;
    }
    const float factor = static_cast<float>(exploration) * root_of_log(node, walks);
    if (!has_rave) {
        // A move that was never tried is tried first even where nothing else is explored.
        const float weight = exploration == 0 ? 1e-3f : factor;
        return node.choosers == 1 ? best(edges, weight) : one_of_the_best(edges, weight, random);
    }

    const auto all = static_cast<float>(walks);
    const auto k = static_cast<float>(options.rave_equivalence);
    const float weight = std::sqrt(k / (3 * all + k));
    std::uint32_t found = 0, equals = 0;
    float most = -1e30f;
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        if (edges.score(e) == kSettled) continue;
        // A move that was never tried is taken for the best possible, so that it is preferred to one that is not.
        float value = edges.is_untried(e) ? 1.0f : edges.score(e) + factor * edges.doubt(e);
        if (edges.later(e).visits) value = (1 - weight) * value + weight * edges.later(e).mean;
        if (value < most) continue;
        equals = value > most ? 1 : equals + 1;
        if (value > most || random.below(equals) == 0) found = e;
        most = value;
    }
    return found;
}

// The edge that is tried next where one role alone has a choice.
inline std::uint32_t Selection::pick(Node& node, std::uint32_t walks, bool has_rave, Random& random, const Walk& walk) const {
    const std::size_t role = node.only_chooser;
    if (is_plain_ && static_cast<std::int32_t>(role) != tree_.options().chance_role)
        return best(node.edges(role), exploration_ * root_of_log(node, walks));
    return choose(node, walks, role, has_rave, walk, random);
}

// One move further; the node that comes next, or null at the end of the walk.
inline Node* Selection::step(Node& node, std::uint32_t picked, bool has_rave, std::uint32_t expand_at, Random& random, Walk& walk) const {
    if (node.choosers != 1) return step_together(node, node.count_walk(1, tree_.is_shared()), has_rave, random, walk);
    const std::uint32_t walks = tree_.is_shared() ? node.walks.load(std::memory_order_relaxed) + 1 : node.count_walk(1, false);
    const std::uint32_t e = picked != kNone ? picked : pick(node, walks, has_rave, random, walk);
    const std::size_t role = node.only_chooser;
    const Spot spot = node.edges(role).spot(e);
    const Record::Begun begun = spot.record.begin(tree_.is_shared());
    if (tree_.is_shared()) node.count_walks_of(begun.visits, 1);
    tree_.refresh(spot);
    walk.steps.push_back({&node, e, Tree::place_of(spot.record, node) & 0xFFFFFF, static_cast<std::uint8_t>(role)});
    walk.end = begun.child ? tree_.at(begun.child) : nullptr;
    walk.wants_node = begun.visits >= expand_at + node.prior.load(std::memory_order_relaxed);
    return walk.steps.size() < kLongestWalk ? walk.end : nullptr;
}

// Likewise where several roles have a choice, or none.
Node* Selection::step_together(Node& node, std::uint32_t walks, bool has_rave, Random& random, Walk& walk) const {
    const std::size_t roles = tree_.shape().roles(), first = walk.joint.size();
    walk.joint.resize(first + roles);
    std::uint32_t* joint = walk.joint.data() + first;
    for (std::size_t r = 0; r < roles; ++r) {
        if (node.count(r) < 2) continue;
        joint[r] = choose(node, walks, r, has_rave, walk, random);
        const Spot spot = node.edges(r).spot(joint[r]);
        spot.record.begin(tree_.is_shared());
        tree_.refresh(spot);
    }
    walk.steps.push_back({&node, static_cast<std::uint32_t>(first), 0, 0});
    walk.end = tree_.linked(node, joint);
    walk.wants_node = true;
    return walk.steps.size() < kLongestWalk ? walk.end : nullptr;
}

// Walks that set out together.
struct Selection::Round {
    Selection& selection;
    Node* root;
    std::span<Walk* const> walks;
    bool has_rave, is_shared;
    std::uint32_t expand_at;
    Random& random;

    // Where threads share the tree, what will be written to is asked for before anything is written: a change in one go
    // waits for its line, and for those of all changes before it.
    bool look(std::uint32_t walk, bool is_alone, Node& node) const {
        if (!is_shared || !is_alone || node.choosers != 1) return false;
        const std::uint32_t e = selection.pick(node, node.walks.load(std::memory_order_relaxed) + 1, has_rave, random, *walks[walk]);
        const Spot spot = node.edges(node.only_chooser).spot(e);
        prefetch_to_write(&spot.record);
        prefetch_to_write(&spot.score);
        selection.picked_[walk] = e;
        return false;
    }
    bool enters(const Node& node) const { return &node == root || !node.is_solved.load(std::memory_order_relaxed); }
    Node* go(std::uint32_t walk, Node& node) const {
        Node* next = selection.step(node, selection.picked_[walk], has_rave, expand_at, random, *walks[walk]);
        selection.picked_[walk] = kNone;
        return next;
    }
    void approach(std::uint32_t, const Node& node) const {
        // Of two roles the scores begin in the second line, and one of them will be changed.
        if (is_shared) prefetch_to_write(node.at(Pool::kLine));
        prefetch(&node);
    }
    void leave(const Node&) const {}
};

void Selection::walk(Node* root, std::uint32_t expand_at, Random& random, std::span<Walk* const> walks) {
    for (Walk* walk : walks) walk->clear();
    picked_.assign(walks.size(), kNone);
    Round round{*this, root, walks, uses_rave(*root), tree_.is_shared(), expand_at, random};
    flocks_.run(root, static_cast<std::uint32_t>(walks.size()), round);
}

}  // namespace ludorum::mcts
