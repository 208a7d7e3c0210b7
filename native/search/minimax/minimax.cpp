#include "search/minimax/minimax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/bits.h"

namespace ludorum::minimax {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// A principal variation longer than this would be a cycle.
constexpr std::size_t kLongestLine = 1000;

}  // namespace

Minimax::Minimax(const Simulator& simulator, std::shared_ptr<const evaluation::Evaluation> evaluation, Options options)
    : simulator_(simulator), evaluation_(std::move(evaluation)), options_(options), zobrist_(simulator.shape().fluents) {
    const Shape& shape = simulator_.shape();
    settings_.chance_role = options_.chance_role;
    settings_.is_nonuniform = options_.is_nonuniform;
    settings_.uses_null_windows = options_.uses_null_windows;
    settings_.uses_equilibria = options_.uses_equilibria;
    settings_.sweep = options_.sweep;
    settings_.seed = options_.seed;
    settings_.symmetries = options_.symmetries.get();
    const auto is_chance = [&](std::uint32_t role) { return static_cast<std::int32_t>(role) == options_.chance_role; };
    if (!is_chance(options_.role)) settings_.order.push_back(options_.role);
    for (std::uint32_t role = 0; role < shape.roles(); ++role)
        if (role != options_.role && !is_chance(role)) settings_.order.push_back(role);
    if (options_.chance_role >= 0) settings_.order.push_back(static_cast<std::uint32_t>(options_.chance_role));
    choose_method();
}

void Minimax::choose_method() {
    const Shape& shape = simulator_.shape();
    const std::uint32_t players = shape.roles() - (options_.chance_role >= 0);
    const bool is_player = static_cast<std::int32_t>(options_.role) != options_.chance_role;
    if (players == 1 && is_player) method_ = Method::kSinglePlayer;
    else if (options_.is_paranoid && is_player) method_ = Method::kParanoid;
    else if (players == 2 && is_player && options_.sum_is != Sum::kVaries) method_ = Method::kAlphaBeta;
    else method_ = Method::kMaxN;
    alpha_beta_.reset();
    max_n_.reset();
    const bool is_max_n = method_ == Method::kMaxN;
    table_ = std::make_unique<TranspositionTable>(options_.table_bytes, shape.state_words(), is_max_n ? shape.roles() : 0);
    if (is_max_n) {
        max_n_ = std::make_unique<MaxN>(simulator_, evaluation_.get(), settings_, *table_);
        return;
    }
    AlphaBeta::View view;
    view.role = options_.role;
    if (method_ == Method::kAlphaBeta) {
        for (std::uint32_t role : settings_.order)
            if (role != options_.role && static_cast<std::int32_t>(role) != options_.chance_role)
                view.opponent = static_cast<std::int32_t>(role);
        view.sum = options_.sum;
        view.checks_sum = options_.sum_is == Sum::kAssumed;
    }
    alpha_beta_ = std::make_unique<AlphaBeta>(simulator_, evaluation_.get(), settings_, *table_, view);
}

Report Minimax::search(const Bits* state, const Budget& budget, const std::atomic<std::int32_t>& stop) {
    const auto begin = Clock::now();
    const Shape& shape = simulator_.shape();
    Watch watch;
    watch.stop = &stop;
    watch.most_states = budget.states;
    // A longer time than this cannot be told from none by the clock.
    if (budget.seconds < 1e8) watch.deadline = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.seconds));

    std::uint8_t is_over = 0;
    std::vector<Bits> legal(shape.legal_words());
    simulator_.terminal_and_legal(state, 1, &is_over, legal.data());
    for (std::uint32_t role = 0, first = 0; role < shape.roles(); first += shape.moves[role++])
        is_over |= !any_bit(legal.data(), first, first + shape.moves[role]);
    Report report;
    if (is_over) {
        std::vector<std::int16_t> payoffs(shape.roles());
        simulator_.payoffs(state, 1, payoffs.data());
        report.method = method_;
        report.values.assign(payoffs.begin(), payoffs.end());
        report.lower = report.upper = report.values;
        report.is_proved = report.is_over = true;
    } else {
        report = search_once(state, legal.data(), budget, watch);
        if (alpha_beta_ && alpha_beta_->is_sum_refuted()) {
            options_.sum_is = Sum::kVaries;
            choose_method();
            report = search_once(state, legal.data(), budget, watch);
        }
    }
    report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    publish(report);
    return report;
}

Report Minimax::search_once(const Bits* state, const Bits* legal, const Budget& budget, const Watch& watch) {
    Report report;
    report.method = method_;
    report.assumes_sum = method_ == Method::kAlphaBeta && options_.sum_is == Sum::kAssumed;
    const std::uint32_t roles = simulator_.shape().roles();
    report.values.assign(roles, kUnknown);
    report.lower.assign(roles, kLowest);
    report.upper.assign(roles, kHighest);
    publish(report);
    Tree& tree = alpha_beta_ ? static_cast<Tree&>(*alpha_beta_) : *max_n_;
    const bool is_planted = alpha_beta_ ? alpha_beta_->start(state, legal, watch) : max_n_->start(state, legal, watch);
    const auto begin = Clock::now();
    // Without estimates a search that does not reach the end brings little to the next, so there are few of them.
    for (std::uint32_t depth = 1; is_planted && depth <= budget.depth && !tree.has_stopped();
         depth = depth == budget.depth ? depth + 1 : std::min(budget.depth, evaluation_ ? depth + 1 : 2 * depth + 1)) {
        const bool goes_on = alpha_beta_ ? deepen_alpha_beta(depth, state, report) : deepen_max_n(depth, state, report);
        report.counts = tree.counts();
        report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        publish(report);
        if (!goes_on) break;
    }
    report.counts = tree.counts();
    report.uses_symmetries = tree.uses_symmetries();
    return report;
}

// False if deeper search would find nothing new or there is no time for it.
bool Minimax::deepen_alpha_beta(std::uint32_t depth, const Bits* state, Report& report) {
    Answer answer = alpha_beta_->search(depth);
    const bool has_stopped = alpha_beta_->has_stopped();
    if (has_stopped && (alpha_beta_->searched_moves() == 0 || alpha_beta_->is_sum_refuted())) return false;
    const std::vector<RootMove>& moves = alpha_beta_->root_moves();
    if (has_stopped) {
        // Some moves were not searched to this depth; what was found last counts for them.
        answer.lower = kLowest;
        answer.upper = kHighest;
        for (const RootMove& move : moves) {
            const bool is_worse = answer.value <= kLowest && move.upper > kLowest;
            if (is_worse && move.value > answer.value) answer.value = move.value, answer.child = move.child;
        }
    } else {
        report.depth = depth;
    }
    const bool is_proved = !has_stopped && answer.lower == answer.upper;
    const bool is_own_choice = alpha_beta_->root_role() == static_cast<std::int32_t>(options_.role);
    if (is_proved && is_own_choice && !alpha_beta_->is_mixed()) {
        // Of moves that all come to the same, the one whose proof took longest gives others the most to overlook; a win
        // is rather taken at once.
        const RootMove* chosen = nullptr;
        for (const RootMove& move : moves)
            if (move.proved_at && move.lower == answer.lower && answer.lower < kHighest)
                if (chosen == nullptr || move.proved_at > chosen->proved_at) chosen = &move;
        if (chosen != nullptr) answer.child = chosen->child;
    }
    const std::uint32_t role = options_.role;
    report.values[role] = answer.value;
    report.lower[role] = answer.lower;
    report.upper[role] = answer.upper;
    if (method_ == Method::kAlphaBeta) {
        const std::uint32_t other = settings_.order[1];
        report.values[other] = options_.sum - answer.value;
        report.lower[other] = options_.sum - answer.upper;
        report.upper[other] = options_.sum - answer.lower;
    }
    report.is_proved = is_proved;
    report.moves.clear();
    for (const RootMove& move : is_own_choice ? moves : std::vector<RootMove>{})
        report.moves.push_back({move.move, move.value, move.lower, move.upper, move.is_exact, move.lower == move.upper, move.probability});
    follow_line(state, answer.child, report);
    return !has_stopped && !is_proved && alpha_beta_->has_estimated();
}

bool Minimax::deepen_max_n(std::uint32_t depth, const Bits* state, Report& report) {
    std::vector<double> values(report.values.size());
    const Finding found = max_n_->search(depth, values.data());
    const bool has_stopped = max_n_->has_stopped();
    // Moves come in the order of their numbers, so half an iteration says nothing about the best of them.
    if (has_stopped && (report.depth > 0 || max_n_->searched_moves() == 0)) return false;
    if (!has_stopped) report.depth = depth;
    report.values = values;
    report.is_proved = found.is_proved && !has_stopped;
    if (report.is_proved) report.lower = report.upper = values;
    report.moves.clear();
    for (const RootValues& move : max_n_->root_moves()) {
        if (!move.is_searched || max_n_->root_role() != static_cast<std::int32_t>(options_.role)) continue;
        const double value = move.values[options_.role];
        report.moves.push_back({move.move, value, move.is_proved ? value : kLowest, move.is_proved ? value : kHighest, true,
                                move.is_proved, 0});
    }
    follow_line(state, found.child, report);
    return !has_stopped && !found.is_proved && max_n_->has_estimated();
}

// From the best successor of the root on by what the table knows.
void Minimax::follow_line(const Bits* state, std::uint32_t child, Report& report) const {
    const Shape& shape = simulator_.shape();
    std::vector<Bits> here(state, state + shape.state_words()), next(shape.state_words()), legal(shape.legal_words()), row(shape.state_words());
    std::vector<std::uint32_t> first_of_role;
    for (std::uint32_t role = 0, first = 0; role < shape.roles(); first += shape.moves[role++]) first_of_role.push_back(first);
    std::vector<std::int16_t> payoffs(shape.roles());
    std::uint8_t is_over = 0;
    const std::uint32_t parent = 0;
    simulator_.terminal_and_legal(here.data(), 1, &is_over, legal.data());
    report.line.clear();
    const std::size_t most = std::min<std::size_t>(kLongestLine, report.is_proved ? kLongestLine : report.depth + 1);
    while (report.line.size() < most * shape.roles()) {
        SuccessorBatch batch;
        batch.add(shape, settings_.order, legal.data(), 0);
        const std::uint32_t* joint = batch.joint.data() + std::min<std::size_t>(child, batch.parents.size() - 1) * shape.roles();
        report.line.insert(report.line.end(), joint, joint + shape.roles());
        simulator_.expand(here.data(), &parent, 1, joint, false, {next.data(), &is_over, legal.data(), payoffs.data()});
        if (is_over) return;
        here = next;
        const bool is_turned = alpha_beta_ ? alpha_beta_->uses_symmetries() : max_n_->uses_symmetries();
        Symmetries::Image image{0, 0};
        if (is_turned) image = settings_.symmetries->canonical(here.data(), row.data());
        const Entry* entry = is_turned ? table_->find(image.key, row.data()) : table_->find(zobrist_.key(here.data()), here.data());
        if (entry == nullptr) return;
        // Where the root is solved, so is its principal variation; anything else was an aside.
        if (report.is_proved && (max_n_ ? entry->bound != Bound::kExact : entry->lower != entry->upper)) return;
        child = entry->best;
        if (!is_turned) continue;
        SuccessorBatch after;
        after.add(shape, settings_.order, legal.data(), 0);
        child = Orientation{*settings_.symmetries, first_of_role}.turned_back(after, after.ranges.front(), image.element, child);
    }
}

Report Minimax::progress() const {
    std::lock_guard lock(mutex_);
    return progress_;
}

void Minimax::publish(const Report& report) {
    std::lock_guard lock(mutex_);
    progress_ = report;
}

}  // namespace ludorum::minimax
