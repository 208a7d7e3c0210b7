"""What the rules derive, as polynomials: the rules of an atom are added, and the conditions of a rule multiplied.

To reflect a board on which discs are added up row by row is to add them up in another order. That makes another
formula, but the same polynomial: what is written in another order, in other groups or factored in another way has the
same products of inputs. If two polynomials are equal, their atoms are true in the same states: an atom is true if all
inputs of one of its products are. A negated input is an input of its own; the negation of what is derived is one, too,
which belongs to the polynomial that is negated.

Polynomials are not written out, but evaluated modulo a prime at a random point. Different ones of a degree up to
`_MOST_DEGREE` are equal there with a probability of less than 2^-222 (Schwartz and Zippel); a product that would have a
higher degree is an input of its own, which belongs to the set of its factors.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import accumulate, repeat

from ludorum.analysis.symmetry.strata import Strata
from ludorum.analysis.symmetry.symmetry import Symmetry
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded

PRIME = 2**255 - 19
_MOST_DEGREE = 2**32
# Steps of recursive rules that are unrolled, at most: atoms that need each other times the conditions of their rules.
_MOST_UNROLLED = 2_000_000
# How many atoms are worked on between two looks at the clock.
_TICK = 1 << 10
# The work of a part of a polynomial.
_A_PART = 3e-6

_INPUT, _SUM, _PRODUCT, _NOT, _NAMED = range(5)
_FALSE, _TRUE = 0, 1


@dataclass(frozen=True, slots=True)
class Answers:
    """The polynomials that answer what can be asked of a game, by their numbers."""

    next: tuple[int, ...]
    legal: tuple[tuple[int, ...], ...]
    goals: tuple[dict[int, int], ...]
    percepts: tuple[tuple[int, ...], ...]
    terminal: int


class Polynomials:
    """Those of a ground program. Raises BudgetExceeded."""

    def __init__(self, strata: Strata, budget: Budget | None = None) -> None:
        program = strata.program
        self._budget = budget or Budget()
        self.fluents = len(program.fluents)
        self.moves = tuple(map(len, program.moves))
        self._kinds = [_SUM, _PRODUCT]
        self._parts: list[tuple[int, ...]] = [(), ()]
        self._degrees = [0, 0]
        self._values = [0, 1]
        self._kept: dict[int, list[int]] = {}
        #: The same polynomial always has the same number.
        self._known = {0: _FALSE, 1: _TRUE}
        inputs = [*program.fluent_atoms, *(atom for atoms in program.move_atoms for atom in atoms)]
        source = random.Random(0)
        self._atoms: dict[int, int] = dict.fromkeys(program.facts, _TRUE)
        #: The numbers of the inputs and of their negations.
        self.inputs: list[tuple[int, int]] = []
        for atom in inputs:
            self.inputs.append((self._input(source), self._input(source)))
            self._atoms[atom] = self.inputs[-1][0]
        self._negations = dict(self.inputs) | {_FALSE: _TRUE, _TRUE: _FALSE}
        self._derive(strata)
        of = self.of
        self.answers = Answers(
            tuple(map(of, program.next_atoms)), tuple(tuple(map(of, atoms)) for atoms in program.legal_atoms),
            tuple({value: of(atom) for value, atom in goals} for goals in program.goal_atoms),
            tuple(tuple(of(atom) for _, atom in percepts) for percepts in program.percept_atoms),
            of(program.terminal_atom))

    def proves(self, symmetry: Symmetry) -> bool:
        """Whether a permutation of inputs carries every polynomial to that of the image."""
        images = list(symmetry.fluents)
        starts = [self.fluents]
        for size in self.moves:
            starts.append(starts[-1] + size)
        for role, moves in enumerate(symmetry.moves):
            images.extend(starts[symmetry.roles[role]] + move for move in moves)
        point = [0] * len(images) * 2
        for (yes, no), image in zip(self.inputs, images, strict=True):
            point[2 * image], point[2 * image + 1] = self._values[yes], self._values[no]
        return self._agree(self._at(point), symmetry)

    def _agree(self, there: Sequence[int], symmetry: Symmetry) -> bool:
        here, asked = self._values, self.answers
        if here[asked.terminal] != there[asked.terminal]:
            return False
        if any(here[asked.next[fluent]] != there[asked.next[image]] for fluent, image in enumerate(symmetry.fluents)):
            return False
        for role, image in enumerate(symmetry.roles):
            if any(here[asked.legal[role][move]] != there[asked.legal[image][other]]
                   for move, other in enumerate(symmetry.moves[role])):
                return False
            mine, its = asked.goals[role], asked.goals[image]
            if any(here[mine.get(value, _FALSE)] != there[its.get(value, _FALSE)] for value in mine.keys() | its):
                return False
            if sorted(here[it] for it in asked.percepts[role]) != sorted(there[it] for it in asked.percepts[image]):
                return False
        return True

    # ---- values ----

    def _at(self, point: Sequence[int]) -> list[int]:
        """The values of all polynomials where the inputs and their negations have these."""
        values: list[int] = []
        given = iter(point)
        for number, (kind, parts) in enumerate(zip(self._kinds, self._parts, strict=True)):
            if number % _TICK == 0:
                self._check(_TICK)
            values.append(next(given) if kind == _INPUT else _value(kind, [values[part] for part in parts]))
        return values

    # ---- from rules to polynomials ----

    def _derive(self, strata: Strata) -> None:
        bodies = strata.bodies
        for atoms, need_each_other in strata.in_order(self._budget):
            if not need_each_other:
                self._atoms[atoms[0]] = self._sum(bodies[atoms[0]])
                continue
            size = sum(len(body) + 1 for atom in atoms for body in bodies[atom])
            if len(atoms) * size > _MOST_UNROLLED:
                raise BudgetExceeded(f"{len(atoms):,} atoms need each other, too many to unroll")
            # What is true of them is derived in as many rounds as they are, if not before.
            for _ in atoms:
                self._check(size)
                self._atoms.update([(atom, self._sum(bodies[atom])) for atom in atoms])

    def _sum(self, bodies: Iterable[tuple[int, ...]]) -> int:
        return self._add(_SUM, {self._product(body) for body in bodies} - {_FALSE})

    def _product(self, body: tuple[int, ...]) -> int:
        factors = {self.of(literal) if literal >= 0 else self._negation(self.of(~literal)) for literal in body}
        if _FALSE in factors:
            return _FALSE
        is_high = sum(self._degrees[factor] for factor in factors) > _MOST_DEGREE
        return self._add(_NAMED if is_high else _PRODUCT, factors - {_TRUE})

    def _negation(self, number: int) -> int:
        if number not in self._negations:
            self._negations[number] = self._add(_NOT, {number})
        return self._negations[number]

    def _add(self, kind: int, parts: set[int]) -> int:
        if _TRUE in parts and kind == _SUM:
            return _TRUE
        if len(parts) == 1 and kind in (_SUM, _PRODUCT):
            return next(iter(parts))
        ordered = tuple(sorted(parts))
        value = _value(kind, [self._values[part] for part in ordered])
        if value not in self._known:
            degrees = [self._degrees[part] for part in ordered]
            degree = 1 if kind in (_NOT, _NAMED) else sum(degrees) if kind == _PRODUCT else max(degrees)
            self._append(kind, ordered, degree, value)
        return self._known[value]

    def _input(self, source: random.Random) -> int:
        self._append(_INPUT, (), 1, source.randrange(2, PRIME))
        return len(self._kinds) - 1

    def _append(self, kind: int, parts: tuple[int, ...], degree: int, value: int) -> None:
        self._known[value] = len(self._kinds)
        self._kinds.append(kind)
        self._parts.append(parts)
        self._degrees.append(degree)
        self._values.append(value)

    def _check(self, parts: int) -> None:
        """So many parts of polynomials were looked at; raises BudgetExceeded."""
        self._budget.spend(_A_PART * parts)
        if self._budget.passed:
            raise BudgetExceeded("the polynomials were not evaluated within the budget")

    # ---- what is in a polynomial ----

    def of(self, atom: int | None) -> int:
        """The number of the polynomial of an atom; no atom is false."""
        return _FALSE if atom is None else self._atoms.get(atom, _FALSE)

    def invariant(self, number: int) -> int:
        """The value of a polynomial where all inputs have the same, and so have all its images."""
        return self._alike[number]

    def named_by(self, number: int) -> tuple[int, ...]:
        """What a polynomial belongs to that is an input of its own though it is derived."""
        return self._parts[number]

    def slopes(self, number: int) -> dict[int, int]:
        """The derivatives of a polynomial by all inputs that it mentions, those of their own included.

        They are those where all inputs have the same value: inputs that can change places in it have the same.
        """
        slopes, waiting, found = {number: 1}, [-number], {}
        while waiting:
            # The largest first: what a polynomial is made of comes before it.
            number = -heappop(waiting)
            slope = slopes.pop(number)
            if self._kinds[number] not in (_SUM, _PRODUCT):
                found[number] = slope
                continue
            for part, factor in zip(self._parts[number], self._factors(number), strict=False):
                if part in slopes:
                    slopes[part] = (slopes[part] + slope * factor) % PRIME
                else:
                    slopes[part] = slope * factor % PRIME
                    heappush(waiting, -part)
        return found

    def _factors(self, number: int) -> Iterable[int]:
        """The derivatives of a sum or a product by its parts; products are kept, many polynomials may read them."""
        if self._kinds[number] == _SUM:
            return repeat(1)
        if number not in self._kept:
            self._kept[number] = list(_without_each([self._alike[part] for part in self._parts[number]]))
        return self._kept[number]

    @cached_property
    def _alike(self) -> list[int]:
        """The values where fluents, moves and their negations have one value each."""
        kinds = [2, 3] * self.fluents + [5, 7] * sum(self.moves)
        return self._at([_name(_INPUT, [kind]) for kind in kinds])


def _without_each(values: Sequence[int]) -> Iterator[int]:
    """The product of all values but one, for each."""
    before = accumulate(values, _times, initial=1)
    after = list(accumulate(reversed(values), _times, initial=1))[-2::-1]
    return map(_times, before, after)


def _times(first: int, second: int) -> int:
    return first * second % PRIME


def _value(kind: int, values: Sequence[int]) -> int:
    if kind == _SUM:
        return sum(values) % PRIME
    if kind == _PRODUCT:
        product = 1
        for value in values:
            product = product * value % PRIME
        return product
    return _name(kind, sorted(values))


def _name(kind: int, values: Iterable[int]) -> int:
    """As good as a random number that belongs to these."""
    text = b"".join(value.to_bytes(32, "little") for value in values)
    return int.from_bytes(blake2b(text, digest_size=32, key=bytes([kind])).digest(), "little") % PRIME
