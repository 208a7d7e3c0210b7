// tuple_table.h: numbers for tuples of numbers, given out in the order of arrival.
//
// A tuple keeps its number for the life of the table, so what is known about
// it from state to state lives in plain arrays under that number.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace ludorum::relations {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

class TupleTable {
public:
    explicit TupleTable(std::uint32_t width = 0) : width_(width) {}

    std::uint32_t width() const { return width_; }
    std::uint32_t size() const { return size_; }
    const std::uint32_t* tuple(std::uint32_t number) const { return tuples_.data() + std::size_t{number} * width_; }
    std::size_t bytes() const { return 4 * (tuples_.capacity() + slots_.capacity()); }

    // The number of a tuple, kNone if it has none yet.
    std::uint32_t find(const std::uint32_t* tuple) const {
        if (width_ == 0) return size_ ? 0 : kNone;
        if (width_ == 1) return *tuple < slots_.size() ? slots_[*tuple] - 1 : kNone;
        if (slots_.empty()) return kNone;
        for (std::size_t at = place(tuple);; at = (at + 1) & mask_) {
            const std::uint32_t slot = slots_[at];
            if (slot == 0) return kNone;
            if (equal(slot - 1, tuple)) return slot - 1;
        }
    }

    // The number of a tuple, a new one (the last) if it had none.
    std::uint32_t add(const std::uint32_t* tuple) {
        if (width_ <= 1) return add_narrow(tuple);
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
        std::fill(slots_.begin(), slots_.end(), 0);
    }

private:
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
        const std::size_t size = slots_.empty() ? 16 : 2 * slots_.size();
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
    std::size_t mask_ = 0;
    std::vector<std::uint32_t> tuples_, slots_;  // a slot holds a number + 1, 0 if it is free
};

}  // namespace ludorum::relations
