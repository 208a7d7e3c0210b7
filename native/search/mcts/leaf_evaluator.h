// leaf_evaluator.h: what states are worth before anybody has played from them, by an
// evaluation, many at once.
//
// Values are from 0 to 1, as everywhere in the tree; what is over is worth its
// goals.
//
// In the literature: progressive bias and prior knowledge (Gelly and Silver 2007; Chaslot et al. 2008).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/simulator.h"
#include "evaluation/evaluation.h"
#include "search/mcts/tree.h"

namespace ludorum::mcts {

class LeafEvaluator {
public:
    // Requires: the simulator outlives it. Without an evaluation nothing may be asked of it.
    LeafEvaluator(const Simulator& simulator, std::shared_ptr<const evaluation::Evaluation> evaluation)
        : simulator_(simulator), evaluation_(std::move(evaluation)) {}

    // values[i * roles + r] is what state i is worth to role r. Requires: no state is terminal.
    void evaluate(const Bits* states, std::size_t count, double* values);

    // Gives every move in the nodes so many visits, each with what the successor is worth; where several roles choose at
    // once, with the mean over what the others may do. A role that draws by chance needs none, and nodes with too many
    // joint moves go without.
    void give_priors(std::span<Node* const> nodes, const Tree& tree);

private:
    // The successors of a node, in a row.
    struct SuccessorRange {
        Node* node;
        std::size_t first, count;
    };

    void evaluate_seen(const evaluation::SeenStates& seen, double* values) const;
    void list(Node& node, std::uint32_t number);
    void give_prior(const SuccessorRange& range, const Tree& tree) const;

    const Simulator& simulator_;
    const std::shared_ptr<const evaluation::Evaluation> evaluation_;
    std::vector<Bits> states_, successors_, legal_;
    std::vector<std::uint8_t> over_;
    std::vector<std::int16_t> payoffs_;
    std::vector<double> values_;
    std::vector<std::uint32_t> parents_, joints_;
    std::vector<SuccessorRange> ranges_;
};

}  // namespace ludorum::mcts
