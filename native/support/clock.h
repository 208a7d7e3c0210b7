// clock.h: the clock by which searches end.
//
// It is that of the wall, or the time that processors have spent on this
// process, all its threads together: then a search does the same work on a busy
// machine as on a quiet one. Which one holds for the whole process.
//
// Threads: any may ask at any time. Moments of one kind say nothing about the other.
#pragma once

#include <chrono>

namespace ludorum {

struct Clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Clock>;
    static constexpr bool is_steady = true;

    static time_point now() noexcept;
    static void count_processor_time(bool is_wanted) noexcept;
};

}  // namespace ludorum
