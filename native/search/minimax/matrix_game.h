// matrix_game.h: two who choose at once, and what one wins the other loses.
//
// The best that the chooser of rows can be sure of on average, whatever the other does, is to mix rows by certain
// probabilities; the other has a mix that allows no more. Both come out of one linear program.
//
// In the literature: the minimax theorem (von Neumann 1928), solved by the simplex method (Dantzig 1951).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ludorum::minimax {

struct MatrixSolution {
    double value = 0;
    std::vector<double> rows, columns;  // the probabilities of the two mixes
};

// `payoffs[r * columns + c]` is what row r against column c is worth to the chooser of rows. Requires: at least one each.
MatrixSolution solve_matrix_game(std::span<const double> payoffs, std::size_t columns);

}  // namespace ludorum::minimax
