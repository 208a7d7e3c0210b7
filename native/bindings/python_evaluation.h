// python_evaluation.h: an evaluation that Python hands over.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "bindings/arrays.h"
#include "evaluation/evaluation.h"

namespace ludorum::bindings {

// An evaluation written in Python: rows of states in, a number a state and role out. Slow, and good for trying ideas.
class PythonEvaluation final : public evaluation::Evaluation {
public:
    // Whoever made it keeps the function.
    explicit PythonEvaluation(nb::handle function) : function_(function) {}

    void evaluate(const evaluation::SeenStates& seen, double* values) const override {
        nb::gil_scoped_acquire acquired;
        const std::size_t words = seen.shape.state_words(), roles = seen.shape.roles();
        auto states = make_array<std::uint64_t>({seen.count, words});
        std::copy_n(seen.states, seen.count * words, states.data());
        nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> answer;
        if (!nb::try_cast(function_(states), answer) || answer.shape(0) != seen.count || answer.shape(1) != roles)
            throw std::invalid_argument("an evaluation must give one number a state and role");
        for (std::size_t i = 0; i < seen.count * roles; ++i) {
            const double value = answer.data()[i];
            if (!(value >= 0 && value <= 100)) throw std::invalid_argument("an evaluation must give numbers from 0 to 100");
            values[i] = value;
        }
    }

private:
    nb::handle function_;
};

// Whoever asks keeps the object.
inline std::shared_ptr<const evaluation::Evaluation> to_evaluation(const nb::object& evaluation) {
    std::shared_ptr<evaluation::Evaluation> of_core;
    if (nb::try_cast(evaluation, of_core) && of_core) return of_core;
    if (!PyCallable_Check(evaluation.ptr())) throw std::invalid_argument("an evaluation is one of the core's, or a function");
    return std::make_shared<PythonEvaluation>(evaluation);
}

}  // namespace ludorum::bindings
