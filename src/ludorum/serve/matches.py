"""The matches that are on, and what is answered to every message."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from ludorum.clock import ALL_DAY
from ludorum.grammar import agree
from ludorum.protocol.messages import Abort, Info, Message, Play, Preview, Start, Stop
from ludorum.protocol.replies import ABORTED, BUSY, DONE, READY, Status
from ludorum.serve.hosting import Hosting, Loading
from ludorum.serve.margin import Margin
from ludorum.serve.options import Options
from ludorum.serve.previews import Previews
from ludorum.serve.process import workshop
from ludorum.serve.refusal import Refusal
from ludorum.serve.served_match import ServedMatch
from ludorum.serve.slots import Slots

# How often is looked for matches that nobody remembers.
_SWEEP = 5.0
# So many ends of matches are remembered.
_MOST_FAREWELLS = 100


class Matches:
    """Belongs to one event loop. Matches are told apart by their names in any letter case."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._log = options.log
        self._matches: dict[str, ServedMatch] = {}
        #: What ended a match, so that it is answered again where the first answer was lost.
        self._farewells: deque[Stop | Abort] = deque(maxlen=_MOST_FAREWELLS)
        self._hosting = Hosting(options, workshop(), Slots(options.cores, self._count), Loading(options.cores),
                                Margin(options.margin), self._count)
        self._previews = Previews(self._hosting)

    def _count(self) -> int:
        return len(self._matches)

    @property
    def status(self) -> Status:
        is_full = len(self._matches) >= self._options.matches
        return Status(self._options.name, "busy" if is_full else "available")

    def find(self, name: str) -> ServedMatch | None:
        return self._matches.get(name.lower())

    async def answer(self, message: Message, received: float, delay: float = 0.0) -> str:
        """The reply to a message that came at a moment over a connection with a delay; raises Refusal."""
        match message:
            case Info():
                return str(self.status)
            case Preview():
                self._previews.look(message)
                return READY
            case Start():
                return await self._start(message, received, delay)
            case Play(name, news):
                return await self._known(name).play(news, received, delay)
            case Stop():
                self._end(message)
                return DONE
            case Abort():
                self._end(message)
                return ABORTED

    async def _start(self, start: Start, received: float, delay: float) -> str:
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
        match = self._matches[name] = ServedMatch(start, self._hosting)
        try:
            await match.begin(received, delay)
        except BaseException:
            if self._matches.get(name) is match:
                del self._matches[name]
            match.close()
            raise
        return READY

    def _known(self, name: str) -> ServedMatch:
        match = self.find(name)
        if match is None:
            raise Refusal(404, "unknown-match", f"there is no match {name} here")
        return match

    def _end(self, farewell: Stop | Abort) -> None:
        if self.find(farewell.match) is None and farewell in self._farewells:
            return
        self._known(farewell.match).close()
        del self._matches[farewell.match.lower()]
        self._farewells.append(farewell)
        self._log.info("%s: over", farewell.match)

    # ---- the life of the server ----

    async def sweep(self) -> None:
        """Forget matches that were not heard of for long; never ends."""
        while True:
            await asyncio.sleep(min(_SWEEP, self._options.idle / 2))
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
