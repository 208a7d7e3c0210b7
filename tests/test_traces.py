"""Traces of other systems, and how we compare with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ludorum import Game, State
from ludorum.clock import Deadline
from ludorum.errors import InvalidRecord
from ludorum.match.trace import compare_trace, read_trace


def trace_of_cul_de_sac() -> dict[str, Any]:
    start = {"true": ["(at start)"], "terminal": False, "legal": {"walker": ["go", "stay"]}}
    return {"roles": ["walker"], "walks": [[
        {**start, "joint": ["stay"]},
        {**start, "joint": ["go"]},
        {"true": ["(at end)"], "terminal": False, "legal": {"walker": []}},
    ]]}


def written(tmp_path: Path, trace: dict[str, Any]) -> Path:
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(json.dumps(trace).encode()))
    return path


def test_a_true_trace_has_no_mismatch(cul_de_sac: Game, tmp_path: Path) -> None:
    comparison = compare_trace(cul_de_sac, read_trace(written(tmp_path, trace_of_cul_de_sac())))
    assert comparison.states == 3
    assert comparison.mismatches == ()
    assert comparison.is_complete


def test_a_trace_need_not_be_compressed(cul_de_sac: Game, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(trace_of_cul_de_sac()))
    assert compare_trace(cul_de_sac, read_trace(path)).states == 3


def test_other_legal_moves_ends_and_goals_are_mismatches(cul_de_sac: Game, tmp_path: Path) -> None:
    trace = trace_of_cul_de_sac()
    first, _, last = trace["walks"][0]
    first["legal"] = {"walker": ["go", "jump"]}
    last.update(terminal=True, goals={"walker": 50})
    comparison = compare_trace(cul_de_sac, read_trace(written(tmp_path, trace)))
    assert [str(difference) for difference in comparison.mismatches] == [
        "walk 0, step 0: legal moves of walker: the trace has also jump, we have also stay",
        "walk 0, step 2: terminal: the trace has true, we have false",
        "walk 0, step 2: goal of walker: the trace has 50, we have 0",
    ]


def test_other_fluents_are_one_mismatch_and_the_walk_goes_on(tictactoe: Game, tmp_path: Path) -> None:
    first = tictactoe.initial.after("(mark 1 1)")
    false = tictactoe.state(str(first).replace("(cell 3 3 b)", "(cell 3 3 x)"))
    following = false.after("(mark 2 2)")

    def told(state: State) -> dict[str, Any]:
        return {"true": str(state).splitlines(), "terminal": False}

    walk = [told(tictactoe.initial) | {"joint": ["(mark 1 1)", "noop"]},
            told(false) | {"joint": ["noop", "(mark 2 2)"]}, told(following)]
    trace = {"roles": ["xplayer", "oplayer"], "walks": [walk]}
    comparison = compare_trace(tictactoe, read_trace(written(tmp_path, trace)))
    assert [str(difference) for difference in comparison.mismatches] == [
        "walk 0, step 1: fluents: the trace has also (cell 3 3 x), we have also (cell 3 3 b)"]
    assert comparison.states == 3


def test_a_move_that_is_not_legal_is_a_mismatch(cul_de_sac: Game, tmp_path: Path) -> None:
    trace = trace_of_cul_de_sac()
    trace["walks"][0][0]["joint"] = ["jump"]
    comparison = compare_trace(cul_de_sac, read_trace(written(tmp_path, trace)))
    assert [mismatch.what for mismatch in comparison.mismatches] == ["joint"]


def test_other_roles_are_a_mismatch(tictactoe: Game, tmp_path: Path) -> None:
    comparison = compare_trace(tictactoe, read_trace(written(tmp_path, trace_of_cul_de_sac())))
    assert [mismatch.what for mismatch in comparison.mismatches] == ["roles"]


def test_a_comparison_stops_at_its_deadline(cul_de_sac: Game, tmp_path: Path) -> None:
    comparison = compare_trace(cul_de_sac, read_trace(written(tmp_path, trace_of_cul_de_sac())), Deadline.within(0))
    assert comparison.states == 0
    assert not comparison.is_complete


@pytest.mark.parametrize("content", [
    b"", b"{", b"[]", b'{"roles": ["a"]}', b'{"roles": ["a"], "walks": [[{}]]}',
    b'{"roles": ["(a"], "walks": []}', b"\x1f\x8b broken",
])
def test_what_is_no_trace_is_an_invalid_record(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(content)
    with pytest.raises(InvalidRecord):
        read_trace(path)


def test_a_file_that_is_not_there_is_an_invalid_record(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecord, match="cannot be read"):
        read_trace(tmp_path / "none.json")
