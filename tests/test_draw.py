"""States as text."""

from __future__ import annotations

import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.structures import structures
from ludorum.draw import draw_common
from ludorum.gdl.scrambling import scramble


def drawn(text: str) -> str:
    """A picture as it stands in a test, without the margin."""
    lines = text.strip("\n").splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[margin:].rstrip() for line in lines).rstrip()


def puzzle(initial: str, facts: str = "") -> Game:
    """A game where nothing ever happens, for the sake of its initial state."""
    return ludorum.load(f"""
        (role player) {facts} {initial}
        (legal player wait)
        (<= (next ?f) (true ?f))
        (goal player 100)
        (<= terminal (not (true nothing)))
        (<= (next nothing) (true nothing))
    """, engine="reference")


def test_rows_run_upwards_and_columns_to_the_right(tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 3 2)")
    assert ludorum.draw(state) == drawn("""
        3 . . .
        2 . . o
        1 x . .
          1 2 3

        (control xplayer)
    """)


def test_a_state_without_a_board_is_a_list_of_fluents(roshambo: Game) -> None:
    assert ludorum.draw(roshambo.replay("rock paper")) == "(played left rock)  (played right paper)"


def test_contents_are_shortened_to_letters_that_tell_them_apart() -> None:
    game = puzzle("(init (cell 1 1 ship)) (init (cell 2 1 station))"
                  "(init (cell 1 2 wall)) (init (cell 2 2 empty))")
    assert ludorum.draw(game.initial) == drawn("""
        2 # .
        1 s t
          1 2

        s ship  t station  # wall
    """)


def test_a_third_index_makes_boards_side_by_side() -> None:
    game = puzzle(" ".join(f"(init (cell {x} {y} {z} {'x' if x == y == z else 'blank'}))"
                           for x in (1, 2) for y in (1, 2) for z in (1, 2)))
    assert ludorum.draw(game.initial) == drawn("""
        cell … 1    cell … 2
        2 . .       2 . x
        1 x .       1 . .
          1 2         1 2
    """)


def test_a_value_for_each_of_some_things_is_no_board() -> None:
    game = puzzle("(init (bank left 3 3)) (init (bank right 0 0))")
    assert ludorum.draw(game.initial) == "(bank left 3 3)  (bank right 0 0)"


def test_names_without_contents_are_marks_on_the_board() -> None:
    game = puzzle("(init (cell 1 1 empty)) (init (cell 2 1 1)) (init (cell 1 2 empty)) (init (cell 2 2 2))"
                  "(init (food 1 1))")
    assert ludorum.draw(game.initial) == drawn("""
        2 . 2
        1 f 1
          1 2

        f food
    """)


def test_cells_that_do_not_exist_are_left_out() -> None:
    game = puzzle("(init (cell 2 1 peg)) (init (cell 1 2 peg)) (init (cell 2 2 hole)) (init (cell 3 2 peg))"
                  "(init (cell 2 3 peg))")
    assert ludorum.draw(game.initial) == drawn("""
        3   p
        2 p . p
        1   p
          1 2 3

        p peg
    """)


def test_an_axis_is_ordered_as_the_rules_count() -> None:
    game = puzzle("(init (cell one a x)) (init (cell two a y)) (init (cell three a z))"
                  "(init (cell one b x)) (init (cell two b y)) (init (cell three b z))",
                  facts="(succ one two) (succ two three)")
    assert ludorum.draw(game.initial) == drawn("""
        b     x     y     z
        a     x     y     z
            one   two three
    """)


def test_wide_contents_keep_the_columns_straight() -> None:
    game = puzzle("(init (cell 1 1 8)) (init (cell 2 1 12)) (init (cell 1 2 gap)) (init (cell 2 2 3))")
    assert ludorum.draw(game.initial) == drawn("""
        2  .  3
        1  8 12
           1  2
    """)


def test_a_board_is_found_by_what_its_fluents_do_not_by_what_they_are_called() -> None:
    plain = ludorum.load("eightpuzzle")
    scrambled = Game(scramble(plain.rules, 3))
    picture = ludorum.draw(plain.initial).splitlines()[:4]
    assert picture[3] == "  1 2 3"
    assert ludorum.draw(scrambled.initial).splitlines()[:4] == picture, "the gap is empty under any name"


def test_coordinates_may_come_last_and_contents_first() -> None:
    game = ludorum.load("""
        (role r) (succ 1 2) (succ 2 3) (succ 3 4) (dark stone) (light pebble)
        (<= (init (lies pebble ?x ?y)) (succ ?x ?a) (succ ?y ?b))
        (<= (legal r (turn ?x ?y)) (true (lies pebble ?x ?y)))
        (<= (turned ?x ?y) (does r (turn ?x ?y)))
        (<= (next (lies stone ?x ?y)) (turned ?x ?y))
        (<= (next (lies ?c ?x ?y)) (true (lies ?c ?x ?y)) (not (turned ?x ?y)))
        (<= open (true (lies pebble ?x ?y)) (succ ?x ?a) (succ ?y ?b))
        (<= terminal (not open)) (goal r 100)
    """)
    assert ludorum.draw(game.replay("(turn 1 2) (turn 3 3)")).splitlines()[:4] == [
        "3 p p s", "2 s p p", "1 p p p", "  1 2 3"]


def test_riders_are_drawn_on_top_of_their_trails() -> None:
    tron = ludorum.load("tron")
    structures(tron)  # in all the time it takes; for a picture there is not so much
    picture = ludorum.draw(tron.initial)
    assert "(head" not in picture
    assert "head red" in picture


def test_what_play_did_not_show_is_drawn_in_full() -> None:
    # The gem lies where somebody was lucky 24 times in a row; the cell 4 4 is no cell as far as play shows.
    succ = " ".join(f"(succ {n} {n + 1})" for n in range(40))
    game = ludorum.load(f"""
        (role r) (index 1) (index 2) (index 3) (init (luck 0)) (init (step 0)) {succ}
        (<= (init (cell ?x ?y b)) (index ?x) (index ?y))
        (<= (legal r (mark ?x)) (index ?x))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (luck ?m)) (true (luck ?n)) (succ ?n ?m) (does r (mark 2)))
        (<= (next (luck 0)) (not (does r (mark 2))))
        (<= lucky (true (luck 23)))
        (<= (next (cell 1 1 gem)) lucky) (<= (next (cell 4 4 gem)) lucky)
        (<= (next (cell ?x ?x x)) (does r (mark ?x)) (not (changed ?x ?x)))
        (<= (changed 1 1) lucky)
        (<= (marked ?x ?x) (does r (mark ?x)))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (changed ?x ?y)) (not (marked ?x ?y)))
        (<= terminal (true (step 30))) (goal r 100)
    """, engine="relations")
    picture = ludorum.draw(game.replay(" ".join(["(mark 2)"] * 24)))
    assert picture.splitlines()[:4] == ["3   .   .   .", "2   .   x   .", "1 gem   .   .", "    1   2   3"]
    assert "(cell 4 4 gem)" in picture


def test_coordinates_may_be_numbers_longer_than_python_reads() -> None:
    low, high = "1" * 5000, "2" * 5000
    cells = " ".join(f"(init (cell {x} {y} {'s' if x == y else 'blank'}))" for x in (low, high) for y in (low, high))
    text = ludorum.draw(puzzle(cells).initial)
    assert text.index(high) < text.index(low)
    moving = ludorum.load(f"""
        (role player) (after {low} {high}) (after {high} {"3" * 5000}) {cells}
        (<= (legal player (take ?x ?y)) (true (cell ?x ?y ?c)))
        (<= (next (cell ?x ?y taken)) (does player (take ?x ?y)))
        (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (does player (take ?x ?y))))
        (<= terminal (true (cell {low} {low} taken)))
        (goal player 100)
    """)
    text = ludorum.draw(moving.initial)
    assert text.index(high) < text.index(low)


def test_squares_with_names_of_their_own_are_drawn_where_two_relations_put_them() -> None:
    # What the relations are called says nothing, and neither does which of them comes first.
    squares = [file + rank for file in "abc" for rank in "123"]
    ranks = [(file + rank, file + above) for file in "abc" for rank, above in ("12", "23")]
    files = [(file + rank, beside + rank) for file, beside in ("ab", "bc") for rank in "123"]
    for first, second in ((ranks, files), (files, ranks)):
        game = ludorum.load(f"""
            (role painter)
            {" ".join(f"(init (at {square} {'red' if square in ('b1', 'c3') else 'blank'}))" for square in squares)}
            {" ".join(f"(this {one} {other})" for one, other in first)}
            {" ".join(f"(that {one} {other})" for one, other in second)}
            (<= (legal painter (paint ?s)) (true (at ?s blank)) (or (this ?s ?t) (that ?s ?t)))
            (<= (next (at ?s red)) (does painter (paint ?s)))
            (<= (next (at ?s ?c)) (true (at ?s ?c)) (not (does painter (paint ?s))))
            (<= terminal (true (at a1 red)) (true (at b3 red)))
            (goal painter 100)
        """)
        assert ludorum.draw(game.initial).startswith(drawn("""
            3 . . r
            2 . . .
            1 . r .
              a b c
        """))


def test_a_king_is_told_from_a_knight_of_its_colour() -> None:
    cells = " ".join(f"(init (cell {x} {y} {colour}{piece}))" for x, colour in ((1, "white"), (2, "black"))
                     for y, piece in ((1, "king"), (2, "knight"), (3, "pawn")))
    game = ludorum.load(f"(role white) (role black) {cells} (legal white wait) (legal black wait)"
                        "(<= (next ?f) (true ?f)) (goal white 0) (goal black 0) (<= terminal (not (true over)))"
                        "(<= (next over) (true over))", engine="reference")
    assert ludorum.draw(game.initial).startswith(drawn("""
        3 P p
        2 N n
        1 K k
    """))


def test_what_states_have_in_common_leaves_open_what_differs(tictactoe: Game) -> None:
    # One cross is known, one is on one of two cells, and who is in turn is the same.
    states = [tictactoe.replay(f"(mark 1 1) (mark 2 2) {third}") for third in ("(mark 3 3)", "(mark 3 1)")]
    assert draw_common(states) == drawn("""
        3 . . ?
        2 . o .
        1 x . ?
          1 2 3

        ? not known

        (control oplayer)
    """)


@pytest.mark.slow
def test_in_chess_files_and_ranks_have_labels_and_white_has_capitals() -> None:
    chess = ludorum.load("chess", engine="relations")
    assert ludorum.draw(chess.initial).startswith(drawn("""
        8 r n b q k b n r
        7 p p p p p p p p
        6 . . . . . . . .
        5 . . . . . . . .
        4 . . . . . . . .
        3 . . . . . . . .
        2 P P P P P P P P
        1 R N B Q K B N R
          a b c d e f g h

        b black bishop  k black king  n black knight  p black pawn  q black queen  r black rook
        B white bishop  K white king  N white knight  P white pawn  Q white queen  R white rook
    """))


def test_what_has_changed_stands_in_brackets(tictactoe: Game) -> None:
    before = tictactoe.replay("(mark 1 1)")
    assert ludorum.draw(before.after("(mark 3 2)"), since=before) == drawn("""
        3 . . .
        2 . .[o]
        1 x . .
          1 2 3

        (control xplayer)
    """)


def test_a_brief_drawing_counts_what_is_many_or_long_beside_a_board() -> None:
    many = " ".join(f"(init (kept {number} {'x' * 20}))" for number in range(9))
    game = puzzle("(init (cell 1 1 ship)) (init (cell 2 1 empty)) (init (cell 1 2 wall)) (init (cell 2 2 empty))"
                  f"(init (turn 3)) (init (long {'y' * 50})) {many}")
    assert ludorum.draw(game.initial, brief=True).splitlines()[-1] == "(turn 3)  … 10 more facts"
    assert "kept 7" in ludorum.draw(game.initial)
