#include "search/mcts/worker.h"

#include <algorithm>

#include "search/mcts/stepped.h"

namespace ludorum::mcts {
namespace {

// A round asks for so many finished playouts, in parts of the lanes: fewer make rounds more frequent, more let lanes idle.
// Where threads share a tree that takes most of their time, fewer rounds take its memory out of each other's hands less often.
constexpr std::uint32_t kRounds = 4, kSharedRounds = 2;
// The part of what was measured before that still counts after a round.
constexpr double kKept = 0.9;
// Steps between two rounds at most; where there is a clock to watch, as many as fit into the time after it.
constexpr std::uint32_t kSteps = 64;
constexpr std::chrono::microseconds kBetweenLooks{1000};
// With so many visits of the root for each of them leaves are still chosen with open eyes.
constexpr std::uint32_t kVisitsALeaf = 4;
constexpr std::uint32_t kFewLeaves = 16;
// The more leaves in flight, of all threads together, the later a move gets a node: a large tree grows fast enough, and
// every level takes time.
constexpr std::uint32_t kLeavesATry = 128, kMostTries = 8;

bool notes_moves(const Options& options) { return options.rave != Rave::kNever || options.policy == Policy::kMast; }

}  // namespace

Worker::Worker(TreeSearch& search, std::uint32_t number)
    : search_(search),
      number_(number),
      options_(search.options_),
      random_(search.options_.seed ^ (0x9E3779B97F4A7C15ull * (number + 1))),
      selection_(search.tree_, search.statistics_, search.sufficiency_, number),
      leaf_evaluator_(search.simulator_, search.evaluation_),
      expansion_(search.simulator_, search.tree_, leaf_evaluator_, number),
      backup_(search.tree_) {
    LeafSpec spec;
    spec.lanes = options_.lanes;
    spec.seed = options_.seed * 1'000'003 + number;
    spec.max_steps = std::min(options_.max_steps, options_.cutoff);
    spec.notes_ends = options_.cutoff <= options_.max_steps;
    spec.notes_moves = notes_moves(options_);
    spec.decisive = options_.decisive;
    spec.replies = options_.policy == Policy::kReplies;
    // A choice that depends on the moves before it is each game's own.
    if (options_.policy != Policy::kNst) playouts_ = search.simulator_.leaf_playouts(spec);
    if (!playouts_)
        playouts_ = std::make_unique<SteppedPlayouts>(search.simulator_, search.statistics_, spec, has_sequences());
    limit_ = options_.in_flight ? options_.in_flight : playouts_->lanes();
    limit_ = std::min(limit_, EdgeStats::kMostPending / options_.threads);
    paths_.resize(limit_);
    leaves_.resize(limit_ * search.tree_.shape().state_words());
    values_.resize(search.tree_.shape().roles());
    no_moves_.resize(search.tree_.shape().legal_words());
    for (std::uint32_t ticket = limit_; ticket-- > 0;) free_.push_back(ticket);
}

std::uint32_t Worker::most_in_flight() const {
    if (options_.in_flight) return limit_;
    // Only those paths count that have come back; the other threads have about as many under way.
    const std::uint32_t under_way = (limit_ - static_cast<std::uint32_t>(free_.size())) * options_.threads;
    const std::uint32_t started = search_.root_->visits.load(std::memory_order_relaxed), visits = started - std::min(started, under_way);
    return std::clamp(visits / kVisitsALeaf, std::min(kFewLeaves, limit_), limit_);
}

std::uint32_t Worker::rounds() const {
    return search_.tree_.is_shared() && tree_seconds_ > play_seconds_ ? kSharedRounds : kRounds;
}

bool Worker::is_over(const Budget& budget) const {
    return budget.stop.load(std::memory_order_relaxed) || search_.is_decided() || Clock::now() >= budget.end;
}

void Worker::begin_paths(Budget& budget, bool answers_readers) {
    const std::size_t words = search_.tree_.shape().state_words(), roles = search_.tree_.shape().roles();
    const std::uint32_t most = most_in_flight();
    const std::uint32_t tries = std::clamp(most * options_.threads / kLeavesATry, 2u, kMostTries);
    const std::uint32_t expand_at = options_.expand_at ? options_.expand_at : tries;
    // Paths that end where all is solved take no lane. In a small game with simultaneous moves, whose root no proof
    // decides, all of them may end so: then this goes on for as long as there is time.
    while (limit_ - free_.size() < most && !is_over(budget)) {
        if (answers_readers) search_.answer_readers();
        chosen_.clear();
        tickets_.clear();
        for (std::uint32_t wanted = budget.take(most - (limit_ - static_cast<std::uint32_t>(free_.size()))); wanted > 0; --wanted) {
            const std::uint32_t ticket = free_.back();
            free_.pop_back();
            chosen_.push_back(&paths_[ticket]);
            tickets_.push_back(ticket);
        }
        if (chosen_.empty()) return;
        selection_.select(search_.root_, expand_at, random_, chosen_);
        expansion_.expand(chosen_);
        ended_.clear();
        values_.clear();
        for (std::size_t i = 0; i < chosen_.size(); ++i) {
            SelectedPath& path = *chosen_[i];
            if (path.steps.size() > search_.deepest_.load(std::memory_order_relaxed))
                search_.deepest_.store(static_cast<std::uint32_t>(path.steps.size()), std::memory_order_relaxed);
            if (path.end && path.end->is_solved.load(std::memory_order_relaxed)) {
                for (std::size_t r = 0; r < roles; ++r) values_.push_back(path.end->low_of(r));
                ended_.push_back(&path);
                free_.push_back(tickets_[i]);
                continue;
            }
            history_.clear();
            if (has_sequences()) path.add_moves(path.steps.size() - std::min<std::size_t>(2, path.steps.size()), roles, history_);
            std::copy(expansion_.state(i), expansion_.state(i) + words, leaves_.data() + tickets_[i] * words);
            playouts_->begin(expansion_.state(i), tickets_[i], static_cast<std::uint32_t>(path.steps.size()), history_);
        }
        if (ended_.empty()) return;
        results_.played.assign(options_.rave != Rave::kNever ? ended_.size() * search_.tree_.shape().legal_words() : 0, 0);
        backup_.add(ended_, values_.data(), results_.played.empty() ? nullptr : results_.played.data());
        search_.playouts_.fetch_add(ended_.size(), std::memory_order_relaxed);
    }
}

// What a playout tells, but for the tree.
void Worker::learn(const SelectedPath& path, const float* values, const Bits* played) {
    const std::size_t roles = search_.tree_.shape().roles();
    if (options_.sufficiency == Sufficiency::kAdaptive) {
        for (std::size_t r = 0; r < roles; ++r) {
            if (search_.root_->count(r) < 2) continue;
            const Edges edges = search_.root_->edges(r);
            float best = 0;
            for (std::uint32_t e = 0; e < edges.count; ++e)
                best = std::max(best, edges[e].count().mean());
            search_.sufficiency_.add(r, values[r], best);
        }
    }
    if (options_.policy == Policy::kMast) {
        // The moves in the tree count as much as those of the playout.
        history_.clear();
        path.add_moves(0, roles, history_);
        for (std::size_t i = 0; i < history_.size(); ++i) {
            std::uint32_t move = history_[i];
            for (std::size_t r = 0; r < i % roles; ++r) move += search_.tree_.shape().moves[r];
            no_moves_[move / 64] |= Bits{1} << (move % 64);
        }
        for (std::size_t word = 0; word < no_moves_.size(); ++word) no_moves_[word] |= played[word];
        search_.statistics_.add(no_moves_.data(), values);
        std::fill(no_moves_.begin(), no_moves_.end(), 0);
    }
}

// A game that was cut is worth what its last state is worth, not the goals that happen to hold there.
void Worker::evaluate_cut_games() {
    const std::size_t roles = search_.tree_.shape().roles(), words = search_.tree_.shape().state_words();
    cut_.clear();
    cut_states_.clear();
    for (std::size_t i = 0; i < results_.tickets.size(); ++i)
        if (results_.is_cut[i]) {
            cut_.push_back(i);
            cut_states_.insert(cut_states_.end(), results_.ends.data() + i * words, results_.ends.data() + (i + 1) * words);
        }
    if (cut_.empty()) return;
    cut_values_.resize(cut_.size() * roles);
    leaf_evaluator_.evaluate(cut_states_.data(), cut_.size(), cut_values_.data());
    for (std::size_t k = 0; k < cut_.size(); ++k) std::copy_n(cut_values_.data() + k * roles, roles, values_.data() + cut_[k] * roles);
}

void Worker::finish_playouts(bool has_clock) {
    const std::size_t roles = search_.tree_.shape().roles(), words = search_.tree_.shape().state_words();
    const std::size_t legal_words = search_.tree_.shape().legal_words();
    // Where there are many moves a new order takes long, and it takes many playouts to change.
    if ((options_.policy == Policy::kMast || options_.policy == Policy::kReplies) && since_order_ * 2 >= search_.tree_.shape().all_moves) {
        search_.statistics_.update(preference_, random_);
        playouts_->prefer(preference_);
        since_order_ = 0;
    }
    const auto in_flight = limit_ - static_cast<std::uint32_t>(free_.size());
    results_.clear();
    const std::uint64_t steps = playouts_->steps();
    const auto begin = Clock::now();
    playouts_->play(std::max(1u, std::min(in_flight, playouts_->lanes()) / rounds()), has_clock ? steps_ : kSteps, results_);
    const auto end = Clock::now();
    const auto time = end - begin;
    play_seconds_ = kKept * play_seconds_ + std::chrono::duration<double>(time).count();
    tree_seconds_ = kKept * tree_seconds_ + std::chrono::duration<double>(begin - played_).count();
    played_ = end;
    if (time > 2 * kBetweenLooks) steps_ = std::max(1u, steps_ / 2);
    else if (time < kBetweenLooks) steps_ = std::min(kSteps, 2 * steps_);
    search_.lane_steps_.fetch_add((playouts_->steps() - steps) * playouts_->lanes(), std::memory_order_relaxed);
    const std::size_t count = results_.tickets.size();
    values_.resize(std::max<std::size_t>(1, count) * roles);
    ended_.clear();
    for (std::size_t i = 0; i < count * roles; ++i) values_[i] = static_cast<float>(results_.goals[i]) / 100;
    if (!results_.ends.empty()) evaluate_cut_games();
    const auto played = [&](std::size_t i) { return results_.played.empty() ? nullptr : results_.played.data() + i * legal_words; };
    std::uint64_t made = 0;
    for (std::size_t i = 0; i < count; ++i) {
        made += static_cast<std::uint64_t>(results_.lengths[i]);
        const std::uint32_t ticket = results_.tickets[i];
        SelectedPath& path = paths_[ticket];
        const std::int16_t* goals = results_.goals.data() + i * roles;
        float* values = values_.data() + i * roles;
        if (results_.lengths[i] == 0 && !results_.is_cut[i] && !path.end) expansion_.end(path, leaves_.data() + ticket * words, goals);
        learn(path, values, played(i));
        ended_.push_back(&path);
        if (has_sequences()) {
            const std::size_t begin = i ? results_.history_ends[i - 1] : 0;
            // Where replies are looked for, the moves of some games only are noted.
            if (options_.policy == Policy::kReplies && begin == results_.history_ends[i]) continue;
            history_.clear();
            path.add_moves(0, roles, history_);
            history_.insert(history_.end(), results_.history.begin() + static_cast<std::ptrdiff_t>(begin),
                            results_.history.begin() + static_cast<std::ptrdiff_t>(results_.history_ends[i]));
            search_.statistics_.add(history_, values);
        }
    }
    backup_.add(ended_, values_.data(), options_.rave != Rave::kNever && count ? results_.played.data() : nullptr);
    free_.insert(free_.end(), results_.tickets.begin(), results_.tickets.end());
    since_order_ += results_.tickets.size();
    search_.steps_.fetch_add(made, std::memory_order_relaxed);
    search_.playouts_.fetch_add(results_.tickets.size(), std::memory_order_relaxed);
}

void Worker::cancel_all() {
    playouts_->forget();
    std::vector<bool> is_free(limit_, false);
    for (std::uint32_t ticket : free_) is_free[ticket] = true;
    for (std::uint32_t ticket = limit_; ticket-- > 0;)
        if (!is_free[ticket]) {
            backup_.cancel(paths_[ticket]);
            free_.push_back(ticket);
        }
}

void Worker::work(Budget& budget, bool answers_readers) {
    try {
        played_ = Clock::now();
        for (;;) {
            if (answers_readers) search_.answer_readers();
            if (is_over(budget)) budget.is_over = true;
            if (budget.is_over) break;
            begin_paths(budget, answers_readers);
            if (free_.size() == limit_) {
                if (budget.playouts.load(std::memory_order_relaxed) <= 0) break;
                continue;
            }
            finish_playouts(budget.end != Clock::time_point::max());
            if (number_ == 0) search_.tree_.collect();
        }
    } catch (...) {
        // An engine may pass its budget; the other threads then stop too, and whoever asked is told.
        budget.fail(std::current_exception());
    }
    try {
        cancel_all();
    } catch (...) {
        // Even this takes a little memory.
        budget.fail(std::current_exception());
    }
}

}  // namespace ludorum::mcts
