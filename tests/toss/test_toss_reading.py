"""Text in Toss: what is accepted, what it means, and that nothing a stranger writes breaks the reader."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from random_games import random_game

import ludorum
from ludorum import gdl, languages, toss
from ludorum.errors import InvalidRules
from ludorum.gdl import Source
from ludorum.toss.formulas import And, Atom, Exists, Less, Not, Number, Or, Sum

SMALL = """
PLAYERS white, black
REL Free(x) = not W(x) and not B(x)
REL Pair() = ex x, y (W(x) and (R(x, y) or C(x, y)) and W(y))
RULE White: [a | - | - ] -> [a | W(a) | - ] emb W, B pre Free(a)
RULE Black: [a | - | - ] -> [a | B(a) | - ] emb W, B
LOC 0 { PLAYER white PAYOFF { white: :(Pair()); black: 0 } MOVES [White -> 1] }
LOC 1 { PLAYER black PAYOFF { white: :(Pair()); black: 0 } MOVES [Black -> 0] }
MODEL [ | W:1 {}; B:1 {} | ] "
. #
. .
"
"""


def formula(text: str) -> object:
    return toss.parse(SMALL.replace("pre Free(a)", f"pre {text}")).rules["White"].pre


def test_a_grid_has_letters_for_columns_and_numbers_for_rows_from_the_bottom() -> None:
    start = toss.parse(SMALL).start
    assert start.elements == ("a1", "b1", "a2")
    assert start.of("R") == {("a1", "b1")}
    assert start.of("C") == {("a1", "a2")}


def test_two_marks_can_stand_on_one_element() -> None:
    start = toss.parse(SMALL.replace(". #", "W+B #")).start
    assert start.of("W") == start.of("B") == {("a2",)}


def test_not_and_quantifiers_bind_closer_than_and_which_binds_closer_than_or() -> None:
    free, white = Atom("Free", ("a",)), Atom("W", ("a",))
    assert formula("not Free(a) and W(a) or Free(a)") == Or((And((Not(free), white)), free))
    assert formula("ex x W(x) and Free(a)") == And((Exists("x", Atom("W", ("x",))), free))


def test_numbers_are_compared_and_counted() -> None:
    assert formula("Sum (x | W(x) : 1/2) < 3") == Less(Sum("x", Atom("W", ("x",)), Number(Fraction(1, 2))),
                                                       Number(Fraction(3)))


@pytest.mark.parametrize("later", [
    SMALL.replace("MODEL", "START"),
    SMALL.replace("REL Free(x) = not W(x) and not B(x)", "REL Free(x) {not W(x) and not B(x)}"),
    SMALL.replace("\nPLAYERS", "\n// A comment, with signs of its own: \" [ (\nPLAYERS"),
    SMALL + "\nSTATE LOC 0\n",
    SMALL.replace("{ PLAYER white PAYOFF { white: :(Pair()); black: 0 } MOVES [White -> 1] }",
                  "{ PLAYER white { PAYOFF :(Pair()) MOVES [White -> 1] } "
                  "PLAYER black { PAYOFF 0 } }"),
    SMALL + "\nDATA r1: circle, adv_ratio: 5\n",
], ids=["START", "braces", "comment", "STATE", "blocks", "DATA"])
def test_what_later_versions_write_is_the_same_game(later: str) -> None:
    assert later != SMALL
    assert toss.parse(later) == toss.parse(SMALL)


def test_a_relation_is_written_in_three_ways() -> None:
    small = SMALL.replace('"\n. #\n. .\n"', "").replace("[ | W:1 {}", "[a, b | R:2 {}; C:2 {}; W:1 {}")
    facts = {toss.parse(small.replace("W:1 {}", written)).start.facts
             for written in ("W(a); W(b)", "W {a; b}", "W:1 {(a); (b)}")}
    assert facts == {frozenset({("W", ("a",)), ("W", ("b",))})}


def test_what_is_printed_reads_back_as_the_same_game() -> None:
    for text in [SMALL, *map(random_game, range(60))]:
        game = toss.parse(text)
        assert toss.parse(toss.to_text(game)) == game


def test_toss_is_told_from_gdl_by_its_first_word() -> None:
    assert toss.is_toss(SMALL)
    assert toss.is_toss("// comment\nRULE Pass: [ | | ] -> [ | | ]")
    assert not toss.is_toss("(role white)")
    assert not toss.is_toss("players(white).")
    assert not toss.is_toss("")


def test_a_text_is_loaded_as_what_it_is() -> None:
    game = ludorum.load(SMALL)
    assert game.roles == ("white", "black")
    assert {str(move) for move in game.initial.legal("white")} == {"(white a1)", "(white b1)", "(white a2)"}


def test_the_translation_is_a_rulesheet_without_findings() -> None:
    rules = toss.to_rules(toss.parse(SMALL))
    assert gdl.check(rules) == []
    assert gdl.parse(gdl.to_kif(rules)) == rules


@pytest.mark.parametrize("seed", range(6))
def test_a_broken_text_is_a_game_or_a_diagnostic(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(60):
        text = random_game(dice.randrange(1000))
        for _ in range(dice.randrange(1, 4)):
            at, length = dice.randrange(len(text)), dice.randrange(1, 12)
            piece = dice.choice(["", "(", "]", "}", "|", "ex ", "not ", '"', "Sum (", "->", "RULE ", "9", "\x00", "é",
                                 text[at : at + length]])
            text = text[:at] + piece + text[at + dice.choice([0, length]) :]
        assert_game_or_diagnostic(text)


@pytest.mark.parametrize("text", [
    "PLAYERS", "MODEL [", 'MODEL [ | | ] "', "REL", "REL R(", "LOC 0 {", "RULE", "RULE R: [",
    "PLAYERS a LOC 0 { PLAYER a",
    "REL R() = " + "(" * 5000, "REL R() = " + "not " * 5000 + "R()", "REL R() = " + "ex x " * 5000 + "R()",
    "REL R() = ex " + ", ".join(f"x{n}" for n in range(5000)) + " R()",
    "LOC 0 { PLAYER a PAYOFF { a: " + "1 + " * 20000 + "1 } }", "REL R() = R() and " * 3000,
    "LOC 0 { PLAYER a PAYOFF { a: 2 ^ 99999999 } }", "PLAYERS " + "a, " * 20000 + "a",
])
def test_texts_of_a_stranger_end_in_diagnostics(text: str) -> None:
    assert assert_game_or_diagnostic(text)


def assert_game_or_diagnostic(text: str) -> bool:
    """Whether there was something to say about the text, which is said or played."""
    try:
        toss.to_rules(toss.parse(text, "strange.toss"))
    except InvalidRules as invalid:
        found = list(invalid.diagnostics)
    else:
        return bool(languages.check(Source(text, "strange.toss"))) if toss.is_toss(text) else False
    assert any(diagnostic.level == "error" for diagnostic in found)
    return all(str(diagnostic) for diagnostic in found)
