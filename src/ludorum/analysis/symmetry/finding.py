"""Looking for the symmetries of a game: by a graph of its rules, one of its ground program, and by polynomials."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from ludorum.analysis.symmetry.automorphisms import Graph, Group, Permutation, automorphisms
from ludorum.analysis.symmetry.checking import agrees
from ludorum.analysis.symmetry.game_graph import GameGraph
from ludorum.analysis.symmetry.ground_graph import GroundGraph
from ludorum.analysis.symmetry.in_play import InPlay, in_play
from ludorum.analysis.symmetry.polynomial_graph import PolynomialGraph
from ludorum.analysis.symmetry.polynomials import Polynomials
from ludorum.analysis.symmetry.rule_graph import RuleGraph, Scrambling, Symbol
from ludorum.analysis.symmetry.symmetries import Findings, Symmetries
from ludorum.analysis.symmetry.symmetry import Symmetry, Words, generated, identity
from ludorum.clock import NEVER, Deadline
from ludorum.errors import BudgetExceeded, TooLargeToGround
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.ground import GroundProgram, ground
from ludorum.ground.unrolled import goal_values
from ludorum.reason.circuit import CircuitReasoner

_LATE = "not found in time"
# The part of the time that the rule graph may take; it needs a fraction of a second as a rule.
_FOR_RULES = 0.4
# And the part of what is left for grounding without taking rules apart, which may break symmetries.
_FOR_WHOLE = 0.25
# And the part of what is left then for the graph of the ground program; polynomials have the rest.
_FOR_GRAPH = 0.6
# A group up to this size is counted one by one: symbols may move that no fluent or move mentions.
_COUNTED = 2_000
# More ground rules than this are not drawn.
_MOST_RULES = 400_000


def find_symmetries(game: Game, *, seconds: float | None = 10.0, deadline: Deadline = NEVER) -> Symmetries:
    """The symmetries of a game, as far as they are found within a time.

    Where the engine does not know the fluents beforehand only the rule graph is asked, and its symmetries are counted.
    """
    deadline = deadline.or_within(seconds)
    reasoner = game.reasoner
    if not isinstance(reasoner, CircuitReasoner):
        by_rules = _by_rules(game, None, goal_values(game.rules), _part(deadline, 1.0))
        remark = f"there is no ground program: {game.why}"
        return Symmetries(None, by_rules, Findings(_GroundWay.way, remark=remark),
                          Findings(_GroundWay.further, remark=remark))
    circuit = reasoner.circuit
    words = Words(circuit.roles, circuit.fluents, circuit.moves)
    values = {value for goals in circuit.goals for value, _ in goals}
    by_rules = _by_rules(game, words, values, _part(deadline, _FOR_RULES))
    by_ground = _GroundWay(game, words, deadline)
    graph, polynomials = by_ground.findings()
    if by_rules.count is not None and by_rules.count < _COUNTED:
        group = generated(by_rules.generators, identity(words), _COUNTED)
        by_rules = _with_play(by_rules, group or (), by_ground.reasons)
    return Symmetries(words, _checked(game, by_rules), _checked(game, graph), _checked(game, polynomials),
                      by_ground.reasons)


def _part(deadline: Deadline, share: float) -> Deadline:
    return deadline if deadline.at is None else Deadline.within(share * max(0.0, deadline.remaining))


def _checked(game: Game, found: Findings) -> Findings:
    """The findings without what random games speak against, which nothing should."""
    wrong = [symmetry for symmetry in (*found.generators, *found.role_generators) if not agrees(game, symmetry)]
    if not wrong:
        return found
    return Findings(found.way, seconds=found.seconds, remark="what was found does not agree with random games")


def _with_play(found: Findings, group: Iterable[Symmetry], reasons: InPlay) -> Findings:
    """The findings with what the symmetries do in play, where all of them are known."""
    if not reasons:
        return found
    matter = [fluent for fluent, reason in enumerate(reasons) if reason is None]
    effects = {tuple(symmetry.fluents[fluent] for fluent in matter): symmetry for symmetry in group
               if all(reasons[image] == reason for image, reason in zip(symmetry.fluents, reasons, strict=True))}
    effects.pop(tuple(matter), None)
    return replace(found, in_play=len(effects), players=_sorted(effects.values()))


# ---- by rules ----

def _by_rules(game: Game, words: Words | None, values: Iterable[int], deadline: Deadline) -> Findings:
    start = time.monotonic()
    found = _RuleWay(game, words, frozenset(values), deadline).findings()
    return replace(found, seconds=time.monotonic() - start)


class _RuleWay:
    way = "rule graph"

    def __init__(self, game: Game, words: Words | None, values: frozenset[int], deadline: Deadline) -> None:
        self._game = game
        self._words = words
        self._deadline = deadline
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
        return found or Findings(self.way, remark=_LATE)

    def _look(self, drawn: RuleGraph) -> Findings | None:
        """What a graph shows; None if a symmetry leads out of the fluents and moves that there are."""
        kept = drawn.colours(keep_roles=True, keep=self._visible(drawn))
        groups = _groups(drawn.graph, [kept, drawn.colours(keep_roles=True), drawn.colours(keep_roles=False)],
                         self._deadline)
        tabulate = self._tabulated(drawn)
        found = _findings(self.way, groups, tabulate, self._words)
        if found is None or found.count is None:
            return found
        return replace(found, keeping_initial=self._keeping_initial(drawn, found, groups[0].order))

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

    def _keeping_initial(self, drawn: RuleGraph, found: Findings, kernel: int) -> int | None:
        if self._words is not None:
            held = [self._words.fluents.index(fluent) for fluent in self._game.initial.fluents]
            if all(symmetry.keeps(held) for symmetry in found.generators):
                return found.count
            if found.count is not None and found.count < _COUNTED:
                group = generated(found.generators, identity(self._words), _COUNTED)
                return sum(symmetry.keeps(held) for symmetry in group or ()) - 1
        drawn.add_facts("init", ([fluent] for fluent in sorted(self._game.initial.fluents, key=str)))
        groups = _groups(drawn.graph, [drawn.colours(keep_roles=True)], self._deadline)
        return groups[0].order // kernel - 1 if groups else None


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


# ---- by the ground program ----

class _GroundWay:
    """The graph of the ground program, and what polynomials show beyond it."""

    way, further = "ground program", "polynomials"

    def __init__(self, game: Game, words: Words, deadline: Deadline) -> None:
        self._game = game
        self._words = words
        self._deadline = deadline
        #: Why fluents make no difference in play, as soon as it is known.
        self.reasons: InPlay = ()

    def findings(self) -> tuple[Findings, Findings]:
        start = time.monotonic()
        try:
            program = self._program()
            self.reasons = in_play(program)
        except BudgetExceeded as error:
            return (Findings(self.way, seconds=time.monotonic() - start, remark=str(error)),
                    Findings(self.further, remark="there is no ground program"))
        by_graph = self._timed(self.way, lambda: self._by_graph(program, _part(self._deadline, _FOR_GRAPH)), start)
        return by_graph, self._timed(self.further, lambda: self._by_polynomials(program, by_graph), time.monotonic())

    def _timed(self, way: str, look: Callable[[], Findings], start: float) -> Findings:
        try:
            found = look()
        except BudgetExceeded as error:
            found = Findings(way, remark=str(error))
        return replace(found, seconds=time.monotonic() - start)

    def _by_graph(self, program: GroundProgram, deadline: Deadline) -> Findings:
        if len(program.heads) > _MOST_RULES:
            return Findings(self.way, remark=f"{len(program.heads):,} ground rules are too many to look at")
        return self._shown(self.way, GroundGraph(program, deadline), deadline)

    def _by_polynomials(self, program: GroundProgram, known: Findings) -> Findings:
        polynomials = Polynomials(program, self._deadline)
        found = self._shown(self.further, PolynomialGraph(program, polynomials, self._deadline), self._deadline)
        if found.count is None:
            return found
        # Every symmetry that polynomials prove is among those that were found.
        if known.count is not None and (known.count, known.moving_roles or 0) >= (found.count, found.moving_roles or 0):
            return Findings(self.further, remark="no more")
        if not all(map(polynomials.proves, found.generators)):
            return self._proved(polynomials, found)
        if not all(map(polynomials.proves, found.role_generators)):
            return replace(found, moving_roles=None, role_generators=())
        return found

    def _proved(self, polynomials: Polynomials, found: Findings) -> Findings:
        """Those among the symmetries that were found which are proved one by one."""
        group = generated(found.generators, identity(self._words), _COUNTED)
        if group is None:
            return Findings(self.further, remark="too many to prove")
        proved = tuple(filter(polynomials.proves, group))
        held = [self._words.fluents.index(fluent) for fluent in self._game.initial.fluents]
        keeping = sum(symmetry.keeps(held) for symmetry in proved) - 1
        return _with_play(Findings(self.further, len(proved) - 1, keeping, generators=proved[1:]), proved, self.reasons)

    def _shown(self, way: str, drawn: GameGraph, deadline: Deadline) -> Findings:
        """What the automorphisms of a graph say."""
        groups = _groups(drawn.graph, [
            drawn.colours(keep_roles=True, keep_all=True), drawn.colours(keep_roles=True),
            drawn.colours(keep_roles=True, keep_initial=True), drawn.colours(keep_roles=False),
            drawn.colours_in_play(self.reasons, keep_all=True), drawn.colours_in_play(self.reasons, keep_all=False)],
            deadline)

        def tabulated(permutation: Permutation) -> Symmetry:
            return Symmetry(*drawn.restricted(permutation))

        # The third group is of use for its size alone.
        found = _findings(way, [*groups[:2], *groups[3:4]], tabulated, self._words)
        if found is None or len(groups) < 3:
            return found or Findings(way, remark=_LATE)
        found = replace(found, keeping_initial=groups[2].order // groups[0].order - 1)
        if len(groups) < 6:
            return found
        alike, players = groups[4:]
        return replace(found, in_play=players.order // alike.order - 1,
                       players=_sorted(map(tabulated, players.generators)))

    def _program(self) -> GroundProgram:
        """The ground rules as they are written, or taken apart first where they are too many otherwise."""
        rules = self._game.rules
        try:
            program = ground(rules, seconds=min(60.0, max(0.01, _FOR_WHOLE * self._deadline.remaining)), split="never")
            if len(program.heads) <= _MOST_RULES:
                return program
        except TooLargeToGround:
            pass
        return ground(rules, seconds=min(60.0, max(0.01, self._deadline.remaining)))


# ---- both ----

def _groups(graph: Graph, colourings: list[list[object]], deadline: Deadline) -> list[Group]:
    return automorphisms(graph, colourings, seconds=min(600.0, deadline.remaining))


def _findings(way: str, groups: list[Group], tabulate: Callable[[Permutation], Symmetry | None] | None,
              words: Words | None) -> Findings | None:
    """What groups say: of what nobody can see, of the symmetries that keep roles, and of all.

    None if a symmetry leads out of the fluents and moves that there are.
    """
    if len(groups) < 2:
        return Findings(way, remark=_LATE)
    hidden, keeping, *rest = groups
    count = keeping.order // hidden.order - 1
    moving = rest[0].order // hidden.order - 1 - count if rest else None
    if tabulate is None or words is None:
        return Findings(way, count, moving_roles=moving)
    generators = {tabulate(permutation) for permutation in keeping.generators}
    of_roles = {tabulate(permutation) for permutation in (rest[0].generators if rest else ())}
    if None in generators | of_roles:
        return None
    kept = _sorted(symmetry for symmetry in generators if symmetry and not symmetry.is_identity)
    moved = _sorted(symmetry for symmetry in of_roles if symmetry and not symmetry.keeps_roles)
    if count < _COUNTED:
        group = generated(kept, identity(words), count + 1)
        if group is not None and len(group) <= count:
            # Some automorphisms exchange symbols without any fluent or move being touched by it.
            moving = None if moving is None else (moving // (count + 1)) * len(group)
            count = len(group) - 1
    return Findings(way, count, moving_roles=moving, generators=kept, role_generators=moved)


def _sorted(symmetries: Iterable[Symmetry]) -> tuple[Symmetry, ...]:
    return tuple(sorted(symmetries, key=lambda symmetry: (symmetry.fluents, symmetry.moves)))
