// naive.h: what a circuit means, one state at a time and straight from the
// definition in circuit.h; slow, and obviously right.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "circuit/circuit.h"

namespace ludorum::testing {

using namespace circuit;

using State = std::vector<bool>;           // a truth value a fluent
using Joint = std::vector<std::uint32_t>;  // a move number a role

class Naive {
public:
    explicit Naive(const Circuit& circuit) : circuit_(circuit) {}

    bool is_terminal(const State& state) const;
    std::vector<bool> legal(const State& state) const;  // of all roles
    std::vector<int> goals(const State& state) const;   // -1 where not exactly one holds
    State after(const State& state, const Joint& joint) const;
    std::vector<bool> percepts(const State& state, const Joint& joint) const;

    // Every joint move of legal moves; none where some role has no legal move.
    std::vector<Joint> joint_moves(const State& state) const;

    // How random playouts end, and with which probability.
    using End = std::tuple<int, int, std::vector<int>>;  // Outcome, length, goals
    std::map<End, double> ends(const State& state, int max_steps) const;

private:
    class Values;

    const Circuit& circuit_;
};

}  // namespace ludorum::testing
