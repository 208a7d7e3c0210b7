// views.h: a game whose states also say what every role has seen so far.
//
// A row is the state with a word a role behind it: a hash of the role's own
// moves and percepts, turn by turn. Two rows of a match have the same word of a
// role just if the role cannot tell the matches apart (but for two histories
// with the same hash, one pair in 2^64). So everything that goes through sets of
// states keeps, on such rows, what each role knows as well. The role random sees
// nothing.
//
// In the literature: perfect recall; a word is the name of an information set.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/simulator.h"

namespace ludorum::belief {

class ViewSimulator : public Simulator {
public:
    // Requires: the simulator outlives this. `random`: the role that is chance, if there is one.
    ViewSimulator(const Simulator& simulator, std::optional<std::uint32_t> random);

    const Shape& shape() const override { return shape_; }
    const Simulator& simulator() const { return simulator_; }
    std::optional<std::uint32_t> random() const { return random_; }
    // How many words the state itself has; those of the roles follow.
    std::size_t plain_words() const { return plain_; }

    void terminal_and_legal(const Bits* states, std::size_t count, std::uint8_t* terminal, Bits* legal) const override;
    void step(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* successors) const override;
    void goals(const Bits* states, std::size_t count, std::int16_t* values) const override;
    void payoffs(const Bits* states, std::size_t count, std::int16_t* values) const override;
    void percepts(const Bits* states, std::size_t count, const std::uint32_t* joint, Bits* told) const override;
    PlayoutWork playouts(const Bits* state, const PlayoutSpec& spec, PlayoutResults results,
                         const std::atomic<std::int32_t>& stop) const override;
    std::unique_ptr<LeafPlayouts> leaf_playouts(const LeafSpec& spec) const override;

    // The word of a role after a move of its own and what it was told, in a row of all percepts.
    Bits seen(Bits view, std::uint32_t role, std::uint32_t move, const Bits* told) const;

private:
    std::vector<Bits> plain(const Bits* states, std::size_t count) const;

    const Simulator& simulator_;
    Shape shape_;
    std::optional<std::uint32_t> random_;
    std::size_t plain_;
    std::vector<std::vector<Bits>> masks_;  // of every role, which percepts are its own
};

}  // namespace ludorum::belief
