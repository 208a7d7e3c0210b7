// gate_builder.h: making gates. Every pass builds its result here, so that all
// of them get hashing and constants for free.
//
// In the literature: structural hashing and two-level rewriting of and-inverter
// graphs (Kuehlmann, Krohm 1997; Mishchenko, Chatterjee, Brayton 2006), here
// with gates of any width.
#pragma once

#include <span>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/compile/budget.h"

namespace ludorum::circuit {

class GateBuilder {
public:
    // The first `given` wires are there already. A budget, if there is one, must outlive the builder.
    explicit GateBuilder(Wire given, Budget* budget = nullptr);

    Wire given() const { return given_; }
    Wire wires() const { return given_ + static_cast<Wire>(offsets_.size() - 1); }

    // Nothing for a given wire and for a loop wire. Valid until the next gate is made.
    std::span<const Literal> inputs_of(Wire wire) const;

    Wire loop_wire();

    // The conjunction, simplified by what its inputs and their inputs say; the same one always gives the same literal.
    Literal all_of(std::span<const Literal> literals);
    Literal any_of(std::span<const Literal> literals);

    // The conjunction of inputs that were simplified before and are hardly different now: only the plainest.
    Literal again(std::span<const Literal> literals);

    // Moves all gates into a circuit that has nothing after its given wires.
    void take(Circuit& into);

private:
    static constexpr std::uint32_t kFree = ~0u;

    // Sorted, without repetitions and constants; false if they contradict each other.
    bool tidy(std::span<const Literal> literals);
    bool look_below();
    Literal gate();
    // The place in the table of a conjunction, which is free if there is none.
    std::size_t find(std::span<const Literal> sorted) const;
    void append(std::span<const Literal> inputs);
    void grow();

    Wire given_;
    Budget* budget_;
    std::vector<std::uint32_t> offsets_{0};
    std::vector<Literal> inputs_;
    std::vector<std::uint32_t> table_;  // gates by the hash of their inputs
    std::size_t known_ = 0;
    std::vector<Literal> kept_, before_, rest_, flipped_;  // room to work in
};

}  // namespace ludorum::circuit
