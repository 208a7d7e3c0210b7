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
from ludorum._core import Circuit as CoreCircuit
from ludorum.analysis.distances.graph import FluentGraph
from ludorum.analysis.invariants import Group, Invariants
from ludorum.analysis.proofs.properties.arguments import modes
from ludorum.analysis.samples import samples
from ludorum.circuit.core import core_circuit
from ludorum.clock import Budget
from ludorum.errors import TooSlow
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.gdl.terms import Term, Variable

# Arguments further right than this do not decide between sources that are equally similar.
_MOST_TIES = 6
# So many states of random play say which groups of fluents are worth a look.
_WALKED = 1000
# Of the time that there is, the part that writing the circuit out may take.
_WRITING_SHARE = 0.3
# The work of a graph, for every place of every fluent and for every gate input.
_A_MARK, _AN_INPUT = 1e-6, 1e-6

Groups = tuple[Group, ...]
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


def fluent_graph(game: Game, preference: Preference | None = None, *, invariants: Invariants | None = None,
                 budget: Budget | None = None) -> FluentGraph:
    """The fluent graph of a game by a preference, that of the thesis if none is given. A game remembers it.

    It knows of which fluents at most one holds, as far as `invariants`, or those that the game was compiled with, say,
    or as far as it is plain from every single joint move: that a square has one content, so that what moves there moves
    as that content does. So it is a graph of the states that can be reached from the initial one.

    Raises NoCircuit for a game that is too large for a circuit, and TooSlow where the budget does not suffice.
    """
    preference = preference or Preference()
    budget = budget or Budget()
    known = invariants or game.invariants
    sure: Groups = () if known is None else (*known.one_hot, *known.exclusive)
    return game.findings.find(_GRAPH.of(preference, sure), budget,
                              lambda _: (_build(game, preference, sure, budget), True))


_GRAPH: Slot[FluentGraph] = Slot("fluent graph")
_WRITTEN: Slot[CoreCircuit] = Slot("by joint moves")


def _build(game: Game, preference: Preference, sure: Groups, budget: Budget) -> FluentGraph:
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
        _by_joint_moves(game, sure, budget), np.array(offsets, dtype=np.uint32), np.array(marks, dtype=np.uint32),
        np.array(weights, dtype=np.uint32), budget.seconds)
    if found is None:
        raise TooSlow(f"the fluent graph of {game.name} was not found within the budget")
    return FluentGraph(circuit.fluents, *found)


def _by_joint_moves(game: Game, sure: Groups, budget: Budget) -> CoreCircuit:
    """The circuit with what holds next written out by joint moves, which all graphs of a game start from."""
    def build(_: object) -> tuple[CoreCircuit, bool]:
        circuit = game.circuit
        known = {fluent: number for number, fluent in enumerate(circuit.fluents)}
        # What was proved of the game may name fluents that its circuit has done without since.
        groups = [[known[fluent] for fluent in group if fluent in known] for group in sure]
        groups += [] if budget.passed else _likely_groups(game, budget)
        budget.spend(_AN_INPUT * circuit.inputs)
        written = _core.by_joint_moves(
            core_circuit(circuit), np.cumsum([len(group) for group in groups], dtype=np.uint32),
            np.array([number for group in groups for number in group], dtype=np.uint32), len(sure),
            _WRITING_SHARE * budget.seconds)
        return written, not budget.passed

    return game.findings.find(_WRITTEN.of(sure), budget, build)


def _likely_groups(game: Game, budget: Budget) -> list[list[int]]:
    """Groups of fluents that differ in some arguments only, of which never two held in random play; the largest."""
    bits = samples(game, _WALKED, budget=budget.share(0.1)).bits.astype(bool)
    likely: list[list[int]] = []
    for mode in modes(game.circuit.fluents):
        # Fewer inputs say more, and come first.
        new = [list(group) for group in mode.groups(game.circuit.fluents) if len(group) > 1
               and (bits[:, group].sum(axis=1) <= 1).all()]
        likely += [group for group in new if not any(set(group) <= set(other) for other in likely)]
    return likely


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
