#include "search/minimax/max_n.h"

#include <algorithm>
#include <limits>

#include "search/minimax/depth.h"
#include "search/minimax/ranking.h"

namespace ludorum::minimax {

bool MaxN::start(const Bits* state, const Bits* legal, const Watch& watch) {
    root_.clear();
    if (!plant(state, legal, watch)) return false;
    const SuccessorBatch& below = level(1);
    const SuccessorRange& range = below.ranges.front();
    if (range.choosers) {
        const Chooser& chooser = below.choosers[range.first_chooser];
        for (std::uint32_t p = 0; p < chooser.count; ++p) {
            root_.push_back({});
            root_.back().move = below.moves[chooser.first_move + p];
            root_.back().child = p * chooser.stride;
        }
    }
    return true;
}

Finding MaxN::search(std::uint32_t depth, double* values) {
    iteration_ = depth;
    searched_ = 0;
    found_so_far_ = {};
    best_so_far_.assign(shape_.roles(), 0);
    has_estimated_ = false;
    for (RootValues& move : root_) move.is_searched = move.is_proved;
    const Finding found = inside(0, 0, static_cast<double>(depth), values);
    if (!has_stopped_) return found;
    std::copy(best_so_far_.begin(), best_so_far_.end(), values);
    return found_so_far_;
}

Finding MaxN::inside(std::size_t number, std::uint32_t node, double depth, double* values) {
    SuccessorBatch& here = level(number);
    const std::uint64_t visited = counts_.states;
    const SuccessorRange range = level(number + 1).ranges[static_cast<std::size_t>(here.range[node])];
    const Finding found = choose(number, range, 0, 0, depth - 1, values);
    if (has_stopped_) return found;
    Entry entry{};
    entry.depth = depth;
    entry.best = found.child;
    entry.bound = found.is_proved ? Bound::kExact : Bound::kLower;
    keep(entry, number, node, counts_.states - visited, values);
    return found;
}

Finding MaxN::choose(std::size_t number, const SuccessorRange& range, std::uint32_t k, std::uint32_t offset, double below, double* values) {
    if (range.choosers == 0) {
        Finding found = visit(number + 1, range.first, below, 0, values);
        found.child = 0;
        if (!has_stopped_ && number == 0) {
            found_so_far_ = found;
            best_so_far_.assign(values, values + shape_.roles());
            searched_ = 1;
        }
        return found;
    }
    const Chooser chooser = level(number + 1).choosers[range.first_chooser + k];
    const std::uint32_t roles = shape_.roles(), count = chooser.count;
    const bool is_last = k + 1 == range.choosers;
    const bool is_chance = static_cast<std::int32_t>(chooser.role) == settings_.chance_role;
    // Depth goes by rank, but the order of the visits is that of the numbers: ties are for the first.
    const std::size_t base = ranked_.size();
    if (settings_.is_nonuniform) {
        ranked_.resize(base + 2 * count);
        rank(number, chooser, is_last, range.first + offset, {ranked_.data() + base, count});
        for (std::uint32_t i = 0; i < count; ++i)
            ranked_[base + count + ranked_[base + i].position].promise = kept_depth(i, count);
    }
    std::vector<double> tried(roles);
    Finding best;
    best.is_proved = true;
    std::fill(values, values + roles, 0.0);
    bool has_best = false;
    for (std::uint32_t p = 0; p < count; ++p) {
        const double depth = settings_.is_nonuniform ? below * ranked_[base + count + p].promise : below;
        Finding found;
        if (is_last) {
            found = visit(number + 1, range.first + offset + p, depth, count - p - 1, tried.data());
            found.child = offset + p;
        } else {
            found = choose(number, range, k + 1, offset + p * chooser.stride, depth, tried.data());
        }
        if (has_stopped_) break;
        best.is_proved &= found.is_proved;
        if (is_chance) {
            for (std::uint32_t role = 0; role < roles; ++role) values[role] += tried[role] / static_cast<double>(count);
            if (p == 0) best.child = found.child;
        } else if (!has_best || tried[chooser.role] > values[chooser.role]) {
            std::copy(tried.begin(), tried.end(), values);
            best.child = found.child;
            has_best = true;
        }
        if (number == 0 && k == 0) {
            RootValues& move = root_[p];
            move.child = found.child;
            move.values = tried;
            move.is_searched = true;
            move.is_proved = found.is_proved;
            if (found.is_proved && move.proved_at == 0) move.proved_at = iteration_;
            found_so_far_ = best;
            best_so_far_.assign(values, values + roles);
            ++searched_;
        }
        // Nothing that comes later can be better, and ties are for the first.
        if (!is_chance && values[chooser.role] >= kHighest) break;
    }
    ranked_.resize(base);
    return best;
}

Finding MaxN::visit(std::size_t number, std::uint32_t node, double depth, std::uint32_t siblings_left, double* values) {
    ++counts_.states;
    SuccessorBatch& here = level(number);
    const std::uint32_t roles = shape_.roles();
    if (here.over[node]) {
        std::copy_n(here.payoff(node), roles, values);
        return {true, 0};
    }
    if (depth < 1) {
        has_estimated_ = true;
        estimate(here, node, values);
        return {};
    }
    const auto is_known = [&](const Entry* entry) {
        return entry != nullptr && (entry->bound == Bound::kExact || entry->depth >= depth);
    };
    if (const Entry* entry = known(number, node); is_known(entry)) {
        note_use(*entry, number, node);
        const bool is_proved = entry->bound == Bound::kExact;
        has_estimated_ |= !is_proved;
        std::copy_n(table_.extra(entry), roles, values);
        return {is_proved, entry->best};
    }
    std::vector<Ranked> others(std::min<std::size_t>(siblings_left, settings_.sweep));
    for (std::uint32_t i = 0; i < others.size(); ++i) others[i] = {0, i};
    const bool evaluates = settings_.is_nonuniform || depth < 2;
    const bool is_expanded = expand(number, node, evaluates, others, node + 1, [&](std::uint32_t other) {
        return !is_known(known(number, other));
    });
    if (is_expanded) return inside(number, node, depth, values);
    // Too many successors to look at, or no time left; in both cases more depth would not help.
    estimate(here, node, values);
    return {};
}

void MaxN::rank(std::size_t number, const Chooser& chooser, bool is_last, std::uint32_t offset, std::span<Ranked> choices) {
    SuccessorBatch& below = level(number + 1);
    for (std::uint32_t p = 0; p < chooser.count; ++p) {
        choices[p] = {50, p};
        const std::uint32_t node = offset + p;
        if (!is_last) continue;
        if (below.over[node]) choices[p].promise = below.payoff(node)[chooser.role];
        else if (const Entry* entry = known(number + 1, node))
            choices[p].promise = table_.extra(entry)[chooser.role];
        else if (below.is_evaluated) choices[p].promise = below.value(node)[chooser.role];
    }
    best_first(choices);
}

void MaxN::estimate(const SuccessorBatch& batch, std::uint32_t node, double* values) const {
    const std::uint32_t roles = shape_.roles();
    if (!batch.is_evaluated) {
        std::fill(values, values + roles, 50.0);
        return;
    }
    for (std::uint32_t role = 0; role < roles; ++role) values[role] = std::clamp(batch.value(node)[role], kLeast, kMost);
}

}  // namespace ludorum::minimax
