"""A server that is killed in the middle of matches, and one that is started after it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from table import Table, reached, turn

pytestmark = pytest.mark.slow

MATCHES = 10
WIN = ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"]


@contextmanager
def started(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`ludorum web` as somebody starts it, with its address."""
    command = [sys.executable, "-c", "from ludorum.cli import main; main()", "web", "--port", "0", "--data",
               str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        told = server.stdout.readline()
        assert "http://" in told, told
        yield server, told.split()[4].rstrip("/;")
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()


def test_none_of_ten_matches_is_lost_when_the_server_is_killed(folder: Path) -> None:
    with started(folder) as (server, address), Table(address) as table:
        matches = [table.begin(game="tictactoe", seats="all") for _ in range(MATCHES)]
        made = {match: number % len(WIN) for number, match in enumerate(matches)}
        for match, steps in made.items():
            for step in range(steps):
                told = table.wait(match, turn(step))
                table.move(match, told["choosers"][0], WIN[step])
            table.wait(match, reached(steps))
        keys = table.keys
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
    with started(folder) as (_, address), Table(address) as table:
        table.keys = keys
        for match, steps in made.items():
            told = table.look(match)
            assert [joint[role] for joint, role in zip(told["moves"], ["xplayer", "oplayer"] * 3, strict=False)] == (
                WIN[:steps])
            for step in range(steps, len(WIN)):
                told = table.wait(match, turn(step))
                table.move(match, told["choosers"][0], WIN[step])
            told = table.wait(match, lambda told: told["outcome"] == "finished")
            assert told["goals"] == {"xplayer": 100, "oplayer": 0}
