"""All points of a game, as far as some roles can tell them apart: a moment of a match, with what each of them knows.

Points that somebody confuses, and those confused with them, and so on, are a cluster: nothing outside of it matters to
what anybody knows there. From a cluster everything that follows depends on it alone, so that each is looked at once,
however many matches lead to it and after however many steps. So the graph can be finite where matches are not.

With nobody's knowledge in question a cluster is a state; with one role's it is what the role believes to be possible.

In the literature: synchronous perfect recall; a cluster is an epistemic state, with one agent a belief state, and the
graph a public-state tree with equal subtrees merged (van der Meyden and Shilov 1999 for the idea).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.gdl.terms import Term
from ludorum.verify.world import STOP, Rows, World

Numbers = NDArray[np.int64]

#: No more points are kept.
MOST_POINTS = 3_000_000
# The work of a point, and of a cluster.
_A_POINT, _A_CLUSTER = 4e-6, 6e-6
# So many points are followed at once.
_AT_ONCE = 1 << 15


@dataclass(frozen=True, eq=False)
class Points:
    """Points with their steps; the first is the beginning of all matches."""

    world: World
    #: The seats of the roles whose knowledge counts.
    seats: tuple[int, ...]
    #: The atoms about moves that are remembered.
    memory: tuple[Term, ...]
    #: Rows of states, and for every point the number of its own.
    states: Rows
    state: Numbers
    #: bool [points, memory]
    did: NDArray[np.bool_]
    #: int64 [points, seats]: what each of the roles knows; points of the same number it cannot tell apart.
    classes: Numbers
    #: Steps from points to points.
    origins: Numbers
    targets: Numbers
    #: For every point one that leads to it, −1 for the first, and the moves by number.
    parents: Numbers
    moves: Numbers
    #: int64 [steps, 3 * seats], if it was asked for: for every role its own move; a number for all that it was told so
    #: far, which is right among steps from points that it confuses; and a number for what it was told in this step.
    labels: Numbers | None = None
    #: The rows of what roles are told, by these numbers.
    heard: tuple[bytes, ...] = ()

    def __len__(self) -> int:
        return len(self.state)

    def path(self, point: int) -> list[tuple[int, ...]]:
        """The joint moves to a point, by number; STOP is no move."""
        found = []
        while self.parents[point] >= 0:
            found.append(tuple(map(int, self.moves[point])))
            point = int(self.parents[point])
        return [joint for joint in reversed(found) if STOP not in joint]


def points(world: World, seats: Sequence[int], memory: Sequence[Term], budget: Budget, *,
           most: int = MOST_POINTS, depth: int | None = None, labelled: bool = False) -> Points:
    """All points, as far as the roles in these seats can tell them apart; raises BudgetExceeded.

    With a depth no point after so many steps is looked at; what follows from those of the last step is then missing.
    """
    return _Exploration(world, tuple(seats), tuple(memory), budget, most, labelled).run(depth)


class _Exploration:
    def __init__(self, world: World, seats: tuple[int, ...], memory: tuple[Term, ...], budget: Budget,
                 most: int, labelled: bool) -> None:
        self._labels: list[Numbers] | None = [] if labelled else None
        self._heard: dict[bytes, int] = {}
        self._world, self._seats, self._memory, self._budget, self._most = world, seats, memory, budget, most
        self._roles = list(map(str, world.game.roles))
        self._state_numbers: dict[bytes, int] = {}
        self._rows: list[Rows] = []
        #: For every cluster, by what it is made of, the number of its first point.
        self._clusters: dict[bytes, int] = {}
        self._points = 0
        self._class_counts = [0] * len(seats)
        self._state: list[Numbers] = []
        self._did: list[NDArray[np.bool_]] = []
        self._classes: list[Numbers] = []
        self._parents: list[Numbers] = []
        self._moves: list[Numbers] = []
        self._origins: list[Numbers] = []
        self._targets: list[Numbers] = []

    def run(self, depth: int | None) -> Points:
        world, seats = self._world, self._seats
        frontier, _ = self._meet(world.initial, np.zeros((1, len(self._memory)), dtype=bool),
                                 np.zeros((1, len(seats)), dtype=np.int64), np.full(1, -1, dtype=np.int64),
                                 np.full((1, len(self._roles)), STOP, dtype=np.int64))
        steps = 0
        while len(frontier) and (depth is None or steps < depth):
            state, classes = np.concatenate(self._state), np.concatenate(self._classes)
            found = [np.zeros(0, dtype=np.int64)]
            # Whole clusters at a time; there is one in each part at least.
            for part in self._parts(frontier, classes):
                new = self._follow(part, state[part], classes[part])
                found.append(new)
            frontier = np.concatenate(found)
            steps += 1
        return Points(world, seats, self._memory, np.concatenate(self._rows), np.concatenate(self._state),
                      np.concatenate(self._did), np.concatenate(self._classes), np.concatenate(self._origins)
                      if self._origins else np.zeros(0, dtype=np.int64), np.concatenate(self._targets)
                      if self._targets else np.zeros(0, dtype=np.int64), np.concatenate(self._parents),
                      np.concatenate(self._moves), np.concatenate(self._labels) if self._labels else None,
                      tuple(self._heard))

    def _parts(self, frontier: Numbers, classes: Numbers) -> list[Numbers]:
        """Points that are to be followed, some at a time: clusters are never torn apart."""
        if len(frontier) <= _AT_ONCE:
            return [frontier]
        labels = connected(classes[frontier])
        # Points of a cluster follow each other.
        ends = np.flatnonzero(np.diff(labels)) + 1
        cuts = [0]
        for end in [*ends.tolist(), len(frontier)]:
            if end - cuts[-1] >= _AT_ONCE or end == len(frontier):
                cuts.append(end)
        return [frontier[start:end] for start, end in pairwise(cuts)]

    def _follow(self, some: Numbers, state: Numbers, classes: Numbers) -> Numbers:
        """Points that follow some, as far as they are new."""
        world = self._world
        rows = np.concatenate(self._rows) if len(self._rows) > 1 else self._rows[0]
        self._rows = [rows]
        # A state that stands in several points is asked once.
        distinct, back = np.unique(state, return_inverse=True)
        steps = world.steps(rows[distinct], self._budget)
        order = np.argsort(steps.origins, kind="stable")
        starts = np.searchsorted(steps.origins[order], np.arange(len(distinct) + 1))
        counts = (starts[1:] - starts[:-1])[back]
        total = int(counts.sum())
        self._budget.check(_A_POINT * total)
        if self._points + total > 8 * self._most:
            raise BudgetExceeded(f"there are more than {self._most:,} points")
        origin = np.repeat(np.arange(len(some)), counts)
        offset = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        chosen = order[starts[back][origin] + offset]
        moves = steps.moves[chosen]
        known = np.zeros((total, len(self._seats)), dtype=np.int64)
        told = np.zeros((total, len(self._seats)), dtype=np.int64)
        for column, seat in enumerate(self._seats):
            heard = world.heard(steps.told, seat)
            # What is told, numbered.
            firsts, number = ranked(heard.view(np.int64))
            if self._labels is not None:
                names = [self._heard.setdefault(heard[first].tobytes(), len(self._heard)) for first in firsts]
                told[:, column] = np.array(names, dtype=np.int64)[number][chosen]
            key = np.stack([classes[origin, column], moves[:, seat], number[chosen]], axis=1)
            _, known[:, column] = ranked(key)
        did = np.zeros((total, len(self._memory)), dtype=bool)
        for place, atom in enumerate(self._memory):
            seat = self._roles.index(str(atom.args[0]))
            move = world.number(seat, atom.args[1])  # type: ignore[arg-type]
            did[:, place] = moves[:, seat] == (-2 if move is None else move)
        new, targets = self._meet(steps.rows[chosen], did, known, some[origin], moves)
        columns = [some[origin][:, None], targets[:, None]]
        if self._labels is not None:
            columns += [moves[:, list(self._seats)], known, told]
        pairs = np.concatenate(columns, axis=1)
        pairs = pairs[ranked(pairs)[0]]
        self._origins.append(pairs[:, 0])
        self._targets.append(pairs[:, 1])
        if self._labels is not None:
            self._labels.append(pairs[:, 2:])
        return new

    def _meet(self, rows: Rows, did: NDArray[np.bool_], known: Numbers, parents: Numbers,
              moves: Numbers) -> tuple[Numbers, Numbers]:
        """The points of states and of what is known there: the numbers of new ones, and of all."""
        state = self._numbered(rows)
        key = np.concatenate([known, state[:, None], did.astype(np.int64)], axis=1)
        firsts, inverse = ranked(key)
        state, did, known = state[firsts], did[firsts], known[firsts]
        order, labels, bounds = self._canonical(state, did, known)
        record = np.concatenate([state[:, None], did.astype(np.int64), labels], axis=1)[order]
        numbers = np.empty(len(order), dtype=np.int64)
        new: list[Numbers] = []
        size = 0
        self._budget.check(_A_CLUSTER * len(bounds))
        for start, end in zip(bounds, [*bounds[1:], len(order)], strict=True):
            first = self._clusters.setdefault(record[start:end].tobytes(), self._points + size)
            numbers[start:end] = np.arange(first, first + end - start)
            if first == self._points + size:
                new.append(np.arange(start, end))
                size += end - start
        if size:
            kept = np.concatenate(new)
            which = order[kept]
            if self._points + size > self._most:
                raise BudgetExceeded(f"there are more than {self._most:,} points")
            self._state.append(state[which])
            self._did.append(did[which])
            classes = np.zeros((size, len(self._seats)), dtype=np.int64)
            for column in range(len(self._seats)):
                _, number = np.unique(known[which, column], return_inverse=True)
                classes[:, column] = self._class_counts[column] + number
                self._class_counts[column] += int(number.max()) + 1
            self._classes.append(classes)
            self._parents.append(parents[firsts[which]])
            self._moves.append(moves[firsts[which]])
        fresh = np.arange(self._points, self._points + size)
        self._points += size
        place = np.empty(len(order), dtype=np.int64)
        place[order] = numbers
        return fresh, place[inverse]

    def _numbered(self, rows: Rows) -> Numbers:
        """The numbers of states, new ones for those that were not met with."""
        firsts, inverse = ranked(rows.view(np.int64))
        distinct = np.ascontiguousarray(rows[firsts])
        numbers = np.empty(len(distinct), dtype=np.int64)
        fresh = []
        for index, row in enumerate(distinct):
            known = len(self._state_numbers)
            numbers[index] = self._state_numbers.setdefault(row.tobytes(), known)
            if numbers[index] == known:
                fresh.append(index)
        if fresh:
            self._rows.append(distinct[fresh])
        return numbers[inverse]

    def _canonical(self, state: Numbers, did: NDArray[np.bool_],
                   known: Numbers) -> tuple[NDArray[np.intp], Numbers, list[int]]:
        """An order in which alike clusters look alike, what roles know numbered inside each, where each starts."""
        cluster = connected(known)
        colour = _mixed(state.astype(np.uint64))
        for number in range(did.shape[1]):
            colour = _mixed(2 * colour + did[:, number].astype(np.uint64))
        if known.shape[1] > 1:
            # What a point looks like to somebody who sees which points each role confuses it with.
            for _ in range(2):
                before = colour
                for column in range(known.shape[1]):
                    sums = np.zeros(int(known[:, column].max()) + 1, dtype=np.uint64)
                    np.add.at(sums, known[:, column], before)
                    colour = _mixed(3 * colour + _mixed(sums[known[:, column]]))
        order = np.lexsort((colour, cluster))
        bounds = [0, *(np.flatnonzero(np.diff(cluster[order])) + 1).tolist()] if len(order) else []
        starts = np.zeros(len(order), dtype=np.int64)
        starts[bounds] = bounds
        starts = np.maximum.accumulate(starts)
        labels = np.zeros((len(order), known.shape[1]), dtype=np.int64)
        for column in range(known.shape[1]):
            of_role = known[order, column]
            _, first, inverse = np.unique(of_role, return_index=True, return_inverse=True)
            # The place in its cluster of the first point that the role confuses it with.
            labels[order, column] = first[inverse] - starts
        return order, labels, bounds


def connected(classes: Numbers) -> Numbers:
    """For every point the number of the first that a chain of roles' confusions leads to; its own without any."""
    labels = np.arange(len(classes))
    if classes.shape[1] == 0 or not len(classes):
        return labels
    columns = [np.unique(classes[:, column], return_inverse=True)[1] for column in range(classes.shape[1])]
    while True:
        before = labels
        for column in columns:
            least = np.full(int(column.max()) + 1, len(labels), dtype=np.int64)
            np.minimum.at(least, column, labels)
            labels = least[column]
        if (labels == before).all():
            return labels


def ranked(keys: Numbers) -> tuple[NDArray[np.intp], Numbers]:
    """The first of every different row, and for every row the number of its kind."""
    if keys.shape[1] == 0:
        return np.arange(min(1, len(keys))), np.zeros(len(keys), dtype=np.int64)
    order = np.lexsort(keys.T[::-1])
    ordered = keys[order]
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[order] = np.cumsum(is_first) - 1
    return order[is_first], numbers


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers as random as a hash makes them; two alike would only keep clusters apart that could be one."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
