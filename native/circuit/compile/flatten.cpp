#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {

Circuit flatten(const Circuit& circuit, Budget& budget) {
    const std::vector<std::uint32_t> readers = fan_out(circuit);
    std::vector<Literal> flat;
    return rewrite(circuit, budget, [&](GateBuilder& builder, Wire wire, std::span<const Literal> inputs) {
        const auto old = circuit.gate(wire);
        bool is_flat = true;
        flat.clear();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool is_alone = !is_negated(inputs[i]) && readers[wire_of(old[i])] == 1;
            const auto below = is_alone ? builder.inputs_of(wire_of(inputs[i])) : std::span<const Literal>{};
            flat.insert(flat.end(), below.begin(), below.end());
            if (below.empty()) flat.push_back(inputs[i]);
            else is_flat = false;
        }
        return is_flat ? builder.again(inputs) : builder.all_of(flat);
    });
}

}  // namespace ludorum::circuit
