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
from starlette.routing import Mount, Route
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


def make_app(options: WebOptions) -> Starlette:
    """The page as an ASGI application; `app.state.services` is what answers while it runs."""
    asks, news = Rate(options.asks_per_minute), Rate(options.new_per_minute)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services = app.state.services = Services(options, workshop("ludorum.web.preload"))
        sweeping = asyncio.create_task(services.matches.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            services.close()

    def answering(handler: Handler, *, is_new: bool = False) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            try:
                address = request.client.host if request.client is not None else ""
                (news if is_new else asks).take(address)
                told = await _body(request, options.most_body) if request.method == "POST" else {}
                return _json(await handler(request.app.state.services, request, told))
            except ClientDisconnect:
                return Response(status_code=400)
            except Refusal as refusal:
                return _json({"error": refusal.code, "message": refusal.reason,
                              "diagnostics": list(refusal.diagnostics)}, refusal.status)
            except UnknownGame as error:
                return _json({"error": "no-game", "message": str(error)}, 404)
            except LudorumError as error:
                return _json({"error": type(error).__name__, "message": str(error)}, 422)
            except Exception:
                options.log.exception("a request could not be answered")
                return _json({"error": "internal", "message": "a mistake of ours; the log says more"}, 500)

        return handle

    async def events(request: Request) -> Response:
        services: Services = request.app.state.services
        try:
            asks.take(request.client.host if request.client is not None else "")
            match = await services.matches.open(request.path_params["match"])
        except Refusal as refusal:
            return _json({"error": refusal.code, "message": refusal.reason,
                          "diagnostics": list(refusal.diagnostics)}, refusal.status)
        except LudorumError as error:
            return _json({"error": type(error).__name__, "message": str(error)}, 422)
        return event_stream(match, services.roles(match, request))

    async def report(request: Request) -> Response:
        """The analysis as a document of its own, which may style itself but do nothing else."""
        try:
            page = request.app.state.services.looks.page(request.path_params["key"])
        except Refusal as refusal:
            return _json({"error": refusal.code, "message": refusal.reason}, refusal.status)
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": (
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox")})

    get, post = ["GET"], ["POST"]
    routes = [
        Route("/api/games", answering(Services.games), methods=get),
        Route("/api/game/{game}", answering(Services.game), methods=get),
        Route("/api/matches", answering(Services.new_match, is_new=True), methods=post),
        Route("/api/matches", answering(Services.recent), methods=get),
        Route("/api/records", answering(Services.add_record, is_new=True), methods=post),
        Route("/api/match/{match}", answering(Services.match), methods=get),
        Route("/api/match/{match}/events", events, methods=get),
        Route("/api/match/{match}/record", answering(Services.record), methods=get),
        Route("/api/match/{match}/{verb}", answering(Services.act), methods=post),
        Route("/api/check", answering(Services.check), methods=post),
        Route("/api/preview", answering(Services.preview, is_new=True), methods=post),
        Route("/api/known", answering(Services.look_into, is_new=True), methods=post),
        Route("/api/known/{key}", answering(Services.known), methods=get),
        Route("/api/known/{key}/cancel", answering(Services.cancel), methods=post),
        Route("/api/known/{key}/page", report, methods=get),
        Route("/api/cups", answering(Services.cups), methods=get),
        Route("/api/cup/{place:int}", answering(Services.cup), methods=get),
        Route("/api/cup/{place:int}/match", answering(Services.cup_match, is_new=True), methods=post),
        Mount("/static", StaticFiles(directory=STATIC)),
        *(Route(path, page_response, methods=get)
          for path in ("/", "/m/{match}", "/edit", "/known", "/cups", "/cup/{place:int}", "/matches")),
        Route("/favicon.ico", asset("icon.svg"), methods=get),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.add_middleware(Entrance, token=options.token)
    return app


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
