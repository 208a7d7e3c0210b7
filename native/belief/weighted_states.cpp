#include "belief/weighted_states.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "support/random.h"

namespace ludorum::belief {

std::uint64_t WeightedStates::hash(const Bits* row) const {
    std::uint64_t sum = 0x9E3779B97F4A7C15ull;
    for (std::size_t word = 0; word < words_; ++word) {
        sum = (sum ^ row[word]) * 0xBF58476D1CE4E5B9ull;
        sum ^= sum >> 32;
    }
    return sum;
}

std::size_t WeightedStates::add(const Bits* row, double weight) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(row) & mask;
    for (; table_[at] != 0; at = (at + 1) & mask) {
        const std::size_t number = table_[at] - 1;
        if (std::memcmp(this->row(number), row, words_ * sizeof(Bits)) == 0) {
            weights_[number] += weight;
            return number;
        }
    }
    rows_.insert(rows_.end(), row, row + words_);
    weights_.push_back(weight);
    table_[at] = static_cast<std::uint32_t>(weights_.size());
    if (2 * weights_.size() > table_.size()) grow();
    return weights_.size() - 1;
}

void WeightedStates::grow() {
    std::vector<std::uint32_t> larger(2 * table_.size(), 0);
    const std::size_t mask = larger.size() - 1;
    for (std::size_t number = 0; number < weights_.size(); ++number) {
        std::size_t at = hash(row(number)) & mask;
        while (larger[at] != 0) at = (at + 1) & mask;
        larger[at] = static_cast<std::uint32_t>(number + 1);
    }
    table_ = std::move(larger);
}

namespace {

// The weight c for which the sum of min(1, weight / c) is `most`; less than any weight if there are no more than that.
double threshold(std::vector<double> weights, std::size_t most) {
    if (weights.size() <= most) return 0;
    std::sort(weights.begin(), weights.end(), std::greater<>());
    double rest = 0;
    for (double weight : weights) rest += weight;
    for (std::size_t kept = 0; kept < most; ++kept) {
        const double level = rest / static_cast<double>(most - kept);
        if (weights[kept] < level) return level;
        rest -= weights[kept];
    }
    return weights[most - 1];
}

}  // namespace

WeightedStates thinned(const WeightedStates& states, std::size_t most, std::uint64_t seed) {
    const double level = threshold(states.weights(), most);
    WeightedStates kept(states.words());
    Random random(seed);
    // One random number for all: along the sum of the small weights, whoever covers a mark is drawn.
    double mark = static_cast<double>(random() >> 11) * 0x1p-53 * level, sum = 0;
    for (std::size_t number = 0; number < states.size(); ++number) {
        const double weight = states.weights()[number];
        if (weight >= level) {
            kept.add(states.row(number), weight);
            continue;
        }
        sum += weight;
        if (sum > mark) {
            kept.add(states.row(number), level);
            mark += level;
        }
    }
    return kept;
}

}  // namespace ludorum::belief
