// bids.h: what the moves of a node bid for the walks that are there together.
//
// A walk takes the move that bids most, which bids less from then on. The bids
// of a flock are held apart from the node, so that it is told once what all of
// its walks chose, and not read again after every change.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "tree.h"

namespace ludorum::mcts {

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

// The edge with the largest value; one of the first of equals. Four at a time, because this is what a walk spends its
// time with.
class Largest {
public:
    void look_at(const Values& four) {
        const Numbers is_more = four > most_;
        most_ = is_more ? four : most_;
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

class Bids {
public:
    // Begins anew, with the moves of a role in a node. What is explored of the moves number 0, 4, 8, ... counts `zeal[0]`
    // times, and so on. Requires: there are at least two, and they and the tree stay.
    void open(const Tree& tree, const Edges& edges, const Values& zeal) {
        tree_ = &tree;
        zeal_ = zeal;
        fours_ = edges.fours();
        records_ = &edges[0];
        taken_.assign(edges.count, 0);
        bids_.resize(fours_.size());
    }

    // How much exploration counts from now on. Requires: asked for before the first is taken.
    void weigh(float factor) {
        factors_ = factor * zeal_;
        for (std::size_t four = 0; four < fours_.size(); ++four) bids_[four].four = load(fours_[four].score) + factors_ * load(fours_[four].doubt);
        for (std::uint32_t edge = 0; edge < taken_.size(); ++edge)
            if (taken_[edge] && !is_settled(edge)) set(edge, bid(count(edge), factors_[edge % 4]));
    }

    // The edge that bids most, for as many walks as take it one after the other, at most so many. What it bids next does not
    // depend on the walk before, so the machine is at several of them at once.
    struct Taken {
        std::uint32_t edge, walks;
    };
    Taken take(std::uint32_t most) {
        const std::uint32_t edge = largest().edge();
        std::uint32_t walks = most;
        if (!is_settled(edge)) {
            set(edge, kNoBid);
            const Largest second = largest();
            const float other = second.value();
            const bool is_before = Largest::is_before(edge, second.edge());
            const float factor = factors_[edge % 4];
            Record::Count next = count(edge);
            float now;
            walks = 0;
            do {
                ++walks;
                ++next.begun;
                ++next.pending;
                now = bid(next, factor);
            } while (walks < most && (now > other || (now == other && is_before)));
            set(edge, now);
        }
        taken_[edge] += walks;
        return {edge, walks};
    }

    // How many walks took each edge.
    const std::vector<std::uint32_t>& taken() const { return taken_; }

private:
    static constexpr float kNoBid = -1e20f;

    Largest largest() const {
        Largest largest;
        for (const Bid& bid : bids_) largest.look_at(bid.four);
        return largest;
    }
    bool is_settled(std::uint32_t edge) const { return fours_[edge / 4].score[edge % 4].load(std::memory_order_relaxed) == kSettled; }
    Record::Count count(std::uint32_t edge) const {
        Record::Count count = records_[edge].count();
        count.begun += taken_[edge];
        count.pending += taken_[edge];
        return count;
    }
    float bid(const Record::Count& count, float factor) const {
        const Tree::Figures figures = tree_->figures(count);
        return figures.score + factor * figures.doubt;
    }
    void set(std::uint32_t edge, float bid) {
        typedef std::int32_t Numbers __attribute__((vector_size(16)));
        // Written as four, because they are read as four next.
        const Numbers is_it = Numbers{0, 1, 2, 3} == static_cast<std::int32_t>(edge % 4);
        Values& four = bids_[edge / 4].four;
        four = is_it ? Values{} + bid : four;
    }

    const Tree* tree_ = nullptr;
    std::span<const Four> fours_;
    const Record* records_ = nullptr;
    Values zeal_{}, factors_{};
    // A type of its own, because a template forgets what a vector may alias.
    struct Bid {
        Values four;
    };
    std::vector<Bid> bids_;
    std::vector<std::uint32_t> taken_;  // by edge
};

}  // namespace ludorum::mcts
