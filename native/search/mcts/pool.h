// pool.h: memory for the nodes of a tree.
//
// It is one range of addresses, so that four bytes say where a node is. Pages
// are taken from the system when they are first touched. The range is handed
// out in regions, each of which one thread fills from its beginning to its end.
// What a region holds lies without gaps, so that whoever knows how large each
// piece is can go through it and say which runs of it are free; it is then
// handed out again, run by run.
//
// In the literature: allocation into the free runs of regions as in Immix (Blackburn and McKinley 2008).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace ludorum::mcts {

class Pool {
    static constexpr std::size_t kNoRegion = ~std::size_t{0};

public:
    static constexpr std::size_t kLine = 64;  // of the cache: where everything begins, and the unit of places

    struct Run {
        std::byte* begin;
        std::size_t bytes;
    };

    // What one thread fills, so that threads neither wait for each other nor write to the same lines.
    struct alignas(kLine) Plot {
        std::byte* next = nullptr;
        std::size_t in_run = 0;            // bytes left of the run
        std::atomic<std::size_t> left{0};  // and of all of its runs
        std::vector<Run> runs;             // those that come after, the next one last
        std::size_t region = kNoRegion;
        bool is_fresh = false;             // nothing was ever written to it
    };

    static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

    // Room for so many bytes, in pieces of at most `largest`, and for `plots` plots that are not full. Throws
    // std::bad_alloc where there is not even a small range of addresses.
    Pool(std::size_t bytes, std::size_t plots, std::size_t largest);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Memory that is all zero; null where no free run is large enough and there is no more, or `most` bytes were handed
    // out. `leave(run)` is called for what is left unused, to make a piece of it. Requires: no other thread uses the plot.
    template <class Leave> std::byte* take(Plot& plot, std::size_t bytes, std::size_t most, Leave leave) {
        bytes = aligned(bytes);
        while (bytes > plot.in_run) {
            if (plot.in_run) leave(Run{plot.next, plot.in_run});
            plot.left.store(plot.left.load(std::memory_order_relaxed) - plot.in_run, std::memory_order_relaxed);
            plot.in_run = 0;
            if (plot.runs.empty() && !next_region(plot, bytes, most)) return nullptr;
            plot.next = plot.runs.back().begin;
            plot.in_run = plot.runs.back().bytes;
            plot.runs.pop_back();
        }
        return cut(plot, bytes);
    }

    std::size_t room() const { return reserved_ - static_cast<std::size_t>(base_ - range_) - kLine; }
    // Bytes in regions that were handed out, but for the free runs of those that nobody fills.
    std::size_t granted() const { return granted_.load(std::memory_order_relaxed) - free_.load(std::memory_order_relaxed); }

    std::byte* at(std::uint32_t place) const { return base_ + std::size_t{place} * kLine; }
    // Never 0.
    std::uint32_t place(const void* memory) const {
        return static_cast<std::uint32_t>(static_cast<std::size_t>(static_cast<const std::byte*>(memory) - base_) / kLine);
    }

    // For whoever looks for what is free.
    std::size_t regions() const;
    // A region that nobody fills, which nobody will fill before it is given back; of no bytes if it is being filled.
    Run borrow(std::size_t region);
    void give_back(std::size_t region, std::span<const Run> runs);

private:
    struct Region {
        Run whole;
        bool is_filled = true;   // by somebody, or looked through
        std::size_t free = 0;    // bytes of its runs
        std::vector<Run> runs;
    };

    bool next_region(Plot& plot, std::size_t bytes, std::size_t most);
    std::byte* cut(Plot& plot, std::size_t bytes);

    const std::size_t region_;  // bytes of one
    std::size_t reserved_ = 0;
    std::byte* range_ = nullptr;
    std::byte* base_ = nullptr;
    alignas(kLine) std::atomic<std::size_t> granted_{0}, free_{0};
    mutable std::mutex mutex_;              // of all that follows
    std::size_t end_ = kLine;               // of what was handed out, from the base on
    std::vector<Region> regions_;
    std::vector<std::size_t> reusable_;     // regions with free runs, which nobody fills
};

}  // namespace ludorum::mcts
