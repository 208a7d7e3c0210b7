#include "search/minimax/table.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ludorum::minimax {

void Table::Free::operator()(char* memory) const { std::free(memory); }

Table::Memory Table::zeroed(std::size_t bytes) {
    Memory memory(static_cast<char*>(std::calloc(bytes, 1)));
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

Table::Table(std::size_t most_bytes, std::size_t state_words, std::size_t extra)
    : words_(state_words),
      extras_(extra),
      extra_at_(sizeof(Entry) + 8 * state_words),
      stride_((extra_at_ + 4 * extra + 7) / 8 * 8) {
    for (std::size_t places = 1; places * kEntries * stride_ <= most_bytes; places *= 2) most_places_ = places;
    places_ = std::min<std::size_t>(most_places_, 1024);
    if (places_) memory_ = zeroed(bytes());
}

// A place splits in two, so that nothing is lost.
void Table::grow() {
    const Memory old = std::move(memory_);
    const std::size_t entries = places_ * kEntries;
    places_ *= 2;
    memory_ = zeroed(bytes());
    for (std::size_t i = 0; i < entries; ++i) {
        const char* from = old.get() + i * stride_;
        const Entry* entry = reinterpret_cast<const Entry*>(from);
        if (entry->age == 0) continue;
        char* to = place(entry->key);
        while (reinterpret_cast<const Entry*>(to)->age != 0) to += stride_;
        std::memcpy(to, from, stride_);
    }
}

bool Table::is_of(const Entry* entry, std::uint64_t key, const Bits* state) const {
    return entry->age != 0 && entry->key == key && std::equal(state, state + words_, reinterpret_cast<const Bits*>(entry + 1));
}

const Entry* Table::find(std::uint64_t key, const Bits* state) const {
    if (places_ == 0) return nullptr;
    const char* at = place(key);
    for (std::size_t i = 0; i < kEntries; ++i, at += stride_) {
        const Entry* entry = reinterpret_cast<const Entry*>(at);
        if (is_of(entry, key, state)) return entry;
    }
    return nullptr;
}

void Table::put(Entry entry, const Bits* state, const float* extra) {
    if (places_ == 0) return;
    const auto worth = [&](const Entry* kept) { return kept->age == 0 ? -1.0f : kept->age == age_ ? 1e6f + kept->depth : kept->depth; };
    char* at = place(entry.key);
    char* chosen = at;
    for (std::size_t i = 0; i < kEntries; ++i, at += stride_) {
        const Entry* kept = reinterpret_cast<const Entry*>(at);
        if (is_of(kept, entry.key, state)) {
            chosen = at;
            break;
        }
        if (worth(kept) < worth(reinterpret_cast<const Entry*>(chosen))) chosen = at;
    }
    const bool is_new = reinterpret_cast<const Entry*>(chosen)->age == 0;
    if (is_new && 2 * used_ >= places_ * kEntries && places_ < most_places_) {
        grow();
        put(entry, state, extra);
        return;
    }
    used_ += is_new;
    entry.age = age_;
    std::memcpy(chosen, &entry, sizeof entry);
    if (words_) std::memcpy(chosen + sizeof entry, state, 8 * words_);
    if (extras_) std::memcpy(chosen + extra_at_, extra, 4 * extras_);
}

}  // namespace ludorum::minimax
