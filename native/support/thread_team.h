// thread_team.h: threads that stay and wait for the next piece of work.
//
// Starting a thread takes longer than a step of a few thousand games; waking one does not.
//
// Threads:  one thread at a time asks.
// Does not: work beside its maker in a process that was forked off: there everything is done by who asks.
#pragma once

#include <condition_variable>
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

    // work() in every thread at once, in this one too; comes back when all have. What one of them throws is thrown
    // again here, the first if there are several.
    void invoke(const std::function<void()>& work);

private:
    void start();
    void wait_for_work();
    void attempt();

    std::uint32_t size_;
    int process_ = 0;
    std::vector<std::thread> others_;
    std::mutex mutex_;
    std::condition_variable called_, done_;
    const std::function<void()>* work_ = nullptr;
    std::uint64_t round_ = 0;
    std::size_t busy_ = 0;
    bool is_over_ = false;
    std::exception_ptr failure_;
};

}  // namespace ludorum
