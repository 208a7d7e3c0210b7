// budget.h: what compiling may take, so that no rulesheet can hang or exhaust the process.
//
// Passes tell what they do; every now and then that is compared with the clock
// of this thread's CPU time, so a busy machine makes no difference. A pass that
// is broken off leaves nothing behind.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <exception>

namespace ludorum::circuit {

struct OutOfBudget : std::exception {
    const char* what() const noexcept override { return "compiling passed its budget"; }
};

class Budget {
public:
    // Counts from now on, in the thread that makes it. It is used up, too, once `stop` is not 0.
    Budget(double seconds, std::size_t bytes, const std::atomic<std::int32_t>& stop)
        : until_(cpu_seconds() + seconds), bytes_(bytes), stop_(stop) {}

    // So many small steps were made. Throws OutOfBudget if the time is used up.
    void spend(std::size_t steps) {
        if ((steps_ += steps) < kOften) return;
        steps_ = 0;
        if (stop_ != 0 || cpu_seconds() > until_) throw OutOfBudget();
    }

    // One structure has grown to so many bytes. Throws OutOfBudget if that is too much.
    void hold(std::size_t bytes) const {
        if (bytes > bytes_) throw OutOfBudget();
    }

    static double cpu_seconds() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }

private:
    static constexpr std::size_t kOften = 1 << 16;

    double until_;
    std::size_t bytes_;
    const std::atomic<std::int32_t>& stop_;
    std::size_t steps_ = kOften;  // so that the first look is at once
};

}  // namespace ludorum::circuit
