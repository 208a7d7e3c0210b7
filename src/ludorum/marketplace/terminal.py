"""A line to a person at this terminal: what it is told is printed, and every line that it types is a message."""

from __future__ import annotations

import sys
import threading
from typing import TextIO

from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.marketplace.lines import Tray
from ludorum.match.seat import History, Terms
from ludorum.move import Move


class TerminalLine:
    """A person who reads and types."""

    name = "a person"
    spec = "terminal"

    def __init__(self, read: TextIO | None = None, write: TextIO | None = None) -> None:
        self.tray = Tray()
        self._read, self._write = read or sys.stdin, write or sys.stdout
        self._terms: Terms | None = None
        self._started = False

    def start(self, terms: Terms, silent: Move, deadline: Deadline) -> None:
        self._terms = terms
        self._say(f"you are {terms.role}; type a message, such as (bid 3), at any time")
        if not self._started:
            self._started = True
            threading.Thread(target=self._listen, name="terminal", daemon=True).start()

    def tell(self, news: History, *, wants_answer: bool) -> threading.Event | None:
        self._percepts(news)
        if wants_answer and self._terms is not None:
            self._say(f"{news.step:>4}  you may send {news.state.legal(self._terms.role)}")
        return None

    def stop(self, news: History, deadline: Deadline) -> None:
        self._percepts(news)
        self._say("the market is closed")

    def abort(self, deadline: Deadline) -> None:
        self._say("the market was broken off")

    def _percepts(self, news: History) -> None:
        if self._terms is not None and news.joint is not None:
            for term in sorted(map(str, news.state.percepts[self._terms.role])):
                self._say(f"{news.step:>4}  you are told {term}")

    def _listen(self) -> None:
        for line in self._read:
            if line.strip():
                try:
                    self.tray.put(Move(line.strip()))
                except LudorumError as error:
                    self._say(str(error))

    def _say(self, text: str) -> None:
        print(text, file=self._write, flush=True)
