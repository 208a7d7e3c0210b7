"""The referee: whatever a player does, the match goes on by the rules, and the record says what happened."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import ludorum
from ludorum import Game, Move, State
from ludorum.clock import Deadline
from ludorum.errors import InvalidRecord, MissingPlayer
from ludorum.match import Clocks, LocalSeat, Record, conduct, resume
from ludorum.match import record as records
from ludorum.players import AnyPlayer, Legal, Random, SearchInfo

# Short, with a grace that a busy machine does not use up.
CLOCKS = Clocks(start=5, play=0.05, grace=0.2, stop=0.1)
AT_LEISURE = Clocks(start=10, play=10, grace=10)


class Does:
    """A player that does what it is told, whatever that is."""

    def __init__(self, what: Callable[[State, str], object]) -> None:
        self._what = what

    def move(self, state: State, role: str, deadline: Deadline) -> Move:
        return self._what(state, role)  # type: ignore[return-value]


def seats(**players: AnyPlayer) -> dict[str, LocalSeat]:
    return {role: LocalSeat(player, type(player).__name__) for role, player in players.items()}


def kinds(record: Record) -> Counter[tuple[str, str]]:
    return Counter((error.role, error.kind) for error in record.errors)


def test_a_match_of_good_players_is_what_play_plays(tictactoe: Game) -> None:
    record = conduct(tictactoe, seats(xplayer=Random(1), oplayer=Random(2)), clocks=AT_LEISURE)
    match = ludorum.play(tictactoe, xplayer=Random(1), oplayer=Random(2))
    assert record.moves == [{role: str(move) for role, move in joint.items()} for joint in match.moves]
    assert record.states == [" ".join(sorted(map(str, state.fluents))) for state in match.states]
    assert record.goals == match.goals
    assert record.outcome == "finished"
    assert record.errors == []
    assert record.players == {"xplayer": "Random", "oplayer": "Random"}
    assert len(record.times) == len(record.moves)
    assert record.percepts is None


def test_every_seat_must_be_taken(tictactoe: Game) -> None:
    with pytest.raises(MissingPlayer, match="oplayer"):
        conduct(tictactoe, seats(xplayer=Legal()))


@pytest.mark.parametrize(("does", "kind", "sent"), [
    (lambda state, role: Move("(mark 9 9)"), "illegal", "(mark 9 9)"),
    (lambda state, role: "(what", "unreadable", None),
    (lambda state, role: 1 / 0, "failed", None),
])
def test_a_wrong_move_is_replaced_and_written_down(
        tictactoe: Game, does: Callable[[State, str], object], kind: str, sent: str | None) -> None:
    record = conduct(tictactoe, seats(xplayer=Does(does), oplayer=Legal()), clocks=AT_LEISURE)
    assert record.outcome == "finished"
    assert kinds(record) == {("xplayer", kind): len(record.moves)}
    for error in record.errors:
        assert (error.during, error.sent) == ("play", sent)
        assert error.instead == record.moves[error.step - 1]["xplayer"]
    # The referee made legal moves, or the rules would not have let it.
    tictactoe.replay([list(joint.values()) for joint in record.moves])


def test_a_player_that_hangs_is_abandoned_and_the_other_plays_on(tictactoe: Game) -> None:
    forever = threading.Event()
    record = conduct(tictactoe, seats(xplayer=Does(lambda state, role: forever.wait()), oplayer=Legal()),
                     clocks=CLOCKS)
    forever.set()
    assert record.outcome == "finished"
    assert kinds(record)["xplayer", "late"] >= len(record.moves)
    assert not any(error.role == "oplayer" for error in record.errors)


def test_a_player_that_was_late_once_is_in_the_match_again(march: Game) -> None:
    released = threading.Event()

    def hesitates(state: State, role: str) -> Move:
        if state.step == 0:
            released.wait()
        return Move("right")

    def watch(state: State, joint: dict[str, Move]) -> None:
        if joint:
            released.set()

    record = conduct(march, seats(walker=Does(hesitates), dog=Legal()), clocks=Clocks(5, 0.3, 1.0), watch=watch)
    assert [error.step for error in record.errors] == [1]
    assert all(joint["walker"] == "right" for joint in record.moves[1:])


def test_who_fails_to_prepare_may_play(tictactoe: Game) -> None:
    class Nervous(Legal):
        def prepare(self, game: Game, role: str, deadline: Deadline) -> None:
            raise RuntimeError("not yet")

    record = conduct(tictactoe, seats(xplayer=Nervous(), oplayer=Legal()), clocks=AT_LEISURE)
    assert [(error.step, error.during, error.kind) for error in record.errors] == [(0, "start", "failed")]
    assert "not yet" in record.errors[0].message


def test_players_are_told_of_the_beginning_and_the_end(tictactoe: Game) -> None:
    told: list[str] = []

    class Listens(Legal):
        def prepare(self, game: Game, role: str, deadline: Deadline) -> None:
            told.append(f"{role} may prepare for {game.name}: {deadline.remaining > 0}")

        def finish(self) -> None:
            told.append("over")

    for play in (lambda: conduct(tictactoe, seats(xplayer=Listens(), oplayer=Legal()), clocks=AT_LEISURE),
                 lambda: ludorum.play(tictactoe, xplayer=Listens(), oplayer=Legal(), start_clock=10)):
        told.clear()
        play()
        assert told == ["xplayer may prepare for tictactoe: True", "over"]


def test_play_tells_the_players_its_clock(tictactoe: Game) -> None:
    heard = []

    class Listens(Legal):
        def move(self, state: State, role: str, deadline: Deadline) -> Move:  # type: ignore[override]
            heard.append(deadline.remaining)
            return super().move(state, role)

    ludorum.play(tictactoe, xplayer=Listens(), oplayer=Legal(), play_clock=50)
    assert all(0 < remaining <= 50 for remaining in heard)


def test_what_a_player_thought_is_in_the_record(march: Game) -> None:
    class Thinks(Legal):
        info = SearchInfo(visits={Move("left"): 3, Move("right"): 9}, values={Move("right"): 2 / 3},
                          principal_variation=({"walker": Move("right")},), method="guessing")

    record = conduct(march, seats(walker=Thinks(), dog=Legal()), clocks=AT_LEISURE)
    thought = record.thoughts[0]["walker"]
    assert list(thought.visits.items()) == [("right", 9), ("left", 3)]
    assert thought.values == {"right": 0.667}
    assert thought.principal_variation == [{"walker": "right"}]
    assert "dog" not in record.thoughts[0]


@pytest.mark.parametrize("told", [
    {"method": "guessing", "visits": {"left": 3}}, {"visits": 7}, {"values": {"left": float("nan")}}, "because", 42,
    SearchInfo(visits={"left": "many"}, method=None)])  # type: ignore[dict-item, arg-type]
def test_whatever_a_player_says_of_its_thinking_the_match_goes_on(march: Game, told: object) -> None:
    class Tells(Legal):
        info = told

    record = conduct(march, seats(walker=Tells(), dog=Legal()), clocks=AT_LEISURE)
    assert record.outcome == "finished"
    assert not record.errors
    if isinstance(told, dict) and "method" in told:
        assert record.thoughts[0]["walker"].method == "guessing"
        assert record.thoughts[0]["walker"].visits == {"left": 3}
    else:
        assert "walker" not in record.thoughts[0]


def test_a_player_whose_thinking_cannot_be_asked_for_plays_on(march: Game) -> None:
    class Secretive(Legal):
        @property
        def info(self) -> SearchInfo:
            raise RuntimeError("nobody's business")

    record = conduct(march, seats(walker=Secretive(), dog=Legal()), clocks=AT_LEISURE)
    assert (record.outcome, record.errors) == ("finished", [])


def test_a_move_may_be_a_text_everywhere(march: Game) -> None:
    class Says:
        def move(self, state: State, role: str, deadline: Deadline) -> str:
            return str(state.legal(role)[0])

    assert ludorum.play(march, walker=Says(), dog=Says()).outcome.name == "FINISHED"
    record = conduct(march, seats(walker=Says(), dog=Says()), clocks=AT_LEISURE)
    assert (record.outcome, record.errors) == ("finished", [])


@pytest.mark.parametrize("said", ["(left", 7, None])
def test_what_is_no_move_is_unreadable(march: Game, said: object) -> None:
    class Mumbles:
        def move(self, state: State, role: str, deadline: Deadline) -> object:
            return said

    record = conduct(march, seats(walker=Mumbles(), dog=Legal()), clocks=AT_LEISURE)  # type: ignore[arg-type]
    assert {error.kind for error in record.errors} == {"unreadable"}


def test_percepts_are_kept_and_the_referee_plays_random(coin: Game) -> None:
    records = [conduct(coin, seats(guesser=Legal()), seed=seed) for seed in range(20)]
    assert {record.moves[0]["random"] for record in records} == {"(flip heads)", "(flip tails)"}
    for record in records:
        side = record.moves[0]["random"].split()[1].rstrip(")")
        assert record.percepts == [{"random": [], "guesser": ["flipped"]},
                                   {"random": [], "guesser": [f"(was {side})"]}]
        assert record.times[0]["random"] is None
        assert record.players["random"] == "the referee"


def test_a_dead_end_and_a_limit_end_a_match_too(cul_de_sac: Game, march: Game) -> None:
    assert conduct(cul_de_sac, seats(walker=Legal())).outcome == "stuck"
    cut = conduct(march, seats(walker=Legal(), dog=Legal()), max_steps=3)
    assert (cut.outcome, len(cut.moves)) == ("cut", 3)


class Interrupted(BaseException):
    pass


def test_an_interrupted_match_goes_on_as_if_nothing_had_happened(march: Game, tmp_path: Path) -> None:
    # Whatever chance decides here the referee decides, for the dog never has a legal move to offer.
    def crew() -> dict[str, LocalSeat]:
        return seats(walker=Legal(), dog=Does(lambda state, role: Move("meow")))

    def interrupt(state: State, joint: dict[str, Move]) -> None:
        if state.step == 5:
            raise Interrupted

    path = tmp_path / "match.json"
    with pytest.raises(Interrupted):
        conduct(march, crew(), seed=4, path=path, clocks=AT_LEISURE, watch=interrupt)
    half = records.read(path)
    assert (half.outcome, len(half.moves)) == ("playing", 5)
    whole = resume(march, crew(), half, path=path)
    assert whole.moves == conduct(march, crew(), seed=4, clocks=AT_LEISURE).moves
    assert whole.resumed == [6]
    assert whole.outcome == "finished"
    assert records.read(path) == whole
    assert path.read_bytes() == records.encode(whole)


def test_a_match_that_is_over_is_not_played_again(march: Game) -> None:
    record = conduct(march, seats(walker=Legal(), dog=Legal()))
    assert resume(march, seats(walker=Random(1), dog=Random(2)), record) is record


@pytest.fixture
def half(march: Game) -> Record:
    """A match that was interrupted after three steps."""
    record = conduct(march, seats(walker=Legal(), dog=Legal()), max_steps=3)
    record.outcome = "playing"
    return record


def test_a_record_of_another_game_cannot_be_resumed(half: Record, tictactoe: Game) -> None:
    with pytest.raises(InvalidRecord, match="other rules than those of tictactoe"):
        resume(tictactoe, seats(xplayer=Legal(), oplayer=Legal()), half)


def test_a_match_goes_on_by_its_own_rules_only(half: Record, march_rules: str) -> None:
    generous = ludorum.load(march_rules.replace("(goal dog 30)", "(goal dog 90)"), name="march")
    with pytest.raises(InvalidRecord, match="other rules"):
        resume(generous, seats(walker=Legal(), dog=Legal()), half)


@pytest.mark.parametrize(("change", "message"), [
    (lambda record: record.moves[1].update(dog="fly"), "step 2"),
    (lambda record: record.states.__setitem__(0, "(at 7)"), "another state after step 0"),
    (lambda record: record.states.__setitem__(3, "(at 7)"), "another state after step 3"),
    (lambda record: record.roles.reverse(), "a match of dog and walker"),
    (lambda record: setattr(record, "play_clock", -1.0), "play cannot be -1 s"),
])
def test_a_match_that_cannot_have_been_does_not_go_on(march: Game, half: Record, change: Callable[[Record], None],
                                                      message: str) -> None:
    change(half)
    with pytest.raises(InvalidRecord, match=message):
        resume(march, seats(walker=Legal(), dog=Legal()), half)


def test_a_match_that_came_to_its_end_does_not_go_on(march: Game) -> None:
    record = conduct(march, seats(walker=Legal(), dog=Legal()))
    record.outcome = "playing"
    with pytest.raises(InvalidRecord, match="was over after step 12"):
        resume(march, seats(walker=Legal(), dog=Legal()), record)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf"), 1e10])
def test_a_clock_is_a_time_that_can_be_waited_for(seconds: float) -> None:
    with pytest.raises(ValueError, match="play cannot be"):
        Clocks(1, seconds)
