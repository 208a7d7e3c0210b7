"""A player elsewhere may do what it likes: the client returns in time, and says what went wrong."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

import pytest
from bad_players import (
    Flooding,
    answering,
    dripping,
    hanging,
    leaving,
    leaving_halfway,
    listening,
    read_request,
    reply,
    speaking_no_http,
)

from ludorum.clock import Deadline
from ludorum.errors import PlayerBusy, PlayerFailed, PlayerGarbled, PlayerGone, PlayerLate, UnknownPlayer
from ludorum.move import Move
from ludorum.protocol import RemotePlayer

SOON = 5.0


def test_a_move_comes_back() -> None:
    with listening(answering("( MARK 2 2 )\n")) as address:
        assert RemotePlayer(address).play("m1", None, Deadline.within(SOON)) == Move("(mark 2 2)")


@pytest.mark.parametrize("name", [" anna ", "Zoë\n", "\t"])
def test_whatever_people_call_a_player_it_can_be_asked(name: str) -> None:
    with listening(answering("left")) as address:
        assert RemotePlayer(address, name=name).play("m1", None, Deadline.within(SOON)) == Move("left")


def test_a_player_gets_what_the_servers_of_the_field_send() -> None:
    requests: list[bytes] = []

    def note(connection: socket.socket) -> None:
        connection.sendall(reply("READY"))

    def keep(connection: socket.socket) -> None:
        requests.append(read_request(connection))
        note(connection)

    server = socket.create_server(("127.0.0.1", 0))

    def once() -> None:
        connection, _ = server.accept()
        with connection:
            keep(connection)

    thread = threading.Thread(target=once)
    thread.start()
    RemotePlayer(f"127.0.0.1:{server.getsockname()[1]}", name="Ada").start(
        "m1", "white", "(role white) ; the only one", 30, 0.5, Deadline.within(SOON))
    thread.join()
    server.close()
    head, _, body = requests[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0].startswith("POST / HTTP/1.")
    assert {"Accept: text/delim", "Sender: GAMESERVER", "Receiver: Ada", "Content-Type: text/acl"} <= set(lines)
    assert body == b"(START m1 white ((role white) ; the only one\n) 30 0.5)"


def test_the_messages_of_hidden_games_have_four_arguments() -> None:
    requests: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))

    def twice() -> None:
        for _ in range(2):
            connection, _ = server.accept()
            with connection:
                requests.append(read_request(connection).partition(b"\r\n\r\n")[2])
                connection.sendall(reply("noop"))

    thread = threading.Thread(target=twice)
    thread.start()
    player = RemotePlayer(f"127.0.0.1:{server.getsockname()[1]}")
    player.play_percepts("m1", 0, None, [], Deadline.within(SOON))
    player.stop_percepts("m1", 1, "noop", ["(heard bell)", "(heard alarm)"], Deadline.within(SOON))
    thread.join()
    server.close()
    assert requests == [b"(PLAY m1 0 NIL NIL)", b"(STOP m1 1 noop ((heard alarm) (heard bell)))"]


@pytest.mark.parametrize(("behaviour", "failure"), [
    (hanging, PlayerLate),
    (dripping, PlayerLate),
    (leaving, PlayerGone),
    (leaving_halfway, PlayerGone),
    (speaking_no_http, PlayerGarbled),
    (answering(""), PlayerGarbled),
    (answering("((("), PlayerGarbled),
    (answering("(mark 2 2)", "500 Oh"), PlayerGarbled),
])
def test_what_a_bad_player_does_has_a_name(behaviour: Callable[[socket.socket], None],
                                           failure: type[PlayerFailed]) -> None:
    # Waiting for longer than the deadline would be answered: the one that hangs leaves in the end, the one that drips
    # comes to an end.
    with listening(behaviour) as address, pytest.raises(failure, match=address):
        RemotePlayer(address).play("m1", None, Deadline.within(1.0))


def test_a_long_reply_is_not_read_to_its_end() -> None:
    flood = Flooding(megabytes=50)
    with listening(flood) as address:
        with pytest.raises(PlayerGarbled, match="more than 65,536 bytes"):
            RemotePlayer(address).play("m1", None, Deadline.within(SOON))
        assert flood.ended.wait(10)
    # What the buffers of the system took on the way is not read, only sent.
    assert flood.sent < 20 << 20


def test_nobody_there_is_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(PlayerGone):
        RemotePlayer(f"127.0.0.1:{port}").info(Deadline.within(SOON))


def test_a_deadline_that_has_passed_sends_nothing() -> None:
    with pytest.raises(PlayerLate):
        RemotePlayer("127.0.0.1:1").info(Deadline.within(0))


def test_a_busy_player_says_so() -> None:
    with listening(answering("busy")) as address:
        player = RemotePlayer(address)
        with pytest.raises(PlayerBusy):
            player.start("m1", "white", "(role white)", 1, 1, Deadline.within(SOON))
        assert player.info(Deadline.within(SOON)).status == "busy"


@pytest.mark.parametrize("address", ["ftp://somewhere", "http://", "http://[::1", "host:99999999", "", "http://a b"])
def test_what_is_no_address_is_told_so(address: str) -> None:
    with pytest.raises(UnknownPlayer):
        RemotePlayer(address)


def test_a_web_page_for_an_answer_is_told_in_one_line() -> None:
    page = "<html>\n<h1>Not here</h1>\n</html>"
    with (listening(answering(page, "501 No")) as address,
          pytest.raises(PlayerGarbled, match=r"status 501: <html> <h1>Not here</h1> </html>$")):
        RemotePlayer(address).play("m1", None, Deadline.within(SOON))
