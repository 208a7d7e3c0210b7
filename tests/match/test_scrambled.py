"""No player ever reads the true state of a game with secrets: a referee that scrambles it makes no difference.

The seats are handed states that know nothing but the percepts of their own role and its legal moves, which a role of
GDL-II knows. Whoever asks for anything else, or for somebody else's, fails the test.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

import ludorum
from ludorum.clock import Deadline
from ludorum.game import Game, Move, Role, State
from ludorum.match.seat import History, LocalSeat, Terms
from ludorum.players import named

pytestmark = pytest.mark.slow

PLAYERS = ["random", "legal", "legal2", "greedy", "mcts:playouts=64", "montecarlo:playouts=64", "pimc:seconds=0.01",
           "hyperplay:n=2", "hyperplay2:n=1", "ismcts:playouts=64", "ismcts:playouts=64,mixing=true",
           "equilibrium:seconds=0.02", "ludorum:seconds=0.02"]


class Scrambled:
    """What is left of a state: the percepts of one role, and its legal moves."""

    def __init__(self, state: State, role: Role) -> None:
        self._told, self._legal, self._role = state.percepts[role], state.legal(role), role

    @property
    def percepts(self) -> Mapping[Role, frozenset[Any]]:
        return {self._role: self._told}

    def legal(self, role: str) -> Any:
        assert role == self._role, f"{self._role} asks for the legal moves of {role}"
        return self._legal

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{self._role} asks the true state for its {name}")


def play_blind(game: Game, spec: str, seed: int) -> tuple[list[dict[str, Move]], State]:
    """A match between copies of a player that are told nothing but their percepts."""
    chance = random.Random(seed)
    seats = {role: LocalSeat(named(spec), spec=spec) for role in game.roles if role != "random"}
    states, joints = [game.initial], list[dict[str, Move]]()
    blind: dict[Role, list[Any]] = {role: [Scrambled(game.initial, role)] for role in seats}
    own: dict[Role, list[dict[str, Move]]] = {role: [] for role in seats}
    for number, (role, seat) in enumerate(seats.items()):
        seat.start(Terms("blind", game, role, 2.0, 1.0, has_secrets=True, seed=seed + number), Deadline.within(2))
    while not states[-1].is_terminal and len(joints) < 60:
        joint: dict[str, Move] = {}
        for role in game.roles:
            if role not in seats:
                joint[role] = chance.choice(states[-1].legal(role))
                continue
            news = History(len(joints), blind[role], own[role])
            joint[role] = seats[role].play(news, Deadline.within(1)).move
            assert joint[role] in states[-1].legal(role), f"{role} plays {joint[role]}"
        joints.append(joint)
        states.append(states[-1].after(joint))
        for role in seats:
            blind[role].append(Scrambled(states[-1], role))
            own[role].append({role: joint[role]})
    for seat in seats.values():
        seat.abort(Deadline.within(1))
    return joints, states[-1]


@pytest.mark.parametrize("spec", PLAYERS)
def test_players_need_nothing_but_percepts(spec: str) -> None:
    for name in ("kuhnpoker", "phantomtictactoe"):
        game = ludorum.load(name)
        _, end = play_blind(game, spec, 3)
        assert end.is_terminal


@pytest.mark.parametrize("spec", ["ludorum:seconds=0.02", "ismcts:playouts=32", "hyperplay2:n=1", "legal2"])
def test_neither_do_they_where_the_game_has_no_circuit(spec: str) -> None:
    _, end = play_blind(ludorum.load("kuhnpoker", engine="relations"), spec, 4)
    assert end.is_terminal


def test_who_looks_is_found_out() -> None:
    state = ludorum.load("kuhnpoker").initial
    with pytest.raises(AssertionError, match="asks the true state for its fluents"):
        _ = Scrambled(state, Role("anna")).fluents


def test_a_match_from_python_shows_nobody_the_true_state() -> None:
    """The player is shown every place the car may be in, and says that it has never been told which."""
    game = ludorum.load("montyhall")
    shown: dict[int, set[str]] = {}

    class Curious:
        def move(self, state: State, role: str, deadline: Any = None) -> Move:
            step = sum(str(fluent).startswith("(opened") for fluent in state.fluents)
            shown.setdefault(step, set()).update(str(fluent) for fluent in state.fluents if fluent.name == "car")
            return state.legal(role)[0]

    ludorum.play(game, candidate=Curious(), seed=3)
    assert shown[0] == {"(car 1)", "(car 2)", "(car 3)"}
    assert len(shown[1]) == 2
