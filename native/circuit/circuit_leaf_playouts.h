// circuit_leaf_playouts.h: games from many states, one bit a game.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "circuit/circuit_workspace.h"
#include "engine/leaf_playouts.h"

namespace ludorum::circuit {

class CircuitLeafPlayouts final : public LeafPlayouts {
public:
    // Requires: all three outlive it.
    CircuitLeafPlayouts(const CircuitCode& code, const Program& program, const Shape& shape, const LeafSpec& spec);

    std::uint32_t lanes() const override { return code_.lanes(); }
    void begin(const Bits* state, std::uint32_t ticket, std::uint32_t phase, std::span<const std::uint32_t> before) override;
    void prefer(const Preference& preference) override;
    void play(std::uint32_t enough, std::uint64_t most_steps, LeafResults& results) override;
    void forget() override;
    std::uint64_t steps() const override { return job_.steps; }

private:
    // Games that wait for a lane and for the step at which their kind begins.
    struct Queue {
        std::vector<Bits> states;
        std::vector<std::uint32_t> tickets;
        std::vector<std::uint32_t> before;  // the last joint move of each, if replies are looked for
    };

    void load(Queue& queue);
    void load_column(Queue& queue, std::uint32_t column, std::uint64_t free);
    void collect(LeafResults& results);
    void add_noted(std::uint32_t lane, LeafResults& results) const;
    void read_goals(const std::uint64_t* goals, const std::uint32_t* places, const std::vector<std::uint64_t>& lanes, LeafResults& results);
    bool is_waiting() const;

    const CircuitCode& code_;
    const Program& program_;
    const Shape& shape_;
    CircuitWorkspace work_;
    AlignedWords random_, played_, ends_, paid_;
    std::vector<std::uint64_t> live_, ended_, began_;
    // Games among the results whose goals are not known yet: the lanes that hold their last states, likewise for the
    // kernel, which may ask for them, and which results they are, by lane.
    std::vector<std::uint64_t> owed_, unpaid_, ended_then_;
    std::vector<std::size_t> results_;
    std::vector<std::uint32_t> paid_places_;  // where the planes of the goals are in paid_
    std::vector<std::int32_t> lengths_;
    std::vector<std::uint8_t> outcomes_;
    std::vector<std::uint32_t> tickets_;  // by lane
    std::vector<std::uint32_t> order_, reply_;
    AlignedWords last_, picked_;
    std::vector<std::uint32_t> picks_, noted_;
    std::vector<Queue> queues_;           // by phase
    bool by_phases_;                      // all games are in phases of the program
    KernelLeaves job_{};
};

}  // namespace ludorum::circuit
