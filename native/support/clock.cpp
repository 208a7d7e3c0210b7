#include "support/clock.h"

#include <atomic>
#include <ctime>

namespace ludorum {
namespace {

std::atomic<bool> counts_processor_time{false};

}  // namespace

Clock::time_point Clock::now() noexcept {
    if (!counts_processor_time.load(std::memory_order_relaxed))
        return time_point(std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch()));
    const std::chrono::duration<double> used(static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    return time_point(std::chrono::duration_cast<duration>(used));
}

void Clock::count_processor_time(bool is_wanted) noexcept { counts_processor_time.store(is_wanted, std::memory_order_relaxed); }

}  // namespace ludorum
