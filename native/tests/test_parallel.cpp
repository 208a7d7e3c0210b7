#include <atomic>

#include "support/parallel.h"
#include "tests/check.h"

using namespace ludorum;

TEST("work is done once for every number") {
    std::atomic<std::uint32_t> sum{0};
    for (std::uint32_t threads : {0, 1, 2, 5}) {
        sum = 0;
        parallel_invoke(threads, [&](std::uint32_t number) { sum += 1 + number; }, [] {});
        CHECK(sum == (threads ? threads * (threads + 1) / 2 : 1));
    }
}

TEST("where one thread fails the others are told to give up, and the failure is thrown again when all are back") {
    for (std::uint32_t failing : {0, 1, 2}) {
        std::atomic<bool> is_given_up{false};
        std::atomic<std::uint32_t> back{0};
        CHECK_THROWS(std::runtime_error, "out of luck", parallel_invoke(3, [&](std::uint32_t number) {
            if (number == failing) throw std::runtime_error("out of luck");
            while (!is_given_up) std::this_thread::yield();
            ++back;
        }, [&] { is_given_up = true; }));
        CHECK(back == 2);
    }
}
