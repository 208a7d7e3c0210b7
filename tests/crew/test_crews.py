"""The same matches, whoever plays them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import ludorum
from ludorum.crew import LocalCrew, PoolCrew, select_crew
from ludorum.errors import UnknownCrew
from ludorum.match.archive import Archive
from ludorum.match.plan import TournamentPlan
from ludorum.match.tasks import Failed, MatchTask, run

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install 'ludorum[ray]'")

PLAN = """
games = ["nim", "tictactoe"]
repetitions = 2
seed = 5
[players]
anna = "montecarlo:playouts=20"
ben = "random"
"""
MATCHES = 2 * 2 * 2


def command(plan: Path, *options: str) -> list[str]:
    return [sys.executable, "-c", "from ludorum.cli import main; main()", "tournament", str(plan), *options]


def played(path: Path) -> dict[str, Any]:
    """What matters of the matches of an archive: all but the clock."""
    with Archive(path) as archive:
        return {record.id: (record.seed, record.moves, record.states, record.goals, record.outcome)
                for record in archive.matches()}


def tournament(folder: Path, crew: str) -> dict[str, Any]:
    (folder / "cup.toml").write_text(PLAN)
    archive = folder / f"{crew}.db"
    subprocess.run(command(folder / "cup.toml", "--crew", crew, "--workers", "2", "--archive", str(archive)),
                   check=True, capture_output=True, text=True)
    return played(archive)


def task() -> MatchTask:
    plan = TournamentPlan(name="cup", players={"anna": "legal", "ben": "random"}, games=["nim"])
    return plan.matches(ludorum.load("nim"))[0][0]


@pytest.mark.slow
def test_a_tournament_has_the_same_archive_here_and_in_a_pool(tmp_path: Path) -> None:
    here = tournament(tmp_path, "local")
    assert len(here) == MATCHES
    assert tournament(tmp_path, "pool") == here


@needs_ray
@pytest.mark.slow
def test_a_tournament_has_the_same_archive_on_ray(tmp_path: Path) -> None:
    here = tournament(tmp_path, "local")
    assert len(here) == MATCHES
    assert tournament(tmp_path, "ray") == here


def test_a_worker_of_another_version_refuses() -> None:
    (_, result), = run([replace(task(), version="0.0.0")], crew="local")
    assert isinstance(result, Failed)
    assert "planned by 0.0.0" in result.why


def test_a_worker_that_reads_other_rules_refuses() -> None:
    other = replace(task(), rules=ludorum.gdl.to_kif(ludorum.load("tictactoe").rules))
    (_, result), = run([other], crew="local")
    assert isinstance(result, Failed)
    assert "other rules of nim" in result.why


def test_a_pool_whose_worker_was_killed_goes_on() -> None:
    crew = PoolCrew(1)
    try:
        victim = crew.submit(os._exit, 7)
        error = victim.exception()
        assert error is not None
        assert crew.is_loss(error)
        assert crew.submit(abs, -3).result() == 3
    finally:
        crew.close()


def test_crews_have_names() -> None:
    assert isinstance(select_crew("local"), LocalCrew)
    assert isinstance(select_crew("pool", workers=0), LocalCrew)
    with pytest.raises(UnknownCrew, match="only local, pool, ray and ray://HOST:PORT"):
        select_crew("slurm")


@needs_ray
@pytest.mark.slow
def test_a_driver_that_was_killed_on_ray_goes_on_by_the_same_command(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(PLAN)
    again = command(tmp_path / "cup.toml", "--crew", "ray", "--workers", "2")
    process = subprocess.Popen(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None and not ((tmp_path / "cup.db").exists() and played(tmp_path / "cup.db")):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = played(tmp_path / "cup.db")
    subprocess.run(again, check=True, capture_output=True, text=True)
    after = played(tmp_path / "cup.db")
    assert len(after) == MATCHES
    assert before.items() <= after.items()
