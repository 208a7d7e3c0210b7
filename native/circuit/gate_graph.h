// gate_graph.h: a circuit as gates that the kernels know how to evaluate.
//
// Every gate becomes an AND, a BUT (all of these but not that) or a SUM (any
// of these), stored in the polarity that needs no extra instruction. A
// conjunction of two that only one sum reads becomes part of that sum, so that
// it never goes through memory.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "circuit/circuit.h"
#include "circuit/kernels/op.h"

namespace ludorum::circuit {

using Node = std::uint32_t;
constexpr Node kNoNode = ~Node{0};
constexpr std::uint32_t kNoComponent = ~std::uint32_t{0};

class GateGraph {
public:
    struct Gate {
        Op op = Op::kCopy;
        GateShape shape;
        std::vector<Node> inputs;
        bool is_given = false;  // a constant, a fluent or a move
        bool is_loop = false;   // a loop wire
        std::uint32_t component = kNoComponent;
    };

    // Nodes 0 and 1 are the constants; fluents and moves follow, so that a given node has the number of its slot.
    explicit GateGraph(const Circuit& circuit);

    // The node that holds this literal as it is, not negated.
    Node plain(Literal literal);
    Node copy(Node node);

    // Puts small conjunctions into the sums that read them and finds the members of loops. After this nothing can
    // be added. `roots`: what is asked for from outside.
    void fuse(const std::vector<Node>& roots);

    Node size() const { return static_cast<Node>(gates_.size()); }
    const Gate& gate(Node node) const { return gates_[node]; }

    // Loops: their wires with the definitions, and the gates that lie on their cycles, in topological order.
    std::uint32_t components() const { return static_cast<std::uint32_t>(loops_.size()); }
    const std::vector<std::pair<Node, Node>>& loop(std::uint32_t component) const { return loops_[component]; }
    const std::vector<Node>& members(std::uint32_t component) const { return members_[component]; }

    // Everything that these nodes depend on, themselves included, ascending.
    std::vector<Node> below(const std::vector<Node>& roots) const;

private:
    struct Value { Node node; bool inverted; };
    struct Hash { std::size_t operator()(const std::vector<Node>& nodes) const; };

    Value of(Literal literal) const;
    Node add(Op op, std::vector<Node> inputs);
    Node any_of(std::vector<Node> nodes);
    void add_gate(const Circuit& circuit, Wire wire);
    void mark_component(std::uint32_t component);
    void absorb(Node sum, const std::vector<std::uint32_t>& readers);

    std::vector<Gate> gates_;
    std::vector<Value> values_;  // of the wires
    std::vector<std::vector<std::pair<Node, Node>>> loops_;
    std::vector<std::vector<Node>> members_;
    std::unordered_map<Node, Node> negations_;
    std::unordered_map<std::vector<Node>, Node, Hash> disjunctions_;
};

}  // namespace ludorum::circuit
