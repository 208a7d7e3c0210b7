"""The prolog engine answers like the others, within its budgets."""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Hashable
from pathlib import Path

import pytest

import ludorum
from collection import GAMES
from ludorum import State, gdl, library
from ludorum.engines.prolog import PrologReasoner
from ludorum.errors import LudorumError, PrologMissing, TooLarge, TooSlow
from ludorum.gdl import parse_term
from ludorum.prolog import to_prolog

needs_prolog = pytest.mark.skipif(shutil.which("swipl") is None, reason="SWI-Prolog is not installed")

# Rules that recurse in circles, that nest terms, that use one name twice, that name relations like Prolog's own, and
# whose goals depend on what is no goal.
TELLING = ["ggp.org/atariGo_7x7.kif", "ggp.org/blocksWorld.kif", "ggp.org/connectFour.kif", "ggp.org/god.kif",
           "ggp.org/pancakes6.kif", "ggp.org/urmAdd.kif", "ggp.org/ruleDepthLinear.kif", "ggp.org/ticTacToe.kif",
           "gdl2/meier.kif", "gdl2/montyhall.kif", "gdl2/latenttictactoe.kif"]


def walk_together(path: str, *, steps: int, seed: int) -> int:
    """Plays at random with the prolog and the circuit engine and compares all they say; how many steps there were."""
    ours, theirs = ludorum.load(path, engine="circuit"), ludorum.load(path, engine="prolog")
    choice = random.Random(seed)
    here, there = ours.initial, theirs.initial
    for step in range(steps):
        assert seen(here) == seen(there), f"{path} at step {step}"
        legal = {role: sorted(map(str, here.legal(role))) for role in ours.roles}
        if here.is_terminal or not all(legal.values()):
            return step
        joint = {role: choice.choice(moves) for role, moves in legal.items()}
        here, there = here.after(joint), there.after(joint)
        assert here.percepts == there.percepts
    return steps


def seen(state: State) -> tuple[object, ...]:
    return (state.fluents, state.is_terminal, state.goals,
            {role: frozenset(state.legal(role)) for role in state.game.roles})


#: Not to be grounded: chess has too many moves, and the terms of sprouts grow.
TOO_LARGE = {"chess", "sprouts"}


@needs_prolog
@pytest.mark.parametrize("name", [entry.name for entry in library.catalogue() if entry.path.stem not in TOO_LARGE])
def test_it_plays_the_library_like_the_circuit(name: str) -> None:
    assert walk_together(name, steps=3, seed=2) > 0


@needs_prolog
@pytest.mark.corpus
@pytest.mark.parametrize("name", [name for name in TELLING if (GAMES / name).exists()])
def test_it_plays_games_by_others_like_the_circuit(name: str) -> None:
    assert walk_together(str(GAMES / name), steps=6, seed=3) > 0


@needs_prolog
def test_names_that_prolog_would_read_otherwise_come_back_as_they_were() -> None:
    names = "+ 007 mod [] {} a'b it's! é - -0 1.5 \\n foo- *"
    rules = " ".join(f"(init {name}) (init (box {name}))" for name in names.split()) + """
        (role r) (legal r 1) (<= (next ?x) (true ?x)) (goal r 100) (<= terminal (true gone))"""
    reasoner = PrologReasoner(gdl.parse(rules))
    expected: Hashable = frozenset(parse_term(text) for name in names.split() for text in (name, f"(box {name})"))
    assert reasoner.initial == expected
    assert reasoner.after(reasoner.initial, [parse_term("1")]) == expected


CIRCLES = """
(role walker) (init (at a))
(road a b) (road b c) (road c a) (road d a)
(<= (way ?x ?y) (road ?x ?y))
(<= (way ?x ?z) (way ?x ?y) (way ?y ?z))
(<= (legal walker (go ?y)) (true (at ?x)) (way ?x ?y))
(<= (next (at ?y)) (does walker (go ?y)))
(<= terminal (true (at c)))
(goal walker 100)
"""


@needs_prolog
def test_rules_that_go_round_in_circles_end() -> None:
    reasoner = PrologReasoner(gdl.parse(CIRCLES), seconds=20)
    assert [str(move) for move in reasoner.legal(reasoner.initial)[0]] == ["(go a)", "(go b)", "(go c)"]


ENDLESS = """
(role counter) (init (count zero)) (legal counter add)
(<= (even zero)) (<= (even (s (s ?n))) (even ?n))
(<= (next (count (s ?n))) (true (count ?n)))
(<= terminal (true (count ?n)) (not (even ?n)))
(<= (goal counter 100) (even ?n) (distinct ?n zero) (true (count ?n)))
"""


@needs_prolog
def test_a_question_without_end_stops_at_its_budget_and_the_next_is_answered() -> None:
    reasoner = PrologReasoner(gdl.parse(ENDLESS), seconds=1.5, memory_mb=2000)
    with pytest.raises(TooSlow, match=r"1\.5 s"):
        reasoner.goals(reasoner.initial)
    assert not reasoner.is_terminal(reasoner.initial)


FOREST = """
(role planter) (init (grown leaf)) (legal planter wait) (<= (next ?f) (true ?f)) (<= terminal (true done))
(tree leaf) (<= (tree (fork ?x ?y)) (tree ?x) (tree ?y))
(<= (goal planter 100) (tree ?t) (true (grown ?t)))
"""


@needs_prolog
def test_a_question_that_needs_more_memory_than_there_is_ends_and_the_next_is_answered() -> None:
    reasoner = PrologReasoner(gdl.parse(FOREST), seconds=60, memory_mb=32)
    with pytest.raises(TooLarge, match="32 MB"):
        reasoner.goals(reasoner.initial)
    assert len(reasoner.legal(reasoner.initial)[0]) == 1


@needs_prolog
def test_a_process_that_somebody_kills_did_not_lack_memory() -> None:
    reasoner = PrologReasoner(gdl.parse(CIRCLES))
    assert reasoner.initial
    os.kill(reasoner.process.pid, signal.SIGKILL)
    with pytest.raises(LudorumError, match=r"^SWI-Prolog was ended by signal 9 \(SIGKILL\)$"):
        reasoner.is_terminal(reasoner.initial)
    assert not reasoner.is_terminal(reasoner.initial)


@needs_prolog
def test_the_process_ends_with_its_reasoner() -> None:
    reasoner = PrologReasoner(gdl.parse(CIRCLES))
    assert reasoner.initial
    pid = reasoner.process.pid
    del reasoner
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_without_prolog_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PrologMissing, match="apt-get install swi-prolog-nox"):
        ludorum.load("nim", engine="prolog")


@needs_prolog
def test_the_exported_program_answers_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "circles.pl"
    file.write_text(to_prolog(gdl.parse(CIRCLES)))
    goal = "initial(S), legal_moves(walker, S, [_, M|_]), successor(S, [does(walker, M)], T), print(T), nl"
    ended = subprocess.run(["swipl", "-q", "-f", "none", "-g", goal, "-t", "halt", str(file)], text=True, timeout=60,
                           capture_output=True, check=True)
    assert ended.stdout == "[at(b)]\n"
    assert ended.stderr == ""


@pytest.mark.skipif(shutil.which("gprolog") is None, reason="GNU Prolog is not installed")
def test_another_prolog_loads_it_too(tmp_path: Path) -> None:
    # An operator, a name that is a number, one that Prolog defines itself, and no tabling.
    rules = CIRCLES + """
        (<= (next (dynamic is)) (true (at ?x)) (distinct ?x mod) (append ?x ?x 1))
        (append a a 1) (<= (next (1 ?x)) (true (at ?x)) (not (append ?x ?x 2)))"""
    file = tmp_path / "circles.pl"
    file.write_text(to_prolog(gdl.parse(rules)))
    goal = "initial(S), successor(S, [does(walker, go(b))], T), write(answer(T)), nl"
    ended = subprocess.run(["gprolog", "--consult-file", str(file), "--query-goal", goal, "--query-goal", "halt"],
                           text=True, timeout=60, capture_output=True, stdin=subprocess.DEVNULL, check=True)
    assert "answer([1(a),at(b),dynamic(is)])" in ended.stdout
