// circuit_workspace.h: a program made ready for one width, and the lanes of one
// thread that it is run in. Inside the circuit's simulator only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "choice.h"
#include "kernels.h"
#include "program.h"
#include "simulator.h"
#include "transpose.h"

namespace ludorum {

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

// The program for one width: operands scaled to words.
class CircuitCode {
public:
    CircuitCode(const Program& program, const Kernels& kernels) : kernels_(kernels) {
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
class CircuitWorkspace {
public:
    CircuitWorkspace(const CircuitCode& code, const Program& program)
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

    const CircuitCode& code;
    std::thread::id user;  // the thread that had it last
    AlignedWords slots, goal_slots, percept_slots, scratch;
    std::vector<std::vector<std::uint8_t>> empty_nodes;
    std::vector<KernelRole> roles;
    KernelGame game{};

private:
    static std::size_t scratch_words(const CircuitCode& code, const Program& program) {
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

// One bit a move from the joint moves of up to 64 lanes.
inline void set_moves(const Shape& shape, const std::uint32_t* joint, std::size_t count, std::uint64_t* planes,
                      std::uint32_t columns, std::uint32_t column) {
    for (std::uint32_t move = 0; move < shape.all_moves; ++move) planes[std::size_t{move} * columns + column] = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t first = 0;
        for (std::uint32_t role = 0; role < shape.roles(); ++role) {
            planes[std::size_t{first + joint[i * shape.roles() + role]} * columns + column] |= std::uint64_t{1} << i;
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
        for_columns(first, end, n, [&](std::size_t at, std::size_t some, std::uint32_t column) {
            to_planes([&](std::size_t i) { return asked.states + (at + i) * state_words; }, state_words, some, shape.fluents,
                      slots + Program::kFluentSlots * n, n, column);
            if (asked.joint)
                set_moves(shape, asked.joint + at * shape.roles(), some, slots + std::size_t{program.first_move_slot()} * n, n,
                          column);
        });
        visit(first, end);
    }
}

}  // namespace ludorum
