// builder.h: circuits by hand and at random.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "circuit/circuit.h"

namespace ludorum::testing {

using namespace circuit;

constexpr Literal positive(Wire wire) { return 2 * wire; }
constexpr Literal negated(Literal literal) { return literal ^ 1; }

// Adds wires one after another; next literals are false, legal literals true
// and terminal false until they are set.
class Builder {
public:
    Builder(std::uint32_t fluents, std::vector<std::uint32_t> moves);

    Literal fluent(std::uint32_t number) const { return positive(1 + number); }
    Literal move(std::uint32_t role, std::uint32_t number) const;

    Literal all_of(std::vector<Literal> literals);
    Literal any_of(std::vector<Literal> literals);
    // The definition is given later.
    Literal loop(std::uint32_t component);
    void define(Literal loop, Literal definition);

    Literal& next(std::uint32_t fluent) { return circuit_.next[fluent]; }
    Literal& legal(std::uint32_t role, std::uint32_t number);
    Literal& terminal() { return circuit_.terminal; }
    std::uint32_t& turns() { return circuit_.turns; }
    // These fluents go round, whatever is played: one of them holds at a time, in this order.
    void ring(const std::vector<std::uint32_t>& fluents);
    void goal(std::uint32_t role, int value, Literal literal);
    void percept(std::uint32_t role, Literal literal);

    std::uint32_t wires() const { return circuit_.wires; }
    const Circuit& circuit() const { return circuit_; }

private:
    Wire add_wire(const std::vector<Literal>& inputs);

    Circuit circuit_;
};

using Generator = std::mt19937_64;

// From 0 to below `count`, the same with every standard library.
inline std::uint32_t below(Generator& random, std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); }

// A few fluents, roles and moves, gates of every shape, loops that build on
// one another, goals that may hold several at once, fluents that change places.
Circuit random_circuit(Generator& random);

// The same with turns that go round, on which some of the moves depend.
enum class Ring {
    kNone,
    kAny,
    kNeverStuck,  // every role has a move that is always legal,
    kOneChooses,  // and all but one have no other
};
Circuit random_ring(Generator& random, Ring ring);

}  // namespace ludorum::testing
