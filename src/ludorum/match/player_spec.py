"""Player specifications, from what people type to seats: `mcts:seconds=2`, `module:Class`, or an HTTP address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ludorum.clock import Deadline
from ludorum.errors import MissingPlayer, UnknownPlayer
from ludorum.game import Game
from ludorum.grammar import agree
from ludorum.match.referee import contenders
from ludorum.match.remote import RemoteSeat
from ludorum.match.seat import LocalSeat, Seat
from ludorum.players import named
from ludorum.protocol.client import is_address

# A player that does not say its name in so many seconds has none.
_INTRODUCTION_S = 1.0


def seat_for(text: str, *, seed: int | None = None, name: str | None = None) -> Seat:
    """A seat for the player meant; raises UnknownPlayer.

    `seed` holds for a player that takes one and was not given another.
    """
    if is_address(text):
        return RemoteSeat(text, name)
    return LocalSeat(named(text, **({} if seed is None else {"seed": seed})), name, text)


def introduce(seats: Mapping[str, Seat]) -> None:
    """Have those who play elsewhere say what they are called; where several say the same, their addresses follow."""
    elsewhere = [seat for seat in seats.values() if isinstance(seat, RemoteSeat)]
    for seat in elsewhere:
        seat.introduce(Deadline.within(_INTRODUCTION_S))
    names = Counter(seat.name for seat in seats.values())
    for seat in elsewhere:
        if names[seat.name] > 1 and seat.name != seat.spec:
            seat.name = f"{seat.name} at {seat.spec}"


def assign(game: Game, texts: Sequence[str]) -> dict[str, str]:
    """Which text is meant for which role: `role=PLAYER`, and the others in the order of the roles left.

    `random` needs none. Raises UnknownRole, MissingPlayer if there are too few and UnknownPlayer if there are too many.
    """
    by_role: dict[str, str] = {}
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
    by_role |= zip(free, in_order, strict=True)
    return {role: by_role[role] for role in game.roles if role in by_role}
