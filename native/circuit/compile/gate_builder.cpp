#include "circuit/compile/gate_builder.h"

#include <algorithm>

namespace ludorum::circuit {
namespace {

// Wider gates, and gates that read more than this, are not looked into: it costs much and finds little.
constexpr std::size_t kWidest = 64, kDeepest = 12;

bool contains(const std::vector<Literal>& sorted, Literal literal) {
    return std::binary_search(sorted.begin(), sorted.end(), literal);
}

void erase(std::vector<Literal>& sorted, Literal literal) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), literal);
    if (at != sorted.end() && *at == literal) sorted.erase(at);
}

void insert(std::vector<Literal>& sorted, Literal literal) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), literal);
    if (at == sorted.end() || *at != literal) sorted.insert(at, literal);
}

std::size_t hash_of(std::span<const Literal> literals) {
    std::uint64_t hash = literals.size();
    for (Literal literal : literals) hash = (hash ^ literal) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
    return hash;
}

}  // namespace

GateBuilder::GateBuilder(Wire given, Budget* budget) : given_(given), budget_(budget), table_(1024, kFree) {}

std::span<const Literal> GateBuilder::inputs_of(Wire wire) const {
    if (wire < given_) return {};
    return {inputs_.data() + offsets_[wire - given_], inputs_.data() + offsets_[wire - given_ + 1]};
}

Wire GateBuilder::loop_wire() {
    append({});
    return wires() - 1;
}

Literal GateBuilder::all_of(std::span<const Literal> literals) {
    if (!tidy(literals)) return kFalse;
    if (kept_.size() > 1 && kept_.size() <= kWidest && !look_below()) return kFalse;
    return gate();
}

Literal GateBuilder::any_of(std::span<const Literal> literals) {
    flipped_.assign(literals.begin(), literals.end());
    for (Literal& literal : flipped_) literal ^= 1;
    return all_of(flipped_) ^ 1;
}

Literal GateBuilder::again(std::span<const Literal> literals) { return tidy(literals) ? gate() : kFalse; }

void GateBuilder::take(Circuit& into) {
    into.wires = wires();
    into.input_offsets.assign(given_, 0);
    into.input_offsets.insert(into.input_offsets.end(), offsets_.begin(), offsets_.end());
    into.inputs = std::move(inputs_);
}

bool GateBuilder::tidy(std::span<const Literal> literals) {
    if (budget_) budget_->spend(4 + literals.size());
    kept_.assign(literals.begin(), literals.end());
    std::sort(kept_.begin(), kept_.end());
    kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
    if (!kept_.empty() && kept_.front() == kFalse) return false;
    if (!kept_.empty() && kept_.front() == kTrue) kept_.erase(kept_.begin());
    for (std::size_t i = 1; i < kept_.size(); ++i)
        if (kept_[i] == (kept_[i - 1] ^ 1)) return false;
    return true;
}

bool GateBuilder::look_below() {
    before_ = kept_;
    for (Literal literal : before_) {
        if (wire_of(literal) < given_ || !contains(kept_, literal)) continue;
        const auto below = inputs_of(wire_of(literal));
        if (below.size() > kDeepest) continue;
        if (!is_negated(literal)) {
            // (a and b), next to a, says it already; next to not a it cannot be.
            for (Literal x : below) {
                if (contains(kept_, x ^ 1)) return false;
                erase(kept_, x);
            }
            continue;
        }
        // not (a and b), next to a, is not b; next to not a it is true.
        if (std::any_of(below.begin(), below.end(), [&](Literal x) { return contains(kept_, x ^ 1); })) {
            erase(kept_, literal);
            continue;
        }
        rest_.clear();
        for (Literal x : below)
            if (!contains(kept_, x)) rest_.push_back(x);
        if (rest_.size() == below.size()) continue;
        if (rest_.empty()) return false;
        Literal simpler = rest_.front();
        if (rest_.size() > 1) {
            const std::uint32_t known = table_[find(rest_)];
            if (known == kFree) continue;
            simpler = 2 * (given_ + known);
        }
        if (contains(kept_, simpler)) return false;
        erase(kept_, literal);
        insert(kept_, simpler ^ 1);
    }
    return true;
}

Literal GateBuilder::gate() {
    if (kept_.empty()) return kTrue;
    if (kept_.size() == 1) return kept_.front();
    const std::size_t place = find(kept_);
    if (table_[place] != kFree) return 2 * (given_ + table_[place]);
    table_[place] = static_cast<std::uint32_t>(offsets_.size() - 1);
    append(kept_);
    if (2 * ++known_ > table_.size()) grow();
    return 2 * (wires() - 1);
}

std::size_t GateBuilder::find(std::span<const Literal> sorted) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t place = hash_of(sorted) & mask;
    while (table_[place] != kFree && !std::ranges::equal(inputs_of(given_ + table_[place]), sorted)) place = (place + 1) & mask;
    return place;
}

void GateBuilder::append(std::span<const Literal> inputs) {
    if (budget_) budget_->hold(8 * inputs_.size() + 24 * offsets_.size());
    // Wires are numbered by 30 bits, and so are the inputs of all gates.
    if (inputs_.size() + inputs.size() > (1u << 30) || wires() >= (1u << 30) - 1) throw OutOfBudget();
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
    offsets_.push_back(static_cast<std::uint32_t>(inputs_.size()));
}

void GateBuilder::grow() {
    table_.assign(2 * table_.size(), kFree);
    for (std::uint32_t number = 0; number + 1 < offsets_.size(); ++number)
        if (offsets_[number + 1] > offsets_[number]) table_[find(inputs_of(given_ + number))] = number;
}

}  // namespace ludorum::circuit
