#include "search/infosets/tree.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <numeric>
#include <set>
#include <unordered_map>

#include "engine/joint_moves.h"
#include "support/clock.h"

namespace ludorum::infosets {
namespace {

using belief::WeightedStates;

// So many nodes are looked at at once, and so many joint moves made.
constexpr std::size_t kLooked = 1024, kMade = 4096;
constexpr std::uint32_t kUnseen = 0xFFFFFFFF;
// Futures of more states than this are not compared, nor those of states with more joint moves.
constexpr std::size_t kMostAlike = 256, kMostJoints = 4096;

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
            tree_.cut_views.emplace_back();
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
        WeightedStates cut_outcomes(count_ + 1);
        cut_outcomes_ = &cut_outcomes;
        tree_.is_whole = true;
        while (layer.size() > 0 && tree_.is_whole) {
            ++tree_.layers;
            layer = next(layer);
            if (budget_.cuts && tree_.is_whole) layer = cut(layer);
        }
        Outcomes& ends = tree_.form.outcomes;
        ends.sequences.assign(outcomes.rows(), outcomes.rows() + outcomes.size() * count_);
        ends.weights = outcomes.weights();
        tree_.ends = outcomes.size();
        for (std::size_t i = 0; i < cut_outcomes.size(); ++i) {
            const Bits* row = cut_outcomes.row(i);
            tree_.cut_sequences.insert(tree_.cut_sequences.end(), row, row + count_);
            tree_.cut_numbers.push_back(static_cast<std::uint32_t>(row[count_]));
        }
        tree_.cut_weights = cut_outcomes.weights();
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

    // The layer without the nodes where it is common knowledge what can follow; these become ways to a cut.
    WeightedStates cut(const WeightedStates& layer) {
        WeightedStates kept(layer.words());
        std::vector<Bits> row(count_ + 1);
        for (const std::vector<std::size_t>& nodes : linked(layer)) {
            const std::optional<std::string> future = common_future(layer, nodes);
            if (!future) {
                for (const std::size_t node : nodes) kept.add(layer.row(node), layer.weights()[node]);
                continue;
            }
            const auto [place, is_new] = cuts_.emplace(*future, static_cast<std::uint32_t>(tree_.cuts.size()));
            const Bits* state = layer.row(nodes.front());
            if (is_new) tree_.cuts.push_back({{state, state + words_}, *future});
            std::vector<std::set<std::uint32_t>> views(count_);
            for (const std::size_t node : nodes) {
                const Bits* seen = layer.row(node) + words_;
                for (std::size_t player = 0; player < count_; ++player) {
                    row[player] = facts_[player][seen[player]].sequence;
                    views[player].insert(static_cast<std::uint32_t>(seen[player]));
                }
                row[count_] = place->second;
                cut_outcomes_->add(row.data(), layer.weights()[node]);
            }
            for (std::size_t player = 0; player < count_; ++player)
                for (const std::uint32_t view : views[player]) tree_.cut_views[player].emplace_back(view, place->second);
        }
        return kept;
    }

    // The nodes of a layer, those together that some player cannot tell apart, or that are linked so by others.
    std::vector<std::vector<std::size_t>> linked(const WeightedStates& layer) const {
        std::vector<std::size_t> leader(layer.size());
        std::iota(leader.begin(), leader.end(), std::size_t{0});
        const auto find = [&](std::size_t node) {
            while (leader[node] != node) node = leader[node] = leader[leader[node]];
            return node;
        };
        for (std::size_t player = 0; player < count_; ++player) {
            std::unordered_map<Bits, std::size_t> first;
            for (std::size_t node = 0; node < layer.size(); ++node) {
                const auto [place, is_new] = first.emplace(layer.row(node)[words_ + player], node);
                if (!is_new) leader[find(node)] = find(place->second);
            }
        }
        std::vector<std::vector<std::size_t>> groups;
        std::unordered_map<std::size_t, std::size_t> numbers;
        for (std::size_t node = 0; node < layer.size(); ++node) {
            const auto [place, is_new] = numbers.emplace(find(node), groups.size());
            if (is_new) groups.emplace_back();
            groups[place->second].push_back(node);
        }
        return groups;
    }

    // All that follows in a turn, if that is the same in all of the nodes and the game goes on.
    std::optional<std::string> common_future(const WeightedStates& layer, const std::vector<std::size_t>& nodes) const {
        WeightedStates states(words_);
        for (const std::size_t node : nodes)
            if (states.add(layer.row(node), 1) >= kMostAlike) return std::nullopt;
        std::optional<std::string> common;
        for (std::size_t i = 0; i < states.size(); ++i) {
            const std::optional<std::string> found = future(states.row(i));
            if (!found || (common && *common != *found)) return std::nullopt;
            common = found;
        }
        return common;
    }

    std::optional<std::string> future(const Bits* state) const {
        std::uint8_t terminal = 0;
        std::vector<Bits> legal(shape_.legal_words());
        simulator_.terminal_and_legal(state, 1, &terminal, legal.data());
        const MovesByRole moves = moves_by_role(shape_, legal.data());
        double joints = 1;
        for (const auto& of_role : moves) joints *= static_cast<double>(of_role.size());
        if (terminal || joints == 0 || joints > kMostJoints) return std::nullopt;
        std::vector<Bits> from;
        std::vector<std::uint32_t> made;
        for_joint_moves(moves, [&](const std::vector<std::uint32_t>& joint) {
            from.insert(from.end(), state, state + words_);
            made.insert(made.end(), joint.begin(), joint.end());
            return true;
        });
        const auto count = static_cast<std::size_t>(joints);
        std::vector<Bits> told(count * shape_.percept_words()), later(count * words_);
        simulator_.percepts(from.data(), count, made.data(), told.data());
        simulator_.step(from.data(), count, made.data(), later.data());
        std::string found;
        for (const std::vector<Bits>* part : {&legal, &told, &later})
            found.append(reinterpret_cast<const char*>(part->data()), part->size() * sizeof(Bits));
        return found;
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
    WeightedStates *outcomes_ = nullptr, *cut_outcomes_ = nullptr;
    std::unordered_map<std::string, std::uint32_t> cuts_;  // by what follows
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

void Tree::settle(const std::vector<std::vector<double>>& worths) {
    const std::size_t count = roles.size();
    Outcomes& outcomes = form.outcomes;
    outcomes.sequences.resize(ends * count);
    outcomes.weights.resize(ends);
    outcomes.payoffs.resize(ends * count);
    outcomes.sequences.insert(outcomes.sequences.end(), cut_sequences.begin(), cut_sequences.end());
    outcomes.weights.insert(outcomes.weights.end(), cut_weights.begin(), cut_weights.end());
    for (std::size_t way = 0; way < cut_numbers.size(); ++way)
        for (std::size_t player = 0; player < count; ++player)
            outcomes.payoffs.push_back(cut_weights[way] * worths[cut_numbers[way]][player]);
}

Tree grow(const Simulator& simulator, const Bits* initial, std::optional<std::uint32_t> random, const Budget& budget,
          const std::atomic<std::int32_t>& stop) {
    return Growth(simulator, random, budget, stop).run(initial);
}

}  // namespace ludorum::infosets
