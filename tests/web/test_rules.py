"""Rules from strangers, the editor's findings, what is known of a game, and tournaments."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from table import Table

import ludorum
from ludorum.match.archive import Archive
from ludorum.match.ggp_base_json import to_ggp_base
from ludorum.match.player_spec import seat_for
from ludorum.match.referee import conduct
from ludorum.web import WebOptions, serving

pytestmark = pytest.mark.slow

# Each of a hundred digits for each of seven variables: 10^14 ground rules, if somebody made them.
HUGE = "(role x) " + " ".join(f"(d {n})" for n in range(100)) + """
(<= (legal x (go ?a ?b ?c ?d ?e ?f ?g)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g))
(<= (next (at ?a ?b ?c ?d ?e ?f ?g)) (does x (go ?a ?b ?c ?d ?e ?f ?g)))
(<= (goal x 100) (role x)) (<= terminal (true (at 1 1 1 1 1 1 1)))
"""
ENDLESS = """
(role x) (init (n zero)) (<= (legal x up) (role x)) (<= (legal x stay) (role x))
(<= (next (n (s ?n))) (true (n ?n)) (does x up)) (<= (next (n ?n)) (true (n ?n)) (does x stay))
(<= (goal x 50) (role x)) (<= terminal (true (n never)))
"""
NESTED = "(" * 100_000


def test_rules_that_are_too_large_leave_the_page_usable(folder: Path) -> None:
    options = WebOptions(data=folder, load_seconds=2, memory_mb=512, answer_seconds=5)
    with serving(options) as address, Table(address) as table:
        for rules in (HUGE, NESTED, ENDLESS):
            answer = table.http.post("/api/matches", json={"rules": rules})
            # Whoever is not let in is told why.
            assert answer.status_code in (200, 422, 503), answer.text
            assert answer.status_code == 200 or answer.json()["message"]
        assert table.look(table.begin(game="tictactoe", seats="all"))["step"] == 0


@pytest.mark.parametrize(("rules", "code", "line"), [
    ("(role x)\n(legal x go\n", "unclosed-parenthesis", 2),
    ("(role x)\n(init a)\n(<= (next ?f) (true b))\n(legal x go)\n(goal x 100)\n(<= terminal (true a))",
     "unsafe-variable", 3),
    ("(role x))", "unopened-parenthesis", 1),
])
def test_mistakes_are_told_with_their_line(table: Table, rules: str, code: str, line: int) -> None:
    found = table.http.post("/api/check", json={"rules": rules}).json()["diagnostics"]
    assert (code, line) in {(each["code"], each["line"]) for each in found}


def test_rules_in_toss_are_checked_and_played(table: Table) -> None:
    text = ludorum.library.entry("breakthrough.toss").text
    assert all(each["level"] != "error"
               for each in table.http.post("/api/check", json={"rules": text}).json()["diagnostics"])
    assert table.look(table.begin(rules=text, seats="all"))["view"]["scene"]["boards"]


def test_a_preview_draws_rules_without_beginning_a_match(table: Table) -> None:
    before = table.http.get("/api/matches").json()["matches"]
    view = table.http.post("/api/preview", json={"rules": ludorum.library.entry("tictactoe").text}).json()["view"]
    assert sum(len(board["cells"]) for board in view["scene"]["boards"]) == 9
    assert table.http.get("/api/matches").json()["matches"] == before


def test_what_is_known_is_found_in_the_background(folder: Path) -> None:
    with serving(WebOptions(data=folder, analysis_seconds=1)) as address, httpx.Client(base_url=address) as http:
        told: dict[str, Any] = http.post("/api/known", json={"game": "tictactoe"}).json()
        end = time.monotonic() + 100
        while not told["is_ready"] and not told["error"]:
            assert time.monotonic() < end
            time.sleep(0.1)
            told = http.get(f"/api/known/{told['key']}").json()
        assert told["error"] is None
        page = http.get(f"/api/known/{told['key']}/page")
        assert "tictactoe" in page.text
        assert "sandbox" in page.headers["content-security-policy"]
        cancelled = http.post("/api/known", json={"game": "othello"}).json()["key"]
        http.post(f"/api/known/{cancelled}/cancel", json={})
        assert "cancelled" in http.get(f"/api/known/{cancelled}").json()["error"]


def test_a_tournament_is_shown_match_by_match(folder: Path, tmp_path: Path) -> None:
    game = ludorum.load("tictactoe")
    with Archive(tmp_path / "cup.db") as archive:
        for number in range(3):
            archive.add(conduct(game, {"xplayer": seat_for("random", seed=number), "oplayer": seat_for("legal")},
                                match=f"match.{number}", tournament="spring"))
    options = WebOptions(data=folder, archives=(tmp_path / "cup.db",))
    with serving(options) as address, Table(address) as table:
        (cup,) = table.http.get("/api/cups").json()["cups"]
        assert (cup["name"], cup["matches"], cup["over"]) == ("spring", 3, 3)
        told = table.http.get("/api/cup/0", params={"name": "spring"}).json()
        assert {rating["player"] for rating in told["ratings"]} == {"random", "legal"}
        assert len(told["matches"]) == 3
        made = table.http.post("/api/cup/0/match", json={"id": "match.1"}).json()["id"]
        assert table.look(made)["outcome"] == "finished"
        assert table.http.get("/api/cup/0", params={"name": "autumn"}).status_code == 404
        assert table.http.get("/api/cup/7", params={"name": "spring"}).status_code == 404


def test_a_record_of_the_field_is_stepped_through_by_the_rules(table: Table) -> None:
    game = ludorum.load("tictactoe")
    record = conduct(game, {"xplayer": seat_for("legal"), "oplayer": seat_for("legal")})
    data = to_ggp_base(record)
    without = table.http.post("/api/records", json={"record": data})
    assert "name the game" in without.json()["message"]
    made = table.http.post("/api/records", json={"record": data, "game": "tictactoe"}).json()["id"]
    assert table.look(made)["goals"] == record.goals
