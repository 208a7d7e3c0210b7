"""Rulesheets with mistakes: one of the library's with a few random changes, taken through everything we do with it.

As a program it does so for a range of seeds and says of each what came of it, so that whoever asks can wait for a
crash or for ever:

    python tests/mutants.py tictactoe 0 30
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from random import Random

from ludorum import Game, draw, gdl, library
from ludorum.engines.reference import ReferenceReasoner
from ludorum.errors import LudorumError
from ludorum.gdl import Rulesheet, to_infix, to_kif

Tokens = list[str]
Mutation = Callable[[Tokens, Random], None]

# Little enough that a mutant that grounds forever is no wait.
SECONDS, MEMORY_MB = 2.0, 512


def tokens_of(text: str) -> Tokens:
    return re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text))


def mutant(text: str, random: Random) -> str:
    """The text with one to three changes."""
    tokens = tokens_of(text)
    for _ in range(random.randint(1, 3)):
        random.choice(MUTATIONS)(tokens, random)
    return " ".join(tokens)


def _delete(tokens: Tokens, random: Random) -> None:
    del tokens[random.randrange(len(tokens))]


def _repeat(tokens: Tokens, random: Random) -> None:
    at = random.randrange(len(tokens))
    tokens.insert(at, tokens[at])


def _swap(tokens: Tokens, random: Random) -> None:
    one, other = random.randrange(len(tokens)), random.randrange(len(tokens))
    tokens[one], tokens[other] = tokens[other], tokens[one]


def _words(tokens: Tokens) -> list[int]:
    return [at for at, token in enumerate(tokens) if token not in "()"]


def _replace(tokens: Tokens, random: Random) -> None:
    """Another word of the rulesheet, or of the language, in the place of one."""
    words = _words(tokens)
    spare = ["true", "does", "next", "legal", "not", "or", "distinct", "?x", "?new", "100", "-1", "007", "role"]
    tokens[random.choice(words)] = random.choice([tokens[random.choice(words)], random.choice(spare)])


def _rename(tokens: Tokens, random: Random) -> None:
    """One symbol becomes another everywhere."""
    words = _words(tokens)
    old, new = tokens[random.choice(words)], tokens[random.choice(words)]
    tokens[:] = [new if token == old else token for token in tokens]


def _list_at(tokens: Tokens, random: Random) -> tuple[int, int] | None:
    """Where a random list begins and ends, if the parentheses still match there."""
    start = random.choice([at for at, token in enumerate(tokens) if token == "("] or [0])
    depth = 0
    for at in range(start, len(tokens)):
        depth += (tokens[at] == "(") - (tokens[at] == ")")
        if depth == 0 and at > start:
            return start, at + 1
    return None


def _delete_list(tokens: Tokens, random: Random) -> None:
    if place := _list_at(tokens, random):
        del tokens[place[0]:place[1]]


def _repeat_list(tokens: Tokens, random: Random) -> None:
    """A list again, somewhere else: another condition, another argument, another rule."""
    if place := _list_at(tokens, random):
        at = random.randrange(len(tokens))
        tokens[at:at] = tokens[place[0]:place[1]]


def _wrap_list(tokens: Tokens, random: Random) -> None:
    """Something around a list: a negation, a disjunction, a function."""
    if place := _list_at(tokens, random):
        tokens.insert(place[1], ")")
        tokens[place[0]:place[0]] = ["(", random.choice(["not", "or", "and", "f", "next", "true"])]


def _wrap_word(tokens: Tokens, random: Random) -> None:
    """A function around a word, so that terms may grow from step to step."""
    at = random.choice(_words(tokens))
    tokens[at:at + 1] = ["(", "s", tokens[at], ")"]


def _longer(tokens: Tokens, random: Random) -> None:
    """One argument more."""
    words = _words(tokens)
    tokens.insert(random.choice(words) + 1, tokens[random.choice(words)])


# Those that keep the parentheses twice: most of the others are refused by the reader already.
MUTATIONS: tuple[Mutation, ...] = (_delete, _repeat, _swap, *(_replace, _rename, _delete_list, _repeat_list, _wrap_list,
                                                              _wrap_word, _longer) * 2)


def outcome(text: str, seed: int = 0) -> str:
    """What comes of a rulesheet: `played`, or the name of the error that says why not."""
    try:
        rules = gdl.parse(text, "mutant.kif")
        game = Game(rules, name="mutant", seconds=SECONDS, memory_mb=MEMORY_MB)
        if game.engine == "circuit":
            game.playouts(64, seed=seed, max_steps=30)
        draw(game.initial)
        gdl.parse(to_kif(rules))
        gdl.parse(to_infix(rules))
        _compare(game, rules, Random(seed))
        return "played"
    except LudorumError as error:
        # It can be shown.
        str(error)
        return type(error).__name__


def _compare(game: Game, rules: Rulesheet, random: Random) -> None:
    """Two steps beside the definition."""
    ours, reference = game.reasoner, ReferenceReasoner(rules, seconds=SECONDS, memory_mb=MEMORY_MB)
    here, there = ours.initial, reference.initial
    for _ in range(3):
        assert ours.fluents(here) == reference.fluents(there)
        assert ours.legal(here) == reference.legal(there)
        assert ours.is_terminal(here) == reference.is_terminal(there)
        assert ours.goals(here) == reference.goals(there)
        legal = ours.legal(here)
        if ours.is_terminal(here) or not all(legal):
            return
        joint = [random.choice(moves) for moves in legal]
        assert ours.percepts(here, joint) == reference.percepts(there, joint)
        here, there = ours.after(here, joint), reference.after(there, joint)


def main() -> None:
    name, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    text = library.entry(name).text
    for seed in range(first, last):
        # Said before, in case there is no after.
        print(f"{name} {seed}:", end=" ", flush=True)
        made = mutant(text, Random(f"{name} {seed}"))
        try:
            print(outcome(made, seed), flush=True)
        except Exception:
            print("failed", flush=True)
            traceback.print_exc()
            print(made, file=sys.stderr)
            raise SystemExit(1) from None


if __name__ == "__main__":
    main()
