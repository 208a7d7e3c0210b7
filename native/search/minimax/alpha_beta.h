// alpha_beta.h: alpha-beta for one value: what one role gets.
//
// Right where all other roles want the opposite: two players whose goals have
// a constant sum (section 4.2.2). With one player it is depth-first search that
// stops at 100; with more it is the paranoid assumption that they all work
// together against the role.
//
// Every answer holds beside the value what is proved: between which bounds
// the value must be, by terminal states alone. Where they meet, the state is
// solved, and no search to whatever depth asks for it again.
//
// In the literature: alpha-beta (Knuth and Moore 1975); the paranoid assumption (Sturtevant and Korf 2000).
#pragma once

#include "search/minimax/tree.h"

namespace ludorum::minimax {

struct Answer {
    double value = 0;
    double lower = kLowest, upper = kHighest;  // proved
    std::uint32_t child = 0;                  // the successor it comes from
};

// What is known of a move of the role that chooses first at the root.
struct RootMove {
    std::uint32_t move = 0;
    std::uint32_t child = 0;       // the successor expected after it
    double value = 50;
    double lower = kLowest, upper = kHighest;
    bool is_exact = false;         // else the value is a bound
    std::uint32_t proved_at = 0;   // the depth of the iteration that proved it; 0: not proved
    double probability = 0;        // in the mix of an equilibrium at the root
};

class AlphaBeta final : public Tree {
public:
    static constexpr std::uint32_t kNone = ~0u;

    // Whose value it is, and who has the rest of `sum` (none if negative).
    struct View {
        std::uint32_t role = 0;
        std::int32_t opponent = -1;
        double sum = 100;
        bool checks_sum = false;   // stop when states are over with another sum
    };

    AlphaBeta(const Simulator& simulator, const evaluation::Evaluation* evaluation, Settings settings, TranspositionTable& table, View view)
        : Tree(simulator, evaluation, std::move(settings), table), view_(view) {}

    // Requires: the root is not over.
    bool start(const Bits* state, const Bits* legal, const Watch& watch);

    // A search to this depth. If it stopped in the middle (has_stopped), the answer is the best of the moves that
    // were searched, of which there may be none (searched_moves).
    Answer search(std::uint32_t depth);

    std::size_t searched_moves() const { return searched_; }
    const std::vector<RootMove>& root_moves() const { return root_; }
    bool is_sum_refuted() const { return is_sum_refuted_; }
    // Whether both choose at once at the root, and an equilibrium says how to mix.
    bool is_mixed() const { return is_mixed_; }

private:
    enum class Kind { kMost, kLeast, kMean };

    Answer inside(std::size_t level, std::uint32_t number, double depth, double alpha, double beta);
    Answer choose(std::size_t level, const SuccessorRange& range, std::uint32_t chooser, std::uint32_t offset, double below, double alpha,
                  double beta, std::uint32_t hint);
    bool is_simultaneous(std::size_t level, const SuccessorRange& range);
    Answer mix(std::size_t level, const SuccessorRange& range, double depth);
    Answer visit(std::size_t level, std::uint32_t number, double depth, double alpha, double beta, std::span<const Ranked> others,
                 std::uint32_t offset);
    bool put_proof_first(std::size_t level, Kind kind, std::uint32_t offset, double alpha, double beta, std::span<Ranked> choices);
    void rank_frontier(std::size_t level, Kind kind, std::uint32_t offset, std::span<Ranked> choices);
    void rank(std::size_t level, const Chooser& chooser, Kind kind, bool is_last, std::uint32_t offset, std::uint32_t hint,
              std::span<Ranked> choices);
    bool is_proved(const Entry* entry, double alpha, double beta, Answer& answer) const;
    bool is_known(const Entry* entry, double depth, double alpha, double beta, Answer& answer) const;
    Answer over(const SuccessorBatch& batch, std::uint32_t number);
    double estimate(const SuccessorBatch& batch, std::uint32_t number) const;
    void note_root(std::uint32_t position, const Answer& answer, bool is_exact);

    View view_;
    std::vector<RootMove> root_;
    std::vector<double> root_luck_;
    std::uint32_t root_hint_ = kNone, iteration_ = 0;
    std::size_t searched_ = 0;
    Answer best_so_far_;
    bool is_sum_refuted_ = false, is_mixed_ = false;
};

}  // namespace ludorum::minimax
