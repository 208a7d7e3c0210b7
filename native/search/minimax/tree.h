// tree.h: what all searches of a game tree share: its levels, expanded in
// sweeps; keys and the table; limits; the order of choices.
//
// Every game is treated as sequential (section 4.2.3 of Schiffel's thesis):
// where several roles have a choice they choose one after the other, each
// knowing what those before it chose. The role of chance, which knows nothing
// and wants nothing, comes last and takes the mean.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/simulator.h"
#include "evaluation/evaluation.h"
#include "search/minimax/history.h"
#include "search/minimax/orientation.h"
#include "search/minimax/successor_batch.h"
#include "search/minimax/transposition_table.h"
#include "support/clock.h"
#include "support/zobrist.h"

namespace ludorum::minimax {

// Estimates stay between these, so that no estimate is taken for a win or a loss that was seen.
constexpr double kLeast = 1, kMost = 99;
// Goals are values from 0 to 100.
constexpr double kLowest = 0, kHighest = 100;

struct Settings {
    std::vector<std::uint32_t> order;  // who chooses before whom; chance last
    std::int32_t chance_role = -1;
    bool is_nonuniform = false;
    bool uses_null_windows = true;
    bool uses_equilibria = false;      // where two choose at once; else one after the other
    std::size_t sweep = 64;            // how many successors a sweep may find to use the machine well
    std::uint64_t seed = 0;            // for the order of root moves that look alike
    const Symmetries* symmetries = nullptr;
};

struct Counts {
    std::uint64_t states = 0;     // visited: the search looked at their value, or at what is below them
    std::uint64_t generated = 0;  // found as successors, in advance or in vain included
    std::uint64_t sweeps = 0;
    std::uint64_t simultaneous = 0;  // states expanded where several roles, chance apart, had a choice
    std::uint64_t turned = 0;     // states whose images were looked for,
    std::uint64_t spared = 0;     // and states that need not be visited, because an image was known
};

// When to stop. Asked at every sweep.
struct Watch {

    const std::atomic<std::int32_t>* stop;
    Clock::time_point deadline = Clock::time_point::max();
    std::uint64_t most_states = ~std::uint64_t{0};

    bool has_ended(const Counts& counts) const {
        return stop->load(std::memory_order_relaxed) != 0 || counts.states >= most_states || Clock::now() >= deadline;
    }
};

// A choice in the order in which it is tried.
struct Ranked {
    double promise;
    std::uint32_t position;
};

class Tree {
public:
    // A state with more joint moves than this is not expanded but evaluated.
    static constexpr std::uint64_t kMostSuccessors = std::uint64_t{1} << 14;

    Tree(const Simulator& simulator, const evaluation::Evaluation* evaluation, Settings settings, TranspositionTable& table);

    const Counts& counts() const { return counts_; }
    // Whether any value was an estimate because the depth did not reach further; else more depth finds nothing new.
    bool has_estimated() const { return has_estimated_; }
    bool has_stopped() const { return has_stopped_; }
    // Whether states are looked up by their images. False for good once that has cost more than it brought
    // (section 8.4 of the thesis).
    bool uses_symmetries() const { return uses_symmetries_; }
    // Who chooses first at the root; negative if nobody has a choice.
    std::int32_t root_role() const { return root_role_; }

protected:
    // Level 0 holds the root alone. Requires: it is not over. False if it has too many successors or there is no time.
    bool plant(const Bits* state, const Bits* legal, const Watch& watch);

    // Makes sure that the successors of a state are in the level below, and with them those of the candidates after
    // it as far as a sweep reaches. `wanted(state)` says whether a candidate will probably be needed.
    template <class Wanted>
    bool expand(std::size_t level, std::uint32_t number, bool evaluate, std::span<const Ranked> candidates, std::uint32_t offset,
                Wanted wanted);

    std::uint64_t key(std::size_t level, std::uint32_t number);

    // A level stays where it is while deeper ones are made.
    SuccessorBatch& level(std::size_t number) {
        if (number >= levels_.size()) [[unlikely]] add_levels(number);
        return *levels_[number];
    }

    const Simulator& simulator_;
    const Shape& shape_;
    const evaluation::Evaluation* evaluation_;
    Settings settings_;
    TranspositionTable& table_;
    Zobrist zobrist_;
    History history_;
    // What is known of a state, or of an image of it.
    const Entry* known(std::size_t level, std::uint32_t number);
    // Counts what need not be searched because an entry, which was just found of the state, is of use.
    void note_use(const Entry& entry, std::size_t level, std::uint32_t number);
    // The best successor by an entry, in the numbers of the state itself. Requires: it is expanded.
    std::uint32_t best_of(const Entry& entry, std::size_t level, std::uint32_t number);
    // Keeps what was found of a state, for whose sake so many states were visited.
    void keep(Entry entry, std::size_t level, std::uint32_t number, std::uint64_t visited, const double* extra);

    Watch watch_{};
    Counts counts_;
    bool has_stopped_ = false;
    bool has_estimated_ = false;
    std::int32_t root_role_ = -1;
    std::vector<Ranked> ranked_;  // the choices of all levels, a stack

private:
    void add_levels(std::size_t number);
    void turn(SuccessorBatch& batch, std::uint32_t number);
    void weigh_symmetries();
    const Bits* row(const SuccessorBatch& batch, std::uint32_t number) const {
        return uses_symmetries_ ? batch.rows.data() + number * shape_.state_words() : batch.state(number);
    }

    bool sweep(std::size_t level, bool evaluate);
    void release(std::size_t level);

    std::vector<std::unique_ptr<SuccessorBatch>> levels_;
    std::vector<std::uint32_t> first_of_role_;
    bool uses_symmetries_ = false;
    Clock::time_point began_{};
    double turning_seconds_ = 0;  // spent on looking for images, by samples
};

template <class Wanted>
bool Tree::expand(std::size_t number, std::uint32_t node, bool evaluate, std::span<const Ranked> candidates, std::uint32_t offset,
                  Wanted wanted) {
    SuccessorBatch& here = level(number);
    if (here.range[node] != SuccessorBatch::kNotExpanded) return true;
    const std::uint64_t ways = count_joint_moves(shape_, here.legal_moves(node), kMostSuccessors);
    if (ways > kMostSuccessors) return false;
    release(number);
    SuccessorBatch& below = level(number + 1);
    std::uint64_t total = ways;
    const auto add = [&](std::uint32_t state) {
        here.range[state] = static_cast<std::int32_t>(below.ranges.size());
        below.add(shape_, settings_.order, here.legal_moves(state), state);
        const SuccessorRange& range = below.ranges.back();
        const bool has_chance = range.choosers && static_cast<std::int32_t>(below.choosers.back().role) == settings_.chance_role;
        counts_.simultaneous += range.choosers > 1u + has_chance;
    };
    add(node);
    for (const Ranked& candidate : candidates) {
        if (total >= settings_.sweep) break;
        const std::uint32_t other = offset + candidate.position;
        if (here.over[other] || here.range[other] != SuccessorBatch::kNotExpanded || !wanted(other)) continue;
        const std::uint64_t more = count_joint_moves(shape_, here.legal_moves(other), settings_.sweep);
        if (total + more > settings_.sweep) break;
        total += more;
        add(other);
    }
    return sweep(number + 1, evaluate);
}

}  // namespace ludorum::minimax
