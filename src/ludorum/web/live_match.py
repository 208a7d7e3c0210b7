"""A match while somebody plays or watches it: a record on disk, a process that knows the rules, and who listens.

Whatever becomes of the process or of the server, the record holds all but the step in progress.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerContext
from typing import Any

from ludorum.errors import LudorumError, Refusal
from ludorum.gdl.words import RANDOM
from ludorum.match import record as records
from ludorum.match.record import Error, Lines, Record, RecordedInfo
from ludorum.web.helper import Helper
from ludorum.web.options import WebOptions
from ludorum.web.orders import MatchTask, Told
from ludorum.web.seats import PERSON, seat_described, seat_spec
from ludorum.web.store import Store
from ludorum.web.titles import title
from ludorum.web.worker import work

# Where only engines play, a step takes at least so long, so that people can follow.
_PACE_S = 0.35
# Who does not fetch what is told loses its connection, and comes again.
_MOST_EVENTS = 500
# What loading takes beyond its budget: reading rules, finding boards.
_LOADING_EXTRA_S = 20.0


@dataclass(eq=False)
class Listener:
    """A page that watches: the roles whose seats it may sit at, and what it has yet to be told."""

    roles: frozenset[str]
    events: asyncio.Queue[tuple[str, Any] | None] = field(default_factory=lambda: asyncio.Queue(_MOST_EVENTS))


class LiveMatch:
    def __init__(self, store: Store, options: WebOptions, context: ForkServerContext, record: Record) -> None:
        self._store = store
        self._options = options
        self._context = context
        self.record = record
        self._lines: Lines = {}
        self.listeners: set[Listener] = set()
        self.used = time.monotonic()
        self._helper: Helper | None = None
        self._opening = asyncio.Lock()
        self._position: dict[str, Any] = {}
        self._loaded: dict[str, Any] = {}
        self._playing: asyncio.Task[None] | None = None
        self._choices: dict[str, asyncio.Future[str]] = {}
        #: Who has chosen in the step in progress, and who is thinking.
        self._chosen: dict[str, str] = {}
        self._thinking: set[str] = set()
        self._began = time.monotonic() - record.seconds
        self._step_began = time.monotonic()
        self._review: dict[str, Any] | None = None
        self._search: dict[str, Any] | None = None
        #: Why the match cannot go on, if it cannot.
        self.trouble: str | None = None

    # ---- the process ----

    @property
    def is_open(self) -> bool:
        return self._helper is not None and not self._helper.has_ended

    @property
    def pid(self) -> int | None:
        return None if self._helper is None else self._helper.pid

    async def open(self) -> None:
        """Have a process that knows the match, and go on with it; raises Refusal or TooSlow."""
        async with self._opening:
            self.used = time.monotonic()
            if self.is_open:
                return
            record, options = self.record, self._options
            helper = Helper(self._heard, self._ended)
            task = MatchTask(record.id, record.game, record.text, options.load_seconds, options.memory_mb, record.seed,
                             record.play_clock, tuple(record.moves), options.think_seconds, options.search_seconds)
            await helper.start(self._context, work, task)
            self._helper = helper
            self._take_loaded(await helper.ready(options.load_seconds + _LOADING_EXTRA_S))
            self.trouble = None
            self._go_on()

    def adopt(self, helper: Helper, loaded: dict[str, Any]) -> None:
        """Take over a process that has loaded the game already."""
        self._helper = helper
        helper.on_told, helper.on_end = self._heard, self._ended
        self._take_loaded(loaded)
        self._go_on()

    def close(self) -> None:
        """End the process; the match goes on when somebody comes again."""
        self._stop_playing()
        if self._helper is not None:
            self._helper.kill()
        self._search = None
        for listener in self.listeners:
            self._send(listener, None)

    def _take_loaded(self, loaded: dict[str, Any]) -> None:
        self._loaded = {key: loaded[key] for key in ("engine", "why", "hides")}
        self._position = {key: value for key, value in loaded.items()
                          if key not in ("engine", "why", "hides", "rules", "roles", "rules_hash")}
        if not self.record.states:
            self._arrive()

    async def _ask(self, verb: str, **arguments: Any) -> Any:
        await self.open()
        assert self._helper is not None
        return await self._helper.ask(verb, self._options.answer_seconds, **arguments)

    def _ended(self) -> None:
        if self._search is not None:
            self._search = None
            self._tell("search", None)

    def _heard(self, told: Told) -> None:
        if told.topic == "search":
            self._search = told.value
        if not self.is_secret:
            self._tell(told.topic, told.value)

    # ---- the match goes on ----

    def _go_on(self) -> None:
        self._stop_playing()
        self._step_began = time.monotonic()
        if not self.record.is_over:
            self._playing = asyncio.create_task(self._play())

    def _stop_playing(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None
        self._choices.clear()
        self._chosen.clear()
        self._thinking.clear()

    async def _play(self) -> None:
        try:
            while not self.record.is_over:
                await self._step()
            assert self._helper is not None
            self._helper.tell("finish")
        except LudorumError as error:
            self.trouble = error.reason if isinstance(error, Refusal) else str(error)
            self._tell("trouble", self.trouble)

    async def _step(self) -> None:
        """Have everybody choose who has a choice, and make the joint move."""
        self._step_began = time.monotonic()
        choosers = self._position["choosers"]
        self._chosen.clear()
        people = [role for role in choosers if self.record.seats.get(role) == PERSON]
        self._choices = {role: asyncio.get_running_loop().create_future() for role in people}
        answers = await asyncio.gather(*(self._choice(role) for role in choosers))
        pause = _PACE_S - (time.monotonic() - self._step_began)
        if not people and pause > 0:
            await asyncio.sleep(pause)
        joint = {role: move for role, (move, _, _) in zip(choosers, answers, strict=True)}
        position = await self._ask("advance", joint=joint)
        told = dict(zip(choosers, answers, strict=True))
        record = self.record
        record.moves.append(position["joint"])
        record.times.append({role: told[role][1] if role in told else None for role in record.roles})
        record.thoughts.append({role: thoughts for role, (_, _, thoughts) in told.items() if thoughts is not None})
        self._position = position
        self._arrive()
        self._choices.clear()
        self._chosen.clear()
        self._step_began = time.monotonic()
        self._tell_state(len(record.moves) - 1)

    async def _choice(self, role: str) -> tuple[str, float, RecordedInfo | None]:
        """A move of somebody, what it took, and what they thought."""
        spec = self.record.seats.get(role, "chance") if role != RANDOM else "chance"
        began = time.monotonic()
        if spec == PERSON:
            try:
                async with asyncio.timeout(self.record.play_clock):
                    move = await self._choices[role]
            except TimeoutError:
                late = await self._ask("late", role=role, idle=self.record.idle)
                move = late["move"]
                if late["is_fault"]:
                    self._blame(role, "late", f"{role} did not choose in {self.record.play_clock:g} s", move)
            return self._chose(role, move), round(time.monotonic() - began, 4), None
        assert self._helper is not None
        self._thinking.add(role)
        if spec != "chance":
            self._tell_choices()
        clock = self.record.play_clock
        try:
            answer = await self._helper.ask("think", self._options.think_seconds + 10, role=role, spec=spec,
                                            seconds=clock)
        finally:
            self._thinking.discard(role)
        if answer["fault"] is not None:
            self._blame(role, answer["fault"]["kind"], answer["fault"]["message"], answer["move"])
        return self._chose(role, answer["move"]), round(time.monotonic() - began, 4), answer["thoughts"]

    def _chose(self, role: str, move: str) -> str:
        self._chosen[role] = move
        self._tell_choices()
        return move

    def _blame(self, role: str, kind: str, message: str, instead: str | None) -> None:
        self.record.errors.append(Error(step=len(self.record.moves) + 1, role=role, during="play", kind=kind,
                                        message=message, instead=instead))

    def _arrive(self) -> None:
        """Write down a new state, and whether it is the last."""
        record, position = self.record, self._position
        record.states.append(position["state"])
        record.state_times.append(round(time.monotonic() - self._began, 3))
        if record.percepts is not None and record.moves:
            record.percepts.append(position["percepts"])
        record.goals = position["goals"]
        record.outcome = position["outcome"]
        if record.is_over:
            record.ended = records.now()
        self._keep()

    def _keep(self) -> None:
        self._store.write(self.record, self._lines)

    # ---- what people do ----

    async def move(self, roles: frozenset[str], role: str, move: str, step: int) -> None:
        """A person moves; raises Refusal if it is not theirs to move, or the move is not legal."""
        self._must_sit(roles, role)
        await self.open()
        if step != len(self.record.moves):
            raise Refusal(409, "too-late", "the match has gone on meanwhile")
        choice = self._choices.get(role)
        if choice is None or choice.done():
            raise Refusal(409, "not-now", f"{role} has nothing to choose now")
        legal = await self._ask("legal", role=role, move=move)
        if not choice.done():
            choice.set_result(legal)

    async def undo(self, roles: frozenset[str]) -> None:
        """Back to the last state where one of these roles had a choice."""
        self._must_play(roles)
        await self.open()
        if self._loaded["hides"] and self._position["views"][""] is None:
            raise Refusal(409, "secrets", "in a game with secrets nothing can be taken back")
        choosers = await self._ask("choosers")
        step = next((step for step in range(len(self.record.moves) - 1, -1, -1)
                     if roles.intersection(choosers[step])), None)
        if step is None:
            raise Refusal(409, "nothing", "there is nothing to take back")
        await self.rewind(step)

    async def rewind(self, step: int) -> None:
        self._stop_playing()
        record = self.record
        self._position = await self._ask("rewind", step=step)
        for listed in (record.moves, record.times, record.thoughts, record.percepts):
            if listed is not None:
                del listed[step:]
        del record.states[step + 1:], record.state_times[step + 1:]
        record.errors = [error for error in record.errors if error.step <= step]
        record.outcome, record.ended, record.goals = "playing", None, self._position["goals"]
        self._lines.clear()
        self._review = None
        self._keep()
        self._go_on()
        self._tell_state(0)

    async def resign(self, roles: frozenset[str], role: str) -> None:
        """The match ends here; the record says who gave it up."""
        self._must_sit(roles, role)
        if self.record.is_over:
            raise Refusal(409, "over", "the match is over")
        self._stop_playing()
        self._blame(role, "resigned", f"{role} resigned", None)
        self.record.outcome, self.record.ended = "cut", records.now()
        self._keep()
        self._tell_state(len(self.record.moves))

    async def seat(self, roles: frozenset[str], role: str, told: Any) -> None:
        """Somebody else sits down. Whoever plays may do that at every seat that no other person has."""
        self._must_play(roles)
        if role not in self.record.seats:
            raise Refusal(404, "no-seat", f"there is no seat for {role[:50]}")
        if self.record.seats[role] == PERSON and role not in roles:
            raise Refusal(403, "taken", f"{role} is somebody else's")
        self.record.seats[role] = seat_spec(told, allows_remote=self._options.allows_remote_players)
        self.record.players[role] = seat_described(role, self.record.seats[role])["name"]
        self._keep()
        await self.open()
        if not self.record.is_over:
            self._go_on()
        self._tell_state(0)

    async def hint(self, roles: frozenset[str], role: str) -> dict[str, Any]:
        self._must_sit(roles, role)
        if role not in self._position.get("choosers", ()):
            raise Refusal(409, "not-now", f"{role} has nothing to choose now")
        found = await self._ask("hint", role=role)
        return {"move": found["move"]}

    async def look(self, roles: frozenset[str], step: int, line: list[dict[str, str]],
                   role: str | None) -> list[dict[str, Any]]:
        """The states along a line that begins at a step, as these roles may see them."""
        await self.open()
        if not 0 <= step <= len(self.record.moves):
            raise Refusal(404, "no-step", "the match has no such step")
        if self.is_secret:
            if role is None or role not in roles:
                raise Refusal(403, "secret", "this is known when the match is over")
            role, line = role, []
        else:
            role = None
        found: list[dict[str, Any]] = await self._ask("look", step=step, line=line, role=role)
        return found

    async def search(self, step: int, line: list[dict[str, str]]) -> None:
        if self.is_secret:
            raise Refusal(403, "secret", "a search would tell what nobody may know")
        await self._ask("search", step=step, line=line)

    async def halt(self) -> None:
        if self.is_open:
            await self._ask("halt")
            self._search = None

    async def review(self, playouts: int) -> dict[str, Any]:
        """What every state was worth, and the largest losses; how it goes on is told to all."""
        if self.is_secret:
            raise Refusal(403, "secret", "a review would tell what nobody may know")
        await self.open()
        assert self._helper is not None
        if self._review is None or len(self._review["values"]) != len(self.record.states):
            self._review = await self._helper.ask("review", 60 + self._options.think_seconds, playouts=playouts)
        return self._review

    def _must_sit(self, roles: frozenset[str], role: str) -> None:
        if role not in roles or self.record.seats.get(role) != PERSON:
            raise Refusal(403, "not-yours", f"{role[:50]} is not your seat")

    def _must_play(self, roles: Iterable[str]) -> None:
        if not set(roles):
            raise Refusal(403, "not-yours", "you are watching; only those who play may do this")

    # ---- what is told ----

    @property
    def is_secret(self) -> bool:
        """Whether there is anything that not everybody may know."""
        return bool(self._loaded.get("hides", self.record.percepts is not None)) and not self.record.is_over \
            and self._position.get("views", {}).get("") is None

    def described(self, roles: frozenset[str], since: int = 0) -> dict[str, Any]:
        """The match as somebody may see it who sits at the seats of these roles; moves from a step on."""
        record = self.record
        views = self._position.get("views", {})
        visible = set(record.roles) if not self.is_secret else set(roles)
        view = views.get("")
        return {
            "id": record.id, "game": record.game, "title": title(record.game), "roles": record.roles,
            "engine": self._loaded.get("engine"),
            "why": self._loaded.get("why"),
            "seats": {role: {**seat_described(role, record.seats.get(role)), "is_mine": role in roles}
                      for role in record.roles},
            "step": len(record.moves), "since": since,
            "moves": [{role: move for role, move in joint.items() if role in visible}
                      for joint in record.moves[since:]],
            "outcome": record.outcome, "goals": record.goals if record.is_over or not self.is_secret else {},
            "errors": [{"step": error.step, "role": error.role, "kind": error.kind, "message": error.message}
                       for error in record.errors if error.role in visible],
            "choosers": [role for role in self._position.get("choosers", ()) if role in visible],
            "chosen": sorted(visible.intersection(self._chosen)), "thinking": sorted(visible & self._thinking),
            "values": self._values(visible), "play_clock": record.play_clock,
            "clock_left": None if record.play_clock is None else
            round(max(0.0, record.play_clock - (time.monotonic() - self._step_began)), 2),
            "hides": self._loaded.get("hides", False), "is_secret": self.is_secret, "trouble": self.trouble,
            "rules_hash": record.rules_hash,
            "view": view,
            "own": None if view is not None else {role: views[role] for role in roles if role in views},
        }

    def _values(self, visible: set[str]) -> list[dict[str, float]]:
        """By step what engines thought of the moves they made, for a graph."""
        return [{role: told.values[joint[role]] for role, told in thoughts.items()
                 if role in visible and joint[role] in told.values}
                for joint, thoughts in zip(self.record.moves, self.record.thoughts, strict=True)]

    def listen(self, roles: frozenset[str]) -> Listener:
        listener = Listener(roles)
        self.listeners.add(listener)
        self._send(listener, ("state", self.described(roles)))
        if self._search is not None and not self.is_secret:
            self._send(listener, ("search", self._search))
        return listener

    def unwatched(self) -> None:
        """Nobody listens any more: nobody need search for them."""
        if self._search is not None and self._helper is not None:
            self._helper.tell("halt")
            self._search = None

    def _tell_state(self, since: int) -> None:
        self._tell_each("state", lambda roles: self.described(roles, since))

    def _tell_choices(self) -> None:
        def told(roles: frozenset[str]) -> dict[str, Any]:
            visible = set(self.record.roles) if not self.is_secret else set(roles)
            return {"chosen": sorted(visible.intersection(self._chosen)), "thinking": sorted(visible & self._thinking)}

        self._tell_each("choices", told)

    def _tell(self, topic: str, value: Any) -> None:
        self._tell_each(topic, lambda roles: value)

    def _tell_each(self, topic: str, value: Callable[[frozenset[str]], Any]) -> None:
        self.used = time.monotonic()
        for listener in list(self.listeners):
            self._send(listener, (topic, value(listener.roles)))

    def _send(self, listener: Listener, event: tuple[str, Any] | None) -> None:
        try:
            listener.events.put_nowait(event)
        except asyncio.QueueFull:
            self.listeners.discard(listener)
            # Room for the word that ends it.
            listener.events.get_nowait()
            listener.events.put_nowait(None)


def new_record(match: str, game: str, loaded: dict[str, Any], seats: dict[str, str],
               play_clock: float | None, old: Record | None = None) -> Record:
    """The record of a match that is about to begin."""
    roles: list[str] = loaded["roles"]
    return Record(
        id=match, game=game, rules_hash=loaded["rules_hash"], roles=roles,
        players={role: seat_described(role, seats.get(role))["name"] for role in roles}, seats=seats, start_clock=None,
        play_clock=play_clock, grace=0.0, seed=random.SystemRandom().getrandbits(31), started=records.now(),
        percepts=[] if loaded["hides"] else None, software=records.software(),
        rules=loaded["rules"] if old is None else old.rules, idle=loaded["idle"] if old is None else old.idle)
