"""One thing is spoken of as one, in whatever is told of a game."""

from __future__ import annotations

import re

import pytest

import ludorum
from ludorum.analysis.distances import fluent_graph
from ludorum.analysis.invariants import invariants
from ludorum.analysis.proofs import prove
from ludorum.analysis.samples import samples
from ludorum.belief import Belief
from ludorum.circuit import compile_circuit
from ludorum.errors import IllegalMove, InvalidMessage
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.ground import ground
from ludorum.match import play
from ludorum.players import Legal
from ludorum.protocol.messages import parse_message
from ludorum.report import analyse, page

#: One role, one fluent to begin with, one move, one step.
ONCE = """(role a) (init ready) (legal a go) (<= (next done) (true ready) (does a go)) (<= terminal (true done))
          (<= (goal a 100) terminal)"""
#: The same, of which it is proved.
HOP = """(role a) (init (at here)) (<= (legal a hop) (true (at here))) (<= (next (at there)) (does a hop))
         (<= terminal (true (at there))) (<= (goal a 100) terminal) (<= (goal a 0) (not terminal))"""
ONE_OF_MANY = re.compile(r"\b1 (loop )?[a-z]{3,}s\b")


@pytest.fixture(scope="module")
def once() -> Game:
    return ludorum.load(ONCE)


def test_words_agree_with_their_number() -> None:
    assert [agree(count, "match", "matches") for count in (0, 1, 2)] == ["matches", "match", "matches"]
    assert [agree(count, "step") for count in (0, 1, 2)] == ["steps", "step", "steps"]


def test_a_match_of_one_step_has_one_step(once: Game) -> None:
    assert "1 step, finished" in str(play(once, {"a": Legal()}))


def test_a_program_and_a_circuit_of_one_move_have_one_move(once: Game) -> None:
    program = ground(once.rules)
    assert "1 role, " in str(program)
    for made in (program, compile_circuit(program)):
        assert "1 move, " in str(made)
        assert not ONE_OF_MANY.search(str(made))


def test_one_playout_is_one_playout(once: Game) -> None:
    assert str(once.playouts(1)).startswith("1 playout (1 finished)")


def test_two_moves_for_one_role_are_too_many(once: Game) -> None:
    with pytest.raises(IllegalMove, match="2 moves for the 1 role of"):
        once.initial.after(["go", "go"])
    with pytest.raises(IllegalMove, match="2 moves for the 1 role of"):
        Belief(once, once.roles[0]).saw(["go", "go"])


def test_what_is_known_after_one_turn_is_one_state(once: Game) -> None:
    belief = Belief(once, once.roles[0])
    belief.saw(["go"])
    assert repr(belief).endswith("1 state after 1 turn>")


def test_a_message_with_one_argument_too_many_is_told_so() -> None:
    with pytest.raises(InvalidMessage, match="INFO does not take 1 argument:"):
        parse_message("(INFO x)")


def test_what_is_found_out_about_a_game_of_one_step_speaks_of_one() -> None:
    hop = ludorum.load(HOP)
    known = invariants(hop)
    assert known.longest == 1
    texts = [str(known), str(samples(hop, 1)), str(fluent_graph(hop)), *(proof.says for proof in prove(hop))]
    assert not [text for text in texts if ONE_OF_MANY.search(text)]


def test_the_page_about_a_game_of_one_step_speaks_of_one() -> None:
    text = re.sub(r"<[^>]*>", " ", page(analyse(ludorum.load(HOP))))
    assert "1 edge" in text
    assert not ONE_OF_MANY.search(text)
