"""The command: `ludorum VERB`, one file a verb."""

from __future__ import annotations


def main() -> None:
    try:
        # Here, so that an interrupt while modules are loaded is as quiet as later.
        from ludorum.cli.app import app

        app(prog_name="ludorum")
    except KeyboardInterrupt:
        raise SystemExit(130) from None
