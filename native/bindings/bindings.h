// bindings.h: the parts of the module, one a file.
#pragma once

#include <nanobind/nanobind.h>

namespace ludorum {

void bind_simulators(nanobind::module_& m);

}  // namespace ludorum
