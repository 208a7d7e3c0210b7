"""Who may come in: this machine only, or whoever knows the token; and what browsers may do with what they get."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludorum.web.pages import STATIC

#: Nothing but our own files, and no page of others around ours.
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'; "
                               "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_COOKIE = "ludorum-token"
_LOCAL = {"localhost", "127.0.0.1", "::1"}


async def page_response(request: Request) -> Response:
    """The one page, whatever its address shows."""
    return FileResponse(STATIC / "index.html", media_type="text/html", headers={"Cache-Control": "no-cache"})


def asset(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        return FileResponse(STATIC / name)

    return respond


class Entrance:
    """Turns away who has no token, or who comes from a page of another site."""

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if (refused := self._refusal(scope, headers)) is not None:
            await refused(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    sent.setdefault(name, value)
                if scope["path"].startswith("/static/"):
                    sent.setdefault("Cache-Control", "no-cache")
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host = _host(headers.get("host", ""))
        if self._token is None:
            # A name of somebody else's that leads here is no way in (DNS rebinding).
            if host not in _LOCAL:
                return Response("this page is for this machine only", 403, HEADERS)
        elif not self._is_known(scope, headers):
            query = parse_qs(scope["query_string"].decode("latin-1"))
            if not any(_same(told, self._token) for told in query.pop("token", [])):
                return Response("this page needs the token that its address was told with", 403, HEADERS)
            # The token goes into a cookie, and out of the address.
            rest = urlencode(query, doseq=True)
            return Response(status_code=303, headers={
                **HEADERS, "Location": scope["path"] + (f"?{rest}" if rest else ""),
                "Set-Cookie": f"{_COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000"})
        origin = headers.get("origin")
        if scope["method"] not in ("GET", "HEAD") and origin is not None and _host(origin.partition("://")[2]) != host:
            return Response("requests of other sites are not answered", 403, HEADERS)
        return None

    def _is_known(self, scope: Scope, headers: Headers) -> bool:
        assert self._token is not None
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(_COOKIE)
        except CookieError:
            found = None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        return (found is not None and _same(found.value, self._token)) or _same(bearer, self._token)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _host(text: str) -> str:
    """The name in a Host header, without its port."""
    if text.startswith("["):
        return text[1:].partition("]")[0].lower()
    return text.partition(":")[0].lower()
