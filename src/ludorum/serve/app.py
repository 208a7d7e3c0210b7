"""The HTTP edge: bytes in, bytes out. This is the one place that catches everything."""

from __future__ import annotations

import asyncio
import html
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import request_response
from starlette.types import Receive, Scope, Send

from ludorum.errors import InvalidMessage
from ludorum.protocol.messages import Message, Preview, Start, parse_message
from ludorum.serve.connection import ConnectionInfo
from ludorum.serve.matches import Matches
from ludorum.serve.options import Options
from ludorum.serve.refusal import Refusal

#: So that web pages may call a player, those of other sites and from public networks included.
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "POST, GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Allow-Private-Network": "true",
    "Access-Control-Max-Age": "86400",
}
# A message that does not arrive in so many seconds never will.
_PATIENCE = 60.0
# Longer ones are read in a thread, so that nobody waits.
_LONG = 100_000
# What is too long is still taken for so long and so much, so that the sender comes to read the answer.
_DRAIN_SECONDS = 5.0
_DRAIN_BYTES = 64 << 20

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
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        matches = app.state.matches = Matches(options)
        sweeping = asyncio.create_task(matches.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            matches.close()

    async def handle(request: Request) -> Response:
        try:
            if request.method == "POST":
                return await _post(request, options, request.app.state.matches)
            if request.method == "OPTIONS":
                return Response(status_code=204, headers=HEADERS)
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
        body = await _body(request, options.most_body)
        message = await _parse(body)
        return _answer(await matches.answer(message, received, connection.delay()))
    except InvalidMessage as error:
        refusal = Refusal(400, "bad-message", str(error))
    except Refusal as error:
        refusal = error
    options.log.warning("refused: %s", refusal)
    answer = _TooLong if refusal.status == 413 else Response
    return answer(str(refusal), refusal.status, HEADERS, "text/acl")


async def _body(request: Request, most: int) -> bytes:
    """The body, unless it is too long or does not come."""
    too_long = Refusal(413, "too-long", f"a message may have {most:,} bytes")
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > most:
        raise too_long
    parts, length = [], 0
    try:
        async with asyncio.timeout(_PATIENCE):
            async for part in request.stream():
                parts.append(part)
                length += len(part)
                if length > most:
                    raise too_long
    except TimeoutError:
        raise Refusal(408, "too-slow", f"the message did not arrive in {_PATIENCE:g} s") from None
    return b"".join(parts)


async def _parse(body: bytes) -> Message:
    # Comments of old rulesheets hold stray bytes of old encodings.
    text = body.decode(errors="replace")
    if len(text) <= _LONG:
        return parse_message(text)
    message = await asyncio.to_thread(parse_message, text)
    if not isinstance(message, Start | Preview):
        raise Refusal(400, "too-long", f"only rules may have more than {_LONG:,} characters")
    return message


def _answer(text: str, status: int = 200) -> Response:
    return Response(text, status, HEADERS, "text/acl")


class _TooLong(Response):
    """An answer that is sent before the message has come to its end. Closing while the other side still sends would
    destroy it on its way, so some of the rest is taken and thrown away."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [*self.raw_headers, (b"connection", b"close")]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        taken = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_SECONDS):
                while taken < _DRAIN_BYTES:
                    part = await receive()
                    taken += len(part.get("body", b""))
                    if not part.get("more_body", False):
                        break
        await send({"type": "http.response.body", "body": b""})
