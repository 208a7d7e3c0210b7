"""Archives on a PostgreSQL server, which the tests start for themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludorum import Game
from ludorum.errors import InvalidRecord
from ludorum.match.archive import Archive
from ludorum.match.plan import TournamentPlan
from ludorum.match.record import Record
from ludorum.match.referee import conduct
from ludorum.match.seat import LocalSeat
from ludorum.match.tournament import run
from ludorum.players import Legal, Random

pytestmark = pytest.mark.slow

# Debian keeps its programs away from those that anybody calls.
_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name, reverse=True)
#: The server refuses to run as root; this user comes with Debian's package.
_USER = "postgres"


def program(name: str) -> str | None:
    return next((str(place / name) for place in _PLACES if (place / name).exists()), shutil.which(name))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of an empty database."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'ludorum[postgresql]'")
    initdb, control = program("initdb"), program("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("PostgreSQL is not installed: apt install postgresql")
    user = _USER if os.geteuid() == 0 else None
    # A socket's path must be short, so it is not in the folder of the test.
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        if user:
            shutil.chown(folder, _USER)

        def do(*command: str) -> None:
            subprocess.run(command, check=True, capture_output=True, cwd=folder, user=user)

        data = f"{folder}/data"
        do(initdb, "-D", data, "-U", "ludorum", "-A", "trust", "--no-sync")
        do(control, "-D", data, "-w", "-l", f"{folder}/log", "-o", f"-c listen_addresses='' -k {folder} -F", "start")
        try:
            yield f"postgresql://ludorum@/postgres?host={folder}"
        finally:
            do(control, "-D", data, "-w", "-m", "immediate", "stop")


@pytest.fixture
def record(tictactoe: Game) -> Record:
    return conduct(tictactoe, {"xplayer": LocalSeat(Random(1), "anna"), "oplayer": LocalSeat(Legal(), "ben")},
                   match="one", tournament="cup")


def test_a_match_is_there_once_and_comes_back_as_it_was(server: str, record: Record) -> None:
    with Archive(server) as archive:
        assert archive.add(record)
        assert not archive.add(record)
        assert len(archive) == 1
    with Archive(server) as archive:
        assert archive.get("one") == record
        assert list(archive.matches("cup")) == [record]
        assert list(archive.matches("another cup")) == []
        assert "one" in archive
        assert "two" not in archive


def test_a_match_that_is_added_by_many_at_once_is_there_once(server: str, tictactoe: Game) -> None:
    whole = conduct(tictactoe, {role: LocalSeat(Legal()) for role in ("xplayer", "oplayer")}, match="shared")

    def add(_: int) -> bool:
        with Archive(server) as archive:
            return archive.add(whole)

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(add, range(16))) == 1


def test_a_match_that_goes_on_is_brought_up_to_date(server: str, tictactoe: Game) -> None:
    whole, half = (conduct(tictactoe, {role: LocalSeat(Legal()) for role in ("xplayer", "oplayer")}, match="long",
                           max_steps=steps) for steps in (10, 3))
    half.outcome = "playing"
    with Archive(server) as archive:
        assert archive.add(half)
        assert archive.add(whole)
        assert not archive.add(half)
        assert archive.get("long") == whole


def test_a_tournament_is_kept_there_and_goes_on_from_there(server: str) -> None:
    plan = TournamentPlan(name="autumn", players={"anna": "legal", "ben": "random"}, games=["nim"], repetitions=3)
    with Archive(server) as archive:
        before = run(plan, archive, crew="local")
        told: list[object] = []
        after = run(plan, archive, crew="local", progress=told.append)
    assert len(before.records) == 6
    assert before.standings == after.standings
    assert not told


def test_a_server_that_is_not_there_is_told_in_one_line_without_the_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(InvalidRecord, match=r"nowhere.* cannot be used as an archive") as failure:
        Archive("postgresql://ludorum:secret@localhost:1/nowhere?connect_timeout=1")
    assert "secret" not in str(failure.value)
