"""Whose turn it is: after how many steps the same roles have a choice again.

The core starts games only at multiples of this, so that in all lanes the same player is to move and the moves of the
others need not be looked at.

In most games the fluents that tell whose turn it is go round by themselves, whatever is played: whose turn it is
says what is legal, that says what may be done, and that whose turn is next. Where this is proved, they are constants
in each phase of the round, which makes up to half of the circuit superfluous; the core makes a smaller one for every
phase. Otherwise random play may show that roles take turns. Then it is a hint: where it is wrong, playouts are as
right as ever, only slower.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludorum.circuit.circuit import Circuit, Literal
from ludorum.circuit.core import core_circuit, simulator
from ludorum.circuit.sample import random_play

GAMES = 32
FEWEST_STEPS = 40
#: A game must last this many steps for each that its lane may have to wait before the next one.
LONG_ENOUGH = 20
#: A longer round would take too many circuits.
MOST_PHASES = 8
#: A step must cost no more than this part of what it cost before, the wait for the beginning of a round included.
WORTHWHILE = 0.95

Phases = tuple[tuple[Literal, ...], ...]


def find_turns(circuit: Circuit) -> Circuit:
    """The circuit with what it knows of turns."""
    circuit = replace(circuit, turns=1, phases=())
    phases = find_phases(circuit)
    if len(circuit.roles) < 2 and not phases:
        return circuit
    usual, length = _play(circuit)
    if phases:
        in_phases = replace(circuit, turns=len(phases), phases=phases)
        if (1 + (len(phases) - 1) / (2 * max(1.0, length))) * _cost(in_phases) <= WORTHWHILE:
            return in_phases
    return replace(circuit, turns=usual)


def find_phases(circuit: Circuit) -> Phases:
    """Literals that hold in the phases through which some fluents go by themselves; none if there are none."""
    return tuple(map(tuple, core_circuit(circuit).find_phases(circuit.initial, MOST_PHASES)))


def _play(circuit: Circuit) -> tuple[int, float]:
    """After how many steps the same roles had a choice again in random play, and how many a game has at least."""
    roles = len(circuit.roles)
    long = LONG_ENOUGH * (roles - 1)
    alive = np.ones(GAMES, dtype=bool)
    lengths = np.zeros(GAMES, dtype=int)
    # For every role the residues of steps, modulo the number of roles, at which it had a choice.
    residues: list[set[int]] = [set() for _ in range(roles)]
    for number, step in enumerate(random_play(circuit, GAMES, max(FEWEST_STEPS, long + 1))):
        alive &= ~step.over
        lengths += alive
        if not alive.any():
            break
        for role, choices in enumerate(step.choices):
            if (choices[alive] > 1).any():
                residues[role].add(number % roles)
    take_turns = all(len(at) <= 1 for at in residues) and len(set().union(*residues)) == roles
    length = float(lengths.mean())
    return roles if take_turns and length >= long else 1, length


def _cost(circuit: Circuit) -> float:
    """What a step in its phase costs, as a part of what it costs in any state: inputs that are read."""
    described = simulator(circuit).describe()

    def inputs(steps: dict[str, dict[str, int]]) -> int:
        return sum(steps[cone]["inputs"] for cone in ("terminal", "legal", "next"))

    return sum(map(inputs, described["phases"])) / len(described["phases"]) / max(1, inputs(described))
