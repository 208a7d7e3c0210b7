#include "search/minimax/alpha_beta.h"

#include <algorithm>
#include <limits>
#include <random>

#include "search/minimax/depth.h"
#include "search/minimax/ranking.h"

namespace ludorum::minimax {

bool AlphaBeta::start(const Bits* state, const Bits* legal, const Watch& watch) {
    root_.clear();
    root_hint_ = kNone;
    is_sum_refuted_ = false;
    if (!plant(state, legal, watch)) return false;
    const Brood& below = level(1);
    const Family& family = below.families.front();
    if (family.choosers) {
        const Chooser& chooser = below.choosers[family.first_chooser];
        for (std::uint32_t p = 0; p < chooser.count; ++p) {
            root_.push_back({});
            root_.back().move = below.moves[chooser.first_move + p];
            root_.back().child = p * chooser.stride;
        }
    }
    // Too little to outweigh any difference in value.
    std::mt19937_64 random(settings_.seed);
    root_luck_.assign(std::max<std::size_t>(1, root_.size()), 0);
    for (float& luck : root_luck_) luck = static_cast<float>(random() % 1024) / 1024 / 16;
    return true;
}

Answer AlphaBeta::search(std::uint32_t depth) {
    iteration_ = depth;
    searched_ = 0;
    best_so_far_ = {};
    has_estimated_ = false;
    for (RootMove& move : root_) move.is_exact = move.lower == move.upper;
    // Outside of these bounds there is nothing to find, so nobody looks for more than a win.
    const Answer answer = inside(0, 0, static_cast<float>(depth), kLowest, kHighest);
    if (has_stopped_) return best_so_far_;
    root_hint_ = answer.child;
    return answer;
}

// The state's own successors are in the level below.
Answer AlphaBeta::inside(std::size_t number, std::uint32_t node, float depth, float alpha, float beta) {
    Brood& here = level(number);
    const std::uint64_t visited = counts_.states;
    const Entry* known = this->known(number, node);
    const float lower = known ? known->lower : kLowest, upper = known ? known->upper : kHighest;
    const std::uint32_t known_best = known ? best_of(*known, number, node) : kNone, hint = number == 0 ? root_hint_ : known_best;
    const Family family = level(number + 1).families[static_cast<std::size_t>(here.family[node])];
    Answer answer = choose(number, family, 0, 0, depth - 1, alpha, beta, hint);
    if (has_stopped_) return answer;
    // The root must know a move for what it claims, so there only what this search found counts.
    if (number > 0) {
        const bool is_own = family.choosers && level(number + 1).choosers[family.first_chooser].role == view_.role;
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
    entry.bound = answer.value >= beta ? Bound::kLower : answer.value <= alpha ? Bound::kUpper : Bound::kExact;
    keep(entry, number, node, counts_.states - visited, nullptr);
    return answer;
}

Answer AlphaBeta::choose(std::size_t number, const Family& family, std::uint32_t k, std::uint32_t offset, float below, float alpha,
                         float beta, std::uint32_t hint) {
    if (family.choosers == 0) {
        Answer answer = visit(number + 1, family.first, below, alpha, beta, {}, 0);
        answer.child = 0;
        if (!has_stopped_ && number == 0) best_so_far_ = answer, searched_ = 1;
        return answer;
    }
    const Chooser chooser = level(number + 1).choosers[family.first_chooser + k];
    const bool is_last = k + 1 == family.choosers;
    const bool is_chance = static_cast<std::int32_t>(chooser.role) == settings_.chance_role;
    const Kind kind = is_chance ? Kind::kMean : chooser.role == view_.role ? Kind::kMost : Kind::kLeast;
    const std::uint32_t count = chooser.count;
    const bool is_frontier = number > 0 && is_last && below < 1;
    const std::size_t base = ranked_.size();
    ranked_.resize(base + count);
    const std::span<Ranked> choices{ranked_.data() + base, count};
    if (is_frontier) put_ends_first(level(number + 1).over.data() + family.first + offset, choices);
    else if (number == 0 || !is_last || !put_proof_first(number, kind, family.first + offset, alpha, beta, choices))
        rank(number, chooser, kind, is_last, family.first + offset, hint, choices);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Answer best;
    best.value = best.lower = best.upper = kind == Kind::kMost ? -kInfinity : kind == Kind::kLeast ? kInfinity : 0;
    std::uint32_t best_position = 0;
    float best_proof = 0;  // of values that are equal, one that is proved is taken
    bool is_praised = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t position = ranked_[base + i].position;
        const float depth = settings_.is_nonuniform ? below * kept_depth(i, count) : below;
        const float low = kind == Kind::kMean ? kLowest : alpha, high = kind == Kind::kMean ? kHighest : beta;
        Answer answer;
        if (is_last) {
            // What follows in this order will probably be visited next, as far as its depth reaches.
            std::uint32_t last = is_frontier ? i : count - 1;
            while (last > i && settings_.is_nonuniform && below * kept_depth(last, count) < 1) --last;
            const std::span<const Ranked> others = last > i ? std::span<const Ranked>{ranked_.data() + base + i + 1, last - i}
                                                            : std::span<const Ranked>{};
            answer = visit(number + 1, family.first + offset + position, depth, low, high, others, family.first + offset);
            answer.child = offset + position;
        } else {
            answer = choose(number, family, k + 1, offset + position * chooser.stride, depth, low, high, hint);
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
                best.lower += answer.lower / static_cast<float>(count);
                best.upper += answer.upper / static_cast<float>(count);
                best.value += answer.value / static_cast<float>(count);
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

Answer AlphaBeta::visit(std::size_t number, std::uint32_t node, float depth, float alpha, float beta, std::span<const Ranked> others,
                        std::uint32_t offset) {
    ++counts_.states;
    Brood& here = level(number);
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
    const bool evaluates = settings_.is_nonuniform || depth < 2;
    const bool is_expanded = expand(number, node, evaluates, others, offset, [&](std::uint32_t other) {
        Answer unused;
        return !is_known(known(number, other), depth, alpha, beta, unused);
    });
    if (is_expanded) return inside(number, node, depth, alpha, beta);
    // Too many successors to look at, or no time left; in both cases more depth would not help.
    answer.value = estimate(here, node);
    return answer;
}

bool AlphaBeta::is_proved(const Entry* entry, float alpha, float beta, Answer& answer) const {
    if (entry == nullptr) return false;
    answer = {entry->value, entry->lower, entry->upper, entry->best};
    if (entry->lower < beta && entry->upper > alpha && entry->lower != entry->upper) return false;
    answer.value = entry->lower >= beta ? entry->lower : entry->upper;
    return true;
}

bool AlphaBeta::is_known(const Entry* entry, float depth, float alpha, float beta, Answer& answer) const {
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
bool AlphaBeta::put_proof_first(std::size_t number, Kind kind, std::uint32_t offset, float alpha, float beta, std::span<Ranked> choices) {
    constexpr std::uint32_t kAhead = 8;
    if (kind == Kind::kMean) return false;
    Brood& below = level(number + 1);
    const auto count = static_cast<std::uint32_t>(choices.size());
    const auto ask = [&](std::uint32_t p) {
        if (p < count && !below.over[offset + p]) table_.prefetch(key(number + 1, offset + p));
    };
    for (std::uint32_t p = 0; p < kAhead; ++p) ask(p);
    for (std::uint32_t p = 0; p < count; ++p) {
        ask(p + kAhead);
        float lower, upper;
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

void AlphaBeta::rank(std::size_t number, const Chooser& chooser, Kind kind, bool is_last, std::uint32_t offset, std::uint32_t hint,
                     std::span<Ranked> choices) {
    Brood& below = level(number + 1);
    const float sign = kind == Kind::kLeast ? -1 : 1;
    const std::uint32_t hinted = hint / chooser.stride % chooser.count;
    for (std::uint32_t p = 0; p < chooser.count; ++p) {
        float value = view_.sum / 2;
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
        if (hint != kNone && p == hinted) choices[p].promise = std::numeric_limits<float>::infinity();
    }
    best_first(choices);
}

Answer AlphaBeta::over(const Brood& brood, std::uint32_t node) {
    const std::int16_t* payoff = brood.payoff(node);
    if (view_.checks_sum && static_cast<float>(payoff[view_.role] + payoff[view_.opponent]) != view_.sum) {
        is_sum_refuted_ = true;
        has_stopped_ = true;
    }
    const float value = payoff[view_.role];
    return {value, value, value, 0};
}

float AlphaBeta::estimate(const Brood& brood, std::uint32_t node) const {
    if (!brood.is_evaluated) return view_.sum / 2;
    const float* values = brood.value(node);
    const float own = values[view_.role];
    const float value = view_.opponent < 0 ? own : (own + view_.sum - values[view_.opponent]) / 2;
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
