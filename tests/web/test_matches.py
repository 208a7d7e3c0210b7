"""Matches over HTTP, as the page plays them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from table import Table, reached, turn

from ludorum.match import record as records
from ludorum.web import WebOptions, serving

pytestmark = pytest.mark.slow

WIN = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]


def play_out(table: Table, match: str, moves: list[str]) -> dict[str, Any]:
    """Both seats of tic-tac-toe are ours."""
    for step, move in enumerate(moves):
        told = table.wait(match, turn(step))
        table.move(match, told["choosers"][0], move)
    return table.wait(match, lambda told: told["step"] == len(moves))


def test_three_in_a_row_win_tictactoe(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    told = play_out(table, match, WIN)
    assert told["outcome"] == "finished"
    assert told["goals"] == {"xplayer": 100, "oplayer": 0}
    assert [joint["xplayer"] for joint in told["moves"]][::2] == WIN[::2]


def test_every_legal_move_has_a_path_to_it(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    ways = table.look(match)["view"]["moves"]["xplayer"]["list"]
    # Nine empty cells, one click each.
    assert len(ways) == 9
    assert {len(way["path"]) for way in ways} == {1}
    assert len({way["path"][0] for way in ways}) == 9


def test_the_engine_answers_a_person(table: Table) -> None:
    match = table.begin(game="tictactoe", seats={"oplayer": {"kind": "level", "level": 1}})
    table.move(match, "xplayer", "(mark 2 2)")
    told = table.wait(match, lambda told: told["step"] == 2)
    assert told["moves"][1]["oplayer"].startswith("(mark")
    assert told["seats"]["oplayer"]["name"] == "engine, level 1"


def test_an_illegal_move_and_one_of_another_seat_are_refused(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    assert table.ask(match, "move", role="xplayer", move="(mark 9 9)").json()["error"] == "IllegalMove"
    assert table.ask(match, "move", role="oplayer", move="(mark 1 1)").json()["error"] == "not-now"
    assert table.ask(match, "move", "oplayer", role="xplayer", move="(mark 1 1)").status_code == 403
    assert table.look(match)["step"] == 0


def test_a_move_for_a_step_that_is_gone_is_refused(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    table.move(match, "xplayer", "(mark 1 1)")
    table.wait(match, lambda told: told["step"] == 1)
    answer = table.ask(match, "move", role="oplayer", move="(mark 1 2)", step=0)
    assert answer.json()["error"] == "too-late"


def test_undo_goes_back_to_ones_own_last_choice(table: Table) -> None:
    match = table.begin(game="tictactoe", seats={"oplayer": {"kind": "level", "level": 1}})
    table.move(match, "xplayer", "(mark 2 2)")
    table.wait(match, lambda told: told["step"] == 2)
    assert table.ask(match, "undo").status_code == 200
    told = table.look(match)
    assert told["step"] == 0
    assert told["moves"] == []
    assert table.ask(match, "undo").json()["error"] == "nothing"


def test_a_fork_goes_its_own_way(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    play_out(table, match, WIN[:3])
    made = table.ask(match, "fork", step=1).json()
    table.keys[made["id"]] = made["keys"]
    assert table.look(made["id"])["step"] == 1
    table.move(made["id"], "oplayer", "(mark 3 3)")
    assert table.wait(made["id"], lambda told: told["step"] == 2)["moves"][0]["xplayer"] == WIN[0]
    assert table.look(match)["step"] == 3


def test_who_resigns_ends_the_match(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    assert table.ask(match, "resign", role="oplayer").status_code == 200
    told = table.look(match)
    assert told["outcome"] == "cut"
    assert told["errors"][0]["message"] == "oplayer resigned"


def test_a_spectator_sees_the_match_but_cannot_move(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    table.move(match, "xplayer", "(mark 2 2)")
    table.wait(match, lambda told: told["step"] == 1)
    with Table(str(table.http.base_url)) as stranger:
        told = stranger.look(match)
        assert told["step"] == 1
        assert not any(seat["is_mine"] for seat in told["seats"].values())
        assert stranger.ask(match, "move", role="oplayer", move="(mark 1 1)").status_code == 403
        assert stranger.ask(match, "undo").status_code == 403
        assert stranger.ask(match, "seat", role="oplayer", seat={"kind": "person"}).status_code == 403


def test_simultaneous_moves_wait_for_each_other(table: Table) -> None:
    match = table.begin(game="rockpaperscissors", seats="all")
    told = table.look(match)
    assert len(told["choosers"]) == 2
    one, other = told["choosers"]
    move = told["view"]["moves"][one]["list"][0]["move"]
    table.move(match, one, move)
    told = table.wait(match, lambda told: told["chosen"] == [one])
    assert told["step"] == 0
    table.move(match, other, told["view"]["moves"][other]["list"][0]["move"])
    assert table.wait(match, lambda told: told["step"] == 1)["moves"][0][one] == move


def test_a_clock_that_runs_out_is_the_referees_to_play(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all", play_clock=1)
    told = table.wait(match, lambda told: told["step"] >= 1)
    assert told["errors"][0]["kind"] == "late"


def test_seats_change_in_the_middle_of_a_match(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    table.move(match, "xplayer", "(mark 2 2)")
    table.wait(match, lambda told: told["step"] == 1)
    assert table.ask(match, "seat", role="oplayer", seat={"kind": "player", "player": "legal"}).status_code == 200
    assert table.wait(match, lambda told: told["step"] == 2)["seats"]["oplayer"]["kind"] == "player"


@pytest.mark.parametrize("seat", [
    {"kind": "level", "level": 99}, {"kind": "seconds", "seconds": 1e9}, {"kind": "player", "player": "os:system"},
    {"kind": "http", "address": "file:///etc/passwd"}, {"kind": "nobody"}, 7, None])
def test_a_seat_that_makes_no_sense_is_refused(table: Table, seat: Any) -> None:
    answer = table.http.post("/api/matches", json={"game": "tictactoe", "seats": {"oplayer": seat}})
    assert answer.status_code == 400
    assert answer.json()["error"] == "bad-seat"


def test_a_killed_server_loses_no_match(folder: Path) -> None:
    """What is on disk after every step is all there is: a second server goes on from there."""
    moves = {}
    with serving(WebOptions(data=folder)) as address, Table(address) as table:
        matches = [table.begin(game="tictactoe", seats="all") for _ in range(3)]
        for number, match in enumerate(matches):
            play_out(table, match, WIN[:number + 1])
            # Read while the first server still runs: nothing is written when it ends.
            moves[match] = records.read(folder / "matches" / f"{match}.json").moves
        keys = table.keys
    with serving(WebOptions(data=folder)) as address, Table(address) as table:
        table.keys = keys
        for number, match in enumerate(matches):
            told = table.look(match)
            assert told["moves"] == moves[match]
            assert told["step"] == number + 1
        play_out_rest = WIN[3:]
        for step, move in enumerate(play_out_rest, start=3):
            told = table.wait(matches[2], turn(step))
            table.move(matches[2], told["choosers"][0], move)
        assert table.wait(matches[2], lambda told: told["outcome"] == "finished")["goals"]["xplayer"] == 100


def test_a_record_can_be_stepped_through(table: Table) -> None:
    match = table.begin(game="tictactoe", seats="all")
    play_out(table, match, WIN)
    record = table.http.get(f"/api/match/{match}/record").json()
    made = table.http.post("/api/records", json={"record": record}).json()["id"]
    assert table.look(made)["goals"] == {"xplayer": 100, "oplayer": 0}
    (view,) = table.ask(made, "look", step=1).json()["views"]
    assert "(cell 1 1 x)" in view["text"]
    assert "(cell 2 1 o)" not in view["text"]
    *_, view = table.ask(made, "look", step=1, line=[{"oplayer": "(mark 3 3)"}]).json()["views"]
    assert "(cell 3 3 o)" in view["text"]


def test_the_search_tells_what_it_thinks_until_it_is_stopped(table: Table) -> None:
    match = table.begin(game="breakthrough", seats="all")
    findings: list[dict[str, Any]] = []
    for name, _, value in table.events(match):
        if name == "state" and not findings:
            assert table.ask(match, "search", step=0).status_code == 200
        if name == "search":
            findings.append(value)
            if len(findings) == 3:
                break
    assert table.ask(match, "halt").status_code == 200
    first, *_, last = findings
    assert last["playouts"] > first["playouts"] > 0
    assert {move["move"] for move in last["moves"]["white"]} <= {
        way["move"] for way in table.look(match)["view"]["moves"]["white"]["list"]}
    # A won game of breakthrough is worth 100 and a lost one 0.
    assert last["values"]["white"] + last["values"]["black"] == pytest.approx(100, abs=0.2)


def test_a_review_names_the_move_that_gave_the_match_away(table: Table) -> None:
    # After crosses in two corners of a row, noughts must block the third.
    match = table.begin(game="tictactoe", seats="all")
    play_out(table, match, ["(mark 1 1)", "(mark 2 2)", "(mark 1 3)", "(mark 3 3)", "(mark 1 2)"])
    review = table.ask(match, "review", playouts=2_000).json()
    assert len(review["values"]) == 6
    worst = review["losses"][0]
    assert (worst["step"], worst["role"], worst["move"], worst["best"]) == (3, "oplayer", "(mark 3 3)", "(mark 1 2)")


def test_many_play_at_once(address: str) -> None:
    def one(number: int) -> int:
        with Table(address) as table:
            match = table.begin(game="tictactoe", seats="all")
            return int(play_out(table, match, WIN)["goals"]["xplayer"])

    with ThreadPoolExecutor(8) as crowd:
        assert list(crowd.map(one, range(8))) == [100] * 8


def test_the_page_is_for_this_machine_unless_there_is_a_token(address: str, folder: Path) -> None:
    assert httpx.get(address, headers={"Host": "evil.example"}).status_code == 403
    crossed = httpx.post(f"{address}/api/matches", json={}, headers={"Origin": "http://evil.example"})
    assert crossed.status_code == 403
    assert httpx.post(f"{address}/api/matches", content="{}").status_code == 415
    policy = httpx.get(address).headers["content-security-policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    with serving(WebOptions(data=folder, token="sesame")) as guarded, httpx.Client(base_url=guarded) as client:
        assert client.get("/").status_code == 403
        assert client.get("/api/games").status_code == 403
        entered = client.get("/?token=sesame")
        assert entered.status_code == 303
        assert "sesame" not in entered.headers["location"]
        assert client.get("/api/games").status_code == 200


def test_requests_that_make_no_sense_get_a_sentence(table: Table) -> None:
    http = table.http
    assert http.get("/api/match/nosuchmatch00").json()["error"] == "no-match"
    assert http.get("/api/match/..%2f..%2fsecret").status_code == 404
    assert http.post("/api/matches", json={"game": "nosuchgame"}).status_code == 404
    assert http.post("/api/matches", json={}).status_code == 400
    assert http.post("/api/matches", json=[1]).status_code == 400
    assert http.post("/api/matches", json={"rules": "x" * (1 << 20) + "y"}).status_code == 413
    match = table.begin(game="tictactoe", seats="all")
    assert table.ask(match, "dance").status_code == 404
    assert table.ask(match, "look", step=99).status_code == 404
    assert table.ask(match, "look", step=0, line=[{"xplayer": "(mark 9 9)"}]).status_code == 409
    assert table.ask(match, "look", step=0, line="x").status_code == 400


def test_who_sends_nothing_in_a_market_is_silent(table: Table) -> None:
    match = table.begin(game="vickrey", seats="all", play_clock=1)
    # Chance deals values first; then both may bid.
    told = table.wait(match, lambda told: len(told["choosers"]) == 2)
    first = told["step"]
    bidder, late = told["choosers"]
    table.move(match, bidder, "(bid 2)")
    told = table.wait(match, reached(first + 1))
    assert told["moves"][first][late] == "silent"
    assert told["moves"][first][bidder] == "(bid 2)"
    assert told["errors"] == []
