"""Holding a market: from lines to traders to a record that replays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ludorum.errors import InvalidRecord
from ludorum.game import Game
from ludorum.marketplace.lines import Line, TickingSeat, Ticks
from ludorum.match import record as records
from ludorum.match.record import Record
from ludorum.match.referee import Watch, conduct, contenders, resume, seating
from ludorum.match.seat import Seat
from ludorum.move import Move
from ludorum.players import Clocks

# Beyond its tick a market may take so long for everything else, before the referee plays on without a trader.
_GRACE_S = 5.0


def hold(game: Game, lines: Mapping[str, Line], *, silent: Move, tick: float = 1.0, opening: float = 60.0,
         seed: int = 0, path: str | Path | None = None, going_on: bool = False, match: str | None = None,
         watch: Watch | None = None, ticks: Ticks | None = None) -> Record:
    """Hold a market until it closes, and return its record.

    It opens when all traders are there, or after `opening` seconds. With a `path` the record is kept there after every
    step, so that a kill loses the tick in progress at most; `going_on` takes such a market up again. Who wants ticks to
    end at other times than after `tick` seconds hands over `ticks`. Raises MissingPlayer, UnknownRole or InvalidRecord.
    """
    ticks = ticks or Ticks(tick, contenders(game), opening)
    seats: dict[str, Seat] = {role: TickingSeat(line, silent, ticks) for role, line in seating(game, lines).items()}
    if going_on:
        if path is None:
            raise InvalidRecord("a market goes on from its record, and none is named")
        return resume(game, seats, records.read(path), path=path, watch=watch)
    return conduct(game, seats, clocks=Clocks(opening, tick, _GRACE_S), seed=seed, path=path, match=match, watch=watch)
