// relaxed_plan.h: how many moves a plan takes where nothing that holds ever ceases to.
//
// The rules are relaxed: what was true once stays true, and what was false once stays false beside it. What every literal
// costs then is found by going through the circuit until nothing becomes cheaper: a conjunction costs what its parts cost
// together, a disjunction what its cheapest part does, a move one more than its being legal. From the goal back, what
// made each literal cheapest gives a plan; its moves are counted, each once.
//
// In the literature: delete relaxation; additive costs (HSP: Bonet, Geffner 2001), the plan itself (FF: Hoffmann, Nebel
// 2001).
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/circuit.h"
#include "search/puzzle/guide.h"

namespace ludorum::puzzle {

class RelaxedPlan final : public Guide {
public:
    // Requires: circuit.check() passed, and a single role.
    RelaxedPlan(circuit::Circuit circuit, circuit::Literal goal) : circuit_(std::move(circuit)), goal_(goal) {}

    std::uint32_t operator()(const Bits* state) override;

private:
    void find_costs(const Bits* state);
    std::uint32_t count_moves();

    circuit::Circuit circuit_;
    circuit::Literal goal_;
    std::vector<std::uint32_t> costs_, order_;     // of every literal; and when it became so cheap
    std::vector<std::uint8_t> is_wanted_;
    std::vector<circuit::Literal> wanted_;
};

}  // namespace ludorum::puzzle
