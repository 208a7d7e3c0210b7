"""Tournaments: everybody against everybody, everywhere equally often; killed, they go on."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from strangers import nobody

import ludorum
from ludorum.errors import InvalidTournament
from ludorum.match import Archive, tournament
from ludorum.match.page import page
from ludorum.match.plan import Question, TournamentPlan
from ludorum.match.record import Error
from ludorum.match.tasks import Failed, MatchTask, run
from ludorum.match.tournament import Progress

pytestmark = pytest.mark.slow

STRONG = "montecarlo:playouts=100"


def plan(**changes: object) -> TournamentPlan:
    made = TournamentPlan(name="autumn", players={"anna": STRONG, "ben": "random", "cleo": "legal"},
                games=["tictactoe"], repetitions=2, seed=1, max_steps=100)
    return msgspec.structs.replace(made, **changes)


@pytest.mark.parametrize(("game", "players", "matches"), [
    # Three pairs in two seatings; all three in three; each alone.
    ("tictactoe", ["a", "b", "c"], 6),
    ("tictactoe3p", ["a", "b", "c"], 3),
    ("lightsout", ["a", "b", "c"], 3),
    # Too few for the seats: two of one and one of the other, in three rotations each.
    ("tictactoe3p", ["a", "b"], 6),
    ("tictactoe3p", ["a"], 3),
])
def test_everyone_sits_everywhere_equally_often(game: str, players: list[str], matches: int) -> None:
    loaded = ludorum.load(game)
    rounds = plan(players=dict.fromkeys(players, "random"), games=[game], repetitions=2).matches(loaded)
    assert [len(tasks) for tasks in rounds] == [matches, matches]
    for tasks in rounds:
        sat = Counter((role, name) for task in tasks for role, name, _ in task.players)
        assert set(sat) == {(role, name) for role in loaded.roles for name in players}
        assert len(set(sat.values())) == 1
    assert len({task.id for tasks in rounds for task in tasks}) == 2 * matches if len(players) > 1 else True


def test_standings_and_results_of_a_tournament() -> None:
    with Archive() as archive:
        told: list[Progress] = []
        found = tournament.run(plan(), archive, workers=0, progress=told.append)
        assert len(archive) == 12
    assert [progress.played for progress in told] == list(range(1, 13))
    assert {progress.planned for progress in told} == {12}
    assert found.standings[0].player == "anna"
    assert [standing.matches for standing in found.standings] == [8, 8, 8]
    for standing in found.standings:
        assert standing.low < standing.elo < standing.high
        # Shown as they are rounded, and not with fifteen digits of it.
        assert all(len(str(abs(edge)).partition(".")[2]) == 1 for edge in (standing.low, standing.high))
        assert standing.errors == 0
    # What one gains in tic-tac-toe another loses.
    assert sum(standing.mean_goal or 0 for standing in found.standings) == pytest.approx(150, abs=0.02)
    data = found.as_dict()
    assert {"standings", "results"} <= set(data)
    assert len(data["results"]) == 12
    json.dumps(data)


def test_a_puzzle_is_shared_by_those_who_had_it_alone() -> None:
    climb = ("(role climber) (init (stair 0)) (<= (legal climber ?m) (way ?m)) (way a) (way b) "
             "(<= (next (stair ?m)) (does climber ?m)) (<= terminal (true (stair a))) (<= terminal (true (stair b))) "
             "(<= (goal climber 100) (true (stair a))) (<= (goal climber 0) (not (true (stair a))))")
    with Archive() as archive:
        found = tournament.run(plan(games=[climb], players={"first": "legal", "any": "random"}, repetitions=20),
                               archive, workers=0)
    assert [standing.player for standing in found.standings] == ["first", "any"]
    assert found.standings[0].goals == {"game": 100.0}
    assert found.standings[0].low > found.standings[1].elo


def test_a_test_ends_its_matches_as_soon_as_it_is_answered() -> None:
    asked = plan(players={"anna": STRONG, "ben": "random"}, repetitions=40,
                 test=Question("anna", "ben", elo0=0, elo1=300))
    with Archive() as archive:
        found = tournament.run(asked, archive, workers=0)
        played = len(archive)
        again = tournament.run(asked, archive, workers=0)
        assert len(archive) == played
    test, = found.tests
    assert test.verdict == "better"
    assert played == test.matches < 80
    assert again.as_dict() == found.as_dict()


def test_matches_that_waited_for_a_player_elsewhere_are_left_out_when_nobody_wants_them_any_more() -> None:
    with nobody() as address:
        guests = plan(players={"anna": address, "ben": "random"}, repetitions=2, start_clock=1, play_clock=1)
        tasks = [task for matches in guests.matches(ludorum.load("tictactoe")) for task in matches]
        played: list[str] = []
        for task, result in run(tasks, workers=2, is_wanted=lambda task: not played):
            assert not isinstance(result, Failed)
            played.append(task.id)
    assert played == [tasks[0].id]


def test_matches_that_cannot_be_played_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shy_bots.py").write_text(
        "class Shy:\n"
        "    def __init__(self, seed: int = 0):\n"
        "        if seed:\n"
        "            raise ValueError('not in a match')\n"
        "    def move(self, state, role, deadline): ...\n")
    monkeypatch.chdir(tmp_path)
    told: list[Progress] = []
    with Archive() as archive:
        found = tournament.run(plan(players={"anna": "shy_bots:Shy", "ben": "random", "cleo": "legal"}, repetitions=1),
                               archive, workers=0, progress=told.append)
    assert len(found.failures) == 4
    assert len(found.records) == 2
    assert (told[-1].played, told[-1].planned) == (2, 2)


def test_the_page_needs_nothing_else_and_believes_nobody() -> None:
    mischief = plan(players={"<script>anna</script>": "random", "ben $1$": "legal"},
                    test=Question("<script>anna</script>", "ben $1$"))
    with Archive() as archive:
        made = page(tournament.run(mischief, archive, workers=0))
    # Our own two, and none of the players'.
    assert re.findall(r"<script[^>]*>", made) == ['<script type="application/json" id="steps">', "<script>"]
    assert not re.search(r"(src|href)=\"(?!#)", made)
    assert "&lt;script&gt;anna" in made
    plots = re.findall(r"(?s)<svg.*?</svg>", made)
    assert len(plots) == 2
    for plot in plots:
        ElementTree.fromstring(plot)


TOML = """
games = ["nim", "tiny.kif"]
repetitions = 3
play_clock = 0.5

[players]
anna = "random"
ben = "legal"

[test]
a = "anna"
b = "ben"
"""


def test_a_plan_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "autumn.toml").write_text(TOML)
    (tmp_path / "tiny.kif").write_text("(role a) (legal a b) (<= terminal (true c)) (<= (next c) (does a b))")
    read = TournamentPlan.read(tmp_path / "autumn.toml")
    assert read.name == "autumn"
    assert read.games == ["nim", str(tmp_path / "tiny.kif")]
    assert read.clocks.play == 0.5
    assert read.test is not None
    assert read.test.elo1 == 100


@pytest.mark.parametrize(("change", "message"), [
    (("games =", "gmaes ="), "unknown field `gmaes`"),
    (('"random"', "3"), r"Expected `str`, got `int` - at `\$.players"),
    (("repetitions = 3", "repetitions = 0"), "repetitions and max_steps must be 1 or more"),
    (("repetitions = 3", "max_steps = 0"), "repetitions and max_steps must be 1 or more"),
    (("play_clock = 0.5", "play_clock = -1"), "play cannot be -1 s"),
    (("play_clock = 0.5", "play_clock = inf"), "play cannot be inf s"),
    (('"random"', '"grandmaster"'), "no player 'grandmaster'"),
    (('b = "ben"', 'b = "dora"'), "who are not both players"),
    (('b = "ben"', 'b = "ben"\nelo0 = 500'), "elo0 must be less than elo1"),
    (('"random"', '"localhost:9147"'), "needs start_clock and play_clock"),
    (("[players]", "[players"), "autumn.toml"),
    (('games = ["nim", "tiny.kif"]', "games = []"), "there are no games"),
])
def test_a_plan_that_makes_no_sense_is_explained(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "autumn.toml"
    path.write_text(TOML.replace(*change))
    with pytest.raises(InvalidTournament, match=message):
        TournamentPlan.read(path)
    with pytest.raises(InvalidTournament, match="cannot be read"):
        TournamentPlan.read(tmp_path / "spring.toml")


SLOW = """
games = ["nim"]
repetitions = 3
[players]
anna = "montecarlo:seconds=0.02"
ben = "random"
"""


def test_a_tournament_that_was_killed_goes_on(tmp_path: Path) -> None:
    (tmp_path / "autumn.toml").write_text(SLOW)
    command = [sys.executable, "-c", "from ludorum.cli import main; main()",
               "tournament", str(tmp_path / "autumn.toml"), "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def played() -> dict[str, str]:
        if not (tmp_path / "autumn.db").exists():
            return {}
        database = sqlite3.connect(tmp_path / "autumn.db", timeout=30)
        try:
            return dict(database.execute("SELECT id, started FROM matches"))
        except sqlite3.OperationalError:
            return {}  # the tables are not there yet
        finally:
            database.close()

    while len(played()) < 2 and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = played()
    assert 2 <= len(before) <= 6
    # The workers do not outlive it: they were in its session, and soon nobody is.
    while alive(process.pid):
        time.sleep(0.05)
    ended = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    after = played()
    assert len(after) == len(json.loads(ended.stdout)["results"]) == 6
    assert before.items() <= after.items()
    assert (tmp_path / "autumn.html").read_text().startswith("<!doctype html>")


ENDLESS = """
games = ["nim"]
[players]
anna = "montecarlo:seconds=1000"
ben = "random"
"""


def test_an_interrupted_tournament_ends_at_once(tmp_path: Path) -> None:
    (tmp_path / "autumn.toml").write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, "-c", "from ludorum.cli import main; main()", "tournament", str(tmp_path / "autumn.toml")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (tmp_path / "autumn.db").exists() and process.poll() is None:
        time.sleep(0.02)
    try:
        # To the parent alone, as if somebody had asked for it elsewhere.
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        if alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert (out, err) == ("", "ludorum: interrupted\n")


def alive(session: int) -> bool:
    try:
        os.killpg(session, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_player_that_kills_its_process_costs_its_own_matches_only(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lethal.py").write_text("import os\nclass Dies:\n    def move(self, *about):\n        os._exit(7)\n")
    monkeypatch.chdir(tmp_path)
    nim = ludorum.load("nim")
    doomed, *fine = [task for tasks in plan(
        players={"ben": "random", "cleo": "legal"}, games=["nim"], repetitions=2).matches(nim) for task in tasks]
    doomed = MatchTask(**{name: getattr(doomed, name) for name in MatchTask.__slots__}
                  | {"players": (("first", "dies", "lethal:Dies"), ("second", "cleo", "legal"))})
    results = {task.id: result for task, result in run([doomed, *fine], workers=1)}
    assert isinstance(results.pop(doomed.id), Failed)
    assert len(results) == 3
    assert not any(isinstance(result, Failed) for result in results.values())


def test_a_faulty_match_scores_zero_if_the_plan_says_so() -> None:
    # The winner of every match cheats in it now and then; the referee plays on for it.
    with Archive() as archive:
        tournament.run(plan(players={"anna": "legal", "ben": "random"}), archive, workers=0)
        records = list(archive.matches())
    for record in records:
        best = max(record.roles, key=lambda role: record.goals[role] or 0)
        record.errors.append(Error(step=1, role=best, during="play", kind="illegal", message="it cheats"))
        assert record.scores() == record.goals
        assert record.scores(zero_for_faults=True) == {**record.goals, best: 0}
    with Archive() as archive:
        for record in records:
            archive.add(record)
        strict = tournament.run(plan(players={"anna": "legal", "ben": "random"}, zero_for_faults=True), archive,
                                workers=0)
        mild = tournament.run(plan(players={"anna": "legal", "ben": "random"}), archive, workers=0)
    assert all((standing.mean_goal or 0) < 50 for standing in strict.standings)
    assert sum(standing.mean_goal or 0 for standing in mild.standings) == 100
