"""The analysis of a game, and the page that shows it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

import ludorum
from ludorum import Game
from ludorum.clock import Budget
from ludorum.errors import LudorumError
from ludorum.report import Analysis, analyse, page
from ludorum.report.first_moves import first_moves
from ludorum.report.graph_pictures import ring, web
from ludorum.report.play import play
from ludorum.report.skilled_play import skilled_play

pytestmark = pytest.mark.slow

# All names are as nasty as a rulesheet can make them.
NASTY = """
(role <script>) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (init (cell&amp ?x ?y empty)) (succ ?x ?a) (succ ?y ?b))
(<= (legal <script> (mark ?x ?y)) (true (cell&amp ?x ?y empty)))
(<= (marked ?x ?y) (does <script> (mark ?x ?y)))
(<= (next (cell&amp ?x ?y "onload=)) (marked ?x ?y))
(<= (next (cell&amp ?x ?y ?c)) (true (cell&amp ?x ?y ?c)) (not (marked ?x ?y)))
(<= open (true (cell&amp ?x ?y empty)))
(<= terminal (not open))
(<= (goal <script> 100) (not open)) (<= (goal <script> 0) open)
"""


@pytest.fixture(scope="module")
def tictactoe_analysis() -> Analysis:
    return analyse(ludorum.load("tictactoe"), budget=Budget(60))


class Reader(HTMLParser):
    """What a browser would see of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"style"} & set(self._open[-1:]):
            self.words.append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


def test_tictactoe_is_told_in_full(tictactoe_analysis: Analysis) -> None:
    found = json.loads(json.dumps(tictactoe_analysis.to_json()))
    assert {"structures", "proofs", "symmetries", "distances", "factors"} <= found.keys()
    assert found["symmetries"]["count"] == 7
    assert len(found["symmetries"]["generators"]) >= 2
    assert found["structures"]["boards"][0]["cells"] == 9
    verdicts = {proof["property"]: proof["verdict"] for proof in found["proofs"]}
    assert verdicts["constant_sum"] == verdicts["turn_taking"] == verdicts["terminates"] == "proved"
    assert found["distances"]["from_initial"]["(cell 2 2 x)"] == 1
    assert found["factors"]["count"] < 2
    assert found["play"]["longest"] == 9
    assert found["play"]["branching_factor"]["xplayer"] > 1
    assert len(found["first_moves"]) == 9


def test_who_waits_has_no_moves_to_choose_from(tictactoe_analysis: Analysis) -> None:
    seen = tictactoe_analysis.play.value
    assert seen is not None
    assert seen.branching == {"xplayer": ((1, 9.0), (3, 7.0), (5, 5.0), (7, 3.0)),
                              "oplayer": ((2, 8.0), (4, 6.0), (6, 4.0), (8, 2.0))}


def test_what_was_observed_is_proved_once_the_prover_has_looked_at_it(tictactoe_analysis: Analysis) -> None:
    assert tictactoe_analysis.structures.value is not None
    cell = tictactoe_analysis.structures.value.fluent("cell", 3)
    assert cell is not None
    assert [(inputs.arguments, inputs.standing) for inputs in cell.inputs] == [(("1", "2"), "proved")]


def test_the_kind_of_a_game_says_how_it_is_known(tictactoe_analysis: Analysis) -> None:
    traits = {trait.says: trait.known_by for trait in tictactoe_analysis.traits}
    assert traits["a game for two"] == "rules"
    assert traits["played in turns"] == "proved"
    assert traits["one's gain is another's loss"] == "proved"
    assert traits["a board of 3×3"] == "observed"


def test_what_a_match_shows_is_not_called_refuted() -> None:
    game = ludorum.load("(role x) (role y) (init a) (legal x l) (legal x r) (legal y l) (legal y r) (<= (next b) "
                        "(does x l)) (<= terminal (not (true a))) (<= (goal ?p 100) (role ?p) (true b)) "
                        "(<= (goal ?p 0) (role ?p) (not (true b)))")
    traits = {trait.says: trait.known_by for trait in analyse(game, budget=Budget(20)).traits}
    assert traits["moves are made at the same time"] == "shown by a match"
    assert traits["goals do not add up to a constant"] == "shown by a match"


def test_the_page_has_every_part_and_needs_nothing_else(tictactoe_analysis: Analysis) -> None:
    text = page(tictactoe_analysis)
    seen = Reader(text)
    headings = {attributes["id"] for tag, attributes in seen.tags if tag == "h2"}
    assert headings == {"boards", "rules", "structures", "proofs", "symmetries", "distances", "factors", "play",
                        "skill", "moves", "times"}
    assert {attributes["href"] for tag, attributes in seen.tags if tag == "a"} == {f"#{name}" for name in headings}
    assert not {tag for tag, _ in seen.tags} & {"script", "link", "img", "iframe", "object"}
    afar = re.findall(r'(?:src|href|url)\s*[=(]\s*["\']?(?:https?:)?//[^"\')]*', text)
    assert not afar, "nothing is fetched from anywhere"
    assert "Xplayer plays" in seen.text
    assert "7 symmetries" in seen.text
    assert "constant_sum" in seen.text
    pictures = sum(tag == "svg" for tag, _ in seen.tags)
    # Two states, two plots, two generators at least, the dependency graph and the fluent graph.
    assert pictures >= 8


def test_names_of_strangers_are_only_names(tictactoe_analysis: Analysis) -> None:
    game = ludorum.load(NASTY, name="<b>nasty</b>")
    text = page(analyse(game, budget=Budget(8)))
    seen = Reader(text)
    assert not [tag for tag, _ in seen.tags if tag in ("script", "b")]
    assert not [attributes for _, attributes in seen.tags if "onload" in attributes]
    assert "<b>nasty</b>" in seen.text
    assert "<script> plays" in seen.text


def test_what_cannot_be_found_says_why() -> None:
    game = Game(ludorum.load("nim").rules, engine="relations")
    found = analyse(game, budget=Budget(6))
    assert found.distances.value is None
    assert "circuit" in found.distances.note
    assert found.structures.value is not None
    assert found.structures.value.control is not None
    text = Reader(page(found)).text
    assert found.distances.note in text


def test_a_game_that_is_over_at_once_has_a_page() -> None:
    game = ludorum.load("(role r) (init a) (legal r wait) (<= terminal (true a)) (goal r 0)")
    text = Reader(page(analyse(game, budget=Budget(4)))).text
    assert "a puzzle for one" in text
    assert "No board was found" in text


def test_several_games_in_one_are_shown_apart() -> None:
    game = ludorum.load("""
        (role r) (succ 1 2) (succ 2 3) (succ 3 4) (half left) (half right)
        (<= (init (lamp ?h ?x off)) (half ?h) (succ ?x ?y))
        (<= (legal r (press ?h ?x)) (true (lamp ?h ?x off)))
        (<= (legal r (press ?h ?x)) (true (lamp ?h ?x on)))
        (<= (pressed ?h ?x) (does r (press ?h ?x)))
        (<= (next (lamp ?h ?x on)) (true (lamp ?h ?x off)) (pressed ?h ?x))
        (<= (next (lamp ?h ?x off)) (true (lamp ?h ?x on)) (pressed ?h ?x))
        (<= (next (lamp ?h ?x ?s)) (true (lamp ?h ?x ?s)) (not (pressed ?h ?x)))
        (<= dark (true (lamp ?h ?x off)))
        (<= terminal (not dark)) (<= (goal r 100) (not dark)) (<= (goal r 0) dark)
    """)
    found = analyse(game, budget=Budget(8))
    assert found.factors.value is not None
    assert found.factors.value.are_several
    assert "which part each cell" in Reader(page(found)).text


def test_what_goes_the_same_ways_is_drawn_once() -> None:
    text = Reader(page(analyse(ludorum.load("eightpuzzle"), budget=Budget(20)))).text
    assert text.count("leads to where it may be next") == 1
    assert "1, 2, 3, 4, 5, 6, 7, 8" in text


def test_parts_that_are_played_on_the_same_cells_are_not_drawn_as_if_each_had_its_own() -> None:
    # Two walkers on one line, who do not see each other.
    game = ludorum.load("""
        (role a) (role b) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (init (at ?r 1)) (role ?r))
        (<= (legal ?r on) (role ?r)) (<= (legal ?r stay) (role ?r))
        (<= (next (at ?r ?y)) (does ?r on) (true (at ?r ?x)) (succ ?x ?y))
        (<= (next (at ?r ?x)) (does ?r stay) (true (at ?r ?x)))
        (<= (next (at ?r 6)) (true (at ?r 6)))
        (<= terminal (true (at a 6)) (true (at b 6)))
        (<= (goal ?r 100) (true (at ?r 6))) (<= (goal ?r 0) (role ?r) (not (true (at ?r 6))))
    """)
    found = analyse(game, budget=Budget(20))
    assert found.factors.value is not None
    assert found.factors.value.are_several
    assert "which part each cell of" not in Reader(page(found)).text


def test_names_around_a_crowded_ring_lead_away_from_its_middle() -> None:
    names = [f"(fluent {number})" for number in range(40)]
    places, width, height = ring(names)
    drawn = web(places, [], width, height, title="ring", labels=True)
    # Nineteen are to the left of the middle, where names end at their points; one is at the top, one at the bottom.
    assert drawn.count('text-anchor="end"') == 19
    assert drawn.count('text-anchor="start"') == 21
    few, wide, high = ring(names[:5])
    assert "rotate(" not in web(few, [], wide, high, title="ring", labels=True)


def test_first_moves_that_are_mirror_images_have_means_within_their_margins() -> None:
    moves = {str(*move.moves.values()): move.goals["red"]
             for move in first_moves(ludorum.load("connectfour"), seed=0, budget=Budget(10))}
    left, right = moves["(drop 2)"], moves["(drop 6)"]
    assert left is not None
    assert right is not None
    assert left.margin <= 1
    assert right.margin <= 1
    # Both lie within 95 % of the truth, which is the same; three times as far apart they are one time in ten thousand.
    assert abs(left.mean - right.mean) < 3 * max(left.margin, right.margin)


def test_skilled_play_gives_the_first_player_of_tictactoe_an_edge_and_many_draws() -> None:
    found = skilled_play(ludorum.load("tictactoe"), seed=0, budget=Budget(10))
    first, second = found.goals["xplayer"], found.goals["oplayer"]
    assert first is not None
    assert second is not None
    assert found.finished == found.matches == 300
    assert first.mean - first.margin > 50
    assert first.mean + second.mean == pytest.approx(100)
    assert found.draws is not None
    # Random matches are drawn one time in eight.
    assert found.draws.mean > 30
    assert 5 <= found.length.mean <= 9


def test_ends_without_goals_are_told_with_their_share_and_for_whom() -> None:
    # Heads are worth something to both, tails only to the first.
    game = ludorum.load("""
        (role ann) (role bob) (side heads) (side tails)
        (<= (legal ann (show ?s)) (side ?s) (not (true over))) (<= (legal ann rest) (true over))
        (legal bob rest) (<= (next (shown ?s)) (does ann (show ?s))) (<= (next over) (does ann (show ?s)))
        (<= terminal (true over)) (goal ann 100) (<= (goal bob 50) (true (shown heads)))""")
    seen = play(game, seed=0, budget=Budget(5))
    assert seen.undefined["ann"] == 0
    assert 0.45 < seen.undefined["bob"] / seen.finished < 0.55
    assert "bob in" in seen.missing_goals
    assert "ann" not in seen.missing_goals
    goal = seen.goals["bob"]
    assert goal is not None
    assert goal.mean == 50


def test_skilled_play_is_not_asked_of_a_game_with_secrets() -> None:
    with pytest.raises(LudorumError, match="secrets"):
        skilled_play(ludorum.load("montyhall"), seed=0, budget=Budget(5))
