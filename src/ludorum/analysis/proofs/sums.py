"""Numbers as literals: a literal a binary digit, the lowest first.

Whoever has literals, a solver or an arena, says how two or three of them are added; the rest is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ludorum.analysis.proofs.sat import TRUE, Solver

#: The two binary digits of how many of three literals hold.
Adding = Callable[[int, int, int], tuple[int, int]]
#: A weight, at least 1, and the literal that it is counted for.
Weighted = tuple[int, int]


def total(terms: Iterable[Weighted], added: Adding, false: int) -> list[int]:
    """The sum of the weights of what holds."""
    columns: list[list[int]] = []
    for weight, literal in terms:
        for digit in range(weight.bit_length()):
            if weight >> digit & 1:
                while len(columns) <= digit:
                    columns.append([])
                columns[digit].append(literal)
    digits = []
    number = 0
    while number < len(columns):
        column = columns[number]
        while len(column) > 1:
            some = [column.pop(0) for _ in range(min(3, len(column)))]
            digit, carry = added(*(*some, false)[:3])
            column.append(digit)
            if number + 1 == len(columns):
                columns.append([])
            columns[number + 1].append(carry)
        digits.append(column[0] if column else false)
        number += 1
    return digits


def solver_total(solver: Solver, terms: Iterable[Weighted]) -> list[int]:
    """The sum of the weights of what holds, as literals of a solver."""

    def added(a: int, b: int, c: int) -> tuple[int, int]:
        digit, carry = solver.variable(), solver.variable()
        solver.add([-digit, a, b, c], [-digit, -a, -b, c], [-digit, -a, b, -c], [-digit, a, -b, -c],
                   [digit, -a, -b, -c], [digit, a, b, -c], [digit, a, -b, c], [digit, -a, b, c],
                   [-carry, a, b], [-carry, a, c], [-carry, b, c], [carry, -a, -b], [carry, -a, -c], [carry, -b, -c])
        return digit, carry

    return total(terms, added, -TRUE)


def less(solver: Solver, left: Sequence[int], right: Sequence[int]) -> int:
    """A literal that says that the first number is less than the second."""
    found = -TRUE
    for a, b in _side_by_side(left, right):
        # From the lowest digit on: the higher one decides unless the two are alike.
        new = solver.variable()
        solver.add([-new, -a, b], [-new, -a, found], [-new, b, found], [new, a, -b], [new, a, -found],
                   [new, -b, -found])
        found = new
    return found


def different(solver: Solver, left: Sequence[int], right: Sequence[int]) -> int:
    """A literal that says that the two numbers are not the same."""
    unlike = []
    for a, b in _side_by_side(left, right):
        digit = solver.variable()
        solver.add([-digit, a, b], [-digit, -a, -b], [digit, -a, b], [digit, a, -b])
        unlike.append(digit)
    found = solver.variable()
    solver.add([-found, *unlike], *([found, -digit] for digit in unlike))
    return found


def _side_by_side(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    """The digits of two numbers, as many of each."""
    digits = max(len(left), len(right))
    padded = [(*number, *[-TRUE] * (digits - len(number))) for number in (left, right)]
    return list(zip(*padded, strict=True))
