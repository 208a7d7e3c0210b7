from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from table import Table

from ludorum.web import WebOptions, serving


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page that many tests look at."""
    # With our own editor, whatever was fetched on this machine.
    options = WebOptions(data=tmp_path_factory.mktemp("matches"), assets=tmp_path_factory.mktemp("assets"))
    with serving(options) as address:
        yield address


@pytest.fixture
def table(address: str) -> Iterator[Table]:
    with Table(address) as table:
        yield table


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "matches"
