#include "search/infosets/tree.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include "engine/joint_moves.h"

namespace ludorum::infosets {
namespace {

using belief::WeightedStates;
using Clock = std::chrono::steady_clock;

// So many nodes are looked at at once, and so many joint moves made.
constexpr std::size_t kLooked = 1024, kMade = 4096;
constexpr std::uint32_t kUnseen = 0xFFFFFFFF;

class Growth {
public:
    Growth(const Simulator& simulator, std::optional<std::uint32_t> random, const Budget& budget, const std::atomic<std::int32_t>& stop)
        : simulator_(simulator), shape_(simulator.shape()), random_(random), budget_(budget), stop_(stop),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(budget.seconds, 1e8)))),
          words_(shape_.state_words()) {
        for (std::uint32_t role = 0; role < shape_.roles(); ++role)
            if (role != random) tree_.roles.push_back(role);
        count_ = tree_.roles.size();
        tree_.form.players.resize(count_);
        for (std::size_t player = 0; player < count_; ++player) {
            seen_.emplace_back(2);
            rows_.emplace_back(shape_.percept_words());
            tree_.views.push_back({View{}});
            facts_.push_back({Fact{}});
            masks_.emplace_back(shape_.percept_words(), 0);
            for (std::size_t percept = 0; percept < shape_.percepts.size(); ++percept)
                if (shape_.percepts[percept] == tree_.roles[player]) masks_.back()[percept / 64] |= Bits{1} << (percept % 64);
        }
    }

    Tree run(const Bits* initial) {
        WeightedStates layer(words_ + count_);
        std::vector<Bits> root(initial, initial + words_);
        root.resize(words_ + count_, 0);
        layer.add(root.data(), 1);
        WeightedStates outcomes(count_);
        outcomes_ = &outcomes;
        tree_.is_whole = true;
        while (layer.size() > 0 && tree_.is_whole) {
            ++tree_.layers;
            layer = next(layer);
        }
        Outcomes& ends = tree_.form.outcomes;
        ends.sequences.assign(outcomes.rows(), outcomes.rows() + outcomes.size() * count_);
        ends.weights = outcomes.weights();
        for (std::size_t player = 0; player < count_; ++player) {
            auto& rows = tree_.percept_rows.emplace_back();
            for (std::size_t i = 0; i < rows_[player].size(); ++i)
                rows.emplace_back(rows_[player].row(i), rows_[player].row(i) + shape_.percept_words());
        }
        return std::move(tree_);
    }

private:
    // What is known of a view: the sequence that leads to it, and the legal moves there.
    struct Fact {
        std::uint32_t sequence = 0, set = kUnseen;
        bool is_met = false;
        std::vector<std::uint32_t> legal;
    };

    WeightedStates next(const WeightedStates& layer) {
        WeightedStates later(words_ + count_);
        std::vector<Bits> states(kLooked * words_), legal(kLooked * shape_.legal_words());
        std::vector<std::uint8_t> terminal(kLooked);
        std::vector<std::int16_t> payoffs(shape_.roles());
        for (std::size_t first = 0; first < layer.size() && tree_.is_whole; first += kLooked) {
            const std::size_t some = std::min(kLooked, layer.size() - first);
            for (std::size_t i = 0; i < some; ++i) std::copy_n(layer.row(first + i), words_, states.data() + i * words_);
            simulator_.terminal_and_legal(states.data(), some, terminal.data(), legal.data());
            for (std::size_t i = 0; i < some && tree_.is_whole; ++i) {
                const Bits* node = layer.row(first + i);
                const double weight = layer.weights()[first + i];
                const MovesByRole moves = moves_by_role(shape_, legal.data() + i * shape_.legal_words());
                const bool is_stuck = std::any_of(moves.begin(), moves.end(), [](const auto& of_role) { return of_role.empty(); });
                if (terminal[i] || is_stuck) {
                    simulator_.payoffs(node, 1, payoffs.data());
                    end(node + words_, weight, payoffs.data());
                } else {
                    branch(node, weight, moves, later);
                }
            }
            tree_.nodes += some;
        }
        make(later);
        return later;
    }

    void end(const Bits* views, double weight, const std::int16_t* payoffs) {
        std::vector<Bits> sequences(count_);
        for (std::size_t player = 0; player < count_; ++player) sequences[player] = facts_[player][views[player]].sequence;
        const std::size_t number = outcomes_->add(sequences.data(), weight);
        std::vector<double>& sums = tree_.form.outcomes.payoffs;
        if (sums.size() < (number + 1) * count_) sums.resize((number + 1) * count_, 0);
        for (std::size_t player = 0; player < count_; ++player) sums[number * count_ + player] += weight * payoffs[tree_.roles[player]];
    }

    void branch(const Bits* node, double weight, const MovesByRole& moves, WeightedStates& later) {
        for (std::size_t player = 0; player < count_; ++player) meet(player, static_cast<std::uint32_t>(node[words_ + player]), moves[tree_.roles[player]]);
        const double chance = random_ ? weight / static_cast<double>(moves[*random_].size()) : weight;
        for_joint_moves(moves, [&](const std::vector<std::uint32_t>& joint) {
            states_.insert(states_.end(), node, node + words_);
            views_.insert(views_.end(), node + words_, node + words_ + count_);
            joints_.insert(joints_.end(), joint.begin(), joint.end());
            weights_.push_back(chance);
            if (weights_.size() == kMade) make(later);
            return tree_.is_whole;
        });
    }

    // A view with more than one legal move is an information set; everywhere in it the moves must be the same.
    void meet(std::size_t player, std::uint32_t view, const std::vector<std::uint32_t>& legal) {
        Fact& fact = facts_[player][view];
        if (fact.is_met) {
            if (fact.legal == legal) return;
            tree_.uninformed = tree_.roles[player];
            tree_.is_whole = false;
            return;
        }
        fact.is_met = true;
        fact.legal = legal;
        if (legal.size() < 2) return;
        Player& self = tree_.form.players[player];
        fact.set = static_cast<std::uint32_t>(self.sets.size());
        self.sets.push_back({fact.sequence, static_cast<std::uint32_t>(self.moves.size()), static_cast<std::uint32_t>(legal.size()), view});
        self.moves.insert(self.moves.end(), legal.begin(), legal.end());
    }

    void make(WeightedStates& later) {
        const std::size_t made = weights_.size();
        if (made == 0) return;
        successors_.resize(made * words_);
        told_.resize(made * shape_.percept_words());
        simulator_.percepts(states_.data(), made, joints_.data(), told_.data());
        simulator_.step(states_.data(), made, joints_.data(), successors_.data());
        std::vector<Bits> node(words_ + count_);
        for (std::size_t i = 0; i < made; ++i) {
            std::copy_n(successors_.data() + i * words_, words_, node.data());
            for (std::size_t player = 0; player < count_; ++player)
                node[words_ + player] = see(player, static_cast<std::uint32_t>(views_[i * count_ + player]),
                                            joints_[i * shape_.roles() + tree_.roles[player]], told_.data() + i * shape_.percept_words());
            later.add(node.data(), weights_[i]);
        }
        states_.clear();
        views_.clear();
        joints_.clear();
        weights_.clear();
        if (tree_.nodes + later.size() > budget_.nodes || stop_ != 0 || Clock::now() >= end_) tree_.is_whole = false;
    }

    std::uint32_t see(std::size_t player, std::uint32_t before, std::uint32_t move, const Bits* told) {
        std::vector<Bits>& row = percepts_;
        row.resize(shape_.percept_words());
        for (std::size_t word = 0; word < row.size(); ++word) row[word] = told[word] & masks_[player][word];
        const std::size_t percepts = rows_[player].add(row.data(), 0);
        const Bits key[2]{before, std::uint64_t{move} << 32 | percepts};
        const std::size_t number = seen_[player].add(key, 0) + 1;
        if (number == tree_.views[player].size()) {
            tree_.views[player].push_back({before, move, static_cast<std::uint32_t>(percepts)});
            const Fact& last = facts_[player][before];
            Fact fact;
            fact.sequence = last.sequence;
            if (last.set != kUnseen) {
                const auto place = std::lower_bound(last.legal.begin(), last.legal.end(), move) - last.legal.begin();
                fact.sequence = tree_.form.players[player].sets[last.set].first + static_cast<std::uint32_t>(place);
            }
            facts_[player].push_back(std::move(fact));
        }
        return static_cast<std::uint32_t>(number);
    }

    const Simulator& simulator_;
    const Shape& shape_;
    const std::optional<std::uint32_t> random_;
    const Budget budget_;
    const std::atomic<std::int32_t>& stop_;
    const Clock::time_point end_;
    const std::size_t words_;
    std::size_t count_ = 0;
    Tree tree_;
    WeightedStates* outcomes_ = nullptr;
    // By player: views and percepts that are numbered, what is known of views, and which percepts are its own.
    std::vector<WeightedStates> seen_, rows_;
    std::vector<std::deque<Fact>> facts_;
    std::vector<std::vector<Bits>> masks_;
    // Of the joint moves that wait.
    std::vector<Bits> states_, views_, told_, successors_, percepts_;
    std::vector<std::uint32_t> joints_;
    std::vector<double> weights_;
};

}  // namespace

Tree grow(const Simulator& simulator, const Bits* initial, std::optional<std::uint32_t> random, const Budget& budget,
          const std::atomic<std::int32_t>& stop) {
    return Growth(simulator, random, budget, stop).run(initial);
}

}  // namespace ludorum::infosets
