// pool.h: memory for the nodes of a tree.
//
// It is one range of addresses, so that four bytes say where a node is. Pages
// are taken from the system when they are first touched, and all of them are
// given back at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ludorum::mcts {

class Pool {
public:
    static constexpr std::size_t kLine = 64;  // of the cache: where everything begins, and the unit of places

    // A part of the range that one thread fills, so that threads neither wait for each other nor write to the same lines.
    struct alignas(kLine) Plot {
        std::byte* next = nullptr;
        std::atomic<std::size_t> left{0};
    };

    // Room for so many bytes, in pieces of at most `largest`, and for `plots` plots that are not full. Throws
    // std::bad_alloc where there is not even a small range of addresses.
    Pool(std::size_t bytes, std::size_t plots, std::size_t largest);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Memory that is all zero; null where there is no more, or where `most` bytes were handed out and the plot is full.
    // Requires: no other thread uses the plot.
    std::byte* take(Plot& plot, std::size_t bytes, std::size_t most);

    std::size_t room() const { return reserved_ - static_cast<std::size_t>(base_ - range_) - kLine; }
    // Bytes in plots that were handed out.
    std::size_t granted() const { return granted_.load(std::memory_order_relaxed); }

    std::byte* at(std::uint32_t place) const { return base_ + std::size_t{place} * kLine; }
    // Never 0.
    std::uint32_t place(const void* memory) const {
        return static_cast<std::uint32_t>(static_cast<std::size_t>(static_cast<const std::byte*>(memory) - base_) / kLine);
    }

private:
    const std::size_t plot_;  // bytes of one
    std::size_t reserved_ = 0;
    std::byte* range_ = nullptr;
    std::byte* base_ = nullptr;
    alignas(kLine) std::atomic<std::size_t> granted_{0};
    std::atomic<std::size_t> end_{kLine};  // of what was handed out, from the base on
};

}  // namespace ludorum::mcts
