"""All matches of a server: those that somebody plays or watches have a process, the others are records on disk."""

from __future__ import annotations

import asyncio
import time
from multiprocessing.context import ForkServerContext
from typing import Any

from ludorum import library
from ludorum.errors import Refusal
from ludorum.match.record import Record
from ludorum.web.helper import Helper
from ludorum.web.live_match import LiveMatch, new_record
from ludorum.web.options import WebOptions
from ludorum.web.orders import MatchTask
from ludorum.web.seats import PERSON, seating
from ludorum.web.store import Store
from ludorum.web.worker import work

# So often is looked for processes that nobody needs, in seconds.
_SWEEP_S = 5.0
_LOADING_EXTRA_S = 20.0
_LONGEST_CLOCK_S = 86_400.0


class Matches:
    def __init__(self, options: WebOptions, context: ForkServerContext) -> None:
        self._options = options
        self._context = context
        self.store = Store(options.data, options.most_matches)
        self._live: dict[str, LiveMatch] = {}
        self._starting = 0

    @property
    def live(self) -> list[LiveMatch]:
        """Those that have a process."""
        return [match for match in self._live.values() if match.is_open]

    async def new(self, told: dict[str, Any]) -> LiveMatch:
        """A match of a game of the library (`game`) or of `rules`; raises Refusal, TooSlow or UnknownGame."""
        name, text = _rules(told, self._options.most_rules)
        self.store.check_room()
        match = self.store.new_id()
        helper, loaded = await self._load(match, name, text)
        try:
            seats = seating(loaded["roles"], told.get("seats"), allows_remote=self._options.allows_remote_players)
            record = new_record(match, name, loaded, seats, _clock(told.get("play_clock")))
        except BaseException:
            helper.kill()
            raise
        return self._adopt(record, helper, loaded)

    async def preview(self, rules: str) -> dict[str, Any] | None:
        """The initial state of a game as its first role sees it; no match is begun."""
        helper, loaded = await self._load(self.store.new_id(), "game", rules)
        helper.kill()
        views: dict[str, dict[str, Any] | None] = loaded["views"]
        return views[""] or next((view for view in views.values() if view is not None), None)

    async def fork(self, source: LiveMatch, step: int, told: Any) -> LiveMatch:
        """A new match that goes on from a step of another."""
        if source.is_secret:
            raise Refusal(403, "secret", "a match with secrets can be forked when it is over")
        old = source.record
        if not 0 <= step <= len(old.moves):
            raise Refusal(404, "no-step", "the match has no such step")
        self.store.check_room()
        match = self.store.new_id()
        helper, loaded = await self._load(match, old.game, old.text, tuple(old.moves[:step]))
        try:
            seats = dict(old.seats) if told is None else seating(
                loaded["roles"], told, allows_remote=self._options.allows_remote_players)
            record = new_record(match, old.game, loaded, seats, old.play_clock, old)
            # The last state is written down when the match goes on.
            record.moves, record.times = old.moves[:step], old.times[:step]
            record.thoughts, record.states = old.thoughts[:step], old.states[:step]
            record.state_times = old.state_times[:step]
            record.percepts = None if old.percepts is None else old.percepts[:max(0, step - 1)]
        except BaseException:
            helper.kill()
            raise
        return self._adopt(record, helper, loaded)

    def add(self, record: Record) -> str:
        """Keep a record that came from elsewhere, to look at; its name here."""
        self.store.check_room()
        record.id = self.store.new_id()
        self.store.write(record)
        return record.id

    def get(self, match: str) -> LiveMatch:
        """The match of this name; raises Refusal."""
        found = self._live.get(match)
        if found is None:
            record = self.store.read(match)
            found = self._live[match] = LiveMatch(self.store, self._options, self._context, record)
        return found

    async def open(self, match: str) -> LiveMatch:
        """The match of this name, with a process; raises Refusal where there are too many."""
        found = self.get(match)
        if not found.is_open:
            self._check_crowd()
            await found.open()
        return found

    def keys(self, match: LiveMatch) -> dict[str, str]:
        """By role the keys of all seats that are for people."""
        record = match.record
        return {role: self.store.key(record.id, role) for role, seat in record.seats.items() if seat == PERSON}

    async def sweep(self) -> None:
        """End processes that nobody needs, for ever."""
        while True:
            await asyncio.sleep(_SWEEP_S)
            now = time.monotonic()
            for name, match in list(self._live.items()):
                unused = now - match.used
                if unused > (self._options.quiet if match.listeners else self._options.idle):
                    match.close()
                    del self._live[name]

    def close(self) -> None:
        for match in self._live.values():
            match.close()
        self._live.clear()

    def _adopt(self, record: Record, helper: Helper, loaded: dict[str, Any]) -> LiveMatch:
        match = self._live[record.id] = LiveMatch(self.store, self._options, self._context, record)
        match.adopt(helper, loaded)
        return match

    async def _load(self, match: str, name: str, text: str,
                    moves: tuple[dict[str, str], ...] = ()) -> tuple[Helper, dict[str, Any]]:
        self._check_crowd()
        options = self._options
        helper = Helper()
        self._starting += 1
        try:
            await helper.start(self._context, work, MatchTask(
                match, name, text, options.load_seconds, options.memory_mb, moves=moves,
                think_seconds=options.think_seconds, search_seconds=options.search_seconds))
            return helper, await helper.ready(options.load_seconds + _LOADING_EXTRA_S)
        except BaseException:
            helper.kill()
            raise
        finally:
            self._starting -= 1

    def _check_crowd(self) -> None:
        """Room for one process more: that of the match that nobody watches, if all are taken."""
        live = self.live
        if len(live) + self._starting < self._options.most_live:
            return
        unwatched = [match for match in live if not match.listeners]
        if not unwatched:
            raise Refusal(503, "crowded", f"{self._options.most_live} matches are on already; come back later")
        min(unwatched, key=lambda match: match.used).close()


def _rules(told: dict[str, Any], longest: int) -> tuple[str, str]:
    """The name of a game and the text of its rules."""
    match told:
        case {"rules": str(text)}:
            if len(text) > longest:
                raise Refusal(413, "too-long", f"rules may have {longest:,} characters here")
            name = told.get("name")
            return (name[:80] if isinstance(name, str) and name else "game"), text
        case {"game": str(name)}:
            entry = library.entry(name[:200])
            return entry.name, entry.text
    raise Refusal(400, "bad-request", "a match needs a game of the library, or rules")


def _clock(seconds: Any) -> float | None:
    if seconds is None:
        return None
    if not isinstance(seconds, int | float) or not 1 <= seconds <= _LONGEST_CLOCK_S:
        raise Refusal(400, "bad-clock", "a clock is a number of seconds from 1 up, or none")
    return float(seconds)
