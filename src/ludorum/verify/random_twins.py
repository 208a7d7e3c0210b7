"""Points that random play meets with: few of all there are, but what a role confuses among them it does confuse.

So they refute: where some match is found that looks to a role like another, the role does not know better. To meet
with such matches, many are played in which one role makes the same moves as long as it can.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludorum.clock import Budget
from ludorum.gdl.terms import Term
from ludorum.verify.points import Numbers, Points, ranked
from ludorum.verify.world import STOP, CircuitWorld, Rows

# So many groups of so many matches, and no match is longer.
_GROUPS, _MATCHES, _STEPS = 24, 96, 120
# The work of a step of a match.
_A_STEP = 1e-6


def random_points(world: CircuitWorld, seats: Sequence[int], memory: Sequence[Term], budget: Budget,
                  seed: int = 0) -> Points:
    """Points of random matches; a class is right in what it confuses, but may lack what it would confuse as well."""
    return _RandomPlay(world, tuple(seats), tuple(memory), budget, np.random.default_rng(seed)).run()


class _RandomPlay:
    def __init__(self, world: CircuitWorld, seats: tuple[int, ...], memory: tuple[Term, ...], budget: Budget,
                 random: np.random.Generator) -> None:
        self._world, self._seats, self._memory, self._budget, self._random = world, seats, memory, budget, random

    def run(self) -> Points:
        world, roles = self._world, len(self._world.game.roles)
        count = _GROUPS * _MATCHES
        group = np.repeat(np.arange(_GROUPS), _MATCHES)
        rows = np.repeat(world.initial, count, axis=0)
        classes = np.zeros((count, len(self._seats)), dtype=np.int64)
        here = np.zeros(count, dtype=np.int64)
        state_rows, parents = [world.initial], [np.full(1, -1, dtype=np.int64)]
        moves = [np.full((1, roles), STOP, dtype=np.int64)]
        kept = [np.zeros((1, len(self._seats)), dtype=np.int64)]
        did = [np.zeros((1, len(self._memory)), dtype=bool)]
        total, classes_so_far = 1, 1
        for _ in range(_STEPS):
            if not len(rows) or self._budget.passed:
                break
            self._budget.spend(_A_STEP * len(rows))
            joint, going = self._choose(rows, group)
            rows, group, classes, here, joint = rows[going], group[going], classes[going], here[going], joint[going]
            if not len(rows):
                break
            told = world.told(rows, joint)
            after = world.after(rows, joint)
            for column, seat in enumerate(self._seats):
                heard = ranked(world.heard(told, seat).view(np.int64))[1]
                key = np.stack([classes[:, column], joint[:, seat].astype(np.int64), heard], axis=1)
                classes[:, column] = classes_so_far + ranked(key)[1]
            classes_so_far += len(rows)
            rows = after
            state_rows.append(rows)
            parents.append(here)
            moves.append(joint.astype(np.int64))
            kept.append(classes.copy())
            did.append(self._did(joint))
            here = np.arange(total, total + len(rows))
            total += len(rows)
        nothing: Numbers = np.zeros(0, dtype=np.int64)
        return Points(world, self._seats, self._memory, np.concatenate(state_rows), np.arange(total),
                      np.concatenate(did), np.concatenate(kept), nothing, nothing, np.concatenate(parents),
                      np.concatenate(moves))

    def _did(self, joint: NDArray[np.uint32]) -> NDArray[np.bool_]:
        found = np.zeros((len(joint), len(self._memory)), dtype=bool)
        roles = list(map(str, self._world.game.roles))
        for number, atom in enumerate(self._memory):
            seat = roles.index(str(atom.args[0]))
            move = self._world.number(seat, atom.args[1])  # type: ignore[arg-type]
            if move is not None:
                found[:, number] = joint[:, seat] == move
        return found

    def _choose(self, rows: Rows, group: Numbers) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
        """Random moves, those of one role alike within a group; and which matches go on."""
        ended, bits = self._world.legal(rows)
        going = ~ended
        joint = np.zeros((len(rows), len(self._world.circuit.moves)), dtype=np.uint32)
        end = 0
        for seat, of_role in enumerate(self._world.circuit.moves):
            legal = bits[:, end : end + len(of_role)]
            end += len(of_role)
            going &= legal.any(axis=1)
            # The same random numbers for a whole group make alike choices where the same moves are legal.
            shared = self._random.random((_GROUPS, len(of_role)))
            chance = self._random.random((len(rows), len(of_role)))
            is_shared = np.isin(group % max(1, len(self._seats)), [self._seats.index(seat)]) \
                if seat in self._seats else np.zeros(len(rows), dtype=bool)
            chance[is_shared] = shared[group[is_shared]]
            joint[:, seat] = np.where(legal, chance, -1.0).argmax(axis=1) if len(of_role) else 0
        return joint, going
