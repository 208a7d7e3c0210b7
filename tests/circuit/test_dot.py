"""Circuits as drawings."""

from __future__ import annotations

import re

import pytest
from small_programs import small_program

import ludorum
from ludorum.circuit import compile_circuit
from ludorum.circuit.export import to_dot
from ludorum.circuit.passes import build
from ludorum.errors import BudgetExceeded
from ludorum.ground import ground


def nodes(dot: str) -> dict[str, str]:
    """The labels of the nodes."""
    return dict(re.findall(r'^  (\w+) \[label="(.*?)"', dot, re.MULTILINE))


def edges(dot: str) -> set[tuple[str, str, bool]]:
    """From label to label, and whether the edge negates."""
    label = nodes(dot)
    found = re.findall(r"^  (\w+) -> (\w+)(?: \[(.*)\])?;", dot, re.MULTILINE)
    return {(label[one], label[other], "arrowhead=odot" in options) for one, other, options in found}


def test_inputs_gates_and_results_speak_gdl() -> None:
    program = small_program(["legal:robot:go <- p", "next:p <- q ~does:robot:go"], fluents="p q",
                            moves={"robot": "go"})
    dot = to_dot(build(program))
    assert edges(dot) == {
        ("(true q)", "and", False), ("(does robot go)", "and", True), ("and", "(next p)", False),
        ("(true p)", "(legal robot go)", False), ("false", "(next q)", False), ("false", "terminal", False)}


def test_a_disjunction_is_drawn_as_one() -> None:
    dot = to_dot(build(small_program(["terminal <- p", "terminal <- ~q"], fluents="p q", facts=["next:p", "next:q"])))
    assert edges(dot) == {("(true p)", "or", False), ("(true q)", "or", True), ("or", "terminal", False),
                          ("false", "(next p)", True), ("false", "(next q)", True)}


def test_recursion_is_a_dashed_edge_back() -> None:
    dot = to_dot(build(small_program(["a <- b p", "b <- a q", "b <- q", "terminal <- a"], fluents="p q")))
    dashed = [line for line in dot.splitlines() if "style=dashed" in line]
    assert len(dashed) == 1
    assert re.search(r"-> (\w+) ", dashed[0])[1] in [name for name, label in nodes(dot).items() if label == "loop"]  # type: ignore[index]


def test_every_edge_joins_two_nodes_that_are_drawn() -> None:
    dot = to_dot(compile_circuit(ground(ludorum.load("tictactoe").rules)))
    known = nodes(dot)
    ends = re.findall(r"^  (\w+) -> (\w+)", dot, re.MULTILINE)
    assert ends
    assert {end for edge in ends for end in edge} <= set(known)


def test_nobody_gets_a_drawing_of_thousands_of_gates() -> None:
    circuit = compile_circuit(ground(ludorum.load("tictactoe").rules))
    with pytest.raises(BudgetExceeded, match="limit is 10"):
        to_dot(circuit, most_gates=10)
