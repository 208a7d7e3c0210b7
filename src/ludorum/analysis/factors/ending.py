"""How the parts of a game make its end and its goals, where each can be played for its own sake.

So it is if, whatever the others have come to, a better end of a part is better in the whole: where goals are sums of
what the parts bring, or need all parts or any. Then a part can be played as if the others were in a certain state all
the time, one under which all its ends are told apart: where they are over, if the game is over with its last part; or
under way, if it is over with its first; and for a role that needs any part, where it has lost them. In a game that is
over with its first part a part that is played for its own sake
does not know that another may end the game, so that haste is not rewarded. A part that is over while the game goes on
has to stay as it is.

All of it is checked on states that random play finds, put together anew. What no such state speaks against is believed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.factors.finding import Decomposition
from ludorum.analysis.factors.formulas import Truths, evaluate, interface
from ludorum.analysis.samples import Samples
from ludorum.circuit.circuit import Literal, Wire
from ludorum.errors import NotSeparable

# Different things that a part says of which no more are looked at, and combinations of them.
_MOST_SAID, _COMBINATIONS = 400, 20_000
# States of the others that are tried for a part.
_MOST_CONTEXTS = 64

_Goals = NDArray[np.int16]
#: What every part says, and last the clock.
_Context = Sequence[Truths]


#: What wires about other parts are taken to say.
Frozen = Mapping[Wire, bool]


@dataclass(frozen=True)
class Ending:
    """For every part what the others are taken to say: about its end, and about each role's goals."""

    ends: tuple[Frozen, ...]
    goals: tuple[tuple[Frozen, ...], ...]
    #: Where goals are sums of what the parts bring: for every role what is to be added to its goals in the parts.
    offsets: tuple[int, ...] | None


def find_ending(decomposition: Decomposition, samples: Samples) -> Ending:
    """What the others are to have come to while a part is played; raises NotSeparable."""
    return _Search(decomposition, samples).ending()


@dataclass(frozen=True)
class _View:
    """What the others are taken to say about the end of a part, and about the goals of each role."""

    end: _Context
    goals: Sequence[_Context]


class _Search:
    def __init__(self, decomposition: Decomposition, samples: Samples) -> None:
        self._cofactors = decomposition.cofactors
        self._parts = len(decomposition.factors.factors)
        self._samples = samples
        circuit = decomposition.circuit
        self._terminal = self._plain(circuit.terminal)
        self._goals = [[(value, self._plain(of)) for value, of in goals] for goals in circuit.goals]
        self._roots = [self._terminal, *(of for goals in self._goals for _, of in goals)]
        supports = [sum(2 << number for number in factor.fluents) for factor in decomposition.factors.factors]
        *self._faces, self._of_clock = interface(self._cofactors, self._roots, supports)
        self._random = np.random.default_rng(0)

    def ending(self) -> Ending:
        if not self._samples.terminal.any():
            raise NotSeparable("random play comes to no end")
        views = [self._view(part) for part in range(self._parts)]
        self._check_end(views)
        return Ending(tuple(self._frozen(part, view.end) for part, view in enumerate(views)),
                      tuple(tuple(self._frozen(part, context) for context in view.goals)
                            for part, view in enumerate(views)),
                      self._offsets(views) if self._is_sum() else None)

    def _frozen(self, part: int, context: _Context) -> Frozen:
        return {wire: bool(truth) for other, face in enumerate(self._faces) if other != part
                for wire, truth in zip(face, context[other], strict=True)}

    # ---- what parts say ----

    @cached_property
    def _said(self) -> list[Truths]:
        """For every part what it says in every state, a row each; last the clock."""
        bits = self._samples.bits.astype(bool)
        given = {1 + number: bits[:, number] for number in range(bits.shape[1])}
        return [evaluate(self._cofactors, [2 * wire for wire in face], given, len(bits)).T
                for face in (*self._faces, self._of_clock)]

    @cached_property
    def _at_the_end(self) -> list[Truths]:
        """The different things that each part, and last the clock, says in states where the game is over."""
        return [self._different(said[self._samples.terminal]) for said in self._said]

    def _different(self, said: Truths) -> Truths:
        """The different rows, or as many of them as are looked at."""
        some: Truths = said[self._random.permutation(_first_of_each(said))[:_MOST_SAID]]
        return some

    def _values(self, says: Sequence[Truths]) -> tuple[Truths, _Goals]:
        """Whether the game is over, and every role's goal: a row for each combination of what the parts say."""
        size = len(says[0])
        given = {wire: said[:, place] for face, said in zip((*self._faces, self._of_clock), says, strict=True)
                 for place, wire in enumerate(face)}
        truths = evaluate(self._cofactors, self._roots, given, size)
        goals = np.zeros((size, len(self._goals)), dtype=np.int16)
        first = 1
        for role, values in enumerate(self._goals):
            held = truths[first : first + len(values)]
            first += len(values)
            # As a search counts: of several the lowest, and 0 for none.
            for place, (value, _) in sorted(enumerate(values), key=lambda item: -item[1][0]):
                goals[held[place], role] = value
        return truths[0], goals

    def _drawn(self, among: Sequence[Truths]) -> list[Truths]:
        return [said[self._random.integers(len(said), size=_COMBINATIONS)] for said in among]

    # ---- what the others are taken to say ----

    def _view(self, part: int) -> _View:
        """What the others are taken to say, such that a part has ends, and these are told apart as in the whole."""
        own = self._different(self._said[part])
        contexts = self._contexts(part)
        ends = {number: self._with(part, own, context)[0] for number, context in contexts.items()}
        # As many ends as possible: where the others are over, or under way if that would end the game.
        for end in sorted(_one_of_each(ends), key=lambda context: -int(ends[context].sum())):
            if self._is_end(part, ends[end], contexts[end]):
                view = self._told_apart(part, own[ends[end]], contexts[end], contexts)
                if view is not None:
                    return view
        raise NotSeparable("what a part is worth depends on what the others come to")

    def _contexts(self, part: int) -> dict[int, _Context]:
        """What all parts say in some states, different in what the others say, by the numbers of the states."""
        others = np.concatenate([said for other, said in enumerate(self._said[:-1]) if other != part], axis=1)
        # In some of them the game is over, in others it goes on.
        tried = np.concatenate([self._random.permutation(np.flatnonzero(some))[:_MOST_CONTEXTS]
                                for some in (self._samples.terminal, ~self._samples.terminal)])
        return {int(number): [said[number] for said in self._said] for number in tried[_first_of_each(others[tried])]}

    def _is_end(self, part: int, ends: Truths, context: _Context) -> bool:
        """Whether a part comes to an end later than at the start, and then is over for good while the game goes on."""
        over = self._alone(part, self._said, context)[0]
        before, after = self._samples.parents[1:], np.arange(1, len(self._samples))
        return bool(ends.any() and not over[0] and not (over[before] & ~over[after]).any())

    def _told_apart(self, part: int, ends: Truths, end: _Context, contexts: Mapping[int, _Context]) -> _View | None:
        """The view under which the ends of a part are told apart for every role as in the whole, if there is one."""
        goals = {context: self._with(part, ends, says)[1] for context, says in contexts.items()}
        found, told = [], 0
        for role in range(len(self._goals)):
            brought = {context: values[:, role] for context, values in goals.items()}
            levels = {context: len(np.unique(brought[context])) for context in _one_of_each(brought)}
            for context in sorted(levels, key=lambda context: -levels[context]):
                if self._is_in_order(part, role, end, contexts[context]):
                    found.append(contexts[context])
                    told += levels[context]
                    break
            else:
                return None
        return _View(end, found) if told > len(self._goals) else None

    def _is_in_order(self, part: int, role: int, end: _Context, context: _Context) -> bool:
        """Whether a better end of a part is better in the whole for a role, whatever the others have come to."""
        one = self._drawn(self._at_the_end)
        other = [self._drawn(self._at_the_end)[place] if place == part else said for place, said in enumerate(one)]
        whole, alone, compared = [], [], np.ones(_COMBINATIONS, dtype=bool)
        for says in (one, other):
            is_over, goals = self._values(says)
            whole.append(goals[:, role])
            alone.append(self._alone(part, says, context)[1][:, role])
            compared &= is_over & self._alone(part, says, end)[0]
        better, better_alone = np.sign(whole[0] - whole[1])[compared], np.sign(alone[0] - alone[1])[compared]
        if ((better != better_alone) & (better != 0)).any():
            return False
        # And what it brings is the same for good.
        over, goals = self._alone(part, self._said, end)[0], self._alone(part, self._said, context)[1][:, role]
        before, after = self._samples.parents[1:], np.arange(1, len(self._samples))
        return not (over[before] & (goals[before] != goals[after])).any()

    def _check_end(self, views: Sequence[_View]) -> None:
        """Whether the game is over exactly where all parts are, or exactly where any is."""
        drawn = self._drawn([self._different(said) for said in self._said])
        ends = [self._alone(part, drawn, view.end)[0] for part, view in enumerate(views)]
        whole = self._values(drawn)[0]
        if all((combine.reduce(ends) != whole).any() for combine in (np.logical_and, np.logical_or)):
            raise NotSeparable("it is over neither with its first part nor with its last")

    def _is_sum(self) -> bool:
        """Whether exchanging a part adds the same to the goals whatever the others have come to."""
        for part in range(self._parts):
            drawn = [self._drawn(self._at_the_end) for _ in range(2)]
            mixed = [[of[place] if place == part else drawn[others][place] for place in range(self._parts + 1)]
                     for others in (0, 1) for of in drawn]
            found = [self._values(says) for says in mixed]
            every = np.logical_and.reduce([over for over, _ in found])
            (one, other), (same, changed) = ([found[first][1][every], found[first + 1][1][every]] for first in (0, 2))
            if ((one - other) != (same - changed)).any():
                return False
        return True

    def _offsets(self, views: Sequence[_View]) -> tuple[int, ...]:
        end = [said[self._samples.terminal][:1] for said in self._said]
        whole = self._values(end)[1][0]
        return tuple(int(whole[role]) - sum(int(self._alone(part, end, view.goals[role])[1][0, role])
                                            for part, view in enumerate(views)) for role in range(len(self._goals)))

    def _alone(self, part: int, says: Sequence[Truths], context: _Context) -> tuple[Truths, _Goals]:
        """The end and the goals as a part sees them that takes the others to say something else than they do."""
        size = len(says[0])
        return self._values([says[place] if place in (part, self._parts) else np.repeat(said[None, :], size, axis=0)
                             for place, said in enumerate(context)])

    def _with(self, part: int, own: Truths, context: _Context) -> tuple[Truths, _Goals]:
        """Likewise for what a part may say, at the time of a context."""
        return self._values([own if place == part else np.repeat(said[None, :], len(own), axis=0)
                             for place, said in enumerate(context)])

    def _plain(self, literal: Literal) -> Literal:
        return self._cofactors.plain[literal >> 1] ^ (literal & 1)


def _first_of_each(rows: Truths) -> NDArray[np.int64]:
    """Where each of the different rows is first."""
    if not rows.shape[1]:
        return np.zeros(1, dtype=np.int64)
    packed = np.ascontiguousarray(np.packbits(rows, axis=1))
    return np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_index=True)[1]


def _one_of_each(rows: Mapping[int, NDArray[Any]]) -> list[int]:
    """Keys of the different rows."""
    return list({row.tobytes(): key for key, row in rows.items()}.values())
