"""Matches that show why a formula holds or does not: one, and those that a role cannot tell from it.

Each replays. That two of them look alike to a role is checked by playing them, move by move and percept by percept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ludorum.analysis.proofs.proof import JointMove
from ludorum.belief.hiding import hides
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded, LudorumError
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.move import Move
from ludorum.verify.formulas import (
    Along,
    Constant,
    Counted,
    Formula,
    Implies,
    Junction,
    Knows,
    Not,
    Paths,
    Until,
    Whether,
    is_of_states,
    negation,
    subformulas,
)
from ludorum.verify.truth import Evaluation
from ludorum.verify.world import STOP, Rows, World

#: A joint move by numbers.
Joint = tuple[int, ...]
# More matches than that nobody compares.
_MOST_MATCHES = 8


@dataclass(frozen=True, slots=True)
class Match:
    """A match from the initial state; of all but the first, which roles cannot tell it from which earlier one."""

    moves: tuple[JointMove, ...]
    roles: tuple[str, ...] = ()
    like: int | None = None


def told(game: Game, moves: Sequence[JointMove], role: str) -> list[tuple[Move, frozenset[Term]]]:
    """What a role does and is told in a match, step by step; everybody's moves in a game without secrets."""
    seat = game.roles.index(game.role(role))
    found, state = [], game.initial
    for joint in moves:
        state = state.after(joint)
        heard = state.percepts[role] if hides(game) else frozenset(
            Term("does", (Term(str(other)), move.term)) for other, move in zip(game.roles, joint, strict=True))
        found.append((joint[seat], heard))
    return found


def look_alike(game: Game, matches: Sequence[Match]) -> bool:
    """Whether every match can be played, and looks to the roles that it is said of like the one that is said."""
    for match in matches:
        try:
            game.replay(match.moves)
        except LudorumError:
            return False
        if match.like is not None:
            other = matches[match.like]
            if any(told(game, match.moves, role) != told(game, other.moves, role) for role in match.roles):
                return False
    return True


def named(world: World, joints: Sequence[Joint]) -> tuple[JointMove, ...]:
    """Joint moves by number as moves."""
    return tuple(tuple(Move(world.move(seat, number)) for seat, number in enumerate(joint)) for joint in joints)


def explain(evaluation: Evaluation, formula: Formula, budget: Budget, *, at: int = 0) -> tuple[Match, ...]:
    """Matches that show why a formula holds, or why it does not, at a point; none where matches show nothing."""
    explanation = _Explanation(evaluation, budget, at)
    try:
        explanation.of(formula, at, 0)
    except BudgetExceeded:
        return ()
    return explanation.matches()


class _Explanation:
    def __init__(self, evaluation: Evaluation, budget: Budget, start: int) -> None:
        self._evaluation, self._points, self._world = evaluation, evaluation.points, evaluation.points.world
        self._budget = budget
        self._roles = list(map(str, self._world.game.roles))
        #: The joint moves of every match so far, and how it is like which other.
        self._found: list[list[Joint]] = [evaluation.points.path(start)]
        self._likes: list[tuple[tuple[str, ...], int | None]] = [((), None)]

    def matches(self) -> tuple[Match, ...]:
        if self._found == [[]]:
            return ()
        return tuple(Match(named(self._world, joints), roles, like)
                     for joints, (roles, like) in zip(self._found, self._likes, strict=True))

    def of(self, formula: Formula, point: int, match: int) -> None:
        """Shows why a formula is what it is at a point, which a match leads to."""
        if not is_of_states(formula):
            formula = Paths("A", formula)
        holds = bool(self._evaluation.holds(formula)[point])
        match formula:
            case Not(body=body):
                self.of(body, point, match)
            case Junction(word=word, parts=parts):
                if holds == (word == "or"):
                    # One part suffices.
                    self.of(next(part for part in parts if self._evaluation.holds(part)[point] == holds), point, match)
                elif not holds:
                    self._all_of(parts, point, match)
            case Implies(left=left, right=right):
                self._all_of((left, right), point, match)
            case Counted(parts=parts) if not holds:
                held = [bool(self._evaluation.holds(part)[point]) for part in parts]
                too_few = sum(held) < formula.least
                self._all_of([part for part, it in zip(parts, held, strict=True) if it != too_few], point, match)
            case Paths(word=word, body=body) if holds == (word == "E"):
                self._along(body if word == "E" else negation(body), point, match)
            case Knows(word=word, roles=roles, body=body) if not holds:
                self._doubt(word, roles, body, point, match)
            case Whether(role=role, body=body) if not holds:
                here = self._evaluation.holds(body)[point]
                self._doubt("K", (role,), body if here else negation(body), point, match)

    def _all_of(self, parts: Sequence[Formula], point: int, match: int) -> None:
        """Shows why some formulas are what they are at one point."""
        # What goes on with the match comes last, and once: after it the match is at another point.
        length = len(self._found[match])
        for part in sorted(parts, key=lambda part: any(isinstance(inner, Paths) for inner in subformulas(part))):
            if len(self._found[match]) == length:
                self.of(part, point, match)

    # ---- time ----

    def _along(self, body: Formula, point: int, match: int) -> None:
        """Shows a way on that fulfils a formula."""
        evaluation = self._evaluation
        every = np.ones(len(self._points), dtype=bool)
        match body:
            case Not(body=Along(word="G", body=inner)) if is_of_states(inner):
                self._to(every, negation(inner), point, match)
            case Along(word="F", body=inner) if is_of_states(inner):
                self._to(every, inner, point, match)
            case Until(left=left, right=right) if is_of_states(left) and is_of_states(right):
                self._to(evaluation.holds(left), right, point, match)
            case Along(word="X", body=inner) if is_of_states(inner):
                self._step(inner, point, match)
            case Not(body=Along(word="X", body=inner)) if is_of_states(inner):
                self._step(negation(inner), point, match)
            case Along(word="G", body=inner) if is_of_states(inner):
                self._for_ever(inner, point, match)
            case Not(body=Along(word="F", body=inner)) if is_of_states(inner):
                self._for_ever(negation(inner), point, match)

    def _to(self, through: np.ndarray, formula: Formula, point: int, match: int) -> None:
        """Goes on, as few steps as possible, to where a formula holds."""
        wanted = self._evaluation.holds(formula)
        came_from = {point: -1}
        waiting = [point]
        while waiting and not any(wanted[other] for other in waiting):
            later = []
            for other in waiting:
                if through[other]:
                    for target in self._following(other):
                        if target not in came_from:
                            came_from[target] = other
                            later.append(target)
            waiting = later
        end = next((other for other in waiting if wanted[other]), None)
        if end is None:
            return
        way = [end]
        while came_from[way[-1]] >= 0:
            way.append(came_from[way[-1]])
        self._walk(way[::-1], match)
        self.of(formula, end, match)

    def _step(self, formula: Formula, point: int, match: int) -> None:
        holds = self._evaluation.holds(formula)
        target = next((other for other in self._following(point) if holds[other]), None)
        if target is not None:
            self._walk([point, target], match)
            self.of(formula, target, match)

    def _for_ever(self, formula: Formula, point: int, match: int) -> None:
        """Goes on where a formula can hold for ever, until nothing changes or a point comes back."""
        lasting = self._evaluation.holds(Paths("E", Along("G", formula)))
        way = [point]
        while True:
            target = next((other for other in self._following(way[-1]) if lasting[other]), None)
            if target is None or target in way:
                break
            way.append(target)
        self._walk(way, match)

    def _following(self, point: int) -> list[int]:
        if not hasattr(self, "_order"):
            self._order = np.argsort(self._points.origins, kind="stable")
            self._starts = np.searchsorted(self._points.origins[self._order], np.arange(len(self._points) + 1))
        steps = self._order[self._starts[point] : self._starts[point + 1]]
        return list(map(int, self._points.targets[steps]))

    def _walk(self, way: Sequence[int], match: int) -> None:
        """Lengthens a match by the moves that lead from point to point."""
        points, world = self._points, self._world
        for here, there in pairwise(way):
            steps = world.steps(points.states[points.state[here]][None, :], self._budget)
            row = points.states[points.state[there]]
            fits = (steps.rows == row).all(axis=1) & self._remembers(steps.moves, there)
            # What everybody knows there has to be what it is at the point, too.
            for joint, heard in zip(steps.moves[fits], steps.told[fits], strict=True):
                if self._leads(here, there, joint, heard):
                    if STOP not in joint:
                        self._found[match].append(tuple(map(int, joint)))
                    break

    def _remembers(self, moves: np.ndarray, point: int) -> np.ndarray:
        """Which of some moves fit what is remembered at a point."""
        fits = np.ones(len(moves), dtype=bool)
        for number, atom in enumerate(self._points.memory):
            seat = self._roles.index(str(atom.args[0]))
            move = self._world.number(seat, atom.args[1])  # type: ignore[arg-type]
            fits &= (moves[:, seat] == (-2 if move is None else move)) == self._points.did[point, number]
        return fits

    def _leads(self, here: int, there: int, joint: np.ndarray, heard: Rows) -> bool:
        """Whether after a step roles believe in as many states as at a point: they do if it leads there."""
        points, world = self._points, self._world
        for column, seat in enumerate(points.seats):
            alike = np.flatnonzero(points.classes[:, column] == points.classes[here, column])
            steps = world.steps(points.states[np.unique(points.state[alike])], self._budget)
            same = (steps.moves[:, seat] == joint[seat]) & (
                world.heard(steps.told, seat) == world.heard(heard[None, :], seat)).all(axis=1)
            after = np.flatnonzero(points.classes[:, column] == points.classes[there, column])
            expected = {points.states[state].tobytes() for state in points.state[after]}
            if {row.tobytes() for row in np.ascontiguousarray(steps.rows[same])} != expected:
                return False
        return True

    # ---- knowledge ----

    def _doubt(self, word: str, roles: tuple[str, ...], body: Formula, point: int, match: int) -> None:
        """Shows a point where a formula does not hold that roles confuse with this one."""
        fails = ~self._evaluation.holds(body)
        if word in ("K", "E"):
            for role in roles:
                number = self._evaluation.classes("K", (role,))
                alike = np.flatnonzero((number == number[point]) & fails)
                if len(alike):
                    self._confused((role,), int(alike[0]), body, point, match)
                    return
        elif word == "D":
            number = self._evaluation.classes("D", roles)
            self._confused(roles, int(np.flatnonzero((number == number[point]) & fails)[0]), body, point, match)
        else:
            self._chain(roles, fails, body, point, match)

    def _chain(self, roles: tuple[str, ...], fails: np.ndarray, body: Formula, point: int, match: int) -> None:
        """From point to point, each of which some role of a group confuses with the one before."""
        came: dict[int, tuple[int, str]] = {}
        waiting, seen = [point], {point}
        end = point if fails[point] else None
        while waiting and end is None:
            here = waiting.pop(0)
            for role in roles:
                number = self._evaluation.classes("K", (role,))
                for other in map(int, np.flatnonzero(number == number[here])):
                    if other not in seen:
                        seen.add(other)
                        came[other] = here, role
                        waiting.append(other)
                        if fails[other] and end is None:
                            end = other
        if end is None:
            return
        links = []
        while end != point:
            links.append((end, came[end][1]))
            end = came[end][0]
        for number_of, (there, role) in enumerate(reversed(links)):
            if len(self._found) >= _MOST_MATCHES:
                return
            is_last = number_of == len(links) - 1
            match = self._confused((role,), there, body if is_last else Constant(True), point, match)
            point = there

    def _confused(self, roles: tuple[str, ...], there: int, body: Formula, point: int, match: int) -> int:
        """A match to a point that roles cannot tell from another, to which a match is known."""
        if there == point:
            self.of(body, there, match)
            return match
        joints = self._twin(match, [self._roles.index(role) for role in roles], there)
        if joints is None or len(self._found) >= _MOST_MATCHES:
            return match
        self._found.append(joints)
        self._likes.append((roles, match))
        new = len(self._found) - 1
        self.of(body, there, new)
        return new

    def _twin(self, match: int, seats: Sequence[int], there: int) -> list[Joint] | None:
        """A match that looks to the roles in some seats like another, and leads to the state of a point."""
        world, points = self._world, self._points
        if self._evaluation.is_sample:
            # Each of these points was met with in one match.
            return points.path(there)
        target = points.states[points.state[there]]
        layers: list[tuple[Rows, np.ndarray, np.ndarray]] = []
        row, rows = world.initial, world.initial
        joints = self._found[match]
        for number, joint in enumerate(joints):
            own = world.steps(row, self._budget)
            chosen = int(np.flatnonzero((own.moves == np.array(joint)).all(axis=1))[0])
            steps = world.steps(rows, self._budget)
            alike = np.ones(len(steps.origins), dtype=bool)
            for seat in seats:
                alike &= steps.moves[:, seat] == joint[seat]
                alike &= (world.heard(steps.told, seat) == world.heard(own.told[chosen][None, :], seat)).all(axis=1)
            if number == len(joints) - 1:
                stopped = not points.did[there].any()
                alike &= (steps.rows == target).all(axis=1) & (self._remembers(steps.moves, there) | stopped)
            steps = steps.only(np.flatnonzero(alike))
            if not len(steps.rows):
                return None
            _, firsts = np.unique(steps.rows, axis=0, return_index=True)
            layers.append((rows, steps.origins[firsts], steps.moves[firsts]))
            row, rows = own.rows[chosen][None, :], steps.rows[firsts]
        if not (rows == target).all(axis=1).any():
            return None
        place = int(np.flatnonzero((rows == target).all(axis=1))[0])
        found: list[Joint] = []
        for _, origins, moves in reversed(layers):
            found.append(tuple(map(int, moves[place])))
            place = int(origins[place])
        return found[::-1]
