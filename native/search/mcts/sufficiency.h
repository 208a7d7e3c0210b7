// sufficiency.h: when a move is good enough that no other need be explored.
//
// The plain form compares a mean with a threshold. The adaptive form learns
// during the search what is close to a win: it tells playouts that were won
// from others, and compares how far the best mean is above the value that
// divides them with how far it usually was at the root.
//
// In the literature: the sufficiency threshold (Gudmundsson and Björnsson 2013).
#pragma once

#include <cmath>
#include <cstdint>
#include <mutex>
#include <vector>

#include "search/mcts/options.h"
#include "support/random.h"

namespace ludorum::mcts {

class SufficiencyModel {
public:
    SufficiencyModel(std::size_t roles, const Options& options) : options_(options), roles_(roles) {}

    bool is_enough(std::size_t role, float best, Random& random) const {
        if (options_.sufficiency == Sufficiency::kFixed) return best > options_.sufficient;
        std::lock_guard lock(mutex_);
        const Role& known = roles_[role];
        if (known.differences < kEnoughToJudge) return false;
        const double spread = std::sqrt(known.squares / static_cast<double>(known.differences));
        if (spread == 0) return false;
        // The chance that the difference is below this one: the better the move, the likelier it is enough.
        const double standard = (best - divide(known) - known.mean) / spread;
        const double chance = 0.5 * std::erfc(-standard / std::sqrt(2.0));
        return random.unit() < std::fmin(chance, 1 - kAlwaysExplored);
    }

    // A playout was worth `value` to the role while the best move of the root had this mean.
    void add(std::size_t role, float value, float best) {
        if (options_.sufficiency != Sufficiency::kAdaptive) return;
        std::lock_guard lock(mutex_);
        Role& known = roles_[role];
        Class& mine = value >= 1 ? known.won : known.other;
        ++mine.count;
        mine.sum += value;
        if (!known.won.count || !known.other.count) return;
        const double difference = best - divide(known);
        ++known.differences;
        const double before = difference - known.mean;
        known.mean += before / static_cast<double>(known.differences);
        known.squares += before * (difference - known.mean);
    }

private:
    static constexpr std::uint64_t kEnoughToJudge = 30;
    static constexpr double kAlwaysExplored = 0.1;

    struct Class {
        std::uint64_t count = 0;
        double sum = 0;
        double mean() const { return count ? sum / static_cast<double>(count) : 0; }
    };
    struct Role {
        Class won, other;
        std::uint64_t differences = 0;
        double mean = 0, squares = 0;  // Welford's
    };

    // Where a result is as likely to be of one class as of the other.
    static double divide(const Role& known) {
        const auto won = static_cast<double>(known.won.count), other = static_cast<double>(known.other.count);
        return won + other == 0 ? 0 : (other * known.won.mean() + won * known.other.mean()) / (other + won);
    }

    const Options options_;
    mutable std::mutex mutex_;
    std::vector<Role> roles_;
};

}  // namespace ludorum::mcts
