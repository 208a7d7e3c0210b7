"""Are games in Toss played as they are defined? More of it than the tests have time for.

    python bench/toss.py [--states 10000] [--seconds 40] [--games 500] [--matches 1000] [--fresh]

Every `.toss` file of the library and of the corpus is played at random beside the interpreter of the definitions, which
agrees on legal moves, payoffs, end and successor in all states; so are small games made at random. Games that the
library or ggp.org has in GDL are played beside those sheets to the end, with moves mapped. What was done is kept in
build/toss.json, so that an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

import collection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "toss"))

from agreement import Pair
from random_games import random_game

import ludorum
from ludorum import Game, library
from ludorum.errors import LudorumError

KEPT = Path(__file__).resolve().parent.parent / "build" / "toss.json"
#: Progress is written down after so many seconds of CPU time.
_KEEP_S = 5.0
_LETTERS = "abcdefghijklmnopqrs"
#: A game in Toss, the sheet in GDL, and how that calls a move; {0} {1} are column and row of the first element.
SHEETS = [
    ("tictactoe.toss", "tictactoe", "(mark {0} {1})"),
    ("breakthrough.toss", "breakthrough", "(move {0} {1} {2} {3})"),
    ("connectfour.toss", "connectfour", "(drop {0})"),
    ("gomoku.toss", "gomoku", "(place {0} {1})"),
    ("pawnwhopping.toss", "ggp.org/pawnWhopping", "{kind} {0} {1} {2} {3}"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=40.0, help="the most CPU time of a file at first")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--fresh", action="store_true", help="forget what was done before")
    options = parser.parse_args()
    done = Done(options.fresh)
    if options.games:
        made_up(options.games, done)
    if options.matches:
        matches(options.matches, done)
    if options.states:
        files(options.states, options.seconds, done)


class Done:
    """How much of each thing was done, and how long it took: written down every few seconds."""

    def __init__(self, is_fresh: bool) -> None:
        KEPT.parent.mkdir(exist_ok=True)
        self._kept: dict[str, list[float]] = {}
        if KEPT.exists() and not is_fresh:
            self._kept = json.loads(KEPT.read_text(encoding="utf-8"))
        self._written = self._asked = time.process_time()

    def count(self, what: str) -> int:
        return int(self._kept.get(what, (0, 0))[0])

    def seconds(self, what: str) -> float:
        return self._kept.get(what, (0, 0.0))[1]

    def add(self, what: str, count: int) -> None:
        """So much more of it was done since something was last added."""
        now = time.process_time()
        self._kept[what] = [self.count(what) + count, self.seconds(what) + now - self._asked]
        self._asked = now
        if now - self._written > _KEEP_S:
            self.keep()

    def keep(self) -> None:
        self._written = time.process_time()
        part = KEPT.with_suffix(".part")
        part.write_text(json.dumps(self._kept, indent=1), encoding="utf-8")
        part.replace(KEPT)


def files(states: int, seconds: float, done: Done) -> None:
    """Every file for its share of the states, or so long; then the others, until there are enough."""
    texts = {name: library.entry(name).text for name in library.names() if name.endswith(".toss")}
    texts |= {f"corpus/{path.stem}": path.read_text(encoding="utf-8")
              for path in sorted((collection.GAMES / "toss").glob("*.toss"))}
    share = -(-states // len(texts))
    pairs: dict[str, Pair] = {}

    def seen() -> int:
        return sum(map(done.count, texts))

    for round_ in range(1, 4):
        for name, text in texts.items():
            most = share if round_ == 1 else done.count(name) + min(share, max(0, states - seen()))
            while done.count(name) < most and done.seconds(name) < round_ * seconds:
                if name not in pairs:
                    pairs[name] = Pair(text)
                # Where the definitions take seconds a state, a match is not played to its end.
                steps = 2 if done.seconds(name) > 0.5 * done.count(name) else 60
                done.add(name, pairs[name].walk(done.count(name), steps=min(steps, most - done.count(name))))
    done.keep()
    for name in texts:
        print(f"{name}: {done.count(name)} states agree, {done.seconds(name):.0f} s")
    print(f"{seen()} states of {len(texts)} files agree", flush=True)


def made_up(count: int, done: Done) -> None:
    """Small games at random, by the circuit and by the relational engine."""
    for seed in range(done.count("games"), count):
        try:
            pair = Pair(random_game(seed), engine="relations" if seed % 2 else None)
        except LudorumError:
            done.add("games refused", 1)
        else:
            done.add("states of games", sum(pair.walk(walk, steps=6) for walk in range(2)))
        done.add("games", 1)
    done.keep()
    refused = done.count("games refused")
    print(f"{done.count('games') - refused} games made at random agree in {done.count('states of games')} states; "
          f"{refused} are refused", flush=True)


def matches(count: int, done: Done) -> None:
    """Matches at random in both languages at once."""
    for name, place, move in SHEETS:
        path = collection.GAMES / f"{place}.kif"
        if "/" in place and not path.exists():
            print(f"{name}: {collection.MISSING}")
            continue
        ours, theirs = ludorum.load(name), ludorum.load(path if "/" in place else place)
        what = f"matches of {name}"
        for seed in range(done.count(what), count):
            play(ours, theirs, move, seed)
            done.add(what, 1)
        done.keep()
        print(f"{name}: {done.count(what)} matches end as in {place}, {done.seconds(what):.0f} s", flush=True)


def play(ours: Game, theirs: Game, form: str, seed: int) -> None:
    dice, state, other = random.Random(seed), ours.initial, theirs.initial
    while not state.is_terminal:
        number = next(i for i, role in enumerate(ours.roles) if "noop" not in map(str, state.legal(role)))
        role, mine = ours.roles[number], theirs.roles[number]
        move = dice.choice(list(state.legal(role)))
        legal = {str(one): one for one in other.legal(mine)}
        name, *elements = str(move).strip("()").split()
        numbers = [part for element in elements for part in (str(_LETTERS.index(element[0]) + 1), element[1:])]
        if not elements:
            wanted = "noop"
        elif "{kind}" in form:
            wanted = next(one for one in legal if one.strip("()").split()[1:] == numbers)
        else:
            wanted = form.format(*numbers)
        assert len(legal) == len(list(state.legal(role))), (name, state, legal)
        state, other = state.after({role: move}), other.after({mine: legal[wanted]})
    assert other.is_terminal
    assert list(state.goals.values()) == list(other.goals.values())


if __name__ == "__main__":
    main()
