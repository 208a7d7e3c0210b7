#include "tests/builder.h"

#include <algorithm>

namespace ludorum::testing {

Builder::Builder(std::uint32_t fluents, std::vector<std::uint32_t> moves) {
    circuit_.fluents = fluents;
    circuit_.moves = std::move(moves);
    circuit_.wires = circuit_.first_gate();
    circuit_.input_offsets.assign(circuit_.wires + 1, 0);
    circuit_.next.assign(fluents, kFalse);
    circuit_.legal.assign(circuit_.all_moves(), kTrue);
}

Literal Builder::move(std::uint32_t role, std::uint32_t number) const {
    Wire wire = circuit_.first_move() + number;
    for (std::uint32_t other = 0; other < role; ++other) wire += circuit_.moves[other];
    return positive(wire);
}

Literal& Builder::legal(std::uint32_t role, std::uint32_t number) {
    return circuit_.legal[(move(role, number) >> 1) - circuit_.first_move()];
}

Wire Builder::add_wire(const std::vector<Literal>& inputs) {
    circuit_.inputs.insert(circuit_.inputs.end(), inputs.begin(), inputs.end());
    circuit_.input_offsets.push_back(static_cast<std::uint32_t>(circuit_.inputs.size()));
    return circuit_.wires++;
}

Literal Builder::all_of(std::vector<Literal> literals) { return positive(add_wire(literals)); }

Literal Builder::any_of(std::vector<Literal> literals) {
    for (Literal& literal : literals) literal = negated(literal);
    return negated(all_of(std::move(literals)));
}

Literal Builder::loop(std::uint32_t component) {
    const Wire wire = add_wire({});
    circuit_.loops.push_back({wire, kFalse, component});
    return positive(wire);
}

void Builder::define(Literal loop, Literal definition) {
    for (Circuit::Loop& known : circuit_.loops)
        if (known.wire == wire_of(loop)) known.definition = definition;
}

void Builder::ring(const std::vector<std::uint32_t>& fluents) {
    std::vector<std::uint32_t> sorted(fluents);
    std::sort(sorted.begin(), sorted.end());
    circuit_.turns = static_cast<std::uint32_t>(fluents.size());
    circuit_.phases.clear();
    for (std::size_t i = 0; i < fluents.size(); ++i) {
        next(fluents[(i + 1) % fluents.size()]) = fluent(fluents[i]);
        auto& phase = circuit_.phases.emplace_back();
        for (std::uint32_t other : sorted) phase.push_back(other == fluents[i] ? fluent(other) : negated(fluent(other)));
    }
}

void Builder::goal(std::uint32_t role, int value, Literal literal) {
    circuit_.goals.push_back({role, static_cast<std::int16_t>(value), literal});
}

void Builder::percept(std::uint32_t role, Literal literal) { circuit_.percepts.push_back({role, literal}); }

namespace {

class RandomCircuit {
public:
    explicit RandomCircuit(Generator& random, Ring ring = Ring::kNone)
        : random_(random),
          fluents_(pick(7) + (ring != Ring::kNone ? 3 : 0)),
          roles_(1 + pick(3)),
          builder_(fluents_, random_moves(random, roles_, ring == Ring::kOneChooses)) {
        literals_ = {kFalse, kTrue};
        for (std::uint32_t fluent = 0; fluent < fluents_; ++fluent) add(builder_.fluent(fluent));
        add_wires(20);
        ask_before_moves();
        for (std::uint32_t role = 0; role < roles_; ++role)
            for (std::uint32_t number = 0; number < builder_.circuit().moves[role]; ++number) add(builder_.move(role, number));
        add_wires(20);
        ask_after_moves();
        builder_.turns() = 1 + pick(3);
        if (ring != Ring::kNone) go_round(ring != Ring::kAny);
    }

    const Circuit& circuit() const { return builder_.circuit(); }

private:
    // Mostly a handful; now and then so many that they do not fit one group of the choice.
    static std::vector<std::uint32_t> random_moves(Generator& random, std::uint32_t roles, bool one_chooses) {
        std::vector<std::uint32_t> moves;
        for (std::uint32_t role = 0; role < roles; ++role)
            moves.push_back(one_chooses && role > 0 ? 1 : below(random, 12) == 0 ? 14 + below(random, 5) : 1 + below(random, 4));
        return moves;
    }

    std::uint32_t pick(std::uint32_t count) { return below(random_, count); }
    Literal any() { return literals_[pick(static_cast<std::uint32_t>(literals_.size()))]; }
    std::vector<Literal> some(std::uint32_t most) {
        std::vector<Literal> found(1 + pick(most));
        for (Literal& literal : found) literal = any();
        return found;
    }
    void add(Literal literal) {
        literals_.push_back(literal);
        literals_.push_back(negated(literal));
    }

    void add_wires(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            if (pick(8) == 0) add_component();
            else add(builder_.all_of(some(pick(8) == 0 ? 12 : 3)));
        }
    }

    // Everything between a loop wire and its definition is made of ANDs and ORs of literals that grow with the wires.
    void add_component() {
        std::vector<Literal> loops, growing;
        for (std::uint32_t i = 0, count = 1 + pick(3); i < count; ++i) loops.push_back(builder_.loop(components_));
        growing = loops;
        for (std::uint32_t i = 0, count = pick(3); i < count; ++i) growing.push_back(any());
        Literal entered = kFalse;
        // A way in that is open while some fluent is false may go in the same step in which a way round opens.
        if (fluents_ > 1 && pick(2)) {
            const Literal way_in = negated(builder_.fluent(pick(fluents_))), way_round = builder_.fluent(pick(fluents_));
            entered = loops[pick(static_cast<std::uint32_t>(loops.size()))];
            growing.push_back(builder_.any_of({way_in, builder_.all_of({way_round, entered})}));
            builder_.define(entered, growing.back());
        }
        for (std::uint32_t i = 0, count = 1 + pick(8); i < count; ++i) {
            std::vector<Literal> inputs(1 + pick(3));
            for (Literal& input : inputs) input = growing[pick(static_cast<std::uint32_t>(growing.size()))];
            growing.push_back(pick(2) ? builder_.all_of(inputs) : builder_.any_of(inputs));
        }
        for (Literal loop : loops)
            if (loop != entered) builder_.define(loop, growing[pick(static_cast<std::uint32_t>(growing.size()))]);
        for (Literal literal : growing) add(literal);
        ++components_;
    }

    void ask_before_moves() {
        builder_.terminal() = builder_.all_of({any(), any(), any()});
        for (std::uint32_t role = 0; role < roles_; ++role) {
            for (std::uint32_t number = 0; number < builder_.circuit().moves[role]; ++number)
                builder_.legal(role, number) = pick(3) ? any() : kTrue;
            for (std::uint32_t i = 0, count = pick(4); i < count; ++i) builder_.goal(role, 10 * static_cast<int>(i), any());
        }
    }

    void ask_after_moves() {
        for (std::uint32_t fluent = 0; fluent < fluents_; ++fluent) {
            const bool is_another_fluent = pick(3) == 0;
            builder_.next(fluent) = is_another_fluent ? builder_.fluent(pick(fluents_)) ^ (pick(4) == 0) : any();
        }
        for (std::uint32_t i = 0, count = pick(4); i < count; ++i) builder_.percept(pick(roles_), any());
    }

    // Two or three fluents, not always neighbours.
    void go_round(bool is_never_stuck) {
        std::vector<std::uint32_t> ring{fluents_ - 1, pick(fluents_ - 2), fluents_ - 2};
        ring.resize(2 + pick(2));
        for (std::uint32_t role = 0; role < roles_; ++role)
            for (std::uint32_t number = 0; number < builder_.circuit().moves[role]; ++number) {
                Literal& legal = builder_.legal(role, number);
                if (is_never_stuck && number == 0) legal = kTrue;
                else if (pick(3)) legal = builder_.all_of({legal, builder_.fluent(ring[pick(static_cast<std::uint32_t>(ring.size()))])});
            }
        builder_.ring(ring);
    }

    Generator& random_;
    std::uint32_t fluents_, roles_;
    Builder builder_;
    std::vector<Literal> literals_;
    std::uint32_t components_ = 0;
};

}  // namespace

Circuit random_circuit(Generator& random) { return RandomCircuit(random).circuit(); }

Circuit random_ring(Generator& random, Ring ring) { return RandomCircuit(random, ring).circuit(); }

}  // namespace ludorum::testing
