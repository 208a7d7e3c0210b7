// circuit_workspace.h: the lanes of one thread, in which a program is run, and the
// way of states into them and out again. Inside the circuit's simulator only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "circuit/circuit_code.h"
#include "circuit/kernels/kernels.h"
#include "circuit/program.h"
#include "engine/simulator.h"
#include "support/transpose.h"

namespace ludorum::circuit {

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

// The lanes of one thread.
class CircuitWorkspace {
public:
    CircuitWorkspace(const CircuitCode& code, const Program& program)
        : code(code),
          slots(std::size_t{program.slots} * code.columns()),
          goal_slots(std::size_t{program.goal_slots} * code.columns()),
          percept_slots(std::size_t{program.percept_slots} * code.columns()),
          scratch(scratch_words(code)) {
        set_constants(slots, code.columns());
        set_constants(goal_slots, code.columns());
        set_constants(percept_slots, code.columns());
        std::uint64_t* planes = scratch.data();
        for (const ScaledSteps& steps : code.all_steps()) {
            KernelGame& game = games_.emplace_back();
            std::vector<KernelRole>& roles = roles_.emplace_back();
            for (const ScaledRole& role : steps.roles) roles.push_back(choosing(role, planes));
            game.terminal = steps.terminal.code();
            game.legal = steps.legal.code();
            game.next = steps.next.code();
            game.goal = code.goal_.code();
            game.terminal_slot = steps.terminal_slot;
            game.transfers = static_cast<std::uint32_t>(steps.transfer_to.size());
            game.transfer_to = steps.transfer_to.data();
            game.transfer_from = steps.transfer_from.data();
            game.roles = static_cast<std::uint32_t>(roles.size());
            game.role = roles.data();
            // As many in every phase, so that knowing phases does not change what is drawn.
            game.random_bits = code.rank_bits_ + kExtraRandomBits;
            game.rank_bits = code.rank_bits_;
            game.goal_fluents = static_cast<std::uint32_t>(code.goal_fluents_.size());
            game.goal_fluent_to = game.goal_fluent_from = code.goal_fluents_.data();
            game.goals = static_cast<std::uint32_t>(code.goal_roles_.size());
            game.goal_role = code.goal_roles_.data();
            game.goal_value = code.goal_values_.data();
            game.goal_slot = code.goal_slots_.data();
        }
        for (KernelGame& game : games_) game.draw = planes;
    }

    // The game in this phase, or in any state.
    const KernelGame& game(std::uint32_t phase = TurnCycle::kNone) const { return games_[phase == TurnCycle::kNone ? 0 : 1 + phase]; }
    // All of its phases, or what does for all of them.
    KernelRound round(bool by_phases) const {
        return by_phases ? KernelRound{games_.data() + 1, static_cast<std::uint32_t>(games_.size() - 1)} : KernelRound{games_.data(), 1};
    }

    // A probability is off by at most 2^-16 of itself.
    static constexpr std::uint32_t kExtraRandomBits = 16;

    const CircuitCode& code;
    std::thread::id user;  // the thread that had it last
    AlignedWords slots, goal_slots, percept_slots, scratch;

private:
    static std::size_t scratch_words(const CircuitCode& code) {
        std::size_t planes = 2 * (code.rank_bits_ + code.all_steps().front().roles.size());
        for (const ScaledSteps& steps : code.all_steps())
            for (const ScaledRole& role : steps.roles) planes += 2 * role.tree.planes;
        return planes * code.columns();
    }

    KernelRole choosing(const ScaledRole& from, std::uint64_t*& planes) {
        KernelRole role{};
        role.moves = static_cast<std::uint32_t>(from.legal.size());
        role.legal = from.legal.data();
        role.chosen = from.chosen.data();
        role.number = from.number.data();
        role.all_moves = static_cast<std::uint32_t>(from.place.size());
        role.place = from.place.data();
        role.is_bound = from.is_bound;
        role.shares_moves = from.shares_moves;
        role.groups = from.tree.groups;
        role.nodes = static_cast<std::uint32_t>(from.nodes.size());
        role.tree = from.nodes.data();
        role.counts = planes;
        planes += std::size_t{from.tree.planes} * code.columns();
        role.ranks = planes;
        planes += std::size_t{from.tree.planes} * code.columns();
        role.empty = empty_nodes_.emplace_back(from.nodes.size()).data();
        return role;
    }

    static void set_constants(AlignedWords& words, std::uint32_t n) {
        for (std::uint32_t c = 0; c < n; ++c) {
            words.data()[c] = 0;
            words.data()[n + c] = ~std::uint64_t{0};
        }
    }

    std::vector<std::vector<std::uint8_t>> empty_nodes_;
    std::vector<std::vector<KernelRole>> roles_;
    std::vector<KernelGame> games_;
};

// Rows of `bits` bits, `count` of them (at most 64), to planes[bit * columns + column]; `row(i)` says where row i is.
template <class Row>
void to_planes(Row row, std::size_t row_words, std::size_t count, std::size_t bits, std::uint64_t* planes, std::uint32_t columns,
               std::uint32_t column) {
    std::uint64_t block[64];
    for (std::size_t word = 0; word < row_words; ++word) {
        for (std::size_t i = 0; i < 64; ++i) block[i] = i < count ? row(i)[word] : 0;
        transpose(block);
        for (std::size_t i = 0; i < 64 && 64 * word + i < bits; ++i) planes[(64 * word + i) * columns + column] = block[i];
    }
}

// One bit a move from the joint moves of up to 64 lanes. Requires: the planes are clear.
inline void set_moves(const Shape& shape, const std::uint32_t* joint, std::size_t count, std::uint64_t* planes,
                      std::uint32_t columns, std::uint32_t column) {
    const std::size_t roles = shape.roles();
    if (shape.all_moves <= 64) {
        // Setting bits one by one waits for itself wherever two lanes make the same move.
        std::uint64_t block[64] = {};
        for (std::size_t role = 0, first = 0; role < roles; first += shape.moves[role++])
            for (std::size_t i = 0; i < count; ++i) block[i] |= std::uint64_t{1} << (first + joint[i * roles + role]);
        transpose(block);
        for (std::size_t move = 0; move < shape.all_moves; ++move) planes[move * columns + column] = block[move];
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t first = 0;
        for (std::uint32_t role = 0; role < roles; ++role) {
            planes[std::size_t{first + joint[i * roles + role]} * columns + column] |= std::uint64_t{1} << i;
            first += shape.moves[role];
        }
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

// States to be asked about, and the joint move that is made in each of them, if one is.
struct Asked {
    const Bits* states;
    std::size_t count;
    const std::uint32_t* joint = nullptr;
};

// Puts as many states at a time as there are lanes into the slots, and calls visit(first, end) for every such block.
template <class Visit>
void by_lanes(const CircuitCode& code, const Program& program, const Shape& shape, const Asked& asked, std::uint64_t* slots,
              Visit visit) {
    const std::uint32_t n = code.columns();
    const std::size_t state_words = shape.state_words();
    for (std::size_t first = 0; first < asked.count; first += code.lanes()) {
        const std::size_t end = std::min<std::size_t>(asked.count, first + code.lanes());
        std::uint64_t* moves = slots + std::size_t{program.first_move_slot()} * n;
        if (asked.joint) std::fill_n(moves, std::size_t{shape.all_moves} * n, std::uint64_t{0});
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_planes([&](std::size_t i) { return asked.states + (at + i) * state_words; }, state_words, some, shape.fluents,
                      slots + Program::kFluentSlots * n, n, column);
            if (asked.joint) set_moves(shape, asked.joint + at * shape.roles(), some, moves, n, column);
        });
        visit(first, end);
    }
}

}  // namespace ludorum::circuit
