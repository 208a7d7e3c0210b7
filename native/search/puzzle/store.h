// store.h: the states that a search has seen, each once, and how it came to them.
//
// Rows are kept one after the other and never move. The table of what is there
// holds their numbers, and compares whole rows: a mistake would lose a
// solution or, worse, prove that there is none.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/simulator.h"

namespace ludorum::puzzle {

using Node = std::uint32_t;
constexpr Node kNoNode = 0xFFFFFFFF;

class Store {
public:
    // So many words a row, and about so many bytes altogether; room for some thousand rows there is in any case.
    Store(std::size_t words, std::size_t memory);
    Store(const Store&) = delete;

    struct Place {
        Node node;    // kNoNode if there was no more room
        bool is_new;
    };

    // Where this row is; if it is new, it was reached from `parent` in so many steps.
    Place find_or_add(const Bits* row, Node parent, std::uint32_t steps);

    Node size() const { return size_; }
    const Bits* row(Node node) const { return chunks_[node / kChunk].rows.get() + (node % kChunk) * words_; }
    Node parent(Node node) const { return chunks_[node / kChunk].parents[node % kChunk]; }
    std::uint32_t steps(Node node) const { return chunks_[node / kChunk].steps[node % kChunk]; }

    // A shorter way to a state was found.
    void reparent(Node node, Node parent, std::uint32_t steps) {
        chunks_[node / kChunk].parents[node % kChunk] = parent;
        chunks_[node / kChunk].steps[node % kChunk] = steps;
    }

    // From the first state to this one, both included.
    std::vector<Node> way_to(Node node) const;

private:
    static constexpr Node kChunk = 1 << 14;

    struct Chunk {
        std::unique_ptr<Bits[]> rows;
        std::unique_ptr<Node[]> parents;
        std::unique_ptr<std::uint32_t[]> steps;
    };

    std::uint64_t hash(const Bits* row) const;
    void grow();

    std::size_t words_, memory_;
    Node size_ = 0;
    std::vector<Chunk> chunks_;
    std::vector<Node> table_;  // a power of two; the number of a node plus one, or 0
};

}  // namespace ludorum::puzzle
