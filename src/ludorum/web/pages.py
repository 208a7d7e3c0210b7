"""Where the files of the page are."""

from __future__ import annotations

from pathlib import Path

#: Our own HTML, CSS and ES modules, served as they are.
STATIC = Path(__file__).parent / "static"

#: What others wrote and `make assets` fetches; there may be nothing.
ASSETS = Path(__file__).parent / "assets"
