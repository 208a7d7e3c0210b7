// weighted_states.h: a set of states, each once, and how much each weighs.
//
// Rows are kept one after the other in the order in which they first came. The
// table of what is there compares whole rows, so that no state is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/simulator.h"

namespace ludorum::belief {

class WeightedStates {
public:
    explicit WeightedStates(std::size_t words) : words_(words), table_(16, 0) {}

    // Adds a weight to a state, which becomes one of the set if it is new, and says its number. Requires: fewer than
    // 2^32 - 1 states.
    std::size_t add(const Bits* row, double weight);

    std::size_t size() const { return weights_.size(); }
    std::size_t words() const { return words_; }
    const Bits* rows() const { return rows_.data(); }
    const Bits* row(std::size_t number) const { return rows_.data() + number * words_; }
    const std::vector<double>& weights() const { return weights_; }

private:
    std::uint64_t hash(const Bits* row) const;
    void grow();

    std::size_t words_;
    std::vector<Bits> rows_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> table_;  // a power of two; the number of a state plus one, or 0
};

// A sample of about `most` of the states in which none is twice, and whose weights are right on average: those that weigh
// more than a threshold stay as they are, the others are drawn and then weigh as much as it.
//
// In the literature: Fearnhead and Clifford 2003, optimal resampling.
//
// Requires: most > 0. The same seed gives the same sample.
WeightedStates thinned(const WeightedStates& states, std::size_t most, std::uint64_t seed);

}  // namespace ludorum::belief
