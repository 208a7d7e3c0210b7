"""What the core promises, seen from Python on real games: the same playouts however they are computed, moves chosen
fairly, Ctrl-C heard, and bad arguments refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import ludorum
from ludorum import Game
from ludorum._core import Circuit, CircuitSimulator, available_lanes
from ludorum.engines.circuit import CircuitReasoner
from ludorum.engines.playouts import Outcome, Playouts

STUB = Path(ludorum.__file__).parent / "_core.pyi"

WIDTHS = (64, 256, 512)

# Turn-taking, simultaneous, a puzzle, and one with the role `random`.
GAMES = ("tictactoe", "connectfour", "rockpaperscissors", "eightpuzzle", "tron")

# Chance passes this once in a million times; the seeds are fixed, so a test that passed will pass again.
IMPLAUSIBLE = 1e-6

# Never over, and one move a step.
ENDLESS = """
(role walker) (init (at here)) (legal walker stay) (<= (next (at here)) (true (at here)))
(<= terminal (true (at home))) (<= (next (at home)) (true (at home))) (goal walker 0)
"""

# One move of 101, and it is the goal.
LOTTERY = f"""
(role player) {" ".join(f"(number {n})" for n in range(101))}
(<= (legal player (draw ?n)) (number ?n))
(<= (next (drawn ?n)) (does player (draw ?n)))
(<= terminal (true (drawn ?n)))
(<= (goal player ?n) (true (drawn ?n)))
"""


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return ludorum.load(request.param, engine="circuit")


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return ludorum.load("tictactoe", engine="circuit")


def same(one: Playouts, other: Playouts) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("goals", "lengths", "outcomes"))


def plausibility(counts: Mapping[Any, int], chances: Mapping[Any, float]) -> float:
    """How often chance alone would be at least as far from these chances (Pearson's chi-squared test)."""
    assert set(counts) <= set(chances), "something impossible was counted"
    total = sum(counts.values())
    return float(stats.chisquare([counts.get(cell, 0) for cell in chances],
                                 [total * chance for chance in chances.values()]).pvalue)


# ---- however they are computed ----


def test_every_width_is_there() -> None:
    assert tuple(lanes for lanes, _ in available_lanes()) == WIDTHS


def test_playouts_are_the_same_for_every_width_and_number_of_threads(game: Game) -> None:
    first = game.playouts(3001, seed=5, max_steps=200, lanes=64)
    for lanes, threads in product(WIDTHS, (1, 2)):
        assert same(game.playouts(3001, seed=5, max_steps=200, lanes=lanes, threads=threads), first)
    assert same(game.playouts(3001, seed=5, max_steps=200), first)


def test_another_seed_gives_other_playouts(tictactoe: Game) -> None:
    assert not same(tictactoe.playouts(1000, seed=1), tictactoe.playouts(1000, seed=2))


@pytest.mark.parametrize("lanes", WIDTHS)
def test_the_environment_can_force_a_width(tictactoe: Game, lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen_freely = tictactoe.playouts(1000, seed=3)
    monkeypatch.setenv("LUDORUM_LANES", str(lanes))
    reasoner = tictactoe.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    assert reasoner.lanes(tictactoe.initial.position) == lanes
    assert reasoner.work(1000, tictactoe.initial.position)["lanes"] == lanes
    assert same(tictactoe.playouts(1000, seed=3), chosen_freely)


def test_the_argument_counts_more_than_the_environment(tictactoe: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_LANES", "256")
    reasoner = tictactoe.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    assert reasoner.work(1000, tictactoe.initial.position, lanes=512)["lanes"] == 512


@pytest.mark.parametrize("value", ["128", "0", "-64", "wide"])
def test_a_wrong_width_in_the_environment_is_a_clear_error(
        tictactoe: Game, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_LANES", value)
    with pytest.raises(ValueError, match=f"LUDORUM_LANES is '{value}'; it can be 64, 256, 512"):
        tictactoe.playouts(10)


def test_the_command_says_in_one_line_that_the_environment_is_wrong() -> None:
    ran = subprocess.run([sys.executable, "-c", "from ludorum.cli import main; main()", "bench", "tictactoe"],
                         env={**os.environ, "LUDORUM_LANES": "7"}, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 1
    assert "LUDORUM_LANES is '7'" in ran.stderr
    assert "Traceback" not in ran.stderr


# ---- chosen fairly ----


def test_every_move_of_a_lottery_is_equally_likely() -> None:
    lottery = ludorum.load(LOTTERY, engine="circuit")
    drawn = Counter(lottery.playouts(101_000, seed=1).goals[:, 0].tolist())
    assert plausibility(drawn, dict.fromkeys(range(101), 1 / 101)) > IMPLAUSIBLE


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def tictactoe_chances(board: str = " " * 9) -> dict[object, float]:
    """How random tic-tac-toe ends for the first player, by its own few rules."""
    free = [cell for cell in range(9) if board[cell] == " "]
    last, now = ("o", "x") if len(free) % 2 else ("x", "o")
    if any(all(board[cell] == last for cell in line) for line in LINES):
        return {100: float(last == "x"), 0: float(last == "o")}
    if not free:
        return {50: 1.0}
    chances: dict[object, float] = {}
    for cell in free:
        for goal, chance in tictactoe_chances(board[:cell] + now + board[cell + 1 :]).items():
            chances[goal] = chances.get(goal, 0) + chance / len(free)
    return chances


def tictactoe_results(game: Game) -> Counter[object]:
    return Counter(game.playouts(100_000, seed=2).goals[:, 0].tolist())


def test_random_tictactoe_is_won_as_often_as_it_should_be(tictactoe: Game) -> None:
    assert plausibility(tictactoe_results(tictactoe), tictactoe_chances()) > IMPLAUSIBLE


def test_the_test_of_fairness_can_fail(tictactoe: Game) -> None:
    # That all 255,168 games are equally likely, of which 131,184 are won and 77,904 lost, is not random play.
    chances = {100: 131_184 / 255_168, 0: 77_904 / 255_168, 50: 46_080 / 255_168}
    assert plausibility(tictactoe_results(tictactoe), chances) < IMPLAUSIBLE


# ---- limits ----


def test_a_limit_of_steps_cuts_the_playouts(tictactoe: Game) -> None:
    for steps in (0, 1, 4):
        cut = tictactoe.playouts(100, max_steps=steps)
        assert cut.count(Outcome.CUT) == 100
        assert set(cut.lengths) == {steps}
    # The fifth move is the first that can win.
    assert 0 < tictactoe.playouts(1000, max_steps=5).count(Outcome.FINISHED) < 1000


@pytest.mark.parametrize("arguments", [
    {"n": -1}, {"threads": 0}, {"threads": -2}, {"threads": 10_000}, {"max_steps": -1}, {"max_steps": 2**31},
    {"lanes": 65}, {"lanes": 1024}, {"lanes": -64}])
def test_bad_arguments_of_playouts_are_value_errors(tictactoe: Game, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        tictactoe.playouts(**{"n": 10, **arguments})


# ---- Ctrl-C ----

# What the core does for a long time, in a process that tells when it begins.
LONG_WORK = {
    "playouts": (ENDLESS, "game.playouts(1000, max_steps=2**31 - 1, threads=2)"),
    "perft": ("connectfour", "game.perft(40)"),
    "minimax": ("connectfour", "from ludorum.search.minimax import MinimaxSearch; MinimaxSearch(game).search()"),
}


@pytest.fixture(params=LONG_WORK)
def busy(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    what, work = LONG_WORK[request.param]
    code = f"import ludorum; game = ludorum.load({what!r}); print('begin', flush=True); {work}"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.communicate()


def test_ctrl_c_ends_long_work(busy: subprocess.Popen[str]) -> None:
    assert busy.stdout is not None
    assert busy.stdout.readline() == "begin\n"
    busy.send_signal(signal.SIGINT)
    # The work would take days; the limit is for a machine that is busy with other things.
    _, errors = busy.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors


# ---- the door to the core ----


def simulator(**changes: object) -> CircuitSimulator:
    """One fluent and one role with two moves; the second one sets the fluent, which ends the game."""
    def numbers(*values: int) -> NDArray[np.uint32]:
        return np.array(values, dtype=np.uint32)

    circuit: dict[str, object] = {
        "fluents": 1, "moves": [2], "turns": 1, "phases": [], "offsets": numbers(0, 0, 0, 0, 0), "inputs": numbers(),
        "loop_wires": numbers(), "loop_definitions": numbers(), "loop_components": numbers(),
        "next": numbers(6), "legal": numbers(1, 1), "terminal": 2,
        "goals": [(0, 100, 2), (0, 0, 3)], "percepts": [(0, 4)]}
    return CircuitSimulator(Circuit(**{**circuit, **changes}))  # type: ignore[arg-type]


def rows(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.uint64).reshape(-1, 1)


def joint(*moves: int) -> np.ndarray:
    return np.array(moves, dtype=np.uint32).reshape(-1, 1)


def test_a_circuit_answers_for_rows_of_states() -> None:
    core = simulator()
    terminal, legal = core.terminal_and_legal(rows(0, 1))
    assert terminal.tolist() == [0, 1]
    assert legal.tolist() == [[3], [3]]
    assert core.step(rows(0, 0), joint(0, 1)).tolist() == [[0], [1]]
    assert core.goals(rows(0, 1)).tolist() == [[0], [100]]
    assert core.percepts(rows(0, 0), joint(0, 1)).tolist() == [[1], [0]]
    assert core.joint_moves(rows(0)[0], 10).tolist() == [[0], [1]]
    assert core.perft(rows(0)[0], 3) == [2, 2, 2]
    assert core.terminal_and_legal(rows())[0].tolist() == []


@pytest.mark.parametrize(("changes", "message"), [
    ({"moves": []}, "no roles"),
    ({"offsets": np.zeros(0, dtype=np.uint32)}, "no input offsets"),
    ({"offsets": np.zeros(3, dtype=np.uint32)}, "fewer wires"),
    ({"next": np.zeros(2, dtype=np.uint32)}, "not one next literal a fluent"),
    ({"terminal": 1000}, "terminal literal out of range"),
    ({"terminal": 4}, "terminal depends on moves"),
    ({"loop_wires": np.zeros(1, dtype=np.uint32)}, "loops of unequal lengths"),
    ({"goals": [(1, 100, 2)]}, "a goal out of range"),
])
def test_what_is_no_circuit_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulator(**changes)


def test_states_and_moves_that_do_not_fit_are_refused() -> None:
    core = simulator()
    with pytest.raises(ValueError, match="wrong number of words"):
        core.terminal_and_legal(np.zeros((1, 2), dtype=np.uint64))
    with pytest.raises(ValueError, match="wrong number of words"):
        core.perft(np.zeros(2, dtype=np.uint64), 1)
    with pytest.raises(ValueError, match="not one move a state and role"):
        core.step(rows(0, 0), joint(0))
    with pytest.raises(ValueError, match="a move number out of range"):
        core.step(rows(0), joint(2))
    with pytest.raises(ValueError, match="a move number out of range"):
        core.percepts(rows(0), joint(2))


def test_the_stub_is_what_the_core_says(tmp_path: Path) -> None:
    pytest.importorskip("nanobind", reason="nanobind writes the stub")
    written = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "--quiet", "-m", "ludorum._core", "-o", str(written)],
                   check=True, timeout=120)
    assert written.read_text() == STUB.read_text(), (
        "the core has changed: python -m nanobind.stubgen -m ludorum._core -o src/ludorum/_core.pyi")
