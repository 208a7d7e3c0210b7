"""Games in the format of the hardware world."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from aiger import Aiger
from small_programs import small_program

import ludorum
from ludorum import Game
from ludorum.circuit import compile_circuit
from ludorum.circuit.export import to_aiger
from ludorum.circuit.passes import build
from ludorum.errors import BudgetExceeded
from ludorum.ground import ground

# Whoever is reached from the start by open doors can leave: recursive rules, one of them under a negation.
MAZE = """
(role walker)
(door a b) (door b c) (door c d) (door d a) (door d e)
(init (at a)) (<= (init (open ?x ?y)) (door ?x ?y))
(<= (passage ?x ?y) (true (open ?x ?y)))
(<= (passage ?x ?y) (true (open ?y ?x)))
(<= (reached ?x) (true (at ?x)))
(<= (reached ?y) (reached ?x) (passage ?x ?y))
(<= (legal walker (shut ?x ?y)) (true (open ?x ?y)))
(<= (legal walker (step ?y)) (true (at ?x)) (passage ?x ?y))
(<= (next (at ?y)) (does walker (step ?y)))
(<= (next (at ?x)) (true (at ?x)) (does walker (shut ?y ?z)))
(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does walker (shut ?x ?y))))
(<= terminal (not (reached e)))
(<= (goal walker 100) (reached c))
(<= (goal walker 0) (not (reached c)))
"""


def aiger(game: Game) -> Aiger:
    return Aiger.read(to_aiger(compile_circuit(ground(game.rules))))


def named(relation: str, *arguments: object) -> str:
    return f"({' '.join([relation, *map(str, arguments)])})"


@pytest.mark.parametrize("what", ["tictactoe", "rockpaperscissors", "montyhall", "eightpuzzle", MAZE],
                         ids=["tictactoe", "rockpaperscissors", "montyhall", "eightpuzzle", "maze"])
def test_random_walks_are_the_same_by_the_file_and_by_the_definition(what: str) -> None:
    game = ludorum.load(what, engine="reference")
    file = aiger(game)
    choose = random.Random(3)
    for _ in range(2):
        state, latches = game.initial, file.initial
        while True:
            assert latches == {named("true", fluent) for fluent in state.fluents}
            legal = {role: list(state.legal(role)) for role in game.roles}
            said, _ = file.run(latches, [])
            expected = {named("legal", role, move) for role, moves in legal.items() for move in moves}
            expected |= {named("goal", role, goal) for role, goal in state.goals.items() if goal is not None}
            expected |= {"terminal"} if state.is_terminal else set()
            assert {name for name in said if not name.startswith("(sees ")} == expected
            if state.is_terminal or state.step is None or state.step > 12:
                break
            joint = {role: choose.choice(moves) for role, moves in legal.items()}
            said, latches = file.run(latches, [named("does", role, move) for role, move in joint.items()])
            state = state.after(joint)
            assert {name for name in said if name.startswith("(sees ")} == {
                named("sees", role, percept) for role, told in state.percepts.items() for percept in told}


def test_inputs_are_moves_latches_fluents_and_outputs_answers() -> None:
    program = small_program(
        ["legal:robot:go <- p", "next:p <- q ~does:robot:go", "next:q <- p", "terminal <- p q",
         "goal:robot:100 <- p", "sees:robot:light <- does:robot:go"],
        fluents="p q", moves={"robot": "go"}, initial="q")
    file = Aiger.read(to_aiger(compile_circuit(program)))
    assert file.symbols == {
        "i0": "(does robot go)", "l0": "(true p)", "l1": "(true q)",
        "o0": "terminal", "o1": "(legal robot go)", "o2": "(goal robot 100)", "o3": "(sees robot light)"}
    assert file.initial == {"(true q)"}


def test_a_gate_with_many_inputs_becomes_gates_with_two() -> None:
    letters = [f"p{number}" for number in range(9)]
    program = small_program([f"terminal <- {' '.join(letters)}", *(f"next:{p} <- {p}" for p in letters)],
                            fluents=" ".join(letters), initial=" ".join(letters[1:]))
    file = Aiger.read(to_aiger(build(program)))
    assert len(file.gates) == 8
    everything = [f"(true {letter})" for letter in letters]
    assert file.run(everything, [])[0] == {"terminal"}
    for left_out in everything:
        assert file.run([name for name in everything if name != left_out], [])[0] == set()


def test_a_circuit_past_the_limit_is_an_error() -> None:
    with pytest.raises(BudgetExceeded, match="more than 10 gates"):
        to_aiger(compile_circuit(ground(ludorum.load("tictactoe").rules)), most_gates=10)
    with pytest.raises(BudgetExceeded, match="more than 10 gates"):
        to_aiger(compile_circuit(ground(ludorum.load(MAZE).rules)), most_gates=10)


@pytest.mark.skipif(not shutil.which("berkeley-abc"), reason="berkeley-abc is not installed")
def test_abc_reads_the_file(tmp_path: Path) -> None:
    file = aiger(ludorum.load("tictactoe"))
    (tmp_path / "game.aig").write_bytes(file.binary())
    done = subprocess.run(["berkeley-abc", "-c", "read_aiger game.aig; print_stats"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=60, check=True)
    assert re.search(rf"i/o =\s*{len(file.inputs)}/\s*{len(file.outputs)}\s+lat =\s*{len(file.latches)}\s", done.stdout)
