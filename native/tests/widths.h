// widths.h: a simulator for every kernel that this machine can run, and rows
// of bits for its states.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "circuit/circuit_simulator.h"
#include "tests/naive.h"

namespace ludorum::testing {

// A simulator that knows one kernel only.
struct Width {
    std::string name;
    std::uint32_t lanes;
    std::unique_ptr<CircuitSimulator> simulator;
};

inline std::vector<Width> every_width(const Circuit& circuit) {
    std::vector<Width> widths;
    for (const KernelChoice& choice : all_kernels()) {
        const std::uint32_t lanes = 64 * choice.kernels->columns;
        widths.push_back({std::to_string(lanes) + " " + choice.instructions, lanes,
                          std::make_unique<CircuitSimulator>(circuit, std::vector<KernelChoice>{choice})});
    }
    return widths;
}

inline bool bit(const Bits* row, std::size_t number) { return (row[number / 64] >> (number % 64)) & 1; }

inline std::vector<Bits> to_rows(const std::vector<State>& states) {
    const std::size_t words = states.empty() ? 0 : words_for(states.front().size());
    std::vector<Bits> rows(words * states.size(), 0);
    for (std::size_t i = 0; i < states.size(); ++i)
        for (std::size_t fluent = 0; fluent < states[i].size(); ++fluent)
            if (states[i][fluent]) rows[i * words + fluent / 64] |= Bits{1} << (fluent % 64);
    return rows;
}

struct Played {
    std::vector<std::int16_t> goals;
    std::vector<std::int32_t> lengths;
    std::vector<std::uint8_t> outcomes;

    friend bool operator==(const Played&, const Played&) = default;
};

inline Played play(const Width& width, const State& state, std::uint64_t playouts, std::uint64_t seed,
                   std::uint32_t max_steps = 10'000, std::uint32_t threads = 1) {
    // What is there before must not matter.
    Played played{std::vector<std::int16_t>(playouts * width.simulator->shape().roles(), 77),
                  std::vector<std::int32_t>(playouts, 77), std::vector<std::uint8_t>(playouts, 77)};
    const std::vector<Bits> row = to_rows({state});
    const std::atomic<std::int32_t> stop{0};
    width.simulator->playouts(row.data(), {playouts, seed, threads, max_steps, width.lanes},
                              {played.goals.data(), played.lengths.data(), played.outcomes.data()}, stop);
    return played;
}

}  // namespace ludorum::testing
