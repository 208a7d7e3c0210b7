// selection.h: from the root to a leaf, by the moves that promise most or are
// known least.
//
// Every role chooses for itself, by its own statistics; where several choose at
// the same time none knows what the others do (decoupled selection).
#pragma once

#include <optional>
#include <span>

#include "bids.h"
#include "flocks.h"
#include "policy.h"
#include "random.h"
#include "sufficiency.h"
#include "tree.h"
#include "walk.h"

namespace ludorum::mcts {

class Selection {
public:
    // `thread` is the number of the thread that walks. Requires: all three outlive it.
    Selection(Tree& tree, const Statistics& statistics, const SufficiencyModel& sufficiency, std::uint32_t thread);

    // Walks from the root until a move has no node yet, or to a node that is solved, and counts the leaf as pending
    // everywhere on the way. An end is to get a node if its move is tried for the time `expand_at`. Requires: the root is
    // not solved and has a legal move for every role.
    void walk(Node* root, std::uint32_t expand_at, Random& random, std::span<Walk* const> walks);

    // Whether moves that came later in playouts count in this walk.
    bool uses_rave(Node& root) const;

private:
    struct Round;

    bool is_plain(const Node& node) const;
    bool chooses_together(const Flock& flock) const;
    Values zeal(const Flock& flock) const;
    void share_out(const Flock& flock, std::uint32_t expand_at, std::span<Walk* const> walks);
    std::size_t send(std::uint32_t walk, Node& node);
    std::uint32_t pick(Node& node, std::uint32_t walks, bool has_rave, Random& random, const Walk& walk) const;
    Node* step(Node& node, std::uint32_t picked, bool has_rave, std::uint32_t expand_at, Random& random, Walk& walk) const;
    Node* step_together(Node& node, std::uint32_t walks, bool has_rave, Random& random, Walk& walk) const;
    std::uint32_t choose(Node& node, std::uint32_t walks, std::size_t role, bool has_rave, const Walk& walk, Random& random) const;
    std::optional<std::uint32_t> untried(const Node& node, std::size_t role, const Walk& walk, Random& random) const;

    Tree& tree_;
    const Statistics& statistics_;
    const SufficiencyModel& sufficiency_;
    const std::uint32_t thread_;
    const float exploration_;
    const bool is_plain_;  // nothing but score and exploration decides
    Flocks flocks_;
    std::vector<std::uint32_t> picked_;  // by walk: the edge that was picked beforehand, or kNone
    // Where walks of a flock go.
    struct Way {
        Step step;
        Node* end;
        std::uint32_t visits;  // of the edge, those of the walks so far included
        std::size_t flock;     // with which they go on, or kNowhere
    };
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    Bids bids_;
    std::vector<Bids::Taken> runs_;
    std::vector<Way> ways_;  // by edge
};

}  // namespace ludorum::mcts
