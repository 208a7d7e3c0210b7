// planning.h: what a role's moves are worth when it knows what it knows, and will know more later.
//
// A search through beliefs: after a move, what the role is told tells which of
// the possible states remain, and from there the best move is made again. The
// others, chance among them, choose uniformly. A belief that comes up again is
// not searched again. At the horizon a match that is not over counts as much as
// any can be worth, and a little of that depends on how likely the likeliest
// state is, then on the entropy: where nothing else is to be gained, knowing
// more is better.
//
// In the literature: the belief tree of a POMDP (Kaelbling, Littman, Cassandra
// 1998). With no end cut off the values are exact.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "belief/weighted_states.h"
#include "engine/simulator.h"

namespace ludorum::belief {

struct MoveValue {
    std::uint32_t move = 0;
    double value = 0;
};

struct Plan {
    std::vector<MoveValue> moves;  // all that are legal in every state
    bool is_exact = false;         // no end was cut off by the horizon
    bool is_done = false;          // or there was too little time or room
};

class Planner {
public:
    // `ceiling`: no match is worth more. Requires: the simulator outlives this.
    Planner(const Simulator& simulator, std::uint32_t seat, double ceiling);

    // Looks so many turns ahead, at no more than so many joint moves.
    Plan plan(const Bits* rows, const double* weights, std::size_t count, std::uint32_t horizon, std::uint64_t tries, double seconds,
              const std::atomic<std::int32_t>& stop);

    std::uint64_t tries() const { return tries_; }
    const Simulator& simulator() const { return simulator_; }

private:
    struct Value {
        double value = 0;
        bool is_exact = true;
    };
    class Stopped {};

    Value value(const WeightedStates& belief, std::uint32_t horizon);
    Value after(const WeightedStates& belief, const std::vector<Bits>& legal, std::uint32_t move, std::uint32_t horizon);
    Value leaf(const WeightedStates& belief) const;
    std::vector<std::uint32_t> common_moves(const WeightedStates& belief, std::vector<Bits>& legal, Value& over, double& going) const;
    std::string key(const WeightedStates& belief) const;
    void check() const;

    const Simulator& simulator_;
    const Shape& shape_;
    std::uint32_t seat_, first_move_ = 0;
    double ceiling_;
    std::vector<Bits> mask_;
    std::uint64_t tries_ = 0, most_tries_ = 0;
    double end_ = 0;
    const std::atomic<std::int32_t>* stop_ = nullptr;
    std::unordered_map<std::string, Value> exact_, cut_;  // values that hold for good, and those of this horizon
};

}  // namespace ludorum::belief
