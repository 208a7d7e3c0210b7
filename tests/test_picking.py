"""The player `ludorum`: who it lets play, and why."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import pytest

import ludorum
from ludorum import Game, Move, State
from ludorum.clock import NEVER, Deadline
from ludorum.errors import LudorumError
from ludorum.learn.store import rules_hash
from ludorum.players import MCTS, AnyPlayer, Ludorum, Random
from ludorum.players import ludorum as picking
from ludorum.players.candidates import RECIPES, candidate_named
from ludorum.players.choices import Choice, find_choice
from ludorum.players.ludorum import LudorumPlaying
from ludorum.players.pace import Pace
from ludorum.players.player_selection import Candidate, Trial, try_all
from ludorum.players.search_info import SearchInfo

pytestmark = pytest.mark.slow

# Far more than any of these trials needs, on however busy a machine.
LONG = 120.0

# In turn both say a word, twelve in all; whoever says a bad one loses.
WORDS = """
(role left) (role right) (other left right) (other right left)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(succ 10 11) (succ 11 12)
(init (turn left)) (init (step 0))
(<= (legal ?r good) (true (turn ?r)))
(<= (legal ?r bad) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (erred ?r)) (does ?r bad))
(<= (next (erred ?r)) (true (erred ?r)))
(<= terminal (true (step 12)))
(<= terminal (true (erred ?r)))
(<= (goal ?r 0) (role ?r) (true (erred ?r)))
(<= (goal ?r 100) (other ?r ?o) (true (erred ?o)) (not (true (erred ?r))))
(<= (goal ?r 50) (role ?r) (not (true (erred left))) (not (true (erred right))))
"""


class Says:
    """Says the same word whenever it may."""

    def __init__(self, word: str) -> None:
        self._word = Move(word)

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        legal = state.legal(role)
        return self._word if self._word in legal else legal[0]


@pytest.fixture(scope="module")
def words() -> Game:
    return ludorum.load(WORDS)


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return ludorum.load("tictactoe")


def picked(game: Game, start_clock: float | None) -> LudorumPlaying:
    playing = Ludorum(0.02, seed=1).join(game, game.roles[0])
    playing.prepare(Deadline.within(start_clock))
    return playing


def tried(game: Game, champion: str, *words_said: str, seconds: float = LONG) -> Trial:
    trial = Trial([Candidate(f"{number} {word}", partial(Says, word)) for number, word in enumerate(words_said)])
    try_all(game, lambda: Says(champion), trial, Deadline.within(seconds))
    return trial


def test_the_best_of_all_candidates_is_found_wherever_it_stands(words: Game) -> None:
    for said in (("good", "bad", "bad", "bad"), ("bad", "bad", "good", "bad"), ("bad", "bad", "bad", "good", "bad")):
        trial = tried(words, "bad", *said)
        assert trial.best is not None
        assert trial.best.name.endswith("good")
        assert trial.best.won == trial.best.matches
        # Most of the matches were for those that may be best: three rounds, in the last of which one is left.
        others = [candidate.matches for candidate in trial.candidates if candidate is not trial.best]
        assert trial.best.matches > max(others)
        # Against a bad player bad ones break even: whoever speaks first loses.
        assert all(candidate.won == candidate.matches / 2 for candidate in trial.candidates
                   if candidate.name != trial.best.name)


def test_candidates_that_only_break_even_are_not_taken(words: Game) -> None:
    trial = tried(words, "good", "good", "bad")
    assert trial.best is None
    assert [candidate.won / candidate.matches for candidate in trial.candidates] == [0.5, 0.0]


def test_a_trial_without_time_tries_nobody(words: Game) -> None:
    trial = tried(words, "bad", "good", seconds=0)
    assert trial.best is None
    assert trial.told("mcts") == []


class Slow(Says):
    """Takes all the time that it is given, by a clock that nothing else moves."""

    def __init__(self, word: str, now: list[float]) -> None:
        super().__init__(word)
        self._now = now

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        self._now[0] += max(0.0, deadline.remaining)
        return super().move(state, role, deadline)


@pytest.mark.parametrize("seconds", [4.0, 6.0, 15.0])
def test_eight_candidates_are_told_apart_in_what_a_start_clock_of_ten_seconds_leaves(
        words: Game, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = [0.0]
    monkeypatch.setattr("ludorum.clock.time", SimpleNamespace(monotonic=lambda: now[0]))
    said = ["bad"] * 7
    said.insert(5, "good")
    trial = Trial([Candidate(f"{number} {word}", partial(Slow, word, now)) for number, word in enumerate(said)])
    try_all(words, lambda: Slow("bad", now), trial, Deadline.within(seconds))
    assert trial.best is not None
    assert trial.best.name == "5 good"
    assert trial.best.matches >= 4
    assert now[0] <= seconds
    # All were tried, and most of the time went to those that may be best.
    assert all(candidate.matches >= 2 for candidate in trial.candidates)
    assert trial.best.matches == max(candidate.matches for candidate in trial.candidates)


def test_few_matches_do_not_convince() -> None:
    for won, matches, is_convincing in ((3, 3, False), (4, 4, True), (6, 10, True), (5.5, 10, False)):
        assert Candidate("somebody", lambda: Says("good"), won, matches).is_convincing == is_convincing


def test_what_was_won_before_counts_for_twelve_matches_at_most() -> None:
    choice = Choice("one", {"one": (30.0, 40.0), "other": (1.0, 4.0)})
    assert choice.before("one") == (9.0, 12.0)
    assert choice.before("other") == (1.0, 4.0)
    assert choice.before("nobody") == (0.0, 0.0)
    assert Choice.of_json(json.loads(json.dumps(choice.as_json()))) == choice


def test_where_there_is_no_time_for_a_match_it_is_as_it_was_before(words: Game) -> None:
    trial = Trial([Candidate("lucky", partial(Says, "good")),
                   Candidate("known", partial(Says, "good"), known_won=9, known_matches=12),
                   Candidate("worse", partial(Says, "bad"), known_won=3, known_matches=12)])
    try_all(words, lambda: Says("bad"), trial, Deadline.within(0))
    assert trial.best is not None
    assert trial.best.name == "known"


class Counts:
    """A player that does what it is told, at so many units of work a second of a clock that nothing else moves."""

    def __init__(self, rate: float, now: list[float]) -> None:
        self._rate, self._now = rate, now
        self.work: list[int] = []
        self.info: SearchInfo | None = None

    def move_within(self, state: State, deadline: Deadline, work: int | None) -> Move:
        assert work is not None
        self.work.append(work)
        self._now[0] += work / self._rate
        self.info = SearchInfo(playouts=work)
        return state.legal(state.choosers[0])[0]


@pytest.mark.parametrize("rate", [30_000.0, 1_000_000.0])
def test_a_pace_gives_as_much_work_as_fits_into_the_processor_time_of_a_move(
        tictactoe: Game, monkeypatch: pytest.MonkeyPatch, rate: float) -> None:
    now = [0.0]
    monkeypatch.setattr("ludorum.players.pace.time", SimpleNamespace(process_time=lambda: now[0]))
    playing, pace = Counts(rate, now), Pace(0.01)
    for _ in range(5):
        pace.move(playing, tictactoe.initial, NEVER)
    # The first move of a match takes what is found out once, too.
    assert playing.work[2:] == pytest.approx([0.01 * rate] * 3, abs=1)
    # A search that ends early tells nothing of how long others take.
    wanted = pace.work
    playing.move_within = lambda state, deadline, work: state.legal("xplayer")[0]  # type: ignore[method-assign]
    playing.info = SearchInfo(playouts=3)
    now[0] += 1.0
    pace.move(playing, tictactoe.initial, NEVER)
    assert pace.work == wanted


class Plays(Counts):
    """The same, in a match."""

    def prepare(self, deadline: Deadline) -> None: ...

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        raise AssertionError("it counts its work")

    def join(self, game: Game, role: str, clocks: object) -> Plays:
        return self

    def finish(self) -> None: ...


@pytest.mark.parametrize("odds", [1.0, 8.0])
def test_the_champion_thinks_longer_against_those_that_quick_matches_flatter(
        tictactoe: Game, monkeypatch: pytest.MonkeyPatch, odds: float) -> None:
    now = [0.0]
    monkeypatch.setattr("ludorum.players.pace.time", SimpleNamespace(process_time=lambda: now[0]))
    champion, flattered = Plays(1e6, now), Plays(1e6, now)
    trial = Trial([Candidate("flattered", lambda: flattered, odds=odds)])
    try_all(tictactoe, lambda: champion, trial, NEVER, move_seconds=0.01, openings=4)
    assert max(champion.work) == pytest.approx(odds * max(flattered.work), rel=0.01)
    # Together it takes as long as other matches.
    assert max(champion.work) + max(flattered.work) == pytest.approx(20_000, abs=2)


def test_a_trial_by_work_alone_has_so_many_openings_a_round(tictactoe: Game) -> None:
    player = Ludorum(0.02, seed=1)
    trial = Trial([Candidate("mcts", player.mcts), Candidate("random", lambda: Random(seed=1))])
    try_all(tictactoe, player.mcts, trial, NEVER, move_seconds=0.001, openings=2)
    # Two openings from two seats, and as many again for the one that is left.
    assert sorted(candidate.matches for candidate in trial.candidates) == [4, 8]


def test_candidates_are_made_by_their_names(tictactoe: Game) -> None:
    player = Ludorum(0.02, seed=1)
    decisive = candidate_named("mcts with decisive playouts", player, tictactoe, NEVER)
    assert isinstance(decisive, MCTS)
    assert decisive.settings.decisive
    # What needs an evaluation is not made where there is no time for one.
    assert candidate_named("mcts with a prior", player, tictactoe, NEVER) is None
    made = candidate_named("mcts with a prior", player, tictactoe, Deadline.within(LONG))
    assert isinstance(made, MCTS)
    assert made.given is not None
    assert candidate_named("somebody", player, tictactoe, NEVER) is None


def test_what_the_games_of_the_library_chose_follows_from_what_was_won() -> None:
    shipped = json.loads(files("ludorum.library").joinpath("choices.json").read_text(encoding="utf-8"))
    assert shipped
    for entry in shipped.values():
        told = Choice.of_json(entry)
        tried = [Candidate(name, Ludorum, won, int(matches)) for name, (won, matches) in told.tried.items()]
        assert {candidate.name for candidate in tried} <= {recipe.name for recipe in RECIPES}
        last = max(candidate.matches for candidate in tried)
        best = next((candidate for candidate in tried if candidate.name == told.name), None)
        if told.name == "mcts":
            assert not any(candidate.is_convincing for candidate in tried if candidate.matches == last)
        else:
            assert best is not None
            assert best.is_convincing
    # Whoever changes the rules of a game changes their hash.
    key, entry = next(iter(shipped.items()))
    assert rules_hash(ludorum.load(entry["game"])) == key


@pytest.mark.parametrize(("name", "why"), [
    ("eightpuzzle", "solver, since the game has one role"), ("pig", "mcts, since the game has chance or secrets")])
def test_some_games_need_no_trial(name: str, why: str) -> None:
    assert picked(ludorum.load(name), 0.3).why == why


def test_without_a_long_start_clock_the_tree_search_plays(tictactoe: Game, words: Game,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picking, "find_choice", lambda game: Choice())
    monkeypatch.setattr(picking, "_TRIAL_MIN_CLOCK_S", 2 * LONG)
    assert picked(tictactoe, None).why == "mcts, since there was no time for a trial"
    # Its playouts take what wins at once, where they can see it.
    assert picked(words, LONG).why.startswith("mcts with decisive playouts, since there was no time")
    assert picked(ludorum.load("othello"), LONG).why == "mcts, since there was no time for a trial"
    unprepared = Ludorum(0.02, seed=1).join(tictactoe, tictactoe.role("xplayer"))
    assert unprepared.move(tictactoe.initial) in tictactoe.initial.legal("xplayer")
    assert unprepared.why == "mcts, since there was no time for a trial"


def test_without_a_circuit_only_those_are_tried_that_need_no_evaluation() -> None:
    why = picked(ludorum.load("tictactoe", engine="relations"), 12.0).why
    assert "cadia won " in why
    assert "has no circuit" in why
    assert "flux" not in why


@pytest.mark.parametrize("winner", [
    "mcts with a prior and decisive playouts", "mcts with decisive playouts", "cadia with a prior", "mcts with rave",
    "flux by fluents"])
def test_who_is_best_in_the_trial_plays_and_is_remembered(tictactoe: Game, monkeypatch: pytest.MonkeyPatch,
                                                           tmp_path: Path, winner: str) -> None:
    def convinced(game: Game, champion: Callable[[], AnyPlayer], trial: Trial, deadline: Deadline, *,
                  seed: int) -> None:
        trial.left = list(trial.candidates)
        for candidate in trial.candidates:
            candidate.won, candidate.matches = (9, 10) if candidate.name == winner else (5, 10)

    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path))
    monkeypatch.setattr(picking, "try_all", convinced)
    player = picked(tictactoe, 20.0)
    assert player.why.startswith(f"{winner}, since {winner} won 9 of 10 quick matches against mcts")
    assert player.move(tictactoe.initial, Deadline.within(5)) in tictactoe.initial.legal("xplayer")
    assert player.info is not None
    assert player.info.method.endswith(player.why)
    state, other = tictactoe.initial, Random(seed=1)
    while not state.is_terminal:
        state = state.after({"xplayer": player.move(state), "oplayer": other.move(state, "oplayer")})
    assert state.goals["xplayer"] == 100
    # With too little time for a trial, what was best before plays.
    assert find_choice(tictactoe).name == winner
    assert find_choice(tictactoe).tried[winner] == (9, 10)
    monkeypatch.setattr(picking, "_TRIAL_MIN_CLOCK_S", 2 * LONG)
    assert picked(tictactoe, LONG).why == f"{winner}, since it was best in an earlier trial"
    # In the next trial it counts, so that it is not forgotten for a few matches that were lost.
    again = picked(tictactoe, 3 * LONG)
    assert again.why.startswith(f"{winner}, since {winner} won 9 of 10 quick matches (and 9 of 10 before) against mcts")


def test_a_trial_that_fails_does_not_cost_the_match(tictactoe: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> None:
        raise LudorumError("out of luck")

    monkeypatch.setattr(picking, "try_all", failing)
    player = picked(tictactoe, 10.0)
    assert player.why == "mcts, since the trial failed: out of luck"
    assert player.move(tictactoe.initial) in tictactoe.initial.legal("xplayer")


def test_a_trial_that_does_not_end_leaves_who_is_best_by_then(tictactoe: Game,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()

    def endless(game: Game, champion: Callable[[], AnyPlayer], trial: Trial, deadline: Deadline, *, seed: int) -> None:
        trial.left = list(trial.candidates)
        trial.left[0].won, trial.left[0].matches = 9, 12
        never.wait(LONG)

    monkeypatch.setattr(picking, "try_all", endless)
    player = picked(tictactoe, 6.0)
    never.set()
    assert " won 9 of 12 " in player.why
    assert player.why.endswith("; the trial took too long")


def test_every_match_is_picked_for_anew(tictactoe: Game) -> None:
    player = Ludorum(0.02, seed=1)
    for game, who in ((ludorum.load("eightpuzzle"), "solver"), (tictactoe, "mcts")):
        playing = player.join(game, game.roles[0])
        playing.prepare(Deadline.within(0.3))
        assert playing.why.startswith(who)
        playing.finish()
