#include "search/minimax/transposition_table.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ludorum::minimax {

void TranspositionTable::Free::operator()(char* memory) const { std::free(memory); }

TranspositionTable::Memory TranspositionTable::zeroed(std::size_t bytes) {
    Memory memory(static_cast<char*>(std::calloc(bytes + kLine, 1)));
    if (!memory) throw std::bad_alloc();
#if defined(__linux__)
    // Entries lie anywhere, so that with small pages nearly every one would miss the cache of addresses too.
    constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory.get()) + kPage - 1) / kPage * kPage;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory.get()) + bytes) / kPage * kPage;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
    return memory;
}

TranspositionTable::TranspositionTable(std::size_t most_bytes, std::size_t state_words, std::size_t extra)
    : words_(state_words),
      extras_(extra),
      extra_at_(sizeof(Entry) + 8 * state_words),
      stride_((extra_at_ + 8 * extra + 7) / 8 * 8),
      place_((kEntries * (sizeof(std::uint64_t) + stride_) + kLine - 1) / kLine * kLine) {
    for (std::size_t places = 1; places * place_ <= most_bytes; places *= 2) most_places_ = places;
    places_ = std::min<std::size_t>(most_places_, 1024);
    if (places_) take_memory();
}

void TranspositionTable::take_memory() {
    memory_ = zeroed(bytes());
    first_ = memory_.get() + (kLine - reinterpret_cast<std::uintptr_t>(memory_.get()) % kLine) % kLine;
}

// A place splits in two, so that nothing is lost.
void TranspositionTable::grow() {
    const Memory old = std::move(memory_);
    char* const first = first_;
    const std::size_t places = places_;
    places_ *= 2;
    take_memory();
    for (std::size_t i = 0; i < places; ++i) {
        char* from = first + i * place_;
        for (std::size_t number = 0; number < kEntries; ++number) {
            if (entry(from, number)->age == 0) continue;
            char* to = place(keys(from)[number]);
            std::size_t free = 0;
            while (entry(to, free)->age != 0) ++free;
            keys(to)[free] = keys(from)[number];
            std::memcpy(static_cast<void*>(entry(to, free)), entry(from, number), stride_);
        }
    }
}

std::size_t TranspositionTable::find(char* place, std::uint64_t key, const Bits* state) const {
    for (std::size_t number = 0; number < kEntries; ++number) {
        if (keys(place)[number] != key) continue;
        const Entry* found = entry(place, number);
        if (found->age != 0 && std::equal(state, state + words_, reinterpret_cast<const Bits*>(found + 1))) return number;
    }
    return kEntries;
}

const Entry* TranspositionTable::find(std::uint64_t key, const Bits* state) const {
    if (places_ == 0) return nullptr;
    char* at = place(key);
    const std::size_t number = find(at, key, state);
    return number < kEntries ? entry(at, number) : nullptr;
}

void TranspositionTable::put(std::uint64_t key, Entry entry, const Bits* state, const double* extra) {
    if (places_ == 0) return;
    const auto worth = [&](const Entry* kept) { return kept->age == 0 ? -1.0 : kept->age == age_ ? 1e6 + kept->depth : kept->depth; };
    char* at = place(key);
    std::size_t chosen = find(at, key, state);
    if (chosen == kEntries) {
        chosen = 0;
        for (std::size_t number = 1; number < kEntries; ++number)
            if (worth(this->entry(at, number)) < worth(this->entry(at, chosen))) chosen = number;
    }
    Entry* to = this->entry(at, chosen);
    const bool is_new = to->age == 0;
    if (is_new && 2 * used_ >= places_ * kEntries && places_ < most_places_) {
        grow();
        put(key, entry, state, extra);
        return;
    }
    used_ += is_new;
    entry.age = age_;
    keys(at)[chosen] = key;
    std::memcpy(static_cast<void*>(to), &entry, sizeof entry);
    char* bytes = reinterpret_cast<char*>(to);
    if (words_) std::memcpy(bytes + sizeof entry, state, 8 * words_);
    if (extras_) std::memcpy(bytes + extra_at_, extra, 8 * extras_);
}

}  // namespace ludorum::minimax
