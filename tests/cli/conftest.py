"""The command, run with arguments."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run() -> Callable[..., Ended]:
    """Runs `ludorum` with these arguments and something on standard input; no exception may get out."""

    def run(*arguments: object, given: str = "") -> Ended:
        result = CliRunner().invoke(app, list(map(str, arguments)), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return Ended(result.exit_code, result.stdout, result.stderr)

    return run
