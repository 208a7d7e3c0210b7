#include "search/mcts/expansion.h"

#include <algorithm>

namespace ludorum::mcts {

void Expansion::expand(const std::vector<SelectedPath*>& paths) {
    const auto attaching = tree_.attaching();
    const Shape& shape = tree_.shape();
    const std::size_t words = shape.state_words(), roles = shape.roles();
    states_.resize(paths.size() * words);
    stepping_.clear();
    parents_.clear();
    joints_.clear();
    for (const SelectedPath* path : paths) ask(*path);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const SelectedPath& path = *paths[i];
        if (path.end) {
            std::copy(path.end->state(), path.end->state() + words, states_.data() + i * words);
            continue;
        }
        stepping_.push_back(i);
        const Bits* parent = path.steps.back().node->state();
        parents_.insert(parents_.end(), parent, parent + words);
        path.add_moves(path.steps.size() - 1, roles, joints_);
    }
    if (stepping_.empty()) return;
    asked_.resize(stepping_.size() * words);
    simulator_.step(parents_.data(), stepping_.size(), joints_.data(), asked_.data());
    looking_.clear();
    std::size_t asked = 0;
    for (std::size_t i = 0; i < stepping_.size(); ++i) {
        const Bits* state = asked_.data() + i * words;
        std::copy(state, state + words, states_.data() + stepping_[i] * words);
        if (!paths[stepping_[i]]->wants_node) continue;
        // Those that get a node move to the front, to be looked at together.
        std::copy(state, state + words, asked_.data() + asked++ * words);
        looking_.push_back(stepping_[i]);
    }
    if (looking_.empty()) return;
    keys_.resize(asked);
    for (std::size_t i = 0; i < asked; ++i) {
        turn(asked_.data() + i * words);
        keys_[i] = tree_.expect(asked_.data() + i * words);
    }
    terminal_.resize(asked);
    legal_.resize(asked * shape.legal_words());
    goals_.resize(asked * roles);
    simulator_.terminal_and_legal(asked_.data(), asked, terminal_.data(), legal_.data());
    // Goals are asked seldom: where a game has ended, which includes having no legal move.
    const auto is_stuck = [&](std::size_t i) {
        std::uint32_t first = 0;
        for (std::uint32_t count : shape.moves) {
            bool has_move = false;
            for (std::uint32_t move = first; move < first + count && !has_move;) {
                const Bits bits = legal_[i * shape.legal_words() + move / 64] >> (move % 64);
                const std::uint32_t left = std::min(first + count - move, 64 - move % 64);
                has_move = (left == 64 ? bits : bits & ((Bits{1} << left) - 1)) != 0;
                move += left;
            }
            if (!has_move) return true;
            first += count;
        }
        return false;
    };
    over_.clear();
    ends_.clear();
    for (std::size_t i = 0; i < asked; ++i)
        if (terminal_[i] || is_stuck(i)) {
            over_.push_back(i);
            ends_.insert(ends_.end(), asked_.data() + i * words, asked_.data() + (i + 1) * words);
        }
    end_goals_.resize(over_.size() * roles);
    if (!over_.empty()) simulator_.goals(ends_.data(), over_.size(), end_goals_.data());
    for (std::size_t k = 0; k < over_.size(); ++k) std::copy_n(end_goals_.data() + k * roles, roles, goals_.data() + over_[k] * roles);
    new_nodes_.clear();
    for (std::size_t i = 0; i < asked; ++i) {
        const Tree::Added added = tree_.add({asked_.data() + i * words, keys_[i], legal_.data() + i * shape.legal_words(),
                                             terminal_[i] != 0, goals_.data() + i * roles}, thread_);
        attach(*paths[looking_[i]], added.node);
        if (added.is_new) new_nodes_.push_back(added.node);
    }
    if (tree_.options().prior_visits) leaf_evaluator_.give_priors(new_nodes_, tree_);
}

// What is read of a node after a path has gone by is far from what the path read.
void Expansion::ask(const SelectedPath& path) const {
    const Step& step = path.steps.back();
    const Node& node = path.end ? *path.end : *step.node;
    __builtin_prefetch(node.state());
    __builtin_prefetch(node.state() + tree_.shape().state_words() - 1);
    if (!path.end && step.is_of_one()) __builtin_prefetch(&node.edges(step.role).move(step.edge));
}

// Puts the image that stands for all in place of a state. After a while it is left as it is if hardly any image had a
// node: then looking for them costs more than it brings.
void Expansion::turn(Bits* state) {
    constexpr std::uint64_t kTried = 1 << 13, kOneIn = 32;
    const Symmetries* symmetries = tree_.options().symmetries.get();
    if (!symmetries || (turned_ >= kTried && merged_ * kOneIn < turned_)) return;
    image_.resize(tree_.shape().state_words());
    const Symmetries::Image image = symmetries->canonical(state, image_.data());
    ++turned_;
    if (image.element == 0) return;
    merged_ += tree_.find(image_.data()) != nullptr;
    std::copy(image_.begin(), image_.end(), state);
}

void Expansion::end(SelectedPath& path, const Bits* state, const std::int16_t* goals) {
    const auto attaching = tree_.attaching();
    attach(path, tree_.add({state, tree_.expect(state), nullptr, true, goals}, thread_).node);
}

void Expansion::attach(SelectedPath& path, Node* child) {
    if (!child) return;
    const Step& step = path.steps.back();
    if (step.is_of_one()) path.end = tree_.set_child(tree_.ref(*step.node, step.edge, step.stats).stats, child);
    else path.end = tree_.link(*step.node, path.joint_of(step), child);
}

}  // namespace ludorum::mcts
