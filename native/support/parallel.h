// parallel.h: the same work in several threads at once.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ludorum {

// work(0) in this thread and work(1) to work(threads - 1) beside it, or fewer where the machine has no room for more
// threads: those that there are must do it all.
//
// What one of them throws is thrown again here when all have come back, the first if there are several; give_up() is
// called then, to tell the others that they work for nothing. An exception that left its thread would end the process.
template <class Work, class GiveUp> void parallel_invoke(std::uint32_t threads, Work work, GiveUp give_up) {
    std::exception_ptr failure;
    std::mutex failing;
    const auto attempt = [&](std::uint32_t number) {
        try {
            work(number);
        } catch (...) {
            const std::lock_guard guard(failing);
            if (!failure) failure = std::current_exception();
            give_up();
        }
    };
    {
        std::vector<std::jthread> others;
        try {
            for (std::uint32_t number = 1; number < threads; ++number) others.emplace_back(attempt, number);
        } catch (const std::exception&) {
        }
        attempt(0);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ludorum
