// key_table.h: what is found by its key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ludorum::mcts {

// A table with linear probing, at most two thirds full. Entries with one key are all kept; `matches` tells them apart.
template <class Entry> class KeyTable {
public:
    template <class Matches> const Entry* find(std::uint64_t key, Matches matches) const {
        if (entries_.empty()) return nullptr;
        for (std::size_t i = key & mask();; i = (i + 1) & mask()) {
            if (!entries_[i].is_used()) return nullptr;
            if (entries_[i].key() == key && matches(entries_[i])) return &entries_[i];
        }
    }

    void prefetch(std::uint64_t key) const {
        if (!entries_.empty()) __builtin_prefetch(&entries_[key & mask()]);
    }

    void add(const Entry& entry) {
        if (3 * (size_ + 1) > 2 * entries_.size()) grow();
        put(entry);
        ++size_;
    }

    // Those that were behind it move up, so that nothing marks where it was.
    // In the literature: deletion with linear probing (Knuth, The Art of Computer Programming 3, algorithm 6.4 R).
    template <class Matches> bool erase(std::uint64_t key, Matches matches) {
        if (entries_.empty()) return false;
        for (std::size_t i = key & mask(); entries_[i].is_used(); i = (i + 1) & mask())
            if (entries_[i].key() == key && matches(entries_[i])) {
                erase_at(i);
                return true;
            }
        return false;
    }

    // Erases what is to go of the slots from `begin` to before `end`. What is found in a slot was behind it, so all of a
    // table is seen as long as it does not grow.
    template <class Goes> void erase_if(std::size_t begin, std::size_t end, Goes goes) {
        for (std::size_t i = begin; i < end; ++i)
            while (entries_[i].is_used() && goes(entries_[i])) erase_at(i);
    }

    std::size_t slots() const { return entries_.size(); }

    std::size_t bytes() const { return entries_.size() * sizeof(Entry); }

private:
    std::size_t mask() const { return entries_.size() - 1; }

    void put(const Entry& entry) {
        std::size_t i = entry.key() & mask();
        while (entries_[i].is_used()) i = (i + 1) & mask();
        entries_[i] = entry;
    }

    void erase_at(std::size_t hole) {
        for (std::size_t i = (hole + 1) & mask(); entries_[i].is_used(); i = (i + 1) & mask()) {
            // It may move to the hole if that is not before its own slot.
            const std::size_t home = entries_[i].key() & mask();
            if (((i - home) & mask()) < ((i - hole) & mask())) continue;
            entries_[hole] = entries_[i];
            hole = i;
        }
        entries_[hole] = {};
        --size_;
    }

    void grow() {
        std::vector<Entry> old(entries_.empty() ? 64 : 2 * entries_.size());
        old.swap(entries_);
        for (const Entry& entry : old)
            if (entry.is_used()) put(entry);
    }

    std::vector<Entry> entries_;
    std::size_t size_ = 0;
};

}  // namespace ludorum::mcts
