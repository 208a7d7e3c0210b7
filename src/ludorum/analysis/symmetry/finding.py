"""Looking for the symmetries of a game: by a graph of its rules, one of its ground program, and by polynomials."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from ludorum.analysis.symmetry.by_ground import GroundWay
from ludorum.analysis.symmetry.by_rules import RuleWay
from ludorum.analysis.symmetry.checking import agrees
from ludorum.analysis.symmetry.counting import with_play
from ludorum.analysis.symmetry.symmetries import Findings, Symmetries
from ludorum.analysis.symmetry.symmetry import Words
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.gdl.goals import goal_values

#: The work for symmetries unless another budget is told.
WORK = 10.0
# The part of it that the rule graph may take; it needs a fraction of a second as a rule.
_FOR_RULES = 0.4


def find_symmetries(game: Game, budget: Budget | None = None) -> Symmetries:
    """The symmetries of a game, as far as they are found with a budget.

    Where the engine does not know the fluents beforehand only the rule graph is asked, and its symmetries are counted.
    """
    budget = budget or Budget(WORK)
    if game.engine != "circuit":
        by_rules = _by_rules(game, None, goal_values(game.rules), budget)
        remark = f"there is no ground program: {game.why}"
        return Symmetries(None, by_rules, Findings(GroundWay.way, remark=remark),
                          Findings(GroundWay.further, remark=remark))
    circuit = game.circuit
    words = Words(circuit.roles, circuit.fluents, circuit.moves)
    values = {value for goals in circuit.goals for value, _ in goals}
    by_rules = _by_rules(game, words, values, budget.share(_FOR_RULES))
    by_ground = GroundWay(game, words, budget)
    graph, polynomials = by_ground.findings()
    by_rules = with_play(by_rules, by_ground.reasons, words)
    return Symmetries(words, _checked(game, by_rules), _checked(game, graph), _checked(game, polynomials),
                      by_ground.reasons)


def _by_rules(game: Game, words: Words | None, values: Iterable[int], budget: Budget) -> Findings:
    start = time.monotonic()
    found = RuleWay(game, words, frozenset(values), budget).findings()
    return replace(found, seconds=time.monotonic() - start)


def _checked(game: Game, found: Findings) -> Findings:
    """The findings without what random games speak against, which nothing should."""
    if all(agrees(game, symmetry) for symmetry in (*found.generators, *found.role_generators)):
        return found
    return Findings(found.way, seconds=found.seconds, remark="what was found does not agree with random games")
