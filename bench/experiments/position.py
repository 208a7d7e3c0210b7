"""The Breakthrough position of the paper on the sufficiency threshold, as far as its text tells.

The paper shows it only as a figure (number 5), which is narrow and eight rows high, and says: the board is smaller than
8×8; white wins with a5a6 by force, since black cannot prevent white from moving to b7 next, with the pawn on a6 or the
one on b6, and from there to a8 or c8; capturing on a7 or c7 with the pawn on b6 looks promising, since all replies but
one lose, but black captures back; there are 10 other moves, which do little.

So b7 is not empty (else b6b7 would win), a8 and c8 are (else b7 could be captured), and what captures back on either
side is on b8. On a board of three columns white has six pawns, and there must be all of them to have 13 moves. That
leaves the places of four white and at most two black pawns open. `reconstructions` tries all: in 28 positions white has
13 moves of which a5a6 alone wins, and captures that exactly one reply refutes. All 28 are used; none was picked.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

import ludorum
from ludorum import Game, State

WIDTH, HEIGHT = 3, 8
ROW = (1 << WIDTH) - 1

#: From row 8 down to row 1.
POSITIONS = (
    ".b./bbb/.w./wb./.../bw./.../www",
    ".b./bbb/.w./w.b/.../bw./.../www",
    ".b./bbb/.wb/w../.../bw./.../www",
    ".b./bbb/.w./wb./.../.wb/.../www",
    ".b./bbb/.w./w.b/.../.wb/.../www",
    ".b./bbb/.wb/w../.../.wb/.../www",
    ".b./bbb/.w./wb./b../.w./.../www",
    ".b./bbb/.w./wb./..b/.w./.../www",
    ".b./bbb/.w./wbb/.../.w./.../www",
    ".b./bbb/.wb/wb./.../.w./.../www",
    ".b./bbb/.wb/w.b/.../.w./.../www",
    ".b./bbb/.w./wb./.../wwb/.../ww.",
    ".b./bbb/.w./w.b/.../wwb/.../ww.",
    ".b./bbb/.w./wbb/.../ww./.../ww.",
    ".b./bbb/.wb/wb./.../ww./.../ww.",
    ".b./bbb/.w./wb./.../bww/.../ww.",
    ".b./bbb/.w./w.b/.../bww/.../ww.",
    ".b./bbb/.w./wbb/.../.ww/.../ww.",
    ".b./bbb/.wb/wb./.../.ww/.../ww.",
    ".b./bbb/.w./wb./.../wwb/.../.ww",
    ".b./bbb/.w./w.b/.../wwb/.../.ww",
    ".b./bbb/.w./wbb/.../ww./.../.ww",
    ".b./bbb/.wb/wb./.../ww./.../.ww",
    ".b./bbb/.w./wb./.../bww/.../.ww",
    ".b./bbb/.w./w.b/.../bww/.../.ww",
    ".b./bbb/.w./wbb/.../.ww/.../.ww",
    ".b./bbb/.wb/wb./.../.ww/.../.ww",
    ".b./bbb/.w./wbb/.../www/.../.w.",
)

WINNING = "(move 1 5 1 6)"
OPTIMISTIC = ("(move 2 6 1 7)", "(move 2 6 3 7)")

# Of solved positions; they take half a gigabyte.
_MOST_REMEMBERED = 2_000_000

# A square is a bit, a1 the lowest, then b1; a position the bits of white's pawns and of black's.
Step = tuple[int, int]


def _bits(squares: str) -> int:
    return sum(1 << (WIDTH * (int(square[1]) - 1) + "abc".index(square[0])) for square in squares.split())


def steps(mine: int, theirs: int, is_white: bool) -> list[Step]:
    """Every move, from and to, what captures first and then what is farthest."""
    found = []
    for square in range(WIDTH * HEIGHT):
        if not mine >> square & 1:
            continue
        column, ahead = square % WIDTH, square + WIDTH if is_white else square - WIDTH
        if not 0 <= ahead < WIDTH * HEIGHT:
            continue
        for aside in (-1, 0, 1):
            if not 0 <= column + aside < WIDTH:
                continue
            to = 1 << (ahead + aside)
            if not mine & to and not (aside == 0 and theirs & to):
                found.append((1 << square, to))
    return sorted(found, key=lambda step: (not step[1] & theirs, -step[1] if is_white else step[1]))


@cache
def wins(mine: int, theirs: int, is_white: bool) -> bool:
    """Whether the side to move wins, by going through everything that can come."""
    goal = ROW << WIDTH * (HEIGHT - 1) if is_white else ROW
    moves = steps(mine, theirs, is_white)
    if any(to & goal or theirs == to for _, to in moves):
        return True
    # A pawn that is one step from its goal gets there unless it is captured.
    if threats := theirs & (ROW << WIDTH if is_white else ROW << WIDTH * (HEIGHT - 2)):
        moves = [step for step in moves if step[1] == threats]
    return any(not wins(theirs & ~to, mine & ~square | to, not is_white) for square, to in moves)


def is_as_told(white: int, black: int) -> bool:
    """Whether a position, white to move, is as the paper says."""
    moves = steps(white, black, True)
    quiet = (_bits("a5"), _bits("a6"))
    captures = [(_bits("b6"), _bits("a7")), (_bits("b6"), _bits("c7"))]
    if len(moves) != 13 or quiet not in moves:
        return False

    def after(step: Step) -> tuple[int, int]:
        return white & ~step[0] | step[1], black & ~step[1]

    def refutations(step: Step) -> int:
        white, black = after(step)
        return sum(not wins(white & ~to, black & ~square | to, True) for square, to in steps(black, white, False))

    # What fails most often is asked first.
    if any(not wins(after(step)[1], after(step)[0], False) for step in moves if step != quiet):
        return False
    return not wins(after(quiet)[1], after(quiet)[0], False) and all(refutations(step) == 1 for step in captures)


def reconstructions() -> Iterator[str]:
    """Every position on a board of three columns that is as the paper says; takes long."""
    white, black = _bits("a5 b6"), _bits("a7 b7 c7 b8")
    # A white pawn on c6 could go to b7 at once, and a black pawn on row 8 would be in the way of the text.
    for whites in combinations([square for square in range(WIDTH * 5) if not white >> square & 1], 4):
        all_white = white | sum(1 << square for square in whites)
        free = [square for square in range(WIDTH, WIDTH * 7) if not (all_white | black) >> square & 1]
        for count in range(3):
            for blacks in combinations(free, count):
                all_black = black | sum(1 << square for square in blacks)
                if is_as_told(all_white, all_black):
                    yield picture(all_white, all_black)
                if wins.cache_info().currsize > _MOST_REMEMBERED:
                    wins.cache_clear()


def picture(white: int, black: int) -> str:
    squares = "".join("w" if white >> square & 1 else "b" if black >> square & 1 else "."
                      for square in range(WIDTH * HEIGHT))
    return "/".join(squares[WIDTH * row:WIDTH * (row + 1)] for row in reversed(range(HEIGHT)))


def pawns(picture: str) -> tuple[int, int]:
    """The bits of white's and of black's pawns."""
    squares = "".join(reversed(picture.split("/")))
    return (sum(1 << square for square, pawn in enumerate(squares) if pawn == "w"),
            sum(1 << square for square, pawn in enumerate(squares) if pawn == "b"))


def load() -> Game:
    """Breakthrough on this board: the game of the library with fewer columns."""
    text = ludorum.library.entry("breakthrough").text
    columns = "".join(f"(column {column})" for column in range(1, WIDTH + 1))
    # Columns and rows share their numbers there; a step aside must not leave the board.
    text = text.replace("(<= (init (cell ?x ?y ?content)) (index ?x) (row ?y ?content))",
                        f"{columns}\n(<= (init (cell ?x ?y ?content)) (column ?x) (row ?y ?content))")
    for left, right in (("?x1", "?x2"), ("?x2", "?x1")):
        text = text.replace(f"(<= (beside ?x1 ?x2) (succ {left} {right}))",
                            f"(<= (beside ?x1 ?x2) (succ {left} {right}) (column ?x1) (column ?x2))")
    return ludorum.load(text, name="breakthrough on three columns")


def state(game: Game, picture: str) -> State:
    """The state of a picture, white to move."""
    cells = [f"(cell {x} {8 - row} {({'w': 'white', 'b': 'black', '.': 'blank'})[pawn]})"
             for row, line in enumerate(picture.split("/")) for x, pawn in enumerate(line, start=1)]
    return game.state(" ".join([*cells, "(control white)"]))
