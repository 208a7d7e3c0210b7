// max_n.h: max^n (Luckhardt and Irani): every role maximises what it gets itself.
//
// The values of a state are those of the successor that is best for the role
// that chooses. Of successors that are equally good for it, the one with the
// lowest number counts, so that the values do not depend on how the tree was
// searched; with ties they are those of one equilibrium among several.
//
// In the literature: max^n (Luckhardt and Irani 1986).
#pragma once

#include "search/minimax/tree.h"

namespace ludorum::minimax {

struct Finding {
    bool is_proved = false;   // all values are exact: no estimate is below
    std::uint32_t child = 0;  // the successor they come from
};

// What the roles get after a move of the role that chooses first at the root.
struct RootValues {
    std::uint32_t move = 0;
    std::uint32_t child = 0;
    std::vector<double> values;
    bool is_proved = false;
    bool is_searched = false;  // in the last iteration
    std::uint32_t proved_at = 0;
};

class MaxN final : public Tree {
public:
    MaxN(const Simulator& simulator, const evaluation::Evaluation* evaluation, Settings settings, TranspositionTable& table)
        : Tree(simulator, evaluation, std::move(settings), table) {}

    // Requires: the root is not over.
    bool start(const Bits* state, const Bits* legal, const Watch& watch);

    // A search to this depth; `values` gets one number a role. If it stopped in the middle (has_stopped), the values are
    // those of the best of the moves that were searched, of which there may be none (searched_moves).
    Finding search(std::uint32_t depth, double* values);

    std::size_t searched_moves() const { return searched_; }
    const std::vector<RootValues>& root_moves() const { return root_; }

private:
    Finding inside(std::size_t level, std::uint32_t number, double depth, double* values);
    Finding choose(std::size_t level, const SuccessorRange& range, std::uint32_t chooser, std::uint32_t offset, double below, double* values);
    Finding visit(std::size_t level, std::uint32_t number, double depth, std::uint32_t siblings_left, double* values);
    void rank(std::size_t level, const Chooser& chooser, bool is_last, std::uint32_t offset, std::span<Ranked> choices);
    void estimate(const SuccessorBatch& batch, std::uint32_t number, double* values) const;

    std::vector<RootValues> root_;
    std::vector<double> best_so_far_;
    Finding found_so_far_;
    std::uint32_t iteration_ = 0;
    std::size_t searched_ = 0;
};

}  // namespace ludorum::minimax
