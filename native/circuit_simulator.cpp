#include "circuit_simulator.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "choice.h"
#include "transpose.h"

namespace ludorum {

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

namespace {

// Words aligned for the widest vectors.
class AlignedWords {
public:
    explicit AlignedWords(std::size_t words) : words_(words) {
        const std::size_t bytes = std::max<std::size_t>(64, (words * 8 + 63) / 64 * 64);
        data_ = static_cast<std::uint64_t*>(::operator new(bytes, std::align_val_t{64}));
        std::memset(data_, 0, bytes);
    }
    ~AlignedWords() { ::operator delete(data_, std::align_val_t{64}); }
    AlignedWords(const AlignedWords&) = delete;
    AlignedWords& operator=(const AlignedWords&) = delete;
    std::uint64_t* data() { return data_; }

private:
    std::size_t words_;
    std::uint64_t* data_;
};

}  // namespace

// The program for one width: operands scaled to words.
class CircuitSimulator::Code {
public:
    Code(const Program& program, const Kernels& kernels) : kernels_(kernels) {
        const std::uint32_t n = kernels.columns;
        terminal_ = scale(program.terminal);
        legal_ = scale(program.legal);
        next_ = scale(program.next);
        goal_ = scale(program.goal);
        percept_ = scale(program.percept);
        for (auto [to, from] : program.transfers) {
            transfer_to_.push_back(to * n);
            transfer_from_.push_back(from * n);
        }
        for (Slot slot : program.legal_slots) legal_slots_.push_back(slot * n);
        for (std::uint32_t move = 0; move < program.all_moves(); ++move)
            move_slots_.push_back((program.first_move_slot() + move) * n);
        for (std::uint32_t fluent : program.goal_fluents) goal_fluents_.push_back((Program::kFluentSlots + fluent) * n);
        for (const GoalSlot& goal : program.goals) {
            goal_roles_.push_back(goal.role);
            goal_values_.push_back(goal.value);
            goal_slots_.push_back(goal.slot * n);
        }
        for (std::uint32_t moves : program.moves) {
            trees_.push_back(choice_tree(moves));
            if (moves == 0) {
                nodes_.emplace_back();
                continue;
            }
            auto& nodes = nodes_.emplace_back();
            for (const ChoiceNode& node : trees_.back().nodes)
                nodes.push_back({node.left, node.right, node.bits, node.planes});
            rank_bits_ = std::max(rank_bits_, trees_.back().nodes.back().bits);
        }
    }

    const Kernels& kernels() const { return kernels_; }
    std::uint32_t columns() const { return kernels_.columns; }
    std::uint32_t lanes() const { return 64 * kernels_.columns; }

    struct ScaledCone {
        std::vector<KernelRun> runs;
        std::vector<std::uint32_t> operands;
        KernelCode code() const { return {runs.data(), static_cast<std::uint32_t>(runs.size()), operands.data()}; }
    };

    ScaledCone terminal_, legal_, next_, goal_, percept_;
    std::vector<std::uint32_t> transfer_to_, transfer_from_, legal_slots_, move_slots_;
    std::vector<std::uint32_t> goal_fluents_, goal_roles_, goal_slots_;
    std::vector<std::int16_t> goal_values_;
    std::vector<ChoiceTree> trees_;
    std::vector<std::vector<KernelChoiceNode>> nodes_;
    std::uint32_t rank_bits_ = 0;

private:
    ScaledCone scale(const Cone& cone) const {
        ScaledCone scaled;
        for (const Run& run : cone.runs) scaled.runs.push_back({run.op, run.shape, run.count, run.target, run.operands});
        scaled.operands = cone.operands;
        for (std::uint32_t& operand : scaled.operands) operand *= kernels_.columns;
        return scaled;
    }

    const Kernels& kernels_;
};

// The lanes of one thread.
class CircuitSimulator::Workspace {
public:
    Workspace(const Code& code, const Program& program)
        : code(code),
          slots(std::size_t{program.slots} * code.columns()),
          goal_slots(std::size_t{program.goal_slots} * code.columns()),
          percept_slots(std::size_t{program.percept_slots} * code.columns()),
          scratch(scratch_words(code, program)) {
        const std::uint32_t n = code.columns();
        set_constants(slots, n);
        set_constants(goal_slots, n);
        set_constants(percept_slots, n);
        std::uint64_t* planes = scratch.data();
        std::uint32_t move = 0;
        std::uint32_t random_bits = 0;
        for (std::size_t r = 0; r < program.moves.size(); ++r) {
            const ChoiceTree& tree = code.trees_[r];
            KernelRole role{};
            role.moves = program.moves[r];
            role.legal = code.legal_slots_.data() + move;
            role.chosen = code.move_slots_.data() + move;
            role.groups = tree.groups;
            role.nodes = static_cast<std::uint32_t>(tree.nodes.size());
            role.tree = code.nodes_[r].data();
            role.counts = planes;
            planes += std::size_t{tree.planes} * n;
            role.ranks = planes;
            planes += std::size_t{tree.planes} * n;
            role.empty = empty_nodes.emplace_back(tree.nodes.size()).data();
            if (role.moves) random_bits = std::max(random_bits, tree.nodes.back().bits + kExtraRandomBits);
            roles.push_back(role);
            move += role.moves;
        }
        game.terminal = code.terminal_.code();
        game.legal = code.legal_.code();
        game.next = code.next_.code();
        game.goal = code.goal_.code();
        game.terminal_slot = program.terminal_slot * n;
        game.transfers = static_cast<std::uint32_t>(code.transfer_to_.size());
        game.transfer_to = code.transfer_to_.data();
        game.transfer_from = code.transfer_from_.data();
        game.roles = static_cast<std::uint32_t>(roles.size());
        game.role = roles.data();
        game.random_bits = random_bits;
        game.rank_bits = code.rank_bits_;
        game.draw = planes;
        game.goal_fluents = static_cast<std::uint32_t>(code.goal_fluents_.size());
        game.goal_fluent_to = game.goal_fluent_from = code.goal_fluents_.data();
        game.goals = static_cast<std::uint32_t>(code.goal_roles_.size());
        game.goal_role = code.goal_roles_.data();
        game.goal_value = code.goal_values_.data();
        game.goal_slot = code.goal_slots_.data();
    }

    // A probability is off by at most 2^-16 of itself.
    static constexpr std::uint32_t kExtraRandomBits = 16;

    const Code& code;
    AlignedWords slots, goal_slots, percept_slots, scratch;
    std::vector<std::vector<std::uint8_t>> empty_nodes;
    std::vector<KernelRole> roles;
    KernelGame game{};

private:
    static std::size_t scratch_words(const Code& code, const Program& program) {
        std::size_t planes = 2 * code.rank_bits_ + 2 * program.moves.size();
        for (const ChoiceTree& tree : code.trees_) planes += 2 * tree.planes;
        return planes * code.columns();
    }

    static void set_constants(AlignedWords& words, std::uint32_t n) {
        for (std::uint32_t c = 0; c < n; ++c) {
            words.data()[c] = 0;
            words.data()[n + c] = ~std::uint64_t{0};
        }
    }
};

CircuitSimulator::CircuitSimulator(const Circuit& circuit, const std::vector<KernelChoice>& kernels) {
    circuit.check();
    program_ = lower(circuit);
    program_.turns = circuit.turns;
    shape_.fluents = circuit.fluents;
    shape_.moves = circuit.moves;
    shape_.all_moves = circuit.all_moves();
    for (const Circuit::Percept& percept : circuit.percepts) shape_.percepts.push_back(percept.role);
    if (std::uint64_t{program_.slots} * 8 > 0xFFFFFFFFull) throw std::invalid_argument("the circuit is too large");
    for (const KernelChoice& choice : kernels)
        codes_.push_back(std::make_unique<Code>(program_, *choice.kernels));
}

CircuitSimulator::~CircuitSimulator() = default;

const CircuitSimulator::Code& CircuitSimulator::code(std::uint32_t lanes) const {
    for (const auto& code : codes_)
        if (code->lanes() == lanes) return *code;
    throw std::invalid_argument("lanes must be 64, 256 or 512");
}

const CircuitSimulator::Code& CircuitSimulator::code_for(std::size_t states) const {
    for (const auto& code : codes_)
        if (states <= code->lanes()) return *code;
    return *codes_.back();
}

std::unique_ptr<CircuitSimulator::Workspace> CircuitSimulator::borrow(const Code& code) const {
    {
        std::lock_guard lock(mutex_);
        for (auto& workspace : idle_)
            if (&workspace->code == &code) {
                std::swap(workspace, idle_.back());
                auto taken = std::move(idle_.back());
                idle_.pop_back();
                return taken;
            }
    }
    return std::make_unique<Workspace>(code, program_);
}

void CircuitSimulator::give_back(std::unique_ptr<Workspace> workspace) const {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(workspace));
}

namespace {

// Rows of `bits` bits, `count` of them (at most 64), to planes[bit * columns + column].
void to_planes(const Bits* rows, std::size_t row_words, std::size_t count, std::size_t bits, std::uint64_t* planes,
               std::uint32_t columns, std::uint32_t column) {
    std::uint64_t block[64];
    for (std::size_t word = 0; word < row_words; ++word) {
        for (std::size_t i = 0; i < 64; ++i) block[i] = i < count ? rows[i * row_words + word] : 0;
        transpose(block);
        for (std::size_t i = 0; i < 64 && 64 * word + i < bits; ++i) planes[(64 * word + i) * columns + column] = block[i];
    }
}

// And back; `plane(bit)` says where the plane of a bit is.
template <class Plane>
void to_rows(Plane plane, std::size_t bits, std::size_t row_words, std::size_t count, Bits* rows, std::uint32_t column) {
    std::uint64_t block[64];
    for (std::size_t word = 0; word < row_words; ++word) {
        for (std::size_t i = 0; i < 64; ++i) block[i] = 64 * word + i < bits ? plane(64 * word + i)[column] : 0;
        transpose(block);
        for (std::size_t i = 0; i < count; ++i) rows[i * row_words + word] = block[i];
    }
}

// Calls visit(first, count, column) for every group of up to 64 states that goes into one column.
template <class Visit> void for_columns(std::size_t first, std::size_t end, std::uint32_t columns, Visit visit) {
    for (std::uint32_t column = 0; column < columns && first < end; ++column, first += 64)
        visit(first, std::min<std::size_t>(64, end - first), column);
}

}  // namespace

void CircuitSimulator::look(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const {
    const Code& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->slots.data();
    const std::size_t state_words = shape_.state_words(), legal_words = shape_.legal_words();
    for (std::size_t first = 0; first < count; first += code.lanes()) {
        const std::size_t end = std::min<std::size_t>(count, first + code.lanes());
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_planes(states + at * state_words, state_words, some, shape_.fluents, slots + Program::kFluentSlots * n, n, column);
        });
        code.kernels().evaluate(work->game.terminal, slots);
        // Before the legal cone runs: it may use the slot again.
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            const std::uint64_t bits = slots[work->game.terminal_slot + column];
            for (std::size_t i = 0; i < some; ++i) terminal[at + i] = (bits >> i) & 1;
        });
        code.kernels().evaluate(work->game.legal, slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_rows([&](std::size_t move) { return slots + code.legal_slots_[move]; }, shape_.all_moves, legal_words, some,
                    legal + at * legal_words, column);
        });
    }
    give_back(std::move(work));
}

namespace {

// One bit a move from the joint moves of up to 64 lanes.
void set_moves(const Shape& shape, const std::uint32_t* joint, std::size_t count, std::uint64_t* planes, std::uint32_t columns,
               std::uint32_t column) {
    for (std::uint32_t move = 0; move < shape.all_moves; ++move) planes[std::size_t{move} * columns + column] = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t first = 0;
        for (std::uint32_t role = 0; role < shape.roles(); ++role) {
            planes[std::size_t{first + joint[i * shape.roles() + role]} * columns + column] |= std::uint64_t{1} << i;
            first += shape.moves[role];
        }
    }
}

}  // namespace

void CircuitSimulator::step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const {
    const Code& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->slots.data();
    const std::size_t state_words = shape_.state_words();
    for (std::size_t first = 0; first < count; first += code.lanes()) {
        const std::size_t end = std::min<std::size_t>(count, first + code.lanes());
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_planes(states + at * state_words, state_words, some, shape_.fluents, slots + Program::kFluentSlots * n, n, column);
            set_moves(shape_, joint + at * shape_.roles(), some, slots + std::size_t{program_.first_move_slot()} * n, n, column);
        });
        code.kernels().evaluate(work->game.terminal, slots);
        code.kernels().evaluate(work->game.legal, slots);
        code.kernels().evaluate(work->game.next, slots);
        code.kernels().transfer(work->game, slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_rows([&](std::size_t fluent) { return slots + (Program::kFluentSlots + fluent) * n; }, shape_.fluents, state_words,
                    some, successors + at * state_words, column);
        });
    }
    give_back(std::move(work));
}

void CircuitSimulator::goals(const Bits* states, std::size_t count, std::int16_t* values) const {
    const Code& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->goal_slots.data();
    const std::size_t state_words = shape_.state_words(), roles = shape_.roles();
    for (std::size_t first = 0; first < count; first += code.lanes()) {
        const std::size_t end = std::min<std::size_t>(count, first + code.lanes());
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_planes(states + at * state_words, state_words, some, shape_.fluents, slots + Program::kFluentSlots * n, n, column);
        });
        code.kernels().evaluate(work->game.goal, slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            for (std::size_t i = 0; i < some; ++i) {
                std::int16_t* row = values + (at + i) * roles;
                std::fill(row, row + roles, kNoGoal);
                std::vector<bool> several(roles, false);
                for (std::size_t g = 0; g < code.goal_roles_.size(); ++g) {
                    if (!((slots[code.goal_slots_[g] + column] >> i) & 1)) continue;
                    const std::uint32_t role = code.goal_roles_[g];
                    if (row[role] != kNoGoal) several[role] = true;
                    row[role] = code.goal_values_[g];
                }
                for (std::size_t role = 0; role < roles; ++role)
                    if (several[role]) row[role] = kNoGoal;
            }
        });
    }
    give_back(std::move(work));
}

void CircuitSimulator::percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const {
    const std::size_t percept_words = shape_.percept_words();
    if (percept_words == 0) return;
    const Code& code = code_for(count);
    auto work = borrow(code);
    const std::uint32_t n = code.columns();
    std::uint64_t* slots = work->percept_slots.data();
    const std::size_t state_words = shape_.state_words();
    for (std::size_t first = 0; first < count; first += code.lanes()) {
        const std::size_t end = std::min<std::size_t>(count, first + code.lanes());
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_planes(states + at * state_words, state_words, some, shape_.fluents, slots + Program::kFluentSlots * n, n, column);
            set_moves(shape_, joint + at * shape_.roles(), some, slots + std::size_t{program_.first_move_slot()} * n, n, column);
        });
        code.kernels().evaluate(code.percept_.code(), slots);
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_rows([&](std::size_t percept) { return slots + std::size_t{program_.percepts[percept].slot} * n; },
                    program_.percepts.size(), percept_words, some, told + at * percept_words, column);
        });
    }
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

PlayoutWork CircuitSimulator::run_playouts(const Code& code, const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                                           const std::atomic<std::int32_t>& stop) const {
    const std::uint32_t n = code.columns();
    std::uint64_t next_block = 0;
    const auto play = [&](PlayoutWork& done) {
        auto work = borrow(code);
        std::uint64_t* slots = work->slots.data();
        const auto holds = [&](std::uint32_t fluent) { return (state[fluent / 64] >> (fluent % 64)) & 1; };
        for (std::uint32_t fluent = 0; fluent < shape_.fluents; ++fluent)
            for (std::uint32_t c = 0; c < n; ++c)
                slots[std::size_t{Program::kFluentSlots + fluent} * n + c] = holds(fluent) ? ~std::uint64_t{0} : 0;
        code.kernels().evaluate(work->game.terminal, slots);
        std::vector<std::uint32_t> set, clear;
        const auto give = [&](Slot slot) { (slots[std::size_t{slot} * n] & 1 ? set : clear).push_back(slot * n); };
        for (std::uint32_t fluent = 0; fluent < shape_.fluents; ++fluent) give(Program::kFluentSlots + fluent);
        for (Slot slot : program_.carried) give(slot);

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
        job.playouts = spec.playouts;
        job.block_size = block_size(spec.playouts);
        job.next_block = &next_block;
        static_assert(sizeof(std::atomic<std::int32_t>) == sizeof(std::int32_t));
        job.stop = reinterpret_cast<const std::int32_t*>(&stop);
        job.goals = results.goals;
        job.lengths = results.lengths;
        job.outcomes = results.outcomes;
        code.kernels().play(work->game, job);
        done.steps = job.steps;
        done.goal_evaluations = job.goal_evaluations;
        give_back(std::move(work));
    };
    std::vector<PlayoutWork> done(std::max(1u, spec.threads));
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < done.size(); ++i) others.emplace_back(play, std::ref(done[i]));
        play(done[0]);
    }
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
    std::fill(results.goals, results.goals + spec.playouts * shape_.roles(), kNoGoal);
    std::fill(results.outcomes, results.outcomes + spec.playouts, std::uint8_t{kFinished});
    std::uint8_t is_terminal = 0;
    std::vector<Bits> legal(shape_.legal_words());
    look(state, 1, &is_terminal, legal.data());
    if (is_terminal || spec.max_steps == 0) {
        std::vector<std::int16_t> values(shape_.roles());
        goals(state, 1, values.data());
        for (std::uint64_t i = 0; i < spec.playouts; ++i) {
            std::copy(values.begin(), values.end(), results.goals + i * shape_.roles());
            results.lengths[i] = 0;
            results.outcomes[i] = is_terminal ? kFinished : kCut;
        }
        return {};
    }
    const std::uint32_t lanes = spec.lanes ? spec.lanes : spec.playouts <= 64 ? 64 : fastest_lanes(state);
    return run_playouts(code(lanes), state, spec, results, stop);
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

}  // namespace ludorum
