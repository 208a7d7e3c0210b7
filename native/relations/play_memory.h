// play_memory.h: states that random matches met with, what is known of them and where their moves lead.
//
// Matches of small games go through the same states again and again: then
// nothing has to be computed. Where they do not, remembering costs more than it
// saves, and it ends after a trial.
//
// Threads: belongs to one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "relations/terms.h"
#include "relations/tuple_table.h"

namespace ludorum::relations {

class PlayMemory {
public:
    struct Node {
        std::vector<std::uint32_t> facts;                // sorted
        std::vector<std::vector<TermId>> legal;          // by role, in the order of their hashes
        std::vector<std::uint32_t> successors;           // by joint move, the last role fastest; empty if there are too many
        std::vector<std::int16_t> goals;                 // empty while nobody has asked
        bool is_known = false, is_terminal = false;
    };

    // Joint moves of a state whose successors are remembered, at most.
    static constexpr std::size_t kMostSuccessors = 256;

    bool is_on() const { return is_on_; }
    void turn_on() { is_on_ = !is_useless_; }
    void turn_off() { is_on_ = false; }
    Node& at(std::uint32_t number) { return nodes_[number]; }

    // A state's number, a new one if there is room for it, else kNone.
    std::uint32_t number(const std::vector<std::uint32_t>& facts) {
        sorted_.assign(facts.begin(), facts.end());
        std::sort(sorted_.begin(), sorted_.end());
        std::uint64_t hash = 0;
        for (std::uint32_t fact : sorted_) hash = (hash ^ fact) * 0x9E3779B97F4A7C15ull;
        if (slots_.empty()) slots_.assign(2 * kMostNodes, 0);
        for (std::size_t at = hash >> (64 - kSlotBits);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at] == 0) {
                if (nodes_.size() == kMostNodes) return kNone;
                nodes_.emplace_back().facts = sorted_;
                slots_[at] = static_cast<std::uint32_t>(nodes_.size());
                return slots_[at] - 1;
            }
            if (nodes_[slots_[at] - 1].facts == sorted_) return slots_[at] - 1;
        }
    }

    // Counts a turn. Gives up, and forgets everything, if this one was not known and too few were; says whether it goes on.
    bool count(bool is_found) {
        ++turns_;
        found_ += is_found;
        if (is_found || turns_ < kTrial) return true;
        if (found_ < turns_ / 4) {
            is_useless_ = true;
            clear();
        }
        turns_ = found_ = 0;
        return !is_useless_;
    }

    void clear() {
        nodes_ = {};
        slots_ = {};
    }

private:
    static constexpr std::uint32_t kSlotBits = 16;
    static constexpr std::size_t kMostNodes = std::size_t{1} << (kSlotBits - 1);
    static constexpr std::uint32_t kTrial = 1 << 14;

    bool is_on_ = false, is_useless_ = false;
    std::uint32_t turns_ = 0, found_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> slots_, sorted_;  // a slot holds a number + 1, 0 if it is free
};

}  // namespace ludorum::relations
