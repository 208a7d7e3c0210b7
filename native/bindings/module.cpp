// module.cpp: the one door from Python to the core. What is bound checks what
// comes in, releases the interpreter while the core works, and lets Ctrl-C
// through.
#include "bindings.h"

NB_MODULE(_core, m) {
    m.doc() = "The core of Ludorum: wires, bits and numbers.";
    ludorum::bind_simulators(m);
    ludorum::bind_puzzles(m);
    ludorum::bind_mcts(m);
    ludorum::bind_minimax(m);
}
