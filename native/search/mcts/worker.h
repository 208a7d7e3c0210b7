// worker.h: one thread of a tree search: its lanes, and the paths whose
// playouts are under way in them.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/leaf_playouts.h"
#include "search/mcts/backup.h"
#include "search/mcts/expansion.h"
#include "search/mcts/leaf_evaluator.h"
#include "search/mcts/search.h"
#include "search/mcts/selection.h"
#include "support/clock.h"

namespace ludorum::mcts {

// When a search ends; shared by its threads.
struct Budget {
    std::atomic<std::int64_t> playouts;  // that may still be begun
    Clock::time_point end;
    const std::atomic<std::int32_t>& stop;
    std::atomic<bool> is_over{false};

    std::mutex mutex;
    std::exception_ptr failure;  // the first, under the mutex

    void fail(std::exception_ptr error) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = error;
        is_over = true;
    }

    // Up to so many playouts, as long as there are any.
    std::uint32_t take(std::uint32_t wanted) {
        std::int64_t left = playouts.load(std::memory_order_relaxed);
        std::int64_t taken;
        do {
            taken = std::min<std::int64_t>(wanted, left);
            if (taken <= 0) return 0;
        } while (!playouts.compare_exchange_weak(left, left - taken, std::memory_order_relaxed));
        return static_cast<std::uint32_t>(taken);
    }
};

class Worker {
public:
    Worker(TreeSearch& search, std::uint32_t number);

    // Works until the budget is used up, or something fails, which the budget then holds. If playouts were what it
    // lacked, all that were begun are finished.
    void work(Budget& budget, bool answers_readers);

private:
    std::uint32_t most_in_flight() const;
    bool has_sequences() const { return options_.policy == Policy::kNst || options_.policy == Policy::kReplies; }
    std::uint32_t rounds() const;
    bool is_over(const Budget& budget) const;
    void begin_paths(Budget& budget, bool answers_readers);
    void finish_playouts(bool has_clock);
    void evaluate_cut_games();
    void learn(const SelectedPath& path, const float* values, const Bits* played);
    void cancel_all();

    TreeSearch& search_;
    const std::uint32_t number_;
    const Options& options_;
    Random random_;
    Selection selection_;
    LeafEvaluator leaf_evaluator_;
    Expansion expansion_;
    Backup backup_;
    std::unique_ptr<LeafPlayouts> playouts_;
    Preference preference_;
    std::uint64_t since_order_ = 0;        // playouts since its last change
    std::uint32_t limit_;                  // of paths in flight
    std::vector<SelectedPath> paths_;              // by ticket
    std::vector<std::uint32_t> free_;      // tickets
    std::vector<Bits> leaves_;             // by ticket: the state its playout began in
    std::uint32_t steps_ = 1;              // that fit between two looks at the clock
    double play_seconds_ = 0, tree_seconds_ = 0;  // that rounds took lately, and what came between
    Clock::time_point played_;  // when the last round ended
    LeafResults results_;
    std::vector<SelectedPath*> chosen_;
    std::vector<std::uint32_t> tickets_;
    std::vector<float> values_;            // playouts × roles
    std::vector<const SelectedPath*> ended_;       // that are backed up together
    std::vector<std::size_t> cut_;         // games among the results, with their last states and what these are worth
    std::vector<Bits> cut_states_;
    std::vector<double> cut_values_;
    std::vector<Bits> no_moves_;
    std::vector<std::uint32_t> history_;
};

}  // namespace ludorum::mcts
