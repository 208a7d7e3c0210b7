// gil.h: leaving Python's lock while the core works, and coming back, also when the interpreter ends meanwhile.
//
// Python ends a thread that asks for the lock of an interpreter that is gone,
// and does so by unwinding its stack. C++ on that stack does not survive it:
// the first destructor or catch-all aborts the process. A daemon thread that is
// at work in the core at exit would do so. Therefore the interpreter does not
// end before everybody is back: when it is about to, work is told to stop, what
// is under way is waited for, and nothing new begins. Only the thread that ends
// the interpreter goes on as before.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <new>

namespace ludorum::bindings {

namespace nb = nanobind;

// Has the interpreter wait at its end; once, when the module is loaded.
void wait_at_the_end();

// Not 0 when the interpreter is about to end: for work that can be told to stop.
const std::atomic<std::int32_t>& interpreter_ends() noexcept;

// Whether this thread must not go on because of that.
bool must_leave() noexcept;

// Raises SystemExit, which ends a thread of Python without a word.
[[noreturn]] void raise_leave();

// Without the lock for as long as this lives.
class GilRelease {
public:
    // Throws like raise_leave if this thread must leave.
    GilRelease();
    // For destructors. Keeps the lock if this thread must leave and everybody is back: nobody needs it any more.
    explicit GilRelease(std::nothrow_t) noexcept;
    ~GilRelease();
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;

private:
    PyThreadState* state_ = nullptr;
};

// Work that goes on while no thread of Python waits for it. Made and destroyed with the lock.
class InterpreterExitListener {
public:
    InterpreterExitListener(const InterpreterExitListener&) = delete;
    InterpreterExitListener& operator=(const InterpreterExitListener&) = delete;
    virtual void tell_to_end() noexcept = 0;
    virtual bool is_going() const = 0;

protected:
    InterpreterExitListener();
    ~InterpreterExitListener();
};

}  // namespace ludorum::bindings
