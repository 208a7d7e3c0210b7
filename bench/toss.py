"""Are games in Toss played as they are defined? More of it than the tests have time for.

    python bench/toss.py [--states 10000] [--seconds 40] [--games 500] [--matches 1000]

Every `.toss` file of the library and of the corpus is played at random beside the interpreter of the definitions, which
agrees on legal moves, payoffs, end and successor in all states; so are small games made at random. Games that the
library or ggp.org has in GDL are played beside those sheets to the end, with moves mapped.
"""

from __future__ import annotations

import argparse
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
    options = parser.parse_args()
    if options.states:
        files(options.states, options.seconds)
    if options.games:
        made_up(options.games)
    if options.matches:
        matches(options.matches)


def files(states: int, seconds: float) -> None:
    """Every file for its share of the states, or so long; then the others, until there are enough."""
    texts = {name: library.entry(name).text for name in library.names() if name.endswith(".toss")}
    texts |= {f"corpus/{path.stem}": path.read_text(encoding="utf-8")
              for path in sorted((collection.GAMES / "toss").glob("*.toss"))}
    share = -(-states // len(texts))
    seen, spent, pairs = dict.fromkeys(texts, 0), dict.fromkeys(texts, 0.0), {}
    is_first = True
    while sum(seen.values()) < states:
        for name, text in texts.items():
            wanted = share if is_first else states - sum(seen.values())
            most = seen[name] + min(wanted, share)
            if name not in pairs:
                pairs[name] = Pair(text)
            while seen[name] < most and spent[name] < seconds * (1 if is_first else 3):
                begin = time.process_time()
                # Where the definitions take seconds a state, a match is not played to its end.
                steps = 60 if seen[name] and spent[name] / seen[name] < 0.5 else 2
                seen[name] += pairs[name].walk(seen[name], steps=min(steps, most - seen[name]))
                spent[name] += time.process_time() - begin
            print(f"{name}: {seen[name]} states agree, {spent[name]:.0f} s", flush=True)
        is_first = False
        if all(spent[name] >= seconds for name in texts):
            break
    print(f"{sum(seen.values())} states of {len(texts)} files agree", flush=True)


def made_up(count: int) -> None:
    """Small games at random, by the circuit and by the relational engine."""
    states = refused = 0
    for seed in range(count):
        try:
            pair = Pair(random_game(seed), engine="relations" if seed % 2 else None)
        except LudorumError:
            refused += 1
            continue
        states += sum(pair.walk(walk, steps=6) for walk in range(2))
    print(f"{count - refused} games made at random agree in {states} states; {refused} are refused", flush=True)


def matches(count: int) -> None:
    """Matches at random in both languages at once."""
    for name, place, move in SHEETS:
        path = collection.GAMES / f"{place}.kif"
        if "/" in place and not path.exists():
            print(f"{name}: {collection.MISSING}")
            continue
        ours, theirs = ludorum.load(name), ludorum.load(path if "/" in place else place)
        begin = time.process_time()
        for seed in range(count):
            play(ours, theirs, move, seed)
        print(f"{name}: {count} matches end as in {place}, {time.process_time() - begin:.0f} s", flush=True)


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
