"""`ludorum analyse`, as people call it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ended import Ended

from ludorum.cli.arguments import loading_seconds

Run = Callable[..., "Ended"]

# Two take turns at a pile of three; who takes the last one wins.
PILE = """
(role first) (role second) (init (pile 3)) (init (turn first))
(less 3 2) (less 2 1) (less 1 0)
(<= (legal ?r take) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (pile ?n)) (true (pile ?m)) (less ?m ?n))
(<= (next (turn first)) (true (turn second)))
(<= (next (turn second)) (true (turn first)))
(<= terminal (true (pile 0)))
(<= (goal ?r 0) (true (turn ?r)))
(<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
"""

# One number is chosen of 64,000, which takes longer to compile than a tenth of a second.
MANY_MOVES = "(role r) (init (at 1))" + "".join(f"(v {i})" for i in range(40)) + """
(<= (legal r (choose ?a ?b ?c)) (v ?a) (v ?b) (v ?c))
(<= (next (at ?a)) (does r (choose ?a ?b ?c)))
(<= terminal (not (true (at 1))))
(<= (goal r 100) (true (at 7)))
(<= (goal r 0) (not (true (at 7))))
"""


def test_a_person_is_told_of_every_part(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "pile.html"
    ended = run("analyse", PILE, "--seconds", 5, "--html", page)
    assert ended.status == 0
    for part in ("a game for two", "pile/1", "turn/1", "constant_sum", "symmetries:", "factors:", "distances:",
                 "random play:", "first moves", "together"):
        assert part in ended.out, part
    # The pile is empty after three steps.
    assert "the furthest fluent is at least 3 steps away" in ended.out
    assert ended.out.endswith(f"The page is {page}.\n")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_json_is_one_object_also_beside_a_page(run: Run, tmp_path: Path) -> None:
    ended = run("analyse", PILE, "--seconds", 5, "--json", "--html", tmp_path / "pile.html")
    assert ended.json["symmetries"]["count"] == 0
    assert (tmp_path / "pile.html").exists()


@pytest.mark.parametrize(("path", "says"), [("", "is a folder"), ("none/page.html", "there is no folder")])
def test_a_page_that_cannot_be_written_is_a_misuse_before_anything_is_done(
        run: Run, tmp_path: Path, path: str, says: str) -> None:
    ended = run("analyse", "no game at all", "--html", tmp_path / path)
    assert ended.status == 2
    assert says in ended.err.replace("\n", " ")


def test_a_game_that_does_not_load_in_its_time_is_analysed_without_a_circuit(run: Run) -> None:
    ended = run("analyse", MANY_MOVES, "--seconds", 1, "--loading", 0.1, "--json")
    assert ended.status == 0
    assert ended.json["engine"] == "relations"
    assert ended.json["structures"]["fluents"][0]["name"] == "at"


@pytest.mark.parametrize(("told", "seconds", "loading"), [
    (None, 1, 10), (None, 3, 10), (None, 8, 16), (None, 30, 60), (None, 60, 60), (None, 600, 60),
    (0.5, 60, 0.5), (240, 3, 240)])
def test_loading_takes_twice_the_time_but_ten_seconds_at_least_and_a_minute_at_most(
        told: float | None, seconds: float, loading: float) -> None:
    assert loading_seconds(told, seconds) == loading
