#include "search/puzzle/canonicalizer.h"

#include <stdexcept>

namespace ludorum::puzzle {

Canonicalizer::Canonicalizer(std::uint32_t fluents, std::vector<std::uint32_t> counter,
                   const std::vector<std::vector<std::uint32_t>>& symmetries)
    : words_(words_for(fluents)), counter_(std::move(counter)), counted_(words_, ~Bits{0}), symmetries_(fluents, {}, symmetries, {}) {
    for (const std::uint32_t fluent : counter_) {
        if (fluent >= fluents) throw std::invalid_argument("a counter of fluents that there are not");
        counted_[fluent / 64] &= ~(Bits{1} << (fluent % 64));
        for (const auto& symmetry : symmetries)
            if (symmetry[fluent] != fluent) throw std::invalid_argument("a symmetry that changes the counter");
    }
}

void Canonicalizer::canonical(const Bits* state, Bits* row) const {
    static thread_local std::vector<Bits> masked;
    masked.resize(words_);
    for (std::size_t word = 0; word < words_; ++word) masked[word] = state[word] & counted_[word];
    symmetries_.canonical(masked.data(), row);
}

}  // namespace ludorum::puzzle
