"""The library's board games: a battery for all, counts from the literature, and games that are solved."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from positions import control, load

from ludorum import Game, Outcome, State, gdl, library

BOARD_GAMES = [
    "amazons", "atarigo", "blocker", "breakthrough", "chinesecheckers2", "chinesecheckers3",
    "chinesecheckers4", "chinesecheckers6", "chomp", "connectfour", "dotsandboxes", "draughts", "gomoku",
    "hex", "hexapawn", "kalah", "knightthrough", "nim", "ninemensmorris", "othello", "pentago", "quarto",
    "skirmish", "tictactoe", "tictactoe3d", "tictactoe3p", "ultimatetictactoe",
]


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_the_rules_are_valid_and_the_header_describes_them(name: str) -> None:
    entry = library.entry(name)
    assert gdl.check(entry.text, name=f"{name}.kif") == []
    assert entry.players == len(gdl.parse(entry.text).roles)
    assert entry.description
    assert ("turn-taking" in entry.tags) != ("simultaneous" in entry.tags)


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_every_match_ends_with_one_goal_value_for_each_role(name: str) -> None:
    played = load(name).playouts(200, seed=1)
    assert played.count(Outcome.FINISHED) == 200
    assert sum(played.undefined_goals.values()) == 0
    if "zero-sum" in library.entry(name).tags:
        assert set(played.goals.sum(axis=1)) == {100}


@pytest.mark.parametrize("name", [name for name in BOARD_GAMES if "turn-taking" in library.entry(name).tags])
def test_only_the_player_in_control_has_a_choice(name: str) -> None:
    state = load(name).initial
    for _ in range(12):
        waiting = [role for role in state.game.roles if role != control(state)]
        assert all([str(move) for move in state.legal(role)] == ["noop"] for role in waiting)
        moves = state.legal(control(state))
        state = state.after({control(state): moves[len(moves) // 2]})
        if state.is_terminal:
            break


# Counts from the literature

PERFT = [
    # "Perft" on the World Draughts Forum, damforum.nl/bb3/viewtopic.php?t=2822.
    ("draughts", [7, 49, 302, 1_469, 7_361, 36_768, 179_740]),
    # A. Bik, "Perft for Reversi" (2009), aartbik.blogspot.com/2009/02/perft-for-reversi.html.
    ("othello", [4, 12, 56, 244, 1_396, 8_200, 55_092]),
    # Every column takes the first six discs, and 7 of the 7^7 sequences put a seventh into one column.
    ("connectfour", [7, 49, 343, 2_401, 16_807, 117_649, 823_536]),
    # A sowing from the third pit, and no other, ends in the store: then the same player has five pits left.
    ("kalah", [6, 5 * 6 + 5]),
    # One step of each pawn and two leaps of each knight; nothing meets within a move of each.
    ("skirmish", [12, 144]),
    # Each of the outer columns has two ways forward and each of the six others three.
    ("breakthrough", [22, 484]),
    # A mark sends the opponent to a board with nine empty cells, or to its own board, which has eight.
    ("ultimatetictactoe", [81, 72 * 9 + 9 * 8]),
    # Two steps each of the two front marbles, and the marble behind them hops over either.
    ("chinesecheckers2", [6, 36]),
    # A piece, a cell, a piece …
    ("quarto", [16, 16 * 16, 16 * 16 * 15, 16 * 16 * 15 * 15]),
    # Both choose one of 25 cells; alike leaves 24 cells to each, else 23.
    ("blocker", [625, 25 * 24 * 24 + 600 * 23 * 23]),
]


@pytest.mark.parametrize(("name", "nodes"), PERFT, ids=[name for name, _ in PERFT])
def test_perft(name: str, nodes: list[int]) -> None:
    assert load(name).perft(len(nodes)) == nodes


def test_tictactoe_has_255168_games_and_5478_positions() -> None:
    """H. Bottomley, "How many Tic-Tac-Toe games are possible?" (2001); S. Schaeffer, MathRec (2002)."""
    game = load("tictactoe")
    ways, games, positions = {game.initial: 1}, 0, 0
    while ways:
        positions += len(ways)
        games += sum(number for state, number in ways.items() if state.is_terminal)
        later: dict[State, int] = {}
        for state, number in ways.items():
            for _, successor in game.expand(state):
                later[successor] = later.get(successor, 0) + number
        ways = later
    assert games == 255_168
    assert positions == 5_478


def test_connectfour_has_as_many_positions_as_tromp_counted() -> None:
    """J. Tromp, the sequence A212693 of the OEIS: legal 7×6 positions after n plies."""
    game = load("connectfour")
    states, counts = {game.initial}, []
    for _ in range(5):
        states = {successor for state in states for _, successor in game.expand(state)}
        counts.append(len(states))
    assert counts == [7, 49, 238, 1_120, 4_263]


def test_qubic_has_76_lines() -> None:
    """O. Patashnik, "Qubic: 4×4×4 tic-tac-toe", Mathematics Magazine 53 (1980)."""
    game = load("tictactoe3d")
    cube = list(product(range(1, 5), repeat=3))
    directions = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
    rays = [[tuple(c + i * s for c, s in zip(cell, step, strict=True)) for i in range(4)]
            for cell in cube for step in directions]
    lines = [ray for ray in rays if ray[-1] in set(cube)]
    assert len(lines) == 76
    for line in lines:
        marks = {(x, y, z): "x" if (x, y, z) in line else "blank" for x, y, z in cube}
        state = game.state([f"(cell {x} {y} {z} {mark})" for (x, y, z), mark in marks.items()]
                           + ["(control oplayer)"])
        assert state.is_terminal
        assert state.goals == {"xplayer": 100, "oplayer": 0}


# Solved games

def winners(game: Game) -> dict[State, str | None]:
    """For every state that can arise who wins with best play, None where nobody can."""

    @cache
    def value(state: State) -> str | None:
        if state.is_terminal:
            return next((role for role, goal in state.goals.items() if goal == 100), None)
        found[state] = best([value(successor) for _, successor in game.expand(state)], control(state))
        return found[state]

    def best(results: list[str | None], player: str) -> str | None:
        if player in results:
            return player
        return None if None in results else results[0]

    found: dict[State, str | None] = {}
    value(game.initial)
    return found


def test_tictactoe_is_a_draw() -> None:
    assert winners(load("tictactoe"))[load("tictactoe").initial] is None


def test_hexapawn_is_won_by_the_second_player() -> None:
    """M. Gardner, Scientific American, March 1962."""
    assert winners(load("hexapawn"))[load("hexapawn").initial] == "black"


def test_chomp_is_won_by_the_first_player() -> None:
    """Whoever can win by an answer to the smallest bite could have begun with that answer (D. Gale, 1974)."""
    game = load("chomp")
    assert winners(game)[game.initial] == "first"


def test_a_position_of_nim_is_lost_if_its_heaps_add_up_to_nothing_without_carry() -> None:
    """C. L. Bouton, "Nim, a game with a complete mathematical theory" (1901)."""
    for state, winner in winners(load("nim")).items():
        balance = 0
        for fluent in state.fluents:
            if fluent.name == "heap":
                balance ^= int(str(fluent.args[1]))
        assert (winner == control(state)) == (balance != 0)
