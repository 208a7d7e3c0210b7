// possibility.h: what may be true or false in a step, in many lanes at once.
//
// A literal that a lane says nothing of may be either; a gate may hold if all its inputs may, each by itself. So what may
// not be cannot be, and not the other way round.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "circuit/circuit.h"

namespace ludorum::circuit {

constexpr std::size_t kColumns = 8, kLanes = 64 * kColumns;

struct alignas(64) Word {
    std::array<std::uint64_t, kColumns> bits{};

    Word& operator&=(const Word& other) {
        for (std::size_t i = 0; i < kColumns; ++i) bits[i] &= other.bits[i];
        return *this;
    }
    Word& operator|=(const Word& other) {
        for (std::size_t i = 0; i < kColumns; ++i) bits[i] |= other.bits[i];
        return *this;
    }
    friend Word operator&(Word a, const Word& b) { return a &= b; }
    friend Word operator|(Word a, const Word& b) { return a |= b; }
    friend bool operator==(const Word&, const Word&) = default;

    bool lane(std::size_t i) const { return (bits[i / 64] >> (i % 64)) & 1; }
    void set_lane(std::size_t i, bool value) {
        const std::uint64_t bit = std::uint64_t{1} << (i % 64);
        bits[i / 64] = value ? bits[i / 64] | bit : bits[i / 64] & ~bit;
    }
};

inline constexpr Word kAll = [] {
    Word word;
    for (auto& bits : word.bits) bits = ~std::uint64_t{0};
    return word;
}();

// What may be, in many lanes: may[literal] holds where the literal may be true.
class Possibility {
public:
    explicit Possibility(const Circuit& circuit) : circuit_(circuit), may_(2 * circuit.wires) {
        may_[kTrue] = kAll;
        for (Wire wire = 1; wire <= circuit.fluents; ++wire) may_[2 * wire] = may_[2 * wire + 1] = kAll;
        // That a loop wire is false is always taken to be possible.
        for (const Circuit::Loop& loop : circuit.loops) may_[2 * loop.wire + 1] = kAll;
        order_gates();
    }

    void set(std::uint32_t fluent, std::size_t lane, bool may_hold) { may_[2 * (1 + fluent)].set_lane(lane, may_hold); }
    void set_all(std::size_t lane, bool may_hold) {
        for (std::uint32_t fluent = 0; fluent < circuit_.fluents; ++fluent) set(fluent, lane, may_hold);
    }

    void evaluate() {
        for (const Circuit::Loop& loop : circuit_.loops) may_[2 * loop.wire] = {};
        settle(before_, loops_before_);
        find_moves();
        settle(after_, loops_after_);
    }

    // What is known of a fluent: it holds, or it does not.
    void know(std::uint32_t fluent, std::size_t lane, bool holds) {
        may_[2 * (1 + fluent)].set_lane(lane, holds);
        may_[2 * (1 + fluent) + 1].set_lane(lane, !holds);
    }
    void forget() {
        for (Wire wire = 1; wire <= circuit_.fluents; ++wire) may_[2 * wire] = may_[2 * wire + 1] = kAll;
    }
    // Whether a move may be legal, by its number among those of all roles.
    bool may_be_legal(std::uint32_t move, std::size_t lane) const { return may_[circuit_.legal[move]].lane(lane); }
    bool may_follow(std::uint32_t fluent, std::size_t lane) const { return may_[circuit_.next[fluent]].lane(lane); }

private:
    // The gates that next and legal literals need, those that read no move first.
    void order_gates() {
        std::vector<bool> is_needed(circuit_.wires), reads_moves(circuit_.wires);
        for (Literal literal : circuit_.next) is_needed[wire_of(literal)] = true;
        for (Literal literal : circuit_.legal) is_needed[wire_of(literal)] = true;
        for (Wire wire = circuit_.first_move(); wire < circuit_.first_gate(); ++wire) reads_moves[wire] = true;
        // Once more for every time that a loop wire is read before its definition.
        for (bool is_new = true; is_new;) {
            is_new = false;
            for (Wire wire = circuit_.wires; wire-- > circuit_.first_gate();)
                if (is_needed[wire])
                    for (Literal input : circuit_.gate(wire)) is_needed[wire_of(input)] = true;
            for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire)
                for (Literal input : circuit_.gate(wire))
                    if (reads_moves[wire_of(input)]) reads_moves[wire] = true;
            for (const Circuit::Loop& loop : circuit_.loops) {
                const Wire definition = wire_of(loop.definition);
                if (is_needed[loop.wire] && !is_needed[definition]) is_needed[definition] = is_new = true;
                if (reads_moves[definition] && !reads_moves[loop.wire]) reads_moves[loop.wire] = is_new = true;
            }
        }
        for (Wire wire = circuit_.first_gate(); wire < circuit_.wires; ++wire)
            if (is_needed[wire] && !circuit_.gate(wire).empty()) (reads_moves[wire] ? after_ : before_).push_back(wire);
        for (const Circuit::Loop& loop : circuit_.loops)
            if (is_needed[loop.wire]) (reads_moves[loop.wire] ? loops_after_ : loops_before_).push_back(loop);
    }

    // Loop wires start false and rise until nothing changes.
    void settle(const std::vector<Wire>& gates, const std::vector<Circuit::Loop>& loops) {
        for (bool has_risen = true; has_risen;) {
            for (Wire gate : gates) {
                Word all = kAll, any;
                for (Literal input : circuit_.gate(gate)) {
                    all &= may_[input];
                    any |= may_[input ^ 1];
                }
                may_[2 * gate] = all;
                may_[2 * gate + 1] = any;
            }
            has_risen = false;
            for (const Circuit::Loop& loop : loops) {
                const Word risen = may_[2 * loop.wire] | may_[loop.definition];
                has_risen |= !(risen == may_[2 * loop.wire]);
                may_[2 * loop.wire] = risen;
            }
        }
    }

    // A role makes exactly one move, and a legal one.
    void find_moves() {
        Wire wire = circuit_.first_move();
        const Literal* legal = circuit_.legal.data();
        for (std::uint32_t count : circuit_.moves) {
            Word one, two;
            for (std::uint32_t i = 0; i < count; ++i) {
                const Word may_be_legal = may_[legal[i]];
                two |= one & may_be_legal;
                one |= may_be_legal;
            }
            for (std::uint32_t i = 0; i < count; ++i, ++wire) {
                const Word may_be_legal = may_[legal[i]];
                Word another = two;
                for (std::size_t c = 0; c < kColumns; ++c) another.bits[c] |= one.bits[c] & ~may_be_legal.bits[c];
                may_[2 * wire] = may_be_legal;
                may_[2 * wire + 1] = another;
            }
            legal += count;
        }
    }

    const Circuit& circuit_;
    std::vector<Word> may_;
    std::vector<Wire> before_, after_;
    std::vector<Circuit::Loop> loops_before_, loops_after_;
};

}  // namespace ludorum::circuit
