#include "relations/terms.h"

#include <stdexcept>

#include "support/splitmix64.h"

namespace ludorum::relations {

Terms::Terms(std::uint32_t constants, std::span<const std::uint32_t> arities)
    : constants_(constants), functors_(constants, kNone), first_(constants, 0), terms_of_tuple_(arities.size()) {
    for (std::uint32_t constant = 0; constant < constants; ++constant) hashes_.push_back(mix64(constant + 1));
    for (std::uint32_t arity : arities) tables_.emplace_back(arity);
}

std::size_t Terms::bytes() const {
    std::size_t sum = 4 * (functors_.capacity() + first_.capacity() + arguments_.capacity()) + 8 * hashes_.capacity();
    for (const TupleTable& table : tables_) sum += table.bytes();
    for (const auto& terms : terms_of_tuple_) sum += 4 * terms.capacity();
    return sum;
}

TermId Terms::build(std::uint32_t functor, const TermId* arguments) {
    TupleTable& table = tables_[functor];
    const std::uint32_t tuple = table.add(arguments);
    std::vector<TermId>& terms = terms_of_tuple_[functor];
    if (tuple < terms.size()) return terms[tuple];
    std::uint64_t hash = mix64(~std::uint64_t{functor});
    for (std::uint32_t i = 0; i < table.width(); ++i) hash = mix64(hash * 31 + hashes_[arguments[i]]);
    const TermId term = size();
    terms.push_back(term);
    functors_.push_back(functor);
    first_.push_back(static_cast<std::uint32_t>(arguments_.size()));
    // From the table: the arguments may stand in the vector that grows.
    arguments_.insert(arguments_.end(), table.tuple(tuple), table.tuple(tuple) + table.width());
    hashes_.push_back(hash);
    return term;
}

void Terms::write(TermId term, std::vector<std::int32_t>& text) const {
    std::vector<TermId> stack{term};
    while (!stack.empty()) {
        const TermId next = stack.back();
        stack.pop_back();
        if (functors_[next] == kNone) {
            text.push_back(static_cast<std::int32_t>(next));
            continue;
        }
        text.push_back(~static_cast<std::int32_t>(functors_[next]));
        for (std::uint32_t i = arity(functors_[next]); i > 0; --i) stack.push_back(arguments(next)[i - 1]);
    }
}

TermId Terms::read(std::span<const std::int32_t>& text) {
    struct Open { std::uint32_t functor; std::vector<TermId> arguments; };
    std::vector<Open> open;
    while (true) {
        if (text.empty()) throw std::invalid_argument("a term ends too early");
        const std::int32_t symbol = text.front();
        text = text.subspan(1);
        TermId term;
        if (symbol >= 0) {
            if (static_cast<std::uint32_t>(symbol) >= constants_) throw std::invalid_argument("no such constant");
            term = static_cast<TermId>(symbol);
        } else {
            if (static_cast<std::size_t>(~symbol) >= tables_.size()) throw std::invalid_argument("no such function");
            open.push_back({static_cast<std::uint32_t>(~symbol), {}});
            continue;
        }
        while (!open.empty()) {
            open.back().arguments.push_back(term);
            if (open.back().arguments.size() < arity(open.back().functor)) break;
            term = build(open.back().functor, open.back().arguments.data());
            open.pop_back();
        }
        if (open.empty()) return term;
    }
}

}  // namespace ludorum::relations
