// chi_squared.h: Pearson's test, with a threshold that chance passes once in a
// million times; the seeds are fixed, so a test that passed will pass again.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace ludorum::testing {

struct ChiSquared {
    double statistic = 0;
    int degrees = 0;

    // Wilson and Hilferty's approximation of the quantile; 4.75 is that of the normal distribution at 1 - 10^-6.
    double threshold() const {
        if (degrees == 0) return 0;
        const double part = 2.0 / (9.0 * degrees);
        return degrees * std::pow(1 - part + 4.75 * std::sqrt(part), 3);
    }
    bool is_plausible() const { return statistic <= threshold(); }
};

// Of observed counts against expected ones. Cells that expect fewer than five are taken together.
inline ChiSquared chi_squared(const std::vector<std::uint64_t>& observed, const std::vector<double>& expected) {
    ChiSquared result;
    double rare_observed = 0, rare_expected = 0;
    int cells = 0;
    const auto add = [&](double seen, double awaited) {
        result.statistic += (seen - awaited) * (seen - awaited) / awaited;
        ++cells;
    };
    for (std::size_t i = 0; i < observed.size(); ++i) {
        if (expected[i] >= 5) {
            add(static_cast<double>(observed[i]), expected[i]);
        } else {
            rare_observed += static_cast<double>(observed[i]);
            rare_expected += expected[i];
        }
    }
    if (rare_expected >= 5) add(rare_observed, rare_expected);
    result.degrees = cells > 1 ? cells - 1 : 0;
    if (result.degrees == 0) result.statistic = 0;
    return result;
}

// Against all cells being equally likely.
inline ChiSquared uniformity(const std::vector<std::uint64_t>& observed) {
    double total = 0;
    for (std::uint64_t count : observed) total += static_cast<double>(count);
    return chi_squared(observed, std::vector<double>(observed.size(), total / static_cast<double>(observed.size())));
}

}  // namespace ludorum::testing
