"""How findings are reported."""

from __future__ import annotations

import pytest

from ludorum import gdl
from ludorum.errors import InvalidRules

GAME = """\
(role white)
(init start)
(legal white wait)
(<= (next done) (true start))
(<= terminal (true done))
(goal white 50)
"""


def test_a_good_game_has_no_diagnostics() -> None:
    assert gdl.check(GAME) == []
    assert gdl.parse(GAME).diagnostics == ()


def test_a_diagnostic_points_explains_and_helps() -> None:
    text = "(role x)\n" * 40 + "(<= (next (cell ?x ?y ?n))\n    (does ?p (mark ?x ?y)))"
    [found] = [d for d in gdl.check(text, "tictactoe.kif") if d.code == "unsafe-variable"]
    assert str(found) == """\
warning[unsafe-variable]: ?n is used in the head but never bound
  --> tictactoe.kif:41:23
   |
41 | (<= (next (cell ?x ?y ?n))
   |                       ^^ no positive condition mentions ?n
   = help: add a condition such as (true (cell ?x ?y ?n))"""


def test_all_errors_are_raised_at_once_with_the_warnings_in_the_order_of_the_text() -> None:
    with pytest.raises(InvalidRules) as raised:
        gdl.parse("(<= (legal white go) (nowhere))\n(does white go)\n(true start)\n" + GAME, "bad.kif")
    assert [(d.code, d.line) for d in raised.value.diagnostics] == [
        ("undefined-relation", 1), ("does-in-head", 2), ("true-in-head", 3)]
    assert str(raised.value).count("--> bad.kif:") == 3


def test_warnings_travel_with_the_rules() -> None:
    sheet = gdl.parse("(adjacent 1 2)\n" + GAME)
    assert [d.code for d in sheet.diagnostics] == ["unused-relation"]
    assert sheet == gdl.read("(adjacent 1 2)\n" + GAME)


def test_rules_made_by_a_program_can_be_checked() -> None:
    sheet = gdl.Rulesheet((gdl.Rule(gdl.Term("role", (gdl.Term("white"),))),))
    assert {d.code for d in gdl.check(sheet)} == {"missing-legal", "missing-goal", "missing-terminal"}


def test_an_unreadable_rule_is_not_said_to_be_missing() -> None:
    text = GAME.replace("(<= terminal (true done))", "(<= terminal (true done)")
    assert [d.code for d in gdl.check(text)] == ["unclosed-parenthesis"]


def test_carets_stand_under_the_culprit_even_behind_tabs() -> None:
    [found] = gdl.check("(<= (legal white go)\n\t(nowhere))\n" + GAME)
    line, carets = str(found).splitlines()[3:5]
    assert line[: line.index("(")] == carets[: carets.index("^")].replace("  |", "2 |")


def test_a_game_in_one_line_shows_only_the_part_that_matters() -> None:
    text = GAME.replace("\n", " ") * 40 + "(<= terminal (nowhere))" + " (init start)" * 100
    [found] = [d for d in gdl.check(text) if d.code == "undefined-relation"]
    line, carets = str(found).splitlines()[3:5]
    assert len(line) < 160
    assert line[carets.index("^") : carets.rindex("^") + 1] == "(nowhere)"


def test_lines_are_counted_alike_for_all_line_ends() -> None:
    places = {(d.line, d.column) for end in ("\n", "\r\n", "\r")
              for d in gdl.check(("(<= (legal white go)\n  (nowhere))\n" + GAME).replace("\n", end))}
    assert places == {(2, 3)}


def test_control_characters_of_a_rulesheet_do_not_reach_the_terminal() -> None:
    [found] = gdl.check("(<= (legal white go) (nowhere \x1b[31m))\n" + GAME)
    assert "\x1b" not in str(found)


def test_a_file_that_is_no_rulesheet_does_not_flood_the_screen() -> None:
    with pytest.raises(InvalidRules) as raised:
        gdl.parse(" ".join(f"word{i}" for i in range(5000)))
    assert len(raised.value.diagnostics) == 5000
    assert str(raised.value).count("error[") == 100


def test_a_lone_symbol_is_a_fact_if_some_rule_asks_for_it() -> None:
    assert gdl.check("ready\n(<= (legal white go) ready)\n" + GAME) == []
    assert [d.code for d in gdl.check("(ready)\n(<= (legal white go) ready)\n" + GAME)] == []
    assert [d.code for d in gdl.check("ready\n" + GAME)] == ["stray-symbol"]
