"""The relational engine: join plans over relations, evaluated by the core without grounding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludorum._core import OutOfMemory, OutOfTime, Simulator, Unstratified
from ludorum.engines.batch import Batch
from ludorum.engines.playouts import Playouts
from ludorum.errors import TooLarge, TooSlow, UnknownFluent, UnstratifiedRules
from ludorum.gdl.terms import Term
from ludorum.relations import JoinPlans

#: A row of bits, one a fluent that was met with; hashable, so it can be a position.
Row = bytes

_P = ParamSpec("_P")
_T = TypeVar("_T")


class RelationsReasoner:
    """Answers by joins over indexed tables. A position is a row of bits (see native/relations).

    A question that takes longer than its budget raises TooSlow, one that needs more memory TooLarge; others may be
    asked all the same.
    """

    name = "relations"

    def __init__(self, plans: JoinPlans) -> None:
        self.plans = plans
        self.roles = plans.program.roles
        self._simulator = plans.simulator
        self._symbols = plans.program.symbols
        self._fluents: dict[int, Term] = {}
        self._moves: list[dict[int, Term]] = [{} for _ in self.roles]
        self.initial: Row = _asked(self._simulator.initial).tobytes()

    # ---- one position ----

    def position(self, fluents: Iterable[Term]) -> Row:
        """The position where exactly these hold; which fluents are possible is known only of their symbols."""
        texts = []
        for fluent in fluents:
            try:
                texts.append(self._symbols.text(fluent))
            except KeyError:
                raise UnknownFluent(f"{fluent} cannot hold in any state of this game") from None
        return self._simulator.row(texts).tobytes()

    def fluents(self, position: Row) -> frozenset[Term]:
        return frozenset(map(self._fluent, self._simulator.fluents(_state(position))))

    def legal(self, position: Row) -> tuple[tuple[Term, ...], ...]:
        numbers = _asked(self._simulator.moves, _state(position))
        return tuple(tuple(sorted((self._move(role, number) for number in of_role), key=str))
                     for role, of_role in enumerate(numbers))

    def is_terminal(self, position: Row) -> bool:
        return _asked(self._simulator.is_terminal, _state(position))

    def goals(self, position: Row) -> tuple[int | None, ...]:
        values = _asked(self._simulator.goals_of, _state(position))
        return tuple(None if value < 0 else value for value in values)

    def after(self, position: Row, joint: Sequence[Term]) -> Row:
        return _asked(self._simulator.after, _state(position), self._joint(joint)).tobytes()

    def percepts(self, position: Row, joint: Sequence[Term]) -> tuple[frozenset[Term], ...]:
        told = _asked(self._simulator.told, _state(position), self._joint(joint))
        return tuple(frozenset(self._symbols.term(self._simulator.percept(role, number)) for number in of_role)
                     for role, of_role in enumerate(told))

    # ---- many at once ----

    def playouts(self, n: int, position: Row, *, seed: int = 0, threads: int = 1, max_steps: int = 10_000,
                 lanes: int | None = None) -> Playouts:
        goals, lengths, outcomes, *_ = _asked(self._simulator.playouts, _state(position), n, seed & (2**64 - 1),
                                              threads, max_steps, 0)
        return Playouts(tuple(map(str, self.roles)), goals, lengths, outcomes)

    def perft(self, position: Row, depth: int) -> list[int]:
        return list(_asked(self._simulator.perft, _state(position), depth))

    def batch(self, n: int, position: Row | None = None, *, max_steps: int = 10_000, threads: int = 1) -> Batch:
        return Batch(self._simulator, self._known, _state(self.initial if position is None else position), n,
                     max_steps=max_steps, threads=threads)

    def _known(self) -> tuple[tuple[Term, ...], tuple[tuple[Term, ...], ...]]:
        fluents, *_ = self._simulator.known()
        return tuple(map(self._fluent, range(fluents))), self.moves

    def simulator(self, position: Row | None = None) -> Simulator:
        """What the core's searches play with, from any position."""
        return self._simulator

    def row(self, position: Row) -> NDArray[np.uint64]:
        """A position as the core's searches take it."""
        return _state(position)

    def move_number(self, seat: int, move: Term) -> int | None:
        """The number of a move, None if no term like it can be; raises TooLarge where rows have no room for it."""
        try:
            number: int = self._simulator.move_number(seat, self._symbols.text(move))
        except KeyError:
            return None
        if number >= self._simulator.move_counts[seat]:
            raise TooLarge(f"{self.roles[seat]} has more different moves than there is room for")
        return number

    def percept_terms(self, seat: int, row: NDArray[np.uint64]) -> frozenset[Term]:
        of_role = self._simulator.percept_roles
        return frozenset(self._symbols.term(self._simulator.percept(seat, number - of_role.index(seat)))
                         for number in np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()
                         if of_role[number] == seat)

    def percept_row(self, seat: int, percepts: Collection[Term]) -> NDArray[np.uint64] | None:
        """What a role is told as a row of all percepts, None if that cannot be; raises TooLarge for lack of room."""
        of_role = self._simulator.percept_roles
        room, first = of_role.count(seat), sum(role < seat for role in of_role)
        bits = np.zeros((len(of_role) + 63) // 64 * 64, dtype=np.uint8)
        for percept in percepts:
            try:
                number = self._simulator.percept_number(seat, self._symbols.text(percept))
            except KeyError:
                return None
            if number >= room:
                raise TooLarge(f"{self.roles[seat]} has more different percepts than there is room for")
            bits[first + number] = 1
        return np.packbits(bits, bitorder="little").view(np.uint64)

    @property
    def moves(self) -> tuple[tuple[Term, ...], ...]:
        """For every role the moves that were met with so far, in the order of their numbers."""
        _, counts, _ = self._simulator.known()
        return tuple(tuple(self._move(role, number) for number in range(count)) for role, count in enumerate(counts))

    def describe(self) -> dict[str, Any]:
        """How the plans came about: procedures, relations that are computed whole, trials, steps a state."""
        return dict(self.plans.report)

    # ---- terms to numbers ----

    def _fluent(self, number: int) -> Term:
        if number not in self._fluents:
            self._fluents[number] = self._symbols.term(self._simulator.fluent(number))
        return self._fluents[number]

    def _move(self, role: int, number: int) -> Term:
        if number not in self._moves[role]:
            self._moves[role][number] = self._symbols.term(self._simulator.move(role, number))
        return self._moves[role][number]

    def _joint(self, joint: Sequence[Term]) -> list[int]:
        return [self._simulator.move_number(role, self._symbols.text(move)) for role, move in enumerate(joint)]


def _state(position: Row) -> NDArray[np.uint64]:
    return np.frombuffer(position, dtype=np.uint64)


def _asked(question: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """The answer to a question to the core, with its errors in our words."""
    try:
        return question(*args, **kwargs)
    except OutOfTime as error:
        raise TooSlow(f"the relations engine gave up: {error}") from None
    except OutOfMemory as error:
        raise TooLarge(f"the relations engine gave up: {error}") from None
    except Unstratified as error:
        raise UnstratifiedRules([str(error)]) from None
