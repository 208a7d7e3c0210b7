// thread_team.h: threads that stay and wait for the next piece of work.
//
// Starting a thread takes longer than a step of a few thousand games, and waking one from its sleep a good part of it:
// so whoever waits looks again and again for a while, where the machine has a core for each, before it goes to sleep.
//
// Threads:  one thread at a time asks.
// Does not: work beside its maker in a process that was forked off: there everything is done by who asks.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ludorum {

class ThreadTeam {
public:
    // So many in all, who asks included. The others start when they are first needed.
    explicit ThreadTeam(std::uint32_t size) : size_(size) {}
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    std::uint32_t size() const { return size_; }

    // work(0) in this thread and work(1) to work(size() - 1) in the others at once; comes back when all have. Where the
    // machine has no room for so many, those that there are must do it all. What one of them throws is thrown again
    // here, the first if there are several.
    void invoke(const std::function<void(std::uint32_t)>& work);

private:
    void start();
    void wait_for_work(std::uint32_t number);
    void attempt(std::uint32_t number);
    // How often in a row looking was in vain, and how often it will now sleep at once.
    struct Patience {
        std::uint32_t in_vain = 0, sleeps = 0;
    };
    // Comes back when it is no longer `old`.
    void wait(const std::atomic<std::uint32_t>& value, std::uint32_t old, Patience& patience) const;

    std::uint32_t size_;
    bool may_look_ = false;
    Patience patience_;  // of who asks
    int process_ = 0;
    std::vector<std::thread> others_;
    const std::function<void(std::uint32_t)>* work_ = nullptr;
    std::mutex failing_;
    std::exception_ptr failure_;
    // Each on a cache line of its own: one is looked at while the other is counted down.
    alignas(64) std::atomic<std::uint32_t> round_{0};
    alignas(64) std::atomic<std::uint32_t> busy_{0};
    std::atomic<bool> is_over_{false};
};

}  // namespace ludorum
