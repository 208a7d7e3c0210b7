"""Turns that go round by themselves: what is found, when it is used, and that it changes nothing but the time."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import ludorum
from ludorum import Game, State
from ludorum.circuit import Circuit, cache, compile_circuit
from ludorum.circuit.core import core_circuit, simulator
from ludorum.circuit.passes import find_turns, simplify
from ludorum.ground import ground

# By their rules: in all of them a turn is one move, and then it is the next player's.
IN_TURNS = {"tictactoe": 2, "connectfour": 2, "breakthrough": 2, "othello": 2, "draughts": 2, "gomoku": 2, "nim": 2,
            "tictactoe3p": 3, "chinesecheckers3": 3, "chinesecheckers6": 6,
            # A stone is placed, then a quarter of the board is twisted.
            "pentago": 4}
# Who closes a box, takes a mill or ends in the own store moves again; in the others all move at once, or there is one.
NOT_IN_TURNS = ("dotsandboxes", "ninemensmorris", "kalah", "rockpaperscissors", "tron", "eightpuzzle")

# Two marks and three lamps go round, each by itself; the marks say who moves.
ROUNDS = """
(role a) (role b) (init (turn a)) (init (lamp 1)) (init (count 0))
(other a b) (other b a) (next_lamp 1 2) (next_lamp 2 3) (next_lamp 3 1)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
(<= (legal ?r (say ?n)) (true (turn ?r)) (succ ?n ?m))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?r)) (true (turn ?s)) (other ?s ?r))
(<= (next (lamp ?m)) (true (lamp ?n)) (next_lamp ?n ?m))
(<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
(<= (next (said ?r ?n)) (does ?r (say ?n)))
(<= (next (said ?r ?n)) (true (said ?r ?n)))
(<= terminal (true (count 9)))
(<= (goal ?r 100) (role ?r) (true (said ?r 3)))
(<= (goal ?r 0) (role ?r) (not (true (said ?r 3))))
"""

# The rule by which turns pass there.
TURN = "(<= (next (turn ?r)) (true (turn ?s)) (other ?s ?r))"


def compiled(text: str) -> Circuit:
    return compile_circuit(ground(ludorum.parse(text)))


def circuit_of(name: str) -> Circuit:
    return ludorum.load(name, engine="circuit").circuit


def after_any(state: State, chance: random.Random) -> State:
    return state.after({role: chance.choice(state.legal(role)) for role in state.game.roles})


def told(circuit: Circuit) -> list[set[str]]:
    """What holds in the phases, of the fluents that tell them."""
    return [{str(circuit.fluents[(literal >> 1) - 1]) for literal in phase if not literal & 1}
            for phase in circuit.phases]


@pytest.mark.parametrize("name", IN_TURNS)
def test_games_in_which_a_turn_is_a_move_go_round(name: str) -> None:
    game = ludorum.load(name, engine="circuit")
    phases = told(circuit_of(name))
    assert len(phases) == IN_TURNS[name]
    # Along random matches the phases hold one after the other, and in each one role alone has a choice.
    chance = random.Random(1)
    for _ in range(3):
        state = game.initial
        for step in range(40):
            held = {str(fluent) for fluent in state.fluents}
            assert [number for number, phase in enumerate(phases) if phase <= held] == [step % len(phases)]
            if state.is_terminal:
                break
            assert sum(len(state.legal(role)) > 1 for role in game.roles) <= 1
            state = after_any(state, chance)


@pytest.mark.parametrize("name", NOT_IN_TURNS)
def test_where_a_move_may_earn_another_turn_or_all_move_nothing_goes_round(name: str) -> None:
    assert circuit_of(name).phases == ()


def test_turns_that_pass_by_waiting_go_round_too() -> None:
    # Whose turn it is says who can only wait, and whoever waits has the next turn.
    text = ROUNDS.replace(TURN, "(<= (next (turn ?r)) (does ?r wait))")
    assert told(compiled(text))[0] == {"(turn a)", "(lamp 1)"}


def test_rounds_are_gone_through_together_if_they_are_short() -> None:
    circuit = compiled(ROUNDS)
    # A counter that only counts on is no round.
    assert told(circuit) == [{f"(turn {'ab'[step % 2]})", f"(lamp {step % 3 + 1})"} for step in range(6)]
    # With five lamps both rounds together have ten phases, which are too many; the shorter one is kept.
    more = ROUNDS.replace("(next_lamp 3 1)", "(next_lamp 3 4) (next_lamp 4 5) (next_lamp 5 1)")
    assert told(compiled(more)) == [{"(turn a)"}, {"(turn b)"}]


@pytest.mark.parametrize("instead", [
    # A word keeps the turn.
    "(<= (next (turn ?r)) (true (turn ?s)) (other ?s ?r) (not (does ?s (say 5))))\n"
    "(<= (next (turn ?s)) (true (turn ?s)) (does ?s (say 5)))",
    # It depends on what was said before.
    "(<= (next (turn ?r)) (true (turn ?s)) (other ?s ?r) (not (true (said ?s 5))))\n"
    "(<= (next (turn ?s)) (true (turn ?s)) (true (said ?s 5)))",
    # It comes back once and then stays.
    "(<= (next (turn b)) (role b))",
])
def test_turns_that_do_not_go_round_by_themselves_are_no_phases(instead: str) -> None:
    text = ROUNDS.replace(TURN, instead)
    assert text != ROUNDS
    assert not any("turn" in fluent for phase in told(compiled(text)) for fluent in phase)


def test_a_round_that_makes_nothing_simpler_is_not_used() -> None:
    text = ROUNDS.replace("(true (turn ?r)) (succ ?n ?m)", "(role ?r) (succ ?n ?m)").replace(
        "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))", "")
    circuit = compiled(text)
    assert core_circuit(circuit).find_phases(circuit.initial, 8)
    assert circuit.phases == ()
    assert circuit.turns == 1


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "pentago", "tictactoe3p", "cashingchecks"])
@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_playouts_are_the_same_without_them(name: str, steps: int) -> None:
    game = ludorum.load(name, engine="circuit")
    state = game.initial
    chance = random.Random(steps)
    for _ in range(steps):
        state = after_any(state, chance)
    row = game.reasoner.row(state.position)  # type: ignore[attr-defined]
    for circuit in filter(None, (circuit_of(name), circuit_of(name).reachable)):
        # So many that lanes are used again.
        one, other = (simulator(known).playouts(row, 20_000, 7, threads, 500, 512)[:3]
                      for known, threads in ((circuit, 2), (replace(circuit, phases=()), 1)))
        assert all(np.array_equal(np.asarray(this), np.asarray(that)) for this, that in zip(one, other, strict=True))


def test_a_state_that_is_nobodys_turn_is_answered_by_the_rules() -> None:
    game = Game(ludorum.parse(ROUNDS), engine="circuit")
    plain = Game(ludorum.parse(ROUNDS), engine="relations")
    assert game.reasoner.circuit.phases  # type: ignore[attr-defined]
    for fluents in (["(count 0)", "(lamp 1)"], ["(turn a)", "(turn b)", "(lamp 2)"], ["(turn b)", "(count 8)"]):
        one, other = (some.state(fluents) for some in (game, plain))
        assert all(set(one.legal(role)) == set(other.legal(role)) for role in game.roles)
        assert one.is_terminal == other.is_terminal
        moves = {role: one.legal(role)[0] for role in game.roles}
        assert one.after(moves).fluents == other.after(moves).fluents
        assert game.playouts(64, one, seed=1).mean_length == plain.playouts(64, other, seed=1).mean_length


def test_what_was_kept_of_a_game_knows_its_phases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path))
    rules = ludorum.parse(ROUNDS)
    circuit = compiled(ROUNDS)
    cache.keep(rules, circuit, {})
    found = cache.find(rules)
    assert found is not None
    assert found[0].phases == circuit.phases != ()
    assert len({len(phase) for phase in found[0].phases}) == 1


def test_turns_are_found_anew() -> None:
    circuit = compiled(ROUNDS)
    assert all(earlier != later for earlier, later in pairwise(circuit.phases))
    stale = replace(circuit, phases=((2,), (3,)), turns=2)
    assert find_turns(stale).phases == circuit.phases
    # Whoever makes a circuit anew may make something else of the fluents that told them.
    assert simplify(circuit).phases == ()
    assert simplify(circuit).turns == 1


def test_a_puzzle_may_go_round_too() -> None:
    # Under two of the three lamps there is nothing to be said.
    text = (ROUNDS.replace("(role b)", "").replace(TURN, "(<= (next (turn a)) (true (turn a)))")
            .replace("(true (turn ?r)) (succ ?n ?m)", "(role ?r) (true (lamp 1)) (succ ?n ?m)")
            .replace("(not (true (turn ?r)))", "(not (true (lamp 1)))"))
    assert told(compiled(text)) == [{"(lamp 1)"}, {"(lamp 2)"}, {"(lamp 3)"}]
    game, plain = (Game(ludorum.parse(text), engine=engine) for engine in ("circuit", "relations"))
    # Nine steps, of which three can say what is worth a goal.
    assert game.playouts(50, seed=1).mean_length == plain.playouts(50, seed=1).mean_length == 9
    share = game.playouts(20_000, seed=1).mean_goals["a"]
    assert share is not None
    assert abs(share - 100 * (1 - (8 / 9) ** 3)) < 2
