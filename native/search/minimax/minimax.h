// minimax.h: iterative deepening over alpha-beta or max^n, whichever fits the game.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/simulator.h"
#include "evaluation/evaluation.h"
#include "search/minimax/alpha_beta.h"
#include "search/minimax/max_n.h"

namespace ludorum::minimax {

enum class Sum {
    kVaries,    // known not to be constant
    kConstant,  // known to be
    kAssumed,   // nothing speaks against it; a state that is over with another sum refutes it
};

struct Options {
    std::uint32_t role = 0;            // who asks: it chooses before the others where several have a choice
    std::int32_t chance_role = -1;
    Sum sum_is = Sum::kAssumed;
    double sum = 100;
    bool is_paranoid = false;
    bool is_nonuniform = false;
    bool uses_null_windows = true;     // in alpha-beta; else every move is searched with the whole window
    bool uses_equilibria = false;      // in alpha-beta, where both choose at once: neither knows what the other does
    std::size_t table_bytes = std::size_t{64} << 20;
    std::size_t sweep = 64;
    std::uint64_t seed = 0;            // breaks ties between root moves in alpha-beta
    std::shared_ptr<const Symmetries> symmetries;  // by which states are merged in the table; may be null
};

struct Budget {
    double seconds = 1e9;
    std::uint64_t states = ~std::uint64_t{0};
    std::uint32_t depth = 1000;
};

enum class Method { kAlphaBeta, kParanoid, kSinglePlayer, kMaxN };

struct MoveReport {
    std::uint32_t move;
    double value;              // to the role that asks; if not exact, a bound
    double lower, upper;       // proved
    bool is_exact, is_proved;
    double probability = 0;    // in the mix of an equilibrium, where there is one
};

struct Report {
    Method method = Method::kAlphaBeta;
    bool assumes_sum = false;            // alpha-beta, though that the sum of the goals is constant is not known
    std::vector<double> values, lower, upper;  // by role: estimated, and proved bounds; NaN where the method does not say
    bool is_proved = false;
    bool is_over = false;                // the state asked about is over itself
    std::uint32_t depth = 0;             // of the last iteration that ended
    std::vector<std::uint32_t> line;     // joint moves, one number a role each
    std::vector<MoveReport> moves;       // those of the role that asks, if it has a choice
    Counts counts;
    bool uses_symmetries = false;        // at the end of the search
    double seconds = 0;
};

class Minimax {
public:
    // The simulator must outlive the search; without an evaluation, whatever is not over is worth 50.
    Minimax(const Simulator& simulator, std::shared_ptr<const evaluation::Evaluation> evaluation, Options options);

    // Searches until the root is solved, deeper search would find nothing new, the budget is spent or `stop` is not 0.
    // What was found about states is kept for the next call.
    Report search(const Bits* state, const Budget& budget, const std::atomic<std::int32_t>& stop);

    // What the search that is running found so far, or what the last one found; from any thread.
    Report progress() const;

    std::size_t table_bytes() const { return table_->bytes(); }

private:
    void choose_method();
    Report search_once(const Bits* state, const Bits* legal, const Budget& budget, const Watch& watch);
    bool deepen_alpha_beta(std::uint32_t depth, const Bits* state, Report& report);
    bool deepen_max_n(std::uint32_t depth, const Bits* state, Report& report);
    void follow_line(const Bits* state, std::uint32_t child, Report& report) const;
    void publish(const Report& report);

    const Simulator& simulator_;
    std::shared_ptr<const evaluation::Evaluation> evaluation_;
    Options options_;
    Settings settings_;
    Zobrist zobrist_;
    Method method_ = Method::kAlphaBeta;
    std::unique_ptr<TranspositionTable> table_;
    std::unique_ptr<AlphaBeta> alpha_beta_;
    std::unique_ptr<MaxN> max_n_;
    mutable std::mutex mutex_;
    Report progress_;
};

}  // namespace ludorum::minimax
