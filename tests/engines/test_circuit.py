"""The circuit engine and the reference engine, side by side along random walks."""

from __future__ import annotations

from random import Random

import pytest

from collection import GAMES, MISSING
from ludorum import gdl, library
from ludorum.circuit import compile_circuit
from ludorum.engines.circuit import CircuitReasoner
from ludorum.engines.reference import ReferenceReasoner
from ludorum.gdl import Rulesheet
from ludorum.ground import ground

# Small games of every kind: turn-taking and simultaneous, one role and several, with recursion, without an initial
# state, with things that are no roles among the movers, with scrambled vocabularies, with chance and percepts.
SAMPLE = [
    "ggp.org/2pttc.kif", "ggp.org/aipsrovers01.kif", "ggp.org/asteroidsSerial.kif", "ggp.org/blocker.kif",
    "ggp.org/buttons.kif", "ggp.org/cephalopodMicro.kif", "ggp.org/connectFour.kif", "ggp.org/eightPuzzle.kif",
    "ggp.org/gt_prisoner.kif", "ggp.org/hanoi.kif", "ggp.org/knightwar.kif", "ggp.org/maze.kif", "ggp.org/nim3.kif",
    "ggp.org/pancakes6.kif", "ggp.org/peg.kif", "ggp.org/ruleDepthLinear.kif", "ggp.org/tictactoe_3player.kif",
    "dresden/nim.comp2006_3357418060.kif", "dresden/peg.comp2006_3357334744.kif", "dresden/uf20-01.cnf.SAT.kif",
    "gdl2/BlindTicTacToe.kif", "gdl2/mastermind2x3.kif", "gdl2/meier.kif", "gdl2/montyhall.kif", "gdl2/pennies.kif",
    "gdl2/transit.kif",
]

# These take longer than all the others together; smaller kin, or counts from the literature, stand in for them.
LARGE = {"chess", "chess.toss", "chinesecheckers3", "chinesecheckers4", "chinesecheckers6", "draughts", "othello",
         "skirmish", "sprouts.toss"}


def assert_same_walks(rules: Rulesheet, seed: int, *, walks: int, steps: int) -> None:
    """Walks from the initial state by random legal moves, and compares every answer on the way."""
    circuit, reference = CircuitReasoner(compile_circuit(ground(rules))), ReferenceReasoner(rules)
    choose = Random(seed)
    for _ in range(walks):
        ours, theirs = circuit.initial, reference.initial
        for step in range(steps + 1):
            assert circuit.fluents(ours) == reference.fluents(theirs)
            legal = reference.legal(theirs)
            assert circuit.legal(ours) == legal
            is_terminal = reference.is_terminal(theirs)
            assert circuit.is_terminal(ours) == is_terminal
            assert circuit.goals(ours) == reference.goals(theirs)
            if is_terminal or not all(legal) or step == steps:
                break
            joint = [choose.choice(moves) for moves in legal]
            assert circuit.percepts(ours, joint) == reference.percepts(theirs, joint)
            ours, theirs = circuit.after(ours, joint), reference.after(theirs, joint)


@pytest.mark.parametrize("name", sorted(set(library.names()) - LARGE))
def test_the_engines_agree_on_a_game_of_the_library(name: str) -> None:
    assert_same_walks(library.entry(name).rules, seed=5, walks=1, steps=6)


@pytest.mark.parametrize("path", SAMPLE)
def test_the_engines_agree_on_a_game_of_the_corpus(path: str) -> None:
    if not GAMES.is_dir():
        pytest.skip(MISSING)
    text = (GAMES / path).read_text(encoding="utf-8", errors="replace")
    assert_same_walks(gdl.parse(text, path), seed=7, walks=2, steps=10)
