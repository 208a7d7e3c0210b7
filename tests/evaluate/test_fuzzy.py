"""The fuzzy evaluation, beside the definitions and worked examples of the thesis."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import ludorum
from ludorum import Game
from ludorum.analysis.samples import samples
from ludorum.circuit.circuit import Circuit
from ludorum.circuit.core import simulator
from ludorum.clock import Budget
from ludorum.engines.circuit import CircuitReasoner
from ludorum.errors import NoCircuit, TooSlow
from ludorum.evaluate import EvaluationSettings, evaluation
from ludorum.evaluate.code import Code
from ludorum.evaluate.fuzzy import Formulas, Yager
from ludorum.evaluate.leaves import Leaf, binary
from ludorum.gdl.terms import Term

# One player stacks blocks, as in section 5.1.2: the goal is a conjunction of three fluents.
BLOCKS = """
(role player) (block a) (block b) (block c)
(init (ontable a)) (init (ontable b)) (init (ontable c))
(<= (covered ?y) (true (on ?x ?y)))
(<= (legal player (stack ?x ?y)) (block ?x) (block ?y) (distinct ?x ?y) (true (ontable ?x)) (not (covered ?x))
    (not (covered ?y)))
(<= (next (on ?x ?y)) (does player (stack ?x ?y)))
(<= (next (on ?x ?y)) (true (on ?x ?y)))
(<= (next (ontable ?x)) (true (ontable ?x)) (does player (stack ?u ?v)) (distinct ?u ?x))
(<= (goal player 100) (true (on a b)) (true (on b c)) (true (ontable c)))
(<= (goal player 0) (not (true (on a b))))
(<= terminal (true (on a b)) (true (on b c)))
"""


@pytest.fixture(scope="module")
def blocks() -> Game:
    return ludorum.load(BLOCKS, name="blocks")


def degree(game: Game, fluents: str, goal: int) -> float:
    """How true a goal is in a state, from the program that the core runs."""
    reasoner = game.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    circuit = reasoner.circuit
    literal = dict(circuit.goals[0])[goal]
    formulas = Formulas.of(circuit, [literal], 1000)
    leaves = {1 + fluent: binary(fluent, true=0.75, false=0.25) for fluent in formulas.fluents}
    code = Code()
    norm = Yager(15, 0.55)
    slot = norm.conjunction(code, [norm.degrees(code, formulas, leaves, [literal])[literal]])
    core = code.compile([code.weighted([(100, slot)])], fluents=len(circuit.fluents))
    row = reasoner.row(reasoner.position([fluent.term for fluent in map(ludorum.Move, _terms(fluents))]))
    return float(core.evaluate(reasoner.simulator(), row[None, :])[0, 0]) / 100


def _terms(text: str) -> list[str]:
    return [f"({part}" for part in text.split("(") if part.strip()]


def test_section_5_1_2_more_of_a_conjunction_is_more(blocks: Game) -> None:
    # By hand: a conjunct that holds is 0.25 from true, one that does not 0.75, and the whole is
    # 1 − (sum of the 15th powers)^(1/15).
    def by_hand(missing: int) -> float:
        return 1 - math.pow((3 - missing) * 0.25**15 + missing * 0.75**15, 1 / 15)

    states = {3: "(ontable a) (ontable b)", 2: "(ontable a) (ontable b) (ontable c)",
              1: "(ontable a) (on b c) (ontable c)", 0: "(on a b) (on b c) (ontable c)"}
    for missing, state in states.items():
        assert degree(blocks, state, 100) == pytest.approx(by_hand(missing), abs=1e-5)


def test_the_threshold_is_not_reached_by_6746_conjuncts() -> None:
    # What section 5.1.3 says of p = 0.75, t = 0.55 and q = 15.
    assert 1 - (6746 * 0.25**15) ** (1 / 15) >= 0.55 > 1 - (6747 * 0.25**15) ** (1 / 15)


@st.composite
def formulas(draw: st.DrawFn) -> Circuit:
    """A circuit of gates over a few fluents; the literals of all gates are the conditions to look at."""
    fluents = draw(st.integers(1, 5))
    gates: list[tuple[int, ...]] = []
    first = 1 + fluents + 1
    for number in range(draw(st.integers(1, 12))):
        wires = [*range(1 + fluents), *range(first, first + number)]
        literal = st.builds(lambda wire, sign: 2 * wire + sign, st.sampled_from(wires), st.integers(0, 1))
        gates.append(tuple(draw(st.lists(literal, min_size=1, max_size=9))))
    names = tuple(Term(f"f{number}") for number in range(fluents))
    return Circuit(roles=(Term("r"),), fluents=names, moves=((Term("m"),),), initial=(), gate_inputs=tuple(gates),
                   loops=(), next=(0,) * fluents, legal=((1,),), terminal=0,
                   goals=(tuple((value, 2 * (first + value)) for value in range(len(gates))),), percepts=((),))


@settings(max_examples=80)
@given(circuit=formulas(), data=st.data())
def test_theorem_5_1_what_holds_is_above_the_threshold_and_what_does_not_below(circuit: Circuit,
                                                                                data: st.DataObject) -> None:
    threshold = data.draw(st.floats(0.51, 0.74), label="threshold")
    exponent = data.draw(st.sampled_from([1.0, 2.0, 5.0, 15.0]), label="exponent")
    fluents = len(circuit.fluents)
    literals = [literal for _, literal in circuit.goals[0]]
    wanted = [literal ^ sign for literal in literals for sign in (0, 1)]
    parts = Formulas.of(circuit, literals, 1000)
    leaves = {}
    for fluent in parts.fluents:
        # As a distance may be: other fluents say how far from true it is.
        others = tuple(other for other in range(fluents) if other != fluent)
        middle = data.draw(st.floats(0, 1 - threshold), label="value")
        leaves[1 + fluent] = Leaf(((0.75, (fluent,)), *(((middle, others[:2]),) if others else ())), 0.0, 0.75, middle)
    norm = Yager(exponent, threshold)
    code = Code()
    degrees = norm.degrees(code, parts, leaves, wanted)
    # The truth of a literal is 1 − degree^(1/q), and here a role's value is that of a literal.
    outputs = [code.weighted([(-100, code.power(degrees[literal], 1 / exponent))], 100) for literal in wanted]
    core = code.compile(outputs, fluents=fluents)
    states = np.arange(2**fluents, dtype=np.uint64)[:, None]
    # A program knows its roles by their number only, so every literal may be one.
    shaped = Circuit(roles=tuple(Term(f"r{i}") for i in range(len(wanted))), fluents=circuit.fluents,
                     moves=((Term("m"),),) * len(wanted), initial=(), gate_inputs=(), loops=(), next=circuit.next,
                     legal=((1,),) * len(wanted), terminal=0, goals=((),) * len(wanted), percepts=((),) * len(wanted))
    values = core.evaluate(simulator(shaped), states) / 100
    holds = truths(circuit, wanted)
    assert (values[holds] >= threshold - 1e-4).all()
    assert (values[~holds] <= 1 - threshold + 1e-4).all()


def truths(circuit: Circuit, literals: list[int]) -> NDArray[np.bool_]:
    """Whether literals hold, straight from the definition: [states, literals]."""
    fluents = len(circuit.fluents)
    found = np.zeros((2**fluents, len(literals)), dtype=bool)
    for state in range(2**fluents):
        value = {0: False} | {1 + fluent: bool(state >> fluent & 1) for fluent in range(fluents)}
        for number, inputs in enumerate(circuit.gate_inputs):
            value[circuit.first_gate + number] = all(value[literal >> 1] != bool(literal & 1) for literal in inputs)
        found[state] = [value[literal >> 1] != bool(literal & 1) for literal in literals]
    return found


@pytest.mark.parametrize("leaves", ["binary", "distances"])
def test_in_real_games_a_goal_that_holds_is_worth_more_than_half(leaves: str) -> None:
    game = ludorum.load("tictactoe")
    states = samples(game, 2000, seed=2)
    reasoner = game.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    core = evaluation(game, EvaluationSettings(leaves=leaves)).core
    goals = reasoner.simulator().goals(states.rows)
    values = core.evaluate(reasoner.simulator(), states.rows)
    # The goals are 100, 50 and 0, so a win is worth (100 · more than 0.5 + 50 · less than 0.5) / 150.
    for value, least, most in ((100, 100 / 3, 100.0), (0, 0.0, 50.0)):
        here = states.terminal[:, None] & (goals == value)
        assert here.any()
        assert (values[here] >= least).all()
        assert (values[here] <= most).all()


def test_figure_6_4_an_open_row_is_worth_more_than_a_blocked_one() -> None:
    game = ludorum.load("tictactoe")
    rest = ("(cell 1 1 x) (cell 2 1 x) (cell 1 2 blank) (cell 2 2 blank) (cell 3 2 blank) (cell 1 3 blank) "
            "(cell 2 3 {}) (cell 3 3 o) (control xplayer)")
    s1 = game.state(rest.format("o") + "(cell 3 1 blank)")
    s2 = game.state(rest.format("blank") + "(cell 3 1 o)")
    values = evaluation(game)
    assert values.values(s1)["xplayer"] > values.values(s2)["xplayer"]


def test_section_6_4_1_only_distances_tell_an_open_line_from_a_blocked_one() -> None:
    # A row of its own, so that nothing else differs: three cells, and the goal is all of them.
    row = ludorum.load("""
        (role x) (role o) (cell 1) (cell 2) (cell 3)
        (<= (init (at ?c blank)) (cell ?c)) (init (control x))
        (<= (legal ?r (mark ?c)) (true (control ?r)) (true (at ?c blank)))
        (<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))
        (<= (next (at ?c ?r)) (does ?r (mark ?c)))
        (<= (next (at ?c ?r)) (true (at ?c ?r)) (role ?r))
        (<= (next (at ?c blank)) (true (at ?c blank)) (does ?r (mark ?d)) (distinct ?c ?d))
        (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
        (<= line (true (at 1 x)) (true (at 2 x)) (true (at 3 x)))
        (<= (goal x 100) line) (<= (goal x 0) (not line)) (<= (goal o 100) (not line)) (<= (goal o 0) line)
        (<= terminal line)""", name="row")
    s1 = row.state("(at 1 x) (at 2 x) (at 3 blank) (control x)")
    s2 = row.state("(at 1 x) (at 2 x) (at 3 o) (control x)")
    plain = evaluation(row, EvaluationSettings(leaves="binary"))
    assert plain.values(s1)["x"] == plain.values(s2)["x"]
    by_distance = evaluation(row)
    # By hand: the missing cell is worth (1 − t) · (1 − 1/2) in s1 and nothing in s2; not to be at the end is worth as
    # much again in the conjunction of Definition 5.3.
    first = 0.45 / 2
    line = ((1 - first) ** 15 + 2 * 0.25**15) ** (1 / 15)
    assert by_distance.values(s1)["x"] == pytest.approx(100 * (1 - (line**15 + (1 - line) ** 15) ** (1 / 15)), abs=1e-3)
    assert by_distance.values(s2)["x"] == pytest.approx(0, abs=1e-3)


def test_breakthrough_is_better_with_pawns_ahead() -> None:
    game = ludorum.load("breakthrough")
    ahead = game.replay("(move 4 2 4 3) (move 1 7 1 6) (move 4 3 4 4) (move 1 6 2 5) (move 4 4 4 5)")
    plain, by_distance = evaluation(game, EvaluationSettings(leaves="binary")), evaluation(game)
    assert plain.values(ahead)["white"] == plain.values(game.initial)["white"]
    assert by_distance.values(ahead)["white"] > by_distance.values(game.initial)["white"] + 1


def test_the_product_form_multiplies(blocks: Game) -> None:
    # (on b c) and (ontable c) hold: 0.9 each; (on a b) is one step away, and that is the longest distance: 0.1.
    state = blocks.state("(ontable a) (on b c) (ontable c)")
    chosen = EvaluationSettings(form="product")
    assert evaluation(blocks, chosen).values(state)["player"] == pytest.approx(100 * 0.9 * 0.9 * 0.1, abs=1e-3)


def test_what_lies_too_deep_is_true_or_false() -> None:
    game = ludorum.load("connectfour")
    whole, cut = evaluation(game), evaluation(game, EvaluationSettings(most_gates=20))
    assert whole.report["conditions"] == 0
    assert cut.report["conditions"] > 0
    assert cut.report["gates"] <= 20
    states = samples(game, 500, seed=1)
    reasoner = game.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    goals = reasoner.simulator().goals(states.rows)
    values = cut.core.evaluate(reasoner.simulator(), states.rows)
    won = states.terminal & (goals[:, 0] == 100)
    assert won.any()
    assert values[won, 0].min() > values[states.terminal & (goals[:, 0] == 0), 0].max()


@pytest.mark.parametrize("options", [{"truth": 0.5}, {"threshold": 0.8}, {"exponent": 0.5}, {"most_gates": -1}])
def test_parameters_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must be|cannot be"):
        EvaluationSettings(**options)  # type: ignore[arg-type]


def test_a_game_without_a_circuit_has_no_evaluation() -> None:
    with pytest.raises(NoCircuit, match="blocks has no circuit"):
        evaluation(ludorum.load(BLOCKS, engine="relations", name="blocks"))


def test_a_deadline_ends_it() -> None:
    with pytest.raises(TooSlow):
        evaluation(ludorum.load("hex"), budget=Budget.within(0))


def test_an_evaluation_is_the_same_with_every_instruction_set() -> None:
    from ludorum._core import evaluation_instructions

    code = Code()
    leaf = code.first([(0.3, (0, 3)), (0.7, (1,))], 0.1)
    output = code.weighted([(100, code.dual(code.sum([leaf, code.power(leaf, 3)]), 15))])
    states = np.arange(32, dtype=np.uint64)[:, None]
    blank = ludorum.load(BLOCKS).reasoner
    assert isinstance(blank, CircuitReasoner)
    found = [code.compile([output], fluents=len(blank.circuit.fluents), instructions=name)
             .evaluate(blank.simulator(), states).tobytes() for name in evaluation_instructions()]
    assert len(set(found)) == 1


@pytest.mark.parametrize("settings", [EvaluationSettings(), EvaluationSettings(leaves="binary"),
                                      EvaluationSettings(form="product")], ids=["yager", "binary", "product"])
def test_a_state_that_is_turned_round_is_worth_the_same(settings: EvaluationSettings) -> None:
    game = ludorum.load("tictactoe")
    worth = evaluation(game, settings)
    values = {(x, y): worth.values(game.replay(f"(mark {x} {y})"))["xplayer"] for x in (1, 2, 3) for y in (1, 2, 3)}
    corners = [values[1, 1], values[1, 3], values[3, 1], values[3, 3]]
    edges = [values[1, 2], values[2, 1], values[2, 3], values[3, 2]]
    assert corners == pytest.approx([corners[0]] * 4, abs=1e-3)
    assert edges == pytest.approx([edges[0]] * 4, abs=1e-3)
    # A corner is part of three lines, an edge of two, the centre of four.
    assert edges[0] + 0.01 < corners[0] < values[2, 2] - 0.01


def test_definition_5_2_on_the_lines_of_tictactoe_by_hand() -> None:
    # With true and false leaves the goal of x, eight lines of three, and the end, a line of either or no blank cell.
    game = ludorum.load("tictactoe")
    state = game.replay("(mark 1 1) (mark 1 2) (mark 2 2) (mark 1 3)")
    cells = {(1, 1): "x", (2, 2): "x", (1, 2): "o", (1, 3): "o"}
    p, q = 0.75, 15

    def all_of(*values: float) -> float:
        return 1 - math.pow(sum(math.pow(1 - value, q) for value in values), 1 / q)

    def any_of(*values: float) -> float:
        return 1 - all_of(*(1 - value for value in values))

    def line(mark: str) -> float:
        held = {cell: p if cells.get(cell) == mark else 1 - p for cell in
                ((x, y) for x in (1, 2, 3) for y in (1, 2, 3))}
        rows = [[(x, y) for x in (1, 2, 3)] for y in (1, 2, 3)] + [[(x, y) for y in (1, 2, 3)] for x in (1, 2, 3)]
        rows += [[(1, 1), (2, 2), (3, 3)], [(1, 3), (2, 2), (3, 1)]]
        return any_of(*(all_of(*(held[cell] for cell in row)) for row in rows))

    blank = any_of(*[p] * 5, *[1 - p] * 4)
    won = any_of(line("x"), line("o"))
    end = any_of(won, 1 - blank)
    # Nothing is decided, so the goal of 50, that nobody has won, holds: it is worth more the nearer the end is.
    by_hand = (100 * all_of(line("x"), 1 - end) + 50 * any_of(1 - won, end)) / 150 * 100
    found = evaluation(game, EvaluationSettings(leaves="binary")).values(state)["xplayer"]
    assert found == pytest.approx(by_hand, abs=0.01)


def test_a_game_that_was_made_of_another_is_worth_what_its_own_goals_say(blocks: Game) -> None:
    reasoner = blocks.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    missing = ((100, dict(reasoner.circuit.goals[0])[100] ^ 1),)
    turned = blocks.with_circuit(replace(reasoner.circuit, goals=(missing,)), name="not to stack blocks")
    assert evaluation(blocks).values(blocks.initial)["player"] < 50
    assert evaluation(turned).values(turned.initial)["player"] > 50


def test_what_is_nearly_true_is_told_apart_beside_what_is_false(blocks: Game) -> None:
    """0.25^15 is a part in 14 million of 0.75^15: a float loses it, and with it what section 5.1.3 promises."""
    far, near = 0.75**15, 0.25**15
    one = degree(blocks, "(on a b) (on b c)", 100)
    assert one == pytest.approx(1 - (far + 2 * near) ** (1 / 15), abs=1e-10)
    assert one < 0.25 - 1e-9
