// facts.h: what holds now, and ways to find it.
//
// A fact (a row of a set) keeps its number for good, so that what is known of
// it (the leaves that a view reads, the group that an index puts it in) is
// worked out once, when it first occurs. A new state then only links the facts
// that hold into the groups they belong to.
#pragma once

#include <cstdint>
#include <vector>

#include "relations/program.h"
#include "relations/terms.h"
#include "relations/tuple_table.h"

namespace ludorum::relations {

struct FactSet {
    explicit FactSet(const SetSpec& spec) : level(spec.level), procedure(spec.procedure), facts(spec.arity) {}

    // Forgets what held. What holds from now on is of this version, which was never used before.
    void start(std::uint32_t new_version) {
        version = new_version;
        current.clear();
    }

    void add(const TermId* row) { hold(number(row)); }

    // The number of a fact, whether it holds or not.
    std::uint32_t number(const TermId* row) {
        const std::uint32_t fact = facts.add(row);
        if (fact == stamps.size()) stamps.push_back(0);
        return fact;
    }

    void hold(std::uint32_t fact) {
        if (stamps[fact] == version) return;
        stamps[fact] = version;
        current.push_back(fact);
    }

    bool holds(std::uint32_t fact) const { return stamps[fact] == version; }
    std::size_t bytes() const { return facts.bytes() + 4 * (stamps.capacity() + current.capacity()); }

    Level level;
    std::int32_t procedure;
    std::uint32_t version = 0;
    TupleTable facts;
    std::vector<std::uint32_t> stamps;   // by fact: the last version in which it held
    std::vector<std::uint32_t> current;  // the facts that hold
};

class View {
public:
    View(const ViewSpec& spec, FactSet& set);

    // Takes in facts that are new to the set.
    void catch_up(const Terms& terms) {
        if (!is_plain_ && matched_ < set_->facts.size()) match(terms);
    }

    FactSet& set() const { return *set_; }
    std::uint32_t width() const { return is_plain_ ? set_->facts.width() : rows_.width(); }
    std::uint32_t find(const TermId* leaves) const { return is_plain_ ? set_->facts.find(leaves) : rows_.find(leaves); }
    const TermId* leaves(std::uint32_t row) const { return is_plain_ ? set_->facts.tuple(row) : rows_.tuple(row); }
    std::uint32_t fact(std::uint32_t row) const { return is_plain_ ? row : fact_of_row_[row]; }
    // The fact with these leaves, whether it holds or not; a new one if there was none.
    std::uint32_t number(const TermId* leaves, Terms& terms);
    std::uint32_t row(std::uint32_t fact) const { return is_plain_ ? fact : row_of_fact_[fact]; }  // kNone: another form
    std::size_t bytes() const { return rows_.bytes() + 4 * (row_of_fact_.capacity() + fact_of_row_.capacity()); }

private:
    void match(const Terms& terms);

    FactSet* set_;
    std::vector<std::int32_t> pattern_;
    bool is_plain_;  // every column is a leaf, so rows are facts
    TupleTable rows_;
    std::uint32_t matched_ = 0;
    std::vector<std::uint32_t> row_of_fact_, fact_of_row_;
};

class Index {
public:
    Index(const IndexSpec& spec, View& view) : view_(&view), bound_(spec.bound), groups_(static_cast<std::uint32_t>(spec.bound.size())) {}

    View& view() const { return *view_; }

    // Brings it up to what holds in the set now.
    void update(const Terms& terms) {
        if (built_ != view_->set().version) build(terms);
    }

    // The first of the rows that hold and have this key, kNone if there is none. Requires: update().
    std::uint32_t first(const TermId* key) const {
        const std::uint32_t group = groups_.find(key);
        return group == kNone || chains_[group].version != built_ ? kNone : chains_[group].head;
    }
    std::uint32_t next(std::uint32_t row) const { return next_[row]; }
    std::size_t bytes() const {
        return groups_.bytes() + 8 * (links_.capacity() + chains_.capacity()) + 4 * next_.capacity();
    }

private:
    void build(const Terms& terms);

    View* view_;
    std::vector<std::uint32_t> bound_;
    TupleTable groups_;
    std::uint32_t built_ = 0;
    // Of a fact its row, kNone if it has another form, and the group of that.
    struct Link { std::uint32_t row = kNone, group = kNone; };
    struct Chain { std::uint32_t version = 0, head = kNone; };
    // Takes in facts that are new to the set.
    void link(const Terms& terms);

    std::vector<Link> links_;            // by fact
    std::vector<Chain> chains_;          // by group
    std::vector<std::uint32_t> next_;    // by row
};

}  // namespace ludorum::relations
