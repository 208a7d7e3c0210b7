// phases.h: circuits for games in which turns go round by themselves.
//
// In many games the fluents that tell whose turn it is change in every step,
// whatever is played: white, black, white, black. In each phase of that round
// they are constants, no move of the others is legal, and about half of the
// circuit is gone. Games that are played side by side are kept in step, so
// that they are all in one phase.
//
// In the literature: ternary simulation (Bryant 1987) and constant propagation.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/circuit.h"
#include "engine/simulator.h"

namespace ludorum::circuit {

// The phases of a round through which some fluents go by themselves, from the initial state on: literals that hold in
// each, whatever is played and whatever else holds. None if there is no round of 2 to `most` phases. Only what follows by
// known values is seen: from a turn what is legal, from that what is done.
std::vector<std::vector<Literal>> find_phases(const Circuit& circuit, const std::vector<bool>& initial, std::size_t most);

// The circuit as it is in one of its phases: made simpler by what holds there, by the moves that are not legal there,
// and by those that roles have no choice but to make. Fluents and moves keep their numbers; goals and percepts are left
// out. Throws std::invalid_argument if the next phase does not follow from it.
Circuit in_phase(const Circuit& circuit, std::size_t phase);

// Tells phases by states.
class TurnCycle {
public:
    static constexpr std::uint32_t kNone = ~0u;

    TurnCycle() = default;
    explicit TurnCycle(const Circuit& circuit);

    std::uint32_t phases() const { return phases_; }
    std::uint32_t after(std::uint32_t phase) const { return phase + 1 < phases_ ? phase + 1 : 0; }

    // kNone if the state is in none of them.
    std::uint32_t phase_of(const Bits* state) const;

    // The phase that all of them are in, or kNone; `state(i)` says where state i is.
    template <class State> std::uint32_t phase_of_all(std::size_t count, State state) const {
        if (phases_ == 0 || count == 0) return kNone;
        const std::uint32_t phase = phase_of(state(0));
        for (std::size_t i = 1; i < count && phase != kNone; ++i)
            if (!is_in(state(i), phase)) return kNone;
        return phase;
    }

private:
    struct Mask { std::size_t word; Bits bits; };

    bool is_in(const Bits* state, std::uint32_t phase) const {
        for (std::size_t i = 0; i < masks_.size(); ++i)
            if ((state[masks_[i].word] & masks_[i].bits) != values_[phase * masks_.size() + i]) return false;
        return true;
    }

    std::uint32_t phases_ = 0;
    std::vector<Mask> masks_;   // of the fluents that tell them
    std::vector<Bits> values_;  // phases × masks
};

}  // namespace ludorum::circuit
