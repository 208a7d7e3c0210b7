"""The matches that are on, and what is answered to every message."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass

from ludorum.clock import ALL_DAY
from ludorum.errors import Refusal
from ludorum.grammar import agree
from ludorum.players.search_info import Origin
from ludorum.protocol.messages import Abort, Info, Message, Play, Preview, Start, Stop
from ludorum.protocol.replies import ABORTED, BUSY, DONE, READY, Status
from ludorum.serve.hosting import Hosting, Loading
from ludorum.serve.margin import Margin
from ludorum.serve.options import Options
from ludorum.serve.origins import MoveCounts
from ludorum.serve.previews import Previews
from ludorum.serve.process import workshop
from ludorum.serve.served_match import ServedMatch
from ludorum.serve.slots import Slots

# How often is looked for matches that nobody remembers.
_SWEEP_S = 5.0
# So many ends of matches are remembered.
_MAX_FAREWELLS = 100


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of an answer and, if it is a move, how that came about."""

    text: str
    origin: Origin | None = None


class Matches:
    """Belongs to one event loop. Matches are told apart by their names in any letter case."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._log = options.log
        self._matches: dict[str, ServedMatch] = {}
        #: How the moves of all matches came about.
        self.counts = MoveCounts()
        #: What ended a match, so that it is answered again where the first answer was lost.
        self._farewells: deque[Stop | Abort] = deque(maxlen=_MAX_FAREWELLS)
        self._hosting = Hosting(options, workshop(), Slots(options.cores, self._count), Loading(options.cores),
                                Margin(options.margin), self.counts, self._count)
        self._previews = Previews(self._hosting)

    def _count(self) -> int:
        return len(self._matches)

    @property
    def status(self) -> Status:
        is_full = len(self._matches) >= self._options.matches
        return Status(self._options.name, "busy" if is_full else "available")

    def find(self, name: str) -> ServedMatch | None:
        return self._matches.get(name.lower())

    async def answer(self, message: Message, received: float, delay: float = 0.0, client: str | None = None) -> Reply:
        """The reply to a message that came at a moment, over a connection with a delay, from an address.

        Raises Refusal.
        """
        match message:
            case Info():
                return Reply(str(self.status))
            case Preview():
                self._previews.look(message)
                return Reply(READY)
            case Start():
                return Reply(await self._start(message, received, delay, client))
            case Play(name, news):
                answer = await self._known(name, client).play(news, received, delay)
                return Reply(answer.move, answer.origin)
            case Stop():
                self._end(message, client)
                return Reply(DONE)
            case Abort():
                self._end(message, client)
                return Reply(ABORTED)

    @property
    def report(self) -> dict[str, object]:
        """How the server is doing, for programs."""
        return {"name": self._options.name, "status": self.status.status, "matches": len(self._matches),
                "moves": self.counts.as_dict()}

    async def _start(self, start: Start, received: float, delay: float, client: str | None) -> str:
        name = start.match.lower()
        if max(start.start_clock, start.play_clock) > ALL_DAY:
            raise Refusal(400, "bad-clock", f"a clock of more than {ALL_DAY:g} seconds")
        # As players of the field did: the match that is on goes on, whoever else wants to start one.
        if name in self._matches:
            self._log.warning("%s: a second start is refused", start.match)
            return BUSY
        if len(self._matches) >= self._options.matches:
            self._log.warning("%s: refused, %d %s on", start.match, len(self._matches),
                              agree(len(self._matches), "match is", "matches are"))
            return BUSY
        self._log.info("%s: starts as %s, clocks %g s and %g s", start.match, start.role, start.start_clock,
                       start.play_clock)
        match = self._matches[name] = ServedMatch(start, self._hosting, client)
        try:
            await match.begin(received, delay)
        except BaseException:
            if self._matches.get(name) is match:
                del self._matches[name]
            match.close()
            raise
        return READY

    def _known(self, name: str, client: str | None) -> ServedMatch:
        """The match of this name, if it belongs to who asks for it."""
        match = self.find(name)
        if match is None:
            raise Refusal(404, "unknown-match", f"there is no match {name} here")
        if match.owner is not None and client != match.owner and not self._options.any_referee:
            raise Refusal(403, "not-yours", f"the match {name} was started from another address")
        return match

    def _end(self, farewell: Stop | Abort, client: str | None) -> None:
        if self.find(farewell.match) is None and farewell in self._farewells:
            return
        match = self._known(farewell.match, client)
        match.close()
        del self._matches[farewell.match.lower()]
        self._farewells.append(farewell)
        self._log.info("%s: over; moves: %s", farewell.match, match.counts)

    # ---- the life of the server ----

    async def sweep(self) -> None:
        """Forget matches that were not heard of for long; never ends."""
        while True:
            await asyncio.sleep(min(_SWEEP_S, self._options.idle / 2))
            now = time.monotonic()
            for name, match in list(self._matches.items()):
                patience = self._options.idle + match.start.start_clock + match.start.play_clock
                if now - match.touched > patience:
                    self._log.warning("%s: forgotten, nothing was heard for %g s", match.start.match, patience)
                    match.close()
                    del self._matches[name]

    def hurry(self) -> None:
        """Answer whatever is asked with what is known now."""
        for match in self._matches.values():
            match.hurry()

    def close(self) -> None:
        self._previews.close()
        for match in self._matches.values():
            match.close()
        self._matches.clear()
