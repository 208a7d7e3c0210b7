#include "search/minimax/matrix_game.h"

#include <algorithm>

namespace ludorum::minimax {
namespace {

constexpr double kTiny = 1e-12;

}  // namespace

// With all payoffs positive: maximise the sum of y where A y ≤ 1 and y ≥ 0. The value is 1 / sum, the mixes are y and the
// prices of the constraints, each times the value. The tableau starts at y = 0; Bland's rule keeps it from circling.
MatrixSolution solve_matrix_game(std::span<const double> payoffs, std::size_t columns) {
    const std::size_t rows = payoffs.size() / columns, width = columns + rows + 1;
    const double shift = 1 - *std::min_element(payoffs.begin(), payoffs.end());
    std::vector<double> tableau((rows + 1) * width, 0.0);
    std::vector<std::size_t> basis(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        double* row = tableau.data() + r * width;
        for (std::size_t c = 0; c < columns; ++c) row[c] = payoffs[r * columns + c] + shift;
        row[columns + r] = 1;
        row[width - 1] = 1;
        basis[r] = columns + r;
    }
    double* const prices = tableau.data() + rows * width;
    std::fill(prices, prices + columns, -1.0);
    while (true) {
        std::size_t entering = 0;
        while (entering + 1 < width && prices[entering] > -kTiny) ++entering;
        if (entering + 1 == width) break;
        std::size_t leaving = rows;
        double least = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            const double* row = tableau.data() + r * width;
            if (row[entering] <= kTiny) continue;
            const double ratio = row[width - 1] / row[entering];
            const bool is_better = leaving == rows || ratio < least - kTiny || (ratio <= least + kTiny && basis[r] < basis[leaving]);
            if (is_better) leaving = r, least = ratio;
        }
        if (leaving == rows) break;  // all payoffs are positive, so it is bounded
        double* const pivot = tableau.data() + leaving * width;
        const double by = pivot[entering];
        for (std::size_t i = 0; i < width; ++i) pivot[i] /= by;
        for (std::size_t r = 0; r <= rows; ++r) {
            double* row = tableau.data() + r * width;
            const double factor = row[entering];
            if (r == leaving || factor == 0) continue;
            for (std::size_t i = 0; i < width; ++i) row[i] -= factor * pivot[i];
        }
        basis[leaving] = entering;
    }
    MatrixSolution found;
    const double value = 1 / prices[width - 1];
    found.value = value - shift;
    found.columns.assign(columns, 0.0);
    for (std::size_t r = 0; r < rows; ++r)
        if (basis[r] < columns) found.columns[basis[r]] = std::max(0.0, tableau[r * width + width - 1] * value);
    for (std::size_t r = 0; r < rows; ++r) found.rows.push_back(std::max(0.0, prices[columns + r] * value));
    return found;
}

}  // namespace ludorum::minimax
