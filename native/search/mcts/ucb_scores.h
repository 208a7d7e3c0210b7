// ucb_scores.h: the upper confidence bounds of the moves of a node, for the paths
// that are there together.
//
// A path takes the move with the highest score, which is lower from then on. The
// scores of a group are held apart from the node, so that it is told once what
// all of its paths chose, and not read again after every change.
//
// In the literature: UCB1 (Auer, Cesa-Bianchi and Fischer 2002) in trees, UCT (Kocsis and Szepesvári 2006).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "search/mcts/tree.h"

namespace ludorum::mcts {

typedef float Values __attribute__((vector_size(16), may_alias));

// Four numbers at once. Another thread may just write one of them; then this is what it was before or what it is after.
inline Values load(const std::atomic<float>* block) {
#if defined(__SANITIZE_THREAD__)
    // It does not know that this machine reads aligned numbers whole.
    Values values;
    for (int i = 0; i < 4; ++i) values[i] = block[i].load(std::memory_order_relaxed);
    return values;
#else
    return *reinterpret_cast<const Values*>(block);
#endif
}

// The edge with the largest value; one of the first of equals. Four at a time, because this is what a path spends its
// time with.
class Largest {
public:
    void look_at(const Values& block) {
        const Numbers is_more = block > most_;
        most_ = is_more ? block : most_;
        found_ = is_more ? here_ : found_;
        here_ += 4;
    }

    std::uint32_t edge() const { return static_cast<std::uint32_t>(found_[column()]); }
    float value() const { return most_[column()]; }

    // Of edges with equal values, which it finds.
    static bool is_before(std::uint32_t edge, std::uint32_t other) {
        return edge % 4 != other % 4 ? edge % 4 < other % 4 : edge < other;
    }

private:
    int column() const {
#if defined(__SSE2__)
        // Without a branch, which nobody could predict.
        __m128 largest = _mm_max_ps(most_, _mm_shuffle_ps(most_, most_, _MM_SHUFFLE(1, 0, 3, 2)));
        largest = _mm_max_ps(largest, _mm_shuffle_ps(largest, largest, _MM_SHUFFLE(2, 3, 0, 1)));
        return std::countr_zero(static_cast<unsigned>(_mm_movemask_ps(_mm_cmpeq_ps(most_, largest))));
#else
        int best = 0;
        for (int i = 1; i < 4; ++i)
            if (most_[i] > most_[best]) best = i;
        return best;
#endif
    }

    typedef std::int32_t Numbers __attribute__((vector_size(16)));

    Values most_ = Values{} - 1e30f;
    Numbers found_ = {0, 0, 0, 0}, here_ = {0, 1, 2, 3};
};

class UcbScores {
public:
    // Begins anew, with the moves of a role in a node. What is explored of the moves number 0, 4, 8, ... counts `exploration_scale[0]`
    // times, and so on. Requires: there are at least two, and they and the tree stay.
    void open(const Tree& tree, const Edges& edges, const Values& exploration_scale) {
        tree_ = &tree;
        exploration_scale_ = exploration_scale;
        blocks_ = edges.blocks();
        stats_ = &edges[0];
        taken_.assign(edges.count, 0);
        scores_.resize(blocks_.size());
    }

    // How much exploration counts from now on. Requires: asked for before the first is taken.
    void weigh(float factor) {
        factors_ = factor * exploration_scale_;
        for (std::size_t block = 0; block < blocks_.size(); ++block) scores_[block].block = load(blocks_[block].score) + factors_ * load(blocks_[block].exploration_term);
        for (std::uint32_t edge = 0; edge < taken_.size(); ++edge)
            if (taken_[edge] && !is_settled(edge)) set(edge, ucb(count(edge), factors_[edge % 4]));
    }

    // The edge that scores most, for as many paths as take it one after the other, at most so many. What it scores next does not
    // depend on the path before, so the machine is at several of them at once.
    struct Taken {
        std::uint32_t edge, paths;
    };
    Taken take(std::uint32_t most) {
        const std::uint32_t edge = largest().edge();
        std::uint32_t paths = most;
        if (!is_settled(edge)) {
            set(edge, kNoScore);
            const Largest second = largest();
            const float other = second.value();
            const bool is_before = Largest::is_before(edge, second.edge());
            const float factor = factors_[edge % 4];
            EdgeStats::Count next = count(edge);
            float now;
            paths = 0;
            do {
                ++paths;
                ++next.started;
                ++next.pending;
                now = ucb(next, factor);
            } while (paths < most && (now > other || (now == other && is_before)));
            set(edge, now);
        }
        taken_[edge] += paths;
        return {edge, paths};
    }

    // How many paths took each edge.
    const std::vector<std::uint32_t>& taken() const { return taken_; }

private:
    static constexpr float kNoScore = -1e20f;

    Largest largest() const {
        Largest largest;
        for (const Block& each : scores_) largest.look_at(each.block);
        return largest;
    }
    bool is_settled(std::uint32_t edge) const { return blocks_[edge / 4].score[edge % 4].load(std::memory_order_relaxed) == kSettled; }
    EdgeStats::Count count(std::uint32_t edge) const {
        EdgeStats::Count count = stats_[edge].count();
        count.started += taken_[edge];
        count.pending += taken_[edge];
        return count;
    }
    float ucb(const EdgeStats::Count& count, float factor) const {
        const Tree::Figures figures = tree_->figures(count);
        return figures.score + factor * figures.exploration_term;
    }
    void set(std::uint32_t edge, float score) {
        typedef std::int32_t Numbers __attribute__((vector_size(16)));
        // Written as four, because they are read as four next.
        const Numbers is_it = Numbers{0, 1, 2, 3} == static_cast<std::int32_t>(edge % 4);
        Values& block = scores_[edge / 4].block;
        block = is_it ? Values{} + score : block;
    }

    const Tree* tree_ = nullptr;
    std::span<const EdgeBlock> blocks_;
    const EdgeStats* stats_ = nullptr;
    Values exploration_scale_{}, factors_{};
    // A type of its own, because a template forgets what a vector may alias.
    struct Block {
        Values block;
    };
    std::vector<Block> scores_;
    std::vector<std::uint32_t> taken_;  // by edge
};

}  // namespace ludorum::mcts
