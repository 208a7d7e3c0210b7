// sequence_form.h: a game as what each player can do, one after the other, and what comes of it.
//
// A player's sequence is what it did at those of its information sets where it
// had a choice, from the first to the last; sequence 0 is to have done nothing
// yet. A plan has a number for every sequence: how likely the player does all of
// it if the others and chance let it. Information sets are in an order in which
// each comes after those it follows from.
//
// In the literature: the sequence form (Koller, Megiddo, von Stengel 1996).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ludorum::infosets {

struct InformationSet {
    std::uint32_t parent = 0;  // the sequence that leads to it
    std::uint32_t first = 0;   // its sequences are from this one on, a move each
    std::uint32_t moves = 0;
    std::uint32_t view = 0;    // what the player has seen by then; see tree.h
};

struct Player {
    std::vector<InformationSet> sets;
    std::vector<std::uint32_t> moves{0};  // the last move of every sequence, by its number

    std::size_t sequences() const { return moves.size(); }
};

// The ends of the game that follow on the same sequences of all players, together.
struct Outcomes {
    std::vector<std::uint32_t> sequences;  // outcome × player
    std::vector<double> weights;           // the probability that chance lets it come to these ends
    std::vector<double> payoffs;           // outcome × player, times that probability

    std::size_t size() const { return weights.size(); }
};

using Plan = std::vector<double>;

struct SequenceForm {
    std::vector<Player> players;
    Outcomes outcomes;

    // Every move as likely as every other.
    Plan uniform(std::size_t player) const;

    // What every player gets on average.
    std::vector<double> values(std::span<const Plan> plans) const;

    // What each sequence of a player is worth by the ends that follow on it directly, if the others keep to their plans.
    std::vector<double> worths(std::size_t player, std::span<const Plan> plans) const;

    // The plan that does best against those of the others, and what it gets.
    struct Reply { double value = 0; Plan plan; };
    Reply best_reply(std::size_t player, std::span<const Plan> plans) const;
};

// The plan of somebody who at every information set chooses with the probabilities given to its sequences.
Plan plan_of(const Player& player, std::span<const double> choices);

}  // namespace ludorum::infosets
