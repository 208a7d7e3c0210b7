"""From what people type to seats: `mcts:seconds=2`, `module:Class`, or the address of an HTTP player."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.errors import MissingPlayer, UnknownPlayer
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.match.referee import contenders
from ludorum.match.remote import RemoteSeat
from ludorum.match.seat import LocalSeat, Seat
from ludorum.move import Role
from ludorum.players import named
from ludorum.protocol.client import is_address


def invite(text: str, *, seed: int | None = None, name: str | None = None) -> Seat:
    """A seat for the player meant; raises UnknownPlayer.

    `seed` holds for a player that takes one and was not given another.
    """
    if is_address(text):
        return RemoteSeat(text, name)
    return LocalSeat(named(text, **({} if seed is None else {"seed": seed})), name, text)


def assign(game: Game, texts: Sequence[str]) -> dict[Role, str]:
    """Which text is meant for which role: `role=PLAYER`, and the others in the order of the roles left.

    `random` needs none. Raises UnknownRole, MissingPlayer if there are too few and UnknownPlayer if there are too many.
    """
    by_role: dict[Role, str] = {}
    in_order = []
    for text in texts:
        before, equals, after = text.partition("=")
        # The options of a player come after a colon.
        if not equals or ":" in before:
            in_order.append(text)
        elif (role := game.role(before)) in by_role:
            raise UnknownPlayer(f"{role} has two players: {by_role[role]} and {after}")
        else:
            by_role[role] = after
    free = [role for role in contenders(game) if role not in by_role]
    if len(in_order) != len(free):
        raise (MissingPlayer if len(in_order) < len(free) else UnknownPlayer)(
            f"{game.name} has seats for {' and '.join(contenders(game)) or 'nobody'}, and {len(texts)} "
            f"{agree(len(texts), 'was', 'were')} named to sit there")
    return by_role | dict(zip(free, in_order, strict=True))
