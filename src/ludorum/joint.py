"""Joint moves: from what people say to one move a role.

People say only what is chosen. A role with one legal move may be left out, and a move alone is enough where
just one role has a choice, so that the same words play turn-taking and simultaneous games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ludorum.errors import GameOver, IllegalMove, MissingMove, NoLegalMove
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.move import Move, MoveLike, as_term, as_terms

if TYPE_CHECKING:
    from ludorum.state import State

#: Whatever `State.after` understands: moves by role, one move a role in their order, or the only chosen move.
JointLike = Mapping[Any, MoveLike] | Sequence[MoveLike] | MoveLike


def joint_move(state: State, said: JointLike) -> tuple[Term, ...]:
    """One legal move a role, completed from what was said.

    Raises GameOver, NoLegalMove, MissingMove, IllegalMove or UnknownRole.
    """
    _require_successors(state)
    if isinstance(said, Mapping):
        return _complete(state, {state.game.role(role): as_term(move) for role, move in said.items()})
    if isinstance(said, str | Move | Term):
        return _complete(state, _attribute(state, as_term(said)))
    roles = state.game.roles
    terms = as_terms(said)
    if (said_count := len(terms)) != (count := len(roles)):
        raise (MissingMove if said_count < count else IllegalMove)(
            f"{said_count} {agree(said_count, 'move')} for the {count} {agree(count, 'role')} of {state.describe()}")
    return _complete(state, dict(zip(roles, terms, strict=True)))


def follow(state: State, said: str | Iterable[JointLike]) -> State:
    """The state after a series of moves.

    A text, or single moves, name the moves of the roles that have a choice, step by step in the order of the
    roles. Steps where no role has a choice are made on the way; naming a move of such a step does no harm.
    Joint moves can be told as mappings or sequences.
    """
    items: list[JointLike] = list(as_terms(said)) if isinstance(said, str) else list(said)
    items.reverse()
    while items:
        if isinstance(items[-1], str | Move | Term):
            state = state.after(_next_choices(state, items))
        else:
            state = state.after(items.pop())
    return state


def goes_on(state: State) -> bool:
    """Whether there is a next step: the game is not over, and every role has a legal move."""
    return not state.is_terminal and all(map(state.legal, state.game.roles))


def _next_choices(state: State, items: list[JointLike]) -> dict[str, MoveLike]:
    """Take from the end of a reversed list the moves of this step."""
    _require_successors(state)
    chosen: dict[str, MoveLike] = {}
    for role in state.choosers:
        if items and isinstance(items[-1], str | Move | Term):
            chosen[role] = as_term(items.pop())  # type: ignore[arg-type]
    if not chosen and any(items[-1] in state.legal(role) for role in state.game.roles):
        items.pop()
    return chosen


def _require_successors(state: State) -> None:
    if state.is_terminal:
        raise GameOver(f"{state.describe()} is over")
    for role in state.game.roles:
        if not state.legal(role):
            raise NoLegalMove(f"{role} has no legal move in {state.describe()}")


def _attribute(state: State, move: Term) -> dict[str, Term]:
    """Whose move it must be, told nothing but the move."""
    roles = state.game.roles if len(state.game.roles) == 1 else state.choosers
    if len(roles) == 1:
        return {roles[0]: move}
    if roles:
        raise MissingMove(f"{move} does not say whose move it is in {state.describe()}: "
                          f"{' and '.join(roles)} have a choice")
    for role in state.game.roles:
        if move in state.legal(role):
            return {role: move}
    raise IllegalMove(f"nobody can play {move} in {state.describe()}")


def _complete(state: State, chosen: Mapping[str, Term]) -> tuple[Term, ...]:
    joint = []
    for role in state.game.roles:
        legal = state.legal(role)
        if role not in chosen:
            if len(legal) > 1:
                raise MissingMove(f"{role} has a choice in {state.describe()}; legal: {legal}")
            joint.append(legal[0].term)
        elif chosen[role] in legal:
            joint.append(chosen[role])
        else:
            raise IllegalMove(f"{role} cannot play {chosen[role]} in {state.describe()}; legal: {legal}")
    return tuple(joint)
