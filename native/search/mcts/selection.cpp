#include "selection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace ludorum::mcts {
namespace {

// Where states can be reached again a walk might go round for ever. Most walks are short, and are not looked through for
// a state that they met before.
constexpr std::size_t kShortWalk = 16, kLongestWalk = 4096;
constexpr std::uint32_t kNone = ~std::uint32_t{0};
// With so many walks, and one for every few moves, it takes less time to choose together than one by one.
constexpr std::uint32_t kFewWalks = 4, kMovesAWalk = 2;

// Threads that walk the same nodes take their memory out of each other's hands. Moves that were all tried bid about the
// same, so it takes little for threads to prefer different ones: where so many walks are together, near the root that is,
// each explores half of the moves so much less.
constexpr std::uint32_t kManyWalks = 32;
constexpr float kLessZeal = 0.8f;

// So far what was taken at so many walks is good enough.
std::uint32_t still_good(std::uint32_t logged) { return logged + logged / 16; }

// sqrt(log(walks)), taken anew when they have grown by a sixteenth: then it is right to within a hundredth.
float root_of_log(Node& node, std::uint32_t walks) {
    const std::uint32_t logged = node.logged.load(std::memory_order_relaxed);
    if (walks <= still_good(logged) && walks >= logged) return node.log.load(std::memory_order_relaxed);
    const float log = std::sqrt(std::log(static_cast<float>(walks)));
    node.log.store(log, std::memory_order_relaxed);
    node.logged.store(walks, std::memory_order_relaxed);
    return log;
}

// Whether a walk goes on from where it came to.
bool goes_on(const Walk& walk) {
    const std::size_t steps = walk.steps.size();
    if (!walk.end || steps >= kLongestWalk) return false;
    return steps < kShortWalk || std::none_of(walk.steps.begin(), walk.steps.end(), [&](const Step& step) { return step.node == walk.end; });
}

// The edge with the largest score + factor * doubt.
std::uint32_t best(const Edges& edges, float factor) {
    Largest largest;
    for (const Four& four : edges.fours()) largest.look_at(load(four.score) + factor * load(four.doubt));
    return largest.edge();
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

// Whether in a node nothing but score and exploration decides.
inline bool Selection::is_plain(const Node& node) const {
    return is_plain_ && node.choosers == 1 && static_cast<std::int32_t>(node.only_chooser) != tree_.options().chance_role;
}

inline bool Selection::chooses_together(const Flock& flock) const {
    return flock.count >= kFewWalks && is_plain(*flock.node) && flock.count * kMovesAWalk >= flock.node->count(flock.node->only_chooser);
}

// The edge that is tried next where one role alone has a choice.
inline std::uint32_t Selection::pick(Node& node, std::uint32_t walks, bool has_rave, Random& random, const Walk& walk) const {
    const std::size_t role = node.only_chooser;
    if (is_plain(node)) return best(node.edges(role), exploration_ * root_of_log(node, walks));
    return choose(node, walks, role, has_rave, walk, random);
}

// One move further; the node that comes next, or null at the end of the walk.
inline Node* Selection::step(Node& node, std::uint32_t picked, bool has_rave, std::uint32_t expand_at, Random& random, Walk& walk) const {
    if (node.choosers != 1) return step_together(node, node.count_walk(1, tree_.is_shared()), has_rave, random, walk);
    const std::uint32_t walks = tree_.is_shared() ? node.walks.load(std::memory_order_relaxed) + 1 : node.count_walk(1, false);
    const std::uint32_t e = picked != kNone ? picked : pick(node, walks, has_rave, random, walk);
    const std::size_t role = node.only_chooser;
    const Spot spot = node.edges(role).spot(e);
    const Record::Begun begun = spot.record.begin(1, tree_.is_shared());
    if (tree_.is_shared()) node.count_walks_of(begun.visits - 1, begun.visits);
    tree_.refresh(spot);
    walk.steps.push_back({&node, e, Tree::place_of(spot.record, node) & 0xFFFFFF, static_cast<std::uint8_t>(role)});
    walk.end = begun.child ? tree_.at(begun.child) : nullptr;
    walk.wants_node = begun.visits >= expand_at + node.prior.load(std::memory_order_relaxed);
    return goes_on(walk) ? walk.end : nullptr;
}

// How eager this thread is to explore a node's moves, every other one alike. The nodes differ in which threads are at one.
Values Selection::zeal(const Flock& flock) const {
    if (!tree_.is_shared() || flock.count < kManyWalks) return Values{1, 1, 1, 1};
    const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(flock.node) * 0x9E3779B97F4A7C15ull;
    const std::uint32_t bits = std::bit_width(tree_.options().threads - 1), bit = static_cast<std::uint32_t>(mixed >> 40) % bits;
    return ((thread_ >> bit) ^ (mixed >> 63)) & 1 ? Values{1, kLessZeal, 1, kLessZeal} : Values{kLessZeal, 1, kLessZeal, 1};
}

// Likewise for all walks of a flock, where the node is plain. They choose one after the other, each as if those before it
// had told the node.
void Selection::share_out(const Flock& flock, std::uint32_t expand_at, std::span<Walk* const> walks) {
    Node& node = *flock.node;
    const bool is_shared = tree_.is_shared();
    const std::size_t role = node.only_chooser;
    const Edges edges = node.edges(role);
    std::uint32_t walked = node.walks.load(std::memory_order_relaxed);
    bids_.open(tree_, edges, zeal(flock));
    runs_.clear();
    for (std::uint32_t left = flock.count, alike = 0; left > 0;) {
        if (alike == 0) {
            bids_.weigh(exploration_ * root_of_log(node, walked + 1));
            alike = std::max(still_good(node.logged.load(std::memory_order_relaxed)), walked + 1) - walked;
        }
        const Bids::Taken taken = bids_.take(std::min(left, alike));
        runs_.push_back(taken);
        walked += taken.walks;
        left -= taken.walks;
        alike -= taken.walks;
    }
    if (!is_shared) node.count_walk(static_cast<std::int32_t>(flock.count), false);
    const std::uint32_t wanted = expand_at + node.prior.load(std::memory_order_relaxed);
    ways_.resize(edges.count);
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        const std::uint32_t taken = bids_.taken()[e];
        if (!taken) continue;
        const Spot spot = edges.spot(e);
        const Record::Begun begun = spot.record.begin(taken, is_shared);
        if (is_shared) node.count_walks_of(begun.visits - taken, begun.visits);
        tree_.refresh(spot);
        ways_[e] = {{&node, e, Tree::place_of(spot.record, node) & 0xFFFFFF, static_cast<std::uint8_t>(role)},
                    begun.child ? tree_.at(begun.child) : nullptr, begun.visits - taken, kNowhere};
    }
    std::size_t run = 0;
    std::uint32_t ran = 0;
    flocks_.each(flock, [&](std::uint32_t number) {
        if (ran++ == runs_[run].walks) {
            ++run;
            ran = 1;
        }
        Walk& walk = *walks[number];
        Way& way = ways_[runs_[run].edge];
        walk.steps.push_back(way.step);
        walk.end = way.end;
        walk.wants_node = ++way.visits >= wanted;
        if (!goes_on(walk)) return;
        if (way.flock == kNowhere) way.flock = send(number, *way.end);
        else flocks_.send_along(number, way.flock);
    });
}

// Says with which flock of the next level the walk is.
std::size_t Selection::send(std::uint32_t walk, Node& node) {
    const Flocks::Sent sent = flocks_.send(walk, &node);
    if (sent.is_first) {
        // Of two roles the scores begin in the second line, and one of them will be changed.
        if (tree_.is_shared()) prefetch_to_write(node.at(Pool::kLine));
        prefetch(&node);
    }
    return sent.flock;
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
        spot.record.begin(1, tree_.is_shared());
        tree_.refresh(spot);
    }
    walk.steps.push_back({&node, static_cast<std::uint32_t>(first), 0, 0});
    walk.end = tree_.linked(node, joint);
    walk.wants_node = true;
    return goes_on(walk) ? walk.end : nullptr;
}

// Walks that set out together.
struct Selection::Round {
    Selection& selection;
    Node* root;
    std::span<Walk* const> walks;
    bool has_rave;
    std::uint32_t expand_at;
    Random& random;

    // Where threads share the tree, what will be written to is asked for before anything is written: a change in one go
    // waits for its line, and for those of all changes before it.
    bool look(const Flock& flock) const {
        Node& node = *flock.node;
        if (&node != root && node.is_solved.load(std::memory_order_relaxed)) return true;
        if (!selection.tree_.is_shared() || !flock.is_alone() || node.choosers != 1) return false;
        const std::uint32_t e = selection.pick(node, node.walks.load(std::memory_order_relaxed) + 1, has_rave, random, *walks[flock.first]);
        const Spot spot = node.edges(node.only_chooser).spot(e);
        prefetch_to_write(&spot.record);
        prefetch_to_write(&spot.score);
        selection.picked_[flock.first] = e;
        return false;
    }
    void pass(const Flock& flock) const {
        if (selection.chooses_together(flock)) return selection.share_out(flock, expand_at, walks);
        selection.flocks_.each(flock, [&](std::uint32_t walk) {
            Node* next = selection.step(*flock.node, selection.picked_[walk], has_rave, expand_at, random, *walks[walk]);
            selection.picked_[walk] = kNone;
            if (next) selection.send(walk, *next);
        });
    }
};

void Selection::walk(Node* root, std::uint32_t expand_at, Random& random, std::span<Walk* const> walks) {
    for (Walk* walk : walks) walk->clear();
    picked_.assign(walks.size(), kNone);
    Round round{*this, root, walks, uses_rave(*root), expand_at, random};
    flocks_.run(root, static_cast<std::uint32_t>(walks.size()), round);
}

}  // namespace ludorum::mcts
