"""The library's puzzles, simultaneous games and games with chance or hidden information keep their rules.

Solutions were found by searches in programs of their own, not by playing the rulesheets.
"""

from __future__ import annotations

from functools import cache

import clingo
import pytest

import ludorum
from ludorum import Game, Move, Outcome, State, gdl, library
from ludorum.errors import IllegalMove

PUZZLES = [
    "asteroids", "blocksworld", "eightpuzzle", "fifteenpuzzle", "futoshiki", "hanoi", "knightstour",
    "lightsout", "maze", "missionaries", "pancakes", "pegsolitaire", "queens", "smallknightstour", "sokoban",
    "sudoku", "wolfgoatcabbage",
]
SIMULTANEOUS = [
    "biddingtictactoe", "colonelblotto", "goofspiel", "matchingpennies", "pacman", "passage",
    "prisonersdilemma", "racetrack", "rockpaperscissors", "standoff", "tron",
]
WITH_CHANCE_OR_SECRETS = [
    "blackjack", "mastermind", "meier", "minesweeper", "montyhall", "phantomtictactoe", "pig", "snake",
]


@cache
def load(name: str) -> Game:
    return ludorum.load(name)


def terms(text: str) -> frozenset[gdl.Term]:
    """The terms of a text as a set, to compare with fluents or percepts."""
    return frozenset(rule.head for rule in gdl.read(text).rules)


# Every game


@pytest.mark.parametrize("name", PUZZLES + SIMULTANEOUS + WITH_CHANCE_OR_SECRETS)
def test_the_rules_are_valid_and_say_what_they_are(name: str) -> None:
    entry = library.entry(name)
    assert gdl.check(entry.text, name=f"{name}.kif") == []
    roles = [role for role in gdl.parse(entry.text).roles if role.name != "random"]
    assert entry.players == len(roles)
    assert entry.description
    assert ("random" in entry.tags) == ("(role random)" in entry.text)
    assert ("simultaneous" in entry.tags) == (name in SIMULTANEOUS)
    assert ("puzzle" in entry.tags) == (name in PUZZLES)


@pytest.mark.parametrize("name", PUZZLES + SIMULTANEOUS + WITH_CHANCE_OR_SECRETS)
def test_every_match_ends_with_one_goal_value_a_role(name: str) -> None:
    played = load(name).playouts(500, seed=1, max_steps=200)
    assert played.count(Outcome.FINISHED) == 500
    assert sum(played.undefined_goals.values()) == 0
    assert played.goals.min() >= 0
    assert played.goals.max() <= 100


# Puzzles

def hanoi(disks: int, source: str, target: str, spare: str) -> str:
    """The moves of a tower by the well-known recursion."""
    if disks == 0:
        return ""
    return (hanoi(disks - 1, source, spare, target) + f"(move {source} {target})"
            + hanoi(disks - 1, spare, target, source))


def visits(squares: str) -> str:
    return " ".join(f"(visit {x} {y})" for x, y in squares.split())


def writings(name: str, solution: str) -> str:
    """The moves that fill the blank cells of a grid as a solution says, its rows from the top."""
    rows = solution.split()
    blank = {str(fluent) for fluent in load(name).initial.fluents if fluent.args[-1:] == (gdl.Term("blank"),)}
    return " ".join(f"(write {x} {len(rows) - i} {digit})" for i, row in enumerate(rows)
                    for x, digit in enumerate(row, 1) if f"(cell {x} {len(rows) - i} blank)" in blank)


SUDOKU = "673521489 281694573 594783621 859412367 136975248 742836915 967258134 418369752 325147896"
FUTOSHIKI = "41325 12453 23541 35214 54132"

SOLUTIONS = {
    "asteroids": "(fire north) (fire north) (fire south) (fire south) (fire north) (fire south) (fire west)",
    "blocksworld": """(move b table) (move a table) (move d a) (move e f) (move d e) (move c d) (move b c)
        (move a b)""",
    "eightpuzzle": """(slide 3 2) (slide 3 3) (slide 2 3) (slide 1 3) (slide 1 2) (slide 2 2) (slide 2 1)
        (slide 1 1) (slide 1 2) (slide 2 2) (slide 2 3) (slide 3 3) (slide 3 2) (slide 2 2) (slide 2 3)
        (slide 1 3) (slide 1 2) (slide 2 2) (slide 2 3) (slide 3 3) (slide 3 2) (slide 2 2) (slide 1 2)
        (slide 1 1) (slide 2 1) (slide 3 1)""",
    "fifteenpuzzle": """(slide 3 3) (slide 3 4) (slide 4 4) (slide 4 3) (slide 4 2) (slide 3 2) (slide 2 2)
        (slide 2 1) (slide 3 1) (slide 4 1) (slide 4 2) (slide 3 2) (slide 2 2) (slide 2 1) (slide 3 1)
        (slide 4 1) (slide 4 2) (slide 4 3) (slide 3 3) (slide 2 3) (slide 1 3) (slide 1 4) (slide 2 4)
        (slide 2 3) (slide 1 3) (slide 1 2) (slide 2 2) (slide 2 3) (slide 3 3) (slide 3 2) (slide 2 2)
        (slide 2 1) (slide 3 1) (slide 4 1)""",
    "hanoi": hanoi(5, "left", "right", "middle"),
    "knightstour": visits("""11 23 15 27 48 67 88 76 68 87 75 83 71 52 31 12 24 16 28 36 17 38 57 78 86
        74 82 61 73 81 62 41 22 14 26 18 37 58 77 85 66 47 55 43 35 56 64 45 33 54 46 25 44 65 84 72 53
        34 42 63 51 32 13 21"""),
    "lightsout": """(press 1 1) (press 2 1) (press 1 2) (press 2 2) (press 4 2) (press 5 2) (press 3 3)
        (press 4 3) (press 5 3) (press 2 4) (press 3 4) (press 4 4) (press 2 5) (press 3 5) (press 5 5)""",
    "maze": """(move south) (move south) (move east) (move east) (move north) (move north) (move east)
        (move east) (move south) (move south) (move east) (move east) (move north) (move north) (move south)
        (move south) (move west) (move west) (move north) (move north) (move west) (move west) (move south)
        (move south) (move south) (move south) (move south) (move south) (move east) (move east) (move south)
        (move south) (move east) (move east) (move north) (move north) (move north) (move north) (move west)
        (move west)""",
    "missionaries": """(cross 0 2) (cross 0 1) (cross 0 2) (cross 0 1) (cross 2 0) (cross 1 1) (cross 2 0)
        (cross 0 1) (cross 0 2) (cross 1 0) (cross 1 1)""",
    "pancakes": "(flip 2) (flip 4) (flip 2) (flip 6) (flip 3) (flip 7) (flip 5) (flip 6)",
    "pegsolitaire": """(jump 2 4 4 4) (jump 5 4 3 4) (jump 7 4 5 4) (jump 4 2 4 4) (jump 4 4 2 4)
        (jump 1 4 3 4) (jump 2 3 4 3) (jump 3 1 3 3) (jump 5 1 3 1) (jump 3 4 3 2) (jump 3 1 3 3)
        (jump 3 6 3 4) (jump 1 5 3 5) (jump 4 5 2 5) (jump 6 5 4 5) (jump 5 3 5 5) (jump 4 5 6 5)
        (jump 7 5 5 5) (jump 4 3 2 3) (jump 1 3 3 3) (jump 3 3 3 5) (jump 2 5 4 5) (jump 4 5 6 5)
        (jump 5 7 5 5) (jump 3 7 5 7) (jump 7 3 5 3) (jump 5 2 5 4) (jump 5 4 5 6) (jump 5 7 5 5)
        (jump 6 5 4 5) (jump 4 6 4 4)""",
    "queens": """(place 1 1) (place 5 2) (place 8 3) (place 6 4) (place 3 5) (place 7 6) (place 2 7)
        (place 4 8)""",
    "smallknightstour": visits("11 23 15 34 55 43 51 32 44 25 13 21 42 54 35 14 22 41 53 45 24 12 33 52 31"),
    "sokoban": """(move north) (move east) (move east) (move east) (move east) (move south) (move north)
        (move west) (move west) (move west) (move west) (move south) (move south) (move south) (move east)
        (move east) (move south) (move east) (move east) (move north) (move west) (move north) (move north)
        (move east) (move north) (move west) (move south) (move south) (move south) (move east) (move north)
        (move north) (move west) (move north) (move west) (move west) (move west) (move south) (move south)
        (move south) (move east) (move east) (move east)""",
    "wolfgoatcabbage": "(ferry goat) cross (ferry wolf) (ferry goat) (ferry cabbage) cross (ferry goat)",
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_solution_is_worth_100(name: str) -> None:
    solved = load(name).replay(SOLUTIONS[name])
    assert solved.is_terminal
    assert set(solved.goals.values()) == {100}


def least_moves(game: Game) -> int:
    """The length of the shortest series of joint moves to 100 for all, by breadth-first search."""
    layer, seen, depth = [game.initial], set(), 0
    while layer:
        if any(state.is_terminal and set(state.goals.values()) == {100} for state in layer):
            return depth
        following = []
        for state in layer:
            for _, successor in game.expand(state):
                # Positions count once, however many moves led there.
                board = frozenset(fluent for fluent in successor.fluents if fluent.name != "step")
                if board not in seen:
                    seen.add(board)
                    following.append(successor)
        layer, depth = following, depth + 1
    raise AssertionError(f"{game.name} has no solution")


@pytest.mark.parametrize(("name", "least"), [
    ("hanoi", 31),  # 2^5 - 1
    ("wolfgoatcabbage", 7),  # Alcuin
    ("missionaries", 11),  # Amarel, On representations of problems of reasoning about actions, 1968
    ("asteroids", 7), ("maze", 40),  # as our own search in another program says
])
def test_a_puzzle_cannot_be_solved_faster(name: str, least: int) -> None:
    assert least_moves(load(name)) == least


def test_eight_queens_have_92_solutions() -> None:
    placings = load("queens").perft(8)
    assert placings[-1] == 92
    # The whole search tree has 2057 nodes: Knuth, Estimating the efficiency of backtrack programs, 1975.
    assert 1 + sum(placings) == 2057


def test_the_5x5_board_has_1728_knights_tours() -> None:
    # OEIS A165134. No tour starts on the other colour, and all squares but the centre have three images.
    def tours_from(square: str) -> int:
        game = load("smallknightstour")
        return game.perft(24, game.replay(f"(visit {square})"))[-1]

    assert 4 * (tours_from("1 1") + tours_from("1 3") + tours_from("2 2")) + tours_from("3 3") == 1728


def test_peg_solitaire_has_as_many_positions_as_known() -> None:
    # Up to symmetry: OEIS A112737.
    def up_to_symmetry(state: State) -> frozenset[tuple[int, int]]:
        pegs = {(int(str(fluent.args[0])) - 4, int(str(fluent.args[1])) - 4) for fluent in state.fluents
                if fluent.args[-1] == gdl.Term("peg")}
        images = []
        for flip in (1, -1):
            for _ in range(4):
                pegs = {(-y, x) for x, y in pegs}
                images.append(sorted((flip * x, y) for x, y in pegs))
        return frozenset(min(images))

    game, layer, counts = load("pegsolitaire"), {load("pegsolitaire").initial}, []
    for _ in range(4):
        layer = {successor for state in layer for _, successor in game.expand(state)}
        counts.append(len({up_to_symmetry(state) for state in layer}))
    assert counts == [1, 2, 8, 39]


def solutions(name: str, constraints: str) -> list[str]:
    """Up to two solutions of a number grid, its rows from the top, as clingo finds them."""
    game = load(name)
    given = [f":- not v({', '.join(map(str, fluent.args))})." for fluent in game.initial.fluents
             if fluent.name == "cell" and fluent.args[2] != gdl.Term("blank")]
    signs = [":- v({}, {}, A), v({}, {}, B), A >= B.".format(*rule.head.args) for rule in game.rules.rules
             if rule.head.name == "below"]
    solver = clingo.Control(["2"])
    solver.add("base", [], constraints + """
        { v(X, Y, D) : D = 1..n } = 1 :- X = 1..n, Y = 1..n.
        :- v(X, Y, D), v(X, V, D), Y < V.
        :- v(X, Y, D), v(U, Y, D), X < U.
        """ + "".join(given + signs))
    solver.ground([("base", [])])
    found = []
    with solver.solve(yield_=True) as models:
        for model in models:
            cells = {(x.number, y.number): d.number for x, y, d in
                     (atom.arguments for atom in model.symbols(atoms=True) if atom.name == "v")}
            size = max(x for x, _ in cells)
            found.append(" ".join("".join(str(cells[x, y]) for x in range(1, size + 1))
                                  for y in range(size, 0, -1)))
    return found


def test_the_sudoku_has_a_single_solution_and_it_is_worth_100() -> None:
    boxes = ":- v(X, Y, D), v(U, V, D), (X-1)/3 = (U-1)/3, (Y-1)/3 = (V-1)/3, (X, Y) < (U, V)."
    assert solutions("sudoku", f"#const n = 9. {boxes}") == [SUDOKU]
    solved = load("sudoku").replay(writings("sudoku", SUDOKU))
    assert solved.is_terminal
    assert solved.goals == {"player": 100}


def test_the_futoshiki_has_a_single_solution_and_it_is_worth_100() -> None:
    assert solutions("futoshiki", "#const n = 5.") == [FUTOSHIKI]
    solved = load("futoshiki").replay(writings("futoshiki", FUTOSHIKI))
    assert solved.is_terminal
    assert solved.goals == {"player": 100}


def test_a_sudoku_digit_may_not_repeat_in_row_column_or_box() -> None:
    legal = load("sudoku").initial.legal("player")
    assert "(write 3 9 3)" in legal
    assert "(write 3 9 4)" not in legal  # in the row
    assert "(write 3 9 5)" not in legal  # in the column
    assert "(write 3 8 7)" not in legal  # in the box


def test_a_futoshiki_sign_forbids_digits_beside_a_given_one() -> None:
    legal = load("futoshiki").initial.legal("player")
    # The cell below the given 3 of the top row is larger than it.
    assert [str(move) for move in legal if str(move).startswith("(write 3 4 ")] == [
        "(write 3 4 4)", "(write 3 4 5)"]


def test_a_larger_disk_never_lies_on_a_smaller_one() -> None:
    state = load("hanoi").replay("(move left middle)")
    assert set(state.legal("player")) == {Move("(move left right)"), Move("(move middle left)"),
                                          Move("(move middle right)")}


def test_a_covered_block_does_not_move() -> None:
    assert {str(move) for move in load("blocksworld").initial.legal("player")} == {
        "(move b table)", "(move b d)", "(move d table)", "(move d b)"}


def test_pressing_a_corner_lamp_flips_three_and_pressing_again_flips_them_back() -> None:
    game = load("lightsout")
    once = game.replay("(press 1 1)")
    off = {fluent for fluent in once.fluents if fluent.args[-1] == gdl.Term("off")}
    assert off == terms("(cell 1 1 off) (cell 2 1 off) (cell 1 2 off)")
    twice = once.after("(press 1 1)")
    assert twice.fluents - terms("(step 2)") == game.initial.fluents - terms("(step 0)")


def test_a_box_is_not_pushed_into_a_wall_or_another_box() -> None:
    game = load("sokoban")
    warehouse = {fluent for fluent in game.initial.fluents if str(fluent.args[-1]) in ("wall", "place")}
    boxes = terms("(cell 2 6 box) (cell 4 6 box) (cell 5 6 box) (cell 3 5 box)")
    state = game.state({*warehouse, *boxes, *terms("(cell 3 6 keeper) (step 0)")})
    assert list(state.legal("keeper")) == [Move("(move south)")]
    assert terms("(cell 3 5 keeper) (cell 3 4 box)") <= state.after("(move south)").fluents


def test_the_door_of_the_maze_needs_the_key() -> None:
    game = load("maze")
    before_the_door = "(cell 6 2 explorer) (cell 7 2 door) (cell 6 6 treasure)"
    assert "(move east)" not in game.state(f"{before_the_door} (step 9)").legal("explorer")
    assert "(move east)" in game.state(f"{before_the_door} has_key (step 9)").legal("explorer")


@pytest.mark.parametrize(("name", "moves"), [
    ("missionaries", "(cross 1 0)"),  # two missionaries stay with three cannibals
    ("wolfgoatcabbage", "(ferry cabbage)"),  # the wolf stays with the goat
    ("wolfgoatcabbage", "(ferry wolf)"),  # the goat stays with the cabbage
])
def test_a_river_crossing_is_lost_when_someone_is_eaten(name: str, moves: str) -> None:
    state = load(name).replay(moves)
    assert state.is_terminal
    assert set(state.goals.values()) == {0}


def test_a_ship_wraps_around_the_edge_and_breaks_on_an_asteroid() -> None:
    game = load("asteroids")
    edge = game.state("(cell 9 10 ship) (velocity 1 1) (cell 8 4 station) (step 0)")
    assert terms("(cell 1 1 ship) (velocity 2 1)") <= edge.after("(fire east)").fluents
    wreck = game.state("(cell 4 8 asteroid) (cell 2 8 ship) (velocity 1 0) (step 3)").after("(fire east)")
    assert wreck.is_terminal
    assert wreck.goals == {"pilot": 0}


def test_a_ship_at_the_station_but_moving_is_not_docked() -> None:
    game = load("asteroids")
    passing = "(cell 8 4 station) (cell 7 4 ship) (velocity 1 0)"
    on_the_way = game.state(f"{passing} (step 3)").after("coast")
    assert not on_the_way.is_terminal
    out_of_time = game.state(f"{passing} (step 14)").after("coast")
    assert out_of_time.is_terminal
    assert out_of_time.goals == {"pilot": 50}


# Simultaneous games


def test_cycles_that_enter_the_same_cell_both_crash() -> None:
    state = load("tron").state("(head red 4 5) (cell 4 5 red) (head blue 6 5) (cell 6 5 blue)")
    crash = state.after(red="(move east)", blue="(move west)")
    assert crash.is_terminal
    assert crash.goals == {"red": 50, "blue": 50}


def test_a_cycle_without_room_must_crash_and_loses() -> None:
    state = load("tron").state("(head red 1 1) (cell 1 1 red) (cell 2 1 red) (cell 1 2 blue) (head blue 5 5) "
                               "(cell 5 5 blue)")
    assert list(state.legal("red")) == [Move("crash")]
    assert state.after(blue="(move north)").goals == {"red": 0, "blue": 100}


def test_cycles_steer_only_into_empty_cells_and_leave_walls() -> None:
    state = load("tron").replay("(move east) (move west)")
    assert terms("(cell 2 5 red) (cell 3 5 red) (head red 3 5)") <= state.fluents
    assert "(move west)" not in state.legal("red")
    assert len(state.legal("red")) == 3


def test_the_higher_bidder_pays_and_marks() -> None:
    state = load("biddingtictactoe").replay("(bid 1) (bid 3)")
    assert terms("(coins x 7) (coins o 1) (tie_breaker x) (control o)") <= state.fluents
    assert list(state.legal("x")) == [Move("noop")]
    assert len(state.legal("o")) == 9


def test_on_equal_bids_the_tie_breaker_decides_and_changes_hands() -> None:
    state = load("biddingtictactoe").replay("(bid 2) (bid 2)")
    assert terms("(coins x 2) (coins o 6) (tie_breaker o) (control x)") <= state.fluents


def test_nobody_bids_more_coins_than_they_have() -> None:
    state = load("biddingtictactoe").replay("(bid 4) (bid 3) (mark 2 2)")
    assert [str(move) for move in state.legal("x")] == ["(bid 0)"]
    assert len(state.legal("o")) == 9


def test_a_line_wins_bidding_tictactoe() -> None:
    state = load("biddingtictactoe").replay(
        "(bid 0) (bid 0) (mark 1 1) (bid 1) (bid 0) (mark 2 2) (bid 1) (bid 0) (mark 3 3)")
    assert state.is_terminal
    assert state.goals == {"x": 100, "o": 0}


def test_rock_paper_scissors_has_nine_joint_moves_and_three_wins_take_the_match() -> None:
    game = load("rockpaperscissors")
    assert game.perft(3) == [9, 81, 729]
    won = game.replay("rock scissors paper rock rock rock scissors paper")
    assert won.is_terminal
    assert won.goals == {"left": 100, "right": 0}
    drawn = game.replay("rock rock " * 9)
    assert drawn.is_terminal
    assert drawn.goals == {"left": 50, "right": 50}


@pytest.mark.parametrize(("row", "column", "goals"), [
    ("cooperate", "cooperate", (60, 60)),
    ("defect", "defect", (20, 20)),
    ("defect", "cooperate", (100, 0)),
])
def test_twenty_dilemmas_add_up(row: str, column: str, goals: tuple[int, int]) -> None:
    state = load("prisonersdilemma").replay(f"{row} {column} " * 20)
    assert state.is_terminal
    assert tuple(state.goals.values()) == goals


def test_equal_pennies_go_to_the_matcher() -> None:
    state = load("matchingpennies").replay("heads heads " * 7 + "heads tails " * 3)
    assert state.is_terminal
    assert state.goals == {"matcher": 70, "mismatcher": 30}


def pacman_meets(moves: dict[str, str], **cells: str) -> State:
    """What comes of a joint move in an open part of the maze; everyone is at the cell that is said."""
    places = " ".join(f"(cell {cell} {who})" for who, cell in cells.items())
    return load("pacman").state(f"{places} (cell 1 1 pellet) (eaten 3) (step 5)").after(moves)


def test_a_ghost_catches_pacman_by_entering_his_cell() -> None:
    state = pacman_meets({"pacman": "(move east)", "blinky": "(move west)", "inky": "stay"},
                         pacman="3 7", blinky="5 7", inky="1 7")
    assert state.is_terminal
    assert state.goals == {"pacman": 15, "blinky": 100, "inky": 50}


def test_a_ghost_catches_pacman_by_changing_places_with_him() -> None:
    state = pacman_meets({"pacman": "(move east)", "blinky": "(move west)", "inky": "(move east)"},
                         pacman="3 7", blinky="4 7", inky="1 7")
    assert state.is_terminal
    assert state.goals == {"pacman": 15, "blinky": 100, "inky": 50}


def test_pacman_slips_away_when_a_ghost_follows() -> None:
    state = pacman_meets({"pacman": "(move east)", "blinky": "(move east)", "inky": "stay"},
                         pacman="3 7", blinky="2 7", inky="1 7")
    assert not state.is_terminal


def test_both_ghosts_can_catch_pacman_and_he_keeps_the_pellet_he_dies_for() -> None:
    state = pacman_meets({"pacman": "(move west)", "blinky": "(move south)", "inky": "stay"},
                         pacman="2 1", blinky="1 2", inky="1 1")
    assert state.is_terminal
    assert state.goals == {"pacman": 20, "blinky": 100, "inky": 100}


def test_a_car_off_the_track_stands_still_where_it_was() -> None:
    state = load("racetrack").replay("(accelerate -1 0) (accelerate 0 1) (accelerate -1 0) (accelerate 0 0)")
    assert terms("(cell 1 1 red) (velocity red 0 0) (cell 2 3 blue) (velocity blue 0 1)") <= state.fluents


def test_the_first_car_to_finish_wins_and_both_at_once_draw() -> None:
    best = [f"(accelerate {change})" for change in
            ("-1 1", "1 1", "1 0", "0 -1", "1 -1", "0 -1", "-1 -1", "-1 0", "-1 1")]
    game = load("racetrack")
    assert game.replay([(move, move) for move in best]).goals == {"red": 50, "blue": 50}
    alone = game.replay([(move, "(accelerate 0 0)") for move in best])
    assert alone.is_terminal
    assert alone.goals == {"red": 100, "blue": 0}


def test_no_car_drives_faster_than_two() -> None:
    state = load("racetrack").replay("(accelerate 0 1) (accelerate 0 1) (accelerate 0 1) (accelerate 0 1)")
    assert "(accelerate 0 1)" not in state.legal("red")
    assert "(accelerate 1 0)" in state.legal("red")


def test_whoever_ducks_survives_and_two_can_shoot_each_other() -> None:
    game = load("standoff")
    armed = game.replay("load load load")
    duel = armed.after(alice="(shoot bob)", bob="(shoot alice)", carol="load")
    assert duel.is_terminal
    assert duel.goals == {"alice": 0, "bob": 0, "carol": 100}
    ducked = armed.after(alice="(shoot bob)", bob="duck", carol="duck")
    assert terms("(alive bob) (bullets alice 0)") <= ducked.fluents
    with pytest.raises(IllegalMove):
        ducked.after(alice="(shoot bob)", bob="duck", carol="duck")


def test_nobody_shoots_for_twelve_rounds() -> None:
    state = load("standoff").replay([("duck", "duck", "duck")] * 12)
    assert state.is_terminal
    assert state.goals == {"alice": 33, "bob": 33, "carol": 33}


def test_travellers_pass_with_the_help_of_the_niche() -> None:
    state = load("passage").replay(
        "stay (move west) (move east) (move west) (move east) (move west) (move east) (move south) "
        "(move east) (move north) stay (move west) (move east) (move west) (move east) (move west)")
    assert state.is_terminal
    assert state.goals == {"wanda": 100, "emil": 100}


@pytest.mark.parametrize("emil", ["3 2", "4 2"])
def test_travellers_collide_in_a_cell_or_between_two(emil: str) -> None:
    state = load("passage").state(f"(cell 2 2 wanda) (cell {emil} emil) (step 1)")
    collision = state.after(wanda="(move east)", emil="(move west)")
    assert collision.is_terminal
    assert collision.goals == {"wanda": 0, "emil": 0}


def test_blotto_has_66_deployments_and_two_fields_win() -> None:
    game = load("colonelblotto")
    assert game.perft(1) == [66 * 66]
    assert game.replay("(deploy 5 5 0) (deploy 4 3 3)").goals == {"red": 100, "blue": 0}
    assert game.replay("(deploy 10 0 0) (deploy 1 9 0)").goals == {"red": 50, "blue": 50}
    assert game.replay("(deploy 3 3 4) (deploy 3 4 3)").goals == {"red": 50, "blue": 50}
    assert game.replay("(deploy 0 4 6) (deploy 0 6 4)").goals == {"red": 50, "blue": 50}


def test_goofspiel_prizes_go_to_the_higher_card_and_to_nobody_on_equal_ones() -> None:
    game = load("goofspiel")
    assert game.perft(2) == [5, 5 * 25]
    won = game.replay([{"random": "(turn_up 4)"}, {"left": "(bid 2)", "right": "(bid 5)"}])
    assert terms("(points left 0) (points right 4)") <= won.fluents
    assert won.percepts["left"] == terms("(played left 2) (played right 5)")
    tied = game.replay([{"random": "(turn_up 4)"}, {"left": "(bid 2)", "right": "(bid 2)"}])
    assert terms("(points left 0) (points right 0)") <= tied.fluents
    assert not any(fluent.name == "prize" for fluent in tied.fluents)


# Games with chance or secrets


def test_switching_wins_two_thirds_at_monty_halls() -> None:
    def chance(state: State, decision: str) -> float:
        """The probability that the car is won, if the candidate takes door 1 at first."""
        if state.is_terminal:
            return state.goals["candidate"] == 100
        [mine] = [move for move in state.legal("candidate") if str(move) in ("noop", "(choose 1)", decision)]
        branches = [chance(state.after(candidate=mine, random=move), decision)
                    for move in state.legal("random")]
        return sum(branches) / len(branches)

    assert chance(load("montyhall").initial, "switch") == pytest.approx(2 / 3)
    assert chance(load("montyhall").initial, "stay") == pytest.approx(1 / 3)


def test_the_candidate_sees_the_open_door_and_not_the_car() -> None:
    hidden = load("montyhall").replay([{"random": "(hide_car 2)"}])
    assert hidden.percepts["candidate"] == frozenset()
    opened = hidden.after("(choose 1)").after(random="(open_door 3)")
    assert opened.percepts["candidate"] == terms("(opened 3)")


@pytest.mark.parametrize(("code", "guess", "marks"), [
    ("red orange yellow green", "red orange yellow green", "4 0"),
    ("red orange yellow green", "green yellow orange red", "0 4"),
    ("red red blue green", "red blue red red", "1 2"),
    ("red red red red", "red red blue blue", "2 0"),
    ("red orange yellow green", "blue blue violet violet", "0 0"),
    ("blue violet violet blue", "violet blue violet red", "1 2"),
])
def test_mastermind_marks_a_guess(code: str, guess: str, marks: str) -> None:
    state = load("mastermind").replay([{"random": f"(hide {code})"}, {"breaker": f"(guess {guess})"}])
    assert state.percepts["breaker"] == terms(f"(marks {marks})")
    assert state.is_terminal == (code == guess)


def test_a_code_cracked_late_is_worth_less() -> None:
    state = load("mastermind").replay([{"random": "(hide red red red red)"}])
    for _ in range(6):
        state = state.after("(guess blue blue blue blue)")
    assert state.after("(guess red red red red)").goals["breaker"] == 60
    lost = state.after("(guess blue red red red)").after("(guess green red red red)")
    assert lost.is_terminal
    assert lost.goals["breaker"] == 0


def test_a_refused_try_keeps_the_turn_and_tells_only_who_tried() -> None:
    game = load("phantomtictactoe")
    marked = game.replay("(try 2 2)")
    assert marked.percepts == {"x": terms("(marked 2 2) (control o)"), "o": terms("(control o)")}
    refused = marked.after("(try 2 2)")
    assert refused.percepts == {"x": terms("(control o)"), "o": terms("(refused 2 2) (control o)")}
    assert "(try 2 2)" not in refused.legal("o")
    assert len(refused.legal("o")) == 8


def test_a_line_wins_kriegspiel_tictactoe() -> None:
    state = load("phantomtictactoe").replay("(try 1 1) (try 2 1) (try 2 2) (try 3 1) (try 3 3)")
    assert state.is_terminal
    assert state.goals == {"x": 100, "o": 0}


def test_only_the_one_in_turn_sees_the_dice_of_meier() -> None:
    rolled = load("meier").replay([{"random": "(roll 1 6)"}])
    assert rolled.percepts["anna"] == terms("(dice 61)")
    assert rolled.percepts["ben"] == frozenset()
    claimed = rolled.after(anna="(claim 66)")
    assert claimed.percepts["ben"] == terms("(claimed 66)")


@pytest.mark.parametrize(("dice", "claim", "winner"), [
    ("1 6", "61", "anna"), ("1 6", "54", "anna"), ("1 6", "62", "ben"), ("6 6", "21", "ben"),
    ("1 2", "66", "anna"), ("1 1", "65", "anna"),
])
def test_a_doubted_claim_must_be_covered_by_the_dice(dice: str, claim: str, winner: str) -> None:
    state = load("meier").replay(
        [{"random": f"(roll {dice})"}, {"anna": f"(claim {claim})"}, {"ben": "doubt"}])
    assert state.is_terminal
    assert [role for role, goal in state.goals.items() if goal == 100] == [winner]


def test_a_claim_must_be_raised_and_meier_cannot_be_believed() -> None:
    raised = load("meier").replay([{"random": "(roll 1 6)"}, {"anna": "(claim 65)"}, {"ben": "believe"},
                                   {"random": "(roll 1 3)"}])
    above_65 = {f"(claim {value})" for value in (11, 22, 33, 44, 55, 66, 21)}
    assert {str(move) for move in raised.legal("ben")} == above_65
    assert [str(move) for move in raised.after(ben="(claim 21)").legal("anna")] == ["doubt"]


def blackjack(cards: str, then: str = "") -> State:
    """A hand of blackjack: two cards for the player, two for the dealer, then hits, stands and more cards."""
    return load("blackjack").replay(" ".join(f"(deal {card})" for card in cards.split()) + then)


@pytest.mark.parametrize(("cards", "then", "goal"), [
    ("10 9 10 8", " stand", 100),
    ("10 7 10 7", " stand", 50),
    ("10 7 10 8", " stand", 0),
    ("ace king 10 9", " stand", 100),  # the ace counts 11
    ("ace 5 10 7", " hit (deal 9) stand", 0),  # and here 1: the hand counts 15
    ("10 6 10 6", " stand (deal king)", 100),  # the dealer must draw on 16 and is bust
    ("10 8 ace 6", " stand", 100),  # the dealer must stand on a soft 17
    ("10 9 ace 5", " stand (deal 10) (deal 5)", 0),  # a soft 16 becomes a hard 16 and then 21
    ("10 6 2 3", " hit (deal queen)", 0),  # bust at once
])
def test_blackjack_hands_are_counted(cards: str, then: str, goal: int) -> None:
    state = blackjack(cards, then)
    assert state.is_terminal
    assert state.goals["player"] == goal


def test_the_dealers_second_card_is_hidden_until_the_player_stands() -> None:
    assert blackjack("10 9 5").percepts["player"] == terms("(card dealer 5)")
    assert blackjack("10 9 5 8").percepts["player"] == frozenset()
    assert blackjack("10 9 5 8", " stand").percepts["player"] == terms("(card dealer 8)")


MINES = [{"random": f"(lay {cell})"} for cell in ("1 1", "1 2", "2 1", "5 5", "1 5")]


def test_a_dug_cell_tells_how_many_mines_are_near() -> None:
    laid = load("minesweeper").replay(MINES)
    assert laid.after("(dig 2 2)").percepts["digger"] == terms("(mines_near 2 2 3)")
    assert laid.after("(dig 3 3)").percepts["digger"] == terms("(mines_near 3 3 0)")
    assert laid.after("(dig 4 4)").percepts["digger"] == terms("(mines_near 4 4 1)")


def test_no_mine_is_laid_in_the_middle_and_none_is_told() -> None:
    state = load("minesweeper").initial
    assert len(state.legal("random")) == 24
    assert state.after(random="(lay 1 1)").percepts["digger"] == frozenset()


def test_a_mine_ends_the_game_and_twenty_free_cells_win_it() -> None:
    laid = load("minesweeper").replay(MINES)
    exploded = laid.after("(dig 3 3)").after("(dig 5 5)")
    assert exploded.is_terminal
    assert exploded.goals["digger"] == 5
    mines = {(1, 1), (1, 2), (2, 1), (5, 5), (1, 5)}
    for x in range(1, 6):
        for y in range(1, 6):
            if (x, y) not in mines:
                laid = laid.after(f"(dig {x} {y})")
    assert laid.is_terminal
    assert laid.goals["digger"] == 100


def test_a_snake_grows_by_the_food_it_eats() -> None:
    game = load("snake")
    eaten = game.replay([{"snake": "(move north)", "random": "(drop 3 5)"}, {"snake": "(move north)"}])
    assert {fluent for fluent in eaten.fluents if fluent.name == "cell"} == terms(
        "(cell 3 5 4) (cell 3 4 3) (cell 3 3 2) (cell 2 3 1)")
    assert terms("(bites 1)") <= eaten.fluents


def test_a_snake_follows_its_tail_but_not_itself() -> None:
    state = load("snake").state("(head 1 1) (cell 1 1 4) (cell 2 1 3) (cell 2 2 2) (cell 1 2 1) (food 6 6) "
                                "(bites 1) (step 9)")
    assert [str(move) for move in state.legal("snake")] == ["(move north)"]
    assert not state.after("(move north)").is_terminal
    coiled = load("snake").state("(head 1 1) (cell 1 1 5) (cell 2 1 4) (cell 2 2 3) (cell 1 2 2) "
                                 "(cell 1 3 1) (food 6 6) (bites 2) (step 9)")
    assert coiled.is_terminal
    assert coiled.goals["snake"] == 20


def test_food_dropped_before_the_snakes_mouth_is_eaten_at_once() -> None:
    state = load("snake").replay([{"snake": "(move east)", "random": "(drop 4 3)"}])
    assert terms("(bites 1) (cell 4 3 4)") <= state.fluents
    assert state.percepts["snake"] == terms("(food 4 3)")


def test_holding_saves_the_pot_and_a_one_loses_it() -> None:
    game = load("pig")
    rolled = [{"random": "(roll 6)"}, {"anna": "again"}, {"random": "(roll 5)"}]
    held = game.replay([*rolled, {"anna": "hold"}])
    assert terms("(score anna 11) (pot 0) (control ben) (turn 2)") <= held.fluents
    lost = game.replay([*rolled, {"anna": "again"}, {"random": "(roll 1)"}])
    assert terms("(score anna 0) (pot 0) (control ben) (turn 2)") <= lost.fluents


def test_thirty_points_win_at_pig() -> None:
    state = load("pig").state("(score anna 20) (score ben 27) (pot 6) (control anna) (phase roll) (turn 9)")
    assert not state.after(random="(roll 3)").is_terminal
    won = state.after(random="(roll 5)")
    assert won.is_terminal
    assert won.goals == {"anna": 100, "ben": 0, "random": 0}
