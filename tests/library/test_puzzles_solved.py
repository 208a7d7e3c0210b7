"""The library's puzzles keep their rules.

Solutions were found by searches in programs of their own, not by playing the rulesheets.
"""

from __future__ import annotations

import clingo
import pytest
from positions import load, terms

from ludorum import Game, Move, State, gdl


def hanoi(disks: int, source: str, target: str, spare: str) -> str:
    """The moves of a tower by the well-known recursion."""
    if disks == 0:
        return ""
    return (hanoi(disks - 1, source, spare, target) + f"(move {source} {target})"
            + hanoi(disks - 1, spare, target, source))


def visits(squares: str) -> str:
    return " ".join(f"(visit {square[0]} {square[1]})" for square in squares.split())


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
