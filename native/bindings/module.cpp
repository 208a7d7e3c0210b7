// module.cpp: the one door from Python to the core. What is bound checks what
// comes in, releases the interpreter while the core works, and lets Ctrl-C
// through.
#include "bindings/bindings.h"
#include "bindings/gil.h"
#include "support/clock.h"

#include <cstdlib>

NB_MODULE(_core, m) {
    // A player that hangs is abandoned in its thread and keeps what it holds
    // to the end. Whoever looks for leaks of ours asks for the warnings.
    nanobind::set_leak_warnings(std::getenv("LUDORUM_DEBUG") != nullptr);
    ludorum::bindings::wait_at_the_end();
    m.doc() = "The core of Ludorum: wires, bits and numbers.";
    m.def("count_processor_time", &ludorum::Clock::count_processor_time, nanobind::arg("is_wanted"),
          "Whether searches end by the time that processors spend on this process, and not by the clock on the wall.");
    ludorum::bindings::bind_simulators(m);
    ludorum::bindings::bind_compile(m);
    ludorum::bindings::bind_batches(m);
    ludorum::bindings::bind_evaluation(m);
    ludorum::bindings::bind_learning(m);
    ludorum::bindings::bind_symmetries(m);
    ludorum::bindings::bind_puzzles(m);
    ludorum::bindings::bind_mcts(m);
    ludorum::bindings::bind_minimax(m);
    ludorum::bindings::bind_relations(m);
    ludorum::bindings::bind_beliefs(m);
    ludorum::bindings::bind_information_sets(m);
}
