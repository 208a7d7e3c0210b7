// search.h: Monte-Carlo tree search over the batch engine.
//
// In every thread a round selects leaves until enough are in flight, finds
// their states in one sweep, begins their playouts, plays on until some have
// ended, and backs those up. The threads share the tree.
//
// With a fixed number of playouts, one thread and a fixed number of leaves in
// flight the result depends on the seed alone.
//
// In the literature: UCT (Kocsis and Szepesvári 2006) with leaf playouts in batches; virtual loss (Chaslot, Winands and van den Herik 2008).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "evaluation/evaluation.h"
#include "search/mcts/options.h"
#include "search/mcts/policy.h"
#include "search/mcts/sufficiency.h"
#include "search/mcts/tree.h"

namespace ludorum::mcts {

// What is known of a move of the root.
struct MoveReport {
    std::uint32_t role, move;
    std::uint32_t visits;
    float mean;       // of the role's goal, from 0 to 1
    float low, high;  // what is proved of it, whatever the others do
};

struct Report {
    std::vector<MoveReport> moves;            // of the roles that have a choice at the root
    std::vector<std::uint32_t> variation;     // joint moves that are expected, as move numbers
    std::vector<float> values;                // a role: the mean of its goal over the visits of the root,
    std::vector<float> low, high;             // and what is proved
    std::uint64_t visits = 0;                 // of the root, in this search and before
    std::uint64_t playouts = 0;               // since the search was made
    std::uint64_t steps = 0;                  // that the games of the playouts made,
    std::uint64_t lane_steps = 0;             // and that the lanes had room for
    std::uint64_t nodes = 0;
    std::uint64_t memory = 0;                 // bytes
    std::uint32_t deepest = 0;                // the longest path of all
    bool is_solved = false;                   // nothing is left to find out about the choice at the root
};

class Worker;

class TreeSearch {
public:
    // Requires: the simulator outlives it. Throws std::invalid_argument if the options ask for an evaluation and there is
    // none.
    TreeSearch(const Simulator& simulator, const Options& options, std::shared_ptr<const evaluation::Evaluation> evaluation = nullptr);
    ~TreeSearch();

    const Shape& shape() const { return simulator_.shape(); }

    // Where to search from. What is known of the state and of what comes after it is kept, the rest dropped when
    // memory is short. `moves_made` says that the game went on, so that older statistics of moves count for less.
    // Throws std::invalid_argument for a state that is terminal or where a role has no legal move. Not while it thinks.
    void set_root(const Bits* state, bool moves_made);

    // Thinks until so many playouts were made, so many seconds have passed, the root is solved, or `stop` is not 0.
    void think(std::uint64_t playouts, double seconds, const std::atomic<std::int32_t>& stop);

    // Thinks in threads of its own until it is told to halt, or the root is solved, or memory is full.
    void begin();
    void halt();

    // Does not wait for it. May be called at any time, by any thread, as may the question whether it thinks.
    void tell_to_halt() noexcept { halt_ = 1; }
    bool is_thinking() const;

    // May be asked at any time, by any thread.
    Report report() const;

private:
    friend class Worker;

    bool is_decided() const;
    std::uint32_t best_known_image(const Bits* state) const;
    Report make_report() const;
    void answer_readers() const;
    std::uint32_t prior(const Node& node, std::size_t role) const;
    std::vector<std::uint32_t> variation() const;
    // The move of the state itself, where the root is an image of it.
    std::uint32_t own_move(std::size_t role, std::uint32_t move) const;

    const Simulator& simulator_;
    const Options options_;
    const std::shared_ptr<const evaluation::Evaluation> evaluation_;
    Tree tree_;
    Statistics statistics_;
    SufficiencyModel sufficiency_;
    Node* root_ = nullptr;
    std::uint32_t root_element_ = 0;  // the symmetry that makes the root of the state that was asked about
    std::vector<std::uint32_t> first_of_role_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<std::uint64_t> playouts_{0};
    std::atomic<std::uint64_t> steps_{0}, lane_steps_{0};
    std::atomic<std::uint32_t> deepest_{0};

    std::thread background_;
    std::atomic<std::int32_t> halt_{0};

    // A reader waits until a thread that searches is between two rounds.
    mutable std::mutex report_mutex_;
    mutable std::condition_variable reported_;
    mutable Report report_;
    mutable std::uint64_t asked_ = 0, answered_ = 0;
    mutable std::atomic<bool> is_asked_{false};
    bool is_thinking_ = false;
};

}  // namespace ludorum::mcts
