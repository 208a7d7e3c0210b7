"""One match by numbers, on the core: what all environments of a single game are made of."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludorum.engines.batch import CUT, GOING, TERMINAL
from ludorum.envs.encoding import Encoding
from ludorum.errors import IllegalMove
from ludorum.gdl.words import RANDOM
from ludorum.state import State

#: What becomes of an illegal action: an exception, a lost match for who chose it, or a legal one from the seed.
Illegal = Literal["raise", "lose", "random"]
#: What the end is worth: from −1 to 1, or the goal from 0 to 100.
Reward = Literal["scaled", "goal"]
# A number that no move has, so that a negative action is not taken for none.
_NEVER_LEGAL = 2**32 - 1
#: Longer matches are truncated.
MAX_STEPS = 10_000


def fresh_seed() -> int:
    return secrets.randbits(63)


def scaled(goal: int | None, reward: Reward, *, is_alone: bool) -> float:
    """What a goal is worth as a reward; one that is undefined counts as 0."""
    if reward == "goal":
        return float(goal or 0)
    return (goal or 0) / 100 if is_alone else ((goal or 0) - 50) / 50


class Episode:
    """A match that agents play by the numbers of their moves; chance is drawn from the seed.

    Roles that are not told what to do make a random legal move, which for those without a choice is their only one. A
    match is over when it is terminal, stuck, cut, or lost by an illegal action.
    """

    def __init__(self, encoding: Encoding, *, max_steps: int = MAX_STEPS) -> None:
        self.encoding = encoding
        self._batch = encoding.game.batch(1, max_steps=max_steps)
        # A view, which changes with the batch.
        self._rows = self._batch.rows
        bounds = [0, *np.cumsum([len(encoding.moves[role]) for role in encoding.roles]).tolist()]
        #: By role where its moves begin and end among all of them.
        self._spans: list[tuple[int, int]] = list(pairwise(bounds))
        told = [0, *np.cumsum([len(encoding.percepts[role]) for role in encoding.roles]).tolist()]
        self._percept_spans: list[tuple[int, int]] = list(pairwise(told))
        self._is_alone = len(encoding.agents) == 1
        self._batch.seed(fresh_seed())
        self.restart()

    def seed(self, seed: int) -> None:
        self._batch.seed(seed)

    def restart(self, row: NDArray[np.uint64] | None = None) -> None:
        """Begin again, at the beginning or in another state; the random stream goes on."""
        self._batch.reset(row=row)
        self.lost_by: int | None = None
        self.joint: list[int] | None = None
        #: What was told last, and all that each role was told since its last action.
        self._told = np.zeros(self._percept_spans[-1][1], dtype=np.uint8)
        self._heard = self._told.copy()
        self._actions: dict[int, int] = {}
        self._look()

    def _look(self) -> None:
        self._standing = self._batch.standing(0)
        self._legal: NDArray[np.int8] | None = None

    def _legal_bytes(self) -> NDArray[np.int8]:
        """Made when it is first asked for: who plays by lists of moves never does."""
        if self._legal is None:
            self._legal = self._batch.legal_bytes[0].view(np.int8)
        return self._legal

    # ---- what there is to choose ----

    def mask(self, role: int) -> NDArray[np.int8]:
        """int8 [moves of the role]: 1 for a legal move; all 0 when the match is over."""
        first, end = self._spans[role]
        return np.zeros(end - first, dtype=np.int8) if self.is_over else self._legal_bytes()[first:end]

    def legal(self, role: int) -> list[int]:
        """The numbers of the role's legal moves."""
        return self._batch.legal_numbers(0, role)

    @property
    def choosers(self) -> list[int]:
        """The numbers of the roles that have more than one legal move, chance included; none when it is over."""
        return [] if self.is_over else self._batch.choosing(0)

    def is_legal(self, role: int, action: int) -> bool:
        first, end = self._spans[role]
        return 0 <= action < end - first and bool(self._legal_bytes()[first + action])

    # ---- what becomes of it ----

    def step(self, actions: Mapping[int, int], illegal: Illegal = "raise") -> None:
        """Make a joint move of these actions; roles that are not among them move at random."""
        if self.encoding.has_secrets:
            self._step_and_tell(actions, illegal)
            return
        wanted = [-1] * len(self._spans)
        for role, action in actions.items():
            wanted[role] = action if action >= 0 else _NEVER_LEGAL
        made = self._batch.step_alone(wanted)
        if not made:
            legal = self._sorted_out(actions, illegal)
            if legal is None:
                return
            made = self._batch.step_alone([legal.get(role, -1) for role in range(len(self._spans))])
        self.joint = made
        self._look()

    def _sorted_out(self, actions: Mapping[int, int], illegal: Illegal) -> dict[int, int] | None:
        """The legal ones of these actions; None if an illegal one has lost the match. Raises IllegalMove."""
        legal = {}
        for role, action in actions.items():
            if self.is_legal(role, action):
                legal[role] = action
            elif illegal == "lose":
                self.lost_by = role
                return None
            elif illegal == "raise":
                raise IllegalMove(f"action {action} of {self.encoding.roles[role]} is not legal in "
                                  f"{self.encoding.game.name}")
        return legal

    def _step_and_tell(self, actions: Mapping[int, int], illegal: Illegal) -> None:
        legal = self._sorted_out(actions, illegal)
        if legal is None:
            return
        joint = self._batch.sample()
        for role, action in legal.items():
            joint[0, role] = action
        for role in actions:
            first, end = self._percept_spans[role]
            self._heard[first:end] = 0
            self._actions[role] = int(joint[0, role])
        told = self._batch.step(joint, tell=True)
        assert told is not None
        self._told = told[0]
        self._heard |= self._told
        self.joint = joint[0].tolist()
        self._look()

    @property
    def is_over(self) -> bool:
        return self._standing != GOING or self.lost_by is not None

    @property
    def is_terminal(self) -> bool:
        """Whether the rules say that it is over."""
        return self._standing == TERMINAL

    @property
    def is_truncated(self) -> bool:
        return self._standing == CUT and self.lost_by is None

    @property
    def is_terminated(self) -> bool:
        """Terminal or stuck, or lost by an illegal action."""
        return self.is_over and not self.is_truncated

    @property
    def length(self) -> int:
        return int(self._batch.lengths[0])

    @property
    def goals(self) -> dict[str, int | None]:
        """For every agent its goal value, None where no value or several hold."""
        if self.lost_by is not None:
            loser = self.encoding.roles[self.lost_by]
            return {agent: 0 if agent == loser else 100 for agent in self.encoding.agents}
        values = self._batch.goals[0].tolist()
        return {role: None if value < 0 else value for role, value in zip(self.encoding.roles, values, strict=True)
                if role != RANDOM}

    def rewards(self, reward: Reward) -> dict[str, float]:
        """For every agent what the end is worth."""
        return {agent: scaled(goal, reward, is_alone=self._is_alone) for agent, goal in self.goals.items()}

    def observation(self, role: int) -> NDArray[np.uint8]:
        """What a role may see: the state, or in games with secrets its last action and all it was told since then."""
        if not self.encoding.has_secrets:
            seen: NDArray[np.uint8] = self.encoding.observe(self._batch.fluent_bytes)[0]
            return seen
        (first, end), (begin, stop) = self._percept_spans[role], self._spans[role]
        seen = np.zeros(end - first + stop - begin, dtype=np.uint8)
        seen[:end - first] = self._heard[first:end]
        if role in self._actions:
            seen[end - first + self._actions[role]] = 1
        return seen

    def told(self, role: int) -> list[int]:
        """The numbers of what a role was told after the last step."""
        first, end = self._percept_spans[role]
        found: list[int] = self._told[first:end].nonzero()[0].tolist()
        return found

    @property
    def fluents(self) -> NDArray[np.uint8]:
        """uint8 [fluents]: everything that is true."""
        fluents: NDArray[np.uint8] = self._batch.fluent_bytes[0]
        return fluents

    @property
    def row(self) -> NDArray[np.uint64]:
        """The state as the core knows it."""
        row: NDArray[np.uint64] = self._rows[0].copy()
        return row

    @property
    def row_bytes(self) -> bytes:
        """The same, as bytes."""
        row: bytes = self._rows[0].tobytes()
        return row

    @property
    def state(self) -> State:
        """The state as a value: for pictures, and for players."""
        return State(self.encoding.game, self.row_bytes, step=self.length)
