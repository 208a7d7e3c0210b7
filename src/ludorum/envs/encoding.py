"""How a game looks to a program that learns: fluents as planes, moves as numbers, roles as agents."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.structures import structures
from ludorum.analysis.structures.boards import Board
from ludorum.errors import UnknownRole
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.loading import load
from ludorum.move import Move, MoveLike, as_term

#: One number a fluent, or planes of a board with everything that stands on no cell as a plane of its own.
Layout = Literal["flat", "board"]


@dataclass(frozen=True)
class Encoding:
    """The numbers of a game's fluents, moves and percepts: the same for the same rules, in every process.

    In a game with secrets an observation never holds the state: it is what the role was told since its last action, a
    bit a percept, and that action, a bit a move.
    """

    game: Game
    layout: Layout = "flat"

    def __post_init__(self) -> None:
        if self.layout not in ("flat", "board"):
            raise ValueError(f"there is no layout {self.layout!r}; there are 'flat' and 'board'")
        if self.layout == "board" and self._board is None:
            raise ValueError(f"no board of two dimensions was found in {self.game.name}; its layout is 'flat'")

    @classmethod
    def of(cls, what: Game | str, layout: Layout = "flat") -> Encoding:
        """Of a game, or of what `ludorum.load` takes. Raises NoCircuit where fluents have no numbers beforehand."""
        return cls(what if isinstance(what, Game) else load(what), layout)

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """All roles, chance included, in the order of the rules."""
        return tuple(map(str, self.game.roles))

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The roles that somebody plays."""
        return tuple(role for role in self.roles if role != RANDOM)

    @cached_property
    def fluents(self) -> tuple[Term, ...]:
        return self.game.circuit.fluents

    @cached_property
    def moves(self) -> dict[str, tuple[Move, ...]]:
        """By role; action k of a role is its move k."""
        return {role: tuple(map(Move, moves)) for role, moves in zip(self.roles, self.game.circuit.moves, strict=True)}

    @cached_property
    def percepts(self) -> dict[str, tuple[Term, ...]]:
        """By role what it may ever be told."""
        return {role: tuple(term for term, _ in told)
                for role, told in zip(self.roles, self.game.circuit.percepts, strict=True)}

    @cached_property
    def has_secrets(self) -> bool:
        """Whether the rules say what each role is told, or leave something to chance."""
        return RANDOM in self.roles or any(rule.head.name == "sees" for rule in self.game.rules.rules)

    @cached_property
    def digest(self) -> str:
        """Stands for all these numbers: two encodings with the same digest are the same."""
        parts = [*map(str, self.fluents), *(f"{role} {move}" for role in self.roles for move in self.moves[role]),
                 *(f"{role} {percept}" for role in self.roles for percept in self.percepts[role]), self.layout]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def action(self, role: str, move: MoveLike) -> int:
        """The number of a move; raises KeyError for one that the role never has."""
        return self._numbers[self._role(role)][as_term(move)]

    def move(self, role: str, action: int) -> Move:
        return self.moves[self._role(role)][action]

    @cached_property
    def _numbers(self) -> dict[str, dict[Term, int]]:
        return {role: {as_term(move): number for number, move in enumerate(moves)}
                for role, moves in self.moves.items()}

    def _role(self, role: str) -> str:
        if role not in self.roles:
            raise UnknownRole(f"{self.game.name} has no role {role}; its roles are {', '.join(self.roles)}")
        return role

    # ---- observations ----

    def shape(self, role: str) -> tuple[int, ...]:
        """The shape of an observation of a role."""
        if self.has_secrets:
            return (len(self.percepts[role]) + len(self.moves[role]),)
        if self._board is None or self.layout == "flat":
            return (len(self.fluents),)
        return self._board.shape

    def observe(self, fluents: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Fluents as bytes, uint8 [games, fluents], in this layout."""
        return fluents if self.layout == "flat" or self._board is None else self._board.lay_out(fluents)

    @cached_property
    def _board(self) -> _Planes | None:
        boards = [board for board in structures(self.game).boards if len(board.axes) == len(board.dimensions) == 2]
        return _Planes(max(boards, key=lambda board: len(board.cells)), self.fluents) if boards else None


class _Planes:
    """Where the fluents go: a plane for every content of the board, then one for every other fluent."""

    def __init__(self, board: Board, fluents: tuple[Term, ...]) -> None:
        columns, rows = board.extents
        places = [{value: at for at, value in enumerate(axis.values)} for axis in board.axes]
        self._cells: list[int] = []
        self._targets: list[int] = []
        self._others: list[int] = []
        planes: dict[tuple[str, ...], int] = {}
        for number, fluent in enumerate(fluents):
            layer = board.layer(fluent)
            if layer is None:
                self._others.append(number)
                continue
            row = layer.table.read(fluent)
            if any(value not in place for place, value in zip(places, layer.cell(row), strict=True)):
                self._others.append(number)
                continue
            x, y = (place[value] for place, value in zip(places, layer.cell(row), strict=True))
            plane = planes.setdefault((layer.table.name, *layer.words(row)), len(planes))
            self._cells.append(number)
            self._targets.append((plane * rows + y) * columns + x)
        self._contents = len(planes)
        self.shape = (len(planes) + len(self._others), rows, columns)

    def lay_out(self, fluents: NDArray[np.uint8]) -> NDArray[np.uint8]:
        planes = np.zeros((len(fluents), *self.shape), dtype=np.uint8)
        planes.reshape(len(fluents), -1)[:, self._targets] = fluents[:, self._cells]
        planes[:, self._contents:] = fluents[:, self._others, None, None]
        return planes
