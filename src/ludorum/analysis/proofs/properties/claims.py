"""Properties of states as formulas: what has to hold in every state that can be reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.encoding.property_circuit import FALSE, TRUE, Literal, PropertyCircuit
from ludorum.analysis.proofs.properties.arguments import Mode
from ludorum.analysis.samples import Samples
from ludorum.gdl.words import RANDOM


@dataclass(frozen=True, slots=True)
class Claim:
    """A property that is the conjunction of formulas, and a sample that refutes it if there is one."""

    property: str
    says: str
    formulas: tuple[Literal, ...]
    refuted_by: int | None = None


class Claims:
    """Makes the claims about one game."""

    def __init__(self, model: PropertyCircuit, samples: Samples) -> None:
        self.model = model
        self.samples = samples
        #: The groups of all modes that `of_groups` was asked for, of which random play suggests that one always holds.
        self.one_hot_groups: list[tuple[int, ...]] = []
        #: The roles that are to have goals: chance need not.
        self.goal_roles = [role for role, (name, goals) in enumerate(
            zip(model.circuit.roles, model.circuit.goals, strict=True)) if goals or str(name) != RANDOM]

    def claim(self, name: str, says: str, formulas: Sequence[Literal]) -> Claim:
        """A claim, checked on the samples."""
        formulas = [formula for formula in formulas if formula != TRUE]
        if not formulas:
            return Claim(name, says, ())
        holds = self.model.truth(formulas, self.samples.rows).all(axis=1)
        return Claim(name, says, tuple(formulas), None if holds.all() else int(np.argmin(holds)))

    # ---- arguments of fluents ----

    def of_mode(self, mode: Mode) -> Iterator[Claim]:
        """That the inputs determine the outputs; and that, moreover, there are outputs for all of them."""
        model = self.model
        groups = mode.groups(model.circuit.fluents)
        if not groups:
            return
        counts = count(self.samples, groups)
        where = f"for all values of the arguments + of {mode}, " if mode.inputs else f"of all {mode}, "
        at_most = () if counts.several is not None else tuple(map(self._at_most_one, groups))
        yield Claim(f"input {mode}", f"{where}at most one instance holds", at_most, counts.several)
        refuted = counts.several if counts.several is not None else counts.none
        some = () if refuted is not None else tuple(model.any_of(map(model.fluent, group)) for group in groups)
        yield Claim(f"one {mode}", f"{where}exactly one instance holds", (*at_most, *some), refuted)

    def of_groups(self, mode: Mode) -> Iterator[Literal]:
        """The same for single values of the inputs, as far as random play suggests: it may hold for some of them."""
        groups = [group for group in mode.groups(self.model.circuit.fluents) if len(group) > 1]
        if groups:
            for group, at_most, at_least in zip(groups, *alone(self.samples, groups), strict=True):
                if at_most:
                    yield self._at_most_one(group)
                if at_least:
                    yield self.model.any_of(map(self.model.fluent, group))
                if at_most and at_least:
                    self.one_hot_groups.append(group)

    def _at_most_one(self, group: Sequence[int]) -> Literal:
        return self.model.at_most_one([self.model.fluent(number) for number in group])

    # ---- groups of fluents ----

    def exclusive(self, name: str, numbers: Sequence[int]) -> Claim:
        return self.claim(name, "at most one of these fluents holds", [self._at_most_one(numbers)])

    def one_hot(self, name: str, numbers: Sequence[int]) -> Claim:
        return self.claim(name, "exactly one of these fluents holds",
                          [self._at_most_one(numbers), self.model.any_of(map(self.model.fluent, numbers))])

    def never(self, number: int) -> Claim:
        fluent = self.model.circuit.fluents[number]
        return self._single(f"never {fluent}", f"{fluent} holds in no state", number, value=False)

    def always(self, number: int) -> Claim:
        fluent = self.model.circuit.fluents[number]
        return self._single(f"always {fluent}", f"{fluent} holds in every state", number, value=True)

    def _single(self, name: str, says: str, number: int, *, value: bool) -> Claim:
        """What the samples say of a fluent needs no circuit; there may be thousands of them."""
        wrong = np.flatnonzero(self.samples.bits[:, number] != value)
        return Claim(name, says, (self.model.fluent(number) ^ (not value),), int(wrong[0]) if len(wrong) else None)

    # ---- the game as a whole ----

    def turn_taking(self) -> Claim:
        return self._whole["turn_taking"]

    def playable(self) -> Claim:
        return self._whole["playable"]

    def one_goal(self) -> Claim:
        return self._whole["one_goal"]

    def constant_sum(self) -> Claim | None:
        """That all goals at the end add up to what they did in a sample; None if no sample is an end."""
        circuit = self.model.circuit
        total = self.sum_of_goals()
        if total is None:
            says = "whenever the game ends, the goals of all roles add up to the same"
            return Claim("constant_sum", says, (), int(self._ends.samples[0])) if len(self._ends.samples) else None
        sums: dict[int, Literal] = {0: TRUE}
        for goals in (circuit.goals[role] for role in self.goal_roles):
            terms: dict[int, list[Literal]] = {}
            for so_far, literal in sums.items():
                for value, goal in goals:
                    terms.setdefault(so_far + value, []).append(self.model.all_of([literal, goal]))
            sums = {value: self.model.any_of(literals) for value, literals in terms.items()}
        wrong = [literal for value, literal in sums.items() if value != total and literal != FALSE]
        formulas = [self.model.all_of([circuit.terminal, literal]) ^ 1 for literal in wrong]
        # Where a role has no goal, there is no sum.
        formulas += [self.model.implies(circuit.terminal, self.model.any_of(literal for _, literal in goals))
                     for goals in (circuit.goals[role] for role in self.goal_roles)]
        ends = self._ends
        others = np.flatnonzero((ends.lowest.sum(axis=1) != total) | (ends.highest.sum(axis=1) != total)
                                | ~ends.has_goal.all(axis=1))
        return Claim("constant_sum", f"whenever the game ends, the goals of all roles add up to {total}",
                     tuple(formula for formula in formulas if formula != TRUE),
                     int(ends.samples[others[0]]) if len(others) else None)

    def sum_of_goals(self) -> int | None:
        """The sum of goals in the first sample that has one."""
        complete = np.flatnonzero(self._ends.has_goal.all(axis=1))
        return int(self._ends.lowest[complete[0]].sum()) if len(complete) and len(self.model.circuit.goals) else None

    def wins(self, role: int) -> Literal:
        """That the game is over and the role's goal is 100: where others hold as well, it has none."""
        circuit = self.model.circuit
        others = (literal ^ 1 for value, literal in circuit.goals[role] if value != 100)
        return self.model.all_of([circuit.terminal, dict(circuit.goals[role]).get(100, FALSE), *others])

    def won(self, role: int) -> NDArray[np.intp]:
        """The samples where the role has won."""
        return self._ends.samples[self._ends.has_won[:, role]]

    @property
    def _whole(self) -> dict[str, Claim]:
        return self._looked[0]

    @property
    def _ends(self) -> _Ends:
        return self._looked[1]

    @cached_property
    def _looked(self) -> tuple[dict[str, Claim], _Ends]:
        """The claims about the whole game, and the goals of all samples that are ends.

        The core is asked once for all of them: it takes longer to be told the circuit than to look at the states.
        """
        model, circuit = self.model, self.model.circuit
        chooses = [model.at_most_one(legal) ^ 1 for legal in circuit.legal]
        values = [[literal for _, literal in goals] for goals in circuit.goals]
        claims = [
            Claim("turn_taking", "in no state where the game goes on does more than one role have a choice",
                  (model.any_of([circuit.terminal, model.at_most_one(chooses)]),)),
            Claim("playable", "in every state where the game goes on every role has a legal move",
                  tuple(model.any_of([circuit.terminal, *legal]) for legal in circuit.legal)),
            Claim("one_goal", "at the end of the game every role has exactly one goal value",
                  tuple(formula for of_role in (values[role] for role in self.goal_roles)
                        for formula in (model.implies(circuit.terminal, model.at_most_one(of_role)),
                                        model.implies(circuit.terminal, model.any_of(of_role)))))]
        claims = [replace(claim, formulas=tuple(formula for formula in claim.formulas if formula != TRUE))
                  for claim in claims]
        asked = [*(formula for claim in claims for formula in claim.formulas), *chain(*values)]
        truth = model.truth(asked, self.samples.rows)
        column = 0
        for number, claim in enumerate(claims):
            holds = truth[:, column : column + len(claim.formulas)].all(axis=1)
            claims[number] = replace(claim, refuted_by=None if holds.all() else int(np.argmin(holds)))
            column += len(claim.formulas)
        return {claim.property: claim for claim in claims}, self._goals(truth[:, column:])

    def _goals(self, truth: NDArray[np.bool_]) -> _Ends:
        """The goals of ends; `truth` tells of all goals of all roles, one after the other, where they hold."""
        ends = np.flatnonzero(self.samples.terminal)
        goals = self.model.circuit.goals
        lowest, highest = (np.zeros((len(ends), len(goals)), dtype=np.int64) for _ in range(2))
        has_goal, has_won = (np.zeros((len(ends), len(goals)), dtype=bool) for _ in range(2))
        has_goal[:, [role for role in range(len(goals)) if role not in self.goal_roles]] = True
        column = 0
        for role, of_role in enumerate(goals):
            held = truth[ends, column : column + len(of_role)]
            column += len(of_role)
            if of_role:
                values = np.array([value for value, _ in of_role])
                has_goal[:, role] = held.any(axis=1)
                lowest[:, role] = np.where(held, values, values.max()).min(axis=1)
                highest[:, role] = np.where(held, values, values.min()).max(axis=1)
                has_won[:, role] = held[:, values == 100].any(axis=1) & (held.sum(axis=1) == 1)
        return _Ends(ends, lowest, highest, has_goal, has_won)


@dataclass(frozen=True, slots=True)
class _Ends:
    """Samples that are ends, with every role's lowest and highest goal, whether it has any, and whether only 100."""

    samples: NDArray[np.intp]
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    has_goal: NDArray[np.bool_]
    has_won: NDArray[np.bool_]


_FIRST_BLOCK, _BLOCK = 16, 4096


@dataclass(frozen=True, slots=True)
class Counts:
    """Of some groups the samples, if there are any, where several or none of a group hold."""

    several: int | None
    none: int | None


def count(samples: Samples, groups: Sequence[Sequence[int]]) -> Counts:
    """The first samples where more than one, or none, of a group of fluents hold."""
    found = _found(samples, groups)
    crowded = [group for group, is_crowded in zip(groups, found.several, strict=True) if is_crowded]
    everywhere = np.bitwise_and.reduce(found.held, axis=0)
    return Counts(_first_crowded(samples, crowded) if crowded else None, _first_clear(everywhere, len(samples)))


def alone(samples: Samples, groups: Sequence[Sequence[int]]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For every group whether at most one, and whether at least one, of its fluents held in all samples."""
    found = _found(samples, groups)
    return ~found.several, np.bitwise_count(found.held).sum(axis=1, dtype=np.intp) == len(samples)


@dataclass(frozen=True, slots=True)
class _Found:
    """For every group a bit a sample, whether any of it holds there; and whether several do in any sample."""

    held: NDArray[np.uint64]
    several: NDArray[np.bool_]


def _found(samples: Samples, groups: Sequence[Sequence[int]]) -> _Found:
    starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
    columns = samples.columns[np.fromiter((number for group in groups for number in group), dtype=np.intp)]
    held = np.bitwise_or.reduceat(columns, starts, axis=0)
    # Where no two hold at once, and only there, the union has as many bits as its parts together.
    parts = np.add.reduceat(np.bitwise_count(columns).sum(axis=1, dtype=np.intp), starts)
    return _Found(held, parts > np.bitwise_count(held).sum(axis=1, dtype=np.intp))


def _first_crowded(samples: Samples, groups: Sequence[Sequence[int]]) -> int | None:
    order = np.fromiter((number for group in groups for number in group), dtype=np.intp)
    starts = np.cumsum([0, *(len(group) for group in groups[:-1])])
    # Small blocks first: most of what is wrong is wrong at once.
    start, size = 0, _FIRST_BLOCK
    while start < len(samples):
        held = np.add.reduceat(samples.bits[start : start + size, order], starts, axis=1, dtype=np.uint16)
        if (held > 1).any():
            return start + int(np.argmax((held > 1).any(axis=1)))
        start, size = start + size, min(4 * size, _BLOCK)
    return None


def _first_clear(words: NDArray[np.uint64], count: int) -> int | None:
    """The first of so many bits that is not set."""
    clear = np.unpackbits(words.view(np.uint8), bitorder="little", count=count) == 0
    return int(np.argmax(clear)) if clear.any() else None


@dataclass(frozen=True, slots=True)
class Changes:
    """For every fluent the first sample that it began, or ceased, to hold in; −1 where there is none."""

    rises: NDArray[np.intp]
    falls: NDArray[np.intp]


def changes(samples: Samples) -> Changes:
    bits = samples.bits
    rises, falls = (np.full(bits.shape[1], -1, dtype=np.intp) for _ in range(2))
    for start in range(0, len(samples), _BLOCK):
        parents = samples.parents[start : start + _BLOCK]
        now = bits[start : start + _BLOCK][parents >= 0]
        before = bits[parents[parents >= 0]]
        indices = start + np.flatnonzero(parents >= 0)
        if len(indices):
            for found, happened in ((rises, now > before), (falls, now < before)):
                new = (found < 0) & happened.any(axis=0)
                found[new] = indices[np.argmax(happened[:, new], axis=0)]
    return Changes(rises, falls)
