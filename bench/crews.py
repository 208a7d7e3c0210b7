"""What kills do to a tournament, and how fast crews are.

    python bench/crews.py kills [--crew pool] [--matches 200] [--moments 10]
    python bench/crews.py nodes                 two Ray nodes on this machine, one of them killed
    python bench/crews.py rates [--seconds 1]   matches of a second on a pool and on Ray, in one run

`kills` starts the same tournament again and again; at random moments a worker, Ray's node process or the driver gets
SIGKILL, in turn. After the last of them the command runs to its end: every match must be there once.
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from ludorum.match.archive import Archive

PLAN = """
games = ["tictactoe", "nim"]
repetitions = {repetitions}
seed = 5
[players]
anna = "montecarlo:playouts={playouts}"
ben = "random"
"""
# With two games and two seats a repetition is four matches.
MATCHES_A_REPETITION = 4
# A cluster of our own has a token of its own: Ray lets nobody in without one.
ENVIRONMENT = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token",
               "RAY_AUTH_TOKEN": secrets.token_hex(32)}


def tournament(folder: Path, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from ludorum.cli import main; main()", "tournament", str(folder / "cup.toml")]
    return subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, env=ENVIRONMENT)


def kept(folder: Path) -> int:
    """How many matches are over; that they are there once is what the archive's key says."""
    if not (folder / "cup.db").exists():
        return 0
    with Archive(folder / "cup.db") as archive:
        return sum(record.is_over for record in archive.matches())


def processes(driver: int) -> dict[int, str]:
    """The processes that another one started, and theirs, with what they are called (Linux only)."""
    parents, names = {}, {}
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                fields = (place / "stat").read_text().rpartition(")")[2].split()
                names[int(place.name)] = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            parents[int(place.name)] = int(fields[1])
    found = {driver}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: names.get(pid, "") for pid in found - {driver}}


def victim(driver: subprocess.Popen[bytes], kind: str) -> int | None:
    """A process of this kind among those that the driver started, or the driver."""
    if kind == "driver":
        return driver.pid
    mark = "raylet/raylet" if kind == "node" else ("ray::play_task", "spawn_main")
    marks = (mark,) if isinstance(mark, str) else mark
    found = [pid for pid, name in processes(driver.pid).items() if any(word in name for word in marks)]
    return random.choice(found) if found else None


def kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def kills(crew: str, matches: int, moments: int, seed: int) -> bool:
    random.seed(seed)
    kinds = ["worker", "driver"] if crew == "pool" else ["worker", "node", "driver"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cup.toml").write_text(PLAN.format(repetitions=matches // MATCHES_A_REPETITION, playouts=40))
        options = ("--crew", crew, "--workers", "2")
        driver, hits = tournament(folder, *options), 0
        for moment in range(moments):
            goal = min(matches - 1, kept(folder) + random.randrange(1, max(2, matches // moments)))
            while driver.poll() is None and kept(folder) < goal:
                time.sleep(0.2)
            kind = kinds[moment % len(kinds)]
            # Between two matches no worker is at work: the next one will be.
            while (process := victim(driver, kind)) is None and driver.poll() is None:
                time.sleep(0.01)
            hits += process is not None and driver.poll() is None
            if process is not None:
                kill(process)
            if kind != "worker":
                end(driver)
            print(f"{kept(folder)} matches: {kind} {'killed' if process else 'was not there'}", flush=True)
            if driver.poll() is not None:
                driver = tournament(folder, *options)
        driver.wait()
        if kept(folder) < matches:
            tournament(folder, *options).wait()
        print(f"{crew}: {kept(folder)} of {matches} matches after {hits} kills of {moments}")
        return kept(folder) == matches and hits == moments


def end(driver: subprocess.Popen[bytes]) -> None:
    """Wait until a driver that was hit has ended, and those whom it started."""
    try:
        driver.wait(timeout=90)
    except subprocess.TimeoutExpired:
        driver.kill()
        driver.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    """Until somebody listens there; a minute and a half at the most."""
    for _ in range(90):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(1)


def nodes(matches: int) -> bool:
    """A head and a second node; the second is killed while matches are on."""
    with tempfile.TemporaryDirectory() as name:
        port, client_port = free_port(), free_port()
        folder = Path(name)
        (folder / "cup.toml").write_text(PLAN.format(repetitions=matches // MATCHES_A_REPETITION, playouts=200))
        ray = str(Path(sys.executable).parent / "ray")
        started = [subprocess.Popen([ray, "start", "--block", "--num-cpus=1", "--disable-usage-stats", *options],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
                   for options in (["--head", f"--port={port}", f"--ray-client-server-port={client_port}",
                                     "--include-dashboard=false"],)]
        try:
            wait_for(client_port)
            started.append(subprocess.Popen(
                [ray, "start", "--block", "--num-cpus=1", "--disable-usage-stats", f"--address=127.0.0.1:{port}"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT))
            # It tells nobody when it is there.
            time.sleep(30)
            driver = tournament(folder, "--crew", f"ray://127.0.0.1:{client_port}", "--workers", "2")
            while driver.poll() is None and kept(folder) < matches // 4:
                time.sleep(0.5)
            print(f"{kept(folder)} matches: the second node is killed", flush=True)
            for pid in processes(started[1].pid):
                kill(pid)
            print(f"the driver ended with {driver.wait()}; {kept(folder)} of {matches} matches")
            return kept(folder) == matches
        finally:
            for process in started:
                if process.poll() is None:
                    for pid in processes(process.pid):
                        kill(pid)
                    process.kill()


def rates(seconds: float, matches: int) -> None:
    """Matches a second of both, each with its start left out: the first matches only warm up."""
    from ludorum.match import tasks
    from ludorum.match.plan import TournamentPlan

    plan = TournamentPlan(name="rates", players={"anna": f"montecarlo:seconds={seconds / 5}", "ben": "random"},
                          games=["tictactoe"], repetitions=matches)
    for crew in ("pool", "ray", "pool", "ray"):
        queue = [task for repetition in plan.matches(plan.loaded()[0]) for task in repetition]
        moments = [time.monotonic() for _ in tasks.run(queue[:matches], workers=2, crew=crew)]
        print(f"{crew}: {(len(moments) - 4) / (moments[-1] - moments[3]):.2f} matches a second", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kills", "nodes", "rates"])
    parser.add_argument("--crew", default="pool", choices=["pool", "ray"])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--moments", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.what == "rates":
        rates(chosen.seconds, min(chosen.matches, 24))
        return 0
    fine = kills(chosen.crew, chosen.matches, chosen.moments, chosen.seed) if chosen.what == "kills" else nodes(
        chosen.matches)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
