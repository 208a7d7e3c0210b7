"""The HTTP edge: bytes in, bytes out. This is the one place that catches everything."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import request_response
from starlette.types import Receive, Scope, Send

from ludorum.errors import InvalidMessage, Refusal
from ludorum.protocol.client import ORIGIN_HEADER
from ludorum.protocol.messages import Message, Preview, Start, parse_message
from ludorum.protocol.replies import BUSY
from ludorum.serve.clients import Client, Clients
from ludorum.serve.connection import ConnectionInfo
from ludorum.serve.matches import Matches
from ludorum.serve.options import Options

#: So that web pages may call a player, those of other sites and from public networks included.
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Allow-Private-Network": "true",
    "Access-Control-Max-Age": "86400",
}
# A message that does not arrive in so many seconds never will.
_BODY_TIMEOUT_S = 60.0
# A start waits for its turn for this part of its clock.
_START_QUEUE_SHARE = 0.5
# Longer ones are read in a thread, so that nobody waits.
_LONG_MESSAGE_CHARS = 100_000
# What is too long is still taken for so long and so much, so that the sender comes to read the answer.
_DRAIN_MAX_S = 5.0
_DRAIN_MAX_BYTES = 64 << 20

_PAGE = """<!doctype html>
<title>{name}</title>
<h1>{name}</h1>
<p>This is a player of general games. It speaks the GGP protocol: a referee POSTs messages such as
<code>(INFO)</code> to this address.</p>
<p>It is {status}.</p>
"""


def make_app(options: Options) -> Starlette:
    """The HTTP player as an ASGI application; `app.state.matches` holds its matches while it runs."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[dict[str, Any]]:
        matches = app.state.matches = Matches(options)
        app.state.clients = Clients(options)
        sweeping = asyncio.create_task(matches.sweep())
        try:
            yield {"clients": app.state.clients}
        finally:
            sweeping.cancel()
            matches.close()

    async def handle(request: Request) -> Response:
        try:
            if request.method == "POST":
                return await _post(request, options, request.app.state.matches)
            if request.method == "OPTIONS":
                return Response(status_code=204, headers=HEADERS)
            if request.method in ("GET", "HEAD") and request.url.path.rstrip("/") == "/status":
                return Response(json.dumps(request.app.state.matches.report), media_type="application/json",
                                headers=HEADERS)
            if request.method in ("GET", "HEAD"):
                status = request.app.state.matches.status
                page = _PAGE.format(name=html.escape(options.name), status=status.status)
                return Response(page, media_type="text/html", headers=HEADERS)
            return _answer("(error bad-method)", 405)
        except ClientDisconnect:
            options.log.info("somebody left in the middle of a message")
            return _answer("", 400)
        except Exception:
            options.log.exception("a message could not be answered")
            return _answer('(error internal "a mistake of ours; the log says more")', 500)

    app = Starlette(lifespan=lifespan)
    # Not a route: it would have to begin with a slash, and to a proxy one says http://host:port/ instead.
    app.router.default = request_response(handle)
    return app


async def _post(request: Request, options: Options, matches: Matches) -> Response:
    connection = ConnectionInfo.of(request)
    received = connection.received()
    try:
        address = request.client.host if request.client is not None else None
        client: Client = connection.client or request.app.state.clients.at(address)
        with client.receiving() as take:
            body = await _body(request, options.most_body, take)
            connection.has_sent()
            message = await _parse(body, client)
        if not isinstance(message, Start):
            reply = await matches.answer(message, received, connection.delay(), address)
            return _answer(reply.text, origin=reply.origin)
        # Who starts more matches than can be loaded waits for himself, not others for him.
        try:
            async with asyncio.timeout(message.start_clock * _START_QUEUE_SHARE):
                await client.starting.acquire()
        except TimeoutError:
            return _answer(BUSY)
        try:
            return _answer((await matches.answer(message, received, connection.delay(), address)).text)
        finally:
            client.starting.release()
    except InvalidMessage as error:
        refusal = Refusal(400, "bad-message", str(error))
    except Refusal as error:
        refusal = error
    options.log.warning("refused: %s", refusal)
    answer = _TooLong if refusal.status == 413 else Response
    return answer(str(refusal), refusal.status, HEADERS, "text/acl")


async def _body(request: Request, most: int, take: Callable[[int], None]) -> bytes:
    """The body, unless it is too long or does not come."""
    too_long = Refusal(413, "too-long", f"a message may have {most:,} bytes")
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > most:
        raise too_long
    parts, length = [], 0
    try:
        async with asyncio.timeout(_BODY_TIMEOUT_S):
            async for part in request.stream():
                parts.append(part)
                length += len(part)
                take(len(part))
                if length > most:
                    raise too_long
    except TimeoutError:
        raise Refusal(408, "too-slow", f"the message did not arrive in {_BODY_TIMEOUT_S:g} s") from None
    return b"".join(parts)


async def _parse(body: bytes, client: Client) -> Message:
    # Comments of old rulesheets hold stray bytes of old encodings.
    text = body.decode(errors="replace")
    if len(text) <= _LONG_MESSAGE_CHARS:
        return parse_message(text)
    async with client.parsing:
        message = await asyncio.to_thread(parse_message, text)
    if not isinstance(message, Start | Preview):
        raise Refusal(400, "too-long", f"only rules may have more than {_LONG_MESSAGE_CHARS:,} characters")
    return message


def _answer(text: str, status: int = 200, *, origin: str | None = None) -> Response:
    return Response(text, status, HEADERS if origin is None else {**HEADERS, ORIGIN_HEADER: origin}, "text/acl")


class _TooLong(Response):
    """An answer that is sent before the message has come to its end. Closing while the other side still sends would
    destroy it on its way, so some of the rest is taken and thrown away."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [*self.raw_headers, (b"connection", b"close")]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        taken = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_MAX_S):
                while taken < _DRAIN_MAX_BYTES:
                    part = await receive()
                    taken += len(part.get("body", b""))
                    if not part.get("more_body", False):
                        break
        await send({"type": "http.response.body", "body": b""})
