#include <algorithm>
#include <unordered_map>

#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {
namespace {

using Term = std::vector<Literal>;  // sorted

// No disjunction is factored more often inside itself: rules come from strangers, and the stack is small.
constexpr int kDeepest = 100;

class Factoring {
public:
    Factoring(const Circuit& circuit, GateBuilder& builder, Budget& budget)
        : first_move_(circuit.first_move()), first_gate_(circuit.first_gate()), builder_(builder), budget_(budget) {}

    // Literals whose disjunction is that of the terms.
    std::vector<Literal> disjuncts(std::vector<Term> terms, int depth = 0) {
        std::vector<Literal> done;
        std::vector<bool> is_taken(terms.size(), false);
        drop_repeated(terms, is_taken);
        Occurrences occurs;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            if (is_taken[i]) continue;
            budget_.spend(1 + terms[i].size());
            for (Literal literal : terms[i]) occurs[literal].count += 1, occurs[literal].terms.push_back(static_cast<std::uint32_t>(i));
        }
        while (depth < kDeepest) {
            const auto [common, times] = most_common(occurs);
            if (times < 2) break;
            std::vector<Term> inner;
            bool absorbs = false;
            for (std::uint32_t i : occurs[common].terms) {
                if (is_taken[i]) continue;
                is_taken[i] = true;
                for (Literal literal : terms[i]) --occurs[literal].count;
                terms[i].erase(std::lower_bound(terms[i].begin(), terms[i].end(), common));
                absorbs |= terms[i].empty();
                inner.push_back(std::move(terms[i]));
            }
            if (absorbs) {
                done.push_back(common);
                continue;
            }
            const Literal rest = builder_.any_of(disjuncts(std::move(inner), depth + 1));
            done.push_back(builder_.all_of(std::vector<Literal>{common, rest}));
        }
        for (std::size_t i = 0; i < terms.size(); ++i)
            if (!is_taken[i]) done.push_back(builder_.all_of(terms[i]));
        return done;
    }

private:
    struct Occurrence { std::uint32_t count = 0; std::vector<std::uint32_t> terms; };
    using Occurrences = std::unordered_map<Literal, Occurrence>;

    static void drop_repeated(const std::vector<Term>& terms, std::vector<bool>& is_taken) {
        std::vector<std::uint32_t> order(terms.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return terms[a] != terms[b] ? terms[a] < terms[b] : a < b;
        });
        for (std::size_t i = 1; i < order.size(); ++i) is_taken[order[i]] = terms[order[i]] == terms[order[i - 1]];
    }

    bool is_move(Literal literal) const { return wire_of(literal) >= first_move_ && wire_of(literal) < first_gate_; }

    // Of those that are equally common, moves stay inside: disjunctions of moves can be complemented and shared.
    std::pair<Literal, std::uint32_t> most_common(const Occurrences& occurs) {
        budget_.spend(occurs.size());
        Literal best = 0;
        std::uint32_t times = 0;
        for (const auto& [literal, found] : occurs) {
            if (found.count < times || found.count == 0) continue;
            const bool is_better = found.count > times || is_move(literal) < is_move(best) ||
                                   (is_move(literal) == is_move(best) && literal < best);
            if (is_better) best = literal, times = found.count;
        }
        return {best, times};
    }

    Wire first_move_, first_gate_;
    GateBuilder& builder_;
    Budget& budget_;
};

}  // namespace

Circuit factor(const Circuit& circuit, Budget& budget) {
    const std::vector<std::uint32_t> readers = fan_out(circuit);
    return rewrite(circuit, budget, [&](GateBuilder& builder, Wire wire, std::span<const Literal> inputs) {
        const auto old = circuit.gate(wire);
        std::vector<Term> terms;
        std::vector<Literal> kept;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool is_alone = is_negated(inputs[i]) && readers[wire_of(old[i])] == 1;
            const auto below = is_alone ? builder.inputs_of(wire_of(inputs[i])) : std::span<const Literal>{};
            if (below.empty()) kept.push_back(inputs[i]);
            else terms.emplace_back(below.begin(), below.end());
        }
        if (terms.size() < 2) return builder.again(inputs);
        // The gate is (not t1) and (not t2) and …: the negation of a disjunction.
        for (Literal literal : Factoring(circuit, builder, budget).disjuncts(std::move(terms))) kept.push_back(literal ^ 1);
        return builder.all_of(kept);
    });
}

}  // namespace ludorum::circuit
