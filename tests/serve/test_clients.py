"""Nobody delays the matches of others, however much he sends, and nobody is let in before the server is warm."""

from __future__ import annotations

import socket
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import httpx
import pytest

from ludorum.clock import Deadline
from ludorum.errors import InvalidMessage, Refusal
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.move import Move
from ludorum.protocol import RemotePlayer, parse_message
from ludorum.serve import Options, listening, process, server, serving
from ludorum.serve.clients import Clients

CLOCK = 20.0


def soon() -> Deadline:
    return Deadline.within(CLOCK)


def connected(address: str) -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((str(place.hostname), place.port), timeout=CLOCK)


def test_too_many_connections_cost_the_oldest_that_has_brought_nothing() -> None:
    client = Clients(Options(connections_per_client=2)).at("10.0.0.1")
    closed: list[str] = []
    for name in ("first", "second"):
        client.opens(name, lambda name=name: closed.append(name))  # type: ignore[misc]
    client.has_sent("first")
    client.opens("third", lambda: closed.append("third"))
    assert closed == []
    client.opens("fourth", lambda: closed.append("fourth"))
    assert closed == ["second"]


def test_what_is_being_received_is_counted_by_address_and_given_back() -> None:
    clients = Clients(Options(bytes_per_client=100))
    one, other = clients.at("10.0.0.1"), clients.at("10.0.0.2")
    with one.receiving() as take, other.receiving() as take_other:
        take(60)
        take_other(60)
        with pytest.raises(Refusal, match="100 bytes"), clients.at("10.0.0.1").receiving() as more:
            more(60)
        take(40)
    with one.receiving() as take:
        take(100)


def test_slow_senders_do_not_keep_a_referee_out(tictactoe: Game) -> None:
    with serving(Options(player="legal", connections_per_client=4)) as address, ExitStack() as stack:
        player = RemotePlayer(address)
        player.start("m", "xplayer", to_kif(tictactoe.rules), CLOCK, CLOCK, soon())
        slow = [stack.enter_context(connected(address)) for _ in range(12)]
        for number, connection in enumerate(slow):
            try:
                connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n("[:60 - number])
            except OSError:
                continue
        assert player.play("m", None, soon()) in tictactoe.initial.legal("xplayer")
        assert player.play("m", "(mark 1 1) noop", soon()) == Move("noop")
        # The first of them is closed, by a reset or by its end.
        with suppress(ConnectionResetError):
            assert slow[0].recv(1) == b""


def test_nobody_can_connect_before_the_server_is_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    warm_up, bound = process.warm_up, listening._bound
    ports: list[int] = []

    def remembered(*arguments: object) -> socket.socket:
        listener = bound(*arguments)  # type: ignore[arg-type]
        ports.append(listener.getsockname()[1])
        return listener

    def warming() -> None:
        with socket.socket() as early:
            events.append("refused" if early.connect_ex(("127.0.0.1", ports[0])) else "let in")
        warm_up()
        events.append("warm")

    monkeypatch.setattr(listening, "_bound", remembered)
    monkeypatch.setattr(server, "warm_up", warming)
    with serving(Options(player="legal")) as address:
        events.append(str(httpx.get(address).status_code))
    assert events == ["refused", "warm", "200"]


@pytest.mark.parametrize("text", ["(" + "(a)" * 2_100_000 + ")", "(START m x (" + "(a b)" * 2_100_000 + ") 1 1)"])
def test_a_message_that_would_take_long_to_read_is_not_read_to_its_end(text: str) -> None:
    with pytest.raises(InvalidMessage, match="groups of parentheses"):
        parse_message(text)
