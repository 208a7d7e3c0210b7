#include "circuit/decisive.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "circuit/compile/gate_builder.h"

namespace ludorum::circuit {
namespace {

// What one move may take, in inputs of gates; all of them together, as a part of what a step takes, in which choosing
// counts as so many inputs a move; and the inputs that may be looked at to find it.
constexpr std::size_t kMostInputs = 1500;
constexpr double kMostGrowth = 4;
constexpr std::size_t kChoosing = 12;
constexpr std::size_t kMostWork = 3'000'000;

enum class Loops { kCopied, kNeverAsked };

// A copy of the gates of a circuit in a builder that has the same fluents and moves.
class Copied {
public:
    Copied(const Circuit& circuit, GateBuilder& builder, Loops loops) : circuit_(circuit), values_(circuit.wires, kFalse) {
        for (Wire wire = 0; wire < circuit.first_gate(); ++wire) values_[wire] = 2 * wire;
        std::vector<bool> is_loop(circuit.wires, false);
        for (const Circuit::Loop& loop : circuit.loops) is_loop[loop.wire] = true;
        std::vector<Literal> inputs;
        for (Wire wire = circuit.first_gate(); wire < circuit.wires; ++wire) {
            if (is_loop[wire]) {
                if (loops == Loops::kCopied) values_[wire] = 2 * builder.loop_wire();
                continue;
            }
            inputs.clear();
            for (Literal input : circuit.gate(wire)) inputs.push_back(value(input));
            values_[wire] = builder.again(inputs);
        }
    }

    const Circuit& circuit() const { return circuit_; }
    Literal value(Literal literal) const { return values_[wire_of(literal)] ^ (literal & 1); }

private:
    const Circuit& circuit_;
    std::vector<Literal> values_;  // by wire
};

// Which gates read which wires.
class Readers {
public:
    explicit Readers(const Circuit& circuit) : readers_(circuit.wires) {
        for (Wire wire = circuit.first_gate(); wire < circuit.wires; ++wire)
            for (Literal input : circuit.gate(wire)) readers_[wire_of(input)].push_back(wire);
    }

    // Every gate that depends on these wires, in the order of their numbers.
    std::vector<Wire> above(std::vector<Wire> wires, const std::vector<bool>& wanted) const {
        std::vector<Wire> found;
        std::vector<bool> seen(readers_.size(), false);
        while (!wires.empty()) {
            const Wire wire = wires.back();
            wires.pop_back();
            for (Wire reader : readers_[wire])
                if (wanted[reader] && !seen[reader]) {
                    seen[reader] = true;
                    found.push_back(reader);
                    wires.push_back(reader);
                }
        }
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    std::vector<std::vector<Wire>> readers_;
};

// The wires that some literals depend on, through gates alone.
std::vector<bool> below(const Circuit& circuit, const std::vector<Literal>& literals) {
    std::vector<bool> found(circuit.wires, false);
    for (Literal literal : literals) found[wire_of(literal)] = true;
    for (Wire wire = circuit.wires; wire-- > circuit.first_gate();)
        if (found[wire])
            for (Literal input : circuit.gate(wire)) found[wire_of(input)] = true;
    return found;
}

class Restriction {
public:
    Restriction(const Circuit& here, const Circuit& whole)
        : here_(here),
          whole_(whole),
          builder_(here.first_gate()),
          now_(here, builder_, Loops::kCopied),
          ends_(whole, builder_, Loops::kNeverAsked),
          here_readers_(here),
          whole_readers_(whole) {}

    bool can_be_told() {
        std::vector<bool> after_moves(here_.wires, false), in_loops(whole_.wires, false);
        for (Wire wire = here_.first_move(); wire < here_.first_gate(); ++wire) after_moves[wire] = true;
        for (Wire wire = here_.first_gate(); wire < here_.wires; ++wire)
            for (Literal input : here_.gate(wire)) after_moves[wire] = after_moves[wire] || after_moves[wire_of(input)];
        for (const Circuit::Loop& loop : here_.loops)
            if (after_moves[wire_of(loop.definition)]) return false;
        for (const Circuit::Loop& loop : whole_.loops) in_loops[loop.wire] = true;
        std::vector<Literal> roots{whole_.terminal};
        for (const Circuit::Goal& goal : whole_.goals) roots.push_back(goal.literal);
        const std::vector<bool> asked = below(whole_, roots);
        for (Wire wire = 0; wire < whole_.wires; ++wire)
            if (asked[wire] && in_loops[wire]) return false;
        return true;
    }

    Decisive restrict() {
        learn_that_false(now_.value(here_.terminal));
        learn_that_false(ends_.value(whole_.terminal));
        std::vector<Literal> legal;
        for (Literal literal : here_.legal) legal.push_back(now_.value(literal));
        room_ = static_cast<std::size_t>(kMostGrowth * static_cast<double>(inputs_of_a_step(legal)));
        Decisive made;
        std::vector<Literal> restricted = legal;
        for (std::uint32_t role = 0, first = 0; role < here_.roles(); first += here_.moves[role++])
            made.moves += restrict_role(role, first, legal, restricted);
        if (made.moves == 0) return {here_, 0};
        Circuit& circuit = made.circuit;
        circuit.fluents = here_.fluents;
        circuit.moves = here_.moves;
        circuit.turns = here_.turns;
        for (const Circuit::Loop& loop : here_.loops)
            circuit.loops.push_back({wire_of(now_.value(2 * loop.wire)), now_.value(loop.definition), loop.component});
        for (Literal literal : here_.next) circuit.next.push_back(now_.value(literal));
        circuit.legal = restricted;
        circuit.terminal = now_.value(here_.terminal);
        builder_.take(circuit);
        return made;
    }

private:
    // What wires come to; those that are not here come to what they do below, if there is anything below.
    struct Values {
        std::unordered_map<Wire, Literal> own;
        const Values* below = nullptr;

        const Literal* find(Wire wire) const {
            for (const Values* values = this; values; values = values->below)
                if (const auto found = values->own.find(wire); found != values->own.end()) return &found->second;
            return nullptr;
        }
    };

    // In a state that is not terminal this does not hold, and neither does any part of a disjunction.
    void learn_that_false(Literal literal) {
        std::vector<Literal> left{literal};
        while (!left.empty()) {
            const Literal known = left.back();
            left.pop_back();
            if (known == kFalse || known == kTrue || !is_false_.emplace(known, kFalse).second) continue;
            is_false_.emplace(known ^ 1, kTrue);
            if (is_negated(known))
                for (Literal input : builder_.inputs_of(wire_of(known))) left.push_back(input ^ 1);
        }
    }

    Literal known(Literal literal) const {
        const auto found = is_false_.find(literal);
        return found == is_false_.end() ? literal : found->second;
    }

    // What literals of a copied circuit come to where some of its wires have other values; `above` are the gates that
    // depend on these.
    void put_in(const Copied& copied, const std::vector<Wire>& above, Values& values) {
        std::vector<Literal> inputs;
        for (Wire gate : above) {
            inputs.clear();
            for (Literal input : copied.circuit().gate(gate)) inputs.push_back(come_to(copied, input, values));
            values.own[gate] = known(builder_.all_of(inputs));
            work_ += 1 + inputs.size();
        }
    }

    Literal come_to(const Copied& copied, Literal literal, const Values& values) const {
        const Literal* found = values.find(wire_of(literal));
        return found ? *found ^ (literal & 1) : known(copied.value(literal));
    }

    // Whether no role but this one has more than one legal move.
    Literal others_are_bound(std::uint32_t role, const std::vector<Literal>& legal) {
        std::vector<Literal> bound;
        for (std::uint32_t other = 0, first = 0; other < here_.roles(); first += here_.moves[other++]) {
            if (other == role) continue;
            Literal some = kFalse;
            for (std::uint32_t move = first; move < first + here_.moves[other]; ++move) {
                if (legal[move] == kFalse) continue;
                bound.push_back(all({some, legal[move]}) ^ 1);
                some = any({some, legal[move]});
            }
        }
        return builder_.all_of(bound);
    }

    Literal all(std::initializer_list<Literal> literals) { return builder_.all_of({literals.begin(), literals.size()}); }
    Literal any(std::initializer_list<Literal> literals) { return builder_.any_of({literals.begin(), literals.size()}); }

    // Inputs of the gates that only this literal needs beside those that were there before the moves were looked at.
    std::size_t cost(Literal literal, Wire since) const {
        std::vector<Wire> left{wire_of(literal)};
        std::unordered_map<Wire, bool> seen;
        std::size_t inputs = 0;
        while (!left.empty() && inputs <= kMostInputs) {
            const Wire wire = left.back();
            left.pop_back();
            if (wire < since || !seen.emplace(wire, true).second) continue;
            for (Literal input : builder_.inputs_of(wire)) left.push_back(wire_of(input)), ++inputs;
        }
        return inputs;
    }

    std::size_t inputs_of_a_step(const std::vector<Literal>& legal) const {
        std::vector<Literal> needed{now_.value(here_.terminal)};
        for (Literal literal : here_.next) needed.push_back(now_.value(literal));
        needed.insert(needed.end(), legal.begin(), legal.end());
        const auto possible = legal.size() - static_cast<std::size_t>(std::count(legal.begin(), legal.end(), kFalse));
        return inputs_below(needed) + kChoosing * possible;
    }

    std::size_t inputs_below(const std::vector<Literal>& literals) const {
        std::vector<bool> found(builder_.wires(), false);
        for (Literal literal : literals) found[wire_of(literal)] = true;
        std::size_t inputs = 0;
        for (Wire wire = builder_.wires(); wire-- > builder_.given();)
            if (found[wire])
                for (Literal input : builder_.inputs_of(wire)) found[wire_of(input)] = true, ++inputs;
        return inputs;
    }

    // What is seen of a move: whether it wins at once or loses at once.
    struct Sight {
        std::size_t cost;
        std::uint32_t move;
        Literal win, loss;
    };

    // What of the end is asked about a role: that it comes, and the role's highest and lowest goal.
    struct Ends {
        Literal terminal = kFalse;
        std::vector<Literal> highest, lowest;
    };

    Ends ends_of(std::uint32_t role) const {
        Ends ends{whole_.terminal, {}, {}};
        std::int16_t most = -1, least = 101;
        for (const Circuit::Goal& goal : whole_.goals)
            if (goal.role == role && goal.literal != kFalse) most = std::max(most, goal.value), least = std::min(least, goal.value);
        for (const Circuit::Goal& goal : whole_.goals) {
            if (goal.role != role || most == least) continue;
            if (goal.value == most) ends.highest.push_back(goal.literal);
            if (goal.value == least) ends.lowest.push_back(goal.literal);
        }
        return ends;
    }

    Literal happens(Literal terminal, const std::vector<Literal>& goals, const Values& values) {
        std::vector<Literal> met;
        for (Literal goal : goals) met.push_back(come_to(ends_, goal, values));
        const Literal goal = builder_.any_of(met);
        return all({come_to(ends_, terminal, values), goal});
    }

    std::uint32_t restrict_role(std::uint32_t role, std::uint32_t first, const std::vector<Literal>& legal,
                                std::vector<Literal>& restricted) {
        const std::uint32_t end = first + here_.moves[role];
        if (std::count(legal.begin() + first, legal.begin() + end, kFalse) + 1 >= static_cast<std::ptrdiff_t>(end - first)) return 0;
        const Ends ends = ends_of(role);
        if (ends.highest.empty()) return 0;
        std::vector<Literal> asked(ends.highest);
        asked.insert(asked.end(), ends.lowest.begin(), ends.lowest.end());
        asked.push_back(ends.terminal);
        const std::vector<bool> matters = below(whole_, asked);
        std::vector<Literal> next;
        for (std::uint32_t fluent = 0; fluent < here_.fluents; ++fluent)
            if (matters[1 + fluent]) next.push_back(here_.next[fluent]);
        const std::vector<bool> leads_there = below(here_, next);

        // The others make the one move they have, and this role none, before it is asked about each.
        Values nothing;
        std::vector<Wire> moves;
        for (Wire wire = here_.first_move(); wire < here_.first_gate(); ++wire) {
            const std::uint32_t move = wire - here_.first_move();
            nothing.own[wire] = move >= first && move < end ? kFalse : legal[move];
            moves.push_back(wire);
        }
        put_in(now_, here_readers_.above(moves, leads_there), nothing);

        const Literal bound = others_are_bound(role, legal);
        const Wire since = builder_.wires();
        std::vector<Sight> seen;
        for (std::uint32_t move = first; move < end && work_ < kMostWork; ++move) {
            if (legal[move] == kFalse) continue;
            Values made{{{here_.first_move() + move, kTrue}}, &nothing};
            put_in(now_, here_readers_.above({here_.first_move() + move}, leads_there), made);
            Values after;
            std::vector<Wire> changed;
            for (std::uint32_t fluent = 0; fluent < here_.fluents; ++fluent) {
                if (!matters[1 + fluent]) continue;
                const Literal value = come_to(now_, here_.next[fluent], made);
                if (value == 2 * (1 + fluent)) continue;
                after.own[1 + fluent] = value;
                changed.push_back(1 + fluent);
            }
            put_in(ends_, whole_readers_.above(changed, matters), after);
            const Literal win = all({legal[move], bound, happens(ends.terminal, ends.highest, after)});
            const Literal loss = all({legal[move], bound, happens(ends.terminal, ends.lowest, after)});
            if (win != kFalse || loss != kFalse) seen.push_back({cost(win, since) + cost(loss, since), move, win, loss});
        }
        // Those that take least first, as long as there is room.
        std::sort(seen.begin(), seen.end(), [](const Sight& a, const Sight& b) { return std::tie(a.cost, a.move) < std::tie(b.cost, b.move); });
        std::vector<Literal> wins(end - first, kFalse), losses(end - first, kFalse);
        std::uint32_t found = 0;
        for (const Sight& sight : seen) {
            if (sight.cost > kMostInputs || sight.cost > room_) break;
            room_ -= sight.cost;
            wins[sight.move - first] = sight.win;
            losses[sight.move - first] = sight.loss;
            ++found;
        }
        if (found == 0) return 0;
        const Literal can_win = builder_.any_of(wins);
        std::vector<Literal> safe;
        for (std::uint32_t move = first; move < end; ++move) safe.push_back(all({legal[move], losses[move - first] ^ 1}));
        const bool can_lose = std::any_of(losses.begin(), losses.end(), [](Literal loss) { return loss != kFalse; });
        const Literal must_lose = can_lose ? builder_.any_of(safe) ^ 1 : kFalse;
        for (std::uint32_t move = first; move < end; ++move) {
            const Literal otherwise = all({any({safe[move - first], all({legal[move], must_lose})}), can_win ^ 1});
            const Literal kept = any({wins[move - first], otherwise});
            // A move that can never be kept stays among the legal ones, so that the circuit has the same moves.
            if (kept != kFalse) restricted[move] = kept;
        }
        return found;
    }

    const Circuit& here_;
    const Circuit& whole_;
    GateBuilder builder_;
    const Copied now_, ends_;
    const Readers here_readers_, whole_readers_;
    std::unordered_map<Literal, Literal> is_false_;
    std::size_t work_ = 0, room_ = 0;
};

}  // namespace

Decisive decisive(const Circuit& here, const Circuit& whole) {
    Restriction restriction(here, whole);
    if (!restriction.can_be_told()) return {here, 0};
    return restriction.restrict();
}

}  // namespace ludorum::circuit
