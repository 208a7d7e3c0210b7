#include "search/puzzle/sameness.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace ludorum::puzzle {

Sameness::Sameness(std::uint32_t fluents, std::vector<std::uint32_t> counter,
                   std::vector<std::vector<std::uint32_t>> symmetries)
    : words_(words_for(fluents)), counter_(std::move(counter)), counted_(words_, ~Bits{0}), symmetries_(std::move(symmetries)) {
    for (const std::uint32_t fluent : counter_) {
        if (fluent >= fluents) throw std::invalid_argument("a counter of fluents that there are not");
        counted_[fluent / 64] &= ~(Bits{1} << (fluent % 64));
    }
    for (const auto& symmetry : symmetries_) {
        std::vector<bool> taken(fluents, false);
        for (const std::uint32_t image : symmetry) {
            if (image >= fluents || taken[image]) throw std::invalid_argument("a symmetry that is no permutation of the fluents");
            taken[image] = true;
        }
        if (symmetry.size() != fluents) throw std::invalid_argument("a symmetry that is no permutation of the fluents");
        for (const std::uint32_t fluent : counter_)
            if (symmetry[fluent] != fluent) throw std::invalid_argument("a symmetry that changes the counter");
    }
}

void Sameness::canonical(const Bits* state, Bits* row) const {
    for (std::size_t word = 0; word < words_; ++word) row[word] = state[word] & counted_[word];
    if (symmetries_.empty()) return;
    static thread_local std::vector<Bits> masked, image;
    masked.assign(row, row + words_);
    image.resize(words_);
    for (const auto& symmetry : symmetries_) {
        std::fill(image.begin(), image.end(), 0);
        for (std::size_t word = 0; word < words_; ++word)
            for (Bits left = masked[word]; left; left &= left - 1) {
                const std::uint32_t fluent = symmetry[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
                image[fluent / 64] |= Bits{1} << (fluent % 64);
            }
        if (std::lexicographical_compare(image.begin(), image.end(), row, row + words_))
            std::copy(image.begin(), image.end(), row);
    }
}

}  // namespace ludorum::puzzle
