// depth.h: how deep the successors of a state are searched.
//
// With non-uniform depth (Schiffel, "Knowledge-based general game playing",
// equation 4.4) the most promising of n successors is searched to depth
// d - 1 and the least promising to half of that:
//
//     d(s_i) = (d(s) - 1) * (1 - (i - 1) / (2 (n - 1)))        i = 1 … n
//
// Where several roles choose at once, each choice is a level of its own in
// the sequentialised tree (section 4.2.3) but they make one step together: the
// factors of the choices are multiplied, and one is taken off once.
//
// Against an opponent, a line that is less deep may end just before the
// opponent's answer and seem better for that alone. So there alpha-beta takes
// off an even number of steps, and looks at a move that seems better again, as
// deep as at the first one: late move reductions.
#pragma once

#include <cmath>
#include <cstdint>

namespace ludorum::minimax {

// What the successor of rank i, counted from 0, keeps of the depth of the first one. One successor keeps it all.
inline double kept_depth(std::uint32_t rank, std::uint32_t successors) {
    return successors < 2 ? 1.0 : 1.0 - static_cast<double>(rank) / (2.0 * static_cast<double>(successors - 1));
}

// How deep the successor of a rank is searched where the first is searched to `below`, such that the same role moves last.
inline double even_depth(double below, std::uint32_t rank, std::uint32_t successors) {
    return below - 2 * std::floor(below * (1 - kept_depth(rank, successors)) / 2);
}

}  // namespace ludorum::minimax
