"""Symmetries by the graph of the rules as they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludorum.analysis.symmetry.automorphisms import Permutation
from ludorum.analysis.symmetry.counting import LATE, findings, groups_of, with_initial
from ludorum.analysis.symmetry.rule_graph import RuleGraph, Scrambling, Symbol
from ludorum.analysis.symmetry.symmetries import Findings
from ludorum.analysis.symmetry.symmetry import Symmetry, Words
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.gdl.terms import Term


class RuleWay:
    way = "rule graph"

    def __init__(self, game: Game, words: Words | None, values: frozenset[int], budget: Budget) -> None:
        self._game = game
        self._words = words
        self._budget = budget
        self._values = values
        self._numbers = None if words is None else _Numbers(words)

    def findings(self) -> Findings:
        found = self._look(RuleGraph(self._game.rules, self._values))
        if found is None and self._words is not None:
            # Some image of a fluent can never hold, as far as grounding tells: only what stays within is of use.
            bounded = RuleGraph(self._game.rules, self._values)
            bounded.add_facts("possible", ([fluent] for fluent in self._words.fluents))
            for role, moves in zip(self._words.roles, self._words.moves, strict=True):
                bounded.add_facts("choice", ([role, move] for move in moves))
            found = self._look(bounded)
        return found or Findings(self.way, remark=LATE)

    def _look(self, drawn: RuleGraph) -> Findings | None:
        """What a graph shows; None if a symmetry leads out of the fluents and moves that there are."""
        kept = drawn.colours(keep_roles=True, keep=self._visible(drawn))
        groups = groups_of(drawn.graph, [kept, drawn.colours(keep_roles=True), drawn.colours(keep_roles=False)],
                         self._budget)
        found = findings(self.way, groups, self._tabulated(drawn), self._words)
        if found is None or found.count is None:
            return found
        return self._with_initial(drawn, found, groups[0].order)

    def _visible(self, drawn: RuleGraph) -> list[Symbol]:
        """The symbols of fluents and moves; of all terms where fluents are not known beforehand."""
        words = self._words
        if words is None:
            return sorted(drawn.functions)
        terms: list[Term] = [*words.fluents, *(move for moves in words.moves for move in moves)]
        seen: set[Symbol] = set()
        while terms:
            term = terms.pop()
            seen.add((term.name, len(term.args)))
            terms.extend(argument for argument in term.args if isinstance(argument, Term))
        return sorted(seen & drawn.symbols.keys())

    def _tabulated(self, drawn: RuleGraph) -> Callable[[Permutation], Symmetry | None] | None:
        if self._numbers is None:
            return None
        numbers = self._numbers
        return lambda permutation: numbers.symmetry(drawn.scrambling(permutation))

    def _with_initial(self, drawn: RuleGraph, found: Findings, kernel: int) -> Findings:
        if self._words is not None:
            held = [self._words.fluents.index(fluent) for fluent in self._game.initial.fluents]
            found = with_initial(found, held, self._words)
        if found.keeping_initial is not None:
            return found
        drawn.add_facts("init", ([fluent] for fluent in sorted(self._game.initial.fluents, key=str)))
        groups = groups_of(drawn.graph, [drawn.colours(keep_roles=True)], self._budget)
        return replace(found, keeping_initial=groups[0].order // kernel - 1) if groups else found


class _Numbers:
    """The numbers of fluents, moves and roles."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._fluents = {fluent: number for number, fluent in enumerate(words.fluents)}
        self._moves = [{move: number for number, move in enumerate(moves)} for moves in words.moves]
        self._roles = {role: number for number, role in enumerate(words.roles)}

    def symmetry(self, scrambling: Scrambling) -> Symmetry | None:
        """What other words do to fluents, moves and roles; None if some image is none."""
        words = self._words
        try:
            roles = tuple(self._roles[scrambling.term(role)] for role in words.roles)
            fluents = tuple(self._fluents[scrambling.term(fluent)] for fluent in words.fluents)
            moves = tuple(tuple(self._moves[roles[role]][scrambling.term(move)] for move in of_role)
                          for role, of_role in enumerate(words.moves))
        except KeyError:
            return None
        return Symmetry(fluents, moves, roles)
