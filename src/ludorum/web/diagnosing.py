"""What is wrong with rules, for the editor: found in a process of its own, which is ended when it takes too long."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from ludorum import languages
from ludorum.gdl import Diagnostic, Source
from ludorum.serve.process import leave_with_the_server
from ludorum.web.orders import CheckTask, Ready, Refused

# A file that is no rulesheet at all can have thousands of findings.
_MOST_FINDINGS = 200


def described(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as the page shows it."""
    return {"code": diagnostic.code, "level": diagnostic.level, "line": diagnostic.line,
            "column": diagnostic.column, "message": diagnostic.message, "help": diagnostic.help or None}


def check(task: CheckTask, connection: Connection) -> None:
    """Report what is wrong with a text."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(3)
    threading.Thread(target=leave_with_the_server, args=(connection,), daemon=True).start()
    try:
        source = Source(task.text, "rules")
        found = languages.check(source)
        told: dict[str, Any] = {"diagnostics": [described(diagnostic) for diagnostic in found[:_MOST_FINDINGS]],
                                "more": max(0, len(found) - _MOST_FINDINGS)}
        connection.send(Ready(told))
    except RecursionError:
        connection.send(Refused("the rules are nested too deeply"))
