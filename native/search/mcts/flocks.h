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

struct Flock {
    Node* node;
    std::uint32_t first, last;  // walks, each of which knows the next
    std::uint32_t count;        // of them

    bool is_alone() const { return count == 1; }
};

class Flocks {
public:
    // Takes walks 0 to count - 1 from the root on. The visitor is asked, in this order on every level:
    //     look(flock)  of every flock; says whether nothing more is to be done with it
    //     pass(flock)  its walks take a step each, and those that go on are sent
    template <class Visitor> void run(Node* root, std::uint32_t count, Visitor& visitor) {
        if (count == 0) return;
        next_.resize(count);
        for (std::uint32_t walk = 0; walk < count; ++walk) next_[walk] = walk + 1;
        here_.assign(1, {root, 0, count - 1, count});
        while (!here_.empty()) {
            there_.clear();
            for (Flock& flock : here_)
                if (visitor.look(flock)) flock.node = nullptr;
            for (const Flock& flock : here_) {
                if (!flock.node) continue;
                parted_ = there_.size();
                visitor.pass(flock);
            }
            here_.swap(there_);
        }
    }

    // Its walks, in their order. A walk may be sent on by the visit.
    template <class Visit> void each(const Flock& flock, Visit visit) const {
        std::uint32_t walk = flock.first;
        for (std::uint32_t left = flock.count; left > 0; --left) {
            const std::uint32_t next = next_[walk];
            visit(walk);
            walk = next;
        }
    }

    // Sends a walk of the flock that passes on to a node. Says with which flock of the next level it is, and whether it is
    // the first there. Only what comes of one flock is gathered again: those who meet by other ways are few.
    struct Sent {
        std::size_t flock;
        bool is_first;
    };
    Sent send(std::uint32_t walk, Node* node) {
        for (std::size_t i = parted_; i < there_.size(); ++i)
            if (there_[i].node == node) {
                send_along(walk, i);
                return {i, false};
            }
        there_.push_back({node, walk, walk, 1});
        return {there_.size() - 1, true};
    }
    void send_along(std::uint32_t walk, std::size_t flock) {
        Flock& there = there_[flock];
        next_[there.last] = walk;
        there.last = walk;
        ++there.count;
    }

private:
    std::vector<Flock> here_, there_;
    std::size_t parted_ = 0;  // where those begin that come of the flock that passes
    std::vector<std::uint32_t> next_;
};

}  // namespace ludorum::mcts
