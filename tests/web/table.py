"""Somebody at the page, without a browser: the same requests, and the same events."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

Until = Callable[[dict[str, Any]], bool]


def turn(step: int, *roles: str) -> Until:
    """Whether so many steps are made, and these roles, or any where none is named, have to choose."""
    return lambda told: bool(told["step"] >= step and told["choosers"] and set(roles) <= set(told["choosers"]))


def reached(steps: int) -> Until:
    """Whether so many steps are made."""
    return lambda told: bool(told["step"] >= steps)


class Table:
    """A browser that sits at seats of matches."""

    def __init__(self, address: str) -> None:
        self.http = httpx.Client(base_url=address, timeout=60)
        self.keys: dict[str, dict[str, str]] = {}

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def begin(self, **told: Any) -> str:
        made = self.http.post("/api/matches", json=told)
        assert made.status_code == 200, made.text
        self.keys[made.json()["id"]] = made.json()["keys"]
        return str(made.json()["id"])

    def params(self, match: str, *roles: str) -> dict[str, str]:
        held = self.keys.get(match, {})
        return {"keys": ",".join(key for role, key in held.items() if not roles or role in roles)}

    def look(self, match: str, *roles: str) -> dict[str, Any]:
        told = self.http.get(f"/api/match/{match}", params=self.params(match, *roles))
        assert told.status_code == 200, told.text
        return dict(told.json())

    def ask(self, match: str, verb: str, *roles: str, **told: Any) -> httpx.Response:
        return self.http.post(f"/api/match/{match}/{verb}", params=self.params(match, *roles), json=told)

    def move(self, match: str, role: str, move: str) -> None:
        answer = self.ask(match, "move", role, role=role, move=move)
        assert answer.status_code == 200, answer.text

    def wait(self, match: str, until: Until, *roles: str) -> dict[str, Any]:
        """The match once something is so; the clock only ends what would never end."""
        end = time.monotonic() + 60
        while not until(told := self.look(match, *roles)):
            assert time.monotonic() < end, f"waited in vain; last: {told}"
            time.sleep(0.02)
        return told

    def events(self, match: str, *roles: str) -> Iterator[tuple[str, str, Any]]:
        """Each event as its name, the bytes that were sent, and what they say."""
        with self.http.stream("GET", f"/api/match/{match}/events", params=self.params(match, *roles)) as stream:
            name = ""
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield name, line, json.loads(line.removeprefix("data: "))
