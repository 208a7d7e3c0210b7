// schedule.h: the order in which gates are evaluated: by depth, and within a
// depth by shape, so that the kernels run long loops without a branch a gate.
#pragma once

#include <vector>

#include "circuit/gate_graph.h"

namespace ludorum::circuit {

// A gate, or the border of a loop (then the index is its component).
struct Item {
    enum Kind : std::uint8_t { kNode, kLoopBegin, kLoopEnd } kind;
    std::uint32_t index;
};

using Schedule = std::vector<Item>;

class Scheduler {
public:
    explicit Scheduler(const GateGraph& graph);

    // What must be evaluated for these nodes, beyond what earlier calls did.
    Schedule cone(const std::vector<Node>& roots);

private:
    std::vector<Node> postorder(const std::vector<Node>& roots);
    void sort_by_shape(std::vector<Item>& items) const;
    void append_loop(std::uint32_t component, Schedule& schedule) const;
    template <class Visit> void for_unit(Node node, Visit visit) const;
    template <class Visit> void for_inputs(Node node, Visit visit) const;

    const GateGraph& graph_;
    std::vector<bool> done_;
    std::vector<std::uint32_t> depth_;
};

}  // namespace ludorum::circuit
