"""What the page can ask for, one method a question: each takes a request with its JSON and gives what is answered."""

from __future__ import annotations

import asyncio
import hashlib
import json
from multiprocessing.context import ForkServerContext
from typing import Any

from starlette.requests import Request

from ludorum import library
from ludorum.errors import InvalidRecord, Refusal, TooSlow
from ludorum.match import record as records
from ludorum.match.foreign import of_field
from ludorum.players import NAMED
from ludorum.web.cups import Cups
from ludorum.web.diagnosing import check as check_rules
from ludorum.web.helper import Helper
from ludorum.web.knowing import Looks
from ludorum.web.live_match import LiveMatch
from ludorum.web.matches import Matches
from ludorum.web.options import WebOptions
from ludorum.web.orders import CheckTask
from ludorum.web.seats import LEVELS, PERSON
from ludorum.web.titles import title

_MOST_RECENT = 50
_CHECK_S = 5.0
# So many playouts a state gets in a review, unless told otherwise, and at most.
_REVIEW_PLAYOUTS, _MOST_REVIEW_PLAYOUTS = 4_000, 100_000
_LONGEST_LINE = 200

Json = dict[str, Any]


class Services:
    """Everything behind the page."""

    def __init__(self, options: WebOptions, context: ForkServerContext) -> None:
        self._options = options
        self._context = context
        self.matches = Matches(options, context)
        self.looks = Looks(options, context)
        self._cups = Cups(options.archives)
        self._waiting: set[asyncio.Task[None]] = set()
        self._checks = asyncio.Semaphore(4)

    def close(self) -> None:
        self.looks.close()
        self.matches.close()
        for task in self._waiting:
            task.cancel()

    def roles(self, match: LiveMatch, request: Request) -> frozenset[str]:
        """The roles whose keys came with a request."""
        keys = [key for key in request.query_params.get("keys", "").split(",") if key][:100]
        keys += [key for key in request.headers.get("x-ludorum-keys", "").split(",") if key][:100]
        return frozenset(role for role in self.matches.store.roles_of(match.record, keys)
                         if match.record.seats.get(role) is not None)

    # ---- games ----

    async def games(self, request: Request, told: Json) -> Json:
        return {"games": [{"name": entry.name, "title": entry.title, "description": entry.description,
                           "players": entry.players, "kind": entry.kind, "tags": entry.tags}
                          for entry in library.catalogue()],
                "levels": LEVELS, "players": list(NAMED), "archives": len(self._options.archives),
                "remote": self._options.allows_remote_players,
                "has_codemirror": (self._options.assets / "codemirror-view.js").is_file()}

    async def game(self, request: Request, told: Json) -> Json:
        entry = library.entry(request.path_params["game"][:200])
        return {"name": entry.name, "title": entry.title, "description": entry.description, "rules": entry.text}

    # ---- matches ----

    async def new_match(self, request: Request, told: Json) -> Json:
        match = await self.matches.new(told)
        return {"id": match.record.id, "keys": self.matches.keys(match)}

    async def recent(self, request: Request, told: Json) -> Json:
        """The last matches; not where strangers come, for whoever has the address of one may watch it."""
        if self._options.token is not None:
            return {"matches": []}
        found = await asyncio.to_thread(self.matches.store.recent, _MOST_RECENT)
        return {"matches": [{"id": record.id, "game": record.game, "title": title(record.game),
                             "players": record.players, "steps": len(record.moves), "outcome": record.outcome,
                             "started": record.started,
                             "goals": record.goals if record.is_over else {}} for record in found]}

    async def add_record(self, request: Request, told: Json) -> Json:
        """A record of ours or of the field, to step through."""
        data, game = told.get("record"), told.get("game")
        if not isinstance(data, dict):
            raise Refusal(400, "no-record", "a record is a JSON object")
        try:
            if "matchId" in data:
                # A name of the library only: a stranger's rules are not for this process, nor are paths.
                name = library.entry(game[:200]).name if isinstance(game, str) else None
                record = await asyncio.to_thread(of_field, data, name, "the record")
            else:
                record = records.decode(json.dumps(data))
        except InvalidRecord as error:
            raise Refusal(422, "no-record", str(error)) from error
        # Nobody here sits at its seats.
        record.seats = {role: seat for role, seat in record.seats.items() if seat == PERSON and not record.is_over}
        return {"id": self.matches.add(record)}

    async def match(self, request: Request, told: Json) -> Json:
        match = await self.matches.open(request.path_params["match"])
        return match.described(self.roles(match, request))

    async def record(self, request: Request, told: Json) -> Any:
        match = self.matches.get(request.path_params["match"])
        if match.record.percepts is not None and not match.record.is_over:
            raise Refusal(403, "secret", "the record of a game with secrets is told when it is over")
        return match.record

    async def act(self, request: Request, told: Json) -> Any:
        """Whatever can be done in a match."""
        match = await self.matches.open(request.path_params["match"])
        roles = self.roles(match, request)
        role = told.get("role")
        role = role if isinstance(role, str) else ""
        step = told.get("step")
        step = step if isinstance(step, int) and not isinstance(step, bool) else len(match.record.moves)
        match request.path_params["verb"]:
            case "move":
                await match.move(roles, role, _text(told, "move"), step)
            case "undo":
                await match.undo(roles)
            case "resign":
                await match.resign(roles, role)
            case "seat":
                await match.seat(roles, role, told.get("seat"))
                return {"keys": {name: key for name, key in self.matches.keys(match).items()
                                 if name == role or name in roles}}
            case "hint":
                return await match.hint(roles, role)
            case "look":
                return {"views": await match.look(roles, step, _line(told), role or None)}
            case "search":
                await match.search(step, _line(told))
            case "halt":
                await match.halt()
            case "review":
                playouts = told.get("playouts", _REVIEW_PLAYOUTS)
                if not isinstance(playouts, int) or not 1 <= playouts <= _MOST_REVIEW_PLAYOUTS:
                    raise Refusal(400, "bad-request", f"playouts are a number up to {_MOST_REVIEW_PLAYOUTS:,}")
                return await match.review(playouts)
            case "fork":
                forked = await self.matches.fork(match, step, told.get("seats"))
                return {"id": forked.record.id, "keys": self.matches.keys(forked)}
            case _:
                raise Refusal(404, "no-verb", "there is nothing of that name to do")
        return {"done": True}

    # ---- rules ----

    async def check(self, request: Request, told: Json) -> Json:
        """What is wrong with rules."""
        text = _text(told, "rules", self._options.most_rules)
        async with self._checks:
            helper = Helper()
            try:
                await helper.start(self._context, check_rules, CheckTask(text))
                return await helper.ready(_CHECK_S)
            except TooSlow as error:
                raise Refusal(422, "too-slow", f"looking for mistakes took longer than {_CHECK_S:g} s") from error
            finally:
                helper.kill()

    async def preview(self, request: Request, told: Json) -> Json:
        """The initial state of rules, drawn."""
        return {"view": await self.matches.preview(_text(told, "rules", self._options.most_rules))}

    async def look_into(self, request: Request, told: Json) -> Json:
        """Begin to find out what is known of a game."""
        if isinstance(told.get("match"), str):
            record = self.matches.get(told["match"]).record
            name, rules = record.game, record.text
        elif isinstance(told.get("game"), str):
            entry = library.entry(told["game"][:200])
            name, rules = entry.name, entry.text
        else:
            name, rules = "game", _text(told, "rules", self._options.most_rules)
        key = await self.looks.begin(name, rules)
        task = asyncio.create_task(self.looks.wait(key))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)
        return self.looks.told(key)

    async def known(self, request: Request, told: Json) -> Json:
        return self.looks.told(request.path_params["key"])

    async def cancel(self, request: Request, told: Json) -> Json:
        self.looks.cancel(request.path_params["key"])
        return {"done": True}

    # ---- tournaments ----

    async def cups(self, request: Request, told: Json) -> Json:
        return {"cups": await asyncio.to_thread(self._cups.all)}

    async def cup(self, request: Request, told: Json) -> Json:
        return await asyncio.to_thread(self._cups.one, request.path_params["place"],
                                       request.query_params.get("name", ""))

    async def cup_match(self, request: Request, told: Json) -> Json:
        """A match of a tournament, to step through."""
        record = await asyncio.to_thread(self._cups.match, request.path_params["place"], _text(told, "id"))
        known = hashlib.sha256(record.id.encode()).hexdigest()[:20]
        path = self.matches.store.path(known)
        if not path.exists() or not self.matches.store.read(known).is_over:
            record.seats, record.id = {}, known
            self.matches.store.write(record)
        return {"id": known}


def _text(told: Json, key: str, longest: int = 10_000) -> str:
    value = told.get(key)
    if not isinstance(value, str):
        raise Refusal(400, "bad-request", f"{key} is missing")
    if len(value) > longest:
        raise Refusal(413, "too-long", f"{key} may have {longest:,} characters")
    return value


def _line(told: Json) -> list[dict[str, str]]:
    """Joint moves: by role, those who have a choice at least."""
    line = told.get("line", [])
    if not isinstance(line, list) or len(line) > _LONGEST_LINE or not all(
            isinstance(joint, dict) and all(isinstance(move, str) for move in joint.values()) for joint in line):
        raise Refusal(400, "bad-request", f"a line is a list of up to {_LONGEST_LINE} joint moves")
    return line


