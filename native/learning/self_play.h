// self_play.h: a net plays against itself, or against another, in many games side by side, looking one turn ahead.
//
// In every turn the successors of all games are found in one sweep and judged by the net, each from its parent; every
// role that has a choice takes one by a soft-max of what they are worth, now and then any. What states were worth in
// the light of how the games went on is what a net learns from:
//
//     target(t) = (1 − λ) · best(t) + λ · target(t + 1),
//
// where best(t) is what the best successor was worth, or was if it was over; the last is what the game ended with. A
// move that was made at random says nothing of the state before it: there the target is best(t). Where several roles
// choose at once, or chance does, best(t) is what the state that came was worth: on average that is the expectation.
//
// A game draws from a stream of its own, made from the seed and its number; so results do not depend on how many games
// run side by side, nor on the number of threads.
//
// In the literature: TD(λ) (Sutton 1988); TD-Gammon (Tesauro 1995).
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/simulator.h"
#include "evaluation/net.h"

namespace ludorum::learning {

struct PlayOptions {
    std::uint32_t games = 0;
    std::uint64_t seed = 0;
    std::uint32_t lanes = 256;          // games side by side, in each thread
    std::uint32_t threads = 1;
    float lambda = 0.85f;
    float temperature = 0.5f;           // of the soft-max over logits
    float epsilon = 0.05f;              // how often a choice is uniform
    std::uint32_t random_steps = 4;     // at most so many of the first turns are made at random
    std::uint32_t max_steps = 500;      // then a game is cut, and counts as its goals, or 50 where none holds
    std::int32_t chance_role = -1;
    std::uint32_t first_game = 0;       // the number of the first: what is played in parts is what is played at once
};

struct Experience {
    std::vector<Bits> states;           // a row each, game after game
    std::vector<float> targets;         // states × outputs of the net
    std::vector<std::uint32_t> lengths; // of the games
    std::vector<float> payoffs;         // games × roles, from 0 to 1
    std::uint64_t evaluations = 0;      // states that the net was asked about
};

// Requires: the net is of the simulator's game. Once `stop` is not 0 the result is unfinished.
Experience self_play(const Simulator& simulator, const evaluation::NetEvaluation& net, const Bits* start,
                     const PlayOptions& options, const std::atomic<std::int32_t>& stop);

// One net against another: game 2i and game 2i + 1 have the same opening, and in the first of them `one` has the seat
// i modulo the roles, in the other all others. Only lengths and payoffs are found.
Experience net_matches(const Simulator& simulator, const evaluation::NetEvaluation& one, const evaluation::NetEvaluation& other,
                       const Bits* start, const PlayOptions& options, const std::atomic<std::int32_t>& stop);

}  // namespace ludorum::learning
