#include "search/mcts/leaf_evaluator.h"

#include <algorithm>

#include "support/bits.h"

namespace ludorum::mcts {
namespace {

// A node with more joint moves than this would take longer to appraise than it is worth.
constexpr std::uint64_t kMostJoint = 1024;

std::uint64_t joint_moves(const Node& node, std::size_t roles) {
    std::uint64_t all = 1;
    for (std::size_t r = 0; r < roles && all <= kMostJoint; ++r) all *= node.count(r);
    return all;
}

// Goes on to the next joint move, the last role's first.
void to_next(std::span<std::uint32_t> joint, const Node& node) {
    for (std::size_t r = joint.size(); r-- > 0;) {
        if (++joint[r] < node.count(r)) return;
        joint[r] = 0;
    }
}

}  // namespace

void LeafEvaluator::evaluate(const Bits* states, std::size_t count, double* values) {
    const Shape& shape = simulator_.shape();
    const std::size_t roles = shape.roles();
    over_.resize(count);
    legal_.resize(count * shape.legal_words());
    payoffs_.resize(count * roles);
    simulator_.terminal_and_legal(states, count, over_.data(), legal_.data());
    bool any_over = false;
    for (std::size_t i = 0; i < count; ++i) {
        // Where a role has no legal move the game cannot go on.
        for (std::uint32_t r = 0, first = 0; r < roles; first += shape.moves[r++])
            over_[i] |= !any_bit(legal_.data() + i * shape.legal_words(), first, first + shape.moves[r]);
        any_over |= over_[i] != 0;
    }
    if (any_over || evaluation_->uses_payoffs()) simulator_.payoffs(states, count, payoffs_.data());
    evaluate_seen({simulator_.shape(), count, states, legal_.data(), payoffs_.data()}, values);
}

// Of states that were looked at.
void LeafEvaluator::evaluate_seen(const evaluation::SeenStates& seen, double* values) const {
    const std::size_t roles = simulator_.shape().roles();
    evaluation_->evaluate(seen, values);
    for (std::size_t i = 0; i < seen.count * roles; ++i)
        values[i] = std::clamp(over_[i / roles] ? static_cast<double>(payoffs_[i]) : values[i], 0.0, 100.0) / 100;
}

void LeafEvaluator::list(Node& node, std::uint32_t number) {
    const std::size_t roles = simulator_.shape().roles();
    const std::uint64_t all = joint_moves(node, roles);
    ranges_.push_back({&node, parents_.size(), static_cast<std::size_t>(all)});
    std::vector<std::uint32_t> joint(roles, 0);
    for (std::uint64_t i = 0; i < all; ++i) {
        parents_.push_back(number);
        for (std::size_t r = 0; r < roles; ++r) joints_.push_back(node.move(r, joint[r]));
        to_next(joint, node);
    }
}

void LeafEvaluator::give_priors(std::span<Node* const> nodes, const Tree& tree) {
    const Shape& shape = simulator_.shape();
    const std::size_t roles = shape.roles(), words = shape.state_words();
    ranges_.clear();
    states_.clear();
    parents_.clear();
    joints_.clear();
    for (Node* node : nodes) {
        const bool is_drawn = node->choosers == 1 && static_cast<std::int32_t>(node->only_chooser) == tree.options().chance_role;
        if (node->choosers == 0 || is_drawn || joint_moves(*node, roles) > kMostJoint) continue;
        list(*node, static_cast<std::uint32_t>(ranges_.size()));
        states_.insert(states_.end(), node->state(), node->state() + words);
    }
    const std::size_t count = parents_.size();
    if (count == 0) return;
    successors_.resize(count * words);
    over_.resize(count);
    legal_.resize(count * shape.legal_words());
    payoffs_.resize(count * roles);
    values_.resize(count * roles);
    simulator_.expand(states_.data(), parents_.data(), count, joints_.data(), evaluation_->uses_payoffs(),
                      {successors_.data(), over_.data(), legal_.data(), payoffs_.data()});
    evaluate_seen({shape, count, successors_.data(), legal_.data(), payoffs_.data(), states_.data(), parents_.data()}, values_.data());
    for (const SuccessorRange& range : ranges_) give_prior(range, tree);
}

void LeafEvaluator::give_prior(const SuccessorRange& range, const Tree& tree) const {
    const Options& options = tree.options();
    const std::size_t roles = simulator_.shape().roles();
    Node& node = *range.node;
    for (std::size_t r = 0; r < roles; ++r) {
        if (node.count(r) < 2 || static_cast<std::int32_t>(r) == options.chance_role) continue;
        const Edges edges = node.edges(r);
        const double share = options.prior_visits * static_cast<double>(edges.count) / static_cast<double>(range.count);
        std::vector<double> sums(edges.count);
        std::vector<std::uint32_t> joint(roles, 0);
        for (std::size_t i = 0; i < range.count; ++i) {
            sums[joint[r]] += share * values_[(range.first + i) * roles + r];
            to_next(joint, node);
        }
        for (std::uint32_t e = 0; e < edges.count; ++e) {
            edges[e].add_prior(options.prior_visits, static_cast<std::uint64_t>(sums[e] * EdgeStats::kParts + 0.5), tree.is_shared());
            tree.refresh(edges.ref(e));
        }
    }
    node.prior.store(options.prior_visits, std::memory_order_relaxed);
}

}  // namespace ludorum::mcts
