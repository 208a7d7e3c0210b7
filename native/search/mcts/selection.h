// selection.h: from the root to a leaf, by the moves that promise most or are
// known least.
//
// Every role chooses for itself, by its own statistics; where several choose at
// the same time none knows what the others do (decoupled selection).
//
// In the literature: UCT with a transposition graph (Childs, Brodeur and Kocsis 2008); decoupled UCT for simultaneous moves
// (Finnsson and Björnsson 2008).
#pragma once

#include <optional>
#include <span>

#include "search/mcts/path_groups.h"
#include "search/mcts/policy.h"
#include "search/mcts/selected_path.h"
#include "search/mcts/sufficiency.h"
#include "search/mcts/tree.h"
#include "search/mcts/ucb_scores.h"
#include "support/random.h"

namespace ludorum::mcts {

class Selection {
public:
    // `thread` is the number of the thread that selects. Requires: all three outlive it.
    Selection(Tree& tree, const Statistics& statistics, const SufficiencyModel& sufficiency, std::uint32_t thread);

    // Paths from the root until a move has no node yet, or to a node that is solved, and counts the leaf as pending
    // everywhere on the way. An end is to get a node if its move is tried for the time `expand_at`. Requires: the root is
    // not solved and has a legal move for every role.
    void select(Node* root, std::uint32_t expand_at, Random& random, std::span<SelectedPath* const> paths);

    // Whether moves that came later in playouts count in this path.
    bool uses_rave(Node& root) const;

private:
    struct Round;

    bool is_plain(const Node& node) const;
    bool selects_as_group(const PathGroup& group) const;
    Values thread_exploration_scale(const PathGroup& group) const;
    void select_group(const PathGroup& group, std::uint32_t expand_at, std::span<SelectedPath* const> paths);
    std::size_t send(std::uint32_t path, Node& node);
    std::uint32_t pick(Node& node, std::uint32_t visits, bool has_rave, Random& random, const SelectedPath& path) const;
    Node* step(Node& node, std::uint32_t picked, bool has_rave, std::uint32_t expand_at, Random& random, SelectedPath& path) const;
    Node* step_jointly(Node& node, std::uint32_t visits, bool has_rave, Random& random, SelectedPath& path) const;
    std::uint32_t choose(Node& node, std::uint32_t visits, std::size_t role, bool has_rave, const SelectedPath& path, Random& random) const;
    std::optional<std::uint32_t> untried(const Node& node, std::size_t role, const SelectedPath& path, Random& random) const;

    Tree& tree_;
    const Statistics& statistics_;
    const SufficiencyModel& sufficiency_;
    const std::uint32_t thread_;
    const float exploration_;
    const bool is_plain_;  // nothing but score and exploration decides
    PathGroups groups_;
    std::vector<std::uint32_t> picked_;  // by path: the edge that was picked beforehand, or kNone
    // Where paths of a group go.
    struct Way {
        Step step;
        Node* end;
        std::uint32_t visits;  // of the edge, those of the paths so far included
        std::size_t group;     // with which they go on, or kNowhere
    };
    static constexpr std::size_t kNowhere = ~std::size_t{0};
    UcbScores scores_;
    std::vector<UcbScores::Taken> runs_;
    std::vector<Way> ways_;  // by edge
};

}  // namespace ludorum::mcts
