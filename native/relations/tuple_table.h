// tuple_table.h: numbers for tuples of numbers, given out in the order of arrival.
//
// A tuple keeps its number for the life of the table, so what is known about
// it from state to state lives in plain arrays under that number.
//
// As long as the numbers of each column are close together, a tuple is found
// without hashing: its numbers are the coordinates of a box that has a place
// for every combination. That holds of most relations of most games.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace ludorum::relations {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

class TupleTable {
public:
    explicit TupleTable(std::uint32_t width = 0) : width_(width), is_box_(width > 1 && width <= kMostColumns) {}

    std::uint32_t width() const { return width_; }
    std::uint32_t size() const { return size_; }
    const std::uint32_t* tuple(std::uint32_t number) const { return tuples_.data() + std::size_t{number} * width_; }
    std::size_t bytes() const { return 4 * (tuples_.capacity() + slots_.capacity()); }

    // The number of a tuple, kNone if it has none yet.
    std::uint32_t find(const std::uint32_t* tuple) const {
        if (width_ == 0) return size_ ? 0 : kNone;
        if (width_ == 1) return *tuple < slots_.size() ? slots_[*tuple] - 1 : kNone;
        if (slots_.empty()) return kNone;
        if (is_box_) {
            const std::size_t at = coordinate(tuple);
            return at == kOutside ? kNone : slots_[at] - 1;
        }
        for (std::size_t at = place(tuple);; at = (at + 1) & mask_) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) return kNone;
            if (equal(slot - 1, tuple)) return slot - 1;
        }
    }

    // The number of a tuple, a new one (the last) if it had none.
    std::uint32_t add(const std::uint32_t* tuple) {
        if (width_ <= 1) return add_narrow(tuple);
        if (is_box_) {
            std::size_t at = coordinate(tuple);
            if (at == kOutside && enlarge(tuple)) at = coordinate(tuple);
            if (at != kOutside) {
                if (slots_[at] == 0) {
                    slots_[at] = size_ + 1;
                    return append(tuple);
                }
                return slots_[at] - 1;
            }
        }
        if (2 * (std::size_t{size_} + 1) > slots_.size()) grow();
        for (std::size_t at = place(tuple);; at = (at + 1) & mask_) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) {
                slots_[at] = size_ + 1;
                return append(tuple);
            }
            if (equal(slot - 1, tuple)) return slot - 1;
        }
    }

    // Forgets all tuples; the next one gets number 0.
    void clear() {
        size_ = 0;
        tuples_.clear();
        // Emptying a large box takes long, and where it was done once it will be done again.
        if (is_box_ && slots_.size() > kLargeBox) {
            is_box_ = false;
            slots_.clear();
        }
        std::fill(slots_.begin(), slots_.end(), 0);
    }

private:
    static constexpr std::uint32_t kMostColumns = 6;
    static constexpr std::size_t kOutside = ~std::size_t{0};
    // Places of a box: at least so many are no waste, and at most so many are more than a cache holds.
    static constexpr std::uint32_t kFewBits = 13, kMostBits = 19;
    static constexpr std::size_t kLargeBox = 4096;
    // Of so many places one is taken, at least.
    static constexpr std::uint32_t kSparseBits = 5;
    struct Column { std::uint32_t low = 0, span = 0, shift = 0; };

    std::size_t coordinate(const std::uint32_t* tuple) const {
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < width_; ++i) {
            const std::uint32_t offset = tuple[i] - columns_[i].low;
            if (offset >= columns_[i].span) return kOutside;
            at |= std::size_t{offset} << columns_[i].shift;
        }
        return at;
    }

    // A box with room for this tuple too; if it would be too large, there is none from now on.
    bool enlarge(const std::uint32_t* added) {
        std::uint32_t bits = 0;
        std::array<Column, kMostColumns> columns;
        for (std::uint32_t i = 0; i < width_; ++i) {
            std::uint32_t low = added[i], high = added[i];
            // What was there before it was cleared will come again.
            if (columns_[i].span > 0) {
                low = std::min(low, columns_[i].low);
                high = std::max(high, columns_[i].low + columns_[i].span - 1);
            }
            const auto width = static_cast<std::uint32_t>(std::bit_width(high - low));
            columns[i] = {low, width < 32 ? std::uint32_t{1} << width : kNone, bits};
            bits += width;
        }
        const auto taken = static_cast<std::uint32_t>(std::bit_width(size_));
        is_box_ = bits <= std::max(kFewBits, std::min(kMostBits, taken + kSparseBits));
        slots_.clear();
        if (!is_box_) return false;
        columns_ = columns;
        slots_.assign(std::size_t{1} << bits, 0);
        for (std::uint32_t number = 0; number < size_; ++number) slots_[coordinate(tuple(number))] = number + 1;
        return true;
    }

    std::size_t place(const std::uint32_t* tuple) const {
        std::uint64_t hash = 0;
        // The upper bits of a product depend on all of the factor.
        for (std::uint32_t i = 0; i < width_; ++i) hash = (std::rotl(hash, 20) ^ tuple[i]) * 0x9E3779B97F4A7C15ull;
        return hash >> shift_;
    }

    bool equal(std::uint32_t number, const std::uint32_t* tuple) const {
        const std::uint32_t* mine = this->tuple(number);
        for (std::uint32_t i = 0; i < width_; ++i)
            if (mine[i] != tuple[i]) return false;
        return true;
    }

    std::uint32_t append(const std::uint32_t* tuple) {
        tuples_.insert(tuples_.end(), tuple, tuple + width_);
        return size_++;
    }

    // Single numbers are small and dense: they are their own places.
    std::uint32_t add_narrow(const std::uint32_t* tuple) {
        if (width_ == 0) {
            size_ = 1;
            return 0;
        }
        if (*tuple >= slots_.size()) slots_.resize(std::max<std::size_t>(*tuple + 1, 2 * slots_.size()), 0);
        if (slots_[*tuple] == 0) {
            slots_[*tuple] = size_ + 1;
            append(tuple);
        }
        return slots_[*tuple] - 1;
    }

    void grow() {
        const std::size_t size = std::max<std::size_t>(16, std::bit_ceil(4 * (std::size_t{size_} + 1)));
        slots_.assign(size, 0);
        mask_ = size - 1;
        shift_ = 64 - static_cast<std::uint32_t>(std::countr_zero(size));
        for (std::uint32_t number = 0; number < size_; ++number) {
            std::size_t at = place(tuple(number));
            while (slots_[at] != 0) at = (at + 1) & mask_;
            slots_[at] = number + 1;
        }
    }

    std::uint32_t width_, size_ = 0, shift_ = 64;
    bool is_box_;
    std::array<Column, kMostColumns> columns_{};
    std::size_t mask_ = 0;
    std::vector<std::uint32_t> tuples_, slots_;  // a slot holds a number + 1, 0 if it is free
};

}  // namespace ludorum::relations
