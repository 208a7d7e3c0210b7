"""The protocol of general game playing: messages, replies, and the half that speaks to players elsewhere.

`messages` reads and prints what a referee says, `replies` what a player answers; `client` carries both over HTTP.
"""

from ludorum.protocol.client import DEFAULT_PORT, RemotePlayer
from ludorum.protocol.messages import (
    Abort,
    Info,
    Message,
    Moves,
    News,
    Percepts,
    Play,
    Preview,
    Start,
    Stop,
    parse_message,
)
from ludorum.protocol.replies import ABORTED, BUSY, DONE, READY, Status, parse_move, parse_status

__all__ = [
    "ABORTED", "BUSY", "DEFAULT_PORT", "DONE", "READY", "Abort", "Info", "Message", "Moves", "News", "Percepts", "Play",
    "Preview", "RemotePlayer", "Start", "Status", "Stop", "parse_message", "parse_move", "parse_status",
]
