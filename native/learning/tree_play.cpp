#include "learning/tree_play.h"

#include <algorithm>
#include <limits>

#include "search/mcts/search.h"
#include "support/parallel.h"
#include "support/random.h"

namespace ludorum::learning {
namespace {

// The tree of one game is small.
constexpr std::uint64_t kTreeBytes = std::uint64_t{64} << 20;

class TreeGame {
public:
    TreeGame(const Simulator& simulator, const std::shared_ptr<const evaluation::NetEvaluation>& net, const TreePlayOptions& options)
        : simulator_(simulator), shape_(simulator.shape()), net_(net), options_(options), roles_(shape_.roles()),
          words_(shape_.state_words()), outputs_(net->weights().outputs) {}

    void play(const Bits* start, std::uint32_t number, const std::atomic<std::int32_t>& stop, Experience& found);

private:
    void learn_from(const mcts::Report& report, Experience& found);
    std::vector<std::uint32_t> choose(const mcts::Report& report, bool is_random);
    bool is_over(const Bits* state);

    const Simulator& simulator_;
    const Shape& shape_;
    const std::shared_ptr<const evaluation::NetEvaluation> net_;
    const TreePlayOptions& options_;
    const std::size_t roles_, words_;
    const std::uint32_t outputs_;
    Random random_{0};
    std::vector<Bits> state_, legal_;
    std::vector<float> roots_;          // values of the states that were searched from: those of the outputs
    std::vector<std::uint8_t> is_final_;  // whether what came later says nothing of them
    std::vector<std::size_t> places_;   // of the roots among all that was found
};

bool TreeGame::is_over(const Bits* state) {
    std::uint8_t terminal = 0;
    legal_.resize(shape_.legal_words());
    simulator_.terminal_and_legal(state, 1, &terminal, legal_.data());
    bool over = terminal != 0;
    for (std::uint32_t role = 0, first = 0; role < roles_; first += shape_.moves[role++])
        over |= !any_bit(legal_.data(), first, first + shape_.moves[role]);
    return over;
}

// The values of the root and, where one role alone has a choice and what it gains the other loses, of its successors.
void TreeGame::learn_from(const mcts::Report& report, Experience& found) {
    std::vector<std::uint32_t> forced(roles_);
    for (std::uint32_t role = 0, first = 0; role < roles_; first += shape_.moves[role++])
        for (std::uint32_t move = shape_.moves[role]; move-- > 0;)
            if (legal_[(first + move) / 64] >> ((first + move) % 64) & 1) forced[role] = move;
    bool is_one_chooser = true;
    const mcts::MoveReport* best = nullptr;
    for (const mcts::MoveReport& move : report.moves) {
        is_one_chooser &= move.role == report.moves.front().role;
        if (!best || move.visits > best->visits) best = &move;
    }
    places_.push_back(found.states.size() / words_);
    found.states.insert(found.states.end(), state_.begin(), state_.end());
    bool is_proved = true;
    for (std::uint32_t k = 0; k < outputs_; ++k) is_proved &= report.low[k] == report.high[k];
    for (std::uint32_t k = 0; k < outputs_; ++k) {
        float value = report.values[k];
        // The best move is what will be played, not the mean of what was tried.
        if (best && is_one_chooser && best->visits > 0 && (outputs_ == 1 || best->role == k))
            value = best->role == k ? best->mean : 1 - best->mean;
        roots_.push_back(std::clamp(is_proved ? report.low[k] : value, 0.0f, 1.0f));
        found.targets.push_back(0);
    }
    is_final_.push_back(is_proved);
    if (report.moves.empty() || !is_one_chooser || outputs_ != 1) return;
    std::vector<Bits> next(words_);
    for (const mcts::MoveReport& move : report.moves) {
        const bool is_certain = move.low == move.high;
        if (!is_certain && move.visits < options_.least_visits) continue;
        std::vector<std::uint32_t> joint = forced;
        joint[move.role] = move.move;
        simulator_.step(state_.data(), 1, joint.data(), next.data());
        const float value = std::clamp(is_certain ? move.low : move.mean, 0.0f, 1.0f);
        found.states.insert(found.states.end(), next.begin(), next.end());
        found.targets.push_back(move.role == 0 ? value : 1 - value);
    }
}

// Moves by how often they were tried, proved ones by what is proved; or any.
std::vector<std::uint32_t> TreeGame::choose(const mcts::Report& report, bool is_random) {
    std::vector<std::uint32_t> joint(roles_);
    for (std::uint32_t role = 0, first = 0; role < roles_; first += shape_.moves[role++]) {
        std::vector<std::uint32_t> moves;
        for_bits(legal_.data(), first, first + shape_.moves[role], [&](std::uint32_t move) { moves.push_back(move); });
        joint[role] = moves[0];
        if (moves.size() == 1) continue;
        if (is_random || static_cast<std::int32_t>(role) == options_.play.chance_role) {
            joint[role] = moves[random_.below(static_cast<std::uint32_t>(moves.size()))];
            continue;
        }
        double total = 0;
        for (const mcts::MoveReport& move : report.moves)
            if (move.role == role) total += move.high > 0 ? move.visits + 1e-3 : 1e-9;
        double left = static_cast<double>(random_.unit()) * total;
        for (const mcts::MoveReport& move : report.moves) {
            if (move.role != role) continue;
            joint[role] = move.move;
            if (move.low >= 1) break;
            left -= move.high > 0 ? move.visits + 1e-3 : 1e-9;
            if (left < 0) break;
        }
        for (const mcts::MoveReport& move : report.moves)
            if (move.role == role && move.low >= 1) joint[role] = move.move;
    }
    return joint;
}

void TreeGame::play(const Bits* start, std::uint32_t number, const std::atomic<std::int32_t>& stop, Experience& found) {
    const PlayOptions& play = options_.play;
    std::uint64_t seed = play.seed * 0x9E3779B97F4A7C15ull + play.first_game + number;
    random_ = Random(mix64(seed) ^ 0x5DEECE66Dull);
    roots_.clear();
    is_final_.clear();
    places_.clear();
    state_.assign(start, start + words_);
    const std::uint32_t opening = random_.below(play.random_steps + 1);
    mcts::Options options;
    options.seed = random_();
    options.prior_visits = options_.prior_visits;
    options.memory = kTreeBytes;
    options.max_steps = play.max_steps;
    options.chance_role = play.chance_role;
    options.lanes = 256;
    options.in_flight = 16;
    mcts::TreeSearch search(simulator_, options, net_);
    std::uint32_t steps = 0;
    std::vector<Bits> next(words_);
    while (!is_over(state_.data()) && steps < play.max_steps && stop == 0) {
        mcts::Report report;
        const bool is_opening = steps < opening;
        if (!is_opening) {
            search.set_root(state_.data(), steps > opening);
            search.think(options_.playouts, std::numeric_limits<double>::infinity(), stop);
            report = search.report();
            learn_from(report, found);
        }
        const bool is_random = is_opening || random_.unit() < play.epsilon;
        if (is_random && !is_opening) is_final_.back() = 1;
        const std::vector<std::uint32_t> joint = choose(report, is_random);
        simulator_.step(state_.data(), 1, joint.data(), next.data());
        state_.swap(next);
        ++steps;
    }
    std::vector<std::int16_t> goals(roles_);
    simulator_.goals(state_.data(), 1, goals.data());
    const bool is_cut = !is_over(state_.data());
    std::vector<float> target;
    for (std::size_t role = 0; role < roles_; ++role) {
        const float goal = goals[role] == kNoGoal ? (is_cut ? 0.5f : 0.0f) : static_cast<float>(goals[role]) / 100;
        found.payoffs.push_back(goal);
        if (role < outputs_) target.push_back(goal);
    }
    found.lengths.push_back(steps);
    for (std::size_t t = places_.size(); t-- > 0;)
        for (std::uint32_t k = 0; k < outputs_; ++k) {
            const float value = roots_[t * outputs_ + k];
            target[k] = is_final_[t] ? value : (1 - play.lambda) * value + play.lambda * target[k];
            found.targets[places_[t] * outputs_ + k] = target[k];
        }
}

}  // namespace

Experience tree_play(const Simulator& simulator, const std::shared_ptr<const evaluation::NetEvaluation>& net, const Bits* start,
                     const TreePlayOptions& options, const std::atomic<std::int32_t>& stop) {
    std::vector<Experience> found(options.play.games);
    std::atomic<std::uint32_t> next{0};
    parallel_invoke(options.play.threads, [&](std::uint32_t) {
        for (std::uint32_t game; stop == 0 && (game = next.fetch_add(1)) < options.play.games;)
            TreeGame(simulator, net, options).play(start, game, stop, found[game]);
    }, [&] { next = options.play.games; });
    Experience all;
    for (const Experience& part : found) {
        all.states.insert(all.states.end(), part.states.begin(), part.states.end());
        all.targets.insert(all.targets.end(), part.targets.begin(), part.targets.end());
        all.lengths.insert(all.lengths.end(), part.lengths.begin(), part.lengths.end());
        all.payoffs.insert(all.payoffs.end(), part.payoffs.begin(), part.payoffs.end());
    }
    return all;
}

}  // namespace ludorum::learning
