#include <algorithm>
#include <numeric>
#include <queue>
#include <unordered_map>

#include "circuit/compile/passes.h"
#include "circuit/compile/rewrite.h"

namespace ludorum::circuit {
namespace {

// A pair must be read by this many gates: a gate of its own costs two inputs, a result and its place.
constexpr std::uint32_t kWorth = 4;
// Gates with more inputs are left alone: their pairs are too many to count.
constexpr std::size_t kWidest = 200, kMostPairs = 4'000'000;

using Pair = std::uint64_t;  // of literals, the smaller one first
Pair pair_of(Literal a, Literal b) { return a < b ? Pair{a} << 32 | b : Pair{b} << 32 | a; }

struct Holders {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> gates;  // and some that no longer hold both
};

class Sharing {
public:
    Sharing(const Circuit& circuit, Budget& budget) : circuit_(circuit), budget_(budget), first_(circuit.first_gate()) {
        for (Wire wire = first_; wire < circuit.wires; ++wire) {
            const auto inputs = circuit.gate(wire);
            gates_.emplace_back(inputs.begin(), inputs.end());
        }
        count_pairs();
        take_out();
    }

    bool has_found() const { return !extra_.empty(); }

    // The circuit with the new gates put where what they read is known.
    Circuit in_order() const {
        // A pair stands right after the later of its two inputs; pairs of pairs after those.
        std::vector<std::vector<std::uint32_t>> after(circuit_.wires);
        std::vector<Wire> place;
        for (std::uint32_t number = 0; number < extra_.size(); ++number) {
            Wire at = first_ - 1;
            for (Literal literal : {extra_[number].first, extra_[number].second}) {
                const Wire wire = wire_of(literal);
                at = std::max(at, wire >= circuit_.wires ? place[wire - circuit_.wires] : wire);
            }
            place.push_back(at);
            after[at].push_back(number);
        }
        std::vector<Wire> now(std::size_t{circuit_.wires} + extra_.size());
        std::iota(now.begin(), now.begin() + first_, 0);
        std::vector<std::uint32_t> offsets(std::size_t{first_} + 1, 0);
        std::vector<Literal> inputs;
        const auto moved = [&](Literal literal) { return 2 * now[wire_of(literal)] + (literal & 1); };
        const auto add = [&](Wire old, std::span<const Literal> literals) {
            now[old] = static_cast<Wire>(offsets.size() - 1);
            const auto start = static_cast<std::ptrdiff_t>(inputs.size());
            for (Literal literal : literals) inputs.push_back(moved(literal));
            std::sort(inputs.begin() + start, inputs.end());
            offsets.push_back(static_cast<std::uint32_t>(inputs.size()));
        };
        for (Wire wire = first_ - 1; wire < circuit_.wires; ++wire) {
            if (wire >= first_) add(wire, gates_[wire - first_]);
            for (std::uint32_t number : after[wire])
                add(circuit_.wires + number, std::vector<Literal>{extra_[number].first, extra_[number].second});
        }
        Circuit result = frame(circuit_, moved);
        result.wires = static_cast<Wire>(offsets.size() - 1);
        result.input_offsets = std::move(offsets);
        result.inputs = std::move(inputs);
        for (const Circuit::Loop& loop : circuit_.loops) result.loops.push_back({now[loop.wire], moved(loop.definition), loop.component});
        return result;
    }

private:
    void count_pairs() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t gate = 0; gate < gates_.size(); ++gate)
            if (gates_[gate].size() >= 3 && gates_[gate].size() <= kWidest) order.push_back(gate);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return gates_[a].size() < gates_[b].size(); });
        std::vector<std::pair<Pair, std::uint32_t>> found;
        for (std::uint32_t gate : order) {
            const auto& inputs = gates_[gate];
            if (found.size() + inputs.size() * (inputs.size() - 1) / 2 > kMostPairs) break;
            for (std::size_t i = 0; i < inputs.size(); ++i)
                for (std::size_t j = i + 1; j < inputs.size(); ++j) found.emplace_back(pair_of(inputs[i], inputs[j]), gate);
            budget_.spend(inputs.size() * inputs.size());
        }
        std::sort(found.begin(), found.end());
        budget_.spend(16 * found.size());
        for (std::size_t i = 0; i < found.size();) {
            std::size_t end = i + 1;
            while (end < found.size() && found[end].first == found[i].first) ++end;
            if (end - i >= 2) {
                Holders& holders = holders_[found[i].first];
                holders.count = static_cast<std::uint32_t>(end - i);
                for (std::size_t j = i; j < end; ++j) holders.gates.push_back(found[j].second);
                offer(found[i].first, holders.count);
            }
            i = end;
        }
    }

    void take_out() {
        Literal next = 2 * circuit_.wires;
        while (!heap_.empty()) {
            const Offer best = heap_.top();
            heap_.pop();
            const auto found = holders_.find(best.pair);
            if (found == holders_.end() || found->second.count < kWorth) continue;
            if (found->second.count != best.count) {
                offer(best.pair, found->second.count);
                continue;
            }
            const auto a = static_cast<Literal>(best.pair >> 32), b = static_cast<Literal>(best.pair);
            std::vector<std::uint32_t> gates = std::move(found->second.gates);
            holders_.erase(found);
            std::sort(gates.begin(), gates.end());
            extra_.emplace_back(a, b);
            std::vector<Pair> fresh;
            for (std::uint32_t gate : gates) {
                std::vector<Literal>& inputs = gates_[gate];
                if (!holds(inputs, a) || !holds(inputs, b)) continue;
                std::erase_if(inputs, [&](Literal literal) { return literal == a || literal == b; });
                budget_.spend(8 * inputs.size());
                for (Literal literal : inputs) {
                    lose(pair_of(a, literal));
                    lose(pair_of(b, literal));
                    Holders& holders = holders_[pair_of(literal, next)];
                    if (holders.count == 0) fresh.push_back(pair_of(literal, next));
                    ++holders.count;
                    holders.gates.push_back(gate);
                }
                inputs.push_back(next);  // the largest so far: they stay sorted
            }
            for (Pair pair : fresh) offer(pair, holders_[pair].count);
            next += 2;
        }
    }

    static bool holds(const std::vector<Literal>& inputs, Literal literal) {
        return std::binary_search(inputs.begin(), inputs.end(), literal);
    }

    void lose(Pair pair) {
        const auto found = holders_.find(pair);
        if (found != holders_.end() && found->second.count > 0) --found->second.count;
    }

    void offer(Pair pair, std::uint32_t count) {
        if (count >= kWorth) heap_.push({count, pair});
    }

    struct Offer {
        std::uint32_t count;
        Pair pair;
        bool operator<(const Offer& other) const { return count != other.count ? count < other.count : pair > other.pair; }
    };

    const Circuit& circuit_;
    Budget& budget_;
    Wire first_;
    std::vector<std::vector<Literal>> gates_;
    std::unordered_map<Pair, Holders> holders_;
    std::priority_queue<Offer> heap_;
    std::vector<std::pair<Literal, Literal>> extra_;  // new gates, from the first wire after the old ones on
};

}  // namespace

Circuit share(const Circuit& circuit, Budget& budget) {
    const Sharing sharing(circuit, budget);
    return sharing.has_found() ? simplify(sharing.in_order(), budget) : circuit;
}

}  // namespace ludorum::circuit
