// batch.cpp: batches of games as Python sees them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "engine/batch.h"

using namespace nanobind::literals;

namespace ludorum::bindings {

namespace {

using Chosen = std::optional<List<std::uint8_t>>;
template <class T> using Writable = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Bytes = Writable<std::uint8_t>;

const std::uint8_t* chosen_games(const Batch& batch, const Chosen& chosen) {
    if (!chosen) return nullptr;
    if (chosen->size() != batch.size()) throw std::invalid_argument("not one flag a game");
    return chosen->data();
}

const std::uint32_t* joint_moves_of(const Batch& batch, const Rows<std::uint32_t>& joint) {
    if (joint.shape(0) != batch.size() || joint.shape(1) != batch.shape().roles())
        throw std::invalid_argument("not one move a game and role");
    return joint.data();
}

std::size_t checked_game(const Batch& batch, std::size_t game) {
    if (game >= batch.size()) throw std::invalid_argument("there is no such game");
    return game;
}

std::uint8_t* room_for(const Batch& batch, const Bytes& out, std::uint32_t width) {
    if (out.shape(0) != batch.size() || out.shape(1) != width) throw std::invalid_argument("the array has the wrong shape");
    return out.data();
}

// Memory of the batch as an array that keeps it alive and changes with it.
template <class T> nb::object view(nb::handle self, const T* data, std::vector<std::size_t> shape) {
    nb::ndarray<nb::numpy, const T> array(data, shape.size(), shape.data(), self);
    return nb::cast(array, nb::rv_policy::reference_internal, self);
}

}  // namespace

void bind_batches(nb::module_& m) {
    nb::class_<Batch>(m, "Batch", "Many games side by side that are stepped together.")
        .def("__init__", [](Batch* self, const Simulator& simulator, List<std::uint64_t> start, std::size_t n,
                            std::uint32_t max_steps, std::uint32_t threads) {
            if (threads < 1 || threads > 1024) throw std::invalid_argument("threads must be between 1 and 1024");
            new (self) Batch(simulator, single_state(simulator, start), n, max_steps, threads);
        }, "simulator"_a, "start"_a, "n"_a, "max_steps"_a, "threads"_a, nb::keep_alive<1, 2>())
        .def("__len__", &Batch::size)
        .def_prop_ro("fluents", [](const Batch& self) { return self.shape().fluents; }, "How many columns of fluents there are.")
        .def_prop_ro("moves", [](const Batch& self) { return self.shape().moves; }, "How many moves each role has.")
        .def_prop_ro("percepts", [](const Batch& self) { return self.shape().percepts.size(); }, "How many percepts there are.")
        .def_prop_ro("rows", [](nb::handle self) {
            const auto& batch = nb::cast<const Batch&>(self);
            return view(self, batch.states(), {batch.size(), batch.shape().state_words()});
        }, nb::sig("def rows(self) -> numpy.typing.NDArray[numpy.uint64]"), "The fluents as packed bits.")
        .def_prop_ro("legal_rows", [](nb::handle self) {
            const auto& batch = nb::cast<const Batch&>(self);
            return view(self, batch.legal(), {batch.size(), batch.shape().legal_words()});
        }, nb::sig("def legal_rows(self) -> numpy.typing.NDArray[numpy.uint64]"), "The legal moves as packed bits, role after role.")
        .def_prop_ro("ended", [](nb::handle self) {
            const auto& batch = nb::cast<const Batch&>(self);
            return view(self, batch.ended(), {batch.size()});
        }, nb::sig("def ended(self) -> numpy.typing.NDArray[numpy.uint8]"), "How games ended in the last step.")
        .def_prop_ro("final_goals", [](nb::handle self) {
            const auto& batch = nb::cast<const Batch&>(self);
            return view(self, batch.final_goals(), {batch.size(), batch.shape().roles()});
        }, nb::sig("def final_goals(self) -> numpy.typing.NDArray[numpy.int16]"),
           "What games ended with that began anew in the last step; -1 for the others.")
        .def_prop_ro("standings", [](nb::handle self) {
            const auto& batch = nb::cast<const Batch&>(self);
            return view(self, batch.standings(), {batch.size()});
        }, nb::sig("def standings(self) -> numpy.typing.NDArray[numpy.uint8]"), "Going 0, terminal 1, stuck 2, cut 3.")
        .def_prop_ro("lengths", [](nb::handle self) {
            const auto& batch = nb::cast<const Batch&>(self);
            return view(self, batch.lengths(), {batch.size()});
        }, nb::sig("def lengths(self) -> numpy.typing.NDArray[numpy.uint32]"), "Steps made.")
        .def("seed", [](Batch& self, List<std::uint64_t> seeds, Chosen chosen) {
            if (seeds.size() != self.size()) throw std::invalid_argument("not one seed a game");
            self.seed(seeds.data(), chosen_games(self, chosen));
        }, "seeds"_a, "chosen"_a.none(), "Begins random streams anew.")
        .def("sample", [](Batch& self, Chosen chosen, Writable<std::uint32_t> out) {
            if (out.shape(0) != self.size() || out.shape(1) != self.shape().roles())
                throw std::invalid_argument("the array has the wrong shape");
            const std::uint8_t* games = chosen_games(self, chosen);
            GilRelease released;
            self.sample(games, out.data());
        }, "chosen"_a.none(), "out"_a.noconvert(), "Legal moves, each as likely as any other, into this array.")
        .def("choosers", [](Batch& self) {
            auto flags = make_array<std::uint8_t>({self.size(), self.shape().roles()});
            GilRelease released;
            self.choosers(flags.data());
            return flags;
        }, "Which roles have more than one legal move.")
        .def("step", [](Batch& self, Rows<std::uint32_t> joint, Chosen chosen, bool tell, bool begin_anew,
                        std::optional<Bytes> fluents, std::optional<Bytes> legal) -> nb::object {
            const std::uint32_t* moves = joint_moves_of(self, joint);
            const std::uint8_t* games = chosen_games(self, chosen);
            const auto percepts = static_cast<std::uint32_t>(self.shape().percepts.size());
            const std::size_t told_words = self.shape().percept_words();
            AfterStep then;
            then.begin_anew = begin_anew;
            if (fluents) then.fluents = room_for(self, *fluents, self.shape().fluents);
            if (legal) then.legal = room_for(self, *legal, self.shape().all_moves);
            std::vector<Bits> bits(tell ? self.size() * told_words : 0);
            if (tell) then.told = bits.data();
            std::pair<std::size_t, std::uint32_t> illegal;
            {
                GilRelease released;
                illegal = self.first_illegal(moves, games);
                if (illegal.first == self.size()) self.step(moves, games, then);
            }
            if (illegal.first < self.size()) return nb::cast(illegal);
            if (!tell) return nb::none();
            auto told = make_array<std::uint8_t>({self.size(), percepts});
            row_kernels().unpack({bits.data(), told_words, 0, percepts}, self.size(), told.data());
            return nb::cast(told);
        }, "joint"_a, "chosen"_a.none(), "tell"_a, "begin_anew"_a, "fluents"_a.noconvert().none(), "legal"_a.noconvert().none(),
           nb::sig("def step(self, joint: numpy.typing.NDArray[numpy.uint32], chosen: numpy.typing.NDArray[numpy.uint8] | None, "
                   "tell: bool, begin_anew: bool, fluents: numpy.typing.NDArray[numpy.uint8] | None, "
                   "legal: numpy.typing.NDArray[numpy.uint8] | None) -> tuple[int, int] | numpy.typing.NDArray[numpy.uint8] | None"),
           "Advances the games; with `tell`, what roles are told. Where a move is not legal: its game and role, and nothing is done.")
        .def("standing", [](const Batch& self, std::size_t game) { return self.standings()[checked_game(self, game)]; }, "game"_a,
             "How a game is.")
        .def("choosing", [](const Batch& self, std::size_t game) {
            std::vector<std::uint32_t> found;
            std::uint32_t first = 0;
            for (std::uint32_t role = 0; role < self.shape().roles(); first += self.shape().moves[role++])
                if (self.standings()[checked_game(self, game)] == 0
                    && count_bits(self.legal() + game * self.shape().legal_words(), first, first + self.shape().moves[role]) > 1)
                    found.push_back(role);
            return found;
        }, "game"_a, "The roles that have more than one legal move in a game.")
        .def("legal_numbers", [](const Batch& self, std::size_t game, std::uint32_t role) {
            if (role >= self.shape().roles()) throw std::invalid_argument("there is no such role");
            std::vector<std::uint32_t> found;
            std::uint32_t first = 0;
            for (std::uint32_t before = 0; before < role; ++before) first += self.shape().moves[before];
            for_bits(self.legal() + checked_game(self, game) * self.shape().legal_words(), first, first + self.shape().moves[role],
                     [&](std::uint32_t number) { found.push_back(number); });
            return found;
        }, "game"_a, "role"_a, "The numbers of a role's legal moves in a game.")
        .def("step_alone", [](Batch& self, std::vector<std::int64_t> wanted) -> std::vector<std::uint32_t> {
            if (self.size() != 1 || wanted.size() != self.shape().roles()) throw std::invalid_argument("not one game, or not one move a role");
            std::vector<std::uint32_t> joint(wanted.size());
            self.sample(nullptr, joint.data());
            for (std::size_t role = 0; role < joint.size(); ++role)
                if (wanted[role] >= 0) joint[role] = static_cast<std::uint32_t>(wanted[role]);
            if (self.first_illegal(joint.data(), nullptr).first < self.size()) return {};
            self.step(joint.data(), nullptr, {});
            return joint;
        }, "wanted"_a, "Advances a game that is alone: by these moves, and by random ones where they are negative. The joint move; "
                       "empty where one is not legal, and nothing is done.")
        .def("set", [](Batch& self, List<std::uint64_t> state, Chosen chosen) {
            if (state.size() != self.shape().state_words()) throw std::invalid_argument("the state has the wrong number of words");
            self.set(chosen_games(self, chosen), state.data());
        }, "state"_a, "chosen"_a.none(), "Puts games into a state.")
        .def("goals", [](Batch& self) {
            auto values = make_array<std::int16_t>({self.size(), self.shape().roles()});
            GilRelease released;
            self.goals(values.data());
            return values;
        }, "Goal values by game and role; -1 where not exactly one holds.")
        .def("write_fluents", [](Batch& self, Bytes out) {
            std::uint8_t* bytes = room_for(self, out, self.shape().fluents);
            GilRelease released;
            self.write_fluents(bytes);
        }, "out"_a.noconvert(), "What holds, a byte a fluent, into this array.")
        .def("write_legal", [](Batch& self, Bytes out, std::uint32_t first, std::uint32_t end) {
            if (first > end || end > self.shape().all_moves) throw std::invalid_argument("there are no such moves");
            std::uint8_t* bytes = room_for(self, out, end - first);
            GilRelease released;
            self.write_legal(first, end, bytes);
        }, "out"_a.noconvert(), "first"_a, "end"_a, "What is legal, a byte a move, into this array.");
}

}  // namespace ludorum::bindings
