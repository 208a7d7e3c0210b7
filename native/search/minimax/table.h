// table.h: what was found out about states, in a bounded amount of memory.
//
// The table starts small and doubles while it is half full, up to its bound,
// so that a short search touches little memory.
//
// An entry keeps the whole state beside its key, because what is proved must
// not rest on two states never sharing a key. Four entries share a place; of
// these the one of the oldest search and the smallest depth gives way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "simulator.h"

namespace ludorum::minimax {

enum class Bound : std::uint8_t { kExact, kLower, kUpper };

struct Entry {
    std::uint64_t key;
    float value;         // found by a search to this depth: exactly, at least or at most
    float depth;
    float lower, upper;  // what is proved
    std::uint32_t best;  // the number of a successor, of the state that is kept
    Bound bound;
    std::uint8_t age;    // 0: free
    std::uint8_t element;  // the symmetry that made the state that is kept of the one that was searched
    std::uint8_t effort;   // the logarithm of the number of states that were visited for it
};

class Table {
public:
    // `extra` numbers are kept with every entry. A table of less than one place keeps nothing.
    Table(std::size_t most_bytes, std::size_t state_words, std::size_t extra);

    void start_search() { age_ = age_ == 255 ? 1 : age_ + 1; }

    // The entry of this state, or null. Good until the next put().
    const Entry* find(std::uint64_t key, const Bits* state) const;
    const float* extra(const Entry* entry) const { return reinterpret_cast<const float*>(reinterpret_cast<const char*>(entry) + extra_at_); }

    // Writes what is given, with this search's age, in place of what is known of the state or of something else.
    void put(Entry entry, const Bits* state, const float* extra);

    // Asks for the memory of an entry before it is looked for.
    void prefetch(std::uint64_t key) const {
        if (places_ == 0) return;
        const char* begin = place(key);
        for (std::size_t byte = 0; byte < kEntries * stride_; byte += 64) __builtin_prefetch(begin + byte);
    }
    std::size_t bytes() const { return places_ * kEntries * stride_; }

private:
    static constexpr std::size_t kEntries = 4;

    char* place(std::uint64_t key) const { return memory_.get() + (key & (places_ - 1)) * kEntries * stride_; }
    bool is_of(const Entry* entry, std::uint64_t key, const Bits* state) const;

    void grow();

    struct Free { void operator()(char* memory) const; };
    using Memory = std::unique_ptr<char, Free>;
    static Memory zeroed(std::size_t bytes);

    std::size_t words_, extras_, extra_at_, stride_, places_ = 0, most_places_ = 0, used_ = 0;
    std::uint8_t age_ = 1;
    Memory memory_;
};

}  // namespace ludorum::minimax
