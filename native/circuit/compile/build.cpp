#include <algorithm>
#include <unordered_set>

#include "circuit/compile/gate_builder.h"
#include "circuit/compile/ground_program.h"

namespace ludorum::circuit {
namespace {

constexpr Literal kUnknown = ~Literal{0};

class Build {
public:
    Build(const GroundProgram& program, Budget& budget)
        : program_(program), values_(program.atoms, kUnknown), first_rule_(program.atoms + 1, 0),
          rules_(program.rules.size()),
          builder_(static_cast<Wire>(1 + program.fluents.size() + program.does.size()), &budget) {
        for (std::int32_t head : program.rules.heads) ++first_rule_[static_cast<Atom>(head) + 1];
        for (std::size_t atom = 0; atom < program.atoms; ++atom) first_rule_[atom + 1] += first_rule_[atom];
        std::vector<std::uint32_t> at(first_rule_.begin(), first_rule_.end() - 1);
        for (std::uint32_t rule = 0; rule < program.rules.size(); ++rule) rules_[at[static_cast<Atom>(program.rules.heads[rule])]++] = rule;
        for (Atom atom : program.facts) values_[atom] = kTrue;
        Wire wire = 1;
        for (Atom atom : program.fluents) values_[atom] = 2 * wire++;
        for (Atom atom : program.does) values_[atom] = 2 * wire++;
    }

    Circuit circuit() {
        std::vector<Atom> wanted{program_.terminal};
        wanted.insert(wanted.end(), program_.next.begin(), program_.next.end());
        wanted.insert(wanted.end(), program_.legal.begin(), program_.legal.end());
        for (const auto& goal : program_.goals) wanted.push_back(goal.atom);
        for (const auto& percept : program_.percepts) wanted.push_back(percept.atom);
        give_values(wanted);

        Circuit result;
        result.fluents = static_cast<std::uint32_t>(program_.fluents.size());
        result.moves = program_.moves;
        for (Atom atom : program_.next) result.next.push_back(value(atom));
        for (Atom atom : program_.legal) result.legal.push_back(value(atom));
        result.terminal = value(program_.terminal);
        for (const auto& goal : program_.goals) result.goals.push_back({goal.role, goal.value, value(goal.atom)});
        for (const auto& percept : program_.percepts) result.percepts.push_back({percept.role, value(percept.atom)});
        result.loops = std::move(loops_);
        builder_.take(result);
        return result;
    }

private:
    // Where a walk through the rules of an atom has come to.
    struct Walk { Atom atom; std::uint32_t rule; std::uint32_t literal = 0; };

    Literal value(Atom atom) const { return atom == kNoAtom || values_[atom] == kUnknown ? kFalse : values_[atom]; }
    bool is_open(Atom atom) const { return values_[atom] == kUnknown && first_rule_[atom] < first_rule_[atom + 1]; }
    Walk walk(Atom atom) const { return {atom, first_rule_[atom]}; }

    // The next derived atom without a value that the rules of an atom read, or kNoAtom.
    Atom below(Walk& walk) const {
        for (; walk.rule < first_rule_[walk.atom + 1]; ++walk.rule, walk.literal = 0) {
            const auto body = program_.rules.body(rules_[walk.rule]);
            while (walk.literal < body.size())
                if (const Atom atom = atom_of(body[walk.literal++]); is_open(atom)) return atom;
        }
        return kNoAtom;
    }

    // Values for these atoms and all below them, by strongly connected components, those that are read before those that
    // read them (Tarjan 1972). Without recursion: rules come from strangers.
    void give_values(const std::vector<Atom>& wanted) {
        std::vector<std::uint32_t> order(program_.atoms, 0), low(program_.atoms, 0);
        std::vector<bool> is_on_path(program_.atoms, false);
        std::vector<Atom> path;
        std::vector<Walk> stack;
        std::uint32_t count = 0;
        const auto enter = [&](Atom atom) {
            order[atom] = low[atom] = ++count;
            path.push_back(atom);
            is_on_path[atom] = true;
            stack.push_back(walk(atom));
        };
        for (Atom root : wanted) {
            if (root == kNoAtom || order[root] || !is_open(root)) continue;
            enter(root);
            while (!stack.empty()) {
                const Atom atom = stack.back().atom, child = below(stack.back());
                if (child != kNoAtom) {
                    if (!order[child]) enter(child);
                    else if (is_on_path[child]) low[atom] = std::min(low[atom], order[child]);
                    continue;
                }
                stack.pop_back();
                if (!stack.empty()) low[stack.back().atom] = std::min(low[stack.back().atom], low[atom]);
                if (low[atom] != order[atom]) continue;
                std::vector<Atom> component;
                do {
                    component.push_back(path.back());
                    is_on_path[path.back()] = false;
                    path.pop_back();
                } while (component.back() != atom);
                if (component.size() == 1 && !reads_itself(atom)) values_[atom] = disjunction(atom);
                else give_loop_values(component);
            }
        }
    }

    bool reads_itself(Atom atom) const {
        for (std::uint32_t i = first_rule_[atom]; i < first_rule_[atom + 1]; ++i) {
            const auto body = program_.rules.body(rules_[i]);
            if (std::find(body.begin(), body.end(), static_cast<std::int32_t>(atom)) != body.end()) return true;
        }
        return false;
    }

    Literal disjunction(Atom atom) {
        terms_.clear();
        for (std::uint32_t i = first_rule_[atom]; i < first_rule_[atom + 1]; ++i) {
            body_.clear();
            for (std::int32_t x : program_.rules.body(rules_[i])) body_.push_back(value(atom_of(x)) ^ Literal{x < 0});
            terms_.push_back(builder_.all_of(body_));
        }
        return builder_.any_of(terms_);
    }

    // A depth-first walk; an atom that is read while its own walk is under way becomes a loop wire, so that every cycle
    // passes through one. The others read the gates themselves: one sweep then carries news a long way.
    void give_loop_values(const std::vector<Atom>& component) {
        std::vector<std::pair<Atom, Wire>> wires;
        std::vector<Walk> stack;
        for (Atom root : component) {
            if (values_[root] != kUnknown) continue;
            under_way_.insert(root);
            stack.push_back(walk(root));
            while (!stack.empty()) {
                const Atom atom = stack.back().atom, child = below(stack.back());
                if (child == kNoAtom) {
                    stack.pop_back();
                    values_[atom] = disjunction(atom);
                } else if (under_way_.contains(child)) {
                    // Until it has a value of its own it is read through its loop wire.
                    wires.emplace_back(child, builder_.loop_wire());
                    values_[child] = 2 * wires.back().second;
                } else {
                    under_way_.insert(child);
                    stack.push_back(walk(child));
                }
            }
        }
        for (const auto& [atom, wire] : wires) loops_.push_back({wire, values_[atom], components_});
        ++components_;
    }

    const GroundProgram& program_;
    std::vector<Literal> values_;             // of atoms
    std::vector<std::uint32_t> first_rule_;   // of an atom, in rules_
    std::vector<std::uint32_t> rules_;        // by their heads
    GateBuilder builder_;
    std::vector<Circuit::Loop> loops_;
    std::uint32_t components_ = 0;
    std::unordered_set<Atom> under_way_;
    std::vector<Literal> body_, terms_;       // room to work in
};

}  // namespace

Circuit build(const GroundProgram& program, Budget& budget) { return Build(program, budget).circuit(); }

}  // namespace ludorum::circuit
