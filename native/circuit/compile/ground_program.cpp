#include "circuit/compile/ground_program.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ludorum::circuit {
namespace {

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(std::string("not a ground program: ") + what);
}

}  // namespace

void GroundRules::check(std::size_t atoms) const {
    require(atoms < (1u << 30), "too many atoms");
    require(ends.size() == heads.size(), "not as many bodies as heads");
    require(std::is_sorted(ends.begin(), ends.end()), "bodies that end before they begin");
    require((ends.empty() ? 0 : ends.back()) == literals.size(), "bodies do not fit the literals");
    for (std::int32_t head : heads) require(head >= 0 && static_cast<std::size_t>(head) < atoms, "a head out of range");
    for (std::int32_t literal : literals) require(atom_of(literal) < atoms, "a literal out of range");
}

void GroundProgram::check() const {
    rules.check(atoms);
    const auto all_known = [&](const std::vector<Atom>& some) {
        return std::all_of(some.begin(), some.end(), [&](Atom atom) { return atom < atoms; });
    };
    require(all_known(facts) && all_known(fluents) && all_known(does) && all_known(legal), "an atom out of range");
    std::size_t all_moves = 0;
    for (std::uint32_t of_role : moves) all_moves += of_role;
    require(does.size() == all_moves && legal.size() == all_moves, "not one atom a move");
    require(next.size() == fluents.size(), "not one next atom a fluent");
    for (Atom atom : next) require(atom < atoms || atom == kNoAtom, "a next atom out of range");
    require(terminal < atoms || terminal == kNoAtom, "the terminal atom out of range");
    for (const Goal& goal : goals) require(goal.role < moves.size() && goal.atom < atoms, "a goal out of range");
    for (const Percept& percept : percepts) require(percept.role < moves.size() && percept.atom < atoms, "a percept out of range");
}

DecidedRules decide(const GroundRules& rules, std::vector<bool> facts, const std::vector<GivenAtom>& given) {
    const std::size_t atoms = facts.size();
    DecidedRules result{{}, std::move(facts), std::vector<bool>(atoms, false)};
    auto& [kept, is_true, is_false] = result;
    // What an atom's truth is still open for: its rules, or for a given one the atoms that make it possible.
    std::vector<std::uint32_t> open_reasons(atoms, 0), open_conditions(rules.size());
    std::vector<bool> is_dropped(rules.size(), false), is_mentioned(atoms, false);
    // The rules that mention each atom.
    std::vector<std::uint32_t> first(atoms + 1, 0), where(rules.literals.size());
    for (std::int32_t literal : rules.literals) ++first[atom_of(literal) + 1], is_mentioned[atom_of(literal)] = true;
    for (std::size_t atom = 0; atom < atoms; ++atom) first[atom + 1] += first[atom];
    std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
        const auto body = rules.body(rule);
        for (std::int32_t literal : body) where[at[atom_of(literal)]++] = rule;
        open_conditions[rule] = static_cast<std::uint32_t>(body.size());
        ++open_reasons[static_cast<Atom>(rules.heads[rule])];
        if (body.empty()) is_true[static_cast<Atom>(rules.heads[rule])] = true;
    }
    std::vector<std::vector<Atom>> possible_by(atoms);
    for (const GivenAtom& one : given) {
        is_mentioned[one.atom] = true;
        open_reasons[one.atom] = static_cast<std::uint32_t>(one.reasons.size());
        for (Atom reason : one.reasons) possible_by[reason].push_back(one.atom), is_mentioned[reason] = true;
    }
    std::vector<Atom> queue;
    for (Atom atom = 0; atom < atoms; ++atom) {
        is_false[atom] = !is_true[atom] && is_mentioned[atom] && open_reasons[atom] == 0;
        if (is_true[atom] || is_false[atom]) queue.push_back(atom);
    }
    const auto lose = [&](Atom atom) {
        if (--open_reasons[atom] || is_true[atom] || is_false[atom]) return;
        is_false[atom] = true;
        queue.push_back(atom);
    };
    while (!queue.empty()) {
        const Atom atom = queue.back();
        queue.pop_back();
        if (is_false[atom])
            for (Atom other : possible_by[atom]) lose(other);
        for (std::uint32_t i = first[atom]; i < first[atom + 1]; ++i) {
            const std::uint32_t rule = where[i];
            if (is_dropped[rule]) continue;
            const auto head = static_cast<Atom>(rules.heads[rule]);
            const auto body = rules.body(rule);
            const auto wrong = static_cast<std::int32_t>(is_true[atom] ? ~atom : atom);
            if (std::find(body.begin(), body.end(), wrong) != body.end()) {
                is_dropped[rule] = true;
                lose(head);
            } else if (--open_conditions[rule] == 0 && !is_true[head]) {
                is_true[head] = true;
                queue.push_back(head);
            }
        }
    }
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        if (is_dropped[rule] || is_true[static_cast<Atom>(rules.heads[rule])]) continue;
        kept.heads.push_back(rules.heads[rule]);
        for (std::int32_t literal : rules.body(rule))
            if (!(literal < 0 ? is_false : is_true)[atom_of(literal)]) kept.literals.push_back(literal);
        kept.ends.push_back(static_cast<std::uint32_t>(kept.literals.size()));
    }
    return result;
}

}  // namespace ludorum::circuit
