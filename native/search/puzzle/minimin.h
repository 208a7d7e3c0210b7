// minimin.h: looks a few steps ahead, makes the best move, and learns from it.
//
// From the state where it stands every move is worth the least of steps and distance over all states so many steps ahead.
// It makes the move of the least, and remembers that of the state that it leaves, so that a state that turned out to be
// further away than it looked is not believed again. Where the game is over without success it starts anew, with all that
// it has learned.
//
// In the literature: minimin lookahead and learning real-time A* (Korf 1990).
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>

#include "search/puzzle/guide.h"
#include "search/puzzle/search.h"

namespace ludorum::puzzle {

class Minimin {
public:
    // Starts anew after `max_steps` moves. Chance decides between equals; the same seed decides the same.
    Minimin(const Simulator& simulator, Canonicalizer canonicalizer, std::shared_ptr<Guide> guide, const Bits* start, int target,
            std::uint32_t lookahead, std::uint64_t seed, std::uint32_t max_steps, std::size_t memory);

    Status run(const Limits& limits);

    const Found& best() const { return best_; }
    std::uint64_t states() const { return states_; }
    std::uint64_t rounds() const { return rounds_; }

private:
    static constexpr std::uint32_t kNever = 1u << 30;

    struct Children {
        std::vector<std::uint32_t> moves;
        std::vector<Bits> states;
    };
    struct RowHash {
        std::size_t operator()(const std::vector<Bits>& row) const;
    };

    Children expand(const Bits* state);
    std::uint32_t look(const Bits* state, std::uint32_t depth, std::uint32_t most);
    std::optional<std::uint32_t> at_end(const Bits* state);
    std::uint32_t known(const Bits* state);
    void restart();

    const Simulator& simulator_;
    const Canonicalizer canonicalizer_;
    std::shared_ptr<Guide> guide_;
    const std::vector<Bits> start_;
    const int target_;
    const std::uint32_t lookahead_, max_steps_;
    std::uint64_t random_;
    const std::size_t most_learned_;
    std::unordered_map<std::vector<Bits>, std::uint32_t, RowHash> learned_;
    std::vector<Bits> here_;
    std::vector<std::uint32_t> made_;
    std::uint64_t states_ = 0, rounds_ = 0;
    Found best_;
};

}  // namespace ludorum::puzzle
