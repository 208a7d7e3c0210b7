// expansion.h: the states behind the leaves that a round of selection chose,
// all of them in one sweep of the simulator.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts/leaf_evaluator.h"
#include "search/mcts/selected_path.h"
#include "search/mcts/tree.h"

namespace ludorum::mcts {

class Expansion {
public:
    // For the thread of this number. Requires: all three outlive it.
    Expansion(const Simulator& simulator, Tree& tree, LeafEvaluator& leaf_evaluator, std::uint32_t thread)
        : simulator_(simulator), tree_(tree), leaf_evaluator_(leaf_evaluator), thread_(thread) {}

    // Finds the state at the end of every path and gives nodes to the ends that are to have one. Afterwards state(i) is
    // the state of the i-th path.
    void expand(const std::vector<SelectedPath*>& paths);
    const Bits* state(std::size_t path) const { return states_.data() + path * tree_.shape().state_words(); }

    // Gives a node to the end of a path that turned out to be the end of the game, so that it counts as solved.
    void end(SelectedPath& path, const Bits* state, const std::int16_t* goals);

private:
    void ask(const SelectedPath& path) const;
    void attach(SelectedPath& path, Node* child);
    void turn(Bits* state);

    const Simulator& simulator_;
    Tree& tree_;
    LeafEvaluator& leaf_evaluator_;
    const std::uint32_t thread_;
    std::vector<Node*> new_nodes_;
    std::vector<std::uint64_t> keys_;
    std::vector<Bits> parents_, states_, legal_, asked_, ends_;
    std::vector<std::uint32_t> joints_;
    std::vector<std::uint8_t> terminal_;
    std::vector<std::int16_t> goals_, end_goals_;
    std::vector<Bits> image_;
    std::uint64_t turned_ = 0, merged_ = 0;  // states that images were looked for of, and those whose image had a node
    std::vector<std::size_t> stepping_, looking_, over_;
};

}  // namespace ludorum::mcts
