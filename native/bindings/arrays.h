// arrays.h: what all bindings share: NumPy arrays in and out, checks, and Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "bindings/gil.h"
#include "engine/simulator.h"

namespace ludorum::bindings {

namespace nb = nanobind;

template <class T> using Rows = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T> using List = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T> using Array = nb::ndarray<nb::numpy, T>;

// Memory that is not initialised: whoever asks for it fills it. Large arrays get large pages where the system has them;
// otherwise the first touch of every page would take a third of the time of the shortest playouts.
inline void* allocate(std::size_t bytes) {
    constexpr std::size_t kLargePage = std::size_t{1} << 21;
    const std::size_t unit = bytes < kLargePage ? 64 : kLargePage;
    const std::size_t rounded = (bytes + unit) / unit * unit;
    void* memory = std::aligned_alloc(unit, rounded);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (unit == kLargePage) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return memory;
}

template <class T> Array<T> make_array(std::vector<std::size_t> shape) {
    std::size_t size = 1;
    for (std::size_t extent : shape) size *= extent;
    T* data = static_cast<T*>(allocate(size * sizeof(T)));
    nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
    return Array<T>(data, shape.size(), shape.data(), owner);
}

template <class T> std::vector<T> to_vector(const List<T>& list) { return {list.data(), list.data() + list.size()}; }

// Runs `work()` in a thread of its own, so that this one can notice Ctrl-C and the end of the interpreter, and then
// tells it to stop.
template <class Work> auto interruptibly(std::atomic<std::int32_t>& stop, Work work) {
    // Before the work begins, which does not begin where this throws; its end is waited for outside.
    std::optional<GilRelease> outside(std::in_place);
    auto result = std::async(std::launch::async, work);
    bool is_interrupted = false, is_left = false;
    while (!is_interrupted && !is_left && result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        is_left = must_leave();
        if (!is_left) {
            nb::gil_scoped_acquire acquired;
            is_interrupted = PyErr_CheckSignals() != 0;
        }
        if (is_interrupted || is_left) {
            stop = 1;
            result.wait();
        }
    }
    outside.reset();
    if (is_interrupted) throw nb::python_error();
    if (is_left) raise_leave();
    return result.get();
}

// The same for work that takes the flag as an argument.
template <class Work> auto interruptibly(Work work) {
    std::atomic<std::int32_t> stop{0};
    return interruptibly(stop, [&] { return work(stop); });
}

inline void check_states(const Simulator& simulator, const Rows<std::uint64_t>& states) {
    if (states.shape(1) != simulator.shape().state_words()) throw std::invalid_argument("states have the wrong number of words");
}

inline void check_joint(const Simulator& simulator, const Rows<std::uint64_t>& states, const Rows<std::uint32_t>& joint) {
    const Shape& shape = simulator.shape();
    if (joint.shape(0) != states.shape(0) || joint.shape(1) != shape.roles())
        throw std::invalid_argument("not one move a state and role");
    for (std::size_t i = 0; i < joint.size(); ++i)
        if (joint.data()[i] >= shape.moves[i % shape.roles()]) throw std::invalid_argument("a move number out of range");
}

inline const Bits* single_state(const Simulator& simulator, const List<std::uint64_t>& state) {
    if (state.size() != simulator.shape().state_words()) throw std::invalid_argument("the state has the wrong number of words");
    return state.data();
}

}  // namespace ludorum::bindings
