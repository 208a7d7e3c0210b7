// bindings.h: the parts of the module, one a file.
#pragma once

#include <nanobind/nanobind.h>

namespace ludorum::bindings {

void bind_compile(nanobind::module_& m);
void bind_beliefs(nanobind::module_& m);
void bind_information_sets(nanobind::module_& m);
void bind_batches(nanobind::module_& m);
void bind_evaluation(nanobind::module_& m);
void bind_learning(nanobind::module_& m);
void bind_puzzles(nanobind::module_& m);
void bind_mcts(nanobind::module_& m);
void bind_minimax(nanobind::module_& m);
void bind_simulators(nanobind::module_& m);
void bind_relations(nanobind::module_& m);
void bind_symmetries(nanobind::module_& m);

}  // namespace ludorum::bindings
