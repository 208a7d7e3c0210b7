"""Heuristic search on real games: what it proves is true, what it assumes it says, and its limits hold."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Any

import numpy as np
import pytest

import ludorum
from ludorum import Game, Move, State
from ludorum.analysis.invariants import Invariants
from ludorum.clock import Deadline
from ludorum.errors import NoSimulator, UnknownRole
from ludorum.search.minimax import MinimaxSearch
from ludorum.search.python_maxn import PythonMaxN
from ludorum.search.values import solve_values

METHODS = [{"constant_sum": True}, {"constant_sum": None}, {"constant_sum": False}, {"paranoid": True},
           {"nonuniform": True}]


@cache
def load(name: str) -> Game:
    return ludorum.load(name, engine="circuit")


# ---- tic-tac-toe, by its own few rules ----

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def worth(board: str) -> int:
    """What a board of x, o and blanks is worth to x if both play well."""
    free = [cell for cell in range(9) if board[cell] == " "]
    last, now = ("o", "x") if len(free) % 2 else ("x", "o")
    if any(all(board[cell] == last for cell in line) for line in LINES):
        return 100 if last == "x" else 0
    if not free:
        return 50
    values = [worth(board[:cell] + now + board[cell + 1:]) for cell in free]
    return max(values) if now == "x" else min(values)


def boards() -> Iterator[str]:
    """Boards in the middle of random games."""
    choices = random.Random(4)
    for _ in range(40):
        board = " " * 9
        for number in range(choices.randrange(8)):
            cell = choices.choice([cell for cell in range(9) if board[cell] == " "])
            later = board[:cell] + "xo"[number % 2] + board[cell + 1:]
            if any(all(later[at] == later[cell] for at in line) for line in LINES if cell in line):
                break
            board = later
        yield board


def on(board: str) -> State:
    marks = {"x": "x", "o": "o", " ": "blank"}
    turn = "xplayer" if board.count(" ") % 2 else "oplayer"
    cells = " ".join(f"(cell {cell % 3 + 1} {cell // 3 + 1} {marks[mark]})" for cell, mark in enumerate(board))
    return load("tictactoe").state(f"{cells} (control {turn})")


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_every_method_proves_the_true_value_of_tictactoe(options: dict[str, Any]) -> None:
    search = MinimaxSearch(load("tictactoe"), "xplayer", **options)
    for board in boards():
        found = search.search(on(board), seconds=60)
        assert found.is_proved
        assert found.values["xplayer"] == worth(board), board
        if "paranoid" not in options:
            assert found.values["oplayer"] == 100 - worth(board), board


def test_the_best_move_keeps_the_value() -> None:
    for board in boards():
        state = on(board)
        role = "xplayer" if board.count(" ") % 2 else "oplayer"
        found = MinimaxSearch(load("tictactoe"), role).search(state)
        after = solve_values(load("tictactoe"), state=state.after(found.move))
        assert after is not None
        assert after.values["xplayer"] == worth(board)


def wins_at_once(board: str, mark: str) -> bool:
    return any(sum(board[cell] == mark for cell in line) == 2 and any(board[cell] == " " for cell in line)
               for line in LINES)


def test_a_lost_player_makes_it_last() -> None:
    tried = 0
    for board in boards():
        now, other = "xo" if board.count(" ") % 2 else "ox"
        if worth(board) != (0 if now == "x" else 100):
            continue
        later = [board[:cell] + now + board[cell + 1:] for cell in range(9) if board[cell] == " "]
        move = MinimaxSearch(load("tictactoe"), f"{now}player").search(on(board)).move
        assert move is not None
        x, y = (int(str(argument)) for argument in move.term.args)
        cell = x - 1 + 3 * (y - 1)
        made = board[:cell] + now + board[cell + 1:]
        # It blocks what would end the game at once, if that can be done.
        assert not wins_at_once(made, other) or all(wins_at_once(board, other) for board in later)
        tried += any(wins_at_once(board, other) for board in later) and not wins_at_once(made, other)
    assert tried


# ---- nim: who moves loses where the sum without carry is 0 (Bouton) ----


def heaps(sizes: tuple[int, ...], control: str) -> State:
    return load("nim").state(" ".join(f"(heap {heap} {size})" for heap, size in zip("abcd", sizes, strict=True))
                             + f" (control {control})")


@pytest.mark.parametrize("options", METHODS[:4], ids=str)
def test_nim_is_what_bouton_says(options: dict[str, Any]) -> None:
    search = MinimaxSearch(load("nim"), "first", **options)
    positions = list(product((0, 1), (0, 2, 3), (0, 1, 5), (0, 4, 6)))
    for sizes in random.Random(1).sample(positions, 12):
        for control in ("first", "second"):
            found = search.search(heaps(sizes, control), seconds=60)
            moves_and_loses = reduce(xor, sizes) == 0
            assert found.is_proved
            assert found.values["first"] == (100 if moves_and_loses == (control == "second") else 0), sizes


def test_nim_as_it_is_set_up_is_lost_for_the_first() -> None:
    # 1 + 3 + 5 + 7 without carry is 0.
    solved = solve_values(load("nim"), Deadline.within(60))
    assert solved is not None
    assert solved.values == {"first": 0, "second": 100}


# ---- connect four on 4×4 ----


@cache
def four(columns: tuple[str, ...]) -> int:
    """What a 4×4 board is worth to red, column by column from the bottom, by the rules of connect four."""
    played = sum(map(len, columns))
    now, last = ("r", "b") if played % 2 == 0 else ("b", "r")
    at = {(x, y): disc for x, column in enumerate(columns) for y, disc in enumerate(column)}
    lines = [[(x, i) for i in range(4)] for x in range(4)] + [[(i, y) for i in range(4)] for y in range(4)]
    lines += [[(i, i) for i in range(4)], [(i, 3 - i) for i in range(4)]]
    if any(all(at.get(cell) == last for cell in line) for line in lines):
        return 100 if last == "r" else 0
    if played == 16:
        return 50
    best = 0 if now == "r" else 100
    for x in range(4):
        if len(columns[x]) < 4:
            later = (*columns[:x], columns[x] + now, *columns[x + 1:])
            value = four(min(later, later[::-1]))  # a mirror image is worth the same
            best = max(best, value) if now == "r" else min(best, value)
            if best == (100 if now == "r" else 0):
                break
    return best


def test_connect_four_on_a_small_board_is_a_draw() -> None:
    solved = solve_values(load("smallconnectfour"), Deadline.within(60))
    assert solved is not None
    assert solved.values == {"red": 50, "black": 50}
    assert four(("", "", "", "")) == 50


def test_the_principal_variation_of_a_solved_game_goes_to_its_end() -> None:
    for name in ("smallconnectfour", "tictactoe", "nim", "hexapawn", "chomp"):
        game = load(name)
        # So small a table forgets most of the line.
        solved = solve_values(game, Deadline.within(60), table_mb=1)
        assert solved is not None
        end = game.replay(solved.principal_variation)
        assert end.is_terminal
        assert end.goals == solved.values, name


def test_small_games_have_their_known_values() -> None:
    # Chomp is won by the first player (strategy stealing), hexapawn on 3×3 by the second (Gardner).
    chomp, hexapawn = (solve_values(load(name), Deadline.within(60)) for name in ("chomp", "hexapawn"))
    assert chomp is not None
    assert hexapawn is not None
    assert chomp.values == {"first": 100, "second": 0}
    assert hexapawn.values == {"white": 0, "black": 100}


# ---- games that are not a struggle of two ----


def test_who_chooses_first_in_rock_paper_scissors_loses_and_the_result_says_why() -> None:
    game = load("rockpaperscissors")
    for role, other in (("left", "right"), ("right", "left")):
        found = MinimaxSearch(game, role).search(seconds=60)
        assert found.is_proved
        assert found.values == {role: 0, other: 100}
        assert any("one after the other" in sentence for sentence in found.assumes)


def test_two_rational_prisoners_defect() -> None:
    solved = solve_values(load("prisonersdilemma"), Deadline.within(120))
    assert solved is not None
    assert solved.method == "max^n"
    assert {str(move) for joint in solved.principal_variation for move in joint.values()} == {"defect"}


# Three roles share a cake one after the other; the third is a fool if nothing is left.
CAKE = """
(role a) (role b) (role c) (init (step a))
(after a b) (after b c) (after c end)
(piece 0) (piece 20) (piece 70)
(<= (legal ?r (take ?n)) (true (step ?r)) (piece ?n))
(<= (legal ?r noop) (role ?r) (not (true (step ?r))))
(<= (next (took ?r ?n)) (does ?r (take ?n)))
(<= (next (took ?r ?n)) (true (took ?r ?n)))
(<= (next (step ?s)) (true (step ?r)) (after ?r ?s))
(<= terminal (true (step end)))
(<= greedy (true (took ?r 70)) (true (took ?s 70)) (distinct ?r ?s))
(<= (goal ?r ?n) (true (took ?r ?n)) (not greedy))
(<= (goal ?r 0) (role ?r) greedy)
"""


def test_three_roles_maximise_their_own_goals() -> None:
    # Whoever comes first takes 70; a second 70 would leave everybody with nothing.
    solved = solve_values(ludorum.load(CAKE))
    assert solved is not None
    assert solved.values == {"a": 70, "b": 20, "c": 20}
    assert solved.method == "max^n"
    # But if both others are against it they take 70 each, and nobody gets anything.
    assert MinimaxSearch(ludorum.load(CAKE), "a", paranoid=True).search().values["a"] == 0


# A die decides what a guess brings; the second guess brings 100 half of the time and the first one 40 always.
DIE = """
(role random) (role guesser) (init start)
(<= (legal random (fall heads)) (true start)) (<= (legal random (fall tails)) (true start))
(<= (legal guesser safe) (true start)) (<= (legal guesser bold) (true start))
(<= (next (did ?m)) (does guesser ?m)) (<= (next (fell ?s)) (does random (fall ?s)))
(<= terminal (true (did ?m)))
(<= (goal guesser 40) (true (did safe)))
(<= (goal guesser 100) (true (did bold)) (true (fell heads)))
(<= (goal guesser 0) (true (did bold)) (true (fell tails)))
(goal random 0)
"""


def test_chance_is_taken_by_its_mean() -> None:
    game = ludorum.load(DIE)
    found = MinimaxSearch(game).search()
    assert found.is_proved
    assert found.role == "guesser"
    assert found.values["guesser"] == 50
    assert found.move == Move("bold")
    assert found.moves[Move("safe")].upper <= 50


def test_a_state_without_a_legal_move_counts_as_an_end(cul_de_sac_rules: str) -> None:
    game = ludorum.load(cul_de_sac_rules, engine="circuit")
    after = game.initial.after("go")
    assert MinimaxSearch(game).search(after).values == {"walker": 0}
    # Walking on the spot never ends, so that nothing is proved; but the search ends where it is told to.
    assert MinimaxSearch(game).search(depth=20).depth == 20
    # Without estimates it goes deeper by larger steps, but no further either.
    assert MinimaxSearch(game, goals=0, mobility=0).search(depth=20).depth == 20


def test_a_game_that_is_over_is_worth_its_goals() -> None:
    state = load("tictactoe").replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)")
    found = MinimaxSearch(load("tictactoe")).search(state)
    assert found.values == {"xplayer": 100, "oplayer": 0}
    assert found.is_proved
    assert found.move is None
    assert found.assumes == ()


# ---- assumptions ----


def test_a_constant_sum_is_an_assumption_unless_it_was_told() -> None:
    sentence = "the goals of the two roles always have the same sum"
    assert sentence in MinimaxSearch(load("tictactoe")).search(depth=1).assumes
    assert MinimaxSearch(load("tictactoe"), constant_sum=True).search(depth=1).assumes == ()
    assert MinimaxSearch(load("tictactoe"), constant_sum=False).search(depth=1).method == "max^n"


# Alike for both, except in one state in thousands that random walks will hardly find.
RARE = """
(role a) (role b) (init (at 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(<= (legal a left) (true (at ?n))) (<= (legal a right) (true (at ?n))) (<= (legal a far) (true (at ?n)))
(<= (legal b noop) (true (at ?n)))
(<= (next (at ?m)) (does a right) (true (at ?n)) (succ ?n ?m))
(<= (next lost) (does a left)) (<= (next lost) (does a far))
(<= (next (at ?n)) (does a left) (true (at ?n)))
(<= (next (at ?n)) (does a far) (true (at ?n)))
(<= terminal (true lost)) (<= terminal (true (at 10)))
(<= (goal ?r 50) (role ?r) (true lost))
(<= (goal ?r 60) (role ?r) (not (true lost)))
"""


def test_a_proved_sum_is_known_where_no_walk_ends() -> None:
    # One gets 40 and the other 10 after five hundred steps, and nothing that they do matters.
    counting = "\n".join(f"(succ {n} {n + 1})" for n in range(500))
    game = ludorum.load(f"""(role a) (role b) (init (step 0)) {counting}
        (legal a left) (legal a right) (legal b wait) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 500))) (goal a 40) (goal b 10)""")
    told = MinimaxSearch(game, "a", mobility=0, invariants=Invariants(constant_sum=50))
    found = told.search(depth=2)
    assert told.survey is not None
    assert told.survey["ended"] == 0
    assert found.method == "alpha-beta"
    assert found.values == {"a": 40, "b": 10}
    # For somebody who has proved nothing it is as good as any other game.
    assert MinimaxSearch(game, "a", mobility=0).search(depth=2).values["b"] != 10


def test_a_proved_sum_of_all_goals_says_nothing_of_two_players_and_chance() -> None:
    # What chance has, one of the two has not: all three goals add up to 100, those of the players to 0 or 100.
    game = ludorum.load("""(role a) (role b) (role random) (init start)
        (legal a left) (legal a right) (legal b wait) (legal random heads) (legal random tails)
        (<= (next (fell ?side)) (does random ?side)) (<= terminal (true (fell ?side)))
        (<= (goal a 100) (true (fell heads))) (<= (goal a 0) (true (fell tails)))
        (goal b 0)
        (<= (goal random 0) (true (fell heads))) (<= (goal random 100) (true (fell tails)))""")
    found = MinimaxSearch(game, "a", invariants=Invariants(constant_sum=100)).search(depth=3)
    assert (found.values["a"], found.values["b"]) == (50, 0)


def test_a_search_that_meets_another_sum_gives_up_the_assumption() -> None:
    search = MinimaxSearch(ludorum.load(RARE), seed=1)
    found = search.search()
    assert search.survey is not None
    assert search.survey["constant_sum"], "the walks were not meant to find it"
    assert found.method == "max^n"
    assert found.values == {"a": 60, "b": 60}


# ---- limits, progress, evaluation ----


def test_the_same_number_of_states_finds_the_same() -> None:
    one, other = (MinimaxSearch(load("connectfour"), seed=5).search(states=20_000) for _ in range(2))
    assert one.states == other.states >= 20_000
    assert (one.values, one.principal_variation, one.depth) == (other.values, other.principal_variation, other.depth)


def test_a_depth_is_kept() -> None:
    found = MinimaxSearch(load("connectfour")).search(depth=3)
    assert found.depth == 3
    assert not found.is_proved


def test_a_search_can_be_watched_and_stopped() -> None:
    search = MinimaxSearch(load("connectfour"))
    found: list[ludorum.search.minimax.MinimaxResult] = []
    search.search(depth=2)
    thread = threading.Thread(target=lambda: found.append(search.search()))
    thread.start()
    while search.progress is None or search.progress.depth < 4:
        assert thread.is_alive()
    search.stop()
    thread.join(timeout=60)
    assert found[0].depth >= 4
    assert found[0].move in load("connectfour").initial.legal("red")


def test_an_evaluation_of_your_own_decides() -> None:
    game = load("connectfour")
    assert game.fluents is not None
    corner = [str(fluent) for fluent in game.fluents].index("(cell 7 1 red)")
    seen: list[tuple[int, ...]] = []

    def evaluate(states: np.ndarray) -> np.ndarray:
        seen.append(states.shape)
        good = states[:, corner].astype(float)
        return np.stack([40 + 20 * good, 60 - 20 * good], axis=1)

    found = MinimaxSearch(game, goals=0, mobility=0, evaluation=evaluate).search(depth=2)
    assert found.move == Move("(drop 7)")
    assert found.values["red"] == 60
    assert {width for _, width in seen} == {len(game.fluents)}


@pytest.mark.parametrize(("answer", "message"), [
    (np.zeros((1, 2)), "one number a state and role"), (None, "one number a state and role"),
    (np.full((7, 2), 101.0), "from 0 to 100")])
def test_an_evaluation_that_answers_nonsense_is_an_error(answer: np.ndarray | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MinimaxSearch(load("connectfour"), evaluation=lambda _: answer).search(depth=1)  # type: ignore


def test_an_exception_in_an_evaluation_comes_out() -> None:
    def evaluate(states: np.ndarray) -> np.ndarray:
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        MinimaxSearch(load("connectfour"), evaluation=evaluate).search(depth=3)


@pytest.mark.parametrize("options", [{"depth": 0}, {"depth": 10_000}, {"states": 0}])
def test_limits_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"depth|one state"):
        MinimaxSearch(load("tictactoe")).search(**options)


@pytest.mark.parametrize("options", [{"table_mb": -1}, {"goals": -1.0}, {"mobility": -0.5}])
def test_options_that_make_no_sense_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"table_mb|weight"):
        MinimaxSearch(load("tictactoe"), **options).search(depth=1)  # type: ignore[arg-type]


def test_a_role_must_be_one_of_the_game() -> None:
    with pytest.raises(UnknownRole):
        MinimaxSearch(load("tictactoe"), "white")


# ---- engines without a part in the core ----


def test_an_engine_that_cannot_be_searched_is_a_clear_error() -> None:
    with pytest.raises(NoSimulator, match="reference engine of tictactoe"):
        MinimaxSearch(ludorum.load("tictactoe", engine="reference"))


def test_a_plain_search_finds_the_same(tictactoe: Game, roshambo: Game, coin: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 2) (mark 3 3) (mark 1 3) (mark 3 1)")
    found = PythonMaxN(state, tictactoe.roles[1]).search()
    assert found.is_proved
    assert found.values == {"xplayer": 100, "oplayer": 0}  # two ways to win
    assert found.move in state.legal("oplayer")
    assert PythonMaxN(roshambo.initial, roshambo.roles[0]).search().values == {"left": 0, "right": 100}
    assert PythonMaxN(coin.initial, coin.roles[1]).search().values["guesser"] == 100


def test_small_games_are_solved_by_any_engine(roshambo: Game, cul_de_sac: Game) -> None:
    solved = solve_values(roshambo, Deadline.within(60))
    assert solved is not None
    assert solved.values == {"left": 0, "right": 100}
    assert solve_values(cul_de_sac, Deadline.within(0.5)) is None


def test_a_way_that_is_too_long_to_be_seen_to_its_end_is_walked_all_the_same() -> None:
    stairs = " ".join(f"(above {step} {step + 1})" for step in range(400))
    game = ludorum.load(f"(role climber) (role guide) (init (at 0)) {stairs} (legal climber climb) (legal guide wave) "
                        "(<= (next (at ?m)) (true (at ?n)) (above ?n ?m)) (<= terminal (true (at 400))) "
                        "(goal climber 100) (goal guide 0)", engine="circuit")
    found = PythonMaxN(game.initial, game.roles[0]).search()
    assert found.move == Move("climb")
    assert not found.is_proved
