"""Type normal form: the examples of the paper, and formulas at random."""

from __future__ import annotations

import random
from itertools import product

from random_games import random_formula

from ludorum import toss
from ludorum.toss.formulas import Formula, free
from ludorum.toss.game import Structure
from ludorum.toss.normal import is_type_normal, type_normal
from ludorum.toss.printing import show
from ludorum.toss.reference import World

GAME = """
PLAYERS p
REL D(x) = P(x)
REL Reach(x, y) = E(x, y)
REL Asked({variables}) = {formula}
LOC 0 {{ PLAYER p PAYOFF {{ p: 0 }} }}
MODEL [a | P:1 {{}}; Q:1 {{}}; E:2 {{}}; F:0 {{}}; R:2 {{}}; C:2 {{}}; S:1 {{}} | ]
"""


def read(formula: str, variables: str = "") -> Formula:
    return toss.parse(GAME.format(formula=formula, variables=variables)).definitions["Asked"].formula


def test_what_does_not_speak_of_a_variable_leaves_its_quantifier() -> None:
    found = type_normal(read("ex x (P(x) and (Q(y) or S(x)))", "y"))
    assert found == read("(Q(y) and ex x P(x)) or ex x (P(x) and S(x))", "y")


def test_rows_and_columns_are_told_step_by_step() -> None:
    goal = read("ex x, y, z (P(x) and P(y) and P(z) and ((R(x, y) and R(y, z)) or (C(x, y) and C(y, z))))")
    found = type_normal(goal, fluents={"P"})
    assert show(found) == " or ".join(
        f"ex x (P(x) and ex y (P(y) and {step}(x, y) and ex z (P(z) and {step}(y, z))))" for step in "RC")


def test_two_thousand_random_formulas_keep_their_meaning() -> None:
    dice = random.Random(3)
    for _ in range(2_000):
        names = ["x", "y"][: dice.randrange(3)]
        formula = read(random_formula(dice, names, 3, relations=["P", "Q", "E", "F"]), ", ".join(names))
        normal = type_normal(formula, fluents={"P"})
        assert is_type_normal(normal)
        assert free(normal) <= free(formula)
        elements = tuple("abcde"[: dice.randrange(2, 6)])
        facts = frozenset((relation, args) for relation, arity in (("P", 1), ("Q", 1), ("E", 2), ("F", 0))
                          for args in product(elements, repeat=arity) if dice.random() < 0.4)
        world = World(Structure(elements, facts), toss.parse(GAME.format(formula="P(x)", variables="x")))
        for values in product(elements, repeat=len(names)):
            bound = dict(zip(names, values, strict=True))
            assert world.holds(formula, bound) == world.holds(normal, bound)
