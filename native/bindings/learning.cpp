// learning.cpp: nets, self-play and training as Python sees them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "evaluation/kernels/net_kernel.h"
#include "evaluation/net.h"
#include "learning/kernels/training_kernel.h"
#include "learning/self_play.h"
#include "learning/trainer.h"
#include "learning/tree_play.h"

using namespace nanobind::literals;

namespace ludorum::bindings {
namespace {

using namespace learning;
using evaluation::net_kernels;
using evaluation::NetEvaluation;
using evaluation::NetKernel;
using evaluation::NetWeights;

template <class T> using Writable = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

const NetKernel& kernel_named(const std::optional<std::string>& instructions) {
    const auto& kernels = net_kernels();
    if (!instructions) return *kernels.back();
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const NetKernel* each) { return *instructions == each->instructions; });
    if (found == kernels.end()) throw std::invalid_argument("this machine has no such instructions");
    return **found;
}

template <class T> Array<T> array_of(const std::vector<T>& numbers, std::vector<std::size_t> shape) {
    auto made = make_array<T>(std::move(shape));
    std::copy(numbers.begin(), numbers.end(), made.data());
    return made;
}

void check_net(const Simulator& simulator, const NetEvaluation& net) {
    if (net.weights().fluents != simulator.shape().fluents || net.weights().roles != simulator.shape().roles())
        throw std::invalid_argument("not a net: it is of another game");
}

PlayOptions play_options(const Simulator& simulator, std::uint32_t games, std::uint64_t seed, std::uint32_t threads, float lambda,
                         float temperature, float epsilon, std::uint32_t random_steps, std::uint32_t max_steps,
                         std::int32_t chance_role, std::uint32_t lanes, std::uint32_t first_game = 0) {
    if (threads < 1 || threads > 1024) throw std::invalid_argument("threads must be between 1 and 1024");
    if (!(temperature > 0)) throw std::invalid_argument("the temperature must be more than 0");
    if (!(lambda >= 0 && lambda <= 1 && epsilon >= 0 && epsilon <= 1)) throw std::invalid_argument("a share is from 0 to 1");
    if (max_steps < 1) throw std::invalid_argument("a game has at least one step");
    if (simulator.shape().roles() > 64) throw std::invalid_argument("too many roles");
    return {games, seed, lanes, threads, lambda, temperature, epsilon, random_steps, max_steps, chance_role, first_game};
}

void check_start(const Simulator& simulator, const Bits* start) {
    const Shape& shape = simulator.shape();
    std::uint8_t terminal = 0;
    std::vector<Bits> legal(shape.legal_words());
    simulator.terminal_and_legal(start, 1, &terminal, legal.data());
    bool is_over = terminal != 0;
    for (std::uint32_t role = 0, first = 0; role < shape.roles(); first += shape.moves[role++])
        is_over |= !any_bit(legal.data(), first, first + shape.moves[role]);
    if (is_over) throw std::invalid_argument("nothing can be played from this state");
}

}  // namespace

void bind_learning(nb::module_& m) {
    nb::class_<NetEvaluation, evaluation::Evaluation>(m, "NetEvaluation", "A net of integers over fluents.")
        .def("__init__", [](NetEvaluation* self, std::uint32_t fluents, std::uint32_t roles, std::uint32_t outputs, std::uint32_t hidden1,
                            std::uint32_t hidden2, List<std::int16_t> columns, List<std::int16_t> bias1, List<std::int16_t> weights2,
                            List<std::int32_t> bias2, List<std::int16_t> weights3, List<std::int32_t> bias3, List<std::int32_t> skip,
                            const std::optional<std::string>& instructions) {
            NetWeights weights{fluents, roles, outputs, hidden1, hidden2, to_vector(columns), to_vector(bias1), to_vector(weights2),
                               to_vector(bias2), to_vector(weights3), to_vector(bias3), to_vector(skip)};
            new (self) NetEvaluation(std::move(weights), kernel_named(instructions));
        }, "fluents"_a, "roles"_a, "outputs"_a, "hidden1"_a, "hidden2"_a, "columns"_a, "bias1"_a, "weights2"_a, "bias2"_a,
           "weights3"_a, "bias3"_a, "skip"_a, "instructions"_a.none() = nb::none())
        .def("outputs", [](const NetEvaluation& self, Rows<std::uint64_t> states, bool is_plain) {
            const NetWeights& weights = self.weights();
            if (states.shape(1) != words_for(weights.fluents)) throw std::invalid_argument("states have the wrong number of words");
            auto found = make_array<std::int32_t>({states.shape(0), weights.outputs});
            GilRelease released;
            if (is_plain) self.plain_outputs(states.data(), states.shape(0), found.data());
            else self.outputs(states.data(), states.shape(0), nullptr, nullptr, found.data());
            return found;
        }, "states"_a, "is_plain"_a = false, "Logits times 65536 of states: by the kernel, or plainly, one number after the other.")
        .def("outputs_after", [](const NetEvaluation& self, Rows<std::uint64_t> states, Rows<std::uint64_t> parents,
                                 List<std::uint32_t> parent_of) {
            const NetWeights& weights = self.weights();
            if (states.shape(1) != words_for(weights.fluents) || parents.shape(1) != states.shape(1))
                throw std::invalid_argument("states have the wrong number of words");
            if (parent_of.size() != states.shape(0)) throw std::invalid_argument("not one parent a state");
            for (std::size_t i = 0; i < parent_of.size(); ++i)
                if (parent_of.data()[i] >= parents.shape(0)) throw std::invalid_argument("a parent that there is not");
            auto found = make_array<std::int32_t>({states.shape(0), weights.outputs});
            GilRelease released;
            self.outputs(states.data(), states.shape(0), parents.data(), parent_of.data(), found.data());
            return found;
        }, "states"_a, "parents"_a, "parent_of"_a, "The same of states by what changed since their parents.")
        .def("time_after", [](const NetEvaluation& self, Rows<std::uint64_t> states, Rows<std::uint64_t> parents,
                              List<std::uint32_t> parent_of) {
            const NetWeights& weights = self.weights();
            if (states.shape(1) != words_for(weights.fluents) || parents.shape(1) != states.shape(1) || parent_of.size() != states.shape(0))
                throw std::invalid_argument("states have the wrong number of words");
            for (std::size_t i = 0; i < parent_of.size(); ++i)
                if (parent_of.data()[i] >= parents.shape(0)) throw std::invalid_argument("a parent that there is not");
            GilRelease released;
            std::vector<std::int32_t> found(states.shape(0) * weights.outputs);
            const std::clock_t begin = std::clock();
            self.outputs(states.data(), states.shape(0), parents.data(), parent_of.data(), found.data());
            return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        }, "states"_a, "parents"_a, "parent_of"_a, "The CPU seconds that this takes.");
    m.def("net_instructions", [] {
        std::vector<std::string> found;
        for (const NetKernel* kernel : net_kernels()) found.emplace_back(kernel->instructions);
        return found;
    }, "The instruction sets that nets can use here, the fastest last.");

    m.def("self_play", [](const Simulator& simulator, const NetEvaluation& net, List<std::uint64_t> start, std::uint32_t games,
                          std::uint64_t seed, std::uint32_t threads, float lambda, float temperature, float epsilon,
                          std::uint32_t random_steps, std::uint32_t max_steps, std::int32_t chance_role, std::uint32_t lanes,
                          std::uint32_t first_game) {
        check_net(simulator, net);
        const Bits* from = single_state(simulator, start);
        check_start(simulator, from);
        const PlayOptions options = play_options(simulator, games, seed, threads, lambda, temperature, epsilon, random_steps, max_steps,
                                                 chance_role, lanes, first_game);
        const Experience found = interruptibly([&](const std::atomic<std::int32_t>& stop) { return self_play(simulator, net, from, options, stop); });
        const std::size_t words = simulator.shape().state_words(), outputs = net.weights().outputs;
        return std::make_tuple(array_of(found.states, {found.states.size() / words, words}),
                               array_of(found.targets, {found.targets.size() / outputs, outputs}),
                               array_of(found.lengths, {found.lengths.size()}),
                               array_of(found.payoffs, {found.lengths.size(), simulator.shape().roles()}), found.evaluations);
    }, "simulator"_a, "net"_a, "start"_a, "games"_a, "seed"_a, "threads"_a = 1, "lambda_"_a = 0.85f, "temperature"_a = 0.5f,
       "epsilon"_a = 0.05f, "random_steps"_a = 4, "max_steps"_a = 500, "chance_role"_a = -1, "lanes"_a = 256, "first_game"_a = 0,
       "Games of a net against itself: states, what they turned out to be worth, lengths, payoffs, and states that were judged.");
    m.def("net_matches", [](const Simulator& simulator, const NetEvaluation& one, const NetEvaluation& other, List<std::uint64_t> start,
                            std::uint32_t games, std::uint64_t seed, std::uint32_t threads, float temperature, std::uint32_t random_steps,
                            std::uint32_t max_steps, std::int32_t chance_role) {
        check_net(simulator, one);
        check_net(simulator, other);
        const Bits* from = single_state(simulator, start);
        check_start(simulator, from);
        if (&one == &other) throw std::invalid_argument("a net cannot be its own opponent");
        if (games % 2 != 0) throw std::invalid_argument("matches come in pairs");
        const PlayOptions options = play_options(simulator, games, seed, threads, 0, temperature, 0, random_steps, max_steps, chance_role, 256);
        const Experience found = interruptibly([&](const std::atomic<std::int32_t>& stop) {
            return net_matches(simulator, one, other, from, options, stop);
        });
        return array_of(found.payoffs, {found.lengths.size(), simulator.shape().roles()});
    }, "simulator"_a, "one"_a, "other"_a, "start"_a, "games"_a, "seed"_a, "threads"_a = 1, "temperature"_a = 0.02f,
       "random_steps"_a = 8, "max_steps"_a = 500, "chance_role"_a = -1,
       "Pairs of games of one net against another, one turn ahead: payoffs by game and role.");

    m.def("tree_play", [](const Simulator& simulator, std::shared_ptr<NetEvaluation> net, List<std::uint64_t> start, std::uint32_t games,
                          std::uint64_t seed, std::uint32_t playouts, std::uint32_t threads, float lambda, float epsilon,
                          std::uint32_t random_steps, std::uint32_t max_steps, std::int32_t chance_role, std::uint32_t prior_visits,
                          std::uint32_t first_game) {
        check_net(simulator, *net);
        const Bits* from = single_state(simulator, start);
        check_start(simulator, from);
        if (playouts < 1) throw std::invalid_argument("a search makes at least one playout");
        const TreePlayOptions options{play_options(simulator, games, seed, threads, lambda, 1, epsilon, random_steps, max_steps, chance_role, 256,
                                                   first_game),
                                      playouts, prior_visits};
        const Experience found = interruptibly([&](const std::atomic<std::int32_t>& stop) { return tree_play(simulator, net, from, options, stop); });
        const std::size_t words = simulator.shape().state_words(), outputs = net->weights().outputs;
        return std::make_tuple(array_of(found.states, {found.states.size() / words, words}),
                               array_of(found.targets, {found.targets.size() / outputs, outputs}),
                               array_of(found.lengths, {found.lengths.size()}));
    }, "simulator"_a, "net"_a, "start"_a, "games"_a, "seed"_a, "playouts"_a = 200, "threads"_a = 1, "lambda_"_a = 0.85f,
       "epsilon"_a = 0.05f, "random_steps"_a = 4, "max_steps"_a = 500, "chance_role"_a = -1, "prior_visits"_a = 64, "first_game"_a = 0,
       "Games of a tree search that asks a net: states, what the trees say they are worth, and lengths.");

    m.def("train", [](std::uint32_t fluents, std::uint32_t outputs, std::uint32_t hidden1, std::uint32_t hidden2,
                      Writable<float> parameters, Writable<float> first_moments, Writable<float> second_moments,
                      Rows<std::uint64_t> states, Rows<float> targets, std::uint32_t batch, float rate, std::uint64_t seed,
                      std::uint64_t steps, std::optional<List<std::uint64_t>> inputs, std::optional<List<std::uint32_t>> ties,
                      const std::optional<std::string>& instructions) {
        const FloatShape shape{fluents, outputs, hidden1, hidden2};
        if (fluents == 0 || outputs == 0 || outputs > kMaxOutputs || hidden1 == 0 || hidden1 % 32 != 0 || hidden1 > kMaxHidden1
            || (hidden2 != 16 && hidden2 != 32 && hidden2 != 64))
            throw std::invalid_argument("a net of a wrong shape");
        if (parameters.size() != shape.size() || first_moments.size() != shape.size() || second_moments.size() != shape.size())
            throw std::invalid_argument("not as many parameters as the shape has");
        if (states.shape(1) != words_for(fluents) || targets.shape(0) != states.shape(0) || targets.shape(1) != outputs)
            throw std::invalid_argument("states and targets have the wrong shape");
        if (states.shape(0) >= std::uint64_t{1} << 32) throw std::invalid_argument("too many states at once");
        if (batch < 1) throw std::invalid_argument("a batch has at least one state");
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (!(targets.data()[i] >= 0 && targets.data()[i] <= 1)) throw std::invalid_argument("targets are from 0 to 1");
        if (fluents % 64 != 0)
            for (std::size_t i = 0; i < states.shape(0); ++i)
                if (states.data()[(i + 1) * states.shape(1) - 1] >> (fluents % 64)) throw std::invalid_argument("a fluent that there is not");
        if (inputs && inputs->size() != words_for(fluents)) throw std::invalid_argument("not a bit a fluent");
        if (ties) {
            if (ties->size() != shape.size()) throw std::invalid_argument("not one tie a parameter");
            for (std::size_t p = 0; p < ties->size(); ++p)
                if (ties->data()[p] > p || ties->data()[ties->data()[p]] != ties->data()[p]) throw std::invalid_argument("a tie to a later parameter");
        }
        const TrainingKernel* kernel = nullptr;
        if (instructions) {
            kernel_named(instructions);
            kernel = *instructions == "base" ? &kTrainingBase : nullptr;
#if defined(LUDORUM_X86)
            if (*instructions == "avx2") kernel = &kTrainingAvx2;
            if (*instructions == "avx512") kernel = &kTrainingAvx512;
#endif
        }
        const TrainOptions options{batch, rate, seed, steps, inputs ? inputs->data() : nullptr, ties ? ties->data() : nullptr};
        return interruptibly([&](const std::atomic<std::int32_t>& stop) {
            return train(shape, parameters.data(), first_moments.data(), second_moments.data(), states.data(), states.shape(0),
                         targets.data(), options, stop, kernel);
        });
    }, "fluents"_a, "outputs"_a, "hidden1"_a, "hidden2"_a, "parameters"_a.noconvert(), "first_moments"_a.noconvert(),
       "second_moments"_a.noconvert(), "states"_a, "targets"_a, "batch"_a, "rate"_a, "seed"_a, "steps"_a,
       "inputs"_a.none() = nb::none(), "ties"_a.none() = nb::none(), "instructions"_a.none() = nb::none(),
       "One pass of training over states; changes the parameters and the moments, and gives the mean loss.");
}

}  // namespace ludorum::bindings
