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

std::uint32_t View::number(const TermId* leaves, Terms& terms) {
    if (is_plain_) return set_->number(leaves);
    catch_up(terms);
    const std::uint32_t found = rows_.find(leaves);
    if (found != kNone) return fact_of_row_[found];
    // From the back, so that the arguments of a term are on the stack when it is built.
    std::vector<TermId> stack, arguments;
    const TermId* leaf = leaves + rows_.width();
    for (auto part = pattern_.rbegin(); part != pattern_.rend(); ++part) {
        if (*part < 0) {
            stack.push_back(*--leaf);
            continue;
        }
        const auto functor = static_cast<std::uint32_t>(*part);
        arguments.assign(stack.rbegin(), stack.rbegin() + terms.arity(functor));
        stack.resize(stack.size() - arguments.size());
        stack.push_back(terms.build(functor, arguments.data()));
    }
    std::reverse(stack.begin(), stack.end());
    return set_->number(stack.data());
}

void Index::link(const Terms& terms) {
    view_->catch_up(terms);
    std::vector<TermId> key(bound_.size());
    const std::uint32_t facts = view_->set().facts.size();
    for (std::uint32_t fact = static_cast<std::uint32_t>(links_.size()); fact < facts; ++fact) {
        Link& link = links_.emplace_back();
        link.row = view_->row(fact);
        if (link.row == kNone) continue;
        for (std::size_t i = 0; i < bound_.size(); ++i) key[i] = view_->leaves(link.row)[bound_[i]];
        link.group = groups_.add(key.data());
        if (link.group >= chains_.size()) chains_.resize(link.group + 1);
        if (link.row >= next_.size()) next_.resize(link.row + 1, kNone);
    }
}

void Index::build(const Terms& terms) {
    if (links_.size() < view_->set().facts.size()) link(terms);
    built_ = view_->set().version;
    for (std::uint32_t fact : view_->set().current) {
        const Link link = links_[fact];
        if (link.row == kNone) continue;
        Chain& chain = chains_[link.group];
        next_[link.row] = chain.version == built_ ? chain.head : kNone;
        chain = {built_, link.row};
    }
}

}  // namespace ludorum::relations
