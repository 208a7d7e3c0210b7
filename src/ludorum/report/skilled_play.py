"""What skilled play shows of a game: what everybody gets where all search, how often nobody wins, how long it takes.

Random play says little of whom the first move favours. A few hundred matches of a quick tree search say more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from ludorum.clock import Budget
from ludorum.errors import LudorumError, TooSlow
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.move import Move
from ludorum.report.estimate import Estimate
from ludorum.report.play import work_of_steps
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeSearch
from ludorum.state import State

#: The most matches, and the playouts for every move of them.
MATCHES, PLAYOUTS = 300, 100
# A match is cut after so many steps.
_MAX_STEPS = 500
# The work of a move beside its playouts, and random matches that tell how long those are.
_A_MOVE, _RANDOM_MATCHES = 1.5e-3, 64
_TREE_MB = 64


@dataclass(frozen=True, eq=False)
class SkilledPlay:
    """Matches where every role goes by tree search with the same few playouts a move."""

    matches: int
    playouts: int
    #: Matches that came to an end within the steps that they had.
    finished: int
    #: For every role the mean of its goals, None if none was defined.
    goals: Mapping[str, Estimate | None]
    #: The percentage of matches at whose end all roles have the same goal; None for a single role.
    draws: Estimate | None
    length: Estimate

    def to_json(self) -> dict[str, Any]:
        return {"matches": self.matches, "playouts": self.playouts, "finished": self.finished,
                "goals": {role: _json(goal) for role, goal in self.goals.items()}, "draws": _json(self.draws),
                "length": _json(self.length)}


def skilled_play(game: Game, *, seed: int, budget: Budget) -> SkilledPlay:
    """Plays as many matches as the budget allows. Raises LudorumError where nobody can search, and TooSlow."""
    if any(rule.head.name == "sees" for rule in game.rules.rules):
        raise LudorumError("it has secrets, and a search that knows them says nothing of skill")
    length = float(game.playouts(_RANDOM_MATCHES, seed=seed, max_steps=_MAX_STEPS).lengths.mean())
    work = _A_MOVE + work_of_steps(game, round(PLAYOUTS * length / 2))
    goals, lengths, finished = list[list[int]](), list[int](), 0
    for number in range(MATCHES):
        if budget.passed:
            break
        end, steps = _match(game, seed + number, work, budget)
        lengths.append(steps)
        if end.is_terminal:
            finished += 1
            goals.append([-1 if goal is None else goal for goal in end.goals.values()])
    if not finished:
        raise TooSlow("no match of tree search came to its end within the budget")
    table = np.array(goals)
    players = [number for number, role in enumerate(game.roles) if role != RANDOM]
    alike = 100 * (table[:, players] == table[:, players[:1]]).all(axis=1)
    by_role: dict[str, Estimate | None] = {
        role: Estimate.of(table[table[:, number] >= 0, number])
        for number, role in enumerate(game.roles) if role != RANDOM}
    length_estimate = Estimate.of(np.array(lengths))
    assert length_estimate is not None
    return SkilledPlay(len(lengths), PLAYOUTS, finished, by_role, Estimate.of(alike) if len(players) > 1 else None,
                       length_estimate)


def _match(game: Game, seed: int, work: float, budget: Budget) -> tuple[State, int]:
    """The state where a match ends, or is cut, and its steps."""
    random, state, steps = Random(seed), game.initial, 0
    with TreeSearch(game, TreeSettings(seed=seed, memory_mb=_TREE_MB)) as search:
        while not state.is_terminal and steps < _MAX_STEPS and not budget.passed:
            choosing = state.choosers
            moves: dict[str, Move] = {}
            if any(role != RANDOM for role in choosing):
                budget.spend(work)
                found = search.think(state, playouts=PLAYOUTS)
                moves = {role: found.best(role) for role in choosing if role != RANDOM}
            if RANDOM in choosing:
                moves[RANDOM] = random.choice(list(state.legal(RANDOM)))
            state, steps = state.after(moves), steps + 1
    return state, steps


def _json(estimate: Estimate | None) -> dict[str, float] | None:
    return None if estimate is None else {"mean": estimate.mean, "margin": estimate.margin}
