"""Records: JSON that is whole at every moment."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludorum
from ludorum import Game
from ludorum.errors import InvalidRecord
from ludorum.match import Archive, Clocks, LocalSeat, Record, conduct
from ludorum.match import record as records
from ludorum.players import Legal, Random


@pytest.fixture
def record(tictactoe: Game) -> Record:
    return conduct(tictactoe, {"xplayer": LocalSeat(Random(1), "anna"), "oplayer": LocalSeat(Legal(), "ben")},
                   clocks=Clocks(10, 10, 10), seed=3)


def test_a_record_is_read_as_it_was_written(record: Record, tmp_path: Path) -> None:
    records.write(record, tmp_path / "deep" / "match.json")
    assert records.read(tmp_path / "deep" / "match.json") == record
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["match.json"]


def test_a_person_finds_a_step_in_a_line(record: Record) -> None:
    lines = records.encode(record).decode().splitlines()
    first = record.moves[0]["xplayer"]
    assert f'    {{"xplayer": "{first}", "oplayer": "noop"}},' in lines
    assert json.loads("".join(lines))["goals"] == record.goals


def test_a_record_holds_its_rules(record: Record, tictactoe: Game) -> None:
    assert ludorum.parse(record.text) == tictactoe.rules
    assert record.rules_hash == records.hash_of(ludorum.parse(record.text))


@pytest.mark.parametrize("content", [
    b"", b"{", b"[]", b'{"format": "ludorum match 1"}', b'{"format": "ludorum match 99"}', b"\xff\xfe", b"[" * 100_000,
])
def test_what_is_no_record_is_an_invalid_record(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(content)
    with pytest.raises(InvalidRecord, match=r"match\.json"):
        records.read(path)


@pytest.mark.parametrize("key", ["states", "state_times", "times", "thoughts"])
def test_a_record_whose_lists_differ_in_length_is_invalid(record: Record, key: str) -> None:
    getattr(record, key).pop()
    with pytest.raises(InvalidRecord, match="steps"):
        records.decode(records.encode(record))


def test_a_record_without_any_of_the_percepts_is_invalid(march: Game) -> None:
    record = conduct(march, {"walker": LocalSeat(Legal()), "dog": LocalSeat(Legal())})
    record.percepts = []
    with pytest.raises(InvalidRecord, match="steps"):
        records.decode(records.encode(record))


@pytest.mark.parametrize("key", ["goals", "players"])
def test_a_record_that_leaves_a_role_out_is_invalid(record: Record, key: str) -> None:
    del getattr(record, key)["oplayer"]
    with pytest.raises(InvalidRecord, match="the roles xplayer and oplayer, and elsewhere xplayer"):
        records.decode(records.encode(record))


def test_a_step_that_leaves_a_role_out_is_invalid(record: Record) -> None:
    del record.moves[1]["xplayer"]
    with pytest.raises(InvalidRecord, match="elsewhere oplayer"):
        records.decode(records.encode(record))


PLAYS = """
import sys, ludorum
from pathlib import Path
from ludorum.match import Clocks, LocalSeat, conduct, resume, record as records
from ludorum.players import Random
game = ludorum.load(sys.argv[1])
path = Path(sys.argv[2])
seats = {"walker": LocalSeat(Random(1)), "dog": LocalSeat(Random(2))}
import time
pause = lambda state, joint: time.sleep(0.01)
if path.exists():
    resume(game, seats, records.read(path), path=path, watch=pause)
else:
    conduct(game, seats, path=path, watch=pause)
"""


def test_a_kill_at_any_moment_leaves_a_record_that_goes_on(march: Game, march_rules: str, tmp_path: Path) -> None:
    rules, path = tmp_path / "march.kif", tmp_path / "match.json"
    rules.write_text(march_rules)
    chance = random.Random(5)
    kills, steps = 0, 0
    while True:
        process = subprocess.Popen([sys.executable, "-c", PLAYS, rules, path])
        while not path.exists() and process.poll() is None:
            time.sleep(0.005)
        if kills < 4:
            # After the first, most of this is the time that Python takes to come up.
            time.sleep(chance.uniform(0, 0.05 if kills == 0 else 0.7))
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
        record = records.read(path)
        assert len(record.moves) >= steps
        assert march.replay([list(joint.values()) for joint in record.moves]).step == len(record.moves)
        steps = len(record.moves)
        if record.is_over:
            break
    assert steps == 12
    assert record.outcome == "finished"
    assert {file.name for file in tmp_path.iterdir()} == {"march.kif", "match.json"}


def test_the_archive_holds_a_match_once(record: Record, tmp_path: Path) -> None:
    with Archive(tmp_path / "matches.db") as archive:
        assert archive.add(record)
        assert not archive.add(record)
        assert len(archive) == 1
        assert record.id in archive
        assert "another" not in archive
        assert archive.get("another") is None
    with Archive(tmp_path / "matches.db") as archive:
        assert archive.get(record.id) == record
        assert list(archive.matches()) == [record]
        assert list(archive.matches("a tournament")) == []


def test_a_match_that_goes_on_is_brought_up_to_date(march: Game) -> None:
    def crew() -> dict[str, LocalSeat]:
        return {"walker": LocalSeat(Legal()), "dog": LocalSeat(Legal())}

    whole = conduct(march, crew(), match="one")
    half = conduct(march, crew(), match="one", max_steps=3)
    half.outcome = "playing"
    with Archive() as archive:
        assert archive.add(half)
        assert "one" not in archive
        assert archive.add(whole)
        assert not archive.add(half)
        assert "one" in archive
        assert archive.get("one") == whole


def test_a_folder_of_records_is_added_at_once_and_can_be_queried(tictactoe: Game, tmp_path: Path) -> None:
    won = []
    for seed in range(5):
        record = conduct(tictactoe, {"xplayer": LocalSeat(Random(seed), "anna"), "oplayer": LocalSeat(Legal(), "ben")},
                         match=f"match{seed}", path=tmp_path / "records" / f"match{seed}.json")
        won.append(record.goals["xplayer"])
    with Archive(tmp_path / "matches.db") as archive:
        assert archive.add_folder(tmp_path / "records") == 5
        assert archive.add_folder(tmp_path / "records") == 0
    database = sqlite3.connect(tmp_path / "matches.db")
    mean, = database.execute("SELECT avg(goal) FROM seats WHERE player = 'anna'").fetchone()
    database.close()
    assert mean == pytest.approx(sum(goal or 0 for goal in won) / 5)


def test_what_is_no_archive_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear referee, " * 1000)
    with pytest.raises(InvalidRecord, match=r"letter\.txt cannot be used as an archive"):
        Archive(path)


def test_an_archive_that_cannot_be_written_to_is_told_in_words(record: Record, tmp_path: Path) -> None:
    with Archive(tmp_path / "matches.db") as archive:
        other = sqlite3.connect(tmp_path / "matches.db")
        other.execute("DROP TABLE seats")
        other.close()
        with pytest.raises(InvalidRecord, match="cannot be put into the archive: no such table: seats"):
            archive.add(record)
