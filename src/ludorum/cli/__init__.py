"""The command: `ludorum VERB`, one file a verb."""

from __future__ import annotations


def main() -> None:
    from ludorum.cli.app import app

    app(prog_name="ludorum")
