"""The command: `ludorum VERB`, one file a verb."""

from __future__ import annotations

import io
import sys


def main() -> None:
    # A terminal that knows few letters is shown question marks for the others.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        # Here, so that an interrupt while modules are loaded is as quiet as later.
        from ludorum.cli.app import app

        app(prog_name="ludorum")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
