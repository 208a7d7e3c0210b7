"""Whose turn it is: after how many steps, as a rule, the same roles have a choice again.

The core starts games only at multiples of this, so that in all lanes the same player is to move and the moves of the
others need not be looked at. It is a hint: where it is wrong, playouts are as right as ever, only slower.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ludorum.circuit.circuit import Circuit
from ludorum.circuit.sample import random_play

GAMES = 32
FEWEST_STEPS = 40
#: A game must last this many steps for each that its lane may have to wait before the next one.
LONG_ENOUGH = 20


def find_turns(circuit: Circuit) -> Circuit:
    roles = len(circuit.roles)
    if roles < 2:
        return circuit
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
    if take_turns and lengths.mean() >= long:
        return replace(circuit, turns=roles)
    return circuit
