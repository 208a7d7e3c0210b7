// transposition_table.h: what was found out about states, in a bounded amount of memory.
//
// The table starts small and doubles while it is half full, up to its bound,
// so that a short search touches little memory.
//
// An entry keeps the whole state, because what is proved must not rest on two
// states never sharing a key. Four entries share a place; of these the one of
// the oldest search and the smallest depth gives way. The four keys come first
// in it, in one line of the cache, because most states that are looked for are
// not there.
//
// In the literature: transposition tables (Greenblatt, Eastlake and Crocker 1967), replacement by age and depth in buckets
// (Breuker, Uiterwijk and van den Herik 1994).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/simulator.h"

namespace ludorum::minimax {

enum class Bound : std::uint8_t { kExact, kLower, kUpper };

struct Entry {
    double value;         // found by a search to this depth: exactly, at least or at most
    double depth;
    double lower, upper;  // what is proved
    std::uint32_t best;  // the number of a successor, of the state that is kept
    Bound bound;
    std::uint8_t age;    // 0: free
    std::uint8_t element;  // the symmetry that made the state that is kept of the one that was searched
    std::uint8_t effort;   // the logarithm of the number of states that were visited for it
};

class TranspositionTable {
public:
    // `extra` numbers are kept with every entry. A table of less than one place keeps nothing.
    TranspositionTable(std::size_t most_bytes, std::size_t state_words, std::size_t extra);

    void start_search() { age_ = age_ == 255 ? 1 : age_ + 1; }

    // The entry of this state, or null. Good until the next put().
    const Entry* find(std::uint64_t key, const Bits* state) const;
    const double* extra(const Entry* entry) const { return reinterpret_cast<const double*>(reinterpret_cast<const char*>(entry) + extra_at_); }

    // Writes what is given, with this search's age, in place of what is known of the state or of something else.
    void put(std::uint64_t key, Entry entry, const Bits* state, const double* extra);

    // Asks for the memory of an entry before it is looked for.
    void prefetch(std::uint64_t key) const {
        if (places_ == 0) return;
        __builtin_prefetch(place(key));
    }
    std::size_t bytes() const { return places_ * place_; }

private:
    static constexpr std::size_t kEntries = 4, kLine = 64;

    char* place(std::uint64_t key) const { return first_ + (key & (places_ - 1)) * place_; }
    static std::uint64_t* keys(char* place) { return reinterpret_cast<std::uint64_t*>(place); }
    Entry* entry(char* place, std::size_t number) const {
        return reinterpret_cast<Entry*>(place + kEntries * sizeof(std::uint64_t) + number * stride_);
    }
    // The number of the state's entry in the place, or kEntries.
    std::size_t find(char* place, std::uint64_t key, const Bits* state) const;

    void grow();
    void take_memory();

    struct Free { void operator()(char* memory) const; };
    using Memory = std::unique_ptr<char, Free>;
    static Memory zeroed(std::size_t bytes);

    std::size_t words_, extras_, extra_at_;
    std::size_t stride_, place_;  // bytes of an entry and of a place
    std::size_t places_ = 0, most_places_ = 0, used_ = 0;
    std::uint8_t age_ = 1;
    Memory memory_;
    char* first_ = nullptr;  // place, at the beginning of a line
};

}  // namespace ludorum::minimax
