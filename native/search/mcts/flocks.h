// flocks.h: walks that are at the same node, so that it is asked for once for
// all of them, and nobody else's turn comes in between.
//
// Walks set out together from the root and part where they choose otherwise.
// All flocks make a step before any makes the next, so that the memory of a
// node is on its way while others are looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "tree.h"

namespace ludorum::mcts {

class Flocks {
public:
    // Takes walks 0 to count - 1 from the root on. `go(walk, node)` says where a walk is next, or null where it
    // ends; `enters(node)` whether a node is to be looked at at all.
    template <class Enters, class Go> void run(Node* root, std::uint32_t count, Enters enters, Go go) {
        if (count == 0) return;
        next_.resize(count);
        for (std::uint32_t walk = 0; walk < count; ++walk) next_[walk] = walk + 1;
        here_.assign(1, {root, 0, count - 1});
        while (!here_.empty()) {
            there_.clear();
            for (const Flock& flock : here_) {
                if (!enters(*flock.node)) continue;
                const std::size_t first = there_.size();
                for (std::uint32_t walk = flock.first;;) {
                    const std::uint32_t next = next_[walk];
                    if (Node* node = go(walk, *flock.node)) add(first, node, walk);
                    if (walk == flock.last) break;
                    walk = next;
                }
            }
            here_.swap(there_);
        }
    }

private:
    struct Flock {
        Node* node;
        std::uint32_t first, last;  // walks, each of which knows the next
    };

    // Only what comes of one flock is gathered again: those who meet by other ways are few.
    void add(std::size_t first, Node* node, std::uint32_t walk) {
        for (std::size_t i = first; i < there_.size(); ++i)
            if (there_[i].node == node) {
                next_[there_[i].last] = walk;
                there_[i].last = walk;
                return;
            }
        prefetch(node);
        there_.push_back({node, walk, walk});
    }

    std::vector<Flock> here_, there_;
    std::vector<std::uint32_t> next_;
};

}  // namespace ludorum::mcts
