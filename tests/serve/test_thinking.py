"""No move is thrown away: whatever happens while a player thinks, what it has found out is answered."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import httpx
import odd_players
import pytest

from ludorum.clock import Deadline
from ludorum.errors import PlayerGarbled
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.match import Clocks, RemoteSeat, conduct
from ludorum.match.player_spec import introduce, seat_for
from ludorum.match.seat import LocalSeat
from ludorum.move import Move
from ludorum.players import Legal
from ludorum.protocol import RemotePlayer
from ludorum.serve import Options, serving

pytestmark = pytest.mark.slow

CLOCK = 20.0


def soon() -> Deadline:
    return Deadline.within(CLOCK)


def moves_of(address: str) -> dict[str, int]:
    """How the moves of a server came about."""
    return {origin: count for origin, count in httpx.get(f"{address}/status").json()["moves"].items() if count}


def stranger(address: str, message: str) -> httpx.Response:
    """What somebody at another address is answered."""
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as client:
        return client.post(address, content=message, timeout=CLOCK)


def test_a_player_that_does_not_come_to_an_end_has_its_best_move_so_far_answered(tictactoe: Game) -> None:
    with serving(Options(player=odd_players.TellsAndHangs)) as address:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, 2, soon())
        assert player.exchange("(PLAY m NIL)", soon()).origin == "best so far"
        # The last legal move is the player's own idea; it is told again as it was.
        assert player.play("m", None, soon()) == tictactoe.initial.legal("xplayer")[-1]
        assert moves_of(address) == {"best so far": 1}


def test_the_server_counts_how_moves_came_about_and_records_tell_it(tictactoe: Game) -> None:
    with serving(Options(player="mcts:playouts=20000")) as address:
        record = conduct(tictactoe, {"xplayer": RemoteSeat(address), "oplayer": LocalSeat(Legal())},
                         clocks=Clocks(CLOCK, CLOCK))
        counts = moves_of(address)
    told = [step["xplayer"].origin for step in record.thoughts]
    assert record.errors == []
    # The first player may mark nine squares, and waits for the other every second turn.
    assert told[1::2] == ["only move"] * len(told[1::2])
    assert set(told[::2]) <= {"search", "proved", "only move"}
    assert {origin: told.count(origin) for origin in told} == counts


def test_wrong_moves_do_not_disturb_who_is_thinking(tictactoe: Game) -> None:
    with serving(Options(player=odd_players.ThinksToTheEnd)) as address, ThreadPoolExecutor(1) as pool:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, 4, soon())
        asked = pool.submit(player.exchange, "(PLAY m NIL)", soon())
        # They come before it, while it is thought about, or both.
        for wrong in ("(mark 4 4) noop", "noop noop", "(mark 1 1)"):
            with pytest.raises(PlayerGarbled, match="bad-moves"):
                player.play("m", wrong, soon())
        reply = asked.result()
        # Its own choice is the last legal move.
        assert Move(reply.text) == tictactoe.initial.legal("xplayer")[-1]
        assert reply.origin == "search"


def test_a_question_that_is_asked_again_is_thought_about_once(tictactoe: Game) -> None:
    with serving(Options(player=odd_players.ThinksToTheEnd)) as address, ThreadPoolExecutor(3) as pool:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, 2, soon())
        replies = list(pool.map(lambda _: player.exchange("(PLAY m NIL)", soon()), range(3)))
        assert {reply.origin for reply in replies} == {"search"}
        assert len({reply.text for reply in replies}) == 1
        assert moves_of(address) == {"search": 1}


def test_a_match_belongs_to_who_started_it(tictactoe: Game) -> None:
    rules = to_kif(tictactoe.rules)
    with serving(Options(player="legal")) as address:
        player = RemotePlayer(address)
        player.start("m", "xplayer", rules, CLOCK, CLOCK, soon())
        for message in ("(PLAY m NIL)", "(PLAY m ((mark 1 1) noop))", "(STOP m NIL)", "(ABORT m)"):
            reply = stranger(address, message)
            assert (reply.status_code, reply.text.split()[1]) == (403, "not-yours")
        assert stranger(address, f"(START m oplayer ({rules}) 20 20)").text == "BUSY"
        # Nothing has changed.
        assert player.play("m", "(mark 1 1) noop", soon()) == Move("noop")
        assert player.play("m", "noop (mark 2 2)", soon()) in tictactoe.replay("(mark 1 1) (mark 2 2)").legal("xplayer")
        assert player.send("(STOP m ((mark 3 3) noop))", soon()) == "DONE"


def test_any_referee_may_be_let_in(tictactoe: Game) -> None:
    with serving(Options(player="legal", any_referee=True)) as address:
        RemotePlayer(address).start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, CLOCK, soon())
        assert stranger(address, "(PLAY m NIL)").status_code == 200
        assert stranger(address, "(ABORT m)").text == "ABORTED"


def test_the_status_is_told_as_json(address: str) -> None:
    told = json.loads(httpx.get(f"{address}/status").text)
    assert told["name"] == "Ludorum"
    assert told["status"] == "available"
    assert set(told["moves"]) == {"search", "proved", "only move", "best so far", "any legal"}


def test_players_elsewhere_sit_under_their_own_names(tictactoe: Game) -> None:
    with serving(Options(player="legal", name="Anna")) as anna, serving(Options(player="legal", name="Ben")) as ben:
        seats = {"xplayer": seat_for(anna), "oplayer": seat_for(ben)}
        introduce(seats)
        assert [seat.name for seat in seats.values()] == ["Anna", "Ben"]
        # Two of the same name are told apart by their addresses, and who was given a name keeps it.
        twins = {"xplayer": seat_for(anna), "oplayer": seat_for(anna), "third": seat_for(ben, name="champion")}
        introduce(twins)
        assert [seat.name for seat in twins.values()] == [f"Anna at {anna}", f"Anna at {anna}", "champion"]
    gone = {"xplayer": seat_for("127.0.0.1:9")}
    introduce(gone)
    assert gone["xplayer"].name == "127.0.0.1:9"
