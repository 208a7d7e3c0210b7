#include "belief/planning.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "engine/joint_moves.h"
#include "support/clock.h"

namespace ludorum::belief {
namespace {

// How much of the ceiling depends on knowing the state, at the horizon: less than goals differ by.
constexpr double kKnowing = 0.005;
// And how much of that depends on the entropy, which decides where the likeliest states are as likely.
constexpr double kEntropy = 0.01, kMostBits = 64;
// A memory of so many beliefs.
constexpr std::size_t kMostKept = 2'000'000;

double now() { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); }

}  // namespace

Planner::Planner(const Simulator& simulator, std::uint32_t seat, double ceiling)
    : simulator_(simulator), shape_(simulator.shape()), seat_(seat), ceiling_(ceiling), mask_(shape_.percept_words(), 0) {
    for (std::uint32_t role = 0; role < seat; ++role) first_move_ += shape_.moves[role];
    for (std::size_t percept = 0; percept < shape_.percepts.size(); ++percept)
        if (shape_.percepts[percept] == seat) mask_[percept / 64] |= Bits{1} << (percept % 64);
}

Plan Planner::plan(const Bits* rows, const double* weights, std::size_t count, std::uint32_t horizon, std::uint64_t tries, double seconds,
                   const std::atomic<std::int32_t>& stop) {
    tries_ = 0;
    most_tries_ = tries;
    end_ = now() + seconds;
    stop_ = &stop;
    cut_.clear();
    WeightedStates belief(shape_.state_words());
    for (std::size_t i = 0; i < count; ++i) belief.add(rows + i * shape_.state_words(), weights[i]);
    Plan plan;
    plan.is_exact = true;
    std::vector<Bits> legal;
    Value over;
    double going = 0;
    try {
        for (const std::uint32_t move : common_moves(belief, legal, over, going)) {
            const Value found = after(belief, legal, move, horizon);
            plan.moves.push_back({move, over.value + found.value});
            plan.is_exact &= found.is_exact;
        }
        plan.is_done = true;
    } catch (const Stopped&) {
        plan.is_exact = false;
    }
    return plan;
}

void Planner::check() const {
    if (tries_ > most_tries_ || *stop_ != 0 || now() >= end_) throw Stopped();
}

// The moves of the role that are legal wherever the game goes on; `over` is what states where it does not are worth.
std::vector<std::uint32_t> Planner::common_moves(const WeightedStates& belief, std::vector<Bits>& legal, Value& over, double& going) const {
    const std::size_t count = belief.size(), words = shape_.legal_words();
    legal.resize(count * words);
    std::vector<std::uint8_t> terminal(count);
    simulator_.terminal_and_legal(belief.rows(), count, terminal.data(), legal.data());
    std::vector<Bits> common(words, ~Bits{0});
    std::vector<std::int16_t> payoffs(shape_.roles());
    going = 0;
    for (std::size_t i = 0; i < count; ++i) {
        bool is_over = terminal[i] != 0;
        std::uint32_t first = 0;
        for (std::uint32_t role = 0; role < shape_.roles() && !is_over; first += shape_.moves[role++])
            is_over = !any_bit(legal.data() + i * words, first, first + shape_.moves[role]);
        if (is_over) {
            simulator_.payoffs(belief.row(i), 1, payoffs.data());
            over.value += belief.weights()[i] * payoffs[seat_];
            std::fill_n(legal.begin() + static_cast<std::ptrdiff_t>(i * words), words, 0);
            continue;
        }
        going += belief.weights()[i];
        for (std::size_t word = 0; word < words; ++word) common[word] &= legal[i * words + word];
    }
    std::vector<std::uint32_t> moves;
    if (going > 0) for_bits(common.data(), first_move_, first_move_ + shape_.moves[seat_], [&](std::uint32_t move) { moves.push_back(move); });
    return moves;
}

// Weights need not sum to 1; neither do values then.
Planner::Value Planner::value(const WeightedStates& belief, std::uint32_t horizon) {
    check();
    std::vector<Bits> legal;
    Value found;
    double going = 0;
    const double whole = std::accumulate(belief.weights().begin(), belief.weights().end(), 0.0);
    const std::string name = key(belief);
    if (const auto known = exact_.find(name); known != exact_.end()) return {known->second.value * whole, true};
    const std::string cut_name = name + static_cast<char>(horizon);
    if (const auto known = cut_.find(cut_name); known != cut_.end()) return {known->second.value * whole, false};
    const std::vector<std::uint32_t> moves = common_moves(belief, legal, found, going);
    if (going > 0 && horizon == 0) {
        const Value rest = leaf(belief);
        found.value += rest.value * going / whole;
        found.is_exact = false;
    } else if (going > 0 && !moves.empty()) {
        Value best{-1, true};
        for (const std::uint32_t move : moves) {
            const Value child = after(belief, legal, move, horizon);
            // An estimate is never too low, so that what is worth more for certain is the better.
            best.is_exact &= child.is_exact;
            best.value = std::max(best.value, child.value);
        }
        found.value += best.value;
        found.is_exact = best.is_exact;
    }
    if (exact_.size() + cut_.size() < kMostKept) (found.is_exact ? exact_[name] : cut_[cut_name]) = {found.value / whole, found.is_exact};
    return found;
}

Planner::Value Planner::leaf(const WeightedStates& belief) const {
    const auto& weights = belief.weights();
    const double most = *std::max_element(weights.begin(), weights.end());
    const double whole = std::accumulate(weights.begin(), weights.end(), 0.0);
    double entropy = 0;
    for (const double weight : weights)
        if (weight > 0) entropy -= weight / whole * std::log2(weight / whole);
    const double knowing = (1 - kEntropy) * most / whole + kEntropy * (1 - std::min(entropy, kMostBits) / kMostBits);
    return {ceiling_ * whole * (1 - kKnowing + kKnowing * knowing), false};
}

// What comes after a move: the states by what the role is told, and what each of these beliefs is worth.
Planner::Value Planner::after(const WeightedStates& belief, const std::vector<Bits>& legal, std::uint32_t move, std::uint32_t horizon) {
    const std::size_t words = shape_.state_words(), width = shape_.percept_words();
    std::vector<Bits> states;
    std::vector<std::uint32_t> joints;
    std::vector<double> weights;
    for (std::size_t i = 0; i < belief.size(); ++i) {
        MovesByRole moves = moves_by_role(shape_, legal.data() + i * shape_.legal_words());
        if (moves[seat_].empty()) continue;
        moves[seat_] = {move};
        double ways = 1;
        for (const auto& of_role : moves) ways *= static_cast<double>(of_role.size());
        for_joint_moves(moves, [&](const std::vector<std::uint32_t>& joint) {
            states.insert(states.end(), belief.row(i), belief.row(i) + words);
            joints.insert(joints.end(), joint.begin(), joint.end());
            weights.push_back(belief.weights()[i] / ways);
            return weights.size() + tries_ <= most_tries_;
        });
    }
    tries_ += weights.size();
    check();
    std::vector<Bits> told(weights.size() * width), successors(weights.size() * words);
    simulator_.percepts(states.data(), weights.size(), joints.data(), told.data());
    simulator_.step(states.data(), weights.size(), joints.data(), successors.data());
    // In order, so that the sum is the same in every run.
    std::map<std::vector<Bits>, WeightedStates> beliefs;
    std::vector<Bits> seen(width);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (std::size_t word = 0; word < width; ++word) seen[word] = told[i * width + word] & mask_[word];
        beliefs.try_emplace(seen, words).first->second.add(successors.data() + i * words, weights[i]);
    }
    Value sum;
    for (const auto& [_, later] : beliefs) {
        const Value child = value(later, horizon - 1);
        sum.value += child.value;
        sum.is_exact &= child.is_exact;
    }
    return sum;
}

// The states in order with their shares, rounded: ways to the same belief differ in the last digits.
std::string Planner::key(const WeightedStates& belief) const {
    const std::size_t words = shape_.state_words();
    std::vector<std::size_t> order(belief.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::lexicographical_compare(belief.row(a), belief.row(a) + words, belief.row(b), belief.row(b) + words);
    });
    const double whole = std::accumulate(belief.weights().begin(), belief.weights().end(), 0.0);
    std::string text;
    text.reserve(order.size() * (words + 1) * sizeof(Bits));
    for (const std::size_t number : order) {
        const Bits share = static_cast<Bits>(std::llround(belief.weights()[number] / whole * 1e12));
        text.append(reinterpret_cast<const char*>(belief.row(number)), words * sizeof(Bits));
        text.append(reinterpret_cast<const char*>(&share), sizeof(share));
    }
    return text;
}

}  // namespace ludorum::belief
