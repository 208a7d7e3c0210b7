#include "search/puzzle/goal_distance.h"

#include <algorithm>
#include <stdexcept>

namespace ludorum::puzzle {

GoalDistance::GoalDistance(std::uint32_t fluents, std::vector<std::uint32_t> offsets, std::vector<std::uint32_t> inputs,
                           std::uint32_t root)
    : fluents_(fluents), offsets_(std::move(offsets)), inputs_(std::move(inputs)), root_(root) {
    const auto refuse = [](bool wrong) {
        if (wrong) throw std::invalid_argument("not a formula");
    };
    refuse(offsets_.empty() || offsets_.front() != 0 || offsets_.back() != inputs_.size());
    const auto gates = static_cast<std::uint32_t>(offsets_.size() - 1);
    refuse(root_ >= 2 * (1 + fluents + gates));
    std::vector<bool> reads(fluents, false);
    const auto read = [&](std::uint32_t literal) {
        if (literal / 2 >= 1 && literal / 2 <= fluents) reads[literal / 2 - 1] = true;
    };
    read(root_);
    for (std::uint32_t gate = 0; gate < gates; ++gate) {
        refuse(offsets_[gate] > offsets_[gate + 1]);
        for (std::uint32_t i = offsets_[gate]; i < offsets_[gate + 1]; ++i) {
            refuse(inputs_[i] / 2 >= 1 + fluents + gate);
            read(inputs_[i]);
        }
    }
    for (std::uint32_t fluent = 0; fluent < fluents; ++fluent)
        if (reads[fluent]) used_.push_back(fluent);
    costs_.assign(2 * (1 + fluents + gates), 0);
    costs_[0] = kFar;
}

std::uint32_t GoalDistance::operator()(const Bits* state) {
    for (const std::uint32_t fluent : used_) {
        const bool holds = (state[fluent / 64] >> (fluent % 64)) & 1;
        costs_[2 * (1 + fluent)] = holds ? 0 : 1;
        costs_[2 * (1 + fluent) + 1] = holds ? 1 : 0;
    }
    for (std::size_t gate = 0; gate + 1 < offsets_.size(); ++gate) {
        if (offsets_[gate] == offsets_[gate + 1]) continue;
        std::uint32_t all = 0, none = kFar;
        for (std::uint32_t i = offsets_[gate]; i < offsets_[gate + 1]; ++i) {
            all += costs_[inputs_[i]];
            none = std::min(none, costs_[inputs_[i] ^ 1]);
        }
        const std::size_t wire = 1 + fluents_ + gate;
        costs_[2 * wire] = std::min(all, kFar);
        costs_[2 * wire + 1] = none;
    }
    return costs_[root_];
}

}  // namespace ludorum::puzzle
