"""Fluent graphs from the rules: what must hold before a fluent can, and which of that is taken.

Every way in which a fluent can come to hold needs one of its sources (Algorithms 2 to 4 of the thesis): moves stand
for the conditions under which they are legal, and what rules derive for its definition. There are many such sets of
sources. The thesis takes what is similar to the fluent (section 6.3.2); `Preference` says what counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ludorum import _core
from ludorum.analysis.distances.graph import FluentGraph
from ludorum.circuit.core import core_circuit
from ludorum.clock import Budget
from ludorum.errors import TooSlow
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.gdl.terms import Term, Variable

# Arguments further right than this do not decide between sources that are equally similar.
_MOST_TIES = 6
# The work of a graph, for every place of every fluent and for every gate input.
_A_MARK, _AN_INPUT = 1e-6, 1e-6

#: A place inside a fluent: its name, and from the outside in the number of an argument and the name found there.
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Preference:
    """Which fluents make the better sources of a fluent: those that agree with it in more places.

    Every place counts the same, but the argument with number `argument`, from 0, counts more than all others together:
    a piece that moves comes from where the same piece was before, not from what was where it goes to. Of two that are
    equally similar, the one that agrees further right is better: contents mostly stand behind coordinates.
    """

    argument: int | None = None

    def __str__(self) -> str:
        return "similar" if self.argument is None else f"the same argument {self.argument + 1}"


def fluent_graph(game: Game, preference: Preference | None = None, *, budget: Budget | None = None) -> FluentGraph:
    """The fluent graph of a game by a preference, that of the thesis if none is given. A game remembers it.

    Raises NoCircuit for a game that is too large for a circuit, and TooSlow where the budget does not suffice.
    """
    preference = preference or Preference()
    budget = budget or Budget()
    return game.findings.find(_GRAPH.of(preference), budget, lambda _: (_build(game, preference, budget), True))


_GRAPH: Slot[FluentGraph] = Slot("fluent graph")


def _build(game: Game, preference: Preference, budget: Budget) -> FluentGraph:
    circuit = game.circuit
    offsets, marks = [0], list[int]()
    weights: list[int] = []
    numbers: dict[tuple[Place, str], int] = {}
    # The name says least, then come ties, then places, then the preferred ones: each more than all before together.
    size = max((_size(fluent) for fluent in circuit.fluents), default=1)
    place_weight = (_MOST_TIES + 1) * size + 2
    most = min((place_weight + _MOST_TIES) * size + 1, 2**31)
    for fluent in circuit.fluents:
        for place, name in _marks(fluent):
            mark = (place, name)
            if mark not in numbers:
                numbers[mark] = len(weights)
                weights.append(_weight(place, preference, place_weight, most))
            marks.append(numbers[mark])
        offsets.append(len(marks))
    budget.spend(_A_MARK * len(marks) + _AN_INPUT * circuit.inputs)
    found = None if budget.passed else _core.fluent_graph(
        core_circuit(circuit), np.array(offsets, dtype=np.uint32), np.array(marks, dtype=np.uint32),
        np.array(weights, dtype=np.uint32), budget.seconds)
    if found is None:
        raise TooSlow(f"the fluent graph of {game.name} was not found within the budget")
    return FluentGraph(circuit.fluents, *found)


def _weight(place: Place, preference: Preference, usual: int, most: int) -> int:
    if not place:
        return 1
    argument = place[1] if len(place) > 1 else None
    if not isinstance(argument, int):
        return usual
    return most if argument == preference.argument else usual + min(argument, _MOST_TIES)


def _marks(fluent: Term) -> Iterator[tuple[Place, str]]:
    """What a fluent shares with similar ones: its name, and the constants that stand at its places.

    The similarity of two fluents, as section 6.3.2 defines it, is the number of constants that they share.
    """
    yield (), fluent.name
    stack: list[tuple[Place, Term]] = [((fluent.name,), fluent)]
    while stack:
        place, term = stack.pop()
        if not term.args:
            yield place, term.name
        for number, argument in enumerate(term.args):
            assert not isinstance(argument, Variable)
            # A function is a part of the places inside it; a constant is what is found at its place.
            stack.append(((*place, number, argument.name) if argument.args else (*place, number), argument))


def _size(fluent: Term) -> int:
    return sum(1 for _ in _marks(fluent))
