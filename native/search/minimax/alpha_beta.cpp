#include "search/minimax/alpha_beta.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "search/minimax/depth.h"
#include "search/minimax/matrix_game.h"
#include "search/minimax/ranking.h"

namespace ludorum::minimax {

bool AlphaBeta::start(const Bits* state, const Bits* legal, const Watch& watch) {
    root_.clear();
    root_hint_ = kNone;
    is_sum_refuted_ = is_mixed_ = false;
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
    // Too little to outweigh any difference in value.
    std::mt19937_64 random(settings_.seed);
    root_luck_.assign(std::max<std::size_t>(1, root_.size()), 0);
    for (double& luck : root_luck_) luck = static_cast<double>(random() % 1024) / 1024 / 16;
    return true;
}

Answer AlphaBeta::search(std::uint32_t depth) {
    iteration_ = depth;
    searched_ = 0;
    best_so_far_ = {};
    has_estimated_ = false;
    for (RootMove& move : root_) move.is_exact = move.lower == move.upper;
    // Outside of these bounds there is nothing to find, so nobody looks for more than a win.
    const Answer answer = inside(0, 0, static_cast<double>(depth), kLowest, kHighest);
    if (has_stopped_) return best_so_far_;
    root_hint_ = answer.child;
    return answer;
}

// The state's own successors are in the level below.
Answer AlphaBeta::inside(std::size_t number, std::uint32_t node, double depth, double alpha, double beta) {
    SuccessorBatch& here = level(number);
    const std::uint64_t visited = counts_.states;
    const Entry* known = this->known(number, node);
    const double lower = known ? known->lower : kLowest, upper = known ? known->upper : kHighest;
    const std::uint32_t known_best = known ? best_of(*known, number, node) : kNone, hint = number == 0 ? root_hint_ : known_best;
    const SuccessorRange range = level(number + 1).ranges[static_cast<std::size_t>(here.range[node])];
    const bool is_simultaneous = this->is_simultaneous(number, range);
    Answer answer = is_simultaneous ? mix(number, range, depth - 1) : choose(number, range, 0, 0, depth - 1, alpha, beta, hint);
    if (has_stopped_) return answer;
    // The root must know a move for what it claims, so there only what this search found counts.
    if (number > 0) {
        const bool is_own = range.choosers && level(number + 1).choosers[range.first_chooser].role == view_.role;
        if (known_best != kNone && (is_own ? lower > answer.lower : upper < answer.upper)) answer.child = known_best;
        answer.lower = std::max(answer.lower, lower);
        answer.upper = std::min(answer.upper, upper);
        answer.value = std::clamp(answer.value, answer.lower, answer.upper);
    }
    Entry entry{};
    entry.value = answer.value;
    entry.depth = depth;
    entry.lower = answer.lower;
    entry.upper = answer.upper;
    entry.best = answer.child;
    entry.bound = is_simultaneous ? Bound::kExact : answer.value >= beta ? Bound::kLower : answer.value <= alpha ? Bound::kUpper : Bound::kExact;
    keep(entry, number, node, counts_.states - visited, nullptr);
    return answer;
}

bool AlphaBeta::is_simultaneous(std::size_t number, const SuccessorRange& range) {
    if (!settings_.uses_equilibria || view_.opponent < 0 || range.choosers != 2) return false;
    const std::uint32_t second = level(number + 1).choosers[range.first_chooser + 1].role;
    return static_cast<std::int32_t>(second) != settings_.chance_role;
}

// Both choose at once: every two moves are looked at with the whole window, and the matrix of their values is solved. What
// is proved of the entries bounds the value, which rises with each of them.
Answer AlphaBeta::mix(std::size_t number, const SuccessorRange& range, double below) {
    const Chooser first = level(number + 1).choosers[range.first_chooser], second = level(number + 1).choosers[range.first_chooser + 1];
    const std::size_t rows = first.count, columns = second.count;
    std::vector<double> values(rows * columns), lower(rows * columns), upper(rows * columns);
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t child = r * first.stride + c * second.stride;
            const Answer answer = visit(number + 1, range.first + child, below, kLowest, kHighest, {}, 0);
            if (has_stopped_) return best_so_far_;
            // The one who asks chooses first, so rows are its moves.
            values[r * columns + c] = answer.value;
            lower[r * columns + c] = answer.lower;
            upper[r * columns + c] = answer.upper;
        }
    const MatrixSolution solution = solve_matrix_game(values, columns);
    Answer answer;
    answer.value = std::clamp(solution.value, kLowest, kHighest);
    const bool is_seen = lower == upper;
    answer.lower = is_seen ? answer.value : std::clamp(solve_matrix_game(lower, columns).value, kLowest, kHighest);
    answer.upper = is_seen ? answer.value : std::clamp(solve_matrix_game(upper, columns).value, kLowest, kHighest);
    const auto likeliest = [](const std::vector<double>& mix) {
        return static_cast<std::uint32_t>(std::max_element(mix.begin(), mix.end()) - mix.begin());
    };
    std::uint32_t row = likeliest(solution.rows);
    if (number == 0) {
        is_mixed_ = true;
        searched_ = rows;
        // What is made is drawn by the mix: whoever always made its likeliest move would be seen through.
        std::mt19937_64 random(settings_.seed + counts_.states);
        double left = static_cast<double>(random() >> 11) * 0x1p-53;
        for (std::uint32_t r = 0; r < rows; ++r) {
            root_[r].child = r * first.stride;
            root_[r].probability = solution.rows[r];
            root_[r].value = 0;
            for (std::size_t c = 0; c < columns; ++c) root_[r].value += solution.columns[c] * values[r * columns + c];
            root_[r].is_exact = true;
            if (left >= 0 && left < solution.rows[r]) row = r;
            left -= solution.rows[r];
        }
    }
    answer.child = row * first.stride + likeliest(solution.columns) * second.stride;
    if (number == 0) best_so_far_ = answer;
    return answer;
}

Answer AlphaBeta::choose(std::size_t number, const SuccessorRange& range, std::uint32_t k, std::uint32_t offset, double below, double alpha,
                         double beta, std::uint32_t hint) {
    if (range.choosers == 0) {
        Answer answer = visit(number + 1, range.first, below, alpha, beta, {}, 0);
        answer.child = 0;
        if (!has_stopped_ && number == 0) best_so_far_ = answer, searched_ = 1;
        return answer;
    }
    const Chooser chooser = level(number + 1).choosers[range.first_chooser + k];
    const bool is_last = k + 1 == range.choosers;
    const bool is_chance = static_cast<std::int32_t>(chooser.role) == settings_.chance_role;
    const Kind kind = is_chance ? Kind::kMean : chooser.role == view_.role ? Kind::kMost : Kind::kLeast;
    const std::uint32_t count = chooser.count;
    const bool is_frontier = number > 0 && is_last && below < 1;
    const std::size_t base = ranked_.size();
    ranked_.resize(base + count);
    const std::span<Ranked> choices{ranked_.data() + base, count};
    if (is_frontier) rank_frontier(number, kind, range.first + offset, choices);
    else if (number == 0 || !is_last || !put_proof_first(number, kind, range.first + offset, alpha, beta, choices))
        rank(number, chooser, kind, is_last, range.first + offset, hint, choices);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Answer best;
    best.value = best.lower = best.upper = kind == Kind::kMost ? -kInfinity : kind == Kind::kLeast ? kInfinity : 0;
    std::uint32_t best_position = 0;
    double best_proof = 0;  // of values that are equal, one that is proved is taken
    bool is_praised = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t position = ranked_[base + i].position;
        double depth = below;
        if (settings_.is_nonuniform) depth = view_.opponent < 0 ? below * kept_depth(i, count) : even_depth(below, i, count);
        double low = kind == Kind::kMean ? kLowest : alpha, high = kind == Kind::kMean ? kHighest : beta;
        const auto look = [&] {
            if (!is_last) return choose(number, range, k + 1, offset + position * chooser.stride, depth, low, high, hint);
            // What follows in this order will probably be visited next, as far as its depth reaches.
            std::uint32_t last = is_frontier ? i : count - 1;
            while (last > i && settings_.is_nonuniform && even_depth(below, last, count) < 1) --last;
            const std::span<const Ranked> others = last > i ? std::span<const Ranked>{ranked_.data() + base + i + 1, last - i}
                                                            : std::span<const Ranked>{};
            Answer found = visit(number + 1, range.first + offset + position, depth, low, high, others, range.first + offset);
            found.child = offset + position;
            return found;
        };
        // That a move is no better than the best so far is soon shown; only one that is gets a search of its own.
        const bool is_scouted = settings_.uses_null_windows && i > 0 && !is_frontier && kind != Kind::kMean;
        if (is_scouted && kind == Kind::kMost) high = std::min(high, std::nextafter(low, kInfinity));
        if (is_scouted && kind == Kind::kLeast) low = std::max(low, std::nextafter(high, -kInfinity));
        Answer answer = look();
        // Less deep, a line may end just before the answer: what seems better so is looked at again as deep as the others.
        const bool is_better = kind == Kind::kMost ? answer.value > alpha : kind == Kind::kLeast && answer.value < beta;
        if (!has_stopped_ && view_.opponent >= 0 && depth < below && is_better && answer.lower != answer.upper) {
            depth = below;
            answer = look();
        }
        if (!has_stopped_ && is_scouted && answer.value > alpha && answer.value < beta && answer.lower != answer.upper) {
            low = alpha;
            high = beta;
            answer = look();
        }
        if (has_stopped_) break;
        switch (kind) {
            case Kind::kMost:
                best.lower = std::max(best.lower, answer.lower);
                best.upper = std::max(best.upper, answer.upper);
                if (answer.value > best.value || (answer.value == best.value && answer.lower > best_proof)) {
                    best.value = answer.value;
                    best.child = answer.child;
                    best_position = position;
                    best_proof = answer.lower;
                }
                is_praised |= answer.value > alpha;
                break;
            case Kind::kLeast:
                best.lower = std::min(best.lower, answer.lower);
                best.upper = std::min(best.upper, answer.upper);
                if (answer.value < best.value || (answer.value == best.value && answer.upper < best_proof)) {
                    best.value = answer.value;
                    best.child = answer.child;
                    best_position = position;
                    best_proof = answer.upper;
                }
                is_praised |= answer.value < beta;
                break;
            case Kind::kMean:
                best.lower += answer.lower / static_cast<double>(count);
                best.upper += answer.upper / static_cast<double>(count);
                best.value += answer.value / static_cast<double>(count);
                if (i == 0) best.child = answer.child;
                break;
        }
        if (number == 0 && k == 0) {
            note_root(position, answer, answer.value > low && answer.value < high);
            best_so_far_ = best;
            ++searched_;
        }
        if (kind == Kind::kMost) alpha = std::max(alpha, best.value);
        if (kind == Kind::kLeast) beta = std::min(beta, best.value);
        if (kind != Kind::kMean && alpha >= beta && i + 1 < count) {
            // What was not looked at could be anything.
            if (kind == Kind::kMost) best.upper = kHighest;
            else best.lower = kLowest;
            break;
        }
    }
    ranked_.resize(base);
    if (has_stopped_) return best;
    if (is_praised) history_.praise(chooser.role, level(number + 1).moves[chooser.first_move + best_position], below + 1);
    best.value = std::clamp(best.value, best.lower, best.upper);
    return best;
}

Answer AlphaBeta::visit(std::size_t number, std::uint32_t node, double depth, double alpha, double beta, std::span<const Ranked> others,
                        std::uint32_t offset) {
    ++counts_.states;
    SuccessorBatch& here = level(number);
    if (here.over[node]) return over(here, node);
    Answer answer;
    if (depth < 1) {
        // Where there are no estimates, what is proved is all there is to know, and worth a look.
        if (!here.is_evaluated && is_proved(table_.find(key(number, node), here.state(node)), alpha, beta, answer)) return answer;
        has_estimated_ = true;
        answer.value = estimate(here, node);
        return answer;
    }
    if (const Entry* entry = known(number, node); is_known(entry, depth, alpha, beta, answer)) {
        note_use(*entry, number, node);
        has_estimated_ |= answer.lower != answer.upper;
        return answer;
    }
    // Estimates say in which order moves are tried, too.
    const bool is_expanded = expand(number, node, true, others, offset, [&](std::uint32_t other) {
        Answer unused;
        return !is_known(known(number, other), depth, alpha, beta, unused);
    });
    if (is_expanded) return inside(number, node, depth, alpha, beta);
    // Too many successors to look at, or no time left; in both cases more depth would not help.
    answer.value = estimate(here, node);
    return answer;
}

bool AlphaBeta::is_proved(const Entry* entry, double alpha, double beta, Answer& answer) const {
    if (entry == nullptr) return false;
    answer = {entry->value, entry->lower, entry->upper, entry->best};
    if (entry->lower < beta && entry->upper > alpha && entry->lower != entry->upper) return false;
    answer.value = entry->lower >= beta ? entry->lower : entry->upper;
    return true;
}

bool AlphaBeta::is_known(const Entry* entry, double depth, double alpha, double beta, Answer& answer) const {
    if (entry == nullptr) return false;
    if (is_proved(entry, alpha, beta, answer)) return true;
    if (entry->depth < depth) return false;
    switch (entry->bound) {
        case Bound::kExact: return true;
        case Bound::kLower: return entry->value >= beta;
        case Bound::kUpper: return entry->value <= alpha;
    }
    return false;
}

// Where the table or the end of the game proves of a choice that nothing else need be looked at, it comes first, and what
// the others promise does not matter. Most of the states that can be won are known so while a game is being solved.
bool AlphaBeta::put_proof_first(std::size_t number, Kind kind, std::uint32_t offset, double alpha, double beta, std::span<Ranked> choices) {
    constexpr std::uint32_t kAhead = 8;
    if (kind == Kind::kMean) return false;
    SuccessorBatch& below = level(number + 1);
    const auto count = static_cast<std::uint32_t>(choices.size());
    const auto ask = [&](std::uint32_t p) {
        if (p < count && !below.over[offset + p]) table_.prefetch(key(number + 1, offset + p));
    };
    for (std::uint32_t p = 0; p < kAhead; ++p) ask(p);
    for (std::uint32_t p = 0; p < count; ++p) {
        ask(p + kAhead);
        double lower, upper;
        if (below.over[offset + p]) {
            lower = upper = below.payoff(offset + p)[view_.role];
        } else {
            const Entry* entry = known(number + 1, offset + p);
            if (entry == nullptr) continue;
            lower = entry->lower;
            upper = entry->upper;
        }
        if (kind == Kind::kMost ? lower < beta : upper > alpha) continue;
        for (std::uint32_t other = 0; other < count; ++other) choices[other] = {0, other};
        std::swap(choices[0], choices[p]);
        return true;
    }
    return false;
}

// At the end of the depth all values are known already: the best of them is all that matters.
void AlphaBeta::rank_frontier(std::size_t number, Kind kind, std::uint32_t offset, std::span<Ranked> choices) {
    const SuccessorBatch& below = level(number + 1);
    put_ends_first(below.over.data() + offset, choices);
    if (kind == Kind::kMean || !below.is_evaluated) return;
    std::size_t first = 0;
    while (first < choices.size() && below.over[offset + choices[first].position]) ++first;
    std::size_t best = first;
    double most = 0;
    for (std::size_t i = first; i < choices.size(); ++i) {
        const double value = estimate(below, offset + choices[i].position), promise = kind == Kind::kMost ? value : -value;
        if (i == first || promise > most) most = promise, best = i;
    }
    if (best > first) std::rotate(choices.begin() + static_cast<std::ptrdiff_t>(first), choices.begin() + static_cast<std::ptrdiff_t>(best),
                                   choices.begin() + static_cast<std::ptrdiff_t>(best) + 1);
}

void AlphaBeta::rank(std::size_t number, const Chooser& chooser, Kind kind, bool is_last, std::uint32_t offset, std::uint32_t hint,
                     std::span<Ranked> choices) {
    SuccessorBatch& below = level(number + 1);
    const double sign = kind == Kind::kLeast ? -1 : 1;
    const std::uint32_t hinted = hint / chooser.stride % chooser.count;
    for (std::uint32_t p = 0; p < chooser.count; ++p) {
        double value = view_.sum / 2;
        if (is_last) {
            const std::uint32_t node = offset + p;
            if (below.over[node]) {
                value = below.payoff(node)[view_.role];
            } else if (const Entry* entry = known(number + 1, node)) {
                value = entry->value;
            } else if (below.is_evaluated) {
                value = estimate(below, node);
            }
        }
        choices[p] = {sign * value + history_.score(chooser.role, below.moves[chooser.first_move + p]), p};
        if (number == 0) choices[p].promise += root_luck_[p % root_luck_.size()];
        if (hint != kNone && p == hinted) choices[p].promise = std::numeric_limits<double>::infinity();
    }
    best_first(choices);
}

Answer AlphaBeta::over(const SuccessorBatch& batch, std::uint32_t node) {
    const std::int16_t* payoff = batch.payoff(node);
    if (view_.checks_sum && static_cast<double>(payoff[view_.role] + payoff[view_.opponent]) != view_.sum) {
        is_sum_refuted_ = true;
        has_stopped_ = true;
    }
    const double value = payoff[view_.role];
    return {value, value, value, 0};
}

double AlphaBeta::estimate(const SuccessorBatch& batch, std::uint32_t node) const {
    if (!batch.is_evaluated) return view_.sum / 2;
    const double* values = batch.value(node);
    const double own = values[view_.role];
    const double value = view_.opponent < 0 ? own : (own + view_.sum - values[view_.opponent]) / 2;
    return std::clamp(value, kLeast, kMost);
}

void AlphaBeta::note_root(std::uint32_t position, const Answer& answer, bool is_exact) {
    RootMove& move = root_[position];
    move.child = answer.child;
    move.value = answer.value;
    move.lower = std::max(move.lower, answer.lower);
    move.upper = std::min(move.upper, answer.upper);
    move.is_exact = is_exact || move.lower == move.upper;
    if (move.lower == move.upper && move.proved_at == 0) move.proved_at = iteration_;
}

}  // namespace ludorum::minimax
