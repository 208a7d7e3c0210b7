"""A state of a game: what is true now, who can do what, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, overload

from ludorum.engines.protocol import Position
from ludorum.gdl.terms import Term
from ludorum.joint import JointLike, joint_move
from ludorum.move import Move, MoveLike, Role, as_term

if TYPE_CHECKING:
    from ludorum.game import Game

# More of them would hide the rest of an error message.
_SHOWN = 3


class LegalMoves(Sequence[Move]):
    """The legal moves of a role, sorted by their text: iterate, count, index, test with `in`."""

    __slots__ = ("_terms",)

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self._terms = terms

    def __len__(self) -> int:
        return len(self._terms)

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> LegalMoves: ...

    def __getitem__(self, index: int | slice) -> Move | LegalMoves:
        return LegalMoves(self._terms[index]) if isinstance(index, slice) else Move(self._terms[index])

    def __iter__(self) -> Iterator[Move]:
        return map(Move, self._terms)

    def __contains__(self, move: object) -> bool:
        return isinstance(move, MoveLike) and as_term(move) in self._terms

    def __eq__(self, other: object) -> bool:
        return self._terms == other._terms if isinstance(other, LegalMoves) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._terms)

    def __repr__(self) -> str:
        return f"<LegalMoves: {self}>"

    def __str__(self) -> str:
        if not self._terms:
            return "none"
        shown = self._terms if len(self) <= _SHOWN else self._terms[:_SHOWN - 1]
        more = [f"… {len(self) - len(shown)} more"] if len(shown) < len(self) else []
        return ", ".join([*map(str, shown), *more])


class Fluents(frozenset[Term]):
    """What is true: a frozen set of terms, where a text is as good as a term to test with `in`."""

    __slots__ = ()

    if TYPE_CHECKING:
        # A set literal may be compared with it, which type checkers think can never be equal.
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    def __contains__(self, fluent: object) -> bool:
        return frozenset.__contains__(self, as_term(fluent) if isinstance(fluent, str | Move) else fluent)


class State:
    """A state of a game: a value, hashable, equal to any state of the same rules where the same fluents hold.

    `str` lists the fluents in GDL; `ludorum.draw` shows them as a board.
    """

    __slots__ = ("_arrival", "_fluents", "_game", "_legal", "_position", "_step")

    def __init__(self, game: Game, position: Position, *, step: int | None = None,
                 arrival: tuple[Position, tuple[Term, ...]] | None = None) -> None:
        self._game = game
        self._position = position
        self._step = step
        self._arrival = arrival
        self._fluents: Fluents | None = None
        self._legal: tuple[LegalMoves, ...] | None = None

    @property
    def game(self) -> Game:
        return self._game

    @property
    def position(self) -> Position:
        """The state as the game's engine knows it."""
        return self._position

    @property
    def step(self) -> int | None:
        """How many joint moves led here from the initial state, None if that is not known."""
        return self._step

    def describe(self) -> str:
        """The game and the step, counted from 1: where this is, for messages."""
        return self._game.name if self._step is None else f"{self._game.name} at step {self._step + 1}"

    @property
    def fluents(self) -> Fluents:
        """What is true."""
        if self._fluents is None:
            self._fluents = Fluents(self._game.reasoner.fluents(self._position))
        return self._fluents

    def holds(self, fluent: MoveLike) -> bool:
        """Whether a fluent is true, such as `state.holds("(control white)")`; raises InvalidTerm."""
        return as_term(fluent) in self.fluents

    @property
    def is_terminal(self) -> bool:
        return self._game.reasoner.is_terminal(self._position)

    @property
    def goals(self) -> dict[str, int | None]:
        """For every role its goal value, None where no value or several hold."""
        return dict(zip(self._game.roles, self._game.reasoner.goals(self._position), strict=True))

    @property
    def percepts(self) -> dict[str, frozenset[Term]]:
        """For every role what it was told on arriving here by `after` (GDL-II); equality ignores it."""
        told: tuple[frozenset[Term], ...] = (frozenset(),) * len(self._game.roles)
        if self._arrival is not None:
            told = self._game.reasoner.percepts(*self._arrival)
        return dict(zip(self._game.roles, told, strict=True))

    def legal(self, role: str) -> LegalMoves:
        """The legal moves of a role; raises UnknownRole."""
        if self._legal is None:
            self._legal = tuple(map(LegalMoves, self._game.reasoner.legal(self._position)))
        return self._legal[self._game.roles.index(self._game.role(role))]

    @property
    def choosers(self) -> tuple[Role, ...]:
        """The roles with more than one legal move."""
        return tuple(role for role in self._game.roles if len(self.legal(role)) > 1)

    def after(self, moves: JointLike | None = None, /, **by_role: MoveLike) -> State:
        """The state after a joint move.

        The moves come as a mapping or keywords by role, as one move a role in the order of the roles, or
        alone where just one role has a choice. A role with one legal move may be left out.

        Raises GameOver, NoLegalMove, IllegalMove, MissingMove or UnknownRole.
        """
        if moves is not None and by_role:
            raise TypeError("the moves come in one argument or as keywords, not both")
        joint = joint_move(self, by_role if moves is None else moves)
        return State(self._game, self._game.reasoner.after(self._position, joint),
                     step=None if self._step is None else self._step + 1, arrival=(self._position, joint))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self._game is other._game:
            return self._position == other._position
        return self.fluents == other.fluents and self._game.rules == other._game.rules

    def __hash__(self) -> int:
        # Not the position's hash: states of two engines may be equal.
        return hash(self.fluents)

    # A state is a value, so a copy of it is the state itself.

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[Callable[..., State], tuple[object, ...]]:
        # By its fluents: another process may number them otherwise.
        came = None
        if self._arrival is not None:
            before, joint = self._arrival
            came = tuple(self._game.reasoner.fluents(before)), joint
        return _unpickled, (self._game, tuple(self.fluents), self._step, came)

    def __repr__(self) -> str:
        return f"{self._game!r}.state({' '.join(sorted(map(str, self.fluents)))!r})"

    def __str__(self) -> str:
        return "\n".join(sorted(map(str, self.fluents)))

    def _repr_svg_(self) -> str:
        """The state as a picture, for notebooks."""
        # Notebooks ask a value for its picture, so this is the one place where a value knows who draws it.
        picture: str = import_module("ludorum.draw").scene(self).svg()
        return picture


def _unpickled(game: Game, fluents: tuple[Term, ...], step: int | None,
               came: tuple[tuple[Term, ...], tuple[Term, ...]] | None) -> State:
    """The state with these fluents, told where it came from and by which joint move."""
    position = game.reasoner.position
    return State(game, position(fluents), step=step, arrival=None if came is None else (position(came[0]), came[1]))
