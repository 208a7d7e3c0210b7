#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {

Circuit simplify(const Circuit& circuit, Budget& budget) {
    return rewrite(circuit, budget, [](GateBuilder& builder, Wire, std::span<const Literal> inputs) { return builder.all_of(inputs); });
}

}  // namespace ludorum::circuit
