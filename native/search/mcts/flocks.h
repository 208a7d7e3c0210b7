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
    // Takes walks 0 to count - 1 from the root on. The visitor is asked, in this order on every level:
    //     look(walk, is_alone, node)  of every flock, by its first walk; says whether nothing more is to be done with it
    //     enters(node)        whether a node is to be looked at at all
    //     go(walk, node)      where a walk is next, or null where it ends
    //     approach(walk, node)  a node is next, and this walk is the first that goes there
    //     leave(node)         all walks of a flock have gone on
    template <class Visitor> void run(Node* root, std::uint32_t count, Visitor& visitor) {
        if (count == 0) return;
        next_.resize(count);
        for (std::uint32_t walk = 0; walk < count; ++walk) next_[walk] = walk + 1;
        here_.assign(1, {root, 0, count - 1});
        while (!here_.empty()) {
            there_.clear();
            for (Flock& flock : here_)
                if (visitor.look(flock.first, flock.first == flock.last, *flock.node)) flock.node = nullptr;
            for (const Flock& flock : here_) {
                if (!flock.node || !visitor.enters(*flock.node)) continue;
                const std::size_t first = there_.size();
                for (std::uint32_t walk = flock.first;;) {
                    const std::uint32_t next = next_[walk];
                    if (Node* node = visitor.go(walk, *flock.node); node && add(first, node, walk)) visitor.approach(walk, *node);
                    if (walk == flock.last) break;
                    walk = next;
                }
                visitor.leave(*flock.node);
            }
            here_.swap(there_);
        }
    }

private:
    struct Flock {
        Node* node;
        std::uint32_t first, last;  // walks, each of which knows the next
    };

    // Says whether the walk is the first of a flock. Only what comes of one flock is gathered again: those who meet by
    // other ways are few.
    bool add(std::size_t first, Node* node, std::uint32_t walk) {
        for (std::size_t i = first; i < there_.size(); ++i)
            if (there_[i].node == node) {
                next_[there_[i].last] = walk;
                there_[i].last = walk;
                return false;
            }
        there_.push_back({node, walk, walk});
        return true;
    }

    std::vector<Flock> here_, there_;
    std::vector<std::uint32_t> next_;
};

}  // namespace ludorum::mcts
