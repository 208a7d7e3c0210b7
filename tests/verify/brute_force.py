"""What formulas mean, word by word: every match is played, every point listed, every path followed.

Nothing of the engines is used: states come from the reference engine, one `after` a step; a point is a list of joint
moves; what a role can tell apart is a list of its moves and percepts. All matches must end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from functools import cache
from itertools import product

from ludorum.game import Game, State
from ludorum.gdl.terms import Term
from ludorum.verify import formulas as f
from ludorum.verify import parse

#: A point: the joint moves so far; the last is () at the point after the end, which goes on for ever.
Point = tuple[tuple[Term, ...], ...]


class BruteForce:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.roles = list(map(str, game.roles))
        self.states: dict[Point, State] = {}
        self.views: dict[tuple[str, Point], tuple[Hashable, ...]] = {}
        self.following: dict[Point, list[Point]] = {}
        self.alike: dict[tuple[str, Hashable], list[Point]] = defaultdict(list)
        self._runs: dict[Point, list[list[Point]]] = {}
        self._known: dict[tuple[f.Formula, Point], bool] = {}
        self._list((), game.initial, dict.fromkeys(self.roles, ()))
        for (role, point), view in self.views.items():
            self.alike[role, (len(point), view)].append(point)

    def _list(self, point: Point, state: State, views: dict[str, tuple[Hashable, ...]]) -> None:
        self.states[point] = state
        for role in self.roles:
            self.views[role, point] = views[role]
        legal = [state.legal(role) for role in self.roles]
        self.following[point] = []
        if state.is_terminal or not all(map(len, legal)):
            over: Point = (*point, ())
            self.states[over] = state
            self.following[point], self.following[over] = [over], [over]
            for role in self.roles:
                self.views[role, over] = (*views[role], "stop")
            return
        for joint in product(*legal):
            later = state.after(joint)
            told = later.percepts
            after: Point = (*point, tuple(move.term for move in joint))
            self.following[point].append(after)
            self._list(after, later, {role: (*views[role], (str(move), frozenset(map(str, told[role]))))
                                      for role, move in zip(self.roles, joint, strict=True)})

    # ---- runs: the points of a match from one of them on; the last is repeated for ever ----

    def runs(self, point: Point) -> list[list[Point]]:
        if point not in self._runs:
            later = self.following[point]
            self._runs[point] = [[point]] if later == [point] else \
                [[point, *run] for other in later for run in self.runs(other)]
        return self._runs[point]

    def holds(self, formula: f.Formula, point: Point = ()) -> bool:
        """Whether a formula holds at a point: for all runs from there."""
        key = formula, point
        if key not in self._known:
            self._known[key] = all(self.along(formula, run, 0) for run in self.runs(point)) \
                if _follows_runs(formula) else self.along(formula, [point], 0)
        return self._known[key]

    def along(self, formula: f.Formula, run: list[Point], at: int) -> bool:
        here, last = run[at], len(run) - 1
        if len(run) > 1 and not _follows_runs(formula):
            return self.holds(formula, here)
        match formula:
            case f.Constant(value=value):
                return value
            case f.Atom(term=term):
                return self.atom(term, here)
            case f.Not(body=body):
                return not self.along(body, run, at)
            case f.Junction(word="and", parts=parts):
                return all(self.along(part, run, at) for part in parts)
            case f.Junction(parts=parts):
                return any(self.along(part, run, at) for part in parts)
            case f.Counted(word=word, count=count, parts=parts):
                return _is_so_many(word, count, sum(self.along(part, run, at) for part in parts))
            case f.Quantified(word=word, variables=(name,), body=body, count=count):
                # A variable stands for a move here: what holds for all others is left to the tests of the language.
                held = [self.along(_put(body, name, move), run, at) for move in ("m0", "m1")]
                return any(held) if word == "some" else _is_so_many(word, count or 0, sum(held))
            case f.Implies(left=left, right=right, both_ways=both):
                a, b = self.along(left, run, at), self.along(right, run, at)
                return a == b if both else (not a or b)
            case f.Along(word="X", body=body):
                return self.along(body, run, min(at + 1, last))
            case f.Along(word="F", body=body):
                return any(self.along(body, run, later) for later in range(at, last + 1))
            case f.Along(word="G", body=body):
                return all(self.along(body, run, later) for later in range(at, last + 1))
            case f.Until(left=left, right=right):
                return any(self.along(right, run, end) and all(self.along(left, run, k) for k in range(at, end))
                           for end in range(at, last + 1))
            case f.Paths(word="A", body=body):
                return all(self.along(body, other, 0) for other in self.runs(here))
            case f.Paths(body=body):
                return any(self.along(body, other, 0) for other in self.runs(here))
            case f.Knows(word="K", roles=roles, body=body):
                return all(self.holds(body, other) for other in self.possible(roles[0], here))
            case f.Knows(word="E", roles=roles, body=body):
                return all(self.holds(body, other) for role in roles for other in self.possible(role, here))
            case f.Knows(word="D", roles=roles, body=body):
                together = set.intersection(*(set(self.possible(role, here)) for role in roles))
                return all(self.holds(body, other) for other in together)
            case f.Knows(roles=roles, body=body):
                found, waiting = {here}, [here]
                while waiting:
                    point = waiting.pop()
                    new = {other for role in roles for other in self.possible(role, point)} - found
                    found |= new
                    waiting += new
                return all(self.holds(body, other) for other in found)
            case f.Whether(role=role, body=body):
                return len({self.holds(body, other) for other in self.possible(role, here)}) == 1
            case f.Surely(role=role, body=body, steps=steps):
                return self.surely(role, body, steps, frozenset(self.possible(role, here)), here)
        raise AssertionError(formula)

    def possible(self, role: str, point: Point) -> list[Point]:
        return self.alike[role, (len(point), self.views[role, point])]

    def surely(self, role: str, body: f.Formula, steps: int, possible: frozenset[Point], here: Point) -> bool:
        """Whether the role, by moves that depend on its views alone, sees to it that the body holds in time."""
        return self._wins(role, body, steps, frozenset((point, self.holds(body, point)) for point in possible))

    def _wins(self, role: str, body: f.Formula, steps: int, possible: frozenset[tuple[Point, bool]]) -> bool:
        if all(done for _, done in possible):
            return True
        if not steps:
            return False
        seat = self.roles.index(role)
        # Its moves where the match goes on; where it does not, it stops, and sees that.
        going = [point for point, _ in possible if self.following[point][0][-1] != ()]
        options: list[Term | None] = [None] if not going else [
            move for move in {later[-1][seat] for point in going for later in self.following[point]}
            if all(any(later[-1][seat] == move for later in self.following[point]) for point in going)]
        for move in options:
            views: dict[Hashable, set[tuple[Point, bool]]] = defaultdict(set)
            for point, done in possible:
                for later in self.following[point]:
                    if later[-1] == () or later[-1][seat] == move:
                        views[self.views[role, later]].add((later, done or self.holds(body, later)))
            if all(self._wins(role, body, steps - 1, frozenset(some)) for some in views.values()):
                return True
        return False

    def atom(self, term: Term, point: Point) -> bool:
        state = self.states[point]
        if term.name == "terminal":
            return state.is_terminal
        if term.name == "legal":
            return term.args[1] in state.legal(str(term.args[0]))
        if term.name == "goal":
            return state.goals[str(term.args[0])] == int(term.args[1])
        if term.name == "did":
            seat = self.roles.index(str(term.args[0]))
            return bool(point) and point[-1] != () and point[-1][seat] == term.args[1]
        return term in state.fluents


def _is_so_many(word: str, count: int, number: int) -> bool:
    return {"at_least": number >= count, "at_most": number <= count, "exactly": number == count}[word]


def _put(formula: f.Formula, name: str, value: str) -> f.Formula:
    return parse(str(formula).replace(f"?{name}", value))


@cache
def _follows_runs(formula: f.Formula) -> bool:
    """Whether it matters how the match goes on, other than by what is asked of all or some ways."""
    if isinstance(formula, f.Along | f.Until):
        return True
    if isinstance(formula, f.Not | f.Junction | f.Implies | f.Counted | f.Quantified):
        return any(map(_follows_runs, f.children(formula)))
    return False
