// module.cpp: the one door from Python to the core. What is bound checks what
// comes in, releases the interpreter while the core works, and lets Ctrl-C
// through.
#include "bindings.h"
#include "outside.h"

#include <cstdlib>

NB_MODULE(_core, m) {
    // A player that hangs is abandoned in its thread and keeps what it holds
    // to the end. Whoever looks for leaks of ours asks for the warnings.
    nanobind::set_leak_warnings(std::getenv("LUDORUM_DEBUG") != nullptr);
    ludorum::wait_at_the_end();
    m.doc() = "The core of Ludorum: wires, bits and numbers.";
    ludorum::bind_simulators(m);
    ludorum::bind_evaluation(m);
    ludorum::bind_symmetries(m);
    ludorum::bind_puzzles(m);
    ludorum::bind_mcts(m);
    ludorum::bind_minimax(m);
    ludorum::bind_relations(m);
}
