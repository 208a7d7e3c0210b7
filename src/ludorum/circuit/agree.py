"""Fluents that never change, and fluents that always agree (or always disagree), are read as one.

Random play suggests which: fluents that had the same value in every state it saw. Then they are proved by induction,
all together: they agree initially; and if every reader of one is given the other, their next values become the same
literal. Those that do not are told apart, until the rest hold together (the method of van Eijk, from hardware
verification). Every fluent keeps its own next value, so states are as complete as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludorum.circuit.circuit import FALSE, Circuit, Literal
from ludorum.circuit.rewrite import rewrite
from ludorum.circuit.sample import random_play

GAMES = 64
STEPS = 100
#: At most this many bits of states are looked at, so that games with very many fluents get fewer samples.
MOST_BITS = 20_000_000
MOST_ROUNDS = 12
#: Rounds go over the whole circuit; a large one gets fewer of them, by the inputs of its gates.
MOST_WORK = 300_000


def merge_agreeing_fluents(circuit: Circuit) -> Circuit:
    """The circuit with every reader of a fluent given the first one that it agrees with."""
    if not circuit.fluents:
        return circuit
    stands_for = _suggest(circuit, _sample(circuit))
    for _ in range(max(2, min(MOST_ROUNDS, MOST_WORK // max(circuit.inputs, 1)))):
        if all(literal == 2 * (fluent + 1) for fluent, literal in enumerate(stands_for)):
            return circuit
        merged = rewrite(circuit, given=_given(circuit, stands_for))
        told_apart = _tell_apart(stands_for, merged.next)
        if told_apart == stands_for:
            agreements = tuple((fluent, literal) for fluent, literal in enumerate(stands_for)
                               if literal != 2 * (fluent + 1))
            return replace(merged, agreements=agreements)
        stands_for = told_apart
    return circuit


def _given(circuit: Circuit, stands_for: Sequence[Literal]) -> list[Literal]:
    return [FALSE, *stands_for, *range(2 * circuit.first_move, 2 * circuit.first_gate, 2)]


def _sample(circuit: Circuit) -> NDArray[np.uint8]:
    """States of random play, a row of bits each; the first is the initial one."""
    steps = min(STEPS, MOST_BITS // (GAMES * len(circuit.fluents)) + 1)
    rows = np.concatenate([step.states for step in random_play(circuit, GAMES, steps)])
    return np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little", count=len(circuit.fluents))


def _suggest(circuit: Circuit, states: NDArray[np.uint8]) -> list[Literal]:
    """For every fluent the literal that it agreed with in all states: a constant, an earlier fluent, or itself."""
    # With the first state's value taken out, those that disagree look like those that agree.
    flipped = np.packbits(states ^ states[0], axis=0)
    first: dict[bytes, int] = {}
    found = []
    for fluent in range(len(circuit.fluents)):
        phase = int(states[0, fluent])
        key = flipped[:, fluent].tobytes()
        if not flipped[:, fluent].any():
            found.append(FALSE ^ phase)
            continue
        leader = first.setdefault(key, fluent)
        found.append(2 * (leader + 1) ^ phase ^ int(states[0, leader]))
    return found


def _tell_apart(stands_for: Sequence[Literal], following: Sequence[Literal]) -> list[Literal]:
    """Those that stood for the same but go on to different values no longer do."""
    leaders: dict[tuple[Literal, Literal], int] = {}
    found: list[Literal] = []
    for fluent, literal in enumerate(stands_for):
        phase = literal & 1
        group = literal & ~1
        goes_to = following[fluent] ^ phase
        # A constant stays one only if it goes on being that constant.
        if group == FALSE and goes_to == FALSE:
            found.append(literal)
            continue
        key = (group, goes_to)
        if key not in leaders:
            leaders[key] = fluent
            found.append(2 * (fluent + 1))
            continue
        leader = leaders[key]
        found.append(2 * (leader + 1) ^ phase ^ (stands_for[leader] & 1))
    return found
