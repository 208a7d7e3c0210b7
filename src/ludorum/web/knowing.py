"""What is known of a game, found out in the background: each look in a process of its own, which can be ended."""

from __future__ import annotations

import hashlib
import os
import signal
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import Any

from ludorum.clock import Budget
from ludorum.errors import InvalidRules, LudorumError, Refusal
from ludorum.gdl import Source
from ludorum.loading import load_source
from ludorum.serve.process import leave_with_the_server
from ludorum.web.diagnosing import described
from ludorum.web.helper import Helper
from ludorum.web.options import WebOptions
from ludorum.web.orders import AnalysisTask, Ready, Refused, Told
from ludorum.web.titles import title

# So many pages are kept in mind.
_MOST_KEPT = 50
_EXTRA_S = 60.0


def look_into(task: AnalysisTask, connection: Connection) -> None:
    """Report the analysis of a game as a page."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(10)
    threading.Thread(target=leave_with_the_server, args=(connection,), daemon=True).start()
    from ludorum.report import analyse, page

    try:
        connection.send(Told("doing", "loading"))
        game = load_source(Source(task.rules, task.game), name=task.game, seconds=task.load_seconds,
                           memory_mb=task.memory_mb)
        found = analyse(game, budget=Budget.about(task.seconds), tell=lambda part: connection.send(Told("doing", part)))
        connection.send(Told("doing", "drawing"))
        connection.send(Ready({"page": page(found), "json": found.to_json()}))
    except InvalidRules as error:
        connection.send(Refused("the rules have errors", tuple(map(described, error.diagnostics))))
    except (LudorumError, RecursionError, MemoryError) as error:
        connection.send(Refused(str(error)[:1000] or type(error).__name__))


class Look:
    """An analysis that goes on, or is there."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.began = time.monotonic()
        self.doing = "waiting"
        self.error: str | None = None
        self.page: str | None = None
        self.json: dict[str, Any] | None = None
        self.helper: Helper | None = None

    @property
    def is_over(self) -> bool:
        return self.error is not None or self.page is not None

    def told(self, key: str, seconds: float) -> dict[str, Any]:
        spent = time.monotonic() - self.began
        return {"key": key, "game": self.game, "title": title(self.game), "doing": self.doing, "error": self.error,
                "is_ready": self.page is not None, "seconds": round(spent, 1), "of": seconds, "found": self.json}


class Looks:
    """By the rules and how long they are looked into."""

    def __init__(self, options: WebOptions, context: ForkServerContext) -> None:
        self._options = options
        self._context = context
        self._looks: dict[str, Look] = {}

    async def begin(self, game: str, rules: str) -> str:
        """Begin to look into a game, unless that was done; the key to ask for what was found."""
        key = hashlib.sha256(rules.encode()).hexdigest()[:32]
        known = self._looks.get(key)
        if known is not None and known.error is None:
            return key
        if sum(not look.is_over for look in self._looks.values()) >= self._options.most_analyses:
            raise Refusal(503, "crowded", f"{self._options.most_analyses} games are looked into already; wait for them")
        look = self._looks[key] = Look(game)
        while len(self._looks) > _MOST_KEPT:
            oldest = next(iter(self._looks))
            self.cancel(oldest)
            self._looks.pop(oldest, None)
        options = self._options
        look.helper = Helper(lambda told: setattr(look, "doing", told.value))
        await look.helper.start(self._context, look_into, AnalysisTask(
            game, rules, options.load_seconds, options.memory_mb, options.analysis_seconds))
        return key

    async def wait(self, key: str) -> None:
        """Until it is done, or failed."""
        look = self._look(key)
        if look.helper is None or look.is_over:
            return
        options = self._options
        try:
            found = await look.helper.ready(options.load_seconds + 3 * options.analysis_seconds + _EXTRA_S)
            look.page, look.json = found["page"], found["json"]
        except LudorumError as error:
            look.error = look.error or (error.reason if isinstance(error, Refusal) else str(error))
        look.helper.kill()

    def told(self, key: str) -> dict[str, Any]:
        return self._look(key).told(key, self._options.analysis_seconds)

    def page(self, key: str) -> str:
        page = self._look(key).page
        if page is None:
            raise Refusal(404, "not-ready", "the analysis is not ready")
        return page

    def cancel(self, key: str) -> None:
        look = self._looks.get(key)
        if look is not None and not look.is_over:
            look.error = "it was cancelled"
            if look.helper is not None:
                look.helper.kill()

    def close(self) -> None:
        for key in self._looks:
            self.cancel(key)

    def _look(self, key: str) -> Look:
        if key not in self._looks:
            raise Refusal(404, "no-analysis", "there is no such analysis")
        return self._looks[key]
