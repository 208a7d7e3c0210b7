"""Whose turn it is, where that goes round by itself.

In most games for several the fluents that tell whose turn it is change in every step, whatever is played: whose turn
it is says what is legal, that says what may be done, and that whose turn is next. Where this is proved, they are
constants in each phase of the round, which makes up to half of the circuit superfluous; the core makes a smaller one
for every phase, and starts games at the beginning of a round only, so that in all lanes the same player is to move.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludorum.circuit.circuit import Circuit, Literal
from ludorum.circuit.core import core_circuit, simulator
from ludorum.circuit.sample import random_play

GAMES, MOST_STEPS = 32, 40
#: A longer round would take too many circuits.
MOST_PHASES = 8
#: A step must cost no more than this part of what it cost before, the wait for the beginning of a round included.
WORTHWHILE = 0.95

Phases = tuple[tuple[Literal, ...], ...]


def find_turns(circuit: Circuit) -> Circuit:
    """The circuit with what it knows of turns, if that is worth having."""
    plain = replace(circuit, turns=1, phases=())
    phases = find_phases(plain)
    if not phases:
        return plain
    in_phases = replace(plain, turns=len(phases), phases=phases)
    # A lane waits for half a round, on the average, before its next game begins.
    wait = (len(phases) - 1) / 2 / _length(plain)
    return in_phases if (1 + wait) * _cost(in_phases) <= WORTHWHILE else plain


def find_phases(circuit: Circuit) -> Phases:
    """Literals that hold in the phases through which some fluents go by themselves; none if there are none."""
    return tuple(map(tuple, core_circuit(circuit).find_phases(circuit.initial, MOST_PHASES)))


def _length(circuit: Circuit) -> float:
    """How many steps a game has in random play, at least."""
    alive = np.ones(GAMES, dtype=bool)
    lengths = np.zeros(GAMES, dtype=int)
    for step in random_play(circuit, GAMES, MOST_STEPS):
        alive &= ~step.over
        lengths += alive
        if not alive.any():
            break
    return max(1.0, float(lengths.mean()))


def _cost(circuit: Circuit) -> float:
    """What a step in its phase costs, as a part of what it costs in any state: inputs that are read."""
    described = simulator(circuit).describe()

    def inputs(steps: dict[str, dict[str, int]]) -> int:
        return sum(steps[cone]["inputs"] for cone in ("terminal", "legal", "next"))

    return sum(map(inputs, described["phases"])) / len(described["phases"]) / max(1, inputs(described))
