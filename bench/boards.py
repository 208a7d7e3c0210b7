"""Pictures of games of the library, as their scenes are: python bench/boards.py writes them to docs/boards.

Each is a state that random play meets with, so that there is something to see.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

import ludorum
from ludorum.joint import goes_on

FOLDER = Path(__file__).parents[1] / "docs" / "boards"
#: By the names of games how many random steps are made.
GAMES = {"ninemensmorris": 12, "hex": 30, "nim": 2, "kalah": 4, "chinesecheckers6": 12}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    FOLDER.mkdir(exist_ok=True)
    for name in parser.parse_args().games:
        (FOLDER / f"{name}.svg").write_text(picture(name, GAMES[name]), encoding="utf-8")


def picture(name: str, steps: int) -> str:
    """A state after some random steps, before the end."""
    random = Random(1)
    state = ludorum.load(name).initial
    for _ in range(steps):
        after = state.after({role: random.choice(state.legal(role)) for role in state.game.roles})
        if goes_on(after):
            state = after
    return ludorum.scene(state).svg() + "\n"


if __name__ == "__main__":
    main()
