"""What `load` takes for a game."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludorum
from ludorum import gdl
from ludorum.errors import InvalidRules, UnknownGame


def test_a_path_that_exists_is_read(tmp_path: Path, cul_de_sac_rules: str) -> None:
    path = tmp_path / "dead-end.kif"
    path.write_text(cul_de_sac_rules)
    assert ludorum.load(path).name == "dead-end"
    assert ludorum.load(str(path)).roles == ("walker",)


def test_a_text_that_starts_with_a_bracket_or_a_comment_is_rules(cul_de_sac_rules: str) -> None:
    assert ludorum.load(cul_de_sac_rules).roles == ("walker",)
    assert ludorum.load("; a comment\n" + cul_de_sac_rules, name="dead-end").name == "dead-end"


def test_a_text_in_infix_syntax_is_rules_too(cul_de_sac_rules: str) -> None:
    infix = gdl.to_infix(gdl.parse(cul_de_sac_rules))
    assert infix.startswith("role(walker).\n")
    assert ludorum.load(infix).rules == ludorum.load(cul_de_sac_rules).rules
    assert ludorum.load("% a comment\n" + infix).roles == ("walker",)


def test_any_other_text_is_a_name_of_the_library() -> None:
    game = ludorum.load("TicTacToe")
    assert game.name == "tictactoe"
    assert len(game.roles) == 2


def test_a_game_of_the_library_pastes_back() -> None:
    game = ludorum.load("tictactoe")
    state = game.initial.after("(mark 2 2)")
    assert repr(game) == "ludorum.load('tictactoe')"
    assert eval(repr(state)) == state


def test_an_unknown_name_suggests_those_that_come_close() -> None:
    with pytest.raises(UnknownGame, match="did you mean tictactoe"):
        ludorum.load("tictactoo")


def test_a_directory_is_no_game_and_hides_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tictactoe").mkdir()
    monkeypatch.chdir(tmp_path)
    assert ludorum.load("tictactoe").name == "tictactoe"


def test_bad_rules_are_reported_with_all_that_is_wrong() -> None:
    with pytest.raises(InvalidRules) as caught:
        ludorum.load("(role a) (legal a wait) (<= (legal a) (true ?s)) (<= (next ?s) (true ?s)")
    assert len({finding.code for finding in caught.value.diagnostics if finding.level == "error"}) > 1


def test_stray_bytes_of_old_encodings_do_no_harm(tmp_path: Path, cul_de_sac_rules: str) -> None:
    path = tmp_path / "old.kif"
    path.write_bytes(b"; caf\xe9\n" + cul_de_sac_rules.encode())
    assert ludorum.load(path).roles == ("walker",)
