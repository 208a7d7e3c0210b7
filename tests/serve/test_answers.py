"""Whatever a referee sends gets a clear answer, and the match that is on goes on."""

from __future__ import annotations

import http.client
import random
import socket
import string
from contextlib import closing
from urllib.parse import urlsplit

import httpx
import pytest
from driving import NUMBERS, drive

import ludorum
from ludorum.clock import Deadline
from ludorum.errors import PlayerBusy, PlayerGarbled
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.match import Clocks, RemoteSeat, conduct
from ludorum.move import Move
from ludorum.protocol import RemotePlayer
from ludorum.serve import Options, serving

pytestmark = pytest.mark.slow

CLOCK = 20.0


def soon() -> Deadline:
    return Deadline.within(CLOCK)


def post(address: str, text: str | bytes) -> httpx.Response:
    return httpx.post(address, content=text, headers={"Content-Type": "text/acl"}, timeout=CLOCK)


@pytest.fixture
def match(address: str, tictactoe: Game) -> str:
    """The name of a match that was started, as xplayer."""
    name = f"match.{next(NUMBERS)}"
    RemotePlayer(address).start(name, "xplayer", to_kif(tictactoe.rules), CLOCK, CLOCK, soon())
    return name


def test_a_person_who_looks_is_told_what_this_is(address: str) -> None:
    page = httpx.get(address)
    assert page.status_code == 200
    assert "general games" in page.text
    assert httpx.head(address).status_code == 200


def test_web_pages_may_call_it(address: str) -> None:
    asked = httpx.options(address, headers={"Origin": "http://elsewhere", "Access-Control-Request-Method": "POST"})
    for reply in (asked, httpx.get(address), post(address, "(INFO)"), post(address, "nonsense")):
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    assert asked.is_success


@pytest.mark.parametrize("kind", ["text/acl", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", ""])
def test_any_content_type_will_do(address: str, kind: str) -> None:
    reply = httpx.post(address, content=b"( INFO )", headers={"Content-Type": kind})
    assert reply.text == "((name Ludorum) (status available))"
    assert reply.headers["Content-Type"].startswith("text/acl")


def test_old_game_servers_that_end_lines_with_a_line_feed_are_understood(address: str) -> None:
    place = urlsplit(address)
    with socket.create_connection((str(place.hostname), place.port), timeout=CLOCK) as connection:
        connection.sendall(b"POST / HTTP/1.0\nAccept: text/delim\nSender: GAMEMASTER\nReceiver: GAMEPLAYER\n"
                           b"Content-type: text/acl\nContent-length: 6\n\n(INFO)")
        reply = b""
        # Such servers read until the connection is closed.
        while part := connection.recv(4096):
            reply += part
    assert reply.startswith(b"HTTP/1.")
    assert reply.endswith(b"((name Ludorum) (status available))")


def test_a_request_that_comes_through_a_proxy_may_name_the_whole_address(address: str) -> None:
    place = urlsplit(address)
    with closing(http.client.HTTPConnection(str(place.hostname), place.port, timeout=CLOCK)) as connection:
        for target in (address, f"{address}/", f"{address}/player?of=games", "/player"):
            connection.request("POST", target, "(INFO)")
            reply = connection.getresponse()
            assert (reply.status, reply.read()) == (200, b"((name Ludorum) (status available))")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "TRACE", "BREW"])
def test_other_methods_are_refused(address: str, method: str) -> None:
    reply = httpx.request(method, address)
    assert (reply.status_code, reply.text) == (405, "(error bad-method)")


def test_a_match_is_played_from_start_to_stop(address: str, tictactoe: Game) -> None:
    driven = drive(tictactoe, address, start_clock=CLOCK, play_clock=CLOCK)
    assert driven.faults == []
    assert driven.goals in ({"xplayer": 100, "oplayer": 0}, {"xplayer": 0, "oplayer": 100},
                            {"xplayer": 50, "oplayer": 50})


@pytest.mark.parametrize("name", ["phantomtictactoe", "montyhall", "rockpaperscissors", "tictactoe3p", "eightpuzzle"])
def test_games_of_every_kind_are_played_legally(address: str, name: str) -> None:
    driven = drive(ludorum.load(name), address, start_clock=CLOCK, play_clock=CLOCK, max_steps=12)
    assert driven.faults == []
    assert driven.steps > 0


def test_letter_case_does_not_matter(address: str, tictactoe: Game) -> None:
    rules = to_kif(tictactoe.rules).upper()
    assert post(address, f"(Start CASE.1 XPLAYER ({rules}) 20 20)").text == "READY"
    assert post(address, "(pLaY case.1 nil)").text.startswith("(mark ")
    assert post(address, "(STOP Case.1 NIL)").text == "DONE"


def test_a_second_start_of_a_match_is_busy_and_the_first_goes_on(address: str, tictactoe: Game, match: str) -> None:
    player = RemotePlayer(address)
    with pytest.raises(PlayerBusy):
        player.start(match, "oplayer", to_kif(tictactoe.rules), CLOCK, CLOCK, soon())
    assert player.play(match, None, soon()) in tictactoe.initial.legal("xplayer")


def test_moves_that_are_not_legal_are_refused_and_the_match_goes_on(address: str, tictactoe: Game, match: str) -> None:
    player = RemotePlayer(address)
    for moves in ("(mark 4 4) noop", "(mark 1 1)", "(mark 1 1) noop noop", "noop noop"):
        with pytest.raises(PlayerGarbled, match=r"400.*bad-moves"):
            player.play(match, moves, soon())
    state = tictactoe.replay("(mark 1 1)")
    assert player.play(match, "(mark 1 1) noop", soon()) == Move("noop")
    state = state.after("(mark 2 2)")
    assert player.play(match, "noop (mark 2 2)", soon()) in state.legal("xplayer")


def test_asking_again_without_news_is_answered_again(address: str, tictactoe: Game, match: str) -> None:
    player = RemotePlayer(address)
    for _ in range(3):
        assert player.play(match, None, soon()) in tictactoe.initial.legal("xplayer")


def test_a_message_that_is_sent_again_is_answered_as_before(address: str, tictactoe: Game, match: str) -> None:
    first, second = "((mark 1 1) noop)", "(noop (mark 2 2))"
    for news, state in (("NIL", tictactoe.initial), (first, tictactoe.replay("(mark 1 1)")),
                        (second, tictactoe.replay("(mark 1 1) (mark 2 2)"))):
        answers = [post(address, f"(PLAY {match} {news})").text for _ in range(6)]
        assert answers[0] in state.legal("xplayer")
        assert answers == answers[:1] * 6
    # What came before the last message is no repetition of it.
    assert post(address, f"(PLAY {match} {first})").text.startswith("(error bad-moves ")
    assert post(address, f"(PLAY {match} ((mark 3 3) noop))").text == "noop"


def test_moves_that_can_be_made_again_are_a_new_step(address: str) -> None:
    rules = """(role a) (init (at 0)) (succ 0 1) (succ 1 2) (<= (legal a go) (true (at ?x)) (succ ?x ?y))
               (<= (legal a rest) (true (at 0))) (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does a go))
               (<= (next (at ?x)) (true (at ?x)) (does a rest)) (<= terminal (true (at 2))) (goal a 100)"""
    player, name = RemotePlayer(address), f"match.{next(NUMBERS)}"
    player.start(name, "a", rules, CLOCK, CLOCK, soon())
    assert player.play(name, "go", soon()) == Move("go")
    # The second step ends the game, so that a third is the second told again.
    for _ in range(2):
        assert player.play(name, "go", soon()) == Move("nil")


@pytest.mark.parametrize(("end", "answer"), [("STOP {} ((mark 1 1) noop)", "DONE"), ("ABORT {}", "ABORTED")])
def test_the_end_of_a_match_may_be_told_again(address: str, match: str, end: str, answer: str) -> None:
    message = f"({end.format(match)})"
    assert [post(address, message).text for _ in range(2)] == [answer, answer]
    assert post(address, f"(STOP {match} NIL)").status_code == 404
    assert post(address, f"(PLAY {match} NIL)").status_code == 404


def test_a_move_that_is_told_as_nil_is_any_move(address: str, tictactoe: Game, match: str) -> None:
    player = RemotePlayer(address)
    assert player.play(match, "(mark 1 1) nil", soon()) == Move("noop")
    # Where the other has marked nobody said; what is free in any case is legal.
    assert player.play(match, "noop nil", soon()) in tictactoe.replay("(mark 1 1)").legal("oplayer")


def test_turns_of_hidden_games_are_counted(address: str) -> None:
    game = ludorum.load("phantomtictactoe")
    player, name = RemotePlayer(address), f"match.{next(NUMBERS)}"
    player.start(name, "x", to_kif(game.rules), CLOCK, CLOCK, soon())
    # The same turn told again is the same turn, and answered as before.
    first, *again = (player.play_percepts(name, 0, None, [], soon()) for _ in range(6))
    assert again == [first] * 5
    state = game.initial.after({"x": first})
    for _ in range(2):
        move = player.play_percepts(name, 1, first, state.percepts[game.roles[0]], soon())
        assert move in state.legal("x")
    with pytest.raises(PlayerGarbled, match="bad-turn"):
        player.play_percepts(name, 5, first, [], soon())
    assert player.play_percepts(name, 1, first, state.percepts[game.roles[0]], soon()) in state.legal("x")
    player.abort(name, soon())


def test_a_game_that_is_over_is_answered(address: str) -> None:
    rules = "(role a) (init s) (<= (legal a go) (true s)) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)"
    player, name = RemotePlayer(address), f"match.{next(NUMBERS)}"
    player.start(name, "a", rules, CLOCK, CLOCK, soon())
    assert player.play(name, None, soon()) == Move("go")
    assert player.play(name, "go", soon()) == Move("nil")


@pytest.mark.parametrize(("message", "status", "word"), [
    ("(PLAY nobody.knows NIL)", 404, "unknown-match"),
    ("(STOP nobody.knows NIL)", 404, "unknown-match"),
    ("(ABORT nobody.knows)", 404, "unknown-match"),
    ("(START m x ((role x) (legal x)) 10 10)", 400, "bad-rules"),
    ("(START m x ((role x) 10 10)", 400, "bad-message"),
    ("(START m x () 10 10)", 400, "bad-rules"),
    ("(START m x ((role y) (legal y go) (<= (goal y 100) terminal) terminal) 10 10)", 400, "bad-rules"),
    ("(START m x ((role x)) 1e9 10)", 400, "bad-clock"),
    ("(WHO)", 400, "bad-message"),
    ("", 400, "bad-message"),
])
def test_what_cannot_be_done_is_said_in_a_line(address: str, message: str, status: int, word: str) -> None:
    reply = post(address, message)
    assert reply.status_code == status
    assert reply.text.startswith(f"(error {word} ")
    assert reply.text.count("(") == reply.text.count(")") == 1
    assert post(address, "(INFO)").text == "((name Ludorum) (status available))"


def test_rules_that_are_wrong_are_explained(address: str) -> None:
    reply = post(address, "(START m x ((role x)\n(<= (legal x go)) (goal x 100)\n(<= terminal ?what)) 9 9)")
    assert reply.status_code == 400
    assert "line 3, column 14 of the rules" in reply.text
    assert "?what cannot be a condition" in reply.text


def test_a_message_that_is_too_long_is_refused(address: str, match: str) -> None:
    reply = post(address, b"(PLAY " + b"x" * (2 << 20))
    assert reply.status_code == 413
    assert "1,048,576 bytes" in reply.text

    def parts() -> object:
        for _ in range(300):
            yield b"x" * 10_000

    assert httpx.post(address, content=parts(), timeout=CLOCK).status_code == 413  # type: ignore[arg-type]
    assert post(address, f"(PLAY {match} ({'noop ' * 50_000}))").status_code == 400
    assert RemotePlayer(address).play(match, None, soon())


def test_a_full_player_is_busy_and_free_again_when_a_match_is_over(tictactoe: Game) -> None:
    rules = to_kif(tictactoe.rules)
    with serving(Options(player="legal", matches=2)) as address:
        player = RemotePlayer(address)
        for name in ("a", "b"):
            player.start(name, "xplayer", rules, CLOCK, CLOCK, soon())
        assert player.info(soon()).status == "busy"
        with pytest.raises(PlayerBusy):
            player.start("c", "xplayer", rules, CLOCK, CLOCK, soon())
        player.abort("a", soon())
        assert player.info(soon()).status == "available"
        player.start("c", "xplayer", rules, CLOCK, CLOCK, soon())
        assert player.play("b", None, soon()) in tictactoe.initial.legal("xplayer")


def test_a_match_that_nobody_remembers_is_forgotten(tictactoe: Game) -> None:
    with serving(Options(player="legal", matches=1, idle=0.2)) as address:
        player = RemotePlayer(address)
        player.start("a", "xplayer", to_kif(tictactoe.rules), 2, 0.1, soon())
        deadline = Deadline.within(60)
        while player.info(soon()).status == "busy":
            assert not deadline.passed


def test_a_preview_is_answered(address: str, tictactoe: Game) -> None:
    assert post(address, f"(PREVIEW ({to_kif(tictactoe.rules)}) 5)").text == "READY"
    assert post(address, "(PREVIEW (nonsense) 5)").text == "READY"


def malformed(seed: int) -> bytes:
    """Something like a message, broken at random."""
    chance = random.Random(seed)
    words = ["PLAY", "START", "STOP", "ABORT", "INFO", "PREVIEW"]
    kinds = [
        lambda: bytes(chance.randrange(256) for _ in range(chance.randrange(60))),
        lambda: "".join(chance.choices(string.printable, k=chance.randrange(60))).encode(),
        lambda: b"(" * chance.randrange(1, 3000),
        lambda: ("(PLAY m" + "".join(chance.choices("() ;\"|?anil01\n", k=chance.randrange(40))) + ")").encode(),
        lambda: ("(START m x (" + "".join(chance.choices("()<= role ?x init legal", k=80)) + ") 1 1)").encode(),
        lambda: f"({chance.choice(words)} {'x ' * chance.randrange(9)})".encode(),
    ]
    return chance.choice(kinds)()


def test_malformed_messages_harm_nobody(address: str, tictactoe: Game, match: str) -> None:
    place = urlsplit(address)
    with httpx.Client(base_url=address, timeout=CLOCK) as client:
        for seed in range(300):
            reply = client.post("/", content=malformed(seed))
            assert reply.status_code in (200, 400, 404), reply.text
    for junk in (b"", b"\x00" * 100, b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"GET " + b"x" * 100_000,
                 b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n(INFO"):
        with closing(socket.create_connection((str(place.hostname), place.port), timeout=CLOCK)) as connection:
            connection.sendall(junk)
    assert RemotePlayer(address).play(match, None, soon()) in tictactoe.initial.legal("xplayer")


def test_a_player_may_sit_at_both_seats_of_a_match(address: str, tictactoe: Game) -> None:
    record = conduct(tictactoe, {"xplayer": RemoteSeat(address), "oplayer": RemoteSeat(address)},
                     clocks=Clocks(start=20, play=10, grace=20))
    assert record.outcome == "finished"
    assert record.errors == []
