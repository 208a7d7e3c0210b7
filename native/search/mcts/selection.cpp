#include "search/mcts/selection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace ludorum::mcts {
namespace {

// Where states can be reached again a path might go round for ever. Most paths are short, and are not looked through for
// a state that they met before.
constexpr std::size_t kShortPath = 16, kLongestPath = 4096;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
// With so many paths, and one for every few moves, it takes less time to choose together than one by one.
constexpr std::uint32_t kFewPaths = 4, kMovesAPath = 2;

// Threads that go through the same nodes take their memory out of each other's hands. Moves that were all tried score about the
// same, so it takes little for threads to prefer different ones: where so many paths are together, near the root that is,
// each explores half of the moves so much less.
constexpr std::uint32_t kManyPaths = 32;
constexpr float kReducedScale = 0.8f;

// So far what was taken at so many visits is good enough.
std::uint32_t still_good(std::uint32_t logged) { return logged + logged / 16; }

// sqrt(log(visits)), taken anew when they have grown by a sixteenth: then it is right to within a hundredth.
float root_of_log(Node& node, std::uint32_t visits) {
    const std::uint32_t logged = node.logged.load(std::memory_order_relaxed);
    if (visits <= still_good(logged) && visits >= logged) return node.log.load(std::memory_order_relaxed);
    const float log = std::sqrt(std::log(static_cast<float>(visits)));
    node.log.store(log, std::memory_order_relaxed);
    node.logged.store(visits, std::memory_order_relaxed);
    return log;
}

// Whether a path goes on from where it came to.
bool goes_on(const SelectedPath& path) {
    const std::size_t steps = path.steps.size();
    if (!path.end || steps >= kLongestPath) return false;
    return steps < kShortPath || std::none_of(path.steps.begin(), path.steps.end(), [&](const Step& step) { return step.node == path.end; });
}

// The edge with the largest score + factor * exploration term.
std::uint32_t best(const Edges& edges, float factor) {
    Largest largest;
    for (const EdgeBlock& block : edges.blocks()) largest.look_at(load(block.score) + factor * load(block.exploration_term));
    return largest.edge();
}

// Any of those that come close to the largest. Where several choose at once, choices that follow from the same counts
// would go together, as if each knew the others'.
std::uint32_t one_of_the_best(const Edges& edges, float factor, Random& random) {
    constexpr float kClose = 0.05f;
    const std::uint32_t first = best(edges, factor);
    const float enough = edges.score(first) + factor * edges.exploration_term(first) - kClose;
    std::uint32_t found = first, close = 0;
    for (std::uint32_t e = 0; e < edges.count; ++e)
        if (edges.score(e) + factor * edges.exploration_term(e) >= enough && random.below(++close) == 0) found = e;
    return found;
}

}  // namespace

Selection::Selection(Tree& tree, const Statistics& statistics, const SufficiencyModel& sufficiency, std::uint32_t thread)
    : tree_(tree),
      statistics_(statistics),
      sufficiency_(sufficiency),
      thread_(thread),
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
            const EdgeStats::Count count = edges[e].count();
            if (!count.visits() || !edges.amaf(e).visits) continue;
            const double surplus = double{edges.amaf(e).mean} - count.mean() - options.rave_margin;
            if (surplus > 0) optimistic += count.visits();
            else if (surplus < 0) pessimistic += count.visits();
        }
    }
    return optimistic > pessimistic;
}

// One of the moves that were never tried, as playouts would choose; or none, if all were.
std::optional<std::uint32_t> Selection::untried(const Node& node, std::size_t role, const SelectedPath& path, Random& random) const {
    const Edges edges = node.edges(role);
    std::vector<std::uint32_t> open, moves;
    for (std::uint32_t e = 0; e < edges.count; ++e)
        if (edges.is_unvisited(e)) {
            open.push_back(e);
            moves.push_back(edges.move(e));
        }
    if (open.empty()) return std::nullopt;
    std::vector<std::uint32_t> before;
    Context context;
    if (tree_.options().policy == Policy::kNst || tree_.options().policy == Policy::kReplies) {
        const std::size_t roles = tree_.shape().roles(), steps = path.steps.size();
        path.add_moves(steps - std::min<std::size_t>(steps, 2), roles, before);
        if (steps >= 1) context.last = before.data() + before.size() - roles;
        if (steps >= 2) context.last_but_one = before.data();
    }
    return open[statistics_.choose(role, moves, context, random)];
}

std::uint32_t Selection::choose(Node& node, std::uint32_t visits, std::size_t role, bool has_rave, const SelectedPath& path, Random& random) const {
    const Options& options = tree_.options();
    const Edges edges = node.edges(role);
    if (static_cast<std::int32_t>(role) == options.chance_role) return random.below(edges.count);
    if (options.policy != Policy::kUniform && node.choosers == 1 && !has_rave)
        if (const std::optional<std::uint32_t> found = untried(node, role, path, random)) return *found;
    double exploration = options.exploration;
    if (options.sufficiency != Sufficiency::kNever) {
        float most = 0;
        for (std::uint32_t e = 0; e < edges.count; ++e)
            most = std::max(most, edges[e].count().mean());
        if (sufficiency_.is_enough(role, most, random)) exploration = 0;
    }
    const float factor = static_cast<float>(exploration) * root_of_log(node, visits);
    if (!has_rave) {
        // A move that was never tried is tried first even where nothing else is explored.
        const float weight = exploration == 0 ? 1e-3f : factor;
        return node.choosers == 1 ? best(edges, weight) : one_of_the_best(edges, weight, random);
    }

    const auto all = static_cast<float>(visits);
    const auto k = static_cast<float>(options.rave_equivalence);
    const float weight = std::sqrt(k / (3 * all + k));
    std::uint32_t found = 0, equals = 0;
    float most = -1e30f;
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        if (edges.score(e) == kSettled) continue;
        // A move that was never tried is taken for the best possible, so that it is preferred to one that is not.
        float value = edges.is_unvisited(e) ? 1.0f : edges.score(e) + factor * edges.exploration_term(e);
        if (edges.amaf(e).visits) value = (1 - weight) * value + weight * edges.amaf(e).mean;
        if (value < most) continue;
        equals = value > most ? 1 : equals + 1;
        if (value > most || random.below(equals) == 0) found = e;
        most = value;
    }
    return found;
}

// Whether in a node nothing but score and exploration decides.
inline bool Selection::is_plain(const Node& node) const {
    return is_plain_ && node.choosers == 1 && static_cast<std::int32_t>(node.only_chooser) != tree_.options().chance_role;
}

inline bool Selection::selects_as_group(const PathGroup& group) const {
    return group.count >= kFewPaths && is_plain(*group.node) && group.count * kMovesAPath >= group.node->count(group.node->only_chooser);
}

// The edge that is tried next where one role alone has a choice.
inline std::uint32_t Selection::pick(Node& node, std::uint32_t visits, bool has_rave, Random& random, const SelectedPath& path) const {
    const std::size_t role = node.only_chooser;
    if (is_plain(node)) return best(node.edges(role), exploration_ * root_of_log(node, visits));
    return choose(node, visits, role, has_rave, path, random);
}

// One move further; the node that comes next, or null at the end of the path.
inline Node* Selection::step(Node& node, std::uint32_t picked, bool has_rave, std::uint32_t expand_at, Random& random, SelectedPath& path) const {
    if (node.choosers != 1) return step_jointly(node, node.count_visit(1, tree_.is_shared()), has_rave, random, path);
    const std::uint32_t visits = tree_.is_shared() ? node.visits.load(std::memory_order_relaxed) + 1 : node.count_visit(1, false);
    const std::uint32_t e = picked != kNone ? picked : pick(node, visits, has_rave, random, path);
    const std::size_t role = node.only_chooser;
    const EdgeRef ref = node.edges(role).ref(e);
    const EdgeStats::Started started = ref.stats.start(1, tree_.is_shared());
    if (tree_.is_shared()) node.count_visits_of(started.visits - 1, started.visits);
    tree_.refresh(ref);
    path.steps.push_back({&node, e, Tree::place_of(ref.stats, node) & 0xFFFFFF, static_cast<std::uint8_t>(role)});
    path.end = started.child ? tree_.at(started.child) : nullptr;
    path.wants_node = started.visits >= expand_at + node.prior.load(std::memory_order_relaxed);
    return goes_on(path) ? path.end : nullptr;
}

// How much exploration of a node's moves counts in this thread, every other one alike. The nodes differ in which threads are at one.
Values Selection::thread_exploration_scale(const PathGroup& group) const {
    if (!tree_.is_shared() || group.count < kManyPaths) return Values{1, 1, 1, 1};
    const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(group.node) * 0x9E3779B97F4A7C15ull;
    const std::uint32_t bits = std::bit_width(tree_.options().threads - 1), bit = static_cast<std::uint32_t>(mixed >> 40) % bits;
    return ((thread_ >> bit) ^ (mixed >> 63)) & 1 ? Values{1, kReducedScale, 1, kReducedScale} : Values{kReducedScale, 1, kReducedScale, 1};
}

// Likewise for all paths of a group, where the node is plain. They choose one after the other, each as if those before it
// had told the node.
void Selection::select_group(const PathGroup& group, std::uint32_t expand_at, std::span<SelectedPath* const> paths) {
    Node& node = *group.node;
    const bool is_shared = tree_.is_shared();
    const std::size_t role = node.only_chooser;
    const Edges edges = node.edges(role);
    std::uint32_t visited = node.visits.load(std::memory_order_relaxed);
    scores_.open(tree_, edges, thread_exploration_scale(group));
    runs_.clear();
    for (std::uint32_t left = group.count, alike = 0; left > 0;) {
        if (alike == 0) {
            scores_.weigh(exploration_ * root_of_log(node, visited + 1));
            alike = std::max(still_good(node.logged.load(std::memory_order_relaxed)), visited + 1) - visited;
        }
        const UcbScores::Taken taken = scores_.take(std::min(left, alike));
        runs_.push_back(taken);
        visited += taken.paths;
        left -= taken.paths;
        alike -= taken.paths;
    }
    if (!is_shared) node.count_visit(static_cast<std::int32_t>(group.count), false);
    const std::uint32_t wanted = expand_at + node.prior.load(std::memory_order_relaxed);
    ways_.resize(edges.count);
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        const std::uint32_t taken = scores_.taken()[e];
        if (!taken) continue;
        const EdgeRef ref = edges.ref(e);
        const EdgeStats::Started started = ref.stats.start(taken, is_shared);
        if (is_shared) node.count_visits_of(started.visits - taken, started.visits);
        tree_.refresh(ref);
        ways_[e] = {{&node, e, Tree::place_of(ref.stats, node) & 0xFFFFFF, static_cast<std::uint8_t>(role)},
                    started.child ? tree_.at(started.child) : nullptr, started.visits - taken, kNowhere};
    }
    std::size_t run = 0;
    std::uint32_t ran = 0;
    groups_.each(group, [&](std::uint32_t number) {
        if (ran++ == runs_[run].paths) {
            ++run;
            ran = 1;
        }
        SelectedPath& path = *paths[number];
        Way& way = ways_[runs_[run].edge];
        path.steps.push_back(way.step);
        path.end = way.end;
        path.wants_node = ++way.visits >= wanted;
        if (!goes_on(path)) return;
        if (way.group == kNowhere) way.group = send(number, *way.end);
        else groups_.send_along(number, way.group);
    });
}

// Says with which group of the next level the path is.
std::size_t Selection::send(std::uint32_t path, Node& node) {
    const PathGroups::Sent sent = groups_.send(path, &node);
    if (sent.is_first) {
        // Of two roles the scores begin in the second line, and one of them will be changed.
        if (tree_.is_shared()) prefetch_to_write(node.at(Pool::kLine));
        prefetch(&node);
    }
    return sent.group;
}

// Likewise where several roles have a choice, or none.
Node* Selection::step_jointly(Node& node, std::uint32_t visits, bool has_rave, Random& random, SelectedPath& path) const {
    const std::size_t roles = tree_.shape().roles(), first = path.joint.size();
    path.joint.resize(first + roles);
    std::uint32_t* joint = path.joint.data() + first;
    for (std::size_t r = 0; r < roles; ++r) {
        if (node.count(r) < 2) continue;
        joint[r] = choose(node, visits, r, has_rave, path, random);
        const EdgeRef ref = node.edges(r).ref(joint[r]);
        ref.stats.start(1, tree_.is_shared());
        tree_.refresh(ref);
    }
    path.steps.push_back({&node, static_cast<std::uint32_t>(first), 0, 0});
    path.end = tree_.linked(node, joint);
    path.wants_node = true;
    return goes_on(path) ? path.end : nullptr;
}

// Paths that set out together.
struct Selection::Round {
    Selection& selection;
    Node* root;
    std::span<SelectedPath* const> paths;
    bool has_rave;
    std::uint32_t expand_at;
    Random& random;

    // Where threads share the tree, what will be written to is asked for before anything is written: a change in one go
    // waits for its line, and for those of all changes before it.
    bool look(const PathGroup& group) const {
        Node& node = *group.node;
        if (&node != root && node.is_solved.load(std::memory_order_relaxed)) return true;
        if (!selection.tree_.is_shared() || !group.is_alone() || node.choosers != 1) return false;
        const std::uint32_t e = selection.pick(node, node.visits.load(std::memory_order_relaxed) + 1, has_rave, random, *paths[group.first]);
        const EdgeRef ref = node.edges(node.only_chooser).ref(e);
        prefetch_to_write(&ref.stats);
        prefetch_to_write(&ref.score);
        selection.picked_[group.first] = e;
        return false;
    }
    void pass(const PathGroup& group) const {
        if (selection.selects_as_group(group)) return selection.select_group(group, expand_at, paths);
        selection.groups_.each(group, [&](std::uint32_t path) {
            Node* next = selection.step(*group.node, selection.picked_[path], has_rave, expand_at, random, *paths[path]);
            selection.picked_[path] = kNone;
            if (next) selection.send(path, *next);
        });
    }
};

void Selection::select(Node* root, std::uint32_t expand_at, Random& random, std::span<SelectedPath* const> paths) {
    for (SelectedPath* path : paths) path->clear();
    picked_.assign(paths.size(), kNone);
    Round round{*this, root, paths, uses_rave(*root), expand_at, random};
    groups_.run(root, static_cast<std::uint32_t>(paths.size()), round);
}

}  // namespace ludorum::mcts
