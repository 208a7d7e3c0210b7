// program.h: a circuit as code for the kernels: gates in the order they are
// evaluated, runs of gates of one shape, slots instead of wires.
//
// A slot holds one wire in every lane. Slots are reused as soon as nothing
// reads them any more, so the working set is smaller than the circuit. A wire
// is stored in whichever polarity costs no instruction.
//
// The code comes in cones, so that only what is asked is paid for:
//   terminal, legal, next   evaluated in this order in one set of slots,
//                           each building on what the earlier ones left; there
//                           are such steps for any state, and smaller ones for
//                           the phases of a game whose turns go round;
//   goal                    from the fluents alone, in slots of its own;
//   percept                 from fluents and moves, in slots of its own.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernels/op.h"
#include "circuit/phases.h"

namespace ludorum::circuit {

using Slot = std::uint32_t;

// `count` gates of one shape, or the borders of a loop. Operands of a gate: its
// output slot, then its inputs. kLoopBegin: slots; kLoopEnd: pairs of slots, and
// `target` is the run after its kLoopBegin.
struct Run {
    Op op;
    GateShape shape;
    std::uint32_t count;
    std::uint32_t target;
    std::uint64_t operands;  // where they start

    std::uint32_t operands_each() const {
        switch (op) {
            case Op::kLoopBegin: return 1;
            case Op::kLoopEnd: return 2;
            default: return 1 + shape.inputs;
        }
    }
};

struct Cone {
    std::vector<Run> runs;
    std::vector<Slot> operands;
    std::uint64_t gates = 0;   // how many gates it evaluates, loops counted once
    std::uint64_t inputs = 0;  // and how many inputs they read
};

// A goal value or percept and where its truth is found.
struct GoalSlot { std::uint32_t role; std::int16_t value; Slot slot; };
struct PerceptSlot { std::uint32_t role; Slot slot; };

// How a state is looked at and left.
struct Steps {
    Cone terminal, legal, next;
    Slot terminal_slot = 0;
    std::vector<Slot> legal_slots;                 // one a move; slot 0 if it is never legal
    std::vector<std::pair<Slot, Slot>> transfers;  // (fluent slot, next value), to be done in this order after `next`
    // Slots that the terminal cone leaves for the later ones. Together with
    // the fluents they are all that a lane must be given to start from
    // another state once the terminal cone has run.
    std::vector<Slot> carried;
};

struct Program {
    std::uint32_t fluents = 0;
    std::vector<std::uint32_t> moves;
    std::uint32_t turns = 1;

    // Slots 0 and 1 are the constants false and true; fluent f is in slot
    // 2 + f, move m (counted over all roles) in slot 2 + fluents + m.
    Slot slots = 0;
    Steps any;                  // right for every state
    // Only for states that are in one phase. Moves that are not legal in it are nowhere read, and neither is the only one
    // that a role can make.
    std::vector<Steps> phases;
    TurnCycle turn_cycle;

    Slot goal_slots = 0;
    Cone goal;
    std::vector<GoalSlot> goals;
    std::vector<std::uint32_t> goal_fluents;       // those that the goals depend on

    // Of a decisive program: how many moves it can see to end the game, in all phases; with none it follows the rules.
    std::uint32_t decisive_moves = 0;

    Slot percept_slots = 0;
    Cone percept;
    std::vector<PerceptSlot> percepts;

    static constexpr Slot kFluentSlots = 2;
    Slot first_move_slot() const { return kFluentSlots + fluents; }
    std::uint32_t all_moves() const { return static_cast<std::uint32_t>(any.legal_slots.size()); }
};

// Whether playouts follow the rules as they are, or are decisive (see decisive.h): then `any` and `phases` have fewer legal
// moves.
enum class Following { kRules, kDecisive };

// Requires: circuit.check() passed.
Program lower(const Circuit& circuit, Following following = Following::kRules);

}  // namespace ludorum::circuit
