"""`ludorum learn`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ended import Ended

Run = Callable[..., "Ended"]


def test_the_command_learns_keeps_the_net_and_goes_on(run: Run, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path / "cache"))
    told = run("learn", "tictactoe", "--games", 16 * 1024, "--resume", tmp_path / "run", "--json").json
    assert told["games"] == 16 * 1024
    assert told["generations"] == 16
    assert len(told["trials"]) == 1
    assert (tmp_path / "run" / "curve.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (told["net"] is None) == (told["champion"] == 0)
    more = run("learn", "tictactoe", "--games", 18 * 1024, "--resume", tmp_path / "run", "--json").json
    assert more["generations"] == 18
    assert more["trials"] == told["trials"]


def test_the_command_says_why_a_game_cannot_be_learned(run: Run) -> None:
    ended = run("learn", "kuhnpoker", "--games", 1)
    assert ended.status == 1
    assert "has secrets" in ended.err
