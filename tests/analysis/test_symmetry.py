"""Symmetries: those of the thesis on Fluxplayer (chapter 8), and those of boards that everybody knows."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import pytest

import ludorum
from collection import GAMES
from ludorum import Game
from ludorum.analysis.symmetry import Symmetries, Symmetry, agrees, find_symmetries, generated, small_group
from ludorum.analysis.symmetry.automorphisms import Graph, automorphisms
from ludorum.analysis.symmetry.rule_graph import RuleGraph
from ludorum.analysis.symmetry.symmetry import identity
from ludorum.clock import Budget
from ludorum.gdl.parsing import read
from ludorum.gdl.scrambling import scramble
from thesis_sheets import FIGURE_2_1

# Far more than anything here needs, on however busy a machine.
LONG = 60.0

# Coins in a row of three that all want to lie heads up; the middle one is glued to the table.
COINS = """
(role flipper) (place left) (place middle) (place right)
(init (tails left)) (init (tails middle))
(<= (legal flipper (flip ?p)) (place ?p) (distinct ?p middle))
(legal flipper rest)
(<= (next (tails ?p)) (true (tails ?p)) (not (does flipper (flip ?p))))
(<= (next (tails ?p)) (does flipper (flip ?p)) (not (true (tails ?p))))
(<= unhappy (true (tails ?p)))
(<= terminal (not unhappy))
(<= (goal flipper 100) (not unhappy))
(<= (goal flipper 0) unhappy)
"""


def lamps(n: int) -> str:
    """Lamps that are switched one by one and do not care which is which."""
    return (f"(role hand) {' '.join(f'(lamp l{i})' for i in range(n))}"
            "(<= (legal hand (press ?l)) (lamp ?l))"
            "(<= (next (on ?l)) (does hand (press ?l)) (not (true (on ?l))))"
            "(<= (next (on ?l)) (true (on ?l)) (not (does hand (press ?l))))"
            "(<= dark (lamp ?l) (not (true (on ?l))))"
            "(<= terminal (not dark)) (<= (goal hand 100) (not dark)) (<= (goal hand 0) dark)")


def found(text: str) -> Symmetries:
    return find_symmetries(ludorum.load(text), budget=Budget(LONG))


def as_states(symmetries: Symmetries) -> list[Callable[[str], str]]:
    """Every symmetry that keeps the roles, as a mapping of fluents."""
    words, group = symmetries.words, symmetries.group()
    assert words is not None
    assert group is not None
    names = [str(fluent) for fluent in words.fluents]
    return [dict(zip(names, (names[image] for image in symmetry.fluents), strict=True)).__getitem__
            for symmetry in group]


# ---- the thesis ----

@pytest.fixture(scope="module")
def figure() -> Symmetries:
    return found(FIGURE_2_1)


def test_the_rules_of_the_thesis_show_all_symmetries_of_a_square(figure: Symmetries) -> None:
    assert figure.by_rules.count == figure.by_ground.count == figure.count == 7
    assert figure.by_rules.keeping_initial == figure.by_ground.keeping_initial == 7
    # Each of the eight can be made with x and o exchanged; but then nobody moves whose turn it is.
    assert figure.by_rules.moving_roles == figure.by_ground.moving_roles == 8


def test_a_quarter_turn_takes_the_board_of_figure_8_2_where_the_thesis_says(figure: Symmetries) -> None:
    table = {
        "(cell a 1 x)": "(cell c 1 x)", "(cell b 1 x)": "(cell c 2 x)", "(cell c 1 blank)": "(cell c 3 blank)",
        "(cell a 2 blank)": "(cell b 1 blank)", "(cell b 2 o)": "(cell b 2 o)", "(cell c 2 blank)": "(cell b 3 blank)",
        "(cell a 3 blank)": "(cell a 1 blank)", "(cell b 3 blank)": "(cell a 2 blank)", "(cell c 3 o)": "(cell a 3 o)"}
    turns = [image for image in as_states(figure) if all(image(cell) == to for cell, to in table.items())]
    assert len(turns) == 1


def test_the_states_of_figure_8_1_are_symmetric_only_if_the_roles_are_exchanged() -> None:
    # x in two corners of the left side and o in the middle; on the other board it is the other way round, on the right.
    symmetries = found(FIGURE_2_1)
    left = {"(cell a 1 x)", "(cell a 3 x)", "(cell b 2 o)"}
    right = {"(cell c 1 o)", "(cell c 3 o)", "(cell b 2 x)"}
    assert not any({image(cell) for cell in left} == right for image in as_states(symmetries))
    words = symmetries.words
    assert words is not None
    everything = generated([*symmetries.generators, *symmetries.best.role_generators], identity(words), 100)
    assert everything is not None
    assert len(everything) == 16
    number = {str(fluent): i for i, fluent in enumerate(words.fluents)}
    exchanging = [symmetry for symmetry in everything
                  if {symmetry.fluents[number[cell]] for cell in left} == {number[cell] for cell in right}]
    assert exchanging
    assert all(symmetry.roles == (1, 0) for symmetry in exchanging)


def test_the_graph_of_figure_8_3_lets_the_first_two_arguments_of_cell_change_places_with_those_of_mark() -> None:
    drawn = RuleGraph(read("(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)))", "figure.kif"), goal_values=())
    (group,) = automorphisms(drawn.graph, [drawn.colours(keep_roles=True)], Budget(LONG))
    assert group.order == 2
    (generator,) = group.generators
    scrambling = drawn.scrambling(generator)
    assert scrambling.places["cell", 3] == (1, 0, 2)
    assert scrambling.places["mark", 2] == (1, 0)
    assert all(name == new for (name, _), new in scrambling.names.items())


def test_a_superfluous_rule_hides_symmetries_from_the_rule_graph_alone() -> None:
    # Section 8.5. The rule never holds, but a and c are no longer alike: what is left is to exchange 1 and 3.
    hidden = found(FIGURE_2_1 + "(<= (p a) (distinct a a))")
    assert hidden.by_rules.count == 1
    assert hidden.by_ground.count == hidden.count == 7


def test_a_longer_name_for_one_column_hides_symmetries_from_the_rule_graph_alone() -> None:
    # Section 8.5: no single vertex stands for (f a), so c cannot take its place.
    hidden = found(FIGURE_2_1.replace(" a ", " (f a) "))
    assert hidden.by_rules.count == 1
    assert hidden.count == 7


def test_where_both_coordinates_have_the_same_names_the_rule_graph_shows_fewer(tictactoe: Game) -> None:
    # Exchanging 1 and 3 turns the board by half; exchanging the arguments reflects it; and both together.
    symmetries = find_symmetries(tictactoe, budget=Budget(LONG))
    assert symmetries.by_rules.count == 3
    if tictactoe.engine == "circuit":
        assert symmetries.by_ground.count == symmetries.count == 7
    else:
        assert symmetries.by_ground.count is None
        assert symmetries.count == 3


def test_symmetries_that_the_initial_state_does_not_have_are_found_and_told_apart() -> None:
    # Section 8.3. Left and right are alike but for how they lie at first.
    symmetries = found(COINS)
    for way in (symmetries.by_rules, symmetries.by_ground):
        assert (way.count, way.keeping_initial) == (1, 0)
    everyone_down = found(COINS + "(init (tails right))")
    assert everyone_down.best.keeping_initial == 1


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "by_rules", "count"), [
    ("ggp.org/ticTacToe", 3, 7), ("ggp.org/peg", None, 7), ("dresden/asteroids", None, 7), ("dresden/8puzzle", None, 1),
    ("ggp.org/chineseCheckers1", None, 1), ("ggp.org/connect4", None, 1), ("dresden/tictictoe", None, 7),
    ("ggp.org/ticTacToeParallel", None, 127),
])
def test_games_of_the_thesis_have_as_many_symmetries_as_table_8_1_says(name: str, by_rules: int | None,
                                                                        count: int) -> None:
    symmetries = found(str(GAMES / f"{name}.kif"))
    assert symmetries.count == count
    if by_rules is not None:
        assert symmetries.by_rules.count == by_rules


@pytest.mark.corpus
def test_a_sheet_with_wrong_facts_has_fewer_symmetries_than_the_thesis_counted() -> None:
    # A world of 20 fields, but going back from the first ones ends up at 8, 9 and 10 as if there were ten.
    text = (GAMES / "dresden" / "asteroidsparallel.kif").read_text()
    assert found(text).count == 1
    for field, back in ((1, -3), (1, -2), (1, -1), (2, -3), (2, -2), (3, -3)):
        text = text.replace(f"(map+ {field} {back} {field + back + 10})", f"(map+ {field} {back} {field + back + 20})")
    assert found(text).count == 127


@pytest.mark.corpus
def test_a_square_that_can_never_be_blank_breaks_the_symmetry_of_a_board() -> None:
    text = (GAMES / "ggp.org" / "knightmove.kif").read_text()
    assert found(text).count == 1
    assert found(text + "(init (cell a 1 b))").count == 7


# ---- other games ----

@pytest.mark.parametrize("n", [3, 25])
def test_things_that_can_change_places_at_will_are_counted_exactly(n: int) -> None:
    symmetries = found(lamps(n))
    assert symmetries.by_rules.count == symmetries.by_ground.count == factorial(n) - 1


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "pegsolitaire", "hanoi", "lightsout", "breakthrough"])
def test_random_games_are_carried_to_games_by_every_symmetry(name: str) -> None:
    game = ludorum.load(name)
    symmetries = find_symmetries(game, budget=Budget(LONG))
    found = [*symmetries.generators, *symmetries.best.role_generators]
    assert found
    assert all(agrees(game, symmetry, walks=32, steps=64, seed=7) for symmetry in found)


def test_what_is_no_symmetry_does_not_agree_with_random_games() -> None:
    game = ludorum.load(FIGURE_2_1)
    words = find_symmetries(game, budget=Budget(LONG)).words
    assert words is not None
    same = identity(words)
    assert agrees(game, same)
    names = list(map(str, words.fluents))
    corner, edge = names.index("(cell a 1 blank)"), names.index("(cell a 2 blank)")
    wrong = list(same.fluents)
    wrong[corner], wrong[edge] = edge, corner
    assert not agrees(game, Symmetry(tuple(wrong), same.moves, same.roles))


def test_names_make_no_difference() -> None:
    rules = scramble(read(FIGURE_2_1, "figure.kif"), seed=5)
    symmetries = find_symmetries(Game(rules), budget=Budget(LONG))
    assert (symmetries.by_rules.count, symmetries.by_ground.count) == (7, 7)


def test_chance_never_changes_places_with_a_player(coin: Game) -> None:
    symmetries = find_symmetries(coin, budget=Budget(LONG))
    assert symmetries.best.moving_roles == 0
    assert symmetries.count == 1  # heads and tails
    assert str(symmetries).startswith("1 symmetry (")
    assert "1 of them keeps the initial state" in str(symmetries)


def test_what_is_not_found_in_time_is_said(figure: Symmetries) -> None:
    late = find_symmetries(ludorum.load(FIGURE_2_1), budget=Budget(0))
    assert late.count == 0
    assert late.by_rules.count is None
    assert late.by_rules.remark == "not found within the budget"
    assert "not found within the budget" in str(late)
    assert str(figure).startswith("7 symmetries (rule graph: 7; ground program: 7; ")


def test_only_what_keeps_every_edge_and_colour_is_an_automorphism() -> None:
    graph = Graph(["a", "a", "b"], [(0, 2), (1, 2)])
    assert graph.is_automorphism((1, 0, 2))
    assert not graph.is_automorphism((2, 1, 0))  # another colour
    assert not graph.is_automorphism((0, 0, 2))  # no permutation
    assert not Graph(["a", "a", "b"], [(0, 2)]).is_automorphism((1, 0, 2))


def test_a_symmetry_is_told_in_the_words_of_the_game() -> None:
    told = found(COINS).to_json()
    assert told["count"] == 1
    assert told["generators"] == [{"fluents": {"(tails left)": "(tails right)", "(tails right)": "(tails left)"},
                                   "moves": {"flipper": {"(flip left)": "(flip right)", "(flip right)": "(flip left)"}},
                                   "roles": {}}]


def test_a_group_that_is_too_large_is_cut_to_a_part_that_is_a_group() -> None:
    symmetries = found(lamps(6))
    assert symmetries.words is not None
    assert symmetries.group(most=100) is None  # of 720
    group = small_group(symmetries.generators, symmetries.words, 100)
    assert 1 < len(group) <= 100
    assert all(one.then(other) in group for one in group for other in group)
