"""Server-sent events: what happens in a match, as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.responses import StreamingResponse

from ludorum.web.live_match import LiveMatch

# A stream over which nothing came for so long may be cut by those in between, in seconds.
_ALIVE_S = 15.0


def encoded(value: Any) -> bytes:
    """JSON; roles are texts of a class of their own."""
    return msgspec.json.encode(value, enc_hook=str)


def event_stream(match: LiveMatch, roles: frozenset[str]) -> StreamingResponse:
    """The events of a match for somebody who sits at the seats of these roles, the whole state first."""

    async def events() -> AsyncIterator[bytes]:
        listener = match.listen(roles)
        try:
            # A browser that loses the stream comes again after so many milliseconds.
            yield b"retry: 700\n\n"
            while True:
                try:
                    async with asyncio.timeout(_ALIVE_S):
                        event = await listener.events.get()
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if event is None:
                    return
                topic, value = event
                yield b"event: " + topic.encode() + b"\ndata: " + encoded(value) + b"\n\n"
        finally:
            match.listeners.discard(listener)
            if not match.listeners:
                match.unwatched()

    return StreamingResponse(events(), media_type="text/event-stream",
                             headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
