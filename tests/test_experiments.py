"""The papers' experiments: that they ask what the papers ask, run from end to end, and go on where they were."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest

from collection import GAMES, MISSING
from experiments import __main__ as command
from experiments import checks, meetings, position, rave, tables, variants, worth
from experiments.checks import BLIND, STALE_DATED, CashingChecks
from experiments.games import Source
from experiments.plan import Plan
from ludorum import Game
from ludorum.match.archive import Archive
from ludorum.search import TreeSearch, TreeSettings

pytestmark = pytest.mark.slow

# Cashing checks


def outcomes(game: CashingChecks, taken: tuple[int, ...] = (), lead: int | None = None) -> int:
    """Who wins if both do their best, by trying everything: 1 the first player, -1 the second, 0 nobody."""
    lead = -game.compensation if lead is None else lead
    if len(taken) == game.turns:
        return (lead > 0) - (lead < 0)
    side = 1 if len(taken) % 2 == 0 else -1
    return side * max(
        side * outcomes(game, (*taken, check), lead + side * game.worth(check, len(taken) + 1))
        for check in range(1, game.checks + 1) if check not in taken)


@pytest.mark.parametrize("game", [
    CashingChecks(5, 4, 2, is_dated=False), CashingChecks(5, 3, 3, is_dated=False),
    CashingChecks(5, 3, 2, is_dated=True), CashingChecks(5, 4, 2, is_dated=True),
])
def test_moves_are_optimal_that_keep_the_result_of_best_play(game: CashingChecks) -> None:
    numbers, start = range(1, game.checks + 1), outcomes(game)
    for moves in permutations(numbers, game.turns):
        lead, is_kept = -game.compensation, True
        for turn, check in enumerate(moves, start=1):
            lead += (1 if turn % 2 else -1) * game.worth(check, turn)
            is_kept &= outcomes(game, moves[:turn], lead) == start
        assert game.is_optimal(list(moves)) == is_kept


def test_only_the_largest_check_is_optimal_without_dates() -> None:
    best = list(range(20, 10, -1))
    assert BLIND.is_optimal(best)
    for turn in range(10):
        other = [*best[:turn], best[turn] - 1, best[turn], *best[turn + 2:]][:10]
        assert not BLIND.is_optimal(other)


def test_with_dates_the_next_check_is_as_good_as_the_largest() -> None:
    assert STALE_DATED.is_optimal(list(range(12, 2, -1)))
    # The paper: "either to take the valid check with the largest amount or to take the check with the next amount".
    assert STALE_DATED.is_optimal(list(range(11, 1, -1)))
    assert not STALE_DATED.is_optimal([10, *range(12, 3, -1)][:10])
    assert not STALE_DATED.is_optimal([1, *range(12, 3, -1)])


# The position

@pytest.fixture(scope="module")
def narrow() -> Game:
    return position.load()


def test_a_position_is_as_the_paper_tells() -> None:
    # One that is solved in some seconds; the others take longer.
    assert position.is_as_told(*position.pawns(".b./bbb/.w./w.b/.../bww/.../.ww"))
    position.wins.cache_clear()


def test_positions_that_are_not_as_told_are_found_out() -> None:
    # With an empty b7 white has a move more, with a pawn less fewer.
    for picture in (".b./b.b/.w./w.b/.../bww/.../.ww", ".b./bbb/.w./w.b/.../bw./.../.ww"):
        assert not position.is_as_told(*position.pawns(picture))


@pytest.mark.parametrize("picture", position.POSITIONS)
def test_the_rulesheet_has_the_moves_of_the_position(narrow: Game, picture: str) -> None:
    state = position.state(narrow, picture)
    moves = {str(move) for move in state.legal("white")}
    assert len(moves) == 13
    assert {position.WINNING, *position.OPTIMISTIC} <= moves
    expected = {f"(move {square % 3 + 1} {square // 3 + 1} {to % 3 + 1} {to // 3 + 1})"
                for square, to in ((one.bit_length() - 1, other.bit_length() - 1)
                                   for one, other in position.steps(*position.pawns(picture), True))}
    assert moves == expected


def test_the_search_proves_that_white_wins_in_every_position(narrow: Game) -> None:
    for picture in position.POSITIONS:
        after = position.state(narrow, picture).after({"white": position.WINNING})
        proved = TreeSearch(narrow, TreeSettings(seed=1)).think(after, playouts=100_000)
        assert proved.lower == proved.upper == {"white": 100, "black": 0}


@pytest.mark.parametrize("capture", position.OPTIMISTIC)
def test_after_a_capture_black_must_capture_back(narrow: Game, capture: str) -> None:
    back = f"(move 2 8 {capture[-4:-1]})"
    for picture in position.POSITIONS:
        after = position.state(narrow, picture).after({"white": capture})
        for reply in after.legal("black"):
            later = after.after({"black": reply})
            wins_at_once = any(later.after({"white": move}).is_terminal for move in later.legal("white"))
            assert wins_at_once == (str(reply) != back)


def test_a_picture_is_drawn_from_its_pawns() -> None:
    assert [position.picture(*position.pawns(picture)) for picture in position.POSITIONS] == list(position.POSITIONS)


# Runs


def told(folder: Path, *arguments: str) -> list[str]:
    """What a run writes."""
    command.main([*arguments, "--folder", str(folder / "kept"), "--write", str(folder / "tables")])
    return (folder / "tables" / f"{arguments[0]}.md").read_text(encoding="utf-8").splitlines()


TINY = {
    "rave": ["--games", "Stale-dated", "--playouts", "20"],
    "decay": ["--games", "Breakthrough", "--playouts", "3"],
    "cadia_against_mcts": ["--games", "Chomp", "--seconds", "0.02"],
    "variants": ["--games", "Connect-4", "--seconds", "0.005", "--playouts", "3"],
    "flux_against_mcts": ["--games", "Chomp", "--seconds", "0.02"],
    "fluents_against_mcts": ["--games", "Knightthrough", "--seconds", "0.005", "--start-clock", "0.2"],
    "ludorum_against_mcts": ["--games", "Connect-4", "--seconds", "0.005", "--start-clock", "0.2"],
    "distance": ["--games", "Knightthrough", "--playouts", "20"],
    "factoring": ["--games", "doubletictactoe", "--playouts", "20"],
    "worth": ["--games", "Breakthrough", "--playouts", "20"],
}
# Those whose games are not in the library.
OF_THE_CORPUS = {"factoring"}


@pytest.mark.parametrize("name", TINY)
def test_a_run_of_matches_goes_on_where_it_was(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in OF_THE_CORPUS and not GAMES.is_dir():
        pytest.skip(MISSING)
    monkeypatch.setattr(variants, "VARIANTS", {"adaptive RAVE": variants.VARIANTS["adaptive RAVE"]})
    monkeypatch.setattr(worth, "PLAYOUTS", (10,))

    def kept() -> dict[str, str]:
        with Archive(tmp_path / "kept" / f"{name}.db") as archive:
            return {record.id: record.started for record in archive.matches()}

    table = told(tmp_path, name, *TINY[name], "--matches", "2")
    first = kept()
    assert first
    assert told(tmp_path, name, *TINY[name], "--matches", "2") == table
    assert kept() == first
    told(tmp_path, name, *TINY[name], "--matches", "4")
    # Chance may have settled a meeting, but what was there stays as it was.
    assert kept().items() > first.items()


def test_who_played_for_ludorum_is_in_its_table(tmp_path: Path) -> None:
    table = told(tmp_path, "ludorum_against_mcts", *TINY["ludorum_against_mcts"], "--matches", "2")
    assert "| it picked |" in table[0]
    assert re.search(r"\| mcts[a-z ]* 2 \|", table[2])


def test_searches_go_on_where_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "POSITIONS", position.POSITIONS[:2])
    table = told(tmp_path, "sufficiency", "--matches", "2", "--playouts", "100")
    kept = tmp_path / "kept" / "sufficiency.jsonl"
    lines = kept.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 * 2 * 3
    # A kill in the middle of a line.
    kept.write_text("\n".join([*lines[:-1], lines[-1][:20]]) + "\n", encoding="utf-8")
    again = told(tmp_path, "sufficiency", "--matches", "2", "--playouts", "100")
    assert again[:5] == table[:5]
    assert len(kept.read_text(encoding="utf-8").splitlines()) == len(lines) + 1


@pytest.mark.corpus
def test_attempts_at_puzzles_go_on_where_they_were(tmp_path: Path) -> None:
    arguments = ["--games", "blocksWorldSerial", "--playouts", "40", "--matches", "2"]
    table = told(tmp_path, "factoring", *arguments)
    kept = tmp_path / "kept" / "factoring.jsonl"
    attempts = kept.read_text(encoding="utf-8")
    # Two by parts, and two without.
    assert len(attempts.splitlines()) == 4
    assert told(tmp_path, "factoring", *arguments) == table
    assert kept.read_text(encoding="utf-8") == attempts


def test_tables_alone_play_nothing(tmp_path: Path) -> None:
    table = told(tmp_path, "decay", *TINY["decay"], "--tables")
    assert not any("Breakthrough" in line for line in table)


def test_a_game_that_is_not_at_hand_is_skipped_with_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments import decay

    absent = Source("Absent", "nowhere/absent")
    said: list[str] = []
    monkeypatch.setattr(decay, "PAPER", {absent: (50.0, 50.0, 50.0, 50.0)})
    decay.run(Plan(tmp_path, tell=said.append))
    assert said == [f"Absent is skipped: there is no {absent.path}"]


def test_an_experiment_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["ravel"])
    assert "there is no experiment 'ravel'" in capsys.readouterr().err


# Counting


def test_a_match_is_shared_among_those_who_have_the_highest_goal(tmp_path: Path) -> None:
    told(tmp_path, "rave", *TINY["rave"], "--matches", "2")
    with Archive(tmp_path / "kept" / "rave.db") as archive:
        record = next(archive.matches())
    record.players = {"left": "one", "right": "other", "third": "other"}
    for goals, expected in [((100, 0, 0), 1.0), ((0, 100, 0), 0.0), ((50, 50, 0), 0.5), ((40, 40, 40), 1 / 3),
                            ((0, 50, 50), 0.0)]:
        record.goals = dict(zip(record.players, goals, strict=True))
        assert meetings.share(record, "one") == pytest.approx(expected)
        assert meetings.share(record, "other") == pytest.approx(1 - expected)


def test_the_checks_of_a_match_are_read_from_its_moves(tmp_path: Path) -> None:
    told(tmp_path, "rave", *TINY["rave"], "--matches", "1")
    with Archive(tmp_path / "kept" / "rave.db") as archive:
        for record in archive.matches():
            taken = rave.cashed(record)
            assert len(set(taken)) == checks.STALE_DATED.turns
            assert set(taken) <= set(range(1, checks.STALE_DATED.checks + 1))


def test_an_interval_of_a_share_is_where_textbooks_have_it() -> None:
    # Of 10 trials with 5 successes: Wilson's interval from any table of it.
    low, high = tables.wilson(5, 10)
    assert (round(low, 3), round(high, 3)) == (0.237, 0.763)
    assert tables.wilson(0, 20)[0] == 0
    assert tables.wilson(20, 20)[1] == 1
