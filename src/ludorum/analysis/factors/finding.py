"""Taking a game apart: which fluents have to do with each other, and which moves with which of them.

Fluents that change by themselves are the clock of a game: step counters, whose turn it is. Of the others, two belong
together if one has a say in what becomes of the other, or if a move's being legal depends on both of them at some time.
What is left apart are several games, if at every time of the clock their moves are independent, too: a move then is a
move in each of them, or a move in one of them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from ludorum.analysis.factors.cofactors import Cofactors, Support
from ludorum.analysis.factors.factors import Combination, Factor, Factors, Option, Phase
from ludorum.circuit import Circuit
from ludorum.circuit.circuit import FALSE, Literal
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.game import Game

#: Why a game was not taken apart where the budget was too small to know better.
NOT_IN_TIME = "not found within the budget"

#: The work for factors unless another budget is told.
WORK = 10.0
# The work of looking at a circuit, for every input of its gates.
_AN_INPUT = 5e-6
# A clock that shows more different times than this is not looked at.
_MOST_TIMES = 400


class _Entangled(Exception):
    """The game is one game; the message says why."""


@dataclass(frozen=True)
class Decomposition:
    """A game taken apart, with all that is needed to play the parts."""

    factors: Factors
    cofactors: Cofactors
    #: The states of the clock in the order in which they come up, as sets of fluents, and where it goes on after the
    #: last of them.
    times: tuple[frozenset[int], ...]
    back_to: int
    #: What can be done at each of these times.
    phases: tuple[Phase, ...]

    @property
    def circuit(self) -> Circuit:
        return self.cofactors.circuit


def find_factors(game: Game, budget: Budget | None = None) -> Factors:
    """The parts of a game, as far as they are found with a budget."""
    found = decompose(game, budget)
    return found if isinstance(found, Factors) else found.factors


def decompose(game: Game, budget: Budget | None = None) -> Decomposition | Factors:
    """A game taken apart, or the reason why it cannot be."""
    start = time.monotonic()
    budget = budget or Budget(WORK)
    if game.engine != "circuit":
        return _one_game(Circuit((), (), (), (), (), (), (), (), 0, (), ()), f"it has no circuit: {game.why}", start,
                         is_settled=False)
    circuit = game.circuit
    if budget.remaining < _AN_INPUT * circuit.inputs:
        return _one_game(circuit, NOT_IN_TIME, start, is_settled=False)
    try:
        budget.spend(_AN_INPUT * circuit.inputs)
        return _Search(circuit, budget, start).decomposition()
    except _Entangled as reason:
        return _one_game(circuit, str(reason), start)
    except BudgetExceeded:
        return _one_game(circuit, NOT_IN_TIME, start, is_settled=False)


def _one_game(circuit: Circuit, why: str, start: float, *, is_settled: bool = True) -> Factors:
    return Factors(circuit.fluents, circuit.moves, circuit.roles, (), (), None, "all", ("all",) * len(circuit.roles),
                   why, time.monotonic() - start, is_settled)


class _Search:
    def __init__(self, circuit: Circuit, budget: Budget, start: float) -> None:
        self._circuit = circuit
        self._budget = budget
        self._start = start
        self._fluents: Support = ((1 << len(circuit.fluents)) - 1) << 1
        self._moves: Support = ((1 << circuit.first_gate) - 1) & ~self._fluents & ~1
        self._cofactors = Cofactors(circuit)
        self._looked_at = 0
        starts = [circuit.first_move]
        for moves in circuit.moves:
            starts.append(starts[-1] + len(moves))
        self._move_starts = starts

    def decomposition(self) -> Decomposition:
        circuit = self._circuit
        plain = self._cofactors.plain
        if any(self._support(plain[loop.wire]) & self._moves for loop in circuit.loops):
            raise _Entangled("its rules are recursive in the moves")
        following = [self._support(self._literal(plain, literal)) for literal in circuit.next]
        clock = self._autonomous(following)
        groups = [group for group in self._groups(following, clock) if self._matters(group)]
        if len(groups) < 2:
            raise _Entangled("everything has to do with everything else" if groups else "nothing depends on the moves")
        times, back_to = self._times(clock)
        at_times = [self._known(held, clock) for held in times]
        # Most times differ in nothing but what the clock shows.
        alike = [self._shown(values, clock) for values in at_times]
        distinct = dict(zip(alike, at_times, strict=True))
        groups = self._with_legality(groups, distinct.values())
        parts, phases = self._parts(groups, distinct)
        several = {phase.combination for phase in phases.values()}
        combination: Combination = "choice" if "choice" in several else "product"
        every = tuple(phases[shown] for shown in alike)
        factors = Factors(
            circuit.fluents, circuit.moves, circuit.roles,
            tuple(self._factor(part, number, every) for number, part in enumerate(parts)),
            tuple(self._numbers(clock)), combination, self._together(circuit.terminal, parts),
            tuple(self._together(max(goals)[1], parts) if goals else "all" for goals in circuit.goals),
            "", time.monotonic() - self._start)
        return Decomposition(factors, self._cofactors, times, back_to, every)

    def _parts(self, groups: list[Support], distinct: Mapping[_Shown, Sequence[Literal]]
               ) -> tuple[list[Support], dict[_Shown, Phase]]:
        """The parts that are played at once; if there is only one, those of which a role plays one at a time."""
        deeds = {shown: [self._deeds(values, role) for role in range(len(self._circuit.roles))]
                 for shown, values in distinct.items()}
        effects = [self._effects(groups, of_role) for roles in deeds.values() for of_role in roles]
        parts = _sorted(self._with_moves(groups, effects))
        if len(parts) < 2 and len(self._circuit.roles) == 1:
            parts = _sorted(self._with_goals(groups))
        if len(parts) < 2:
            raise _Entangled("its moves cannot be told apart by what they are about")
        return parts, {shown: self._phase(parts, roles) for shown, roles in deeds.items()}

    # ---- what belongs together ----

    def _autonomous(self, following: Sequence[Support]) -> Support:
        """The fluents that change by themselves, whatever is done."""
        clock = self._fluents
        while True:
            smaller = clock
            for fluent, support in enumerate(following):
                if support & (self._moves | (self._fluents & ~clock)):
                    smaller &= ~(2 << fluent)
            if smaller == clock:
                return clock
            clock = smaller

    def _groups(self, following: Sequence[Support], clock: Support) -> list[Support]:
        """The fluents that have a say in each other's future."""
        groups: list[Support] = []
        for fluent, support in enumerate(following):
            if not clock >> (fluent + 1) & 1:
                groups = _merged(groups, (support & self._fluents & ~clock) | 2 << fluent)
        return groups

    def _with_legality(self, groups: list[Support], at_times: Iterable[Sequence[Literal]]) -> list[Support]:
        """Groups merged where a condition of a legal move, at some time, is about several of them."""
        for values in at_times:
            self._check_budget()
            for of_role in self._circuit.legal:
                for legal in of_role:
                    for condition in self._cofactors.conjuncts(self._literal(values, legal)):
                        support = self._support(condition) & _union(groups)
                        if sum(bool(group & support) for group in groups) > 1:
                            groups = _merged(groups, support)
        return groups

    def _with_moves(self, groups: list[Support], effects: Iterable[Sequence[_Effects]]) -> list[Support]:
        """Groups merged where what a move does to one says something about what it does to another."""
        merged = list(groups)
        for of_role in effects:
            kinds = [len({effect.keys[number] for effect in of_role}) for number in range(len(groups))]
            for (one, first), (other, second) in combinations(enumerate(groups), 2):
                if min(kinds[one], kinds[other]) < 2 or _is_within(first | second, merged):
                    continue
                self._check_budget()
                pairs = {(effect.keys[one], effect.keys[other]) for effect in of_role}
                if len(pairs) < kinds[one] * kinds[other]:
                    merged = _merged(merged, first | second)
        return merged

    def _with_goals(self, groups: list[Support]) -> list[Support]:
        """Groups merged where one condition of the highest goal, or of the end, is about several of them."""
        for asked in [self._circuit.terminal, *(max(goals)[1] for goals in self._circuit.goals if goals)]:
            value = self._literal(self._cofactors.plain, asked)
            conditions = self._cofactors.conjuncts(value)
            for condition in conditions if len(conditions) > 1 else self._cofactors.conjuncts(value ^ 1):
                support = self._support(condition) & _union(groups)
                if support:
                    groups = _merged(groups, support)
        return groups

    def _matters(self, group: Support) -> bool:
        """Whether anything that is asked about the game depends on a group."""
        plain = self._cofactors.plain
        circuit = self._circuit
        asked = [circuit.terminal, *(literal for goals in circuit.goals for _, literal in goals),
                 *(literal for of_role in circuit.legal for literal in of_role)]
        return any(self._support(self._literal(plain, literal)) & group for literal in asked)

    # ---- the clock ----

    def _times(self, clock: Support) -> tuple[tuple[frozenset[int], ...], int]:
        """The states of the clock from the initial one on, and the one that follows the last."""
        numbers = list(self._numbers(clock))
        held = frozenset(number for number in self._circuit.initial if clock >> (number + 1) & 1)
        times: dict[frozenset[int], int] = {}
        while held not in times:
            self._check_budget()
            if len(times) == _MOST_TIMES:
                raise _Entangled("its clock shows too many different times")
            times[held] = len(times)
            values = self._known(held, clock)
            held = frozenset(number for number in numbers
                             if self._literal(values, self._circuit.next[number]) != FALSE)
        return tuple(times), times[held]

    def _known(self, held: frozenset[int], clock: Support) -> list[Literal]:
        return self._cofactors.under({1 + number: number in held for number in self._numbers(clock)})

    # ---- the moves ----

    def _shown(self, values: Sequence[Literal], clock: Support) -> _Shown:
        """All that matters of a time: what is legal then, and what becomes of the other fluents."""
        legal = [self._literal(values, literal) for of_role in self._circuit.legal for literal in of_role]
        becomes = [self._literal(values, literal) for fluent, literal in enumerate(self._circuit.next)
                   if not clock >> (fluent + 1) & 1]
        return tuple(legal + becomes)

    def _phase(self, parts: Sequence[Support], deeds: Sequence[Sequence[_Deed]]) -> Phase:
        """What every role can do in every part at one time."""
        found = [_combined(self._effects(parts, of_role), len(parts)) for of_role in deeds]
        is_choice = any(combination == "choice" for combination, _ in found)
        return Phase(tuple(options for _, options in found), "choice" if is_choice else "product")

    def _deeds(self, values: Sequence[Literal], role: int) -> list[_Deed]:
        """The moves that a role may make at one time, and what becomes of fluents by each of them."""
        circuit = self._circuit
        first = self._move_starts[role]
        wires = range(first, self._move_starts[role + 1])
        # A fluent that no move has a say in, or not this one, becomes what it becomes if none is made.
        none = self._cofactors.under(dict.fromkeys(wires, False), values)
        readers: list[list[int]] = [[] for _ in wires]
        for number, literal in enumerate(circuit.next):
            support = self._support(self._literal(self._cofactors.plain, literal)) >> first
            for move in self._numbers((support & ((1 << len(wires)) - 1)) << 1):
                readers[move].append(number)
        found = []
        for move, legal in enumerate(circuit.legal[role]):
            self._check_budget()
            if self._literal(values, legal) == FALSE:
                continue
            made = self._cofactors.under({first + move: True}, none)
            becomes = [(number, self._literal(made, circuit.next[number])) for number in readers[move]]
            found.append(_Deed(
                move, tuple(change for change in becomes if change[1] != self._literal(none, circuit.next[change[0]])),
                tuple(self._cofactors.conjuncts(self._literal(values, legal)))))
        return found

    def _effects(self, parts: Sequence[Support], deeds: Sequence[_Deed]) -> list[_Effects]:
        """What is done to each of the parts."""
        self._check_budget()
        part_of = {number: place for place, part in enumerate(parts) for number in self._numbers(part)}
        parts_of = {literal: [place for place, part in enumerate(parts) if self._support(literal) & part]
                    for literal in {literal for deed in deeds for literal in deed.conditions}}
        found = []
        for deed in deeds:
            changes: list[list[tuple[int, Literal]]] = [[] for _ in parts]
            conditions: list[list[Literal]] = [[] for _ in parts]
            for change in deed.changes:
                if change[0] in part_of:
                    changes[part_of[change[0]]].append(change)
            for literal in deed.conditions:
                for place in parts_of[literal]:
                    conditions[place].append(literal)
            found.append(_Effects(deed.move, tuple(zip(map(tuple, changes), map(tuple, conditions), strict=True))))
        return found

    def _factor(self, part: Support, number: int, phases: Sequence[Phase]) -> Factor:
        moves = []
        for role in range(len(self._circuit.roles)):
            found: set[int] = set()
            for phase in phases:
                options = phase.options[role][number]
                # A move matters if something else could be done to the part instead; of a choice, idling does not.
                if len(options) > 1:
                    idle = max(options, key=lambda option: len(option.moves)) if phase.combination == "choice" else None
                    found.update(*(option.moves for option in options if option is not idle))
            moves.append(tuple(sorted(found)))
        return Factor(tuple(self._numbers(part)), tuple(moves))

    # ---- the end ----

    def _together(self, literal: Literal, parts: Sequence[Support]) -> str:
        """Whether something needs all parts, any of them, or is not as plain as that."""
        value = self._literal(self._cofactors.plain, literal)
        if self._is_separate(self._cofactors.conjuncts(value), parts):
            return "all"
        return "any" if self._is_separate(self._cofactors.conjuncts(value ^ 1), parts) else "mixed"

    def _is_separate(self, literals: Iterable[Literal], parts: Sequence[Support]) -> bool:
        return all(sum(bool(self._support(literal) & part) for part in parts) < 2 for literal in literals)

    # ---- literals ----

    def _literal(self, values: Sequence[Literal], literal: Literal) -> Literal:
        return values[literal >> 1] ^ (literal & 1)

    def _support(self, literal: Literal) -> Support:
        return self._cofactors.support(literal)

    def _numbers(self, fluents: Support) -> Iterator[int]:
        fluents >>= 1
        number = 0
        while fluents:
            if fluents & 1:
                yield number
            fluents >>= 1
            number += 1

    def _check_budget(self) -> None:
        looked_at, self._looked_at = self._looked_at, self._cofactors.looked_at
        self._budget.spend(_AN_INPUT * (1 + self._looked_at - looked_at))
        if self._budget.passed:
            raise BudgetExceeded("the budget is used up")


_Shown = tuple[Literal, ...]
#: What becomes of fluents by a move, where it is not the same as if none were made.
_Changes = tuple[tuple[int, Literal], ...]
#: What becomes of a part, and what has to hold there.
_Key = tuple[_Changes, tuple[Literal, ...]]


@dataclass(frozen=True)
class _Deed:
    move: int
    changes: _Changes
    conditions: tuple[Literal, ...]


@dataclass(frozen=True)
class _Effects:
    move: int
    keys: tuple[_Key, ...]


def _combined(effects: Sequence[_Effects], parts: int) -> tuple[Combination, tuple[tuple[Option, ...], ...]]:
    """How moves are made of options of the parts; raises _Entangled if they are not independent."""
    every = {effect.keys for effect in effects}
    by_part = [Counter(effect.keys[part] for effect in effects) for part in range(parts)]
    is_product = len(every) == prod(map(len, by_part))
    if not is_product:
        # In all parts but one nothing is done, and that is always legal there.
        idle = [max(keys, key=lambda key: (keys[key], not key[1])) for keys in by_part]
        if any(key[1] for key in idle) or any(
                sum(key != nothing for key, nothing in zip(keys, idle, strict=True)) > 1 for keys in every):
            raise _Entangled("its moves cannot be told apart by what they are about")
    options = tuple(
        tuple(Option(min(moves), frozenset(moves), key[1])
              for key in by_part[part]
              if (moves := [effect.move for effect in effects if effect.keys[part] == key]))
        for part in range(parts))
    return "product" if is_product else "choice", options


def _sorted(groups: Iterable[Support]) -> list[Support]:
    """Groups in the order of their first fluents."""
    return sorted(groups, key=lambda group: group & -group)


def _is_within(group: Support, groups: Iterable[Support]) -> bool:
    return any(group & other == group for other in groups)


def _merged(groups: Iterable[Support], group: Support) -> list[Support]:
    """Groups where all that share something with one group are one with it."""
    apart = [other for other in groups if not other & group]
    return [*apart, group | _union(other for other in groups if other & group)]


def _union(groups: Iterable[Support]) -> Support:
    union = 0
    for group in groups:
        union |= group
    return union
