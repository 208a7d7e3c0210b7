#include "backup.h"

#include <algorithm>
#include <vector>

namespace ludorum::mcts {
namespace {

float low_of(const Node* node, std::size_t role) { return node ? node->low_of(role) : 0; }
float high_of(const Node* node, std::size_t role) { return node ? node->high_of(role) : 1; }

}  // namespace

void Backup::add(std::span<const Walk* const> walks, const float* values, Bits* played) {
    if (walks.empty()) return;
    const std::size_t roles = tree_.shape().roles();
    flocks_.run(walks.front()->nodes.front(), static_cast<std::uint32_t>(walks.size()), tree_.options().threads > 1,
                [](const Node&) { return true; },
                [&](std::uint32_t i, std::size_t step, Node& node) {
                    const Walk& walk = *walks[i];
                    add_at(node, walk.joint(step, roles), values + i * roles);
                    return step + 1 < walk.nodes.size() ? walk.nodes[step + 1] : nullptr;
                });
    for (std::size_t i = 0; played && i < walks.size(); ++i) add_rave(*walks[i], values + i * roles, played + i * tree_.shape().legal_words());
    for (const Walk* walk : walks)
        if (tree_.options().proofs && walk->end && walk->end->is_solved.load(std::memory_order_relaxed)) prove(*walk);
}

// Requires: the node's lock.
void Backup::add_at(Node& node, const std::uint32_t* joint, const float* values) const {
    const auto add_for = [&](std::size_t role) {
        const Edges edges = node.edges(role);
        const std::uint32_t e = joint[role];
        Record& record = edges[e];
        --record.pending;
        ++record.visits;
        record.sum += values[role];
        tree_.refresh(edges, e);
    };
    if (node.choosers == 1) return add_for(node.only_chooser);
    for (std::size_t r = 0; r < tree_.shape().roles(); ++r)
        if (node.count(r) > 1) add_for(r);
}

// From the leaf up for as long as there is news: a parent has something to prove only where something was proved below.
void Backup::prove(const Walk& walk) const {
    const Node* child = walk.end;
    for (std::size_t step = walk.nodes.size(); step-- > 0;) {
        Node& node = *walk.nodes[step];
        const Guard guard(node, tree_.options().threads > 1);
        if (!prove(node, walk.joint(step, tree_.shape().roles()), *child)) return;
        child = &node;
    }
}

void Backup::cancel(const Walk& walk) const {
    const std::size_t roles = tree_.shape().roles();
    for (std::size_t step = walk.nodes.size(); step-- > 0;) {
        Node& node = *walk.nodes[step];
        const Guard guard(node, tree_.options().threads > 1);
        --node.walks;
        for (std::size_t r = 0; r < roles; ++r) {
            if (node.count(r) < 2) continue;
            const Edges edges = node.edges(r);
            const std::uint32_t e = walk.joint(step, roles)[r];
            --edges[e].pending;
            if (node.choosers == 1 && edges[e].pending + edges[e].visits == 0) ++node.untried;
            tree_.refresh(edges, e);
        }
    }
}

// From the leaf up, because for a node those moves count that were made from there on.
void Backup::add_rave(const Walk& walk, const float* values, Bits* played) const {
    const Shape& shape = tree_.shape();
    for (std::size_t step = walk.nodes.size(); step-- > 0;) {
        Node& node = *walk.nodes[step];
        const Guard guard(node, tree_.options().threads > 1);
        std::uint32_t first = 0;
        for (std::size_t r = 0; r < shape.roles(); ++r) {
            const std::uint32_t made = first + node.move(r, walk.joint(step, shape.roles())[r]);
            played[made / 64] |= Bits{1} << (made % 64);
            for (std::uint32_t e = 0; node.count(r) > 1 && e < node.count(r); ++e) {
                const Edges edges = node.edges(r);
                const std::uint32_t move = first + edges.move(e);
                if (!((played[move / 64] >> (move % 64)) & 1)) continue;
                LaterRecord& later = edges.later(e);
                later.mean += (values[r] - later.mean) / static_cast<float>(++later.visits);
            }
            first += shape.moves[r];
        }
    }
}

// Recomputes what is proved of a node; says whether that is more than before.
bool Backup::prove(Node& node, const std::uint32_t* joint, const Node& child) const {
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
        const Edges edges = node.edges(node.only_chooser);
        if (child.is_solved.load(std::memory_order_relaxed)) tree_.settle(edges, joint[node.only_chooser]);
        prove_choice(node, low, high);
    }
    bool is_news = false, is_solved = true;
    for (std::size_t r = 0; r < roles; ++r) {
        is_news |= low[r] != low_of(&node, r) || high[r] != high_of(&node, r);
        node.seat(r).low.store(low[r], std::memory_order_relaxed);
        node.seat(r).high.store(high[r], std::memory_order_relaxed);
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
        best_low = std::max(best_low, low_of(edges[e].child, mine));
        best_high = std::max(best_high, high_of(edges[e].child, mine));
    }
    const bool is_decided = best_low == best_high;
    for (std::size_t r = 0; r < roles; ++r) {
        low[r] = 1;
        high[r] = 0;
    }
    for (std::uint32_t e = 0; e < edges.count; ++e) {
        const Node* child = edges[e].child;
        const bool may_be_made = is_decided ? low_of(child, mine) == best_low : high_of(child, mine) >= best_low;
        // What cannot be better than what is certain need not be looked at any more.
        if (!is_decided && high_of(child, mine) < best_low) tree_.settle(edges, e);
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
            lows += low_of(edges[e].child, r);
            highs += high_of(edges[e].child, r);
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
