#include "support/thread_team.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace ludorum {

namespace {

// How often somebody who waits looks before it sleeps: some 50 microseconds, a few times what waking takes.
constexpr std::uint32_t kLooks = 2000;
// Where that was in vain, as on a machine that is busy with other things, it sleeps at once the next time, then three
// times, and so on up to this power of two: it never stops trying, since a sleeper cannot find out that looking pays.
constexpr std::uint32_t kMostInVain = 6;

void relax() {
#if defined(LUDORUM_X86)
    __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadTeam::~ThreadTeam() {
    // The threads of another process are not ours to wait for.
    if (process_ != ::getpid()) {
        for (std::thread& other : others_) other.detach();
        return;
    }
    is_over_ = true;
    ++round_;
    round_.notify_all();
    for (std::thread& other : others_) other.join();
}

void ThreadTeam::start() {
    process_ = ::getpid();
    may_look_ = std::thread::hardware_concurrency() >= size_;
    try {
        while (others_.size() + 1 < size_)
            others_.emplace_back([this, number = static_cast<std::uint32_t>(others_.size() + 1)] { wait_for_work(number); });
    } catch (const std::exception&) {
        // The machine has no room for more: those that there are do it all.
    }
}

void ThreadTeam::wait(const std::atomic<std::uint32_t>& value, std::uint32_t old, Patience& patience) const {
    if (may_look_ && patience.sleeps == 0) {
        for (std::uint32_t look = 0; look < kLooks; ++look) {
            if (value.load(std::memory_order_acquire) != old) {
                patience = {};
                return;
            }
            relax();
        }
        patience.in_vain = std::min(patience.in_vain + 1, kMostInVain);
        patience.sleeps = 1u << patience.in_vain;
    }
    if (patience.sleeps > 0) --patience.sleeps;
    value.wait(old, std::memory_order_acquire);
}

void ThreadTeam::invoke(const std::function<void(std::uint32_t)>& work) {
    if (process_ == 0 && size_ > 1) start();
    if (others_.empty() || process_ != ::getpid()) return work(0);
    work_ = &work;
    failure_ = nullptr;
    busy_.store(static_cast<std::uint32_t>(others_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    attempt(0);
    for (std::uint32_t left; (left = busy_.load(std::memory_order_acquire)) != 0;) wait(busy_, left, patience_);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadTeam::attempt(std::uint32_t number) {
    try {
        (*work_)(number);
    } catch (...) {
        const std::lock_guard guard(failing_);
        if (!failure_) failure_ = std::current_exception();
    }
}

void ThreadTeam::wait_for_work(std::uint32_t number) {
    // A thread that starts late does the work that it was started for.
    Patience patience;
    for (std::uint32_t seen = 0;; ++seen) {
        wait(round_, seen, patience);
        if (is_over_) return;
        attempt(number);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
    }
}

}  // namespace ludorum
