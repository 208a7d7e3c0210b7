"""One match of the HTTP player: whatever happens to its processes, it answers in time with a legal move.

Two processes can work on a match. The *thinker* loads the fastest engine there is and chooses moves. The *guard* has
the engine that needs no time to load, and only knows legal moves; it is there while the thinker is not. What either
knows is a move to fall back on. A thinker that dies, or does not stop when its time is over, is replaced by another
that is told the whole match. While it thinks, it tells its best move so far, which is answered where nothing better
comes in time; the guard thinks, too, as well as it can. So a move that nobody thought about is the last resort.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludorum.errors import Refusal
from ludorum.players.search_info import Origin
from ludorum.protocol.messages import News, Percepts, Start
from ludorum.serve.hosting import Hosting
from ludorum.serve.margin import Moments
from ludorum.serve.orders import Assignment, BestSoFar, Chose, Knows, Learn, Prepare, Prepared, Report, Think
from ludorum.serve.origins import MoveCounts
from ludorum.serve.process import WorkerProcess
from ludorum.serve.worker import work
from ludorum.serve.worker_handle import WorkerHandle

# A guard is called if the thinker is not there after so many seconds, or this part of the clock.
_GUARD_AFTER_S = 1.0
_GUARD_AFTER_SHARE = 0.25
# After its time a player gets this much longer before its process is killed: so many seconds, or a whole play clock if
# that is longer. With the process all that it has found out is lost, and on a busy machine it is late for no fault of
# its own; it tells its best move and understands news meanwhile.
_KILL_AFTER_S = 0.5
# A thinker that has understood nothing for so many seconds is replaced.
_SILENCE_S = 30.0
# A thinker that died so often without choosing a move is only asked for legal moves.
_MAX_DEATHS = 3
# The engine that needs no time to load.
_GUARD_ENGINE = "reference"
_GUARD_PLAYER = "montecarlo"
_NO_MOVE = "nil"


@dataclass(frozen=True, slots=True)
class Answer:
    """A move, and how it came about; None where there was none to make."""

    move: str
    origin: Origin | None
    #: Whether it was given before its time, so that it may be thought about again.
    is_hasty: bool = False


class ServedMatch:
    def __init__(self, start: Start, hosting: Hosting, owner: str | None = None) -> None:
        self.start = start
        #: The address that it was started from.
        self.owner = owner
        self.touched = time.monotonic()
        self._hosting = hosting
        self._log = hosting.options.log
        self._history: list[tuple[int, News]] = []
        #: By the number of the last news, what is being answered or was.
        self._answers: dict[int, asyncio.Task[Answer]] = {}
        self.counts = MoveCounts()
        self._told = 0
        self._first_turn = 0
        self._thinker: WorkerHandle | None = None
        self._guard: WorkerHandle | None = None
        self._deaths = 0
        self._guards = 0
        #: By the number of news, what anybody knew, who may be dead by now; and the best move that anybody told.
        self._knows: dict[int, Knows] = {}
        self._best: BestSoFar | None = None
        #: The news that a move is wanted for now, and until when somebody may think about it.
        self._wanted: tuple[int, float] | None = None
        #: Whether a process ended while it loaded the game: the next one takes the engine that needs no loading.
        self._loads_badly = False
        #: Counts what was asked: whoever waits for the answer to an earlier question stops waiting.
        self._question = 0
        #: How many questions wait for an answer.
        self._pending = 0
        self._something_new = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        #: Whether nothing is worth waiting for any more.
        self._is_over = False
        self._is_closed = False

    @property
    def pids(self) -> list[int]:
        """The processes that work on it now, the thinker first."""
        helpers = [helper for helper in (self._thinker, self._guard) if helper is not None]
        return [helper.pid for helper in helpers if helper.pid is not None]

    # ---- what a referee asks ----

    async def begin(self, received: float, delay: float) -> None:
        """Be ready to play; raises Refusal if the match cannot be played."""
        question = self._ask()
        moments = self._hosting.margin.moments(received, self.start.start_clock, delay)
        self._call_thinker()
        self._do(self._call_guard(min(_GUARD_AFTER_S, self.start.start_clock * _GUARD_AFTER_SHARE)))
        await self._wait(lambda: self._refusal() or self._is_up_to_date(), moments.soft, question)
        if reason := self._refusal():
            raise Refusal(400, "bad-rules", reason)
        thinker = self._thinker
        if thinker is not None and thinker.loaded:
            async with self._hosting.slots.slot(moments.soft) as until:
                if until is not None and self._is_current(question):
                    await self._let(thinker, Prepare(until), until, moments, question, lambda: thinker.prepared)
                    if thinker.prepared and thinker.prepared.remark:
                        self._log.warning("%s: preparing failed: %s", self.start.match, thinker.prepared.remark)

    async def play(self, news: News, received: float, delay: float) -> Answer:
        """A legal move if one can be known; raises Refusal for news that cannot be true."""
        self._pending += 1
        try:
            return await self._play(news, self._hosting.margin.moments(received, self.start.play_clock, delay))
        finally:
            self._pending -= 1

    async def _play(self, news: News, moments: Moments) -> Answer:
        # Nothing that is going on is touched before the news are known to be possible.
        number = await self._understand(news, moments)
        answering = self._answers.get(number)
        if answering is None or (answering.done() and (answering.exception() or answering.result().is_hasty)):
            answering = asyncio.create_task(self._answer(number, moments, self._ask()))
            self._answers = {earlier: known for earlier, known in self._answers.items() if earlier + 2 > number}
            self._answers[number] = answering
        # Who asks again hears what the first one hears.
        return await asyncio.shield(answering)

    async def _answer(self, number: int, moments: Moments, question: int) -> Answer:
        self._wanted = number, moments.soft
        move, origin = await self._move(number, moments, question)
        is_current = self._is_current(question)
        if is_current:
            self._wanted = None
        if origin is not None:
            self.counts.add(origin)
            self._hosting.counts.add(origin)
        if origin == "any legal":
            self._log.error("%s: any legal move for want of a better one", self.start.match)
        # Whoever was interrupted by another question has not thought to the end.
        return Answer(move, origin, is_hasty=not is_current or not self._known(number))

    async def _understand(self, news: News, moments: Moments) -> int:
        """The number of the news; that of the last if these are the same told again. Raises Refusal."""
        while True:
            number, is_new = self._tell(news, moments)
            await self._wait(partial(self._is_settled, number), moments.hard)
            if reason := self._refusal():
                raise Refusal(400, "bad-rules", reason)
            if not (reason := self._rejection(number)):
                return number
            self._untell(number)
            # What these news were taken to follow on was somebody's mistake; they are told again without it.
            if is_new:
                break
        # In many games the same moves can be made again. Where they cannot, a referee that never heard the answer has
        # sent its message again.
        if not self._is_last(news):
            raise Refusal(400, "bad-moves", reason)
        return self._last

    async def _move(self, number: int, moments: Moments, question: int) -> tuple[str, Origin | None]:
        known = self._known(number)
        if known is not None and known.remark:
            self._log.warning("%s: %s", self.start.match, known.remark)
        self._let_the_guard_think()
        while (known is None or (known.legal > 1 and not known.is_terminal)) and time.monotonic() < moments.soft:
            answered, chose = await self._think(number, moments, question)
            if chose is not None and chose.move is not None:
                return chose.move, chose.origin
            if answered or not self._is_current(question):
                break
        await self._wait(lambda: self._known(number), moments.hard)
        known = self._known(number)
        is_anybody_thinking = self._guard is not None or (self._thinker is not None and self._thinker.is_thinking)
        if known is not None and known.legal > 1 and not known.is_terminal and is_anybody_thinking:
            await self._wait(lambda: self._best_for(number), moments.hard, question)
        return self._fall_back(number)

    def close(self) -> None:
        """Over: nobody works on it any more."""
        self._is_closed = self._is_over = True
        self._ask()
        for task in self._tasks:
            task.cancel()
        for helper in (self._thinker, self._guard):
            if helper is not None:
                helper.kill()
        self._thinker = self._guard = None

    def hurry(self) -> None:
        """Whoever waits for an answer gets what there is now."""
        self._is_over = True
        self._ask()

    # ---- what is known ----

    def _is_loaded(self) -> bool:
        return self._thinker is not None and self._thinker.loaded is not None

    def _is_up_to_date(self) -> bool:
        """Whether the thinker knows everything that was told."""
        thinker = self._thinker
        return thinker is not None and not thinker.has_ended and thinker.knows_of(self._last) is not None

    @property
    def _last(self) -> int:
        """The number of the last news."""
        return self._history[-1][0] if self._history else 0

    def _is_last(self, news: News) -> bool:
        return bool(self._history) and self._history[-1][1] == news

    def _refusal(self) -> str:
        if self._is_loaded():
            return ""
        for helper in (self._thinker, self._guard):
            if helper is not None and helper.refused is not None:
                return helper.refused.reason
        return ""

    def _rejection(self, number: int) -> str:
        for helper in (self._thinker, self._guard):
            if helper is not None and number in helper.rejected:
                return helper.rejected[number].reason
        return ""

    def _known(self, number: int) -> Knows | None:
        return self._knows.get(number)

    def _is_settled(self, number: int) -> bool:
        """Whether it is known what to think of news."""
        return bool(self._refusal() or self._rejection(number) or self._known(number))

    def _best_for(self, number: int) -> str | None:
        return self._best.move if self._best is not None and self._best.number == number else None

    def _fall_back(self, number: int) -> tuple[str, Origin | None]:
        known, best = self._known(number), self._best_for(number)
        if known is None:
            self._log.error("%s: no legal move is known in time", self.start.match)
            return _NO_MOVE, "any legal"
        if known.move is None or known.is_terminal:
            return known.move or _NO_MOVE, None
        if known.legal == 1:
            return known.move, "only move"
        return (known.move, "any legal") if best is None else (best, "best so far")

    # ---- telling ----

    def _tell(self, news: News, moments: Moments) -> tuple[int, bool]:
        """Pass on what is new; the number of the last news then, and whether these are they."""
        if isinstance(news, Percepts):
            if not self._history and news.move is None and not news.percepts:
                self._first_turn = news.turn
            made = news.turn - self._first_turn
            if made > len(self._history) + 1:
                last = self._first_turn + len(self._history)
                raise Refusal(400, "bad-turn", f"turn {news.turn} cannot follow on turn {last}")
            is_new = made == len(self._history) + 1
        else:
            # The same once more while it waits for the answer is the same message sent again.
            is_new = bool(news.moves) and not (self._pending > 1 and self._is_last(news))
        if not is_new:
            return self._last, False
        self._replace_if_silent()
        self._told += 1
        self._history.append((self._told, news))
        # News need a part of the time; the rest is for choosing.
        until = time.monotonic() + (moments.soft - time.monotonic()) / 4
        for helper in (self._thinker, self._guard):
            if helper is not None and helper.loaded is not None:
                helper.told = self._told
                helper.send(Learn(self._told, news, until))
        return self._told, True

    def _untell(self, number: int) -> None:
        self._history = [told for told in self._history if told[0] != number]
        for helper in (self._thinker, self._guard):
            if helper is not None:
                helper.told = self._last

    def _replace_if_silent(self) -> None:
        """A thinker that has not understood the last news yet, and says nothing, may never."""
        thinker = self._thinker
        silence = max(_SILENCE_S, 3 * self.start.play_clock)
        if (thinker is not None and thinker.loaded and not self._is_up_to_date()
                and time.monotonic() - thinker.heard > silence):
            self._log.warning("%s: the player does not follow the match; it starts again", self.start.match)
            thinker.kill()

    # ---- thinking ----

    async def _think(self, number: int, moments: Moments, question: int) -> tuple[bool, Chose | None]:
        """Whether the player has spoken, and what it chose."""
        await self._wait(lambda: self._is_idle(number), moments.soft, question)
        thinker = self._thinker
        if thinker is None or not self._is_idle(number) or not self._is_current(question):
            # Whatever keeps it, somebody should know the legal moves.
            self._do(self._call_guard(0))
            return False, None
        if self._deaths >= _MAX_DEATHS:
            return True, None
        async with self._hosting.slots.slot(moments.soft) as until:
            if until is None or thinker.has_ended or not self._is_current(question):
                return until is None, None
            await self._let(thinker, Think(number, until), until, moments, question,
                            lambda: thinker.chose and thinker.chose.number == number)
        chose = thinker.chose
        if chose is None or chose.number != number:
            return False, None
        if chose.move is None:
            self._log.error("%s: %s", self.start.match, chose.remark)
            return True, None
        self._deaths = 0
        return True, chose

    def _let_the_guard_think(self) -> None:
        """While the thinker is not there, somebody should have an idea which move is good."""
        guard = self._guard
        if guard is None or self._wanted is None or self._is_up_to_date():
            return
        number, until = self._wanted
        knows = guard.knows_of(number)
        if knows is not None and knows.legal > 1 and not knows.is_terminal and guard.asked != number:
            guard.asked = number
            guard.send(Think(number, until))

    def _is_idle(self, number: int) -> bool:
        thinker = self._thinker
        return (thinker is not None and thinker.knows_of(number) is not None and not thinker.is_thinking
                and not thinker.has_ended)

    async def _let(self, thinker: WorkerHandle, order: Prepare | Think, until: float, moments: Moments, question: int,
                   answer: Callable[[], object]) -> None:
        """Have the player work on something, and replace it if it does not stop in time."""
        thinker.is_thinking = True
        thinker.due = until
        thinker.send(order)
        patience = max(_KILL_AFTER_S, self.start.play_clock)
        latest = min(until + patience, max(until, moments.hard))
        await self._wait(lambda: answer() or thinker.has_ended, latest, question)
        if thinker.is_thinking and not thinker.has_ended:
            self._do(self._kill_if_it_goes_on(thinker, until + patience))

    async def _kill_if_it_goes_on(self, thinker: WorkerHandle, until: float) -> None:
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        if thinker.is_thinking and thinker.due <= until and not thinker.has_ended:
            self._log.warning("%s: the player does not stop when its time is over; it starts again", self.start.match)
            thinker.kill()

    # ---- processes ----

    def _call_thinker(self) -> None:
        thinker = self._thinker = WorkerHandle(self._notify)
        self._do(self._work_as_thinker(thinker))

    async def _work_as_thinker(self, thinker: WorkerHandle) -> None:
        """Load the game when it is our turn, and see to it that there is another thinker when this one has ended."""
        options = self._hosting.options
        async with self._hosting.loading.turn(self.start.rules):
            await self._launch(thinker, is_guard=False)
            try:
                # Loading has a budget of its own; what passes twice of it hangs.
                async with asyncio.timeout(2 * options.load_seconds + 10):
                    while not (thinker.loaded or thinker.refused or thinker.has_ended):
                        await self._news()
            except TimeoutError:
                thinker.kill()
        if thinker.loaded:
            self._log.info("%s: %s engine (%s)", self.start.match, thinker.loaded.engine, thinker.loaded.why)
        while not (thinker.has_ended or thinker.refused):
            if self._guard is not None and self._is_up_to_date():
                self._guard.kill()
                self._guard = None
            await self._news()
        if not self._is_closed and not thinker.refused:
            self._deaths += 1
            self._loads_badly |= thinker.loaded is None
            self._log.error("%s: the process of the player has ended; it starts again", self.start.match)
            # Not at once if it keeps dying.
            await asyncio.sleep(0 if self._deaths == 1 else 0.1 * 2 ** min(self._deaths, 8))
            self._call_thinker()
            self._do(self._call_guard(min(_GUARD_AFTER_S, self.start.play_clock * _GUARD_AFTER_SHARE)))

    async def _call_guard(self, patience: float) -> None:
        """Have somebody know the legal moves until the thinker does."""
        await asyncio.sleep(patience)
        while not self._is_closed and not self._is_up_to_date() and self._guard is None and not self._refusal():
            guard = self._guard = WorkerHandle(self._notify)
            self._guards += 1
            await self._launch(guard, is_guard=True)
            while not (guard.has_ended or guard.refused):
                await self._news()
            if self._guard is guard and guard.has_ended:
                self._guard = None
                await asyncio.sleep(0.1 * self._guards)

    async def _launch(self, helper: WorkerHandle, *, is_guard: bool) -> None:
        options = self._hosting.options
        helper.told = self._told
        engine = _GUARD_ENGINE if is_guard or self._loads_badly else None
        task = Assignment(
            self.start.match, self.start.role, self.start.rules, _GUARD_PLAYER if is_guard else options.player, engine,
            1 if is_guard else self._hosting.threads, options.matches == 1, options.load_seconds, options.memory_mb,
            self.start.start_clock, self.start.play_clock, is_guard, tuple(self._history))
        helper.attach(await WorkerProcess.start(self._hosting.workshop, work, task,
                                                lambda report: self._hear(helper, report), helper.end))

    def _hear(self, helper: WorkerHandle, report: Report) -> None:
        was_loaded = helper.loaded is not None
        if isinstance(report, Chose | Prepared) and helper is not self._guard:
            self._hosting.margin.heard(time.monotonic() - helper.due)
        if isinstance(report, Knows):
            self._knows = {number: known for number, known in self._knows.items() if number + 4 > report.number}
            self._knows[report.number] = report
        is_guarding = helper is self._guard
        if isinstance(report, BestSoFar) and not (is_guarding and self._best_for(report.number) and
                                                  self._is_up_to_date()):
            self._best = report
        if isinstance(report, Chose) and is_guarding and report.move is not None:
            self._best = BestSoFar(report.number, report.move)
        helper.hear(report)
        if is_guarding and isinstance(report, Knows):
            self._let_the_guard_think()
        if helper.loaded is not None and not was_loaded:
            # What was told while it was loading.
            for number, news in self._history:
                if number > helper.told:
                    helper.told = number
                    helper.send(Learn(number, news, time.monotonic() + self.start.play_clock / 4))

    # ---- waiting ----

    def _ask(self) -> int:
        self.touched = time.monotonic()
        self._question += 1
        self._notify()
        return self._question

    def _is_current(self, question: int) -> bool:
        return question == self._question and not self._is_over

    def _notify(self) -> None:
        self._something_new.set()

    async def _news(self) -> None:
        self._something_new.clear()
        await self._something_new.wait()

    async def _wait(self, condition: Callable[[], object], until: float, question: int | None = None) -> None:
        """Until it holds, the moment has come, or, if this is about a question, another was asked."""
        while not condition() and not self._is_over and (question is None or self._is_current(question)):
            left = until - time.monotonic()
            if left <= 0:
                return
            try:
                async with asyncio.timeout(left):
                    await self._news()
            except TimeoutError:
                self._hosting.margin.woke(time.monotonic() - until)
                return

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._log.error("%s: %r", self.start.match, error, exc_info=error)
