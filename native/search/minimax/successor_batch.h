// successor_batch.h: the successors of several siblings, found in one sweep of the simulator.
//
// A sweep costs nearly the same for one successor as for a machine word full
// of them, so a search that has to expand one state expands the siblings that
// come next with it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/simulator.h"
#include "evaluation/evaluation.h"

namespace ludorum::minimax {

// A role that has a choice in a state. Successors are numbered so that the first chooser's move changes slowest:
// move p of this one adds p * stride.
struct Chooser {
    std::uint32_t role;
    std::uint32_t first_move;  // its legal moves, in SuccessorBatch::moves
    std::uint32_t count;
    std::uint32_t stride;
};

// The successors of one state.
struct SuccessorRange {
    std::uint32_t parent;
    std::uint32_t first;       // its successors in the batch
    std::uint32_t count;
    std::uint32_t first_chooser;
    std::uint32_t choosers;
};

class SuccessorBatch {
public:
    static constexpr std::int32_t kNotExpanded = -1;

    // A batch of one: a state that was looked at elsewhere.
    void hold(const Shape& shape, const Bits* state, const Bits* legal);

    void clear();

    // Lists the joint moves of a state that is not over; `order` says who chooses before whom.
    void add(const Shape& shape, std::span<const std::uint32_t> order, const Bits* legal, std::uint32_t parent);

    // Finds the successors of all that was added; from `begin` to before `end` only.
    void expand(const Simulator& simulator, const SuccessorBatch& parents, std::size_t begin, std::size_t end, bool all_payoffs);
    void evaluate(const Shape& shape, const evaluation::Evaluation& evaluation, const SuccessorBatch& above, std::size_t begin,
                  std::size_t end);

    std::size_t size() const { return over.size(); }
    const Bits* state(std::uint32_t number) const { return states.data() + number * state_words; }
    const Bits* legal_moves(std::uint32_t number) const { return legal.data() + number * legal_words; }
    const std::int16_t* payoff(std::uint32_t number) const { return payoffs.data() + number * roles; }
    const double* value(std::uint32_t number) const { return values.data() + number * roles; }
    const std::uint32_t* joint_move(std::uint32_t number) const { return joint.data() + number * roles; }

    std::vector<SuccessorRange> ranges;
    std::vector<Chooser> choosers;
    std::vector<std::uint32_t> moves;

    // A row a successor.
    std::vector<std::uint32_t> parents, joint;
    std::vector<Bits> states, legal;
    std::vector<std::uint8_t> over;
    std::vector<std::int16_t> payoffs;
    std::vector<double> values;
    std::vector<std::uint64_t> keys;        // 0: not yet computed
    std::vector<Bits> rows;                 // with a key the state that stands for all its images, where there are symmetries,
    std::vector<std::uint32_t> elements;    // and the symmetry that makes it
    std::vector<std::int32_t> range;       // in the batch below, or kNotExpanded
    bool is_evaluated = false;

private:
    std::size_t state_words = 0, legal_words = 0, roles = 0;
    std::vector<std::uint32_t> forced_, first_of_role_;
};

// How many joint moves there are, no more than `most` + 1.
std::uint64_t count_joint_moves(const Shape& shape, const Bits* legal, std::uint64_t most);

}  // namespace ludorum::minimax
