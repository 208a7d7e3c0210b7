"""What the games of the library choose: who is best in the trial before the first move, as data that is shipped.

    python bench/choices.py --start-clock 20            # all games that have a trial; or name some

Choices that are there already stay, but for the games that are tried again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import ludorum
from ludorum import library
from ludorum.belief import hides
from ludorum.clock import Deadline
from ludorum.learn.store import rules_hash
from ludorum.players import Ludorum

PLACE = Path(ludorum.__file__).parent / "library" / "choices.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--start-clock", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    known = json.loads(PLACE.read_text(encoding="utf-8")) if PLACE.is_file() else {}
    for name in told.games or sorted(library.names()):
        game = ludorum.load(name)
        if len(game.roles) < 2 or hides(game):
            continue
        playing = Ludorum(1.0, seed=told.seed).join(game, game.roles[0])
        playing.prepare(Deadline.within(told.start_clock))
        playing.finish()
        choice, _, why = playing.why.partition(", since ")
        print(f"{name}: {choice} ({why})", flush=True)
        if " won " in why:
            known[rules_hash(game)] = {"game": name, "choice": choice, "start_clock": told.start_clock, "why": why}
            by_name = dict(sorted(known.items(), key=lambda item: str(item[1]["game"])))
            PLACE.write_text(json.dumps(by_name, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
