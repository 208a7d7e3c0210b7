"""Positions of games, told by pictures and in GDL."""

from __future__ import annotations

from functools import cache

import ludorum
from ludorum import Game, State, gdl


@cache
def load(name: str) -> Game:
    return ludorum.load(name)


def terms(text: str) -> frozenset[gdl.Term]:
    """The terms of a text as a set, to compare with fluents or percepts."""
    return frozenset(rule.head for rule in gdl.read(text).rules)


def position(name: str, picture: str, others: str, **letters: str) -> State:
    """The state with this board and these other fluents.

    The picture shows rows from the top down to row 1. A letter stands for the content that `letters` gives
    it, anything else for itself, and a dot for an empty cell or none. What is not in the picture is empty.
    """
    game = load(name)
    contents = {(int(str(fluent.args[0])), int(str(fluent.args[1]))): "blank"
                for fluent in game.initial.fluents if fluent.name == "cell"}
    rows = [row.split() for row in picture.strip().splitlines()]
    for y, row in enumerate(reversed(rows), start=1):
        for x, letter in enumerate(row, start=1):
            if letter != ".":
                assert (x, y) in contents, f"{name} has no cell in column {x} of row {y}"
                contents[x, y] = letters.get(letter, letter)
    cells = " ".join(f"(cell {x} {y} {content})" for (x, y), content in contents.items())
    return game.state(f"{cells} {others}")


def content(state: State, x: int, y: int) -> str:
    """What the cell in column x of row y holds."""
    (found,) = (str(fluent.args[-1]) for fluent in state.fluents
                if fluent.name == "cell" and [str(index) for index in fluent.args[:2]] == [str(x), str(y)])
    return found


def holds(state: State, fluent: str) -> bool:
    return fluent in map(str, state.fluents)


def control(state: State) -> str:
    """Whose turn it is."""
    (player,) = (str(fluent.args[0]) for fluent in state.fluents if fluent.name == "control")
    return player


def moves(state: State) -> set[str]:
    """The legal moves of the player whose turn it is."""
    return {str(move) for move in state.legal(control(state))}


def play(state: State, *moves: str) -> State:
    """The state after these moves of the players whose turn it is."""
    for move in moves:
        state = state.after({control(state): move})
    return state
