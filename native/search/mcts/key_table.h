// key_table.h: what is found by its key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ludorum::mcts {

// A table without removal, at most two thirds full. Entries with one key are all kept; `matches` tells them apart.
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

    template <class Visit> void each(Visit visit) const {
        for (const Entry& entry : entries_)
            if (entry.is_used()) visit(entry);
    }

    std::size_t bytes() const { return entries_.size() * sizeof(Entry); }

private:
    std::size_t mask() const { return entries_.size() - 1; }

    void put(const Entry& entry) {
        std::size_t i = entry.key() & mask();
        while (entries_[i].is_used()) i = (i + 1) & mask();
        entries_[i] = entry;
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
