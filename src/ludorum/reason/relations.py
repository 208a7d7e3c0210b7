"""The relational engine: join plans over relations, evaluated by the core without grounding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludorum._core import OutOfMemory, OutOfTime, Simulator, Unstratified
from ludorum.errors import TooLarge, TooSlow, UnknownFluent, UnstratifiedRules
from ludorum.gdl.terms import Term
from ludorum.reason.playouts import Playouts
from ludorum.relations import Fitted

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

    def __init__(self, fitted: Fitted) -> None:
        self.fitted = fitted
        self.roles = fitted.program.roles
        self._simulator = fitted.simulator
        self._symbols = fitted.program.symbols
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

    def simulator(self, position: Row | None = None) -> Simulator:
        """What the core's searches play with, from any position."""
        return self._simulator

    def row(self, position: Row) -> NDArray[np.uint64]:
        """A position as the core's searches take it."""
        return _state(position)

    @property
    def moves(self) -> tuple[tuple[Term, ...], ...]:
        """For every role the moves that were met with so far, in the order of their numbers."""
        _, counts, _ = self._simulator.known()
        return tuple(tuple(self._move(role, number) for number in range(count)) for role, count in enumerate(counts))

    def describe(self) -> dict[str, Any]:
        """How the plans came about: procedures, relations that are computed whole, trials, steps a state."""
        return dict(self.fitted.report)

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
