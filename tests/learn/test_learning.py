"""Self-play: what games say of states, runs that can be repeated and resumed, and what is refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludorum
from ludorum import Game, State, _core
from ludorum.clock import Budget, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.errors import CannotLearn, InvalidRecord
from ludorum.learn import Learning, LearnSettings, find_net, keep_net, learn, net_evaluation
from ludorum.learn.beginning import beginning
from ludorum.learn.curve import curve_svg

pytestmark = pytest.mark.slow

SMALL = LearnSettings(games=64, gate_every=2, gate_pairs=50, tree_after=3, tree_games=2, tree_playouts=40)

# Kings that take turns on a line; whoever is at the end first wins 70 to 30. Three may play.
RACE = """
(role a) (role b) (role c)
(init (turn a)) (init (at a 0)) (init (at b 0)) (init (at c 0))
(after a b) (after b c) (after c a)
(plus 0 1) (plus 1 2) (plus 2 3) (plus 3 4)
(<= (legal ?r walk) (true (turn ?r)))
(<= (legal ?r rest) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?n)) (true (turn ?r)) (after ?r ?n))
(<= (next (at ?r ?n)) (does ?r walk) (true (at ?r ?m)) (plus ?m ?n))
(<= (next (at ?r ?m)) (does ?r rest) (true (at ?r ?m)))
(<= (next (at ?r ?m)) (does ?r wait) (true (at ?r ?m)))
(<= terminal (true (at ?r 4)))
(<= (goal ?r 70) (true (at ?r 4)))
(<= (goal ?r 15) (role ?r) (not (true (at ?r 4))))
"""


def simulator_of(game: Game) -> tuple[_core.Simulator, np.ndarray]:
    reasoner = game.reasoner
    assert isinstance(reasoner, Simulates)
    return reasoner.simulator(), reasoner.row(game.initial.position)


def state_of(game: Game, row: np.ndarray) -> State:
    bits = np.unpackbits(row.view(np.uint8), bitorder="little", count=len(game.circuit.fluents))
    return game.state([game.circuit.fluents[number] for number in np.flatnonzero(bits)])


@cache
def value(state: State) -> int:
    """What tic-tac-toe is worth to x, by looking at everything."""
    if state.is_terminal:
        return state.goals["xplayer"] or 0
    mover = next(role for role in ("xplayer", "oplayer") if list(map(str, state.legal(role))) != ["noop"])
    values = [value(state.after({mover: move})) for move in state.legal(mover)]
    return max(values) if mover == "xplayer" else min(values)


def test_where_somebody_can_win_at_once_the_state_is_worth_the_win() -> None:
    game = ludorum.load("tictactoe")
    simulator, start = simulator_of(game)
    net = beginning(game, LearnSettings(), Budget()).network.evaluation()
    rows, targets, lengths, payoffs, _ = _core.self_play(simulator, net, start, 40, 1, lambda_=0.0)
    assert len(rows) == lengths.sum()
    assert set(np.unique(payoffs)) <= {0.0, 0.5, 1.0}
    seen = 0
    for row, target in zip(rows, targets[:, 0], strict=True):
        state = state_of(game, row)
        mover = state.choosers[0] if state.choosers else None
        if mover is None:
            continue
        ends = [state.after({mover: move}) for move in state.legal(mover)]
        if any(end.is_terminal and end.goals[mover] == 100 for end in ends):
            assert target == (1.0 if mover == "xplayer" else 0.0)
            seen += 1
    assert seen > 10


def test_games_do_not_depend_on_what_runs_beside_them() -> None:
    game = ludorum.load("connectfour")
    simulator, start = simulator_of(game)
    net = beginning(game, LearnSettings(), Budget()).network.evaluation()
    one = _core.self_play(simulator, net, start, 100, 5)
    ways: list[dict[str, Any]] = [{"threads": 2}, {"lanes": 7}, {"lanes": 64, "threads": 3}]
    for options in ways:
        for here, there in zip(one, _core.self_play(simulator, net, start, 100, 5, **options), strict=True):
            assert np.array_equal(np.asarray(here), np.asarray(there))
    assert not np.array_equal(one[0], _core.self_play(simulator, net, start, 100, 6)[0])


def test_a_run_that_is_resumed_comes_to_the_same_bits(tmp_path: Path) -> None:
    game = ludorum.load("connectfour")
    whole = learn(game, SMALL, games=64 * 5)
    # Broken off after every number of generations; what came after the last checkpoint is lost, and made again.
    for generations in (1, 2, 4):
        broken = Learning(game, SMALL)
        for _ in range(generations):
            broken.generation()
        broken.save(tmp_path / str(generations))
        again = learn(game, SMALL, games=64 * 5, folder=tmp_path / str(generations))
        assert again.progress == whole.progress
        assert again.trials == whole.trials
        assert np.array_equal(again.champion.parameters, whole.champion.parameters)
        assert np.array_equal(again.candidate.parameters, whole.candidate.parameters)


def test_a_run_of_another_game_or_with_other_settings_is_not_resumed(tmp_path: Path) -> None:
    learn(ludorum.load("tictactoe"), SMALL, games=64, folder=tmp_path)
    with pytest.raises(InvalidRecord, match="another game than connectfour"):
        learn(ludorum.load("connectfour"), SMALL, games=64, folder=tmp_path)
    with pytest.raises(InvalidRecord, match="other settings"):
        learn(ludorum.load("tictactoe"), LearnSettings(seed=3), games=64, folder=tmp_path)
    (tmp_path / "state.npz").write_bytes(b"nothing of the kind")
    with pytest.raises(InvalidRecord, match="is no run of learning"):
        learn(ludorum.load("tictactoe"), SMALL, games=64, folder=tmp_path)


def test_a_net_learns_who_wins_tictactoe() -> None:
    game = ludorum.load("tictactoe")
    run = learn(game, LearnSettings(games=512, gate_every=20, random_steps=8, batch=64), games=512 * 60)
    assert run.progress.champion > 0
    net = net_evaluation(game, run.candidate)
    states = {game.initial}
    for _ in range(5):
        states |= {state.after({state.choosers[0]: move}) for state in states if state.choosers
                   for move in state.legal(state.choosers[0])}
    decided = [state for state in sorted(states, key=str) if not state.is_terminal and value(state) != 50]
    values = net.of(decided)[:, 0]
    right = np.mean([(found > 50) == (value(state) > 50) for found, state in zip(values, decided, strict=True)])
    assert right > 0.85


@pytest.mark.parametrize("game", ["rockpaperscissors", RACE], ids=["at once", "three roles"])
def test_any_number_of_roles_may_choose_at_once_or_in_turn(game: str) -> None:
    run = learn(ludorum.load(game), SMALL, games=64 * 4)
    values = net_evaluation(run.game, run.candidate).values(run.game.initial)
    assert set(values) == set(run.game.roles)
    assert all(0 <= worth <= 100 for worth in values.values())


def test_whoever_walks_first_is_ahead_in_a_race() -> None:
    game = ludorum.load(RACE)
    run = learn(game, LearnSettings(games=128, gate_every=10, rate=5e-3), games=128 * 40)
    values = net_evaluation(game, run.candidate).values(game.initial)
    # With best play `a` is at the end first.
    assert values["a"] > max(values["b"], values["c"])


def test_games_with_secrets_are_refused_with_the_reason() -> None:
    with pytest.raises(CannotLearn, match="kuhnpoker has secrets"):
        learn(ludorum.load("kuhnpoker"), games=10)


def test_learning_ends_by_the_clock_or_by_the_number_of_games() -> None:
    game = ludorum.load("tictactoe")
    assert learn(game, SMALL, games=100).progress.games == 128
    assert learn(game, SMALL, deadline=Deadline.within(0)).progress.games == 0
    with pytest.raises(ValueError, match="a number of games or a deadline"):
        learn(game, SMALL)


def test_players_find_the_net_that_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path))
    game = ludorum.load("tictactoe")
    assert find_net(game) is None
    run = learn(game, SMALL, games=64 * 4)
    place = keep_net(game, run.champion, run.told)
    assert place is not None
    assert place.is_file()
    known = find_net(game)
    assert known is not None
    assert np.array_equal(known[0].parameters, run.champion.parameters)
    assert known[1]["games"] == run.progress.games
    assert find_net(ludorum.load("connectfour")) is None
    players = {"xplayer": "mcts:evaluation=net,prior_visits=16,playouts=200,seed=1",
               "oplayer": "flux:evaluation=net,states=500"}
    match = ludorum.play(game, {role: ludorum.players.named(spec) for role, spec in players.items()})
    assert match.goals["xplayer"] is not None
    place.write_bytes(b"broken")
    assert find_net(game) is None


def test_the_curve_is_a_picture_of_every_trial() -> None:
    run = learn(ludorum.load("tictactoe"), SMALL, games=64 * 6)
    picture = curve_svg("tic-tac-toe & <more>", run.trials)
    assert picture.startswith("<svg")
    assert "tic-tac-toe &amp; &lt;more&gt;" in picture
    assert picture.count("<circle") == sum(trial["is_better"] for trial in run.trials)
    assert curve_svg("nothing yet", []).endswith("</svg>\n")
