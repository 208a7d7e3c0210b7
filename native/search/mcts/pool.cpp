#include "search/mcts/pool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace ludorum::mcts {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
// Regions are small beside the whole, so that it is used up evenly, and large beside a node.
constexpr std::size_t kSmallestRegion = std::size_t{1} << 12, kLargestRegion = kLargePage, kRegions = 64;
// What is asked for where the system does not give more.
constexpr std::size_t kSmallestRange = std::size_t{1} << 24;
// A region with less than this part of it free is not handed out again.
constexpr std::size_t kLeastFree = 16;
// As far as places of four bytes reach.
constexpr std::size_t kLargestRange = Pool::kLine * ((std::size_t{1} << 32) - 1);

std::size_t multiple_of(std::size_t to, std::size_t bytes) { return (bytes + to - 1) / to * to; }

#if __has_include(<sys/mman.h>)
std::byte* reserve(std::size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#if defined(MAP_NORESERVE)
    flags |= MAP_NORESERVE;
#endif
    void* range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return range == MAP_FAILED ? nullptr : static_cast<std::byte*>(range);
}
void unmap(std::byte* range, std::size_t bytes) { munmap(range, bytes); }
#else
std::byte* reserve(std::size_t bytes) { return static_cast<std::byte*>(std::calloc(bytes, 1)); }
void unmap(std::byte* range, std::size_t) { std::free(range); }
#endif

}  // namespace

Pool::Pool(std::size_t bytes, std::size_t plots, std::size_t largest)
    : region_(aligned(std::clamp(bytes / kRegions, kSmallestRegion, kLargestRegion))) {
    const std::size_t more = (plots + 1) * (region_ + aligned(largest)) + 2 * kLargePage;
    reserved_ = multiple_of(kLargePage, std::min(std::min(bytes, kLargestRange) + more, kLargestRange));
    // Where addresses are few the tree stops growing earlier.
    while (!(range_ = reserve(reserved_)) && reserved_ > kSmallestRange) reserved_ = multiple_of(kLargePage, reserved_ / 2);
    if (!range_) throw std::bad_alloc();
    base_ = range_ + (kLargePage - reinterpret_cast<std::uintptr_t>(range_) % kLargePage) % kLargePage;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // A small tree takes small pages, so that it takes little.
    const std::size_t whole = (reserved_ - static_cast<std::size_t>(base_ - range_)) / kLargePage * kLargePage;
    if (whole > kLargePage) madvise(base_ + kLargePage, whole - kLargePage, MADV_HUGEPAGE);
#endif
}

Pool::~Pool() { unmap(range_, reserved_); }

bool Pool::next_region(Plot& plot, std::size_t bytes, std::size_t most) {
    const std::lock_guard lock(mutex_);
    if (plot.region != kNoRegion) regions_[plot.region].is_filled = false;
    plot.region = kNoRegion;
    // The runs of a region are taken in the order of their addresses; a region without one that is large enough waits.
    for (std::size_t i = reusable_.size(); i-- > 0;) {
        Region& region = regions_[reusable_[i]];
        if (std::none_of(region.runs.begin(), region.runs.end(), [&](const Run& run) { return run.bytes >= bytes; })) continue;
        plot.region = reusable_[i];
        plot.is_fresh = false;
        plot.runs.swap(region.runs);
        region.runs.clear();
        plot.left.store(region.free, std::memory_order_relaxed);
        free_.fetch_sub(region.free, std::memory_order_relaxed);
        region.free = 0;
        region.is_filled = true;
        reusable_.erase(reusable_.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
    }
    const std::size_t size = std::max(region_, bytes);
    if (granted() >= most || end_ + size > room() + kLine) return false;
    plot.region = regions_.size();
    plot.runs.assign(1, {base_ + end_, size});
    plot.left.store(size, std::memory_order_relaxed);
    regions_.push_back({plot.runs.front(), true, 0, {}});
    end_ += size;
    granted_.fetch_add(size, std::memory_order_relaxed);
    plot.is_fresh = true;
    return true;
}

std::byte* Pool::cut(Plot& plot, std::size_t bytes) {
    std::byte* memory = plot.next;
    if (!plot.is_fresh) std::memset(memory, 0, bytes);
    plot.next += bytes;
    plot.in_run -= bytes;
    plot.left.store(plot.left.load(std::memory_order_relaxed) - bytes, std::memory_order_relaxed);
    return memory;
}

std::size_t Pool::regions() const {
    const std::lock_guard lock(mutex_);
    return regions_.size();
}

Pool::Run Pool::borrow(std::size_t number) {
    const std::lock_guard lock(mutex_);
    Region& region = regions_[number];
    if (region.is_filled) return {nullptr, 0};
    region.is_filled = true;
    std::erase(reusable_, number);
    free_.fetch_sub(region.free, std::memory_order_relaxed);
    region.free = 0;
    region.runs.clear();
    return region.whole;
}

void Pool::give_back(std::size_t number, std::span<const Run> runs) {
    const std::lock_guard lock(mutex_);
    Region& region = regions_[number];
    region.is_filled = false;
    std::size_t free = 0;
    for (const Run& run : runs) free += run.bytes;
    if (free < region.whole.bytes / kLeastFree) return;
    region.runs.assign(runs.rbegin(), runs.rend());
    region.free = free;
    free_.fetch_add(free, std::memory_order_relaxed);
    reusable_.push_back(number);
}

}  // namespace ludorum::mcts
