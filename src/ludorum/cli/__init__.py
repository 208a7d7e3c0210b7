"""The command: `ludorum VERB`, one file a verb."""

from __future__ import annotations

import io
import signal
import sys


def main() -> None:
    """Run the command with the arguments of the process; an interrupt ends it with status 130, wherever it comes."""
    sys.unraisablehook = _interrupt_again
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
    finally:
        # What is left is to clear up. Whoever does not want to wait for that presses Ctrl-C again.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _interrupt_again(ignored: sys.UnraisableHookArgs) -> None:
    """Where Python can raise nothing, in a callback of a reference that dies, an interrupt must not get lost."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    else:
        sys.__unraisablehook__(ignored)
