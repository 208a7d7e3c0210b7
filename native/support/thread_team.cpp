#include "support/thread_team.h"

#include <unistd.h>

#include <utility>

namespace ludorum {

ThreadTeam::~ThreadTeam() {
    // The threads of another process are not ours to wait for.
    if (process_ != ::getpid()) {
        for (std::thread& other : others_) other.detach();
        return;
    }
    {
        const std::lock_guard guard(mutex_);
        is_over_ = true;
    }
    called_.notify_all();
    for (std::thread& other : others_) other.join();
}

void ThreadTeam::start() {
    process_ = ::getpid();
    try {
        while (others_.size() + 1 < size_) others_.emplace_back([this] { wait_for_work(); });
    } catch (const std::exception&) {
        // The machine has no room for more: those that there are do it all.
    }
}

void ThreadTeam::invoke(const std::function<void()>& work) {
    if (process_ == 0 && size_ > 1) start();
    if (others_.empty() || process_ != ::getpid()) return work();
    {
        const std::lock_guard guard(mutex_);
        work_ = &work;
        busy_ = others_.size();
        failure_ = nullptr;
        ++round_;
    }
    called_.notify_all();
    attempt();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadTeam::attempt() {
    try {
        (*work_)();
    } catch (...) {
        const std::lock_guard guard(mutex_);
        if (!failure_) failure_ = std::current_exception();
    }
}

void ThreadTeam::wait_for_work() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        called_.wait(lock, [&] { return is_over_ || round_ != seen; });
        if (is_over_) return;
        seen = round_;
        lock.unlock();
        attempt();
        lock.lock();
        if (--busy_ == 0) done_.notify_one();
    }
}

}  // namespace ludorum
