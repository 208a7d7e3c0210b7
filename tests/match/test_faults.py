"""Players elsewhere that do everything wrong: the match goes on, the clocks are kept, the others are unharmed."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
import strangers
from strangers import Stranger, nobody, present

import ludorum
from ludorum import Game, Move, State
from ludorum.clock import Deadline
from ludorum.match import Clocks, LocalSeat, conduct, resume
from ludorum.match import record as records
from ludorum.match.remote import RemoteSeat
from ludorum.match.seat import Seat
from ludorum.match.trace import compare_trace, of_record
from ludorum.players import Legal
from ludorum.protocol import Abort, Moves, Percepts, Play, Start, Stop

pytestmark = pytest.mark.slow

#: What each bad player is blamed for.
BLAMED = {
    strangers.hangs: "late",
    strangers.answers_late: "late",
    strangers.closes_the_connection: "gone",
    strangers.stops_in_the_middle: "gone",
    strangers.speaks_no_http: "unreadable",
    strangers.sends_garbage: "unreadable",
    strangers.nests_deeply: "unreadable",
    strangers.sends_ten_megabytes: "unreadable",
    strangers.sends_for_ever: "late",
    strangers.plays_an_illegal_move: "illegal",
    strangers.says_nothing: "unreadable",
    strangers.redirects: "unreadable",
    strangers.breaks: "unreadable",
}

GATHERING = """
(step 0 1) (step 1 2) (step 2 3)
(init (at 0))
(<= (legal ?r ?m) (role ?r) (waves ?m))
(waves left) (waves right) (waves up)
(<= (next (at ?m)) (true (at ?n)) (step ?n ?m))
(<= terminal (true (at 3)))
(<= (goal ?r 50) (role ?r))
"""

CLOCKS = Clocks(start=1, play=0.3, grace=0.4, stop=0.3)


@pytest.fixture(scope="module")
def gathering() -> Game:
    """Everybody waves three times, all at once: a role for every kind of player."""
    roles = [*(behaviour.__name__ for behaviour in BLAMED), "nobody", "deaf", "good", "ours"]
    return ludorum.load("".join(f"(role {role})" for role in roles) + GATHERING, name="gathering", engine="circuit")


@pytest.mark.parametrize("when", [(Play,), (Start, Play, Stop)])
def test_every_bad_player_at_once_and_two_good_ones(gathering: Game, when: tuple[type, ...]) -> None:
    good = Stranger(knows=gathering)
    bad = {behaviour: Stranger(behaviour, when) for behaviour in BLAMED}
    with present(good, *bad.values()), nobody() as empty, strangers.never_accepting() as deaf:
        seats: dict[str, Seat] = {behaviour.__name__: RemoteSeat(stranger.address)
                                  for behaviour, stranger in bad.items()}
        seats |= {"nobody": RemoteSeat(empty), "deaf": RemoteSeat(deaf), "good": RemoteSeat(good.address),
                  "ours": LocalSeat(Legal())}
        record = conduct(gathering, seats, clocks=CLOCKS)
    assert record.outcome == "finished"
    assert len(record.moves) == 3
    blamed = Counter((error.role, error.kind) for error in record.errors if error.during == "play")
    assert blamed == {**{(behaviour.__name__, kind): 3 for behaviour, kind in BLAMED.items()},
                      ("nobody", "gone"): 3, ("deaf", "late"): 3}
    assert all(joint["good"] == joint["ours"] == "left" for joint in record.moves)
    # Who fails at the start is blamed for it, and asked for moves all the same.
    failed = {error.role for error in record.errors if error.during == "start"}
    assert failed == ({"nobody", "deaf"} if when == (Play,) else set(record.roles) - {"good", "ours"})
    # Who is late had the whole clock.
    assert all(record.times[error.step - 1][error.role] >= CLOCKS.play  # type: ignore[operator]
               for error in record.errors if error.during == "play" and error.kind == "late")
    assert all(len(error.sent or "") < 2000 and len(error.message) < 2000 for error in record.errors)
    assert [type(message) for message in good.heard] == [Start, Play, Play, Play, Stop]
    assert not compare_trace(gathering, of_record(record)).mismatches


def test_a_player_elsewhere_is_told_every_move(tictactoe: Game) -> None:
    good = Stranger()
    with present(good):
        record = conduct(tictactoe, {"xplayer": RemoteSeat(good.address), "oplayer": LocalSeat(Legal())},
                         clocks=Clocks(10, 10, 1))
    assert record.errors == []
    start, *plays, stop = good.heard
    assert isinstance(start, Start)
    assert (start.match, start.role, start.start_clock, start.play_clock) == (record.id, "xplayer", 10, 10)
    assert ludorum.parse(start.rules) == tictactoe.rules
    told = [play.news for play in [*plays, stop]]  # type: ignore[union-attr]
    assert told[0] == Moves()
    assert told[1:] == [Moves(tuple(Move(move).term for move in joint.values())) for joint in record.moves]


def test_in_a_game_with_secrets_a_player_is_told_percepts(coin: Game) -> None:
    good = Stranger()
    with present(good):
        record = conduct(coin, {"guesser": RemoteSeat(good.address)}, clocks=Clocks(10, 10, 1))
    _, *plays, stop = good.heard
    told = [message.news for message in [*plays, stop]]  # type: ignore[union-attr]
    assert told == [Percepts(0)] + [
        Percepts(step + 1, Move(record.moves[step]["guesser"]).term,
                 frozenset(Move(percept).term for percept in record.percepts[step]["guesser"]))  # type: ignore[index]
        for step in range(2)]


def test_a_player_of_ours_is_not_shown_what_its_role_cannot_know(coin: Game) -> None:
    class Peeks(Legal):
        """Guesses the side that it sees in the state."""

        def move(self, state: State, role: str, deadline: Deadline) -> Move:  # type: ignore[override]
            side = next((str(fluent.args[0]) for fluent in state.fluents if fluent.name == "coin"), None)
            return Move(f"(guess {side})") if side else state.legal(role)[0]

    conducted = [conduct(coin, {"guesser": LocalSeat(Peeks())}, seed=seed).goals["guesser"] for seed in range(40)]
    played = [ludorum.play(coin, guesser=Peeks(), seed=seed).goals["guesser"] for seed in range(40)]
    # Who peeked would always win; who guesses wins 20 times of 40, and hardly ever less than 6 or more than 34 times.
    for goals in (conducted, played):
        assert 600 <= sum(goal or 0 for goal in goals) <= 3400


def test_a_player_that_is_busy_is_blamed_for_it_and_asked_all_the_same(tictactoe: Game) -> None:
    busy = Stranger(lambda handler: "BUSY", (Start,))
    with present(busy):
        record = conduct(tictactoe, {"xplayer": LocalSeat(Legal()), "oplayer": RemoteSeat(busy.address)},
                         clocks=Clocks(10, 10, 1))
    assert [error.kind for error in record.errors if error.during == "start"] == ["busy"]
    assert sum(isinstance(message, Play) for message in busy.heard) == len(record.moves)


class Interrupted(BaseException):
    pass


def test_a_resumed_match_leads_players_through_what_happened(march: Game, tmp_path: Path) -> None:
    good = Stranger()
    path = tmp_path / "match.json"

    def interrupt(state: State, joint: dict[str, Move]) -> None:
        if state.step == 4:
            raise Interrupted

    with present(good):
        def seats() -> dict[str, Seat]:
            return {"walker": RemoteSeat(good.address), "dog": LocalSeat(Legal())}

        with pytest.raises(Interrupted):
            conduct(march, seats(), clocks=Clocks(10, 10, 1), path=path, watch=interrupt, match="walk")
        assert isinstance(good.heard[-1], Abort)
        record = resume(march, seats(), records.read(path), path=path)
    assert record.outcome == "finished"
    assert record.errors == []
    second = good.heard[6:]
    assert second[0] == Abort("walk")
    assert isinstance(second[1], Start)
    assert second[1].match == "walk.2"
    assert [type(message) for message in second[2:]] == [Play] * 12 + [Stop]


def test_a_referee_that_is_interrupted_tells_everyone(tictactoe: Game) -> None:
    good = Stranger()

    def interrupt(state: State, joint: dict[str, Move]) -> None:
        if joint:
            raise Interrupted

    with present(good), ExitStack() as stack:
        stack.enter_context(pytest.raises(Interrupted))
        conduct(tictactoe, {"xplayer": RemoteSeat(good.address), "oplayer": LocalSeat(Legal())},
                clocks=Clocks(10, 10, 1), watch=interrupt, match="short")
    assert good.heard[-1] == Abort("short")


def test_players_elsewhere_need_clocks(tictactoe: Game) -> None:
    with nobody() as empty, pytest.raises(ValueError, match="need clocks"):
        conduct(tictactoe, {"xplayer": RemoteSeat(empty), "oplayer": LocalSeat(Legal())})


def test_players_elsewhere_are_asked_at_once(gathering: Game) -> None:
    everyone = threading.Barrier(len(gathering.roles))

    def meets(handler: strangers.Handler) -> str:
        # Nobody answers before all were asked; were they asked one after the other, nobody ever would.
        everyone.wait(timeout=20)
        return "up"

    many = [Stranger(meets) for _ in gathering.roles]
    with present(*many):
        seats = {role: RemoteSeat(stranger.address) for role, stranger in zip(gathering.roles, many, strict=True)}
        record = conduct(gathering, seats, clocks=Clocks(30, 30, 1))
    assert not record.errors
    assert all(move == "up" for joint in record.moves for move in joint.values())
