"""Splitting changes how many ground rules there are, never what they say."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from ground_evaluation import Evaluation

from ludorum import gdl
from ludorum.engines.reference import ReferenceReasoner
from ludorum.ground import ground

# A row of twelve places; the rules have up to three variables that are not in the head.
CHAIN = "(role r) (legal r go)\n" + "".join(
    f"(init (at {i})) (node {i})\n(near {i} {i + 1}) (near {i + 1} {i})\n" for i in range(12)) + """
(<= (next (at ?x)) (true (at ?x)) (does r go) (near ?x ?y) (near ?y ?z) (not (true (at ?z))) (distinct ?x ?z))
(<= (next (at ?x)) (node ?x) (not (true (at ?x))) (true (at ?y)) (true (at ?z)) (distinct ?y ?z)
    (distinct ?x ?y) (not (near ?y ?z)))
(<= (next (at ?x)) (true (at ?x)) (true (at ?y)) (true (at ?z)) (distinct ?y ?z) (not (near ?y ?z)))
(<= terminal (true (at ?a)) (true (at ?b)) (true (at ?c)) (distinct ?a ?b) (distinct ?b ?c) (near ?a ?b)
    (not (near ?b ?c)) (not (true (at 1))))
(goal r 0)
"""


def test_splitting_makes_fewer_rules() -> None:
    rules = gdl.parse(CHAIN)
    whole = ground(rules, split="never")
    split = ground(rules, split="auto")
    assert whole.report["splits"] == 0
    assert split.report["splits"]
    assert len(split.heads) < len(whole.heads) / 3


@pytest.mark.parametrize("split", ["auto", "always", "demand"])
def test_split_rules_say_the_same_of_every_state(split: str) -> None:
    rules = gdl.parse(CHAIN)
    whole = Evaluation(ground(rules, split="never"))
    other = Evaluation(ground(rules, split=split))  # type: ignore[arg-type]
    assert whole.program.fluents == other.program.fluents
    chance = random.Random(split)
    for _ in range(30):
        state = [fluent for fluent in whole.program.fluents if chance.random() < 0.4]
        assert whole.after(state, ["go"]) == other.after(state, ["go"])
        assert whole.is_terminal(state) == other.is_terminal(state)


@pytest.mark.parametrize("split", ["auto", "always", "demand"])
def test_terms_do_not_grow_for_ever_in_the_domains_that_guard_split_rules(split: str) -> None:
    # There are four fluents. The rule of `odd` is split, and a domain binds ?z where it is negated.
    rules = gdl.parse("""
        (role r) (legal r go) (item a) (item (f c)) (edge a b) (init (p a)) (init (p (f c)))
        (<= (next (p (f ?y))) (true (p ?y)) (item ?y))
        (<= odd (true (p ?z)) (true (p ?x)) (not (edge ?z ?x)))
        (<= terminal odd) (goal r 0)
    """)
    program = ground(rules, seconds=10, split=split)  # type: ignore[arg-type]
    assert sorted(map(str, program.fluents)) == ["(p (f (f c)))", "(p (f a))", "(p (f c))", "(p a)"]


@pytest.mark.parametrize("split", ["auto", "always", "never", "demand"])
@pytest.mark.parametrize("name", ["ticTacToe", "eightPuzzle", "2pttc", "blocker", "connectFour"])
def test_games_are_played_as_defined(corpus: Path, name: str, split: str) -> None:
    rules = gdl.parse((corpus / f"{name}.kif").read_text(), name)
    game = Evaluation(ground(rules, split=split))  # type: ignore[arg-type]
    definition = ReferenceReasoner(rules)
    chance = random.Random(name)
    state = definition.initial
    assert game.initial == state
    for _ in range(6):
        fluents = definition.fluents(state)
        assert game.is_terminal(fluents) == definition.is_terminal(state)
        assert game.goals(fluents) == definition.goals(state)
        assert game.legal(fluents) == definition.legal(state)
        if definition.is_terminal(state):
            break
        joint = [chance.choice(moves) for moves in definition.legal(state)]
        state = definition.after(state, joint)
        assert game.after(fluents, joint) == state
