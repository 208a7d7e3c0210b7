#include "engine/symmetries.h"

#include <algorithm>
#include <stdexcept>

#include "support/zobrist.h"

namespace ludorum {

namespace {

// Numbers of all images are kept, 8 bytes each.
constexpr std::size_t kMostNumbers = std::size_t{1} << 24;

void check_permutation(const std::vector<std::uint32_t>& images, std::size_t size, const char* complaint) {
    std::vector<bool> taken(size, false);
    if (images.size() != size) throw std::invalid_argument(complaint);
    for (const std::uint32_t image : images) {
        if (image >= size || taken[image]) throw std::invalid_argument(complaint);
        taken[image] = true;
    }
}

bool is_identity(const std::vector<std::uint32_t>& images) {
    for (std::size_t i = 0; i < images.size(); ++i)
        if (images[i] != i) return false;
    return true;
}

}  // namespace

Symmetries::Symmetries(std::uint32_t fluents, std::vector<std::uint32_t> move_counts,
                       const std::vector<std::vector<std::uint32_t>>& of_fluents,
                       const std::vector<std::vector<std::uint32_t>>& of_moves)
    : words_(words_for(fluents)), size_(1), count_(fluents) {
    const bool has_moves = !of_moves.empty();
    if (has_moves && of_moves.size() != of_fluents.size()) throw std::invalid_argument("every symmetry is of fluents and of moves");
    for (std::uint32_t count : move_counts) all_moves_ += count;
    for (std::uint32_t fluent = 0; fluent < fluents; ++fluent) fluents_.push_back(fluent);
    if (has_moves)
        for (std::uint32_t move = 0; move < all_moves_; ++move) moves_.push_back(move);
    for (std::size_t i = 0; i < of_fluents.size(); ++i) {
        check_permutation(of_fluents[i], fluents, "a symmetry that is no permutation of the fluents");
        if (has_moves) {
            check_permutation(of_moves[i], all_moves_, "a symmetry that is no permutation of the moves");
            std::uint32_t first = 0;
            for (std::uint32_t count : move_counts) {
                for (std::uint32_t move = first; move < first + count; ++move)
                    if (of_moves[i][move] < first || of_moves[i][move] >= first + count)
                        throw std::invalid_argument("a symmetry that moves a move to another role");
                first += count;
            }
        }
        if (is_identity(of_fluents[i]) && (!has_moves || is_identity(of_moves[i]))) continue;
        fluents_.insert(fluents_.end(), of_fluents[i].begin(), of_fluents[i].end());
        if (has_moves) moves_.insert(moves_.end(), of_moves[i].begin(), of_moves[i].end());
        ++size_;
    }
    if (size_ * fluents > kMostNumbers) throw std::invalid_argument("too many symmetries to keep");
    moves_back_.resize(moves_.size());
    for (std::size_t element = 0; has_moves && element < size_; ++element)
        for (std::uint32_t move = 0; move < all_moves_; ++move) moves_back_[element * all_moves_ + this->move(static_cast<std::uint32_t>(element), move)] = move;
    const Zobrist zobrist(fluents);
    numbers_.resize(size_ * fluents);
    for (std::uint32_t fluent = 0; fluent < fluents; ++fluent)
        for (std::size_t element = 0; element < size_; ++element)
            numbers_[fluent * size_ + element] = zobrist.number(fluents_[element * fluents + fluent]);
}

Symmetries::Image Symmetries::canonical(const Bits* state, Bits* row) const {
    static thread_local std::vector<std::uint64_t> keys;
    keys.assign(size_, 0);
    for (std::size_t word = 0; word < words_; ++word)
        for (Bits left = state[word]; left; left &= left - 1) {
            const std::uint64_t* numbers = numbers_.data() + (64 * word + static_cast<std::size_t>(std::countr_zero(left))) * size_;
            for (std::size_t element = 0; element < size_; ++element) keys[element] ^= numbers[element];
        }
    // The first of equals, so that a state that stays the same is left as it is.
    const auto least = std::min_element(keys.begin(), keys.end());
    const auto element = static_cast<std::uint32_t>(least - keys.begin());
    image(element, state, row);
    return {element, *least};
}

void Symmetries::image(std::uint32_t element, const Bits* state, Bits* row) const {
    if (element == 0) {
        std::copy_n(state, words_, row);
        return;
    }
    const std::uint32_t* images = fluents_.data() + element * std::size_t{count_};
    std::fill_n(row, words_, 0);
    for (std::size_t word = 0; word < words_; ++word)
        for (Bits left = state[word]; left; left &= left - 1) {
            const std::uint32_t fluent = images[64 * word + static_cast<std::size_t>(std::countr_zero(left))];
            row[fluent / 64] |= Bits{1} << (fluent % 64);
        }
}

}  // namespace ludorum
