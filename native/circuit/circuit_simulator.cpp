#include "circuit/circuit_simulator.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "circuit/circuit_leaf_playouts.h"
#include "circuit/circuit_workspace.h"
#include "circuit/incremental_evaluator.h"
#include "support/parallel.h"
#include "support/rows/row_kernels.h"

namespace ludorum::circuit {

std::vector<KernelChoice> all_kernels() {
    std::vector<KernelChoice> found{{&kKernels64Base, "scalar"}, {&kKernels256Base, "vector"}};
    const KernelChoice plain_512{&kKernels512Base, "vector"};
#if defined(LUDORUM_X86)
    __builtin_cpu_init();
    const bool has_avx2 = __builtin_cpu_supports("avx2");
    if (has_avx2) found.push_back({&kKernels256Avx2, "avx2"});
    found.push_back(plain_512);
    if (has_avx2) found.push_back({&kKernels512Avx2, "avx2"});
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        found.push_back({&kKernels512Avx512, "avx512"});
#else
    found.push_back(plain_512);
#endif
    return found;
}

const std::vector<KernelChoice>& available_kernels() {
    static const std::vector<KernelChoice> best = [] {
        std::vector<KernelChoice> found;
        for (const KernelChoice& choice : all_kernels()) {
            if (!found.empty() && found.back().kernels->columns == choice.kernels->columns) found.back() = choice;
            else found.push_back(choice);
        }
        return found;
    }();
    return best;
}

CircuitSimulator::CircuitSimulator(const Circuit& circuit, const std::vector<KernelChoice>& kernels) : circuit_(circuit) {
    circuit.check();
    program_ = lower(circuit);
    shape_.fluents = circuit.fluents;
    shape_.moves = circuit.moves;
    shape_.all_moves = circuit.all_moves();
    for (const Circuit::Percept& percept : circuit.percepts) shape_.percepts.push_back(percept.role);
    if (std::uint64_t{program_.slots} * 8 > 0xFFFFFFFFull) throw std::invalid_argument("the circuit is too large");
    for (const KernelChoice& choice : kernels)
        codes_.push_back(std::make_unique<CircuitCode>(program_, *choice.kernels));
}

CircuitSimulator::~CircuitSimulator() = default;

const CircuitSimulator::Compiled& CircuitSimulator::decisive_program() const {
    std::call_once(decisive_once_, [&] {
        auto made = std::make_unique<Compiled>(Compiled{lower(circuit_, Following::kDecisive), {}});
        for (const auto& code : codes_) made->codes.push_back(std::make_unique<CircuitCode>(made->program, code->kernels()));
        decisive_ = std::move(made);
    });
    return *decisive_;
}

const IncrementalPlan& CircuitSimulator::incremental_plan() const {
    std::lock_guard lock(mutex_);
    if (!incremental_plan_) incremental_plan_ = std::make_unique<IncrementalPlan>(circuit_);
    return *incremental_plan_;
}

// Who asks about one state mostly asks about one near it next: a person's match, a search in depth.
template <class Ask> void CircuitSimulator::follow(const Bits* state, Ask ask) const {
    const IncrementalPlan& plan = incremental_plan();
    std::unique_ptr<IncrementalEvaluator> evaluator;
    {
        std::lock_guard lock(mutex_);
        if (!evaluators_.empty()) {
            evaluator = std::move(evaluators_.back());
            evaluators_.pop_back();
        }
    }
    if (!evaluator) evaluator = std::make_unique<IncrementalEvaluator>(plan);
    evaluator->load(state);
    ask(*evaluator);
    std::lock_guard lock(mutex_);
    evaluators_.push_back(std::move(evaluator));
}

const CircuitCode& CircuitSimulator::code(std::uint32_t lanes) const {
    for (const auto& code : codes_)
        if (code->lanes() == lanes) return *code;
    throw std::invalid_argument("lanes must be 64, 256 or 512");
}

const CircuitCode& CircuitSimulator::code_for(std::size_t states) const {
    for (const auto& code : codes_)
        if (states <= code->lanes()) return *code;
    return *codes_.back();
}

std::unique_ptr<CircuitWorkspace> CircuitSimulator::borrow(const CircuitCode& code) const {
    const std::thread::id me = std::this_thread::get_id();
    {
        std::lock_guard lock(mutex_);
        auto found = idle_.end();
        for (auto it = idle_.begin(); it != idle_.end(); ++it) {
            if (&(*it)->code != &code) continue;
            found = it;
            // What this thread used last is in the cache of its core.
            if ((*it)->user == me) break;
        }
        if (found != idle_.end()) {
            std::swap(*found, idle_.back());
            auto taken = std::move(idle_.back());
            idle_.pop_back();
            taken->user = me;
            return taken;
        }
    }
    auto made = std::make_unique<CircuitWorkspace>(code, program_);
    made->user = me;
    return made;
}

void CircuitSimulator::give_back(std::unique_ptr<CircuitWorkspace> workspace) const {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(workspace));
}

std::uint32_t CircuitSimulator::phase_of(const Bits* states, std::size_t count) const {
    return program_.turn_cycle.phase_of_all(count, [&](std::size_t i) { return states + i * shape_.state_words(); });
}

void CircuitSimulator::terminal_and_legal(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const {
    if (count == 1)
        return follow(states, [&](IncrementalEvaluator& evaluator) {
            *terminal = evaluator.is_terminal();
            evaluator.legal_row(legal);
        });
    const CircuitCode& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->slots.data();
    const std::size_t legal_words = shape_.legal_words();
    const std::uint32_t phase = phase_of(states, count);
    const KernelGame& game = work->game(phase);
    const ScaledSteps& steps = code.steps(phase);
    by_lanes(code, program_, shape_, {states, count}, slots, [&](std::size_t first, std::size_t end) {
        code.kernels().evaluate(game.terminal, slots);
        // Before the legal cone runs: it may use the slot again.
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            const std::uint64_t bits = slots[game.terminal_slot + column];
            row_kernels().unpack({&bits, 1, 0, static_cast<std::uint32_t>(some)}, 1, terminal + at);
        });
        code.kernels().evaluate(game.legal, slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_rows([&](std::size_t move) { return slots + steps.legal_slots[move]; }, shape_.all_moves, legal_words, some,
                    legal + at * legal_words, column);
        });
    });
    give_back(std::move(work));
}

void CircuitSimulator::step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const {
    if (count == 1) return follow(states, [&](IncrementalEvaluator& evaluator) { evaluator.successor(joint, successors); });
    const CircuitCode& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->slots.data();
    const std::size_t state_words = shape_.state_words();
    const KernelGame& game = work->game(phase_of(states, count));
    by_lanes(code, program_, shape_, {states, count, joint}, slots, [&](std::size_t first, std::size_t end) {
        code.kernels().evaluate(game.terminal, slots);
        code.kernels().evaluate(game.legal, slots);
        code.kernels().evaluate(game.next, slots);
        code.kernels().transfer(game, slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_rows([&](std::size_t fluent) { return slots + (Program::kFluentSlots + fluent) * n; }, shape_.fluents, state_words,
                    some, successors + at * state_words, column);
        });
    });
    give_back(std::move(work));
}

void CircuitSimulator::advance(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors,
                               std::uint8_t* terminal, Bits* legal) const {
    if (count == 1)
        return follow(states, [&](IncrementalEvaluator& evaluator) {
            evaluator.successor(joint, successors);
            evaluator.load(successors);
            *terminal = evaluator.is_terminal();
            evaluator.legal_row(legal);
        });
    const CircuitCode& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->slots.data();
    const std::size_t state_words = shape_.state_words(), legal_words = shape_.legal_words();
    const std::uint32_t phase = phase_of(states, count);
    const std::uint32_t phase_after = phase == TurnCycle::kNone ? phase : program_.turn_cycle.after(phase);
    const KernelGame &before = work->game(phase), &after = work->game(phase_after);
    const ScaledSteps& steps = code.steps(phase_after);
    by_lanes(code, program_, shape_, {states, count, joint}, slots, [&](std::size_t first, std::size_t end) {
        if (!code.steps(phase).carried.empty()) code.kernels().evaluate(before.terminal, slots);
        code.kernels().evaluate(before.legal, slots);
        code.kernels().evaluate(before.next, slots);
        code.kernels().transfer(before, slots);
        code.kernels().evaluate(after.terminal, slots);
        // Before the legal cone runs: it may use the slot again.
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            const std::uint64_t bits = slots[after.terminal_slot + column];
            row_kernels().unpack({&bits, 1, 0, static_cast<std::uint32_t>(some)}, 1, terminal + at);
        });
        code.kernels().evaluate(after.legal, slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_rows([&](std::size_t number) { return slots + steps.legal_slots[number]; }, shape_.all_moves, legal_words, some,
                    legal + at * legal_words, column);
            to_rows([&](std::size_t fluent) { return slots + (Program::kFluentSlots + fluent) * n; }, shape_.fluents, state_words,
                    some, successors + at * state_words, column);
        });
    });
    give_back(std::move(work));
}

void CircuitSimulator::goals(const Bits* states, std::size_t count, std::int16_t* values) const {
    if (count == 1) return follow(states, [&](IncrementalEvaluator& evaluator) { evaluator.goals(values); });
    const CircuitCode& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->goal_slots.data();
    const std::size_t roles = shape_.roles();
    // By role, in which lanes it has a goal value, and in which more than one.
    std::vector<std::uint64_t> found(roles), several(roles);
    by_lanes(code, program_, shape_, {states, count}, slots, [&](std::size_t first, std::size_t end) {
        code.kernels().evaluate(code.goal_.code(), slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            std::int16_t* rows = values + at * roles;
            std::fill(rows, rows + some * roles, kNoGoal);
            const std::uint64_t asked = some < 64 ? (std::uint64_t{1} << some) - 1 : ~std::uint64_t{0};
            std::fill(found.begin(), found.end(), std::uint64_t{0});
            std::fill(several.begin(), several.end(), std::uint64_t{0});
            const auto set = [&](std::uint64_t lanes, std::uint32_t role, std::int16_t value) {
                for (; lanes; lanes &= lanes - 1) rows[static_cast<std::size_t>(std::countr_zero(lanes)) * roles + role] = value;
            };
            for (std::size_t g = 0; g < code.goal_roles_.size(); ++g) {
                const std::uint64_t lanes = slots[code.goal_slots_[g] + column] & asked;
                const std::uint32_t role = code.goal_roles_[g];
                several[role] |= found[role] & lanes;
                found[role] |= lanes;
                set(lanes, role, code.goal_values_[g]);
            }
            for (std::uint32_t role = 0; role < roles; ++role) set(several[role], role, kNoGoal);
        });
    });
    give_back(std::move(work));
}

void CircuitSimulator::percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const {
    const std::size_t percept_words = shape_.percept_words();
    if (percept_words == 0) return;
    const CircuitCode& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->percept_slots.data();
    by_lanes(code, program_, shape_, {states, count, joint}, slots, [&](std::size_t first, std::size_t end) {
        code.kernels().evaluate(code.percept_.code(), slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_rows([&](std::size_t percept) { return slots + std::size_t{program_.percepts[percept].slot} * n; },
                    program_.percepts.size(), percept_words, some, told + at * percept_words, column);
        });
    });
    give_back(std::move(work));
}

namespace {

// A function of the number of playouts alone, so that the machine makes no difference to the results. Large blocks
// lose less at their end, where lanes fall idle; small jobs need several blocks to fill the width.
std::uint64_t block_size(std::uint64_t playouts) {
    const std::uint64_t games_a_lane = std::clamp<std::uint64_t>(playouts / 4096, 1, 64);
    return 64 * games_a_lane;
}

}  // namespace

PlayoutWork CircuitSimulator::run_playouts(const CircuitCode& code, const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                                           const std::atomic<std::int32_t>& stop) const {
    const std::uint32_t n = code.columns();
    const std::uint32_t phase = phase_of(state, 1);
    const bool by_phases = phase != TurnCycle::kNone;
    std::uint64_t next_block = 0;
    const auto play = [&](PlayoutWork& done) {
        auto work = borrow(code);
        std::uint64_t* slots = work->slots.data();
        const auto holds = [&](std::uint32_t fluent) { return (state[fluent / 64] >> (fluent % 64)) & 1; };
        for (std::uint32_t fluent = 0; fluent < shape_.fluents; ++fluent)
            for (std::uint32_t c = 0; c < n; ++c)
                slots[std::size_t{Program::kFluentSlots + fluent} * n + c] = holds(fluent) ? ~std::uint64_t{0} : 0;
        code.kernels().evaluate(work->game(phase).terminal, slots);
        std::vector<std::uint32_t> set, clear;
        const auto give = [&](Slot slot) { (slots[std::size_t{slot} * n] & 1 ? set : clear).push_back(slot * n); };
        for (std::uint32_t fluent = 0; fluent < shape_.fluents; ++fluent) give(Program::kFluentSlots + fluent);
        for (Slot slot : code.steps(phase).carried) give(slot);

        KernelPlayouts job{};
        job.slots = slots;
        job.goal_slots = work->goal_slots.data();
        job.sets = static_cast<std::uint32_t>(set.size());
        job.clears = static_cast<std::uint32_t>(clear.size());
        job.set = set.data();
        job.clear = clear.data();
        job.seed = spec.seed;
        job.max_steps = spec.max_steps;
        job.turns = program_.turns;
        job.phase = by_phases ? phase : 0;
        job.playouts = spec.playouts;
        job.block_size = block_size(spec.playouts);
        job.next_block = &next_block;
        static_assert(sizeof(std::atomic<std::int32_t>) == sizeof(std::int32_t));
        job.stop = reinterpret_cast<const std::int32_t*>(&stop);
        job.no_goal = kNoGoal;
        job.goals = results.goals;
        job.lengths = results.lengths;
        job.outcomes = results.outcomes;
        code.kernels().play(work->round(by_phases), job);
        done.steps = job.steps;
        done.goal_evaluations = job.goal_evaluations;
        give_back(std::move(work));
    };
    std::vector<PlayoutWork> done(std::max(1u, spec.threads));
    // Where one has failed nobody takes another block.
    parallel_invoke(static_cast<std::uint32_t>(done.size()), [&](std::uint32_t i) { play(done[i]); },
             [&] { __atomic_store_n(&next_block, spec.playouts, __ATOMIC_RELAXED); });
    PlayoutWork total;
    total.lanes = code.lanes();
    for (const PlayoutWork& part : done) {
        total.steps += part.steps;
        total.goal_evaluations += part.goal_evaluations;
    }
    return total;
}

PlayoutWork CircuitSimulator::playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                                       const std::atomic<std::int32_t>& stop) const {
    std::uint8_t is_terminal = 0;
    std::vector<Bits> legal(shape_.legal_words());
    terminal_and_legal(state, 1, &is_terminal, legal.data());
    if (is_terminal || spec.max_steps == 0) {
        std::vector<std::int16_t> values(shape_.roles());
        goals(state, 1, values.data());
        for (std::uint64_t i = 0; i < spec.playouts && !stop; ++i) {
            std::copy(values.begin(), values.end(), results.goals + i * shape_.roles());
            results.lengths[i] = 0;
            results.outcomes[i] = is_terminal ? kFinished : kCut;
        }
        return {};
    }
    const std::uint32_t lanes = spec.lanes ? spec.lanes : spec.playouts <= 64 ? 64 : fastest_lanes(state);
    return run_playouts(code(lanes), state, spec, results, stop);
}

std::unique_ptr<LeafPlayouts> CircuitSimulator::leaf_playouts(const LeafSpec& spec) const {
    std::uint32_t lanes = spec.lanes;
    if (!lanes) {
        std::lock_guard lock(mutex_);
        lanes = fastest_ ? fastest_ : codes_.back()->lanes();
    }
    if (!spec.decisive || decisive_moves() == 0) return std::make_unique<CircuitLeafPlayouts>(code(lanes), program_, shape_, spec);
    const Compiled& made = decisive_program();
    for (const auto& one : made.codes)
        if (one->lanes() == lanes) return std::make_unique<CircuitLeafPlayouts>(*one, made.program, shape_, spec);
    throw std::invalid_argument("lanes must be 64, 256 or 512");
}

std::uint32_t CircuitSimulator::fastest_lanes(const Bits* state) const {
    {
        std::lock_guard lock(mutex_);
        if (fastest_) return fastest_;
    }
    // A trial of steps, not of whole games, so that it is short for long games too.
    constexpr std::uint32_t kSteps = 16;
    double best = 0;
    std::uint32_t fastest = 64;
    for (const auto& code : codes_) {
        PlayoutSpec spec;
        spec.playouts = 2 * code->lanes();
        spec.max_steps = kSteps;
        std::vector<std::int16_t> goals(spec.playouts * shape_.roles());
        std::vector<std::int32_t> lengths(spec.playouts);
        std::vector<std::uint8_t> outcomes(spec.playouts);
        const std::atomic<std::int32_t> stop{0};
        for (int attempt = 0; attempt < 3; ++attempt) {
            const auto begin = std::chrono::steady_clock::now();
            const PlayoutWork work = run_playouts(*code, state, spec, {goals.data(), lengths.data(), outcomes.data()}, stop);
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
            const double rate = static_cast<double>(work.steps * work.lanes) / seconds.count();
            if (rate > best) {
                best = rate;
                fastest = code->lanes();
            }
        }
    }
    std::lock_guard lock(mutex_);
    return fastest_ = fastest;
}

}  // namespace ludorum::circuit
