// stepped.h: playouts for every engine and every policy: all games make a step
// together, and each chooses its moves by itself.
#pragma once

#include "engine/leaf_playouts.h"
#include "engine/simulator.h"
#include "search/mcts/policy.h"
#include "support/random.h"

namespace ludorum::mcts {

class SteppedPlayouts final : public LeafPlayouts {
public:
    // Requires: both outlive it.
    SteppedPlayouts(const Simulator& simulator, const Statistics& statistics, const LeafSpec& spec, bool notes_history);

    std::uint32_t lanes() const override { return lanes_; }
    void begin(const Bits* state, std::uint32_t ticket, std::uint32_t phase, std::span<const std::uint32_t> before) override;
    void prefer(const Preference&) override {}
    void play(std::uint32_t enough, std::uint64_t most_steps, LeafResults& results) override;
    void forget() override { games_.clear(); states_.clear(); }
    std::uint64_t steps() const override { return steps_; }

private:
    struct Game {
        std::uint32_t ticket = 0;
        std::int32_t length = 0;
        std::size_t before = 0;               // moves in the history that the playout did not make
        std::vector<std::uint32_t> history;   // joint moves
    };

    bool choose(const Bits* legal, Game& game, std::uint32_t* joint);
    void end(std::size_t game, bool is_cut, LeafResults& results);
    void add_goals(LeafResults& results);

    const Simulator& simulator_;
    const Statistics& statistics_;
    const Shape& shape_;
    const LeafSpec spec_;
    const bool notes_history_;
    const std::uint32_t lanes_;
    Random random_;
    std::uint64_t steps_ = 0;
    std::vector<Game> games_;
    std::vector<Bits> states_, successors_, legal_;   // a row a game
    std::vector<Bits> ends_;                          // of games that have ended, whose goals are still to be asked for
    std::vector<std::uint8_t> terminal_;
    std::vector<std::uint32_t> joints_, moves_;
    std::vector<std::int16_t> goals_;
};

}  // namespace ludorum::mcts
