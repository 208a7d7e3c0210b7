#include "circuit/by_joint_moves.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>

#include "circuit/possibility.h"

namespace ludorum::circuit {
namespace {

// With more joint moves, or more gates beside those that there are, it is not worth its time.
constexpr std::size_t kMostJointMoves = 20'000, kMostGates = 1'000'000;

using Move = std::uint32_t;             // by its number among those of all roles
using JointMove = std::vector<Move>;    // one a role
using Fluents = std::vector<std::uint32_t>;
using MoveSet = std::vector<bool>;

// Gates beside those of a circuit; equal ones are the same.
class Builder {
public:
    explicit Builder(const Circuit& circuit) : made_(circuit) {}

    Literal all(std::vector<Literal> inputs) {
        std::sort(inputs.begin(), inputs.end());
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        if (!inputs.empty() && inputs.front() == kFalse) return kFalse;
        if (!inputs.empty() && inputs.front() == kTrue) inputs.erase(inputs.begin());
        for (std::size_t i = 0; i + 1 < inputs.size(); ++i)
            if ((inputs[i] ^ 1) == inputs[i + 1]) return kFalse;
        if (inputs.empty()) return kTrue;
        if (inputs.size() == 1) return inputs.front();
        const auto [found, is_new] = known_.try_emplace(inputs, made_.wires);
        if (is_new) {
            made_.inputs.insert(made_.inputs.end(), inputs.begin(), inputs.end());
            made_.input_offsets.push_back(static_cast<std::uint32_t>(made_.inputs.size()));
            ++made_.wires;
        }
        return 2 * found->second;
    }
    Literal any(std::vector<Literal> inputs) {
        for (Literal& input : inputs) input ^= 1;
        return all(std::move(inputs)) ^ 1;
    }

    Circuit& made() { return made_; }
    const Circuit& made() const { return made_; }

    // The fluents that hold wherever a literal does, as far as its conjunctions say.
    Fluents held_with(Literal literal) const {
        Fluents found;
        std::vector<Literal> stack{literal};
        while (!stack.empty()) {
            const Literal next = stack.back();
            stack.pop_back();
            if (is_negated(next)) continue;
            const Wire wire = wire_of(next);
            if (wire >= 1 && wire <= made_.fluents) found.push_back(wire - 1);
            else if (wire >= made_.first_gate()) {
                const auto inputs = made_.gate(wire);
                stack.insert(stack.end(), inputs.begin(), inputs.end());
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

private:
    Circuit made_;
    std::map<std::vector<Literal>, Wire> known_;
};

class Writer {
public:
    Writer(const Circuit& circuit, const std::atomic<std::int32_t>& stop)
        : circuit_(circuit), stop_(stop), builder_(circuit), possibility_(circuit) {
        for (std::uint32_t role = 0; role < circuit.roles(); ++role) {
            first_of_role_.push_back(static_cast<Move>(role_of_.size()));
            role_of_.insert(role_of_.end(), circuit.moves[role], role);
        }
        first_of_role_.push_back(static_cast<Move>(role_of_.size()));
    }

    std::optional<ByJointMoves> write(const Groups& sure, Groups likely) {
        find_gates();
        for (const Circuit::Loop& loop : circuit_.loops)
            if (reads_moves_[wire_of(loop.definition)]) return std::nullopt;
        // What is shown of one group may rest on another, so all of them are tried again until none is given up.
        while (true) {
            find_mates(sure, likely);
            list_moves_beside();
            const std::vector<JointMove> before_it = std::exchange(joint_moves_, {});
            if (!list_joint_moves() || joint_moves_.empty()) return std::nullopt;
            list_moves_with_fluents();
            if (joint_moves_ != before_it) find_base();
            const std::size_t before = likely.size();
            if (!give_up_those_that_fail(likely)) return std::nullopt;
            if (likely.size() == before) break;
        }
        if (!write_next()) return std::nullopt;
        likely.insert(likely.end(), sure.begin(), sure.end());
        return ByJointMoves{builder_.made(), std::move(likely)};
    }

private:
    bool has_too_much() const { return stop_ != 0 || builder_.made().wires > circuit_.wires + kMostGates; }

    bool write_next() {
        std::vector<std::map<Literal, std::vector<std::uint32_t>>> classes(circuit_.fluents);
        std::vector<std::vector<std::uint32_t>> changing(circuit_.fluents);
        for (std::uint32_t number = 0; number < joint_moves_.size(); ++number) {
            if (has_too_much()) return false;
            for (const auto& [fluent, formula] : changed_by(number)) {
                changing[fluent].push_back(number);
                if (formula != kFalse) classes[fluent].try_emplace(formula).first->second.push_back(number);
            }
        }
        std::vector<Literal> next(circuit_.fluents);
        for (std::uint32_t fluent = 0; fluent < circuit_.fluents; ++fluent) {
            if (has_too_much()) return false;
            std::vector<Literal> ways;
            // What most moves leave alone is as it is whatever is done; that this asks for no move takes nothing away.
            if (2 * changing[fluent].size() < joint_moves_.size()) ways.push_back(unmoved(fluent));
            else if (unmoved(fluent) != kFalse) {
                std::vector<std::uint32_t>& numbers = classes[fluent][unmoved(fluent)];
                for (std::uint32_t number = 0; number < joint_moves_.size(); ++number)
                    if (!std::binary_search(changing[fluent].begin(), changing[fluent].end(), number)) numbers.push_back(number);
            }
            for (const auto& [formula, numbers] : classes[fluent]) {
                const Fluents& held = held_with(formula);
                std::vector<Literal> made;
                for (std::uint32_t number : numbers)
                    if (is_possible(joint_moves_[number], held)) made.push_back(indicator(joint_moves_[number]));
                // Nor need it be said which, where nearly all do.
                const bool is_usual = 2 * made.size() > joint_moves_.size();
                ways.push_back(is_usual ? formula : builder_.all({formula, builder_.any(made)}));
            }
            next[fluent] = builder_.any(ways);
        }
        builder_.made().next = next;
        return true;
    }

    void find_mates(const Groups& sure, const Groups& likely) {
        mates_.assign(circuit_.fluents, {});
        for (const Groups* groups : {&sure, &likely})
            for (const auto& group : *groups)
                for (std::uint32_t one : group)
                    for (std::uint32_t other : group)
                        if (one != other) mates_[one].push_back(other);
        for (Fluents& mates : mates_) {
            std::sort(mates.begin(), mates.end());
            mates.erase(std::unique(mates.begin(), mates.end()), mates.end());
        }
    }

    // Induction over steps: two of a group never hold after any joint move, by what their formulas say.
    bool give_up_those_that_fail(Groups& groups) {
        std::vector<std::vector<std::uint32_t>> of_fluent(circuit_.fluents);
        for (std::uint32_t group = 0; group < groups.size(); ++group)
            for (std::uint32_t fluent : groups[group]) of_fluent[fluent].push_back(group);
        std::vector<bool> fails(groups.size());
        // Where moves touch neither, it is as after the first.
        for (std::uint32_t group = 0; group < groups.size(); ++group)
            for (std::size_t i = 0; i < groups[group].size() && !fails[group]; ++i)
                for (std::size_t k = 0; k < i && !fails[group]; ++k)
                    fails[group] = !excludes(unmoved(groups[group][i]), unmoved(groups[group][k]));
        std::vector<Literal> now(circuit_.fluents);
        for (std::uint32_t fluent = 0; fluent < circuit_.fluents; ++fluent) now[fluent] = unmoved(fluent);
        for (std::uint32_t number = 0; number < joint_moves_.size(); ++number) {
            if (has_too_much()) return false;
            const JointMove& joint = joint_moves_[number];
            const Changed& changed = changed_by(number);
            Fluents held;
            for (Move move : joint) {
                const Fluents& with = held_with(circuit_.legal[move]);
                held.insert(held.end(), with.begin(), with.end());
            }
            const auto is_impossible = [&](Literal formula) {
                if (formula == kFalse) return true;
                const Fluents& fluents = held_with(formula);
                return !is_possible(joint, fluents) || are_mates(fluents, held);
            };
            for (const auto& [fluent, formula] : changed) now[fluent] = formula;
            for (const auto& [fluent, formula] : changed) {
                if (is_impossible(formula)) continue;
                for (std::uint32_t group : of_fluent[fluent])
                    for (std::uint32_t other : groups[group])
                        if (!fails[group] && other != fluent && !excludes(formula, now[other]) && !is_impossible(now[other]))
                            fails[group] = true;
            }
            for (const auto& [fluent, formula] : changed) now[fluent] = unmoved(fluent);
        }
        Groups kept;
        for (std::uint32_t group = 0; group < groups.size(); ++group)
            if (!fails[group]) kept.push_back(groups[group]);
        groups = std::move(kept);
        return true;
    }

    bool excludes(Literal one, Literal other) {
        return one == kFalse || other == kFalse || one == (other ^ 1) || are_mates(held_with(one), held_with(other))
               || builder_.all({one, other}) == kFalse;
    }
    bool are_mates(const Fluents& some, const Fluents& others) const {
        return std::any_of(some.begin(), some.end(), [&](std::uint32_t fluent) {
            return std::any_of(others.begin(), others.end(),
                               [&](std::uint32_t other) { return std::binary_search(mates_[fluent].begin(), mates_[fluent].end(), other); });
        });
    }

    // A reference that stays good while others are asked for.
    const Fluents& held_with(Literal literal) {
        const auto [found, is_new] = held_.try_emplace(literal);
        if (is_new) found->second = builder_.held_with(literal);
        return found->second;
    }

    // What holds next after the first joint move, and after all that do not touch the fluent.
    Literal unmoved(std::uint32_t fluent) const { return base_[wire_of(circuit_.next[fluent])] ^ (circuit_.next[fluent] & 1); }

    void find_gates() {
        reads_moves_.resize(circuit_.wires);
        readers_.resize(circuit_.wires);
        for (Wire wire = circuit_.first_move(); wire < circuit_.first_gate(); ++wire) reads_moves_[wire] = true;
        for (bool is_new = true; is_new;) {
            is_new = false;
            for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire)
                for (Literal input : circuit_.gate(wire))
                    if (reads_moves_[wire_of(input)] && !reads_moves_[wire]) reads_moves_[wire] = is_new = true;
            for (const Circuit::Loop& loop : circuit_.loops)
                if (reads_moves_[wire_of(loop.definition)] && !reads_moves_[loop.wire]) reads_moves_[loop.wire] = is_new = true;
        }
        for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire)
            if (reads_moves_[wire])
                for (Literal input : circuit_.gate(wire))
                    if (reads_moves_[wire_of(input)]) readers_[wire_of(input)].push_back(wire);
        next_of_.resize(circuit_.wires);
        for (std::uint32_t fluent = 0; fluent < circuit_.fluents; ++fluent) next_of_[wire_of(circuit_.next[fluent])].push_back(fluent);
    }

    // Asks so many questions, lanes at a time, about states where some fluents hold: which moves may be legal there.
    template <class Held> void ask(std::size_t questions, Held held, std::vector<MoveSet>& answers) {
        answers.assign(questions, MoveSet(role_of_.size()));
        for (std::size_t begin = 0; begin < questions && stop_ == 0; begin += kLanes) {
            const std::size_t count = std::min(kLanes, questions - begin);
            possibility_.forget();
            for (std::size_t lane = 0; lane < count; ++lane) {
                const Fluents fluents = held(begin + lane);
                for (std::uint32_t fluent : fluents)
                    for (std::uint32_t mate : mates_[fluent]) possibility_.know(mate, lane, false);
                for (std::uint32_t fluent : fluents) possibility_.know(fluent, lane, true);
            }
            possibility_.evaluate();
            for (std::size_t lane = 0; lane < count; ++lane)
                for (Move move = 0; move < role_of_.size(); ++move) answers[begin + lane][move] = possibility_.may_be_legal(move, lane);
        }
    }

    void list_moves_beside() {
        ask(role_of_.size(), [&](std::size_t move) { return held_with(circuit_.legal[move]); }, beside_);
    }
    // Which moves may be legal where a fluent holds, and beside it what nearly all moves of their role ask for: that it
    // is its turn.
    void list_moves_with_fluents() {
        with_.assign(circuit_.fluents, MoveSet(role_of_.size()));
        for (std::uint32_t role = 0; role < circuit_.roles(); ++role) {
            const Fluents common = common_of(role);
            std::vector<Move> asking, others;
            for (Move move = first_of_role_[role]; move < first_of_role_[role + 1]; ++move)
                (std::ranges::includes(held_with(circuit_.legal[move]), common) ? asking : others).push_back(move);
            std::vector<MoveSet> answers;
            for (const bool is_asking : {true, false}) {
                const std::vector<Move>& moves = is_asking ? asking : others;
                if (moves.empty()) continue;
                ask(circuit_.fluents, [&](std::size_t fluent) {
                    Fluents held{static_cast<std::uint32_t>(fluent)};
                    if (is_asking) held.insert(held.end(), common.begin(), common.end());
                    return held;
                }, answers);
                for (std::uint32_t fluent = 0; fluent < circuit_.fluents; ++fluent)
                    for (Move move : moves) with_[fluent][move] = answers[fluent][move];
            }
        }
    }

    Fluents common_of(std::uint32_t role) {
        std::map<std::uint32_t, std::uint32_t> times;
        for (Move move = first_of_role_[role]; move < first_of_role_[role + 1]; ++move)
            for (std::uint32_t fluent : held_with(circuit_.legal[move])) ++times[fluent];
        Fluents common;
        for (const auto& [fluent, count] : times)
            if (2 * count > circuit_.moves[role]) common.push_back(fluent);
        return common;
    }

    // Those of which every two may be legal at once.
    bool list_joint_moves() {
        JointMove joint;
        const auto extend = [&](const auto& self, std::uint32_t role) -> bool {
            if (role == circuit_.roles()) {
                joint_moves_.push_back(joint);
                return joint_moves_.size() <= kMostJointMoves;
            }
            for (Move move = first_of_role_[role]; move < first_of_role_[role + 1]; ++move) {
                if (circuit_.legal[move] == kFalse || !beside_[move][move]) continue;
                if (!std::all_of(joint.begin(), joint.end(), [&](Move other) { return beside_[move][other] && beside_[other][move]; })) continue;
                joint.push_back(move);
                const bool goes_on = self(self, role + 1);
                joint.pop_back();
                if (!goes_on) return false;
            }
            return true;
        };
        return extend(extend, 0);
    }

    // All wires where the first joint move is made.
    void find_base() {
        base_.resize(circuit_.wires);
        for (Wire wire = 0; wire < circuit_.wires; ++wire) base_[wire] = 2 * wire;
        for (Wire wire = circuit_.first_move(); wire < circuit_.first_gate(); ++wire) base_[wire] = kFalse;
        for (Move move : joint_moves_.front()) base_[circuit_.first_move() + move] = kTrue;
        for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire)
            if (reads_moves_[wire]) base_[wire] = value_of(wire, base_);
        values_ = base_;
        changed_.clear();
    }

    Literal value_of(Wire wire, const std::vector<Literal>& values) {
        std::vector<Literal> inputs;
        for (Literal input : circuit_.gate(wire)) inputs.push_back(values[wire_of(input)] ^ (input & 1));
        return builder_.all(std::move(inputs));
    }

    using Changed = std::vector<std::pair<std::uint32_t, Literal>>;

    // What holds next after a joint move, where that differs from what it is after the first.
    Changed find_changed(const JointMove& joint) {
        Changed found;
        std::vector<Wire> touched;
        std::priority_queue<Wire, std::vector<Wire>, std::greater<>> waiting;
        const auto change = [&](Wire wire, Literal value) {
            values_[wire] = value;
            touched.push_back(wire);
            for (Wire reader : readers_[wire]) waiting.push(reader);
            for (std::uint32_t fluent : next_of_[wire]) found.emplace_back(fluent, value ^ (circuit_.next[fluent] & 1));
        };
        for (std::size_t role = 0; role < joint.size(); ++role) {
            const Move usual = joint_moves_.front()[role];
            if (joint[role] == usual) continue;
            change(circuit_.first_move() + usual, kFalse);
            change(circuit_.first_move() + joint[role], kTrue);
        }
        while (!waiting.empty()) {
            const Wire wire = waiting.top();
            while (!waiting.empty() && waiting.top() == wire) waiting.pop();
            const Literal value = value_of(wire, values_);
            if (value != base_[wire]) change(wire, value);
        }
        for (Wire wire : touched) values_[wire] = base_[wire];
        return found;
    }

    const Changed& changed_by(std::uint32_t number) {
        if (number >= changed_.size()) changed_.push_back(find_changed(joint_moves_[number]));
        return changed_[number];
    }

    bool is_possible(const JointMove& joint, const Fluents& held) const {
        return std::all_of(joint.begin(), joint.end(), [&](Move move) {
            return std::all_of(held.begin(), held.end(), [&](std::uint32_t fluent) { return with_[fluent][move]; });
        });
    }

    Literal indicator(const JointMove& joint) {
        std::vector<Literal> inputs;
        for (Move move : joint) inputs.push_back(2 * (circuit_.first_move() + move));
        return builder_.all(std::move(inputs));
    }

    const Circuit& circuit_;
    const std::atomic<std::int32_t>& stop_;
    Builder builder_;
    Possibility possibility_;
    std::vector<Fluents> mates_;
    std::vector<std::uint32_t> role_of_;
    std::vector<Move> first_of_role_;
    std::vector<bool> reads_moves_;
    std::vector<std::vector<Wire>> readers_;
    std::vector<std::vector<std::uint32_t>> next_of_;
    std::vector<MoveSet> beside_, with_;  // which moves may be legal beside a move, and where a fluent holds
    std::vector<JointMove> joint_moves_;
    std::vector<Literal> base_, values_;
    std::vector<Changed> changed_;  // by joint move, as far as they were asked for
    std::unordered_map<Literal, Fluents> held_;
};

}  // namespace

ByJointMoves by_joint_moves(const Circuit& circuit, const Groups& sure, const Groups& likely, const std::atomic<std::int32_t>& stop) {
    return Writer(circuit, stop).write(sure, likely).value_or(ByJointMoves{circuit, sure});
}

}  // namespace ludorum::circuit
