#include "relations/facts.h"

#include <algorithm>

namespace ludorum::relations {

View::View(const ViewSpec& spec, FactSet& set)
    : set_(&set), pattern_(spec.pattern),
      is_plain_(std::all_of(pattern_.begin(), pattern_.end(), [](std::int32_t part) { return part < 0; })),
      rows_(is_plain_ ? 0 : spec.leaves) {}

void View::match(const Terms& terms) {
    std::vector<TermId> stack, leaves;
    for (; matched_ < set_->facts.size(); ++matched_) {
        const TermId* row = set_->facts.tuple(matched_);
        stack.assign(std::reverse_iterator(row + set_->facts.width()), std::reverse_iterator(row));
        leaves.clear();
        bool fits = true;
        for (std::int32_t part : pattern_) {
            const TermId term = stack.back();
            stack.pop_back();
            if (part < 0) {
                leaves.push_back(term);
            } else if (terms.functor(term) == static_cast<std::uint32_t>(part)) {
                for (std::uint32_t i = terms.arity(terms.functor(term)); i > 0; --i) stack.push_back(terms.arguments(term)[i - 1]);
            } else {
                fits = false;
                break;
            }
        }
        if (!fits) {
            row_of_fact_.push_back(kNone);
            continue;
        }
        row_of_fact_.push_back(rows_.add(leaves.data()));
        fact_of_row_.push_back(matched_);
    }
}

void Index::build(const Terms& terms) {
    view_->catch_up(terms);
    built_ = view_->set().version;
    std::vector<TermId> key(bound_.size());
    for (std::uint32_t fact : view_->set().current) {
        const std::uint32_t row = view_->row(fact);
        if (row == kNone) continue;
        if (row >= group_of_row_.size()) {
            group_of_row_.resize(row + 1, kNone);
            next_.resize(row + 1, kNone);
        }
        if (group_of_row_[row] == kNone) {
            for (std::size_t i = 0; i < bound_.size(); ++i) key[i] = view_->leaves(row)[bound_[i]];
            group_of_row_[row] = groups_.add(key.data());
        }
        const std::uint32_t group = group_of_row_[row];
        if (group >= heads_.size()) {
            heads_.resize(group + 1, kNone);
            stamps_.resize(group + 1, 0);
        }
        next_[row] = stamps_[group] == built_ ? heads_[group] : kNone;
        stamps_[group] = built_;
        heads_[group] = row;
    }
}

}  // namespace ludorum::relations
