#include "search/mcts/backup.h"

#include <algorithm>
#include <vector>

namespace ludorum::mcts {
namespace {

float low_of(const Node* node, std::size_t role) { return node ? node->low_of(role) : 0; }
float high_of(const Node* node, std::size_t role) { return node ? node->high_of(role) : 1; }

}  // namespace

// Where paths have their way in common, what they bring is summed and told once: the upper levels are what threads would
// otherwise take out of each other's hands.
struct Backup::Together {
    Backup& backup;
    std::span<const SelectedPath* const> paths;

    bool look(const PathGroup& group) const {
        if (group.is_alone()) backup.alone_.push_back(group.first);
        return group.is_alone();
    }
    void pass(const PathGroup& group) const {
        backup.sums_.clear();
        backup.groups_.each(group, [&](std::uint32_t path) { take(path); });
        for (const Sum& sum : backup.sums_) {
            const EdgeRef ref = backup.tree_.ref(*group.node, sum.edge, sum.stats);
            ref.stats.complete(sum.visits, sum.parts, backup.tree_.is_shared());
            backup.tree_.refresh(ref);
        }
    }

private:
    void take(std::uint32_t number) const {
        const SelectedPath& path = *paths[number];
        const Step& step = path.steps[backup.made_[number]++];
        const std::uint64_t* parts = backup.parts_.data() + number * backup.tree_.shape().roles();
        const Step* next = backup.made_[number] < path.steps.size() ? &path.steps[backup.made_[number]] : nullptr;
        if (!step.is_of_one()) {
            backup.add_at(path, step, parts);
            if (next) send(number, *next);
            return;
        }
        std::vector<Sum>& sums = backup.sums_;
        auto sum = std::find_if(sums.begin(), sums.end(), [&](const Sum& other) { return other.stats == step.stats; });
        if (sum == sums.end()) sum = sums.insert(sum, {step.edge, step.stats, 0, 0, kNowhere});
        ++sum->visits;
        sum->parts += parts[step.role];
        if (!next) return;
        // One move leads to one node.
        if (sum->group == kNowhere) sum->group = send(number, *next);
        else backup.groups_.send_along(number, sum->group);
    }
    std::size_t send(std::uint32_t path, const Step& next) const {
        const PathGroups::Sent sent = backup.groups_.send(path, next.node);
        if (sent.is_first) backup.ask(next);
        return sent.group;
    }
};

void Backup::add(std::span<const SelectedPath* const> paths, const float* values, Bits* played) {
    if (paths.empty()) return;
    const std::size_t roles = tree_.shape().roles();
    parts_.resize(paths.size() * roles);
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i] = EdgeStats::parts(values[i]);
    made_.assign(paths.size(), 0);
    // They are read level by level, and have been out of sight for as long as their playouts took.
    constexpr std::size_t kStepsALine = 64 / sizeof(Step);
    for (const SelectedPath* path : paths) __builtin_prefetch(path);
    for (const SelectedPath* path : paths)
        for (std::size_t step = 0; step < path->steps.size(); step += kStepsALine) __builtin_prefetch(path->steps.data() + step);
    alone_.clear();
    Together visitor{*this, paths};
    groups_.run(paths[0]->steps.front().node, static_cast<std::uint32_t>(paths.size()), visitor);
    // The figures of the paths that come next are on their way while those of one are changed.
    constexpr std::size_t kAhead = 4;
    for (std::size_t i = 0; i < std::min(kAhead, alone_.size()); ++i) ask(*paths[alone_[i]], made_[alone_[i]]);
    for (std::size_t i = 0; i < alone_.size(); ++i) {
        if (i + kAhead < alone_.size()) ask(*paths[alone_[i + kAhead]], made_[alone_[i + kAhead]]);
        const SelectedPath& path = *paths[alone_[i]];
        for (std::size_t step = made_[alone_[i]]; step < path.steps.size(); ++step)
            add_at(path, path.steps[step], parts_.data() + alone_[i] * roles);
    }
    for (std::size_t i = 0; played && i < paths.size(); ++i) add_rave(*paths[i], values + i * roles, played + i * tree_.shape().legal_words());
    for (const SelectedPath* path : paths)
        if (tree_.options().proofs && path->end && path->end->is_solved.load(std::memory_order_relaxed)) prove(*path);
}

inline void Backup::ask(const Step& step) const {
    if (!step.is_of_one()) return;
    const EdgeRef ref = tree_.ref(*step.node, step.edge, step.stats);
    prefetch_to_write(&ref.stats);
    prefetch_to_write(&ref.score);
}

void Backup::ask(const SelectedPath& path, std::size_t first) const {
    for (; first < path.steps.size(); ++first) ask(path.steps[first]);
}

inline void Backup::add_at(const SelectedPath& path, const Step& step, const std::uint64_t* parts) const {
    if (step.is_of_one()) {
        const EdgeRef ref = tree_.ref(*step.node, step.edge, step.stats);
        ref.stats.complete(1, parts[step.role], tree_.is_shared());
        tree_.refresh(ref);
        return;
    }
    for (std::size_t r = 0; r < tree_.shape().roles(); ++r) {
        if (step.node->count(r) < 2) continue;
        const EdgeRef ref = step.node->edges(r).ref(path.joint_of(step)[r]);
        ref.stats.complete(1, parts[r], tree_.is_shared());
        tree_.refresh(ref);
    }
}

// From the leaf up for as long as there is news: a parent has something to prove only where something was proved below.
void Backup::prove(const SelectedPath& path) const {
    const Node* child = path.end;
    for (std::size_t number = path.steps.size(); number-- > 0;) {
        const Step& step = path.steps[number];
        const Guard guard(*step.node, tree_.is_shared());
        if (!prove(*step.node, path.edge(step, step.node->only_chooser), *child)) return;
        child = step.node;
    }
}

void Backup::cancel(const SelectedPath& path) const {
    for (std::size_t number = path.steps.size(); number-- > 0;) {
        const Step& step = path.steps[number];
        const bool is_counted_by_edge = tree_.is_shared() && step.is_of_one();
        if (!is_counted_by_edge) step.node->count_visit(-1, tree_.is_shared());
        for (std::size_t r = 0; r < tree_.shape().roles(); ++r) {
            if (step.node->count(r) < 2) continue;
            const EdgeRef ref = step.node->edges(r).ref(path.edge(step, r));
            const std::uint32_t started = ref.stats.cancel(tree_.is_shared());
            if (is_counted_by_edge) step.node->count_visits_of(started, started - 1);
            tree_.refresh(ref);
        }
    }
}

// From the leaf up, because for a node those moves count that were made from there on.
void Backup::add_rave(const SelectedPath& path, const float* values, Bits* played) const {
    const Shape& shape = tree_.shape();
    for (std::size_t number = path.steps.size(); number-- > 0;) {
        const Step& step = path.steps[number];
        Node& node = *step.node;
        const Guard guard(node, tree_.is_shared());
        std::uint32_t first = 0;
        for (std::size_t r = 0; r < shape.roles(); ++r) {
            const std::uint32_t made = first + node.move(r, path.edge(step, r));
            played[made / 64] |= Bits{1} << (made % 64);
            for (std::uint32_t e = 0; node.count(r) > 1 && e < node.count(r); ++e) {
                const Edges edges = node.edges(r);
                const std::uint32_t move = first + edges.move(e);
                if (!((played[move / 64] >> (move % 64)) & 1)) continue;
                AmafStats& amaf = edges.amaf(e);
                const std::uint32_t visits = amaf.visits.load(std::memory_order_relaxed) + 1;
                const float mean = amaf.mean.load(std::memory_order_relaxed);
                amaf.visits.store(visits, std::memory_order_relaxed);
                amaf.mean.store(mean + (values[r] - mean) / static_cast<float>(visits), std::memory_order_relaxed);
            }
            first += shape.moves[r];
        }
    }
}

// Recomputes what is proved of a node; says whether that is more than before. What is solved stays as it is: it counts as
// settled above, and another move that turns out to be as good for who chooses, but not for the others, would widen what
// nobody looks at again.
bool Backup::prove(Node& node, std::uint32_t edge, const Node& child) const {
    if (node.is_solved.load(std::memory_order_relaxed)) return false;
    const std::size_t roles = tree_.shape().roles();
    constexpr std::size_t kFew = 8;
    float few[2 * kFew];
    std::vector<float> many(roles > kFew ? 2 * roles : 0);
    float* low = roles > kFew ? many.data() : few;
    float* high = low + roles;
    if (node.choosers == 0) {
        for (std::size_t r = 0; r < roles; ++r) {
            low[r] = low_of(&child, r);
            high[r] = high_of(&child, r);
        }
    } else if (node.choosers > 1) {
        if (!prove_joint(node, low, high)) return false;
    } else if (static_cast<std::int32_t>(node.only_chooser) == tree_.options().chance_role) {
        prove_chance(node, low, high);
    } else {
        if (child.is_solved.load(std::memory_order_relaxed)) node.edges(node.only_chooser).ref(edge).settle();
        prove_choice(node, low, high);
    }
    bool is_news = false, is_solved = true;
    for (std::size_t r = 0; r < roles; ++r) {
        is_news |= low[r] != low_of(&node, r) || high[r] != high_of(&node, r);
        node.entry(r).low.store(low[r], std::memory_order_relaxed);
        node.entry(r).high.store(high[r], std::memory_order_relaxed);
        is_solved &= low[r] == high[r];
    }
    if (is_solved) node.is_solved.store(true, std::memory_order_relaxed);
    return is_news;
}

// The role takes what is best for itself. If a move is proved to be as good as any can be, it makes such a move, and the
// others get what that brings them; else whatever comes of a move that may still be the best.
void Backup::prove_choice(Node& node, float* low, float* high) const {
    const std::size_t roles = tree_.shape().roles(), mine = node.only_chooser;
    const Edges edges = node.edges(mine);
    float best_low = 0, best_high = 0;
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        best_low = std::max(best_low, low_of(tree_.child(edges[e]), mine));
        best_high = std::max(best_high, high_of(tree_.child(edges[e]), mine));
    }
    const bool is_decided = best_low == best_high;
    for (std::size_t r = 0; r < roles; ++r) {
        low[r] = 1;
        high[r] = 0;
    }
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        const Node* child = tree_.child(edges[e]);
        const bool may_be_made = is_decided ? low_of(child, mine) == best_low : high_of(child, mine) >= best_low;
        // What cannot be better than what is certain need not be looked at any more.
        if (!is_decided && high_of(child, mine) < best_low) edges.ref(e).settle();
        if (!may_be_made) continue;
        for (std::size_t r = 0; r < roles; ++r) {
            low[r] = std::min(low[r], low_of(child, r));
            high[r] = std::max(high[r], high_of(child, r));
        }
    }
    low[mine] = best_low;
    high[mine] = best_high;
}

void Backup::prove_chance(Node& node, float* low, float* high) const {
    const Edges edges = node.edges(node.only_chooser);
    const std::size_t roles = tree_.shape().roles();
    for (std::size_t r = 0; r < roles; ++r) {
        double lows = 0, highs = 0;
        for (std::uint32_t e = 0; e < edges.count; ++e) {
            lows += low_of(tree_.child(edges[e]), r);
            highs += high_of(tree_.child(edges[e]), r);
        }
        low[r] = static_cast<float>(lows / edges.count);
        high[r] = static_cast<float>(highs / edges.count);
    }
}

// Where several choose at once, a role can be sure of what its best move brings against the worst of the others' moves,
// and of no more than the best of all. Says no where there are too many joint moves to go through.
bool Backup::prove_joint(Node& node, float* low, float* high) const {
    const std::vector<std::vector<Bounds>> moves = tree_.joint_bounds(node);
    if (moves.empty()) return false;
    for (std::size_t r = 0; r < moves.size(); ++r) {
        const bool is_chance = static_cast<std::int32_t>(r) == tree_.options().chance_role;
        low[r] = is_chance ? 1 : 0;
        high[r] = 0;
        for (const Bounds& move : moves[r]) {
            low[r] = is_chance ? std::min(low[r], move.low) : std::max(low[r], move.low);
            high[r] = std::max(high[r], move.high);
        }
    }
    return true;
}

}  // namespace ludorum::mcts
