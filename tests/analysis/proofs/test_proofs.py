"""Verdicts on properties: right by exhaustive search where games are small, by replay and random walks elsewhere."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.proofs import Proof, prove
from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.analysis.samples import samples
from ludorum.analysis.structures import structures
from ludorum.circuit import Circuit
from ludorum.circuit.core import CircuitSimulator, simulator
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded, UnknownProperty
from ludorum.gdl.terms import Term

State = frozenset[Term]


def all_states(game: Game) -> set[State]:
    """Every state of a small game, found by asking the game itself."""
    met: set[State] = {game.initial.fluents}
    stack = [game.initial]
    while stack:
        for _, state in game.expand(stack.pop()):
            if state.fluents not in met:
                met.add(state.fluents)
                stack.append(state)
    return met


def by_name(proofs: list[Proof]) -> dict[str, Proof]:
    return {proof.property: proof for proof in proofs}


def instances(state: State, name: str, arity: int, inputs: tuple[int, ...]) -> list[tuple[object, ...]]:
    return [tuple(fluent.args[i] for i in inputs) for fluent in state
            if (fluent.name, len(fluent.args)) == (name, arity)]


@pytest.mark.parametrize("name", ["tictactoe", "nim", "wolfgoatcabbage", "hexapawn"])
def test_every_verdict_on_input_arguments_agrees_with_all_states(name: str) -> None:
    game = ludorum.load(name)
    states = all_states(game)
    assert game.fluents is not None
    kinds = {(fluent.name, len(fluent.args)) for fluent in game.fluents if fluent.args}
    verdicts = by_name(prove(game, budget=Budget(20)))
    for kind, arity in kinds:
        for size in range(arity):
            for inputs in combinations(range(arity), size):
                signs = " ".join("+" if i in inputs else "-" for i in range(arity))
                found = [instances(state, kind, arity, inputs) for state in states]
                holds = all(len(some) == len(set(some)) for some in found)
                assert verdicts[f"input ({kind} {signs})"].verdict == ("proved" if holds else "refuted")


@pytest.mark.parametrize("name", ["tictactoe", "nim", "wolfgoatcabbage", "hexapawn"])
def test_every_verdict_on_single_fluents_agrees_with_all_steps(name: str) -> None:
    game = ludorum.load(name)
    states = {fluents: game.state(fluents) for fluents in all_states(game)}
    steps = [(before, after.fluents) for before, state in states.items() for _, after in game.expand(state)]
    verdicts = by_name(prove(game, budget=Budget(20)))
    for fluent in game.fluents or ():
        stays = all(fluent in after for before, after in steps if fluent in before)
        # Those that random play refutes are not listed.
        proof = verdicts.get(f"stays_true {fluent}")
        assert (proof is not None and proof.verdict == "proved") == stays
        never = not any(fluent in state for state in states)
        assert (f"never {fluent}" in verdicts) == never


def test_tictactoe_is_what_everybody_knows_it_is() -> None:
    verdicts = by_name(prove(ludorum.load("tictactoe"), budget=Budget(30)))
    for name in ("control", "board", "board_given_control", "constant_sum", "turn_taking", "one_goal", "playable",
                 "terminates", "one (cell + + -)", "one (control -)", "winnable xplayer", "winnable oplayer",
                 "stays_true (cell 1 1 x)", "stays_false (cell 1 1 blank)"):
        assert verdicts[name].verdict == "proved", name
    assert "within 9 steps" in verdicts["terminates"].says
    assert "add up to 100" in verdicts["constant_sum"].says
    assert verdicts["input (cell + - -)"].verdict == "refuted"


def refutes(game: Game, proof: Proof) -> bool:
    """Whether the match of a refutation shows what it should."""
    assert proof.moves is not None
    states = [game.initial]
    for joint in proof.moves:
        states.append(states[-1].after(joint))
    last, word = states[-1], proof.property.split()[0]
    if word in ("input", "one"):
        signs = proof.property.split("(")[1].rstrip(")").split()
        inputs = tuple(i for i, sign in enumerate(signs[1:]) if sign == "+")
        some = instances(last.fluents, signs[0], len(signs) - 1, inputs)
        every = set(instances(frozenset(game.fluents or ()), signs[0], len(signs) - 1, inputs))
        return len(some) > len(set(some)) or (word == "one" and set(some) < every)
    if word == "terminates":
        return last in states[:-1]
    if word == "turn_taking":
        return sum(len(last.legal(role)) > 1 for role in game.roles) > 1 and not last.is_terminal
    if word == "constant_sum":
        claimed = int(proof.says.split()[-1])
        return last.is_terminal and sum(value or 0 for value in last.goals.values()) != claimed
    if word == "playable":
        return not last.is_terminal and any(not last.legal(role) for role in game.roles)
    if word == "one_goal":
        return last.is_terminal and None in last.goals.values()
    raise AssertionError(f"{proof.property} has no check")


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "breakthrough", "rockpaperscissors", "nim", "hanoi"])
def test_what_is_proved_holds_in_random_walks_and_every_refutation_replays(name: str) -> None:
    game = ludorum.load(name)
    found = samples(game, 20_000, seed=99)
    numbers = found.numbers
    for proof in prove(game, budget=Budget(8)):
        if proof.verdict == "refuted" and not proof.property.startswith("winnable"):
            assert refutes(game, proof), proof
        if proof.verdict != "proved":
            continue
        word, _, about = proof.property.partition(" ")
        if word in ("stays_true", "stays_false", "never"):
            column = found.bits[:, numbers[ludorum.Move(about).term]].astype(int)
            before, after = column[found.parents[1:]], column[1:]
            assert {"stays_true": (after >= before).all(), "stays_false": (after <= before).all(),
                    "never": not column.any()}[word], proof
        if word == "input":
            signs = about.strip("()").split()
            inputs = tuple(i for i, sign in enumerate(signs[1:]) if sign == "+")
            for index in range(0, len(found), 211):
                some = instances(found.state(index), signs[0], len(signs) - 1, inputs)
                assert len(some) == len(set(some)), proof
        if word == "winnable":
            assert proof.moves is not None
            assert game.replay(proof.moves).goals[game.role(about)] == 100
        if word == "terminates":
            bound = int(proof.says.split("within ")[1].split()[0])
            assert max(len(found.path(index)) for index in np.flatnonzero(found.terminal)[:50].tolist()) <= bound


# Two lamps are lit in turn, by a switch that is only used when the first is out: a fact about pairs of fluents.
NEEDS_A_PAIR = """
(role r) (init a) (init (at 1))
(legal r on) (legal r off)
(<= (next b) (true a)) (<= (next a) (true b))
(<= (next (at 1)) (true (at 1)) (not wrong)) (<= (next (at 2)) wrong) (<= (next (at 1)) wrong)
(<= (next (at 2)) (true (at 2)))
(<= wrong (true a) (true b) (does r on))
(<= (goal r 0) (true a)) (<= terminal (true (at 2)))
"""

# A counter that has to reach 40 before something happens that random play does not find: 40 times the right choice.
DEEP = """
(role r) (init (n 0)) (index 0)
{successors}
(legal r left) (legal r right)
(<= (next (n ?m)) (true (n ?k)) (s ?k ?m) (does r right))
(<= (next (n 0)) (does r left))
(<= (next (n 40)) (true (n 40)) (does r right))
(<= (next broken) (true (n 40)))
(<= (goal r 0) (true (n ?k))) (<= terminal (true broken))
""".format(successors=" ".join(f"(s {k} {k + 1})" for k in range(40)))

# Who is connected to whom is recursive.
RECURSIVE = """
(role r) (node 1) (node 2) (node 3) (node 4)
(init (edge 1 2))
(<= (legal r (link ?a ?b)) (node ?a) (node ?b))
(<= (next (edge ?a ?b)) (true (edge ?a ?b)))
(<= (next (edge ?a ?b)) (does r (link ?a ?b)) (not (path ?b ?a)) (distinct ?a ?b))
(<= (path ?a ?b) (true (edge ?a ?b)))
(<= (path ?a ?c) (true (edge ?a ?b)) (path ?b ?c))
(<= cyclic (path ?a ?a) (node ?a))
(<= terminal (path 1 4) (path 2 3))
(<= (goal r 0) cyclic) (<= (goal r 100) (not cyclic))
"""


def test_a_property_that_needs_another_about_two_fluents_is_proved() -> None:
    (proof,) = prove(ludorum.load(NEEDS_A_PAIR), "never (at 2)", budget=Budget(20))
    assert proof.verdict == "proved"


def test_a_refutation_that_random_play_does_not_find_is_searched_for() -> None:
    game = ludorum.load(DEEP)
    (proof,) = prove(game, "never broken", budget=Budget(30))
    assert proof.verdict == "refuted"
    assert proof.moves is not None
    assert len(proof.moves) == 41
    assert ludorum.Move("broken").term in game.replay(proof.moves).fluents


# Lamps that make the states too many to look at all of them.
LAMPS = " ".join(f"(lamp {i})" for i in range(18)) + """
(<= (legal r (switch ?i)) (lamp ?i))
(<= (next (lit ?i)) (does r (switch ?i)) (not (true (lit ?i))))
(<= (next (lit ?i)) (true (lit ?i)) (not (does r (switch ?i))))
"""

# The right choice 62 times in a row: longer than a bounded search looks.
FAR = """
(role r) (init (n 0)) {lamps} {successors}
(legal r left) (legal r right)
(<= (next (n ?m)) (true (n ?k)) (s ?k ?m) (does r right))
(<= (next (n 0)) (does r left))
(<= (next (n ?k)) (true (n ?k)) (does r (switch ?i)))
(<= (next broken) (true (n 62)))
(<= (goal r 100) (true broken)) (<= (goal r 0) (not (true broken))) (<= terminal (true broken))
""".format(lamps=LAMPS, successors=" ".join(f"(s {k} {k + 1})" for k in range(62)))

# Of three coins two are turned at a time, so that an odd number never shows heads. No fact about two coins says that,
# and from an odd number any series of steps leads to odd numbers.
ODD = f"""
(role r) (coin 1) (coin 2) (coin 3) {LAMPS}
(<= (legal r (but ?c)) (coin ?c))
(<= (turned ?c) (coin ?c) (does r (but ?d)) (distinct ?c ?d))
(<= (next (heads ?c)) (turned ?c) (not (true (heads ?c))))
(<= (next (heads ?c)) (true (heads ?c)) (not (turned ?c)))
(<= (next broken) (true (heads 1)) (true (heads 2)) (true (heads 3)))
(<= (next whole) (coin 1)) (init whole)
(<= (goal r 100) (true broken)) (<= (goal r 0) (not (true broken))) (<= terminal (true broken))
"""

# None or two of three coins are laid heads up, and go round for two steps. With an odd number of heads something would
# break, but such a state has no more than two before it: in four states in a row that says itself.
ROUND = f"""
(role r) (coin 1) (coin 2) (coin 3) (then 1 2) (then 2 3) (then 3 1) (tick 0 1) (tick 1 2) (tick 2 3) (tick 3 0)
{" ".join(f"(lamp {i})" for i in range(24))} (init (n 0))
(<= (legal r (but ?c)) (coin ?c) (true (n 0)))
(<= (legal r none) (true (n 0)))
(<= (legal r (switch ?i)) (lamp ?i) (not (true (n 0))))
(<= (next (lit ?i)) (does r (switch ?i)) (not (true (lit ?i))))
(<= (next (lit ?i)) (true (lit ?i)) (not (does r (switch ?i))))
(<= (next (n ?m)) (true (n ?k)) (tick ?k ?m))
(<= (next (heads ?c)) (coin ?c) (does r (but ?d)) (distinct ?c ?d))
(<= (next (heads ?d)) (true (heads ?c)) (then ?c ?d) (not (true (n 0))))
(<= (next broken) (true (n 3)) (true (heads 1)) (true (heads 2)) (true (heads 3)))
(<= (goal r 100) (true broken)) (<= (goal r 0) (not (true broken))) (<= terminal (true broken))
"""


def test_what_holds_because_of_the_states_before_is_proved_by_several_in_a_row() -> None:
    (proof,) = prove(ludorum.load(ROUND), "never broken", budget=Budget(10))
    assert (proof.verdict, proof.method) == ("proved", "4-induction")


def test_a_match_to_a_single_fluent_is_found_by_reachability() -> None:
    game = ludorum.load(FAR)
    (proof,) = prove(game, "never broken", budget=Budget(12))
    assert (proof.verdict, proof.method) == ("refuted", "reachability")
    assert proof.moves is not None
    assert ludorum.Move("broken").term in game.replay(proof.moves).fluents


def test_what_is_true_of_a_single_fluent_is_proved_by_reachability() -> None:
    game = ludorum.load(ODD)
    never, winnable = prove(game, "never broken", "winnable r", budget=Budget(8))
    assert (never.verdict, never.method) == ("proved", "reachability")
    assert winnable.verdict == "refuted"


def test_recursive_rules_are_encoded_as_they_are_meant() -> None:
    game = ludorum.load(RECURSIVE)
    # No link closes a circle, so that the game is always won; that a link may not, says a recursive relation.
    proofs = by_name(prove(game, "constant_sum", "exclusive (edge 1 2) (edge 2 1)", "exclusive (edge 1 2) (edge 2 3)",
                           budget=Budget(30)))
    assert proofs["exclusive (edge 1 2) (edge 2 1)"].verdict == "proved"
    refuted = proofs["exclusive (edge 1 2) (edge 2 3)"]
    assert refuted.verdict == "refuted"
    assert refuted.moves is not None
    assert {"(edge 1 2)", "(edge 2 3)"} <= set(map(str, game.replay(refuted.moves).fluents))
    assert proofs["constant_sum"].verdict != "refuted"


def test_a_match_that_comes_back_refutes_termination() -> None:
    game = ludorum.load("(role r) (init a) (legal r go) (<= (next a) (true b)) (<= (next b) (true a)) (goal r 0) "
                        "(<= terminal (true a) (true b))")
    (proof,) = prove(game, "terminates")
    assert proof.verdict == "refuted"
    assert refutes(game, proof)


def test_an_end_with_100_and_another_goal_is_not_won() -> None:
    # Both doors end the game with 100, but behind one of them there is a 0, too, so that there the role has no goal.
    doors = """(role r) (init start) (init quiet) (legal r left) {right}
        (<= (next over) (true start)) (<= (next both) (does r left))
        (<= terminal (true over)) (<= (goal r 100) (true over)) (<= (goal r 0) (true both))"""
    (never,) = prove(ludorum.load(doors.format(right="")), "winnable r")
    game = ludorum.load(doors.format(right="(legal r right)"))
    (won,) = prove(game, "winnable r")
    assert never.verdict == "refuted"
    assert won.verdict == "proved"
    assert won.moves is not None
    assert game.replay(won.moves).goals == {"r": 100}


def test_what_no_match_can_win_is_not_winnable() -> None:
    game = ludorum.load("(role r) (init a) (legal r go) (legal r stay) (<= (next b) (does r go)) (<= terminal "
                        "(true b)) (<= (goal r 100) (true a) (true b)) (<= (goal r 50) (true b))")
    (proof,) = prove(game, "winnable r")
    assert proof.verdict == "refuted"


def test_an_end_where_a_role_has_no_goal_has_no_sum() -> None:
    # Whoever goes on as long as possible ends where only x has a goal.
    game = ludorum.load("""
        (role x) (role y) (init (n 0)) (s 0 1) (s 1 2) (s 2 3)
        (<= (legal x on) (true (n ?k))) (<= (legal x stop) (true (n ?k))) (<= (legal y noop) (true (n ?k)))
        (<= (next (n ?m)) (true (n ?k)) (s ?k ?m) (does x on))
        (<= (next stopped) (does x stop))
        (<= terminal (true (n 3))) (<= terminal (true stopped))
        (<= (goal x 50) terminal) (<= (goal y 50) (true stopped))
    """)
    for proof in (*prove(game, "constant_sum", method="sat"), *prove(game, "constant_sum", method="asp")):
        assert proof.verdict == "refuted"
        assert "add up to 100" in proof.says
        assert refutes(game, proof)


def test_where_no_end_has_goals_for_all_there_is_no_sum() -> None:
    game = ludorum.load("(role x) (role y) (init a) (legal x go) (legal y go) (<= (next b) (true a)) "
                        "(<= terminal (true b)) (<= (goal x 100) (true b)) (<= (goal y 0) (true a))")
    (proof,) = prove(game, "constant_sum")
    assert proof.verdict == "refuted"
    assert proof.moves is not None
    assert game.replay(proof.moves).goals == {"x": 100, "y": None}


def test_chance_needs_no_goal() -> None:
    game = ludorum.load("""
        (role guesser) (role random) (init start) (coin heads) (coin tails)
        (<= (legal ?r (say ?c)) (role ?r) (coin ?c))
        (<= (next (said ?r ?c)) (does ?r (say ?c)))
        (<= terminal (not (true start)))
        (<= right (true (said guesser ?c)) (true (said random ?c)))
        (<= (goal guesser 100) terminal right) (<= (goal guesser 0) terminal (not right))
    """)
    verdicts = by_name(prove(game))
    assert verdicts["one_goal"].verdict == "proved"
    assert verdicts["winnable guesser"].verdict == "proved"
    assert "winnable random" not in verdicts
    assert verdicts["constant_sum"].verdict == "refuted"


@pytest.mark.parametrize("moves", ["(<= (legal x go) (true a))", "(<= (legal x go) (true b))"])
def test_a_role_that_never_has_a_move_refutes_that_a_game_can_be_played(moves: str) -> None:
    game = ludorum.load(f"(role x) (role y) (init a) {moves} (<= (next a) (true a)) (<= terminal (true c)) "
                        "(<= (next c) (true c)) (<= (goal x 50) terminal) (<= (goal y 50) terminal)")
    verdicts = by_name(prove(game))
    assert verdicts["playable"].verdict == "refuted"
    assert verdicts["playable"].moves == ()
    assert verdicts["always a"].verdict == "proved"


def test_many_claims_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(circuit: Circuit) -> CircuitSimulator:
        made.append(circuit)
        return simulator(circuit)

    monkeypatch.setattr("ludorum.analysis.proofs.encoding.property_circuit.simulator", counted)
    numbers = []
    for claims in (2, 20):
        # As often as the coins of ODD, something never breaks; without the lamps all states are looked at.
        pieces = " ".join(f"(piece {i})" for i in range(claims))
        game = ludorum.load(ODD.replace(LAMPS, pieces).replace("(next broken)", "(next (broken ?p))")
                            .replace("(true (heads 1))", "(piece ?p) (true (heads 1))")
                            .replace("(true broken)", "(true (broken 0))"))
        made.clear()
        proofs = [proof for proof in prove(game, budget=Budget(60)) if proof.property.startswith("never (broken")]
        assert [proof.verdict for proof in proofs] == ["proved"] * claims
        numbers.append(len(made))
    assert numbers[0] == numbers[1]


def test_no_solver_is_made_when_the_time_is_over() -> None:
    with pytest.raises(BudgetExceeded):
        Solver(Budget.within(0))


def test_without_time_nothing_is_claimed() -> None:
    verdicts = {proof.verdict for proof in prove(ludorum.load("hexapawn"), "board", "playable", budget=Budget(0.001))}
    assert verdicts <= {"unknown", "refuted"}


@pytest.mark.parametrize(("name", "says"), [
    ("nonsense", "there is no property 'nonsense'; there are control, board"),
    ("input (cell + ? -)", "is no property"),
    ("input (cell x y z)", "is no mode"),
    ("input (cell + -)", "has no fluent cell with 2 arguments"),
    ("never (cell 9 9 x)", "is no fluent of tictactoe"),
    ("(", "is no property"),
])
def test_an_unknown_property_is_told_what_there_is(name: str, says: str) -> None:
    with pytest.raises(UnknownProperty, match=re.escape(says)):
        prove(ludorum.load("tictactoe"), name)


def test_a_game_without_a_board_has_nothing_to_prove_about_it() -> None:
    with pytest.raises(UnknownProperty, match="has no board"):
        prove(ludorum.load("(role r) (init a) (legal r go) (next a) (goal r 0) (<= terminal (true b))"), "board")


def test_control_and_boards_are_those_of_the_structures() -> None:
    # Whose turn it is goes by another name, and a cell's coordinates are the last arguments.
    game = ludorum.load("""
        (role a) (role b) (index 1) (index 2) (succ 1 2) (other a b) (other b a) (init (mover a))
        (<= (init (square blank ?x ?y)) (index ?x) (index ?y))
        (<= (legal ?r (put ?x ?y)) (true (mover ?r)) (true (square blank ?x ?y)))
        (<= (legal ?r wait) (role ?r) (not (true (mover ?r))))
        (<= (next (mover ?r)) (true (mover ?s)) (other ?r ?s))
        (<= (next (square ?r ?x ?y)) (does ?r (put ?x ?y)))
        (<= (next (square ?c ?x ?y)) (true (square ?c ?x ?y)) (not (put ?x ?y)))
        (<= (put ?x ?y) (does ?r (put ?x ?y)))
        (<= open (true (square blank ?x ?y))) (<= terminal (not open)) (<= (goal ?r 50) (role ?r))""")
    known = structures(game)
    assert known.control is not None
    assert (known.control.name, [board.name for board in known.boards]) == ("mover", ["square"])
    found = prove(game, "control", "board", budget=Budget(20))
    assert [proof.says for proof in found] == ["(mover -): at most one instance holds",
                                               "(square - + +): at most one instance for all inputs"]
    assert [proof.verdict for proof in found] == ["proved", "proved"]
