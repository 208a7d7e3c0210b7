"""The door of a live market: traders come in by HTTP, with messages like those of the GGP protocol.

    (JOIN role)             (START id role (rules) start-clock tick), as a referee would send it
    (NEXT id turn)          when there is such a turn: (PLAY id turn own-move (percepts)), or (STOP …) of the last
    (SEND id message)       RECEIVED; the message goes out at the end of a tick

The name of the match in the answer to JOIN is known to nobody else: who has it is the trader.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ludorum.clock import Deadline
from ludorum.errors import InvalidMessage, LudorumError
from ludorum.gdl import to_kif
from ludorum.marketplace.lines import DoorLine
from ludorum.move import Move
from ludorum.protocol.lists import elements, expressions, is_list, shown
from ludorum.protocol.messages import Start

# No message needs more bytes, and no request for news waits longer than this.
_MOST_BYTES, _WAIT_S = 65_536, 25.0
_POLL_S = 0.02


class Desk:
    """Answers what comes through the door; the lines go by role."""

    def __init__(self, name: str, lines: Mapping[str, DoorLine]) -> None:
        self.name = name
        self._lines = dict(lines)

    def answer(self, text: str) -> tuple[int, str]:
        """The status and the text of the answer to a message."""
        try:
            found = list(expressions(text))
            if len(found) != 1 or not is_list(found[0]):
                raise InvalidMessage(f"a message is one list such as (JOIN a_1), not {shown(text)}")
            kind, *arguments = elements(found[0]) or [""]
            match kind.lower(), arguments:
                case "info", []:
                    return 200, f"((name {self.name}) (status {'available' if self._free() else 'busy'}))"
                case "join", []:
                    return self._join(None)
                case "join", [role]:
                    return self._join(role.lower())
                case "next", [match, turn]:
                    return self._next(self._line(match), turn)
                case "send", [match, message]:
                    self._line(match).tray.put(Move(message))
                    return 200, "RECEIVED"
            raise InvalidMessage(f"there is no message {shown(found[0])}, only INFO, JOIN, NEXT and SEND")
        except LudorumError as error:
            return 400, f'(error "{str(error).replace(chr(34), chr(39))}")'

    @property
    def status(self) -> dict[str, Any]:
        return {"market": self.name, "traders": {role: "taken" if line.is_taken else "free"
                                                 for role, line in self._lines.items()}}

    def _free(self) -> list[str]:
        return [role for role, line in self._lines.items() if not line.is_taken]

    def _join(self, role: str | None) -> tuple[int, str]:
        for name, line in self._lines.items():
            if role in (None, name.lower()) and line.join():
                assert line.terms is not None, "only a seat with terms can be taken"
                terms = line.terms
                return 200, str(Start(line.match, terms.role, to_kif(terms.game.rules), terms.start_clock or 0,
                                      terms.play_clock or 0))
        free = ", ".join(self._free()) or "none"
        return 409, f'(error "{role or "every seat"} is taken or not open yet; free: {free}")'

    def _line(self, match: str) -> DoorLine:
        for line in self._lines.values():
            if line.terms is not None and line.is_taken and match.endswith(f".{line.secret}"):
                return line
        raise InvalidMessage("nobody here trades under that name; JOIN gives one")

    def _next(self, line: DoorLine, turn: str) -> tuple[int, str]:
        if not (turn.isascii() and turn.isdigit() and len(turn) < 10):
            raise InvalidMessage(f"a turn is a number, not {shown(turn)}")
        news = line.news(int(turn), Deadline.within(_WAIT_S))
        return (200, news) if news is not None else (200, "NIL")


@contextlib.contextmanager
def door(desk: Desk, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """The door while it is open, in a thread of this program: its address. Raises LudorumError if it cannot listen."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise LudorumError(f"cannot listen at {host}:{port}: {error.strerror or error}") from error
    app = Starlette(routes=[Route("/{path:path}", _handler(desk), methods=["GET", "POST"])])
    server = uvicorn.Server(uvicorn.Config(app, ws="none", lifespan="off", log_config=None, access_log=False,
                                           limit_concurrency=1_000, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listener],), name="door of the market", daemon=True)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            thread.join(_POLL_S)
        yield f"{host}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def _handler(desk: Desk) -> Any:
    async def handle(request: Request) -> Response:
        if request.method == "GET":
            return Response(json.dumps(desk.status), media_type="application/json")
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _MOST_BYTES:
                return Response('(error "the message is too long")', 413, media_type="text/acl")
        status, text = await run_in_threadpool(desk.answer, body.decode(errors="replace"))
        return Response(text, status, media_type="text/acl")

    return handle
