// symmetries.cpp: symmetries as Python hands them to searches.
#include "engine/symmetries.h"

#include <nanobind/stl/vector.h>

#include "bindings/arrays.h"
#include "bindings/bindings.h"

using namespace nanobind::literals;

namespace ludorum::bindings {

void bind_symmetries(nb::module_& m) {
    nb::class_<Symmetries>(m, "Symmetries", "A group of permutations of fluents and moves that leave a game what it is.")
        .def(nb::init<std::uint32_t, std::vector<std::uint32_t>, const std::vector<std::vector<std::uint32_t>>&,
                      const std::vector<std::vector<std::uint32_t>>&>(),
             "fluents"_a, "move_counts"_a, "of_fluents"_a, "of_moves"_a)
        .def("__len__", &Symmetries::size)
        .def("canonical", [](const Symmetries& self, Rows<std::uint64_t> states) {
            if (states.shape(1) != self.words()) throw std::invalid_argument("states have the wrong number of words");
            auto images = make_array<std::uint64_t>({states.shape(0), states.shape(1)});
            for (std::size_t i = 0; i < states.shape(0); ++i) self.canonical(states.data() + i * self.words(), images.data() + i * self.words());
            return images;
        }, "states"_a, "For every state the image that stands for all its images.");
}

}  // namespace ludorum::bindings
