"""What the games of the library choose: who is best in the trial before the first move, as data that is shipped.

    python bench/choices.py                         # all games that have a trial and are not there yet; or name some

Work limits it, and not a clock: so many milliseconds of processor time a move, so many openings a round of successive
halving, from both seats each. Choices that are there already stay, but for the games that are named.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import ludorum
from ludorum import library
from ludorum.belief import hides
from ludorum.clock import NEVER, Deadline
from ludorum.learn.store import rules_hash
from ludorum.players import Ludorum
from ludorum.players.candidates import EvaluationKind, candidates
from ludorum.players.choices import Choice
from ludorum.players.player_selection import Trial, try_all

PLACE = Path(ludorum.__file__).parent / "library" / "choices.json"
# For evaluations: more than they need. Nets are learned by whoever has the time.
KINDS: tuple[EvaluationKind, ...] = ("fluents", "rules", "counting")
EVALUATION_SECONDS = 60.0


def choice(game: ludorum.Game, kinds: list[EvaluationKind], move_seconds: float, openings: int, seed: int) -> Choice:
    player = Ludorum(1.0, seed=seed)
    made, _ = candidates(player, game, Deadline.within(EVALUATION_SECONDS), Choice(), kinds)
    trial = Trial(made)
    try_all(game, player.mcts, trial, NEVER, seed=seed, move_seconds=move_seconds, openings=openings)
    best = trial.best
    tried = sorted(trial.candidates, key=lambda candidate: candidate.share, reverse=True)
    return Choice("mcts" if best is None else best.name,
                  {candidate.name: (round(candidate.won, 2), candidate.matches) for candidate in tried})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--milliseconds", type=float, default=3.0)
    parser.add_argument("--openings", type=int, default=4)
    parser.add_argument("--evaluations", nargs="*", choices=KINDS, help="those that candidates may need; else all")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    known = json.loads(PLACE.read_text(encoding="utf-8")) if PLACE.is_file() else {}
    done = {entry["game"] for entry in known.values()}
    for name in told.games or [name for name in sorted(library.names()) if name not in done]:
        game = ludorum.load(name)
        if len(game.roles) < 2 or hides(game):
            continue
        found = choice(game, told.evaluations or list(KINDS), told.milliseconds / 1000, told.openings, told.seed)
        won = ", ".join(f"{one} {score:g}/{matches:g}" for one, (score, matches) in found.tried.items())
        print(f"{name}: {found.name} ({won})", flush=True)
        known[rules_hash(game)] = {"game": name, "milliseconds": told.milliseconds, **found.as_json()}
        by_name = dict(sorted(known.items(), key=lambda item: str(item[1]["game"])))
        PLACE.write_text(json.dumps(by_name, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
