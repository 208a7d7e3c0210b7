"""The command, run with arguments."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from ended import Ended
from typer.testing import CliRunner

from ludorum.cli.app import app


@pytest.fixture
def run() -> Callable[..., Ended]:
    """Runs `ludorum` with these arguments and something on standard input; no exception may get out."""

    def run(*arguments: object, given: str = "") -> Ended:
        result = CliRunner().invoke(app, list(map(str, arguments)), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return Ended(result.exit_code, result.stdout, result.stderr)

    return run
