"""On demand only those atoms are ground that some question can ask for."""

from __future__ import annotations

import random

from ground_evaluation import Evaluation

from ludorum import gdl
from ludorum.ground import ground

# The rules of `count` hold for a count that starts from any number; the goal asks only for those from 0.
NUMBERS = "".join(f"(number {i}) (succ {i} {i + 1})\n" for i in range(50))
CELLS = "".join(f"(cell {i}) (init (on {i}))\n" for i in range(12))
COUNTING = NUMBERS + CELLS + """
(role r) (legal r go)
(<= (next (on ?x)) (true (on ?x)) (distinct ?x 3))
(<= (one ?x ?n ?n) (number ?n) (cell ?x) (not (true (on ?x))))
(<= (one ?x ?n ?m) (succ ?n ?m) (true (on ?x)))
(<= (count 11 ?n ?m) (one 11 ?n ?m))
(<= (count ?x ?n ?m) (one ?x ?n ?k) (succ ?x ?y) (count ?y ?k ?m))
(<= (goal r ?n) (count 0 0 ?n))
(<= terminal (not (count 0 0 12)) (not (count 5 0 1)))
"""


def test_a_count_from_zero_needs_no_counts_from_elsewhere() -> None:
    rules = gdl.parse(COUNTING)
    everything = ground(rules, split="never")
    demanded = ground(rules, split="demand")
    assert demanded.report["on_demand"]
    assert len(demanded.heads) < len(everything.heads) / 2


def test_what_is_left_out_was_not_needed() -> None:
    rules = gdl.parse(COUNTING)
    everything = Evaluation(ground(rules, split="never"))
    demanded = Evaluation(ground(rules, split="demand"))
    assert everything.program.fluents == demanded.program.fluents
    chance = random.Random(1)
    for density in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        state = [fluent for fluent in everything.program.fluents if chance.random() < density]
        assert demanded.goals(state) == (len(state),)
        assert demanded.is_terminal(state) == everything.is_terminal(state)
        assert demanded.after(state, ["go"]) == everything.after(state, ["go"])


def test_what_is_denied_is_demanded_too() -> None:
    game = Evaluation(ground(gdl.parse("""
        (role r) (init (at a)) (init (at b)) (init (at c)) (legal r go)
        (<= (next (at ?x)) (true (at ?x)))
        (link a b) (link b c) (link c a) (link d a)
        (<= (way ?x ?y) (link ?x ?y) (true (at ?x)))
        (<= (way ?x ?z) (way ?x ?y) (way ?y ?z))
        (<= terminal (true (at ?x)) (not (way a ?x)))
        (goal r 0)
    """), split="demand"))
    # From a there is a way to b and c, and back to a only if all three links are there.
    assert game.is_terminal(["(at a)", "(at b)"])
    assert not game.is_terminal(["(at a)", "(at b)", "(at c)"])
    assert game.is_terminal(["(at b)"])
    assert not game.is_terminal([])
