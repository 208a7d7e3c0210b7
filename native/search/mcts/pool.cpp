#include "pool.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace ludorum::mcts {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
// Plots are small beside the whole, so that it is used up evenly, and large beside a node.
constexpr std::size_t kSmallestPlot = std::size_t{1} << 12, kLargestPlot = kLargePage, kPlots = 64;
// What is asked for where the system does not give more.
constexpr std::size_t kSmallestRange = std::size_t{1} << 24;
// As far as places of four bytes reach.
constexpr std::size_t kLargestRange = Pool::kLine * ((std::size_t{1} << 32) - 1);

std::size_t aligned(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

#if __has_include(<sys/mman.h>)
std::byte* reserve(std::size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void* range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return range == MAP_FAILED ? nullptr : static_cast<std::byte*>(range);
}
void give_back(std::byte* range, std::size_t bytes) { munmap(range, bytes); }
#else
std::byte* reserve(std::size_t bytes) { return static_cast<std::byte*>(std::calloc(bytes, 1)); }
void give_back(std::byte* range, std::size_t) { std::free(range); }
#endif

}  // namespace

Pool::Pool(std::size_t bytes, std::size_t plots, std::size_t largest)
    : plot_(aligned(std::clamp(bytes / kPlots, kSmallestPlot, kLargestPlot), kLine)) {
    const std::size_t more = (plots + 1) * (plot_ + aligned(largest, kLine)) + 2 * kLargePage;
    reserved_ = aligned(std::min(std::min(bytes, kLargestRange) + more, kLargestRange), kLargePage);
    // Where addresses are few the tree stops growing earlier.
    while (!(range_ = reserve(reserved_)) && reserved_ > kSmallestRange) reserved_ = aligned(reserved_ / 2, kLargePage);
    if (!range_) throw std::bad_alloc();
    base_ = range_ + (kLargePage - reinterpret_cast<std::uintptr_t>(range_) % kLargePage) % kLargePage;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // A small tree takes small pages, so that it takes little.
    const std::size_t whole = (reserved_ - static_cast<std::size_t>(base_ - range_)) / kLargePage * kLargePage;
    if (whole > kLargePage) madvise(base_ + kLargePage, whole - kLargePage, MADV_HUGEPAGE);
#endif
}

Pool::~Pool() { give_back(range_, reserved_); }

std::byte* Pool::take(Plot& plot, std::size_t bytes, std::size_t most) {
    bytes = aligned(bytes, kLine);
    std::size_t left = plot.left.load(std::memory_order_relaxed);
    if (bytes > left) {
        if (granted() >= most) return nullptr;
        left = std::max(plot_, bytes);
        const std::size_t begin = end_.fetch_add(left, std::memory_order_relaxed);
        if (begin + left > room() + kLine) {
            end_.fetch_sub(left, std::memory_order_relaxed);
            return nullptr;
        }
        granted_.fetch_add(left, std::memory_order_relaxed);
        plot.next = base_ + begin;
    }
    std::byte* memory = plot.next;
    plot.next += bytes;
    plot.left.store(left - bytes, std::memory_order_relaxed);
    return memory;
}

}  // namespace ludorum::mcts
