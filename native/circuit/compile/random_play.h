// random_play.h: 64 random games side by side on a circuit that is still being made.
//
// The circuit is evaluated as it is, one word a wire, without lowering it: that
// pays for a few hundred steps. A game that ends starts again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "circuit/circuit.h"

namespace ludorum::circuit {

class RandomPlay {
public:
    RandomPlay(const Circuit& circuit, const std::vector<bool>& initial);

    // A word a fluent, a bit a game.
    std::span<const std::uint64_t> states() const { return {values_.data() + 1, circuit_.fluents}; }

    // Makes a step in every game; those that were over, terminal or stuck, start again. Says which were.
    std::uint64_t step();

private:
    struct Component { std::size_t begin, end; Wire first, last; };  // its loops, the gates to go round, `last` included

    std::uint64_t value(Literal literal) const { return values_[wire_of(literal)] ^ -std::uint64_t{literal & 1}; }
    void evaluate();
    void evaluate(Wire begin, Wire end);
    // Gives every game that goes on a random legal move of each role; says which games are stuck.
    std::uint64_t choose_moves();
    std::uint32_t below(std::uint32_t count);

    const Circuit& circuit_;
    std::vector<bool> initial_, is_loop_;
    std::vector<Component> components_;
    std::vector<std::uint64_t> values_;  // a word a wire
    std::uint64_t random_ = 1;
};

}  // namespace ludorum::circuit
