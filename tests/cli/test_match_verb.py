"""`ludorum match`: who sits where, what is kept, and what goes on after a kill."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludorum
from ludorum.match import LocalSeat, conduct
from ludorum.match import record as records
from ludorum.match.ggp_base_json import to_ggp_base
from ludorum.players import Legal, Random

Run = Callable[..., Any]


def test_players_sit_in_the_order_of_the_roles_or_where_they_are_told(run: Run) -> None:
    for players in (["legal", "random"], ["oplayer=random", "legal"], ["OPLAYER=random", "xplayer=legal"]):
        played, = run("match", "tictactoe", *players, "--json").json["matches"]
        assert played["players"] == {"xplayer": "legal", "oplayer": "random"}
        assert played["outcome"] == "finished"
        assert set(played["goals"]) == {"xplayer", "oplayer"}
        assert len(played["moves"]) == len(played["times"]) == len(played["thoughts"])


@pytest.mark.parametrize(("players", "message"), [
    (["legal"], "seats for xplayer and oplayer, and 1 was named"),
    (["legal", "legal", "legal"], "3 were named"),
    (["xplayer=legal", "xplayer=random"], "xplayer has two players"),
    (["legal", "grandmaster"], "no player 'grandmaster'"),
    (["xplyer=legal", "legal"], "tictactoe has no role xplyer; its roles are xplayer, oplayer"),
])
def test_seats_that_do_not_fit_are_one_line_and_1(run: Run, players: list[str], message: str) -> None:
    ended = run("match", "tictactoe", *players)
    assert ended.status == 1
    assert ended.err.count("\n") == 1
    assert message in ended.err


def test_a_folder_that_cannot_be_written_to_is_one_line_and_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear referee,")
    ended = run("match", "tictactoe", "legal", "legal", "--record", tmp_path / "letter.txt")
    assert ended.status == 1
    assert ended.err == f"ludorum: {tmp_path / 'letter.txt'}: File exists\n"


def test_a_match_needs_a_game_or_something_to_resume(run: Run) -> None:
    assert run("match").status == 2
    assert run("match", "tictactoe", "legal", "legal", "--resume", "x").status == 2


@pytest.mark.parametrize("clock", ["--start-clock", "--play-clock", "--grace"])
def test_a_clock_that_nobody_could_wait_for_is_a_misuse(run: Run, clock: str) -> None:
    for seconds in ("inf", "nan", "-1", "1e9"):
        assert run("match", "tictactoe", "legal", "legal", clock, seconds).status == 2


def test_each_of_several_matches_has_a_seed_of_its_own(run: Run) -> None:
    both = run("match", "tictactoe", "random", "random", "--games", 2, "--seed", 5, "--json").json["matches"]
    assert [played["seed"] for played in both] == [5, 6]
    assert both[0]["moves"] != both[1]["moves"]
    again, = run("match", "tictactoe", "random", "random", "--seed", 6, "--json").json["matches"]
    assert again["moves"] == both[1]["moves"]


def test_a_player_of_yours_is_named_by_its_class(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bots.py").write_text(
        "class Last:\n"
        "    def __init__(self, pick: int = -1):\n"
        "        self.pick = pick\n"
        "    def move(self, state, role, deadline):\n"
        "        return state.legal(role)[self.pick]\n"
        "nothing = 3\n")
    monkeypatch.chdir(tmp_path)
    played, = run("match", "nim", "my_bots:Last", "my_bots:Last:pick=0", "--json").json["matches"]
    nim = ludorum.load("nim")
    assert played["moves"][0]["first"] == str(nim.initial.legal("first")[-1])
    assert "has no Frist" in run("match", "nim", "my_bots:Frist", "legal").err
    assert "is no player" in run("match", "nim", "my_bots:nothing", "legal").err
    assert "no module of this name" in run("match", "nim", "your_bots:Last", "legal").err
    assert "no option 'pcik'" in run("match", "nim", "my_bots:Last:pcik=1", "legal").err


def test_records_are_kept_checked_and_resumed(run: Run, tmp_path: Path) -> None:
    assert run("match", "tictactoe", "legal", "random", "--games", 2, "--record", tmp_path).status == 0
    one, other = sorted(tmp_path.iterdir())
    assert run("replay", "tictactoe", one).status == 0
    assert "nothing was interrupted" in run("match", "--resume", tmp_path).out
    # As if it had been killed after two steps.
    half = records.read(other)
    whole = half.moves
    half.outcome, half.ended = "playing", None
    for steps in (half.moves, half.times, half.thoughts):
        del steps[2:]
    del half.states[3:], half.state_times[3:]
    records.write(half, other)
    (tmp_path / "a.json").write_text("{}")
    ended = run("match", "--resume", tmp_path, "--json")
    played, = ended.json["matches"]
    # What is no record does not keep those that are from going on.
    assert ended.status == 1
    assert "a.json is no match record" in ended.err
    assert played["resumed"] == [3]
    assert played["moves"][:2] == whole[:2]
    assert played["outcome"] == "finished"
    assert run("replay", "tictactoe", other).status == 0


def test_resuming_what_is_no_record_is_one_line_and_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text("{}")
    ended = run("match", "--resume", tmp_path / "match.json")
    assert ended.status == 1
    assert "no match record" in ended.err


@pytest.mark.parametrize(("change", "what"), [
    ({"goals": {"xplayer": 7, "oplayer": 0}}, "goal of xplayer"),
    ({"outcome": "playing"}, "terminal"),
    ({"roles": ["oplayer", "xplayer"]}, "roles"),
])
def test_a_record_that_lies_is_found_out(run: Run, tmp_path: Path, change: dict[str, Any], what: str) -> None:
    path = tmp_path / "match.json"
    record = conduct(ludorum.load("tictactoe"), {"xplayer": LocalSeat(Legal()), "oplayer": LocalSeat(Random(1))})
    for key, value in change.items():
        setattr(record, key, value)
    records.write(record, path)
    ended = run("replay", "tictactoe", path, "--json")
    assert ended.status == 1
    assert what in {mismatch["what"] for mismatch in ended.json["mismatches"]}


def test_a_record_with_an_illegal_move_is_found_out(run: Run, tmp_path: Path) -> None:
    record = conduct(ludorum.load("tictactoe"), {"xplayer": LocalSeat(Legal()), "oplayer": LocalSeat(Random(1))})
    record.moves[2]["xplayer"] = record.moves[0]["xplayer"]
    records.write(record, tmp_path / "match.json")
    ended = run("replay", "tictactoe", tmp_path / "match.json", "--json")
    assert [mismatch["what"] for mismatch in ended.json["mismatches"]] == ["joint"]


def test_a_record_that_changed_its_rules_is_found_out(run: Run, tmp_path: Path) -> None:
    record = conduct(ludorum.load("tictactoe"), {"xplayer": LocalSeat(Legal()), "oplayer": LocalSeat(Random(1))})
    record.rules.pop()
    records.write(record, tmp_path / "match.json")
    ended = run("replay", "tictactoe", tmp_path / "match.json")
    assert ended.status == 1
    assert "does not hold the rules of its match" in ended.err


def test_percepts_of_a_record_are_compared(run: Run, tmp_path: Path) -> None:
    record = conduct(ludorum.load("montyhall"), {"candidate": LocalSeat(Legal())})
    path = tmp_path / "match.json"
    records.write(record, path)
    assert run("replay", "montyhall", path).status == 0
    told = next(step for step in record.percepts or [] if any(step.values()))
    next(percepts for percepts in told.values() if percepts).pop()
    records.write(record, path)
    ended = run("replay", "montyhall", path, "--json")
    assert ["percepts" in mismatch["what"] for mismatch in ended.json["mismatches"]] == [True]


def test_records_of_the_field_are_written_and_read(run: Run, tmp_path: Path) -> None:
    record = conduct(ludorum.load("tictactoe"), {"xplayer": LocalSeat(Legal()), "oplayer": LocalSeat(Random(1))})
    told = to_ggp_base(record)
    # The keys that GGP-Base reads back.
    assert {"matchId", "startTime", "startClock", "playClock", "moves", "states", "stateTimes", "errors",
            "isCompleted", "goalValues", "playerNamesFromHost"} <= set(told)
    path = tmp_path / "tiltyard.json.gz"
    path.write_bytes(gzip.compress(json.dumps(told).encode()))
    assert run("replay", "tictactoe", path).status == 0
    told["goalValues"] = [1, 99]
    path.write_bytes(gzip.compress(json.dumps(told).encode()))
    assert run("replay", "tictactoe", path).status == 1


def test_a_match_as_the_tiltyard_published_it(run: Run, tmp_path: Path) -> None:
    """In its spelling: spaces around parentheses, no roles, and more keys than we need."""
    path = tmp_path / "match.json"
    path.write_text(json.dumps({
        "matchId": "base.stairs.1", "randomToken": "x", "startTime": 1380000000000, "isCompleted": True,
        "states": ["( ( stair 0 ) )", "( ( STAIR 1 ) )"], "moves": [["climb"]], "stateTimes": [1, 2],
        "errors": [[""]], "goalValues": [100], "startClock": 30, "playClock": 15, "gameMetaURL": "http://games/stairs/",
    }))
    rules = ("(role climber) (init (stair 0)) (<= (legal climber climb) (true (stair 0))) "
             "(<= (next (stair 1)) (does climber climb)) (<= terminal (true (stair 1))) "
             "(<= (goal climber 100) (true (stair 1)))")
    ended = run("replay", rules, path, "--json")
    assert ended.status == 0
    assert ended.json["states"] == 2


def test_the_json_of_a_tournament_is_what_its_page_promises(run: Run, tmp_path: Path) -> None:
    (tmp_path / "autumn.toml").write_text('games = ["nim"]\n[players]\nanna = "random"\nben = "legal"\n')
    ended = run("tournament", tmp_path / "autumn.toml", "--workers", 1, "--json")
    assert ended.status == 0
    assert list(ended.json) == ["name", "standings", "results", "tests", "failures"]
    assert [result["players"] for result in ended.json["results"]] == [
        {"first": "anna", "second": "ben"}, {"first": "ben", "second": "anna"}]
    assert {path.name for path in tmp_path.iterdir()} == {"autumn.toml", "autumn.db", "autumn.html"}


def test_a_plan_that_makes_no_sense_is_one_line_and_1(run: Run, tmp_path: Path) -> None:
    (tmp_path / "autumn.toml").write_text("games = 3")
    ended = run("tournament", tmp_path / "autumn.toml")
    assert ended.status == 1
    assert ended.err.count("\n") == 1
    assert "games" in ended.err
