// outside.cpp: who is outside, and how the end of the interpreter waits for them.
#include "bindings/gil.h"

#include <pthread.h>

#include <chrono>
#include <thread>
#include <unordered_set>

namespace ludorum::bindings {
namespace {

std::atomic<std::int32_t> ends{0};
std::thread::id ender;  // known once `ends` is set

// These are changed and read with the lock only.
std::uint64_t threads_outside = 0;
bool is_everybody_back = false;
std::unordered_set<InterpreterExitListener*>& on_their_own() {
    static auto* const all = new std::unordered_set<InterpreterExitListener*>;  // never destroyed: some live to the very end
    return *all;
}

bool is_anybody_away() {
    bool is_any_going = false;
    for (InterpreterExitListener* work : on_their_own()) {
        work->tell_to_end();
        is_any_going |= work->is_going();
    }
    return is_any_going || threads_outside > 0;
}

void wait_for_everybody() {
    ender = std::this_thread::get_id();
    ends = 1;
    while (is_anybody_away()) {
        nb::gil_scoped_release released;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    is_everybody_back = true;
}

// Only the thread that forks is in the new process, and it is inside.
void forget_the_others() {
    threads_outside = 0;
    on_their_own().clear();
}

}  // namespace

void wait_at_the_end() {
    pthread_atfork(nullptr, nullptr, forget_the_others);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(wait_for_everybody));
}

const std::atomic<std::int32_t>& interpreter_ends() noexcept { return ends; }

bool must_leave() noexcept { return ends && std::this_thread::get_id() != ender; }

void raise_leave() {
    PyErr_SetNone(PyExc_SystemExit);
    throw nb::python_error();
}

GilRelease::GilRelease() {
    if (must_leave()) raise_leave();
    ++threads_outside;
    state_ = PyEval_SaveThread();
}

GilRelease::GilRelease(std::nothrow_t) noexcept {
    if (is_everybody_back && must_leave()) return;
    ++threads_outside;
    state_ = PyEval_SaveThread();
}

GilRelease::~GilRelease() {
    if (!state_) return;
    PyEval_RestoreThread(state_);
    --threads_outside;
}

InterpreterExitListener::InterpreterExitListener() { on_their_own().insert(this); }
InterpreterExitListener::~InterpreterExitListener() { on_their_own().erase(this); }

}  // namespace ludorum::bindings
