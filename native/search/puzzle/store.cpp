#include "search/puzzle/store.h"

#include <algorithm>

namespace ludorum::puzzle {

Store::Store(std::size_t words, std::size_t memory) : words_(words), memory_(memory), table_(1 << 10, 0) {}

std::uint64_t Store::hash(const Bits* row) const {
    std::uint64_t mixed = 0x9E3779B97F4A7C15ull;
    for (std::size_t word = 0; word < words_; ++word) {
        mixed = (mixed ^ row[word]) * 0xBF58476D1CE4E5B9ull;
        mixed ^= mixed >> 29;
    }
    return (mixed * 0x94D049BB133111EBull) >> 16;
}

Store::Place Store::find_or_add(const Bits* row, Node parent, std::uint32_t steps) {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = hash(row) & mask;
    for (; table_[slot] != 0; slot = (slot + 1) & mask)
        if (std::equal(row, row + words_, this->row(table_[slot] - 1))) return {table_[slot] - 1, false};
    if (size_ % kChunk == 0) {
        const std::size_t bytes = kChunk * (words_ * sizeof(Bits) + sizeof(Node) + sizeof(std::uint32_t));
        const bool is_over = (chunks_.size() + 1) * bytes + table_.size() * sizeof(Node) > memory_;
        // The first chunk always: a search has to keep the state where it starts.
        if (!chunks_.empty() && (is_over || size_ == kNoNode - kChunk + 1)) return {kNoNode, false};
        chunks_.push_back({std::make_unique_for_overwrite<Bits[]>(kChunk * words_), std::make_unique_for_overwrite<Node[]>(kChunk),
                           std::make_unique_for_overwrite<std::uint32_t[]>(kChunk)});
    }
    const Node node = size_++;
    std::copy(row, row + words_, chunks_.back().rows.get() + (node % kChunk) * words_);
    reparent(node, parent, steps);
    table_[slot] = node + 1;
    if (size_ > table_.size() / 8 * 5) grow();
    return {node, true};
}

void Store::grow() {
    std::vector<Node> larger(table_.size() * 2, 0);
    const std::size_t mask = larger.size() - 1;
    for (Node node = 0; node < size_; ++node) {
        std::size_t slot = hash(row(node)) & mask;
        while (larger[slot] != 0) slot = (slot + 1) & mask;
        larger[slot] = node + 1;
    }
    table_ = std::move(larger);
}

std::vector<Node> Store::way_to(Node node) const {
    std::vector<Node> way;
    for (; node != kNoNode; node = parent(node)) way.push_back(node);
    std::reverse(way.begin(), way.end());
    return way;
}

}  // namespace ludorum::puzzle
