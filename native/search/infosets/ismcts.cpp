#include "search/infosets/ismcts.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/joint_moves.h"
#include "support/clock.h"
#include "support/splitmix64.h"

namespace ludorum::infosets {
namespace {


// Simulations under way at first; later an eighth of those that were made.
constexpr std::size_t kFirst = 16, kShare = 8;
// After so many turns in which nobody chose by a node, the rest is played at random.
constexpr std::uint32_t kMostIdle = 6;
// A baseline follows what comes of a move at least this fast.
constexpr double kFollowing = 0.02;
constexpr double kMost = 100;
// So many steps of playouts are made before the clock is looked at.
constexpr std::uint64_t kSteps = 64;

Bits key_of(std::uint32_t role, Bits view) { return mix64(view ^ mix64(role + 1)); }

}  // namespace

InformationSetSearch::InformationSetSearch(const belief::ViewSimulator& simulator, const SearchOptions& options)
    : simulator_(simulator), shape_(simulator.shape()), options_(options), random_(options.seed) {
    LeafSpec spec;
    spec.seed = options.seed;
    spec.max_steps = options.max_steps;
    playouts_ = simulator.leaf_playouts(spec);
}

std::uint64_t InformationSetSearch::run(const Bits* rows, const double* weights, std::size_t count, std::uint64_t simulations,
                                        double seconds, const std::atomic<std::int32_t>& stop) {
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e8)));
    std::vector<double> sums(count);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sums[i] = sum += weights[i];
    begun_ = ended_ = 0;
    while (ended_ < simulations && stop == 0 && (ended_ == 0 || Clock::now() < end)) {
        begin(rows, sums, std::clamp<std::size_t>(done_ / kShare, std::min(kFirst, options_.at_once), options_.at_once), simulations);
        turn();
        if (played_out_ > 0 && (whose_.empty() || 2 * played_out_ >= whose_.size())) play_out();
    }
    const std::uint64_t made = ended_;
    drop();
    return made;
}

void InformationSetSearch::begin(const Bits* rows, const std::vector<double>& sums, std::size_t under_way, std::uint64_t most) {
    const std::size_t words = shape_.state_words();
    while (whose_.size() < under_way && begun_ < most) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(simulations_.size()));
            simulations_.emplace_back();
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        Simulation& simulation = simulations_[number];
        simulation.path.clear();
        simulation.has_left.assign(shape_.roles(), 0);
        simulation.reach.assign(shape_.roles(), 0);
        simulation.drawn = 0;
        simulation.steps = simulation.idle = 0;
        simulation.is_played_out = false;
        const double at = random_.unit() * sums.back();
        const auto row = std::min<std::ptrdiff_t>(std::upper_bound(sums.begin(), sums.end(), at) - sums.begin(), static_cast<std::ptrdiff_t>(sums.size()) - 1);
        states_.insert(states_.end(), rows + static_cast<std::size_t>(row) * words, rows + (static_cast<std::size_t>(row) + 1) * words);
        whose_.push_back(number);
        ++begun_;
    }
}

void InformationSetSearch::find_moves(const Bits* legal) {
    moves_.resize(shape_.roles());
    std::uint32_t first = 0;
    for (std::size_t role = 0; role < moves_.size(); first += shape_.moves[role++]) {
        moves_[role].clear();
        for_bits(legal, first, first + shape_.moves[role], [&](std::uint32_t move) { moves_[role].push_back(move); });
    }
}

void InformationSetSearch::turn() {
    const std::size_t words = shape_.state_words(), legal_words = shape_.legal_words(), roles = shape_.roles(), count = whose_.size();
    if (count == 0) return;
    terminal_.resize(count);
    legal_.resize(count * legal_words);
    simulator_.terminal_and_legal(states_.data(), count, terminal_.data(), legal_.data());
    joints_.clear();
    ends_.clear();
    ended_now_.clear();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Simulation& simulation = simulations_[whose_[i]];
        const Bits* state = states_.data() + i * words;
        find_moves(legal_.data() + i * legal_words);
        const bool is_stuck = std::any_of(moves_.begin(), moves_.end(), [](const auto& of_role) { return of_role.empty(); });
        if (terminal_[i] || is_stuck || simulation.steps >= options_.max_steps) {
            ends_.insert(ends_.end(), state, state + words);
            ended_now_.push_back(whose_[i]);
            continue;
        }
        if (playouts_ && !solves() && simulation.idle >= kMostIdle) {
            playouts_->begin(state, whose_[i], 0, {});
            simulation.is_played_out = true;
            ++played_out_;
            continue;
        }
        ++simulation.steps;
        ++simulation.idle;
        for (std::uint32_t role = 0; role < roles; ++role) {
            const auto& of_role = moves_[role];
            const bool has_no_choice = of_role.size() == 1 || role == simulator_.random();
            joints_.push_back(has_no_choice ? of_role[random_.below(static_cast<std::uint32_t>(of_role.size()))]
                                            : choose(simulation, role, state[simulator_.plain_words() + role], of_role));
        }
        // Where all players have left their trees there is nothing more to choose by.
        bool is_out = !solves();
        for (std::uint32_t role = 0; role < roles && is_out; ++role) is_out = role == simulator_.random() || simulation.has_left[role];
        if (is_out) simulation.idle = std::max(simulation.idle, kMostIdle);
        std::copy_n(state, words, states_.data() + kept * words);
        whose_[kept++] = whose_[i];
    }
    whose_.resize(kept);
    states_.resize(kept * words);
    if (kept > 0) {
        later_.resize(kept * words);
        simulator_.step(states_.data(), kept, joints_.data(), later_.data());
        states_.swap(later_);
    }
    if (ended_now_.empty()) return;
    goals_.resize(ended_now_.size() * roles);
    simulator_.payoffs(ends_.data(), ended_now_.size(), goals_.data());
    for (std::size_t i = 0; i < ended_now_.size(); ++i) finish(ended_now_[i], goals_.data() + i * roles);
}

void InformationSetSearch::play_out() {
    results_.clear();
    playouts_->play(static_cast<std::uint32_t>(std::max<std::size_t>(1, played_out_ / 2)), kSteps, results_);
    played_out_ -= results_.tickets.size();
    for (std::size_t i = 0; i < results_.tickets.size(); ++i) finish(results_.tickets[i], results_.goals.data() + i * shape_.roles());
}

void InformationSetSearch::drop() {
    if (playouts_) playouts_->forget();
    played_out_ = 0;
    for (std::uint32_t number = 0; number < simulations_.size(); ++number)
        if (simulations_[number].is_played_out) whose_.push_back(number);
    for (const std::uint32_t number : whose_) {
        for (const Choice& choice : simulations_[number].path) --nodes_[choice.node].edges[choice.edge].visits;
        simulations_[number].is_played_out = false;
        free_.push_back(number);
    }
    whose_.clear();
    states_.clear();
}

// The number of the edge of a move, which is made if there is none; most often moves come in the same order.
std::size_t InformationSetSearch::edge_of(Node& node, std::size_t place, std::uint32_t move) const {
    if (place < node.edges.size() && node.edges[place].move == move) return place;
    for (place = 0; place < node.edges.size(); ++place)
        if (node.edges[place].move == move) return place;
    node.edges.push_back({move, 0, 0, 0, 0, 0, {}});
    if (solves()) node.edges.back().means.assign(shape_.roles(), 0);
    return place;
}

std::uint32_t InformationSetSearch::choose(Simulation& simulation, std::uint32_t role, Bits view, const std::vector<std::uint32_t>& legal) {
    const auto any = [&] { return legal[random_.below(static_cast<std::uint32_t>(legal.size()))]; };
    if (simulation.has_left[role]) return any();
    const Bits key = key_of(role, view);
    auto found = numbers_.find(key);
    if (found == numbers_.end()) {
        if (!solves()) simulation.has_left[role] = 1;
        if (nodes_.size() >= options_.most_nodes) return any();
        found = numbers_.emplace(key, static_cast<std::uint32_t>(nodes_.size())).first;
        nodes_.push_back({role, {}});
    }
    simulation.idle = 0;
    Node& node = nodes_[found->second];
    std::vector<std::size_t>& open = open_;
    open.clear();
    if (node.edges.empty()) node.edges.reserve(legal.size());
    for (std::size_t i = 0; i < legal.size(); ++i) {
        open.push_back(edge_of(node, i, legal[i]));
        ++node.edges[open.back()].available;
    }
    Choice choice;
    choice.node = found->second;
    choice.edge = static_cast<std::uint32_t>(options_.selection == Selection::kUcb ? by_bounds(node, open) : by_regrets(node, open, choice));
    if (solves()) {
        choice.reach = simulation.reach;
        choice.drawn = simulation.drawn;
        simulation.reach[role] += std::log(std::max(choice.strategy[choice.edge], 1e-300));
        simulation.drawn += std::log(choice.sampled);
    }
    Edge& edge = node.edges[choice.edge];
    // At once, so that others that are under way rather try something else.
    ++edge.visits;
    simulation.path.push_back(std::move(choice));
    return edge.move;
}

std::size_t InformationSetSearch::by_bounds(const Node& node, const std::vector<std::size_t>& open) {
    std::size_t best = open[0], alike = 0;
    double most = -1, logarithm = 0;
    std::uint64_t available = 0;
    for (const std::size_t place : open) {
        const Edge& edge = node.edges[place];
        const double visits = static_cast<double>(edge.visits);
        if (edge.available != available) logarithm = std::log(static_cast<double>(available = edge.available) + 1);
        const double bound = edge.visits == 0 ? 1e9 : edge.sum / visits / kMost + options_.exploration * std::sqrt(logarithm / visits);
        if (bound > most) {
            most = bound;
            best = place;
            alike = 1;
        } else if (bound == most && random_.below(static_cast<std::uint32_t>(++alike)) == 0) {
            best = place;
        }
    }
    return best;
}

std::size_t InformationSetSearch::by_regrets(const Node& node, const std::vector<std::size_t>& open, Choice& choice) {
    choice.strategy.assign(node.edges.size(), 0);
    const double count = static_cast<double>(open.size());
    double sum = 0;
    for (const std::size_t place : open) sum += node.edges[place].regret;
    for (const std::size_t place : open) choice.strategy[place] = sum > 0 ? node.edges[place].regret / sum : 1 / count;
    const double explored = options_.exploration;
    double at = random_.unit();
    for (const std::size_t place : open) {
        const double likely = (1 - explored) * choice.strategy[place] + explored / count;
        choice.sampled = likely;
        if (at < likely || place == open.back()) return place;
        at -= likely;
    }
    return open.back();
}

void InformationSetSearch::finish(std::uint32_t number, const std::int16_t* goals) {
    Simulation& simulation = simulations_[number];
    for (const Choice& choice : simulation.path)
        nodes_[choice.node].edges[choice.edge].sum += std::max<std::int16_t>(0, goals[nodes_[choice.node].role]);
    if (options_.selection == Selection::kRegret) learn_regrets(simulation, goals);
    if (solves()) learn_to_solve(simulation, goals);
    simulation.is_played_out = false;
    free_.push_back(number);
    ++ended_;
    ++done_;
}

void InformationSetSearch::learn_regrets(const Simulation& simulation, const std::int16_t* goals) {
    std::vector<double> worth;
    for (const Choice& choice : simulation.path) {
        Node& node = nodes_[choice.node];
        const double goal = std::max<std::int16_t>(0, goals[node.role]) / kMost;
        double mean = 0;
        worth.assign(choice.strategy.size(), 0);
        for (std::size_t place = 0; place < choice.strategy.size(); ++place) {
            const Edge& edge = node.edges[place];
            worth[place] = edge.visits > 0 ? edge.sum / static_cast<double>(edge.visits) / kMost : goal;
            if (place == choice.edge) worth[place] += (goal - worth[place]) / choice.sampled;
            mean += choice.strategy[place] * worth[place];
        }
        for (std::size_t place = 0; place < choice.strategy.size(); ++place) {
            Edge& edge = node.edges[place];
            edge.regret = std::max(0.0, edge.regret + worth[place] - mean);
            // Later ones count more: at first nobody knows better.
            edge.strategy += choice.strategy[place] * static_cast<double>(edge.available);
        }
    }
}

void InformationSetSearch::learn_to_solve(const Simulation& simulation, const std::int16_t* goals) {
    const std::size_t roles = shape_.roles();
    std::vector<double> values(roles), means(roles), worth;
    for (std::size_t role = 0; role < roles; ++role) values[role] = std::max<std::int16_t>(0, goals[role]) / kMost;
    // Backwards: what a choice is worth by what came of it, and by what usually comes of the others.
    for (std::size_t number = simulation.path.size(); number-- > 0;) {
        const Choice& choice = simulation.path[number];
        Node& node = nodes_[choice.node];
        worth.assign(choice.strategy.size(), 0);
        std::fill(means.begin(), means.end(), 0.0);
        for (std::size_t place = 0; place < choice.strategy.size(); ++place) {
            Edge& edge = node.edges[place];
            for (std::size_t role = 0; role < roles; ++role) {
                double found = edge.means[role];
                if (place == choice.edge) found += (values[role] - found) / choice.sampled;
                means[role] += choice.strategy[place] * found;
                if (role == node.role) worth[place] = found;
            }
        }
        Edge& taken = node.edges[choice.edge];
        const double share = std::max(kFollowing, 1 / static_cast<double>(taken.visits));
        for (std::size_t role = 0; role < roles; ++role) taken.means[role] += share * (values[role] - taken.means[role]);
        double others = -choice.drawn;
        for (std::size_t role = 0; role < roles; ++role)
            if (role != node.role) others += choice.reach[role];
        const double regretted = std::exp(others), played = std::exp(choice.reach[node.role] - choice.drawn) * static_cast<double>(done_ + 1);
        for (std::size_t place = 0; place < choice.strategy.size(); ++place) {
            Edge& edge = node.edges[place];
            edge.regret = std::max(0.0, edge.regret + regretted * (worth[place] - means[node.role]));
            edge.strategy += played * choice.strategy[place];
        }
        values = means;
    }
}

std::vector<MoveReport> InformationSetSearch::report(std::uint32_t role, Bits view) const {
    std::vector<MoveReport> moves;
    const auto found = numbers_.find(key_of(role, view));
    if (found == numbers_.end()) return moves;
    const Node& node = nodes_[found->second];
    double sum = 0, visits = 0;
    for (const Edge& edge : node.edges) {
        sum += edge.strategy;
        visits += static_cast<double>(edge.visits);
    }
    for (const Edge& edge : node.edges)
        moves.push_back({edge.move, edge.visits, edge.visits ? edge.sum / static_cast<double>(edge.visits) : 0,
                         sum > 0 ? edge.strategy / sum : visits > 0 ? static_cast<double>(edge.visits) / visits : 0});
    return moves;
}

}  // namespace ludorum::infosets
