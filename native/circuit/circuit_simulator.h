// circuit_simulator.h: the simulator that evaluates a circuit, one bit a game.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernels/kernels.h"
#include "circuit/program.h"
#include "engine/simulator.h"

namespace ludorum::circuit {

// The kernels this machine can run, narrowest first: all of them, the best
// instruction set of a width last, and only the best ones.
struct KernelChoice { const Kernels* kernels; const char* instructions; };
std::vector<KernelChoice> all_kernels();
const std::vector<KernelChoice>& available_kernels();

class CircuitCode;
struct IncrementalPlan;
class IncrementalEvaluator;
class CircuitWorkspace;

class CircuitSimulator final : public Simulator {
public:
    // Throws std::invalid_argument for what is no circuit.
    explicit CircuitSimulator(const Circuit& circuit, const std::vector<KernelChoice>& kernels = available_kernels());
    ~CircuitSimulator() override;

    const Shape& shape() const override { return shape_; }
    const Program& program() const { return program_; }

    void terminal_and_legal(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const override;
    void step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const override;
    void advance(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors, std::uint8_t* terminal,
                 Bits* legal) const override;
    void goals(const Bits* states, std::size_t count, std::int16_t* values) const override;
    void payoffs(const Bits* states, std::size_t count, std::int16_t* values) const override;
    void expand(const Bits* states, const std::uint32_t* parents, std::size_t count, const std::uint32_t* joint,
                bool all_payoffs, Successors found) const override;
    void percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const override;
    PlayoutWork playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                         const std::atomic<std::int32_t>& stop) const override;

    std::unique_ptr<LeafPlayouts> leaf_playouts(const LeafSpec& spec) const override;
    std::uint32_t decisive_moves() const override { return decisive_program().program.decisive_moves; }

    // For following one game, made at the first call.
    const IncrementalPlan& incremental_plan() const;

    // The number of lanes that plays fastest here, found by a short trial from this state at the first call.
    std::uint32_t fastest_lanes(const Bits* state) const;

private:
    // A program with its code, one for each width.
    struct Compiled {
        Program program;
        std::vector<std::unique_ptr<CircuitCode>> codes;
    };

    // For decisive playouts, made at the first call.
    const Compiled& decisive_program() const;
    const CircuitCode& code(std::uint32_t lanes) const;
    const CircuitCode& code_for(std::size_t states) const;
    // Runs `ask(evaluator)` with a evaluator that is in this state.
    template <class Ask> void follow(const Bits* state, Ask ask) const;
    // The phase that all these states are in, or TurnCycle::kNone.
    std::uint32_t phase_of(const Bits* states, std::size_t count) const;
    std::unique_ptr<CircuitWorkspace> borrow(const CircuitCode& code) const;
    void give_back(std::unique_ptr<CircuitWorkspace> workspace) const;
    void read_payoffs(const CircuitCode& code, const std::uint64_t* goal_slots, std::uint32_t column, std::uint64_t wanted,
                      std::int16_t* values) const;
    PlayoutWork run_playouts(const CircuitCode& code, const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                             const std::atomic<std::int32_t>& stop) const;

    Circuit circuit_;
    Program program_;
    Shape shape_;
    std::vector<std::unique_ptr<CircuitCode>> codes_;
    mutable std::unique_ptr<IncrementalPlan> incremental_plan_;
    mutable std::unique_ptr<Compiled> decisive_;
    mutable std::once_flag decisive_once_;
    mutable std::vector<std::unique_ptr<IncrementalEvaluator>> evaluators_;  // that nobody uses just now
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<CircuitWorkspace>> idle_;
    mutable std::uint32_t fastest_ = 0;
};

}  // namespace ludorum::circuit
