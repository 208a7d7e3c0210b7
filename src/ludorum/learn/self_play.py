"""The games of a generation, played here or by a crew, block by block.

A game belongs to its number and the seed, so the blocks together are what one process would have played: whoever plays
them, and whatever is played twice because a worker died, the net that learns from them is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludorum import _core
from ludorum.crew import Crew
from ludorum.crew.version import VERSION
from ludorum.engines.abilities import Simulates
from ludorum.errors import CannotLearn
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.gdl.words import RANDOM
from ludorum.learn.network import NetShape, Network
from ludorum.learn.settings import LearnSettings
from ludorum.learn.store import fluents_hash, rules_hash
from ludorum.loading import load

# A block whose worker died is played anew so often.
_MAX_DEATHS = 5
# Blocks for each worker, so that nobody waits long for the last one.
_BLOCKS_A_WORKER = 2


@dataclass(frozen=True, slots=True, eq=False)
class Experience:
    """States that came up, and what they turned out to be worth."""

    rows: NDArray[np.uint64]
    targets: NDArray[np.float32]
    games: int
    #: States that the net was asked about.
    evaluations: int


class SelfPlay(Protocol):
    """Whoever plays the games of a generation."""

    def generation(self, net: Network, seed: int, *, with_trees: bool) -> Experience:
        """All of its games, in the order of their numbers; those of tree search last, if they are asked for."""


@dataclass(frozen=True, slots=True)
class Block:
    """Games of a generation, from a number on: by looking one turn ahead, or by tree search."""

    seed: int
    first_game: int
    games: int
    by_trees: bool


@dataclass(frozen=True, eq=False)
class Table:
    """A loaded game that nets play."""

    game: Game
    settings: LearnSettings
    threads: int = 1

    def play(self, net: Network, block: Block) -> Experience:
        game, settings, reasoner = self.game, self.settings, self.game.reasoner
        assert isinstance(reasoner, Simulates)
        core, start = net.evaluation(), reasoner.row(game.initial.position)
        options: dict[str, Any] = {
            "threads": self.threads, "lambda_": settings.lambda_, "epsilon": settings.epsilon,
            "random_steps": settings.random_steps, "max_steps": settings.max_steps, "first_game": block.first_game,
            "chance_role": game.roles.index(game.role(RANDOM)) if RANDOM in game.roles else -1}
        if block.by_trees:
            rows, targets, lengths = _core.tree_play(reasoner.simulator(), core, start, block.games, block.seed,
                                                     settings.tree_playouts, **options)
            return Experience(rows, targets, len(lengths), 0)
        rows, targets, lengths, _, evaluations = _core.self_play(
            reasoner.simulator(), core, start, block.games, block.seed, temperature=settings.temperature, **options)
        return Experience(rows, targets, len(lengths), evaluations)

    def generation(self, net: Network, seed: int, *, with_trees: bool) -> Experience:
        return _joined([self.play(net, block) for block in _blocks(self.settings, seed, 1, with_trees=with_trees)])


# ---- by a crew ----


@dataclass(frozen=True, slots=True)
class TablePlan:
    """All that a worker needs to sit down at a table of its own. A worker that differs from it refuses."""

    game: str
    #: In KIF, and its hash; and that of the fluents, which are the columns of the net.
    rules: str
    rules_hash: str
    fluents_hash: str
    shape: NetShape
    settings: LearnSettings
    version: str = VERSION


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a worker does not play."""

    why: str


class CrewPlay:
    """Games that a crew plays. Raises CannotLearn where it refuses, or where a block cannot be played."""

    def __init__(self, crew: Crew, game: Game, settings: LearnSettings, shape: NetShape) -> None:
        self._crew, self._settings = crew, settings
        plan = TablePlan(game.name, to_kif(game.rules), rules_hash(game), fluents_hash(game), shape, settings)
        self._station = crew.station(sit_down, plan)

    def generation(self, net: Network, seed: int, *, with_trees: bool) -> Experience:
        self._station.share(net.parameters)
        blocks = list(_blocks(self._settings, seed, _BLOCKS_A_WORKER * self._crew.workers, with_trees=with_trees))
        played: dict[int, Experience] = {}
        deaths = [0] * len(blocks)
        waiting: dict[Future[Any], int] = {self._station.submit(block): at for at, block in enumerate(blocks)}
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                at = waiting.pop(future)
                error = future.exception()
                if error is None:
                    played[at] = _accepted(future.result())
                    continue
                deaths[at] += 1
                if not self._crew.is_loss(error):
                    raise error
                if deaths[at] == _MAX_DEATHS:
                    raise CannotLearn("the processes that play died again and again")
                waiting[self._station.submit(blocks[at])] = at
        return _joined([played[at] for at in range(len(blocks))])


def sit_down(plan: TablePlan) -> Any:
    """What a worker does with a net's parameters and a block; it refuses if it is not as the plan says."""
    why = None
    if plan.version != VERSION:
        why = f"a worker has version {VERSION}, and the run is of {plan.version}"
    else:
        game = load(plan.rules, name=plan.game)
        if rules_hash(game) != plan.rules_hash or fluents_hash(game) != plan.fluents_hash:
            why = f"a worker reads other rules of {plan.game} than those that are learned"
    if why is not None:
        refusal = Refused(why)
        return lambda parameters, block: refusal
    table = Table(game, plan.settings)
    return lambda parameters, block: table.play(Network(plan.shape, parameters), block)


def _accepted(answer: Experience | Refused) -> Experience:
    if isinstance(answer, Refused):
        raise CannotLearn(answer.why)
    return answer


def _blocks(settings: LearnSettings, seed: int, count: int, *, with_trees: bool) -> Sequence[Block]:
    found = []
    for games, by_trees in ((settings.games, False), (settings.tree_games if with_trees else 0, True)):
        bounds = [games * part // count for part in range(count + 1)]
        found += [Block(seed, first, end - first, by_trees)
                  for first, end in pairwise(bounds) if first < end]
    return found


def _joined(parts: Sequence[Experience]) -> Experience:
    return Experience(np.concatenate([part.rows for part in parts]), np.concatenate([part.targets for part in parts]),
                      sum(part.games for part in parts), sum(part.evaluations for part in parts))
