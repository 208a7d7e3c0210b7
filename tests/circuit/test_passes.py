"""Each pass on a circuit where its result can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

from small_programs import assert_same_meaning, evaluated, every_state, small_program

from ludorum.circuit import Circuit, compile_circuit
from ludorum.circuit.circuit import FALSE, TRUE
from ludorum.circuit.passes import (
    build,
    factor,
    flatten,
    merge_agreeing_fluents,
    share,
    simplify,
    unroll,
    use_legality,
    use_one_hot_moves,
)


def move_literal(circuit: Circuit, number: int) -> int:
    """The literal of a move, counted over all roles."""
    return 2 * (circuit.first_move + number)


def without_spare_gates(circuit: Circuit) -> Circuit:
    """A pass may leave behind gates that nobody reads any more; the next one drops them."""
    return simplify(circuit)


class TestSimplify:
    def test_gates_that_nobody_reads_any_more_go_away(self) -> None:
        program = small_program(["terminal <- p q", "next:p <- p ~q"], fluents="p q")
        circuit = build(program)
        assert circuit.gates == 2
        assert simplify(replace(circuit, terminal=FALSE)).gates == 1

    def test_a_circuit_without_spare_parts_stays_as_it_is(self) -> None:
        circuit = build(small_program(["terminal <- p q", "a <- b p", "b <- a", "b <- q", "next:p <- a"],
                                      fluents="p q"))
        assert simplify(circuit) == circuit


class TestLegality:
    def test_what_a_move_demands_is_not_asked_beside_it(self) -> None:
        program = small_program([
            "legal:robot:go <- awake free", "legal:robot:stay <-",
            "next:awake <- does:robot:go awake", "next:free <- does:robot:go free awake",
        ], fluents="awake free", moves={"robot": "go stay"})
        circuit = use_legality(build(program))
        go = move_literal(circuit, 0)
        assert circuit.next == (go, go)
        assert_same_meaning(circuit, program)

    def test_a_move_is_not_made_where_it_is_illegal(self) -> None:
        program = small_program(["legal:robot:go <- awake", "next:lost <- does:robot:go ~awake"],
                                fluents="awake lost", moves={"robot": "go"})
        assert use_legality(build(program)).next[1] == FALSE

    def test_a_role_makes_one_move_at_a_time(self) -> None:
        program = small_program([
            "legal:robot:go <-", "legal:robot:stay <-",
            "next:both <- does:robot:go does:robot:stay", "next:one <- does:robot:go ~does:robot:stay",
        ], fluents="both one", moves={"robot": "go stay"})
        circuit = use_legality(build(program))
        assert circuit.next == (FALSE, move_literal(circuit, 0))

    def test_different_roles_move_together(self) -> None:
        program = small_program([
            "legal:left:go <-", "legal:right:go <-", "next:met <- does:left:go does:right:go",
        ], fluents="met", moves={"left": "go", "right": "go"})
        circuit = use_legality(build(program))
        assert_same_meaning(circuit, program)

    def test_what_is_asked_of_a_state_alone_is_left_alone(self) -> None:
        program = small_program([
            "legal:robot:go <- awake free", "terminal <- ~awake free", "goal:robot:100 <- awake ~free",
            "next:awake <- does:robot:go awake",
        ], fluents="awake free", moves={"robot": "go"})
        before = build(program)
        after = use_legality(before)
        for state in every_state(program):
            assert evaluated(after, state).of_the_state == evaluated(before, state).of_the_state


class TestOneHot:
    MOVES = "one two three four five"

    def test_none_of_most_moves_is_one_of_the_others(self) -> None:
        program = small_program([
            *(f"legal:robot:{move} <-" for move in self.MOVES.split()),
            "next:p <- p ~does:robot:one ~does:robot:two ~does:robot:three ~does:robot:four",
        ], fluents="p", moves={"robot": self.MOVES})
        circuit = without_spare_gates(use_one_hot_moves(build(program)))
        five = move_literal(circuit, 4)
        # p and the fifth move.
        assert circuit.gates == 1
        assert circuit.inputs_of(circuit.next[0] >> 1) == (2, five)
        assert_same_meaning(circuit, program)

    def test_any_of_most_moves_is_none_of_the_others(self) -> None:
        program = small_program([
            *(f"legal:robot:{move} <-" for move in self.MOVES.split()),
            *(f"next:p <- does:robot:{move}" for move in ("one", "two", "three", "four")),
        ], fluents="p", moves={"robot": self.MOVES})
        circuit = use_one_hot_moves(build(program))
        assert circuit.next == (move_literal(circuit, 4) ^ 1,)

    def test_few_moves_stay(self) -> None:
        program = small_program([
            *(f"legal:robot:{move} <-" for move in self.MOVES.split()), "next:p <- p ~does:robot:one",
        ], fluents="p", moves={"robot": self.MOVES})
        circuit = build(program)
        assert use_one_hot_moves(circuit) == circuit

    def test_a_relation_that_bars_moves_is_looked_through(self) -> None:
        program = small_program([
            *(f"legal:robot:{move} <-" for move in self.MOVES.split()),
            "quiet <- ~does:robot:one ~does:robot:two", "next:q <- quiet q",
            "next:p <- p quiet ~does:robot:three ~does:robot:four",
        ], fluents="p q", moves={"robot": self.MOVES})
        assert_same_meaning(use_one_hot_moves(build(program)), program)


class TestAgreement:
    def test_fluents_that_change_together_are_read_as_one(self) -> None:
        # A clock told twice, once the other way round.
        program = small_program([
            "legal:robot:wait <-", "next:tick <- ~tick", "next:tock <- tick", "next:same <- ~same",
            "terminal <- tick same ~tock p",
        ], fluents="p tick tock same", initial="p tick same", moves={"robot": "wait"})
        circuit = merge_agreeing_fluents(build(program))
        # Wire 2 is tick; p ended, because no rule keeps it.
        assert dict(circuit.agreements) == {2: 5, 3: 4}
        assert circuit.inputs_of(circuit.terminal >> 1) == (2, 4)
        assert_same_meaning(circuit, program)

    def test_a_fluent_that_never_changes_is_a_constant(self) -> None:
        program = small_program(["legal:robot:wait <-", "next:fixed <- fixed", "terminal <- fixed ~never p"],
                                fluents="p fixed never", initial="fixed", moves={"robot": "wait"})
        circuit = merge_agreeing_fluents(build(program))
        assert dict(circuit.agreements) == {0: FALSE, 1: TRUE, 2: FALSE}
        assert circuit.terminal == FALSE

    def test_fluents_that_agree_only_where_random_play_ended_are_told_apart(self) -> None:
        # The clock strikes after 200 steps, which a sample of random play need not see.
        bits = range(8)
        ripple = [f"carry:{bit + 1} <- carry:{bit} b{bit}" for bit in bits]
        flips = [rule for bit in bits for rule in (f"next:b{bit} <- b{bit} ~carry:{bit}",
                                                   f"next:b{bit} <- ~b{bit} carry:{bit}")]
        program = small_program(
            ["legal:robot:wait <-", *ripple, *flips, "next:struck <- b7 b6 b3", "terminal <- struck"],
            fluents="struck " + " ".join(f"b{bit}" for bit in bits), moves={"robot": "wait"}, facts=["carry:0"])
        circuit = merge_agreeing_fluents(build(program))
        assert circuit.agreements == ()


class TestFlatten:
    def test_a_conjunction_that_one_other_reads_becomes_part_of_it(self) -> None:
        program = small_program(["both <- p q", "terminal <- both r"], fluents="p q r")
        circuit = build(program)
        assert (circuit.gates, circuit.inputs) == (2, 4)
        flat = without_spare_gates(flatten(circuit))
        assert (flat.gates, flat.inputs) == (1, 3)
        assert_same_meaning(flat, program)

    def test_a_conjunction_that_two_others_read_stays(self) -> None:
        program = small_program(["both <- p q", "terminal <- both r", "next:p <- both ~r"], fluents="p q r")
        circuit = build(program)
        assert flatten(circuit) == circuit

    def test_a_disjunction_inside_a_disjunction_becomes_part_of_it(self) -> None:
        program = small_program(["any <- p", "any <- q", "terminal <- any", "terminal <- r"], fluents="p q r")
        flat = without_spare_gates(flatten(build(program)))
        assert (flat.gates, flat.inputs) == (1, 3)


class TestFactor:
    def test_what_all_alternatives_demand_is_demanded_once(self) -> None:
        program = small_program(["terminal <- p q", "terminal <- p r"], fluents="p q r")
        circuit = build(program)
        assert circuit.inputs == 6
        factored = without_spare_gates(factor(circuit))
        # p and (q or r)
        assert (factored.gates, factored.inputs) == (2, 4)
        assert_same_meaning(factored, program)

    def test_alternatives_without_anything_in_common_stay(self) -> None:
        circuit = build(small_program(["terminal <- p q", "terminal <- r s"], fluents="p q r s"))
        assert factor(circuit) == circuit

    def test_an_alternative_that_says_less_takes_in_those_that_say_more(self) -> None:
        program = small_program(["a <- p q", "b <- p q r", "terminal <- a", "terminal <- b"], fluents="p q r")
        assert_same_meaning(factor(build(program)), program)


class TestShare:
    def test_a_pair_that_many_gates_read_gets_a_gate_of_its_own(self) -> None:
        letters = "a b c d e f"
        program = small_program([f"next:{x} <- p q {x}" for x in letters.split()], fluents=f"{letters} p q")
        circuit = build(program)
        assert circuit.inputs == 6 * 3
        shared = share(circuit)
        assert (shared.gates, shared.inputs) == (7, 2 + 6 * 2)

    def test_a_pair_that_few_gates_read_stays(self) -> None:
        circuit = build(small_program(["next:a <- p q a", "next:p <- p q ~a"], fluents="a p q"))
        assert share(circuit) == circuit


class TestUnroll:
    CHAIN = ("at:1 <- p", "at:2 <- at:1 q", "at:1 <- at:2 q", "at:3 <- at:2", "at:2 <- at:3", "terminal <- at:3",
             "next:p <- ~at:3")

    def test_nothing_goes_round_any_more(self) -> None:
        program = small_program(self.CHAIN, fluents="p q")
        circuit = build(program)
        assert circuit.loops
        unrolled = unroll(circuit)
        assert unrolled.loops == ()
        assert_same_meaning(unrolled, program)

    def test_a_circuit_without_loops_stays_as_it_is(self) -> None:
        circuit = build(small_program(["terminal <- p q"], fluents="p q"))
        assert unroll(circuit) is circuit


def test_the_passes_together_say_what_each_of_them_did() -> None:
    program = small_program(["both <- p q", "terminal <- both r", "terminal <- both ~q p"], fluents="p q r")
    circuit = compile_circuit(program)
    assert circuit.passes[0].name == "build"
    assert circuit.passes[-1].gates_after == circuit.gates
    assert circuit.passes[-1].inputs_after == circuit.inputs
    for one, following in zip(circuit.passes, circuit.passes[1:], strict=False):
        assert (one.gates_after, one.inputs_after) == (following.gates_before, following.inputs_before)
