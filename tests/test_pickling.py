"""Games, states and playouts travel: to a copy, to another process and back."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
from copy import copy, deepcopy
from pathlib import Path

import pytest

import ludorum
from ludorum import Game, State, library
from ludorum.analysis.invariants import Invariants
from ludorum.pickling import forget_games

SMALL = ["tictactoe", "rockpaperscissors", "montyhall", "eightpuzzle"]
ENGINES = ["circuit", "relations", "reference",
           pytest.param("prolog", marks=pytest.mark.skipif(not shutil.which("swipl"), reason="SWI-Prolog is missing"))]


def round_trip(state: State) -> State:
    """The state as another process would get it."""
    data = pickle.dumps(state)
    forget_games()
    found = pickle.loads(data)
    assert isinstance(found, State)
    return found


def some_state(game: Game) -> State:
    """A state in the middle of a match."""
    state = game.initial
    for _ in range(3):
        if state.is_terminal or not all(state.legal(role) for role in game.roles):
            break
        state = state.after([state.legal(role)[-1] for role in game.roles])
    return state


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * name.startswith("chess"))
                                  for name in library.names()])
def test_every_game_of_the_library_goes_on_where_it_was(name: str) -> None:
    state = some_state(ludorum.load(name))
    there = round_trip(state)
    assert there.game is not state.game
    assert there == state
    assert there.step == state.step
    assert there.percepts == state.percepts
    assert there.goals == state.goals
    assert [there.legal(role) for role in there.game.roles] == [state.legal(role) for role in state.game.roles]
    assert (there.game.name, there.game.engine, there.game.why) == (state.game.name, state.game.engine, state.game.why)
    assert repr(there) == repr(state)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SMALL)
def test_every_engine_goes_on_where_it_was(name: str, engine: str) -> None:
    state = some_state(ludorum.load(name, engine=engine))
    there = round_trip(state)
    assert there.game.engine == engine
    assert there == state
    assert there.percepts == state.percepts
    assert there.game.why == state.game.why
    assert not there.is_terminal
    assert [there.legal(role) for role in there.game.roles] == [state.legal(role) for role in state.game.roles]


def test_a_copy_shares_the_engine() -> None:
    game = ludorum.load("tictactoe")
    state = game.replay("(mark 2 2)")
    for other in (copy(game), deepcopy(game), deepcopy({"game": [game]})["game"][0], pickle.loads(pickle.dumps(game))):
        assert other.reasoner is game.reasoner
    for there in (copy(state), deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert there == state
        assert there.game.reasoner is game.reasoner


def test_states_that_come_one_by_one_share_one_game() -> None:
    packed = [pickle.dumps(state) for _, state in ludorum.load("connectfour").expand()]
    forget_games()
    assert len({id(pickle.loads(data).game) for data in packed}) == 1


def test_what_was_proved_travels_with_the_game() -> None:
    game = ludorum.load("tictactoe")
    assert game.fluents is not None
    marks = [fluent for fluent in game.fluents if str(fluent).startswith("(cell 1 1 ")]
    known = game.specialized(Invariants(one_hot=(tuple(marks),), constant_sum=100))
    there = round_trip(known.initial).game
    assert there.invariants == known.invariants
    assert there.circuit.reachable == known.circuit.reachable


def test_a_game_that_was_derived_from_another_travels_as_its_circuit() -> None:
    game = ludorum.load("tictactoe")
    derived = game.with_circuit(game.circuit, name="tictactoe again")
    there = round_trip(derived.initial).game
    assert there.is_derived
    assert there.name == "tictactoe again"
    assert there.circuit == derived.circuit


def test_rules_without_a_text_travel_too() -> None:
    rules = ludorum.parse(library.entry("tictactoe").text)
    made = Game(type(rules)(rules.rules), name="made")
    assert round_trip(made.initial) == made.initial


def test_playouts_travel() -> None:
    played = ludorum.load("tictactoe").playouts(100, seed=1)
    for there in (deepcopy(played), pickle.loads(pickle.dumps(played))):
        assert (there.goals == played.goals).all()
        assert (there.lengths == played.lengths).all()
        assert (there.outcomes == played.outcomes).all()
        assert there.roles == played.roles


def test_another_process_takes_the_circuit_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path / "cache"))
    state = ludorum.load("breakthrough").replay("(move 4 2 5 3)")
    (tmp_path / "state").write_bytes(pickle.dumps(state))
    script = ("import pickle, sys; state = pickle.load(open(sys.argv[1], 'rb')); "
              "print(state.game.report['cached'], state.step, state == state.game.replay('(move 4 2 5 3)'))")
    shown = subprocess.run([sys.executable, "-c", script, str(tmp_path / "state")], capture_output=True, text=True,
                           check=True).stdout
    assert shown.split() == ["True", "1", "True"]


def test_errors_travel() -> None:
    found = [ludorum.errors.Fault("late", "no answer", "noop"), ludorum.errors.Refusal(404, "unknown", "no match"),
             ludorum.errors.TooLargeToGround("too large", {"p/2": 7}), ludorum.errors.UnstratifiedRules(["p", "q"])]
    for error in found:
        there = pickle.loads(pickle.dumps(error))
        assert (type(there), str(there), vars(there)) == (type(error), str(error), vars(error))
