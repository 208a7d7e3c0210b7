// terms.h: ground terms as numbers.
//
// Equal terms have equal numbers, however deep they nest. The constants of a
// program come first and have the same numbers everywhere; what is built later
// is numbered as it comes, so such numbers mean nothing outside their table.
// The hash of a term depends on the term alone.
//
// Threads: a table belongs to one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "relations/tuple_table.h"

namespace ludorum::relations {

using TermId = std::uint32_t;

class Terms {
public:
    // Terms 0 … constants - 1 are constants; functor f takes arities[f] arguments.
    Terms(std::uint32_t constants, std::span<const std::uint32_t> arities);

    std::uint32_t size() const { return static_cast<std::uint32_t>(functors_.size()); }
    std::uint32_t functor(TermId term) const { return functors_[term]; }  // kNone of a constant
    const TermId* arguments(TermId term) const { return arguments_.data() + first_[term]; }
    std::uint64_t hash(TermId term) const { return hashes_[term]; }
    std::uint32_t arity(std::uint32_t functor) const { return tables_[functor].width(); }
    std::size_t bytes() const;

    TermId build(std::uint32_t functor, const TermId* arguments);

    // A term as text that means the same everywhere: a constant c is c, a
    // compound term is ~f followed by its arguments.
    void write(TermId term, std::vector<std::int32_t>& text) const;
    // The term at the front of a text, which is moved past it. Throws std::invalid_argument.
    TermId read(std::span<const std::int32_t>& text);

private:
    std::uint32_t constants_;
    std::vector<std::uint32_t> functors_, first_;
    std::vector<TermId> arguments_;
    std::vector<std::uint64_t> hashes_;
    std::vector<TupleTable> tables_;                   // by functor: argument tuples
    std::vector<std::vector<TermId>> terms_of_tuple_;  // by functor
};

}  // namespace ludorum::relations
