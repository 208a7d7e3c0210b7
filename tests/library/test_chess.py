"""Chess: counts that every chess program agrees on, and the special moves and draws one by one."""

from __future__ import annotations

from functools import cache

import pytest

import ludorum
from ludorum import Game, State, gdl, library

pytestmark = pytest.mark.slow

PIECES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
CASTLES = {"K": "(castle white short)", "Q": "(castle white long)", "k": "(castle black short)",
           "q": "(castle black long)"}


@cache
def chess() -> Game:
    return ludorum.load("chess")


def position(fen: str, quiet: int = 0) -> State:
    """The state that a position in Forsyth-Edwards notation describes."""
    board, mover, castles, passed = fen.split()[:4]
    fluents = [f"(control {'white' if mover == 'w' else 'black'})", f"(quiet {quiet})"]
    fluents += [CASTLES[right] for right in castles if right != "-"]
    fluents += [f"(passed {passed})"] if passed != "-" else []
    for rank, row in zip("87654321", board.split("/"), strict=True):
        at = 0
        for letter in row:
            if letter.isdigit():
                at += int(letter)
                continue
            colour = "white" if letter.isupper() else "black"
            fluents.append(f"(at {'abcdefgh'[at]}{rank} {colour} {PIECES[letter.lower()]})")
            at += 1
    return chess().state(fluents)


def test_the_rules_are_valid_and_the_header_describes_them() -> None:
    entry = library.entry("chess")
    assert gdl.check(entry.text, name="chess.kif") == []
    assert (entry.players, entry.kind) == (2, "turn-taking")
    assert chess().engine == "relations"
    assert "too large to ground" in chess().why


# From chessprogramming.org/Perft_Results, positions 1 to 6.
@pytest.mark.parametrize(("fen", "counts"), [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", [20, 400, 8_902, 197_281]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [48, 2_039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2_812]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264, 9_467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1_486]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", [46, 2_079]),
])
def test_there_are_as_many_sequences_of_moves_as_everybody_counts(fen: str, counts: list[int]) -> None:
    assert chess().perft(len(counts), position(fen)) == counts


def test_the_initial_state_is_the_first_of_these_positions() -> None:
    assert position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -") == chess().initial


def test_the_fools_mate() -> None:
    state = chess().replay("(move f2 f3) (move e7 e5) (move g2 g4) (move d8 h4)")
    assert state.is_terminal
    assert state.goals == {"white": 0, "black": 100}


def test_stalemate_is_a_draw() -> None:
    state = position("7k/5Q2/8/8/8/8/8/K7 b - -")
    assert state.is_terminal
    assert state.goals == {"white": 50, "black": 50}


def test_castling_moves_the_rook_too() -> None:
    after = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -").after("(move e1 c1)")
    assert after == position("r3k2r/8/8/8/8/8/8/2KR3R b kq -", quiet=1)


def test_a_king_does_not_castle_through_an_attack() -> None:
    moves = position("5r2/8/8/7k/8/8/8/R3K2R w KQ -").legal("white")
    assert "(move e1 c1)" in moves
    assert "(move e1 g1)" not in moves


def test_a_pawn_is_taken_en_passant_at_once_or_never() -> None:
    state = position("4k3/8/8/8/3p4/8/4P3/4K3 w - -").after("(move e2 e4)")
    assert "(move d4 e3)" in state.legal("black")
    taken = state.after("(move d4 e3)")
    assert not any("e4" in str(fluent) for fluent in taken.fluents)
    assert "(move d4 e3)" not in state.after("(move e8 e7)").after("(move e1 e2)").legal("black")


def test_the_fiftieth_quiet_move_of_both_sides_is_a_draw() -> None:
    state = position("4k3/8/8/8/8/8/8/R3K3 w - -", quiet=99)
    assert state.after("(move a1 a2)").is_terminal
    assert not position("4k3/8/8/8/8/8/P7/R3K3 w - -", quiet=99).after("(move a2 a3)").is_terminal


def test_the_third_time_of_a_position_is_a_draw() -> None:
    there_and_back = "(move g1 f3) (move g8 f6) (move f3 g1) (move f6 g8) "
    assert not chess().replay(there_and_back).is_terminal
    state = chess().replay(2 * there_and_back)
    assert state.is_terminal
    assert state.goals == {"white": 50, "black": 50}
    # A pawn move in between makes other positions of them.
    assert not chess().replay(there_and_back + "(move e2 e4) (move e7 e5) " + there_and_back).is_terminal


def test_random_matches_end() -> None:
    played = chess().playouts(6, seed=3)
    assert played.count(ludorum.Outcome.FINISHED) == 6
    assert set(played.goals.sum(axis=1)) == {100}
