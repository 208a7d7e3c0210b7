"""Does the HTTP player survive? Matches with short clocks, many at once, nonsense, a gigabyte, a game that is vast.

    python bench/survival.py                 all of it, as Markdown; --write puts it into docs/lab/survival.md
    python bench/survival.py --matches 50 --at-once 10 --malformed 500     a shorter one
    python bench/survival.py --only beside   five matches side by side while 10,000 requests of thirty kinds are sent
    python bench/survival.py --only whole    200 whole matches on five games, with trees that pass their memory limit
    python bench/survival.py --only secrets  100 matches with hidden information at clocks of 1 s, two side by side
    python bench/survival.py --only whole --matches 4 --clock 30 --games connectfour breakthrough    long clocks

The player is `ludorum serve` in a process of its own, spoken to over the loopback device. Our own referee conducts the
matches, with no grace: what comes after the clock is late. It runs on the same machine, so that what it takes is taken
from the player.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import socket
import string
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx

import ludorum
from ludorum.clock import Deadline
from ludorum.errors import PlayerFailed
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.match.player_spec import seat_for
from ludorum.match.record import Record
from ludorum.match.referee import conduct
from ludorum.players import Clocks
from ludorum.protocol import RemotePlayer
from ludorum.serve.options import best_player
from nuisances import Nuisance, match_name

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "lab" / "survival.md"
MARKS = ("<!-- survival -->\n", "<!-- end of survival -->\n")

GAMES = ["tictactoe", "connectfour", "nim", "hexapawn", "rockpaperscissors", "phantomtictactoe", "montyhall",
         "tictactoe3p", "breakthrough", "eightpuzzle", "meier", "biddingtictactoe"]

#: Whose trees soon pass a small limit of memory.
LARGE_GAMES = ["connectfour", "breakthrough", "pentago", "othello", "smallconnectfour"]
#: The limit of a tree in megabytes, and how many requests are under way at once beside matches.
TREE_MB, NUISANCES_AT_ONCE = 16, 24

#: A walker in a space of 35,937 places, of which a match sees a few: compiling them all takes half a minute.
VAST = "(role walker) (init (at 0 0 0)) (init (step 0))\n" + " ".join(f"(succ {n} {n + 1})" for n in range(32)) + """
(<= (legal walker east) (true (at ?x ?y ?z)) (succ ?x ?w))
(<= (legal walker north) (true (at ?x ?y ?z)) (succ ?y ?w))
(<= (legal walker up) (true (at ?x ?y ?z)) (succ ?z ?w))
(<= (next (at ?w ?y ?z)) (does walker east) (true (at ?x ?y ?z)) (succ ?x ?w))
(<= (next (at ?x ?w ?z)) (does walker north) (true (at ?x ?y ?z)) (succ ?y ?w))
(<= (next (at ?x ?y ?w)) (does walker up) (true (at ?x ?y ?z)) (succ ?z ?w))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 32)))
(<= (goal walker 100) (true (at ?x ?x ?x)))
(<= (goal walker 0) (true (at ?x ?y ?z)) (distinct ?x ?y))
"""

#: Matches with secrets: short ones of all kinds.
SECRET_GAMES = ["montyhall", "explodingbomb", "spyvsspy", "kuhnpoker", "liarsdice3", "meier", "numberguessing",
                "phantomtictactoe", "blackjack", "bankerandthief", "battleshipsinfog", "mastermind"]
#: A walker in as large a space, in fog: gusts lift it unseen, it notices heights of 2. There is no circuit in time.
FOG = "(role walker) (role random) (init (at 0 0 0)) (init (step 0))\n" + " ".join(
    f"(succ {n} {n + 1})" for n in range(32)) + """
(legal walker east) (legal walker north)
(legal random gust) (legal random calm)
(<= (next (at ?w ?y ?z)) (does walker east) (does random calm) (true (at ?x ?y ?z)) (succ ?x ?w))
(<= (next (at ?x ?w ?z)) (does walker north) (does random calm) (true (at ?x ?y ?z)) (succ ?y ?w))
(<= (next (at ?w ?y ?u)) (does walker east) (does random gust) (true (at ?x ?y ?z)) (succ ?x ?w) (succ ?z ?u))
(<= (next (at ?x ?w ?u)) (does walker north) (does random gust) (true (at ?x ?y ?z)) (succ ?y ?w) (succ ?z ?u))
(<= (sees walker high) (true (at ?x ?y 2)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 6)))
(<= (goal walker 100) (true (at ?x ?y ?y)))
(<= (goal walker 0) (true (at ?x ?y ?z)) (distinct ?y ?z))
(goal random 0)
"""


# ---- the player ----


@dataclass
class Serving:
    """A player in a process of its own."""

    address: str
    pid: int
    log: Path

    def memory_mb(self) -> float:
        """What the server's own process holds."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]

    def files(self) -> int:
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    def processes(self) -> int:
        """Those of this player, itself included."""
        return len(self.family())

    def whole_memory_mb(self) -> float:
        """What all of them hold; pages that they share count in each."""
        total = 0
        for pid in self.family():
            with suppress(OSError):
                found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
                total += int(found[1]) if found else 0
        return total / 1024

    def family(self) -> list[int]:
        parents: dict[int, list[int]] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                except OSError:
                    continue
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
        found, left = [self.pid], [self.pid]
        while left:
            children = parents.get(left.pop(), [])
            found += children
            left += children
        return found


@contextmanager
def serving(player: str, **environment: str) -> Iterator[Serving]:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("w") as stderr:
            process = subprocess.Popen(
                [sys.executable, "-c", "from ludorum.cli import main; main()", "serve", "--port", "0",
                 "--player", player], stdout=subprocess.PIPE, stderr=stderr, text=True,
                env={**os.environ, **environment})
        assert process.stdout is not None
        found = re.search(r"http://[\d.:]+", process.stdout.readline())
        if found is None:
            raise SystemExit(f"the player did not start: {log.read_text()}")
        try:
            yield Serving(found.group(), process.pid, log)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
            process.stdout.close()


# ---- matches ----


@dataclass
class Tally:
    """What came of a series of matches."""

    matches: int = 0
    answers: int = 0
    steps: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    #: How the moves of the player came about.
    origins: Counter[str] = field(default_factory=Counter)
    #: Seconds of the clock that were left when an answer came.
    left: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, record: Record) -> None:
        self.matches += 1
        self.steps += len(record.moves)
        for step in record.times:
            times = [seconds for role, seconds in step.items()
                     if seconds is not None and record.seats.get(role, "").startswith("http")]
            self.answers += len(times)
            self.left += [(record.play_clock or 0) - seconds for seconds in times]
        for number, (step, thoughts) in enumerate(zip(record.times, record.thoughts, strict=True), 1):
            for role, seconds in step.items():
                if seconds is not None and record.seats.get(role, "").startswith("http"):
                    told = thoughts.get(role)
                    origin = told.origin if told is not None and told.origin else "unknown"
                    self.origins[origin] += 1
                    if origin == "any legal":
                        # A move without thinking is a fault like a late one.
                        self.errors["without thinking at play"] += 1
                        self.examples.append(f"{record.id} {record.game} step {number} {role}: any legal move")
        for error in record.errors:
            self.errors[f"{error.kind} at {error.during}"] += 1
            self.examples.append(f"{record.id} {record.game} step {error.step} {error.role}: {error.message}")

    @property
    def verdict(self) -> str:
        if not self.errors:
            return "no illegal move, no missed clock, no move without thinking"
        return ", ".join(f"{count} × {what}" for what, count in self.errors.most_common())


def play_many(address: str, games: list[Game], count: int, at_once: int, clocks: Clocks, max_steps: int,
              begins: Callable[[int], bool] = lambda _: True) -> Tally:
    """So many matches; `begins` is told the number of each and may say no."""
    tally = Tally()
    lock = threading.Lock()

    def one(number: int) -> None:
        if not begins(number):
            return
        game = games[number % len(games)]
        # One seat is the player's, the others move at random.
        people = [str(role) for role in game.roles if role != "random"]
        seats = {role: seat_for("random", seed=number) for role in people}
        seats[people[number // len(games) % len(people)]] = seat_for(address)
        record = conduct(game, seats, clocks=clocks, seed=number, match=match_name(number), max_steps=max_steps)
        with lock:
            tally.add(record)
            if sys.stderr.isatty():
                print(f"\r{tally.matches} of {count} matches, {tally.verdict}", end="", file=sys.stderr)

    start = time.monotonic()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, range(count)))
    tally.seconds = time.monotonic() - start
    for example in tally.examples[:40]:
        print(example, file=sys.stderr)
    return tally


def row(what: str, tally: Tally, clocks: Clocks) -> str:
    left = sorted(tally.left)
    origins = ", ".join(f"{count:,} {origin}" for origin, count in tally.origins.most_common())
    return (f"| {what} | {clocks.start:g} s / {clocks.play:g} s | {tally.matches:,} | {tally.answers:,} | "
            f"{tally.verdict} | {origins} | {1000 * left[0]:,.0f} ms | {1000 * left[len(left) // 2]:,.0f} ms | "
            f"{tally.seconds:,.0f} s |")


def start_seconds(address: str, game: Game, count: int) -> list[float]:
    """How long READY takes for a game that was compiled before."""
    player, rules, took = RemotePlayer(address), to_kif(game.rules), []
    for number in range(count):
        before = time.monotonic()
        player.start(f"quick.{number}", game.roles[0], rules, 10, 10, Deadline.within(10))
        took.append(time.monotonic() - before)
        player.abort(f"quick.{number}", Deadline.within(10))
    return sorted(took)


# ---- nonsense ----


def malformed(chance: random.Random) -> bytes:
    """Something like a message, broken at random."""
    words = ["PLAY", "START", "STOP", "ABORT", "INFO", "PREVIEW"]
    match chance.randrange(7):
        case 0:
            return chance.randbytes(chance.randrange(200))
        case 1:
            return "".join(chance.choices(string.printable, k=chance.randrange(200))).encode()
        case 2:
            return b"(" * chance.randrange(1, 50_000)
        case 3:
            return ("(PLAY m" + "".join(chance.choices("() ;\"|?anil01\n", k=chance.randrange(60))) + ")").encode()
        case 4:
            rules = "".join(chance.choices("()<= role ?x init legal", k=200))
            return f"(START m{chance.randrange(9)} x ({rules}) 1 1)".encode()
        case 5:
            return f"(PLAY {'m' * chance.randrange(1, 9999)} NIL)".encode()
        case _:
            return f"({chance.choice(words)} {'x ' * chance.randrange(9)})".encode()


def send_nonsense(server: Serving, count: int) -> list[str]:
    """Memory before and after, and what was answered."""
    lines = []
    statuses: Counter[str] = Counter()
    chance = random.Random(1)

    def report(sent: int) -> None:
        lines.append(f"| {sent:,} | {server.memory_mb():.1f} MB | {server.files()} | {server.processes()} |")

    report(0)
    with httpx.Client(base_url=server.address, timeout=60) as client:
        for number in range(1, count + 1):
            statuses[str(client.post("/", content=malformed(chance)).status_code)] += 1
            if number % max(1, count // 4) == 0:
                # Sweeping and burying take a moment.
                time.sleep(1)
                report(number)
    answered = ", ".join(f"{status}: {times:,}" for status, times in sorted(statuses.items()))
    return ["| messages sent | memory of the server | open files | processes |", "| --- | --- | --- | --- |",
            *lines, "", f"Statuses of the answers: {answered}."]


def send_a_gigabyte(server: Serving) -> str:
    place = urlsplit(server.address)
    before, sent = server.memory_mb(), 0
    with socket.create_connection((str(place.hostname), place.port), timeout=60) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
        try:
            for _ in range(1024):
                connection.sendall(chunk)
                sent += 1
        except OSError:
            pass
        try:
            answer = connection.recv(65536).decode(errors="replace")
        except OSError as error:
            answer = f"HTTP/1.1 nothing ({error})"
    status = answer.split("\r\n")[0].split(" ", 1)[-1]
    return (f"A body of a gigabyte, in chunks: the answer is `{status}`, the connection is closed after {sent} MB were "
            f"sent, and the server holds {server.memory_mb() - before:+.1f} MB.")


# ---- a vast game ----


def play_vast(player: str) -> str:
    """START with two seconds for a game that takes far longer to compile."""
    game = ludorum.load(VAST, engine="reference")
    with serving(player, LUDORUM_CACHE="off") as server:
        remote = RemotePlayer(server.address)
        before = time.monotonic()
        try:
            remote.start("vast", "walker", VAST, 2, 2, Deadline.within(2))
        except PlayerFailed as error:
            return f"START failed: {error}"
        ready = time.monotonic() - before
        state, joint, legal, late, circuit_after = game.initial, None, 0, 0, None
        while not state.is_terminal:
            try:
                move = remote.play("vast", joint, Deadline.within(2))
            except PlayerFailed:
                late += 1
                move = state.legal("walker")[0]
            legal += move in state.legal("walker")
            if circuit_after is None and "engine (" in server.log.read_text():
                circuit_after = time.monotonic() - before
            state, joint = state.after(move), [move]
        steps = state.step
    when = f"was there after {circuit_after:.0f} s" if circuit_after else "did not come during the match"
    return (f"START with a clock of 2 s was answered READY after {ready:.2f} s. The compiled game {when}. "
            f"Of {steps} moves with a clock of 2 s, {legal} were legal and {late} late.")


# ---- beside matches, and past the limit of memory ----


def play_large(options: argparse.Namespace, *, beside: int) -> Iterator[str]:
    """Whole matches with trees that pass their limit, and so many requests beside them that no referee should send."""
    games = [ludorum.load(name) for name in options.games or LARGE_GAMES]
    clock = options.clock if options.clock is not None else 3.0
    clocks = Clocks(clock, clock, grace=0)
    until = time.monotonic() + 60 * options.minutes
    player = f"{options.player}:memory_mb={TREE_MB}"
    yield (f"Player: `{player}`; {', '.join(game.name for game in games)}; {os.cpu_count()} cores; load before the run "
           f"{os.getloadavg()[0]:.1f}.")
    yield ""
    with serving(player) as server:
        nuisance = Nuisance(server.address, beside, NUISANCES_AT_ONCE)

        def begins(number: int) -> bool:
            nuisance.newest.value = number
            return (not beside or nuisance.is_alive) and time.monotonic() < until

        # Beside requests matches are begun as long as there are any.
        count = 10_000 if beside else options.matches or 200
        tally = play_many(server.address, games, count, options.side, clocks, 10_000, begins)
        sent = nuisance.stop()
        yield HEADER
        yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        yield row(f"{options.side} matches side by side", tally, clocks)
        yield ""
        yield (f"{sent.count:,} requests beside them. After that: {server.memory_mb():.1f} MB, {server.files()} "
               f"open files, {server.processes()} processes; load {os.getloadavg()[0]:.1f}.")
        if beside:
            yield ""
            yield from sent.lines()


# ---- with secrets ----


def play_secrets(options: argparse.Namespace) -> Iterator[str]:
    """Matches with hidden information, one game in ten without a circuit."""
    games = [*map(ludorum.load, options.games or SECRET_GAMES), ludorum.load(FOG, engine="relations")]
    clock = options.clock if options.clock is not None else 1.0
    clocks = Clocks(clock, clock, grace=0)
    yield (f"Player: `{options.player}`; {', '.join(game.name for game in games)}, the last without a circuit; "
           f"{os.cpu_count()} cores; load before the run {os.getloadavg()[0]:.1f}.")
    yield ""
    with serving(options.player) as server:
        most, is_over = [0.0], threading.Event()

        def watch() -> None:
            while not is_over.wait(0.5):
                most.append(server.whole_memory_mb())

        watching = threading.Thread(target=watch)
        watching.start()
        tally = play_many(server.address, games, options.matches or 100, options.side, clocks, 10_000)
        is_over.set()
        watching.join()
        yield HEADER
        yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        yield row(f"{options.side} matches with secrets side by side", tally, clocks)
        yield ""
        yield f"All processes together held {max(most):.0f} MB at the most; {server.processes()} are there after that."


# ---- all of it ----


HEADER = ("| what | clocks | matches | answers | verdict | how moves came about | least of the clock left | "
          "in the middle | took |")


def survive(options: argparse.Namespace) -> Iterator[str]:
    if options.only == "beside":
        yield from play_large(options, beside=options.malformed)
        return
    if options.only == "whole":
        yield from play_large(options, beside=0)
        return
    if options.only == "secrets":
        yield from play_secrets(options)
        return
    # Loading them here puts them into the cache, where the player finds them.
    games = [ludorum.load(name) for name in GAMES]
    yield f"Player: `{options.player}`; {os.cpu_count()} cores; load before the run {os.getloadavg()[0]:.1f}."
    yield ""
    with serving(options.player) as server:
        yield HEADER
        yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        short = Clocks(5, options.clock if options.clock is not None else 0.5, grace=0)
        yield row(f"{options.side} matches side by side", play_many(
            server.address, games, options.matches or 1000, options.side, short, 12), short)
        load = Clocks(20, 2, grace=0)
        yield row(f"{options.at_once} matches at once", play_many(
            server.address, games, options.at_once, options.at_once, load, 8), load)
        yield ""
        starts = start_seconds(server.address, games[0], 21)
        yield (f"A match of {GAMES[0]}, whose rules were compiled before, is started in a process of its own in "
               f"{1000 * starts[len(starts) // 2]:.0f} ms ({1000 * starts[0]:.0f} to {1000 * starts[-1]:.0f} ms in "
               f"{len(starts)} starts).")
        yield ""
        yield f"After that: {server.memory_mb():.1f} MB, {server.files()} open files, {server.processes()} processes."
        yield ""
        yield from send_nonsense(server, options.malformed)
        yield ""
        yield send_a_gigabyte(server)
        yield ""
    yield play_vast("random")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default=best_player())
    parser.add_argument("--only", choices=["beside", "whole", "secrets"],
                        help="only this; the first two with trees that pass their limit")
    parser.add_argument("--games", nargs="*", help="these, where only a part is done")
    parser.add_argument("--minutes", type=float, default=600.0, help="no match of such a part begins later")
    parser.add_argument("--matches", type=int, help="1,000, or 200 whole ones")
    parser.add_argument("--side", type=int, help="so many of these side by side: 16, or 5 whole ones")
    parser.add_argument("--clock", type=float, help="their play clock: 0.5 s, or 3 s for whole ones")
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--malformed", type=int, default=10_000)
    parser.add_argument("--write", action="store_true", help="put the figures into docs/lab/survival.md")
    options = parser.parse_args()
    options.side = options.side or {"beside": 5, "whole": 5, "secrets": 2}.get(options.only, 16)
    lines = []
    for line in survive(options):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
        _, _, after = rest.partition(MARKS[1])
        PAGE.write_text(before + MARKS[0] + "\n".join(lines) + "\n" + MARKS[1] + after, encoding="utf-8")


if __name__ == "__main__":
    main()
