"""Games where everybody makes one decision that matters, all at the same turn: which messages are never worse.

In the literature: dominant strategies of mechanisms; dominance is meant weakly, and in expectation over chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.idle import without_idle_moves
from ludorum.clock import Budget
from ludorum.errors import SeveralDecisions
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.mechanism.layers import MOST_LANES, Layer, Layers, cone
from ludorum.move import Move, Role

# Longer games have more than one decision, or none.
_MOST_TURNS = 1_000


@dataclass(frozen=True, eq=False)
class Decision:
    """What a role may send when it knows so much, and what becomes of it, whatever the others are and send."""

    role: Role
    #: What it has done and been told, turn by turn.
    history: tuple[tuple[Move, frozenset[Term]], ...]
    moves: tuple[Move, ...]
    #: int64 [what the others are and send, moves]: goals, added up over chance; one row has one sum of chances.
    gains: NDArray[np.int64]
    #: The lowest goal that chance may bring: int16 [what the others are and send, moves].
    worst: NDArray[np.int16]

    @property
    def told(self) -> frozenset[Term]:
        """All that the role was told before."""
        return frozenset(term for _, percepts in self.history for term in percepts)

    @cached_property
    def dominant(self) -> tuple[Move, ...]:
        """The moves that are never worse than another."""
        best = (self.gains == self.gains.max(axis=1, keepdims=True)).all(axis=0)
        return tuple(move for move, is_best in zip(self.moves, best, strict=True) if is_best)

    @cached_property
    def undominated(self) -> tuple[Move, ...]:
        """The moves to which no other is always as good and sometimes better."""
        return tuple(move for number, move in enumerate(self.moves)
                     if not any(self._beats(other, number) for other in range(len(self.moves))))

    def _beats(self, one: int, other: int) -> bool:
        more = self.gains[:, one] - self.gains[:, other]
        return bool((more >= 0).all() and (more > 0).any())


class Decisions:
    """The decisions of one role in a game where each has one, and matches for what is to be shown.

    Raises SeveralDecisions, TooLarge, NoCircuit or BudgetExceeded.
    """

    def __init__(self, game: Game, role: str, budget: Budget | None = None, *, most: int = MOST_LANES) -> None:
        self.game = without_idle_moves(game)
        self.role = game.role(role)
        self._seat = game.roles.index(self.role)
        self._layers = Layers(self.game, budget or Budget(), most=most)
        circuit = self.game.circuit
        self._mask = cone(circuit, [literal for _, literal in circuit.goals[self._seat]]
                          + [literal for _, literal in circuit.percepts[self._seat]])
        self._gains, self._worst = self._follow()

    def _follow(self) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        """Through all matches, to what every joint message brings."""
        layers, seat, chance = self._layers, self._seat, self._layers.chance
        self.depth = -1
        while True:
            terminal, legal = layers.looked()
            if terminal.any():
                break
            deciding = [role for role, may in enumerate(legal) if role != chance and (may.sum(axis=1) > 1).any()]
            if not deciding:
                layer = layers.expand(~terminal, legal)
                told = layers.told(layer, seat)
                labels = layer.labels * (int(told.max(initial=0)) + 1) + told
                layers.go_on(_labelled(layer, labels), self._mask)
            else:
                self._check(legal, deciding, decided=False)
                self.depth = len(layers.history) - 1
                self._sizes = legal[seat].sum(axis=1)
                joint = layers.expand(~terminal, legal, fastest=seat)
                self._joints = joint
                layers.history.append(_labelled(joint, np.arange(len(joint.rows))))
                break
            if len(layers.history) > _MOST_TURNS:
                raise SeveralDecisions(f"nobody decides in the first {_MOST_TURNS} turns of {self.game.name}")
        if self.depth < 0:
            raise SeveralDecisions(f"nobody has anything to decide in {self.game.name}")
        return self._ends()

    def _ends(self) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        layers, seat, chance = self._layers, self._seat, self._layers.chance
        count = len(self._joints.rows)
        ended: list[tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.int64], int]] = []
        while len(layers.last.rows):
            terminal, legal = layers.looked()
            over = terminal | np.any([~may.any(axis=1) for may in legal], axis=0)
            if over.any():
                goals = layers.simulator.goals(np.ascontiguousarray(layers.last.rows[over]))[:, seat]
                ended.append((layers.last.labels[over], np.maximum(goals, 0), layers.last.parts[over],
                              layers.last.whole))
            if over.all():
                break
            self._check([may[~over] for may in legal], [role for role, may in enumerate(legal) if role != chance and (
                may[~over].sum(axis=1) > 1).any()], decided=True)
            layers.go_on(layers.expand(~over, legal), self._mask)
        whole = max(parts for *_, parts in ended)
        gains, worst = np.zeros(count, np.int64), np.full(count, 101, np.int16)
        for labels, goals, parts, of in ended:
            np.add.at(gains, labels, goals.astype(np.int64) * parts * (whole // of))
            np.minimum.at(worst, labels, goals)
        return gains, worst

    def _check(self, legal: list[NDArray[np.bool_]], deciding: list[int], *, decided: bool) -> None:
        if decided and deciding:
            raise SeveralDecisions(f"{self.game.roles[deciding[0]]} decides more than once in {self.game.name}, "
                                   "or not when the others do")
        if not decided and self._layers.chance is not None and len(deciding) and (
                legal[self._layers.chance].sum(axis=1) > 1).any():
            raise SeveralDecisions(f"chance decides at the same turn as the traders of {self.game.name}")

    def __iter__(self) -> Iterator[Decision]:
        """Decisions in the order of what the role may know."""
        for label in np.unique(self._layers.history[self.depth].labels):
            yield self._decision(int(label))

    def _decision(self, label: int) -> Decision:
        states = self._layers.history[self.depth]
        lanes = np.flatnonzero(states.labels == label)
        size = int(self._sizes[lanes[0]])
        chosen = np.isin(self._joints.parents, lanes)
        numbers = self._joints.joints[np.flatnonzero(chosen)[:size], self._seat]
        reasoner = self.game.reasoner
        moves = tuple(Move(reasoner.moves[self._seat][number]) for number in numbers)  # type: ignore[attr-defined]
        return Decision(self.role, self._history(int(lanes[0])), moves, self._gains[chosen].reshape(-1, size),
                        self._worst[chosen].reshape(-1, size))

    def _history(self, lane: int) -> tuple[tuple[Move, frozenset[Term]], ...]:
        state = self.game.initial
        found = []
        for joint in self._layers.match(lane, self.depth):
            state = state.after(dict(zip(self.game.roles, joint, strict=True)))
            found.append((joint[self._seat], state.percepts[self.role]))
        return tuple(found)

    def match(self, decision: Decision, row: int, move: Move) -> tuple[tuple[Move, ...], ...]:
        """A match to its end in which the role sends a message, and the others are and send what a row says."""
        label = next(int(found) for found in np.unique(self._layers.history[self.depth].labels)
                     if self._decision(int(found)).history == decision.history)
        states = self._layers.history[self.depth]
        chosen = np.flatnonzero(np.isin(self._joints.parents, np.flatnonzero(states.labels == label)))
        joint = int(chosen[row * len(decision.moves) + decision.moves.index(move)])
        return self._worst_end(joint)

    def _worst_end(self, joint: int) -> tuple[tuple[Move, ...], ...]:
        """Of the ends that chance may bring after a joint message, the worst for the role."""
        found: tuple[int, tuple[tuple[Move, ...], ...]] | None = None
        for depth in range(self.depth + 1, len(self._layers.history)):
            layer = self._layers.history[depth]
            lanes = np.flatnonzero(layer.labels == joint)
            if not len(lanes):
                continue
            rows = np.ascontiguousarray(layer.rows[lanes])
            terminal, _ = self._layers.simulator.terminal_and_legal(rows)
            goals = self._layers.simulator.goals(rows)[:, self._seat]
            for lane, is_over, goal in zip(lanes.tolist(), terminal.tolist(), goals.tolist(), strict=True):
                if is_over and (found is None or goal < found[0]):
                    found = goal, self._layers.match(lane, depth)
        assert found is not None, "every match that was followed ends"
        return found[1]


def _labelled(layer: Layer, labels: NDArray[np.int64]) -> Layer:
    return replace(layer, labels=labels)
