// policy.h: what moves were worth in the playouts so far, and how playouts
// choose by it.
//
// MAST keeps the mean result of every move of a role, whatever the state. NST
// keeps it for sequences of one, two and three moves too, the last of which is
// the role's own, the others those of the roles before it in earlier steps. Replies are sequences of two, few of which are
// handed to playouts that have no time to look each up: those that are better than what is usual.
//
// Threads: all of it may be read and written at any time; a result may be lost
// where two threads add to the same mean at once.
//
// In the literature: MAST (Finnsson and Björnsson 2008); NST, the n-gram selection technique (Tak, Winands and Björnsson 2012).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "engine/leaf_playouts.h"
#include "engine/simulator.h"
#include "search/mcts/options.h"
#include "support/random.h"

namespace ludorum::mcts {

// The joint moves before a choice, as move numbers; null where the search has not seen them.
struct Context {
    const std::uint32_t* last = nullptr;
    const std::uint32_t* last_but_one = nullptr;
};

class Mean {
public:
    float value() const { return value_.load(std::memory_order_relaxed); }
    float count() const { return count_.load(std::memory_order_relaxed); }
    void add(float result) {
        const float n = count() + 1;
        value_.store(value() + (result - value()) / n, std::memory_order_relaxed);
        count_.store(n, std::memory_order_relaxed);
    }
    void decay(float factor) { count_.store(count() * factor, std::memory_order_relaxed); }

private:
    std::atomic<float> value_{0};
    std::atomic<float> count_{0};
};

class Statistics {
public:
    Statistics(const Shape& shape, const Options& options);

    // Which of the moves (numbers within the role) a playout would make here. Requires: there is one.
    std::size_t choose(std::size_t role, std::span<const std::uint32_t> moves, const Context& context, Random& random) const;

    // What a playout brought in which these moves were made, given as bits of all roles' moves.
    void add(const Bits* played, const float* values);
    // Likewise, given as joint moves in the order they were made.
    void add(std::span<const std::uint32_t> moves, const float* values);

    // After a move was made on the board: older results count for less.
    void decay();

    // MAST as orders that all lanes can share. With Gibbs' measure a few orders are drawn from the distribution that it
    // gives to orders (every next move with a chance in proportion to its weight), so that in every lane the first legal
    // one comes with the chance that the measure gives it among the legal ones; one order a call is drawn anew. (Lanes
    // that share an order are not independent of each other.) The replies to some moves are looked up anew, in turns.
    void update(Preference& preference, Random& random) const;

private:
    static constexpr std::uint32_t kOrders = 4;
    static constexpr std::uint32_t kReplies = 4;         // to a move, at the most
    static constexpr std::uint32_t kRepliesUpdated = 8;  // moves a call that are given new replies
    static constexpr std::size_t kRows = std::size_t{1} << 18;
    static constexpr std::size_t kRowBytes = std::size_t{1} << 28;  // of all rows together

    // What a role's moves were worth after certain moves of others: a mean a move. The moves that are legal together
    // are asked for together, so they lie together.
    struct Row {
        std::atomic<std::uint64_t> key{0};
        std::atomic<Mean*> means{nullptr};
    };

    // The rows that a choice depends on, shortest sequence first; null where there is none.
    struct Rows {
        const Mean* pair = nullptr;
        const Mean* triple = nullptr;
    };

    Rows rows(std::size_t role, const Context& context) const;
    float worth(std::size_t role, std::uint32_t move, const Rows& rows) const;
    void draw_order(std::uint32_t* order, Random& random) const;
    void find_replies(std::size_t role, std::uint32_t move, std::uint32_t* replies) const;
    bool has_sequences() const { return options_.policy == Policy::kNst || options_.policy == Policy::kReplies; }
    std::uint64_t key(std::size_t role, const Context& context, int length) const;
    bool is_known(std::size_t role, const Context& context, int length) const;
    Mean* find(std::uint64_t key) const;
    Mean* find_or_make(std::uint64_t key, std::size_t role);

    const Shape shape_;
    const Options options_;
    std::vector<std::uint32_t> first_move_;  // of each role
    std::vector<Mean> moves_;
    std::vector<Row> rows_;                  // by key
    std::mutex making_;
    std::vector<std::pair<std::unique_ptr<Mean[]>, std::size_t>> made_;  // with their sizes
    std::size_t row_bytes_ = 0;
    mutable std::atomic<std::uint32_t> next_order_{0}, next_reply_{0};
};

}  // namespace ludorum::mcts
