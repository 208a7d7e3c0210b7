// expansion.h: the states behind the leaves that a round of selection chose,
// all of them in one sweep of the simulator.
#pragma once

#include <cstdint>
#include <vector>

#include "appraisal.h"
#include "tree.h"
#include "walk.h"

namespace ludorum::mcts {

class Expansion {
public:
    // For the thread of this number. Requires: all three outlive it.
    Expansion(const Simulator& simulator, Tree& tree, Appraisal& appraisal, std::uint32_t thread)
        : simulator_(simulator), tree_(tree), appraisal_(appraisal), thread_(thread) {}

    // Finds the state at the end of every walk and gives nodes to the ends that are to have one. Afterwards state(i) is
    // the state of the i-th walk.
    void expand(const std::vector<Walk*>& walks);
    const Bits* state(std::size_t walk) const { return states_.data() + walk * tree_.shape().state_words(); }

    // Gives a node to the end of a walk that turned out to be the end of the game, so that it counts as solved.
    void end(Walk& walk, const Bits* state, const std::int16_t* goals);

private:
    void ask(const Walk& walk) const;
    void attach(Walk& walk, Node* child);
    void turn(Bits* state);

    const Simulator& simulator_;
    Tree& tree_;
    Appraisal& appraisal_;
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
