"""The HTTP edge of the page: JSON in, JSON and events out. This is the one place that catches everything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ludorum.errors import LudorumError, Refusal, UnknownGame
from ludorum.serve.process import workshop
from ludorum.web.entrance import Entrance, asset, page_response
from ludorum.web.limits import Rate
from ludorum.web.options import WebOptions
from ludorum.web.pages import STATIC
from ludorum.web.services import Services
from ludorum.web.streaming import encoded, event_stream

_BODY_TIMEOUT_S = 20.0
Handler = Callable[[Services, Request, dict[str, Any]], Awaitable[Any]]

# The analysis is a document of its own, which may style itself but do nothing else.
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"


def make_app(options: WebOptions) -> Starlette:
    """The page as an ASGI application; `app.state.services` is what answers while it runs."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services = app.state.services = Services(options, workshop("ludorum.web.preload"))
        sweeping = asyncio.create_task(services.matches.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            services.close()

    app = Starlette(routes=Edge(options).routes(), lifespan=lifespan)
    app.add_middleware(Entrance, token=options.token)
    return app


class Edge:
    """Turns requests into questions, and answers and failures into responses; nobody may ask too often."""

    def __init__(self, options: WebOptions) -> None:
        self._options = options
        self._asks, self._news = Rate(options.asks_per_minute), Rate(options.new_per_minute)

    def routes(self) -> list[BaseRoute]:
        """Every address of the page."""
        get, new, post = self._get, self._new, self._post
        return [
            get("/api/games", Services.games),
            get("/api/game/{game}", Services.game),
            new("/api/matches", Services.new_match),
            get("/api/matches", Services.recent),
            new("/api/records", Services.add_record),
            get("/api/match/{match}", Services.match),
            Route("/api/match/{match}/events", self._answering(self._events), methods=["GET"]),
            get("/api/match/{match}/record", Services.record),
            post("/api/match/{match}/{verb}", Services.act),
            post("/api/check", Services.check),
            new("/api/preview", Services.preview),
            new("/api/known", Services.look_into),
            get("/api/known/{key}", Services.known),
            post("/api/known/{key}/cancel", Services.cancel),
            Route("/api/known/{key}/page", self._answering(self._report), methods=["GET"]),
            get("/api/cups", Services.cups),
            get("/api/cup/{place:int}", Services.cup),
            new("/api/cup/{place:int}/match", Services.cup_match),
            Mount("/static", StaticFiles(directory=STATIC)),
            Mount("/assets", StaticFiles(directory=self._options.assets, check_dir=False)),
            *(Route(path, page_response, methods=["GET"])
              for path in ("/", "/m/{match}", "/edit", "/known", "/cups", "/cup/{place:int}", "/matches")),
            Route("/favicon.ico", asset("icon.svg"), methods=["GET"]),
            # Whatever else somebody types is told in the page that there is no such page.
            Route("/{path:path}", self._missing, methods=["GET"]),
        ]

    async def _missing(self, request: Request) -> Response:
        if request.url.path.startswith(("/api/", "/static/", "/assets/")):
            return _json({"error": "no-such-address", "message": "there is no such address"}, 404)
        found = await page_response(request)
        found.status_code = 404
        return found

    def _get(self, path: str, handler: Handler) -> Route:
        return Route(path, self._answering(handler), methods=["GET"])

    def _post(self, path: str, handler: Handler) -> Route:
        return Route(path, self._answering(handler), methods=["POST"])

    def _new(self, path: str, handler: Handler) -> Route:
        """Something that costs more, and may be asked for less often."""
        return Route(path, self._answering(handler, is_new=True), methods=["POST"])

    def _answering(self, handler: Handler, *, is_new: bool = False) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            try:
                address = request.client.host if request.client is not None else ""
                (self._news if is_new else self._asks).take(address)
                told = await _body(request, self._options.most_body) if request.method == "POST" else {}
                answer = await handler(request.app.state.services, request, told)
                return answer if isinstance(answer, Response) else _json(answer)
            except ClientDisconnect:
                return Response(status_code=400)
            except LudorumError as error:
                return _refused(error)
            except Exception:
                self._options.log.exception("a request could not be answered")
                return _json({"error": "internal", "message": "a mistake of ours; the log says more"}, 500)

        return handle

    async def _events(self, services: Services, request: Request, told: dict[str, Any]) -> Response:
        match = await services.matches.open(request.path_params["match"])
        return event_stream(match, services.roles(match, request))

    async def _report(self, services: Services, request: Request, told: dict[str, Any]) -> Response:
        return Response(services.looks.page(request.path_params["key"]), media_type="text/html",
                        headers={"Content-Security-Policy": _REPORT_POLICY})


def _refused(error: LudorumError) -> Response:
    """Why something cannot be, in words."""
    if isinstance(error, Refusal):
        return _json({"error": error.code, "message": error.reason, "diagnostics": list(error.diagnostics)},
                     error.status)
    if isinstance(error, UnknownGame):
        return _json({"error": "no-game", "message": str(error)}, 404)
    return _json({"error": type(error).__name__, "message": str(error)}, 422)


def _json(value: Any, status: int = 200) -> Response:
    return Response(encoded(value), status, media_type="application/json",
                    headers={"Cache-Control": "no-store"})


async def _body(request: Request, most: int) -> dict[str, Any]:
    """The JSON object of a request, unless it is too long or none."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        # A page of another site cannot send this without being asked about.
        raise Refusal(415, "no-json", "a request is JSON")
    parts, length = [], 0
    try:
        async with asyncio.timeout(_BODY_TIMEOUT_S):
            async for part in request.stream():
                length += len(part)
                if length > most:
                    raise Refusal(413, "too-long", f"a request may have {most:,} bytes")
                parts.append(part)
    except TimeoutError:
        raise Refusal(408, "too-slow", "the request did not arrive in time") from None
    try:
        told = json.loads(b"".join(parts) or b"{}")
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise Refusal(400, "no-json", "a request is a JSON object")
    return told
