"""What a shell completes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(("typed", "completed"), [
    ("ludorum play connect", ["connectfour", "connectfour.toss"]),
    ("ludorum draw othe", ["othello"]),
    ("ludorum match nim leg", ["legal", "legal2"]),
    ("ludorum match nim second=leg", ["second=legal", "second=legal2"]),
    ("ludorum tourn", ["tournament"]),
])
def test_bash_is_told_how_a_word_goes_on(typed: str, completed: list[str]) -> None:
    environment = {**os.environ, "_LUDORUM_COMPLETE": "complete_bash", "COMP_WORDS": typed,
                   "COMP_CWORD": str(len(typed.split()) - 1)}
    told = subprocess.run([sys.executable, "-c", "from ludorum.cli import main; main()"], env=environment,
                          capture_output=True, text=True, check=False)
    assert told.stdout.split() == completed
