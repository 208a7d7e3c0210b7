"""Players that do something wrong, each a real socket: what it does is a function of a connection."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

Behaviour = Callable[[socket.socket], None]


@contextlib.contextmanager
def listening(behaviour: Behaviour) -> Iterator[str]:
    """The address of a player that reads a whole message, then does this."""
    server = socket.create_server(("127.0.0.1", 0))
    stopped = threading.Event()

    def handle(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            read_request(connection)
            behaviour(connection)

    def listen() -> None:
        while not stopped.is_set():
            with contextlib.suppress(OSError):
                connection, _ = server.accept()
                threading.Thread(target=handle, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.getsockname()[1]}"
    finally:
        stopped.set()
        # A listener in accept is not woken by closing; a last visitor wakes it.
        with contextlib.suppress(OSError), socket.create_connection(server.getsockname(), timeout=1):
            pass
        server.close()
        thread.join(5)


def read_request(connection: socket.socket) -> bytes:
    content = b""
    while b"\r\n\r\n" not in content:
        content += connection.recv(65536)
    head, _, body = content.partition(b"\r\n\r\n")
    length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n")
                  if line.startswith(b"content-length"))
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def reply(text: str, status: str = "200 OK") -> bytes:
    body = text.encode()
    return (f"HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {len(body)}\r\n\r\n").encode() + body


def answering(text: str, status: str = "200 OK") -> Behaviour:
    return lambda connection: connection.sendall(reply(text, status))


def hanging(connection: socket.socket) -> None:
    time.sleep(30)


def leaving(connection: socket.socket) -> None:
    pass


def leaving_halfway(connection: socket.socket) -> None:
    connection.sendall(reply("(mark 2 2)")[:-3])


def speaking_no_http(connection: socket.socket) -> None:
    connection.sendall(b"\x00\xff garbage \r\n\r\n" * 10)


def dripping(connection: socket.socket) -> None:
    for byte in reply("(mark 2 2)" + " " * 1000):
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


class Flooding:
    """Sends megabytes, and counts those that were taken."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes
        self.sent = 0
        self.ended = threading.Event()

    def __call__(self, connection: socket.socket) -> None:
        try:
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n\r\n")
            for _ in range(self.megabytes * 16):
                connection.sendall(b"x" * 65536)
                self.sent += 65536
        finally:
            self.ended.set()
