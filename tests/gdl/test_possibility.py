"""What can never be in a game is found, and nothing is called impossible that grounding finds possible."""

from __future__ import annotations

import pytest
from gdl_corpus import corpus_text

from ludorum import gdl
from ludorum.gdl.check.possible import Possible, symbol
from ludorum.gdl.guards import places
from ludorum.gdl.terms import Term
from ludorum.loading import load

GAME = """
(role white) (role black)
(init (control white)) (init (cell 1 blank)) (init (cell 2 blank))
(<= (legal ?who (mark ?x)) (true (control ?who)) (true (cell ?x blank)))
(<= (legal ?who noop) (role ?who) (not (true (control ?who))))
(<= (next (control black)) (true (control white)))
(<= (next (control white)) (true (control black)))
(<= (next (cell ?x ?who)) (does ?who (mark ?x)))
(<= (next (cell ?x ?mark)) (true (cell ?x ?mark)) (or (distinct ?mark blank) (does ?who noop)))
(<= terminal (not open))
(<= open (true (cell ?x blank)))
(<= (goal ?who 100) (true (cell 1 ?who)))
(<= (goal ?who 0) (role ?who) (not (true (cell 1 ?who))))
"""


def told(text: str) -> list[tuple[str, str]]:
    return [(found.code, found.message) for found in gdl.check(text)]


def test_nothing_is_said_of_a_game_where_everything_can_be() -> None:
    assert told(GAME) == []


@pytest.mark.parametrize(("written", "for_", "code", "message"), [
    # Whoever marks becomes the mark, so white and black are possible by way of a variable, and x is not.
    ("(cell 1 x)", "(cell 1 ?who)", "impossible-value", "the second argument of cell is never x"),
    ("(true (cell ?x b))", "(true (cell ?x blank))", "impossible-value", "the second argument of cell is never b"),
    ("(true (sell ?x blank))", "(true (cell ?x blank))", "undefined-fluent",
     "no init and no next gives the fluent sell"),
    ("(does ?who (nark ?x))", "(does ?who (mark ?x))", "undefined-move", "no move nark is ever legal"),
])
def test_a_slip_of_the_pen_is_found_where_it_is_asked_for(written: str, for_: str, code: str, message: str) -> None:
    assert (code, message) in told(GAME.replace(for_, written))


def test_a_value_under_not_is_found_too_and_what_that_means() -> None:
    found, = gdl.check(GAME.replace("(not (true (cell 1 ?who)))", "(not (true (cell 3 ?who)))"))
    assert (found.code, found.label) == ("impossible-value", "never holds, so its negation always does")
    assert found.help == "it can be 1 or 2"


def test_a_role_that_no_rule_lets_move_is_found_though_rules_speak_of_any_role() -> None:
    one_sided = GAME.replace("(<= (legal ?who noop) (role ?who) (not (true (control ?who))))", "").replace(
        "(<= (next (control black)) (true (control white)))", "")
    assert ("role-without-moves", "no rule ever gives black a legal move") in told(one_sided)


def test_a_role_without_goals_is_found_but_chance_needs_none() -> None:
    assert told(GAME + "(role random) (legal random wait)") == []
    named = GAME.replace("(goal ?who 100)", "(goal white 100)").replace(
        "(goal ?who 0) (role ?who) (not (true (cell 1 ?who)))", "(goal white 0) (not (true (cell 1 white)))")
    assert ("role-without-goals", "no rule ever gives black a goal") in told(named)


def test_a_counter_that_nothing_asks_is_found_but_not_a_memory_of_the_last_move() -> None:
    counter = "(init (step 0)) (<= (next (step ?m)) (true (step ?n)) (after ?n ?m)) (after 0 1) (after 1 2)"
    assert told(GAME + counter) == [("unused-fluent", "nothing in the game depends on the fluent step")]
    assert told(GAME + counter + "(<= terminal (true (step 2)))") == []
    assert told(GAME + "(<= (next (last ?who ?x)) (does ?who (mark ?x)))") == []


@pytest.mark.parametrize("text", [
    # A variable for a whole fluent asks for all of them.
    "(init (step 0)) (<= terminal (true ?fluent) (never ?fluent)) (never nothing)",
    # A variable that nothing binds can be anything.
    "(init (hole 0)) (<= (next (hole ?x)) (true (hole 0))) (<= terminal (true (hole 77)))",
])
def test_what_may_be_is_not_called_impossible(text: str) -> None:
    assert {code for code, _ in told(GAME + text)} <= {"unsafe-variable"}


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "breakthrough", "kalah", "pig", "montyhall", "nim",
                                  "eightpuzzle", "hexapawn"])
def test_every_fluent_and_move_that_grounding_finds_is_possible(name: str) -> None:
    game = load(name, engine="circuit")
    possible = Possible(game.rules.rules)
    assert game.fluents
    assert game.moves
    ground = [Term("true", (fluent,)) for fluent in game.fluents]
    ground += [Term("does", (Term(role), move.term)) for role, moves in game.moves.items() for move in moves]
    for atom in ground:
        for position, value in places(atom):
            allowed = possible.of(position)
            assert isinstance(value, Term)
            assert allowed is None or symbol(value) in allowed, (atom, position)


@pytest.mark.parametrize(("path", "line"), [
    # White can still castle after the king has moved: the rule asks for a move (move wk …), and kings are called king.
    ("ggp.org/alexChess.kif", "(does white (move wk e 1 ?x ?y))"),
    # The squares are called y4 x2, and the goal asks for 4 2.
    ("ggp.org/slidingpieces.kif", "(true (cell 4 2 piece2))"),
    ("dresden/javastrike.kif", "(victory spezial ?ang sniper win)"),
])
def test_mistakes_of_published_games_are_found(path: str, line: str) -> None:
    text = corpus_text(path)
    lines = [text.splitlines()[found.line - 1] for found in gdl.check(text) if found.code == "impossible-value"]
    assert any(line in shown for shown in lines)
