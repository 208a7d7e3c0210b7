"""Where the corpus is: rulesheets by other people, and what other systems say about them.

It is no part of the project. LUDORUM_CORPUS names its folder; without it, `shared` beside the project is looked at.
"""

from __future__ import annotations

import os
from pathlib import Path

CORPUS = Path(os.environ.get("LUDORUM_CORPUS") or Path(__file__).parents[2] / "shared")
#: Rulesheets, in a folder a source: `ggp.org`, `dresden`, `gdl2`, …
GAMES = CORPUS / "games"
#: Traces of matches by another prover, at the same relative paths.
ORACLE = CORPUS / "oracle"
MISSING = "the corpus of games is not here; LUDORUM_CORPUS names its folder"


def require() -> None:
    """End the program where there is no corpus."""
    if not GAMES.is_dir():
        raise SystemExit(f"{MISSING} (looked for {GAMES})")
