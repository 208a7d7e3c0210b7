"""Games that a crew plays: the net is the same, whoever plays, and whoever dies on the way."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludorum
from ludorum import Game
from ludorum.crew import Crew, LocalCrew, PoolCrew
from ludorum.crew.station import CallingStation
from ludorum.errors import CannotLearn
from ludorum.learn import Learning, LearnSettings, learn
from ludorum.learn.self_play import Block, CrewPlay, Refused, Table, TablePlan, sit_down
from ludorum.learn.store import fluents_hash, rules_hash

pytestmark = pytest.mark.slow

# Generations of games one turn ahead, and one with trees.
SETTINGS = LearnSettings(games=30, gate_every=2, gate_pairs=50, tree_after=1, tree_games=3, tree_playouts=20)
GAMES = 30 + 33


def parameters(run: Learning) -> list[float]:
    found: list[float] = run.candidate.parameters.tolist()
    return found


def learned(game: Game, crew: Crew | None) -> Learning:
    try:
        return learn(game, SETTINGS, games=GAMES, crew=crew)
    finally:
        if crew is not None:
            crew.close(at_once=True)


def plan_for(game: Game) -> TablePlan:
    return TablePlan(game.name, ludorum.gdl.to_kif(game.rules), rules_hash(game), fluents_hash(game),
                     Learning(game, SETTINGS).shape, SETTINGS)


def test_blocks_together_are_what_is_played_at_once() -> None:
    game = ludorum.load("tictactoe")
    run, table = Learning(game, SETTINGS), Table(game, SETTINGS)
    for by_trees in (False, True):
        whole = table.play(run.first, Block(7, 0, 9, by_trees))
        parts = [table.play(run.first, Block(7, first, games, by_trees)) for first, games in ((0, 4), (4, 5))]
        assert np.array_equal(whole.rows, np.concatenate([part.rows for part in parts]))
        assert np.array_equal(whole.targets, np.concatenate([part.targets for part in parts]))


def test_the_net_is_the_same_here_and_by_a_crew() -> None:
    game = ludorum.load("tictactoe")
    here = learned(game, None)
    assert here.progress.generation == 2
    by_crew = learned(game, LocalCrew())
    assert parameters(by_crew) == parameters(here)
    assert by_crew.progress == here.progress


def test_the_net_is_the_same_from_a_pool() -> None:
    game = ludorum.load("tictactoe")
    assert parameters(learned(game, PoolCrew(2))) == parameters(learned(game, None))


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'ludorum[ray]'")
def test_the_net_is_the_same_from_actors_of_ray_one_of_which_dies(tmp_path: Path) -> None:
    from ludorum.crew.on_ray import RayCrew

    def die_once(mark: str) -> Callable[[int, int], int]:
        """Work that ends its process the first time."""
        def work(shared: int, argument: int) -> int:
            if os.path.exists(mark):
                return shared + argument
            with open(mark, "w"):
                os._exit(1)

        return work

    game = ludorum.load("tictactoe")
    crew = RayCrew(workers=1)
    try:
        # The worker of its first order dies, and is there again for it.
        station = crew.station(die_once, str(tmp_path / "mark"))
        station.share(1)
        assert station.submit(2).result() == 3
        del station
        run = learn(game, SETTINGS, games=GAMES, crew=crew)
    finally:
        crew.close()
    assert parameters(run) == parameters(learned(game, None))


class FailingCrew(LocalCrew):
    """Whose workers die before they have done anything, so often."""

    def __init__(self, deaths: int) -> None:
        self.deaths = deaths

    def is_loss(self, error: BaseException) -> bool:
        return isinstance(error, ConnectionError)

    def submit(self, function: Callable[[Any], Any], argument: Any) -> Future[Any]:
        if self.deaths == 0:
            return super().submit(function, argument)
        self.deaths -= 1
        future: Future[Any] = Future()
        future.set_exception(ConnectionError())
        return future


def test_a_block_whose_worker_died_is_played_anew() -> None:
    game = ludorum.load("tictactoe")
    assert parameters(learned(game, FailingCrew(3))) == parameters(learned(game, None))
    with pytest.raises(CannotLearn, match="died again and again"):
        learned(game, FailingCrew(1000))


def test_a_worker_of_another_version_or_with_other_rules_refuses() -> None:
    game = ludorum.load("tictactoe")
    plan = plan_for(game)
    block = Block(1, 0, 2, by_trees=False)
    net = Learning(game, SETTINGS).first
    assert sit_down(plan)(net.parameters, block).games == 2
    for other, words in ((replace(plan, version="0.0.0"), "the run is of 0.0.0"),
                         (replace(plan, rules=ludorum.gdl.to_kif(ludorum.load("nim").rules)), "other rules"),
                         (replace(plan, fluents_hash="0"), "other rules")):
        answer = sit_down(other)(net.parameters, block)
        assert isinstance(answer, Refused)
        assert words in answer.why
    play = CrewPlay(LocalCrew(), game, SETTINGS, net.shape)
    play._station = CallingStation(LocalCrew().submit, sit_down, replace(plan, version="0.0.0"))
    with pytest.raises(CannotLearn, match=r"of 0\.0\.0"):
        play.generation(net, 1, with_trees=False)
