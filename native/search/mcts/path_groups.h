// path_groups.h: paths that are at the same node, so that it is asked for once for
// all of them, and nobody else's turn comes in between.
//
// Paths set out together from the root and part where they choose otherwise.
// All groups make a step before any makes the next, so that the memory of a
// node is on its way while others are looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "search/mcts/tree.h"

namespace ludorum::mcts {

struct PathGroup {
    Node* node;
    std::uint32_t first, last;  // paths, each of which knows the next
    std::uint32_t count;        // of them

    bool is_alone() const { return count == 1; }
};

class PathGroups {
public:
    // Takes paths 0 to count - 1 from the root on. The visitor is asked, in this order on every level:
    //     look(group)  of every group; says whether nothing more is to be done with it
    //     pass(group)  its paths take a step each, and those that go on are sent
    template <class Visitor> void run(Node* root, std::uint32_t count, Visitor& visitor) {
        if (count == 0) return;
        next_.resize(count);
        for (std::uint32_t path = 0; path < count; ++path) next_[path] = path + 1;
        here_.assign(1, {root, 0, count - 1, count});
        while (!here_.empty()) {
            there_.clear();
            for (PathGroup& group : here_)
                if (visitor.look(group)) group.node = nullptr;
            for (const PathGroup& group : here_) {
                if (!group.node) continue;
                parted_ = there_.size();
                visitor.pass(group);
            }
            here_.swap(there_);
        }
    }

    // Its paths, in their order. A path may be sent on by the visit.
    template <class Visit> void each(const PathGroup& group, Visit visit) const {
        std::uint32_t path = group.first;
        for (std::uint32_t left = group.count; left > 0; --left) {
            const std::uint32_t next = next_[path];
            visit(path);
            path = next;
        }
    }

    // Sends a path of the group that passes on to a node. Says with which group of the next level it is, and whether it is
    // the first there. Only what comes of one group is gathered again: those who meet by other ways are few.
    struct Sent {
        std::size_t group;
        bool is_first;
    };
    Sent send(std::uint32_t path, Node* node) {
        for (std::size_t i = parted_; i < there_.size(); ++i)
            if (there_[i].node == node) {
                send_along(path, i);
                return {i, false};
            }
        there_.push_back({node, path, path, 1});
        return {there_.size() - 1, true};
    }
    void send_along(std::uint32_t path, std::size_t group) {
        PathGroup& there = there_[group];
        next_[there.last] = path;
        there.last = path;
        ++there.count;
    }

private:
    std::vector<PathGroup> here_, there_;
    std::size_t parted_ = 0;  // where those begin that come of the group that passes
    std::vector<std::uint32_t> next_;
};

}  // namespace ludorum::mcts
