"""Which fluents make a difference in play, and the symmetries that are left of those that do nothing else."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

import ludorum
from ludorum.analysis.symmetry import find_symmetries
from ludorum.analysis.symmetry.in_play import in_play
from ludorum.analysis.symmetry.strata import Strata
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.ground import ground
from ludorum.search.canonicalization import core_symmetries
from ludorum.search.minimax import MinimaxSearch

LONG = 60.0

# Two lamps that a hand lights until both are lit, and stones that lie beside them.
LAMPS = """
(role hand) (lamp left) (lamp right) (init (time 0)) (after 0 1) (after 1 2) (after 2 3)
(<= (legal hand (light ?l)) (lamp ?l))
(<= (next (lit ?l)) (does hand (light ?l)))
(<= (next (lit ?l)) (true (lit ?l)))
(<= (next (time ?n)) (true (time ?m)) (after ?m ?n))
(<= terminal (true (time 3)))
(<= (goal hand 100) (true (lit left)) (true (lit right)))
(<= (goal hand 50) (true (lit ?l)) (lamp ?k) (not (true (lit ?k))))
(<= (goal hand 0) (not (true (lit left))) (not (true (lit right))))
(<= (next (stone ?s)) (true (stone ?s)))
"""


def stones(n: int) -> str:
    return LAMPS + " ".join(f"(init (stone s{i}))" for i in range(n))


def reasons(text: str) -> dict[str, str]:
    program = ground(ludorum.load(text).rules)
    told = in_play(Strata(program))
    return {str(fluent): reason for fluent, reason in zip(program.fluents, told, strict=True) if reason}


def test_what_nobody_moves_is_left_out_of_the_symmetries_in_play() -> None:
    symmetries = find_symmetries(ludorum.load(stones(7)), budget=Budget(LONG))
    assert symmetries.count == 2 * factorial(7) - 1  # the lamps may change places, and the stones at will
    assert symmetries.in_play == 1
    assert str(symmetries).startswith("1 symmetry in play; 10,079 with what makes no difference there (")
    assert symmetries.to_json()["in_play"] == 1


def test_searches_take_what_acts_in_play_and_no_stones() -> None:
    symmetries = find_symmetries(ludorum.load(stones(7)), budget=Budget(LONG))
    core = core_symmetries(symmetries)
    assert core is not None
    assert len(core) == 2


def test_where_only_stones_change_places_searches_have_nothing_to_merge() -> None:
    unlike = stones(7) + "(<= (legal hand rest) (true (lit left)))"
    symmetries = find_symmetries(ludorum.load(unlike), budget=Budget(LONG))
    assert (symmetries.count, symmetries.in_play) == (factorial(7) - 1, 0)
    assert core_symmetries(symmetries) is None


def test_a_search_from_a_state_that_never_comes_up_is_right() -> None:
    # A stone that is gone makes a lamp useless. In play none goes, so that both lamps are alike there.
    text = stones(2) + """
    (<= (goal hand 10) (true (lit left)) (not (true (stone s0))))
    (<= (goal hand 10) (true (lit right)) (not (true (stone s1))))
    """
    game = ludorum.load(text)
    symmetries = find_symmetries(game, budget=Budget(LONG))
    assert symmetries.count == symmetries.in_play == 1  # with the lamps change the stones
    for missing in ("(stone s0)", "(stone s1)"):
        held = [fluent for fluent in game.initial.fluents if str(fluent) != missing]
        state = game.state(held)
        plain, merged = (MinimaxSearch(game, goals=0, mobility=0, symmetries=known).search(state)
                         for known in (None, symmetries))
        assert plain.is_proved
        assert plain.values == merged.values


def test_the_reasons_why_fluents_make_no_difference() -> None:
    told = reasons(LAMPS + """
    (init (wall north)) (<= (next (wall ?w)) (true (wall ?w)))
    (<= (legal hand rest) (true (wall north)))
    (<= (legal hand climb) (true (wall south))) (<= (next (wall south)) (true (wall south)))
    (<= (next (seen ?l)) (does hand (light ?l)))
    (<= (next (echo ?l)) (true (seen ?l)))
    """)
    assert told["(wall north)"] == "always holds"
    # Nothing reads an echo, and what is seen is read by echoes only.
    assert {told[f"({what} {lamp})"] for what in ("seen", "echo") for lamp in ("left", "right")} == {"is not read"}
    assert not {"(lit left)", "(lit right)", "(time 0)", "(time 3)"} & told.keys()


def test_what_is_derived_from_itself_alone_may_be_false() -> None:
    # Were p taken to hold because q does and q because p does, the door would stay open for ever.
    told = reasons("""(role r) (init open) (legal r wait) (legal r knock)
    (<= (next open) (true open) p) (<= p q) (<= q p) (<= p (does r knock)) (<= q (does r knock))
    (<= terminal (not (true open))) (goal r 50)""")
    assert told == {}


def test_what_ends_only_after_a_while_makes_a_difference() -> None:
    told = reasons("""(role r) (init (step 1)) (init fuse) (after 1 2) (after 2 3) (after 3 4) (legal r wait)
    (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
    (<= (next fuse) (true fuse) (not (true (step 4)))) (<= terminal (not (true fuse))) (goal r 50)""")
    assert told == {}


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "othello", "hanoi", "pegsolitaire"])
def test_what_never_changes_never_changes_in_random_matches(name: str) -> None:
    game: Game = ludorum.load(name)
    program = ground(game.rules)
    told = in_play(Strata(program))
    still = {fluent: reason == "always holds" for fluent, reason in zip(program.fluents, told, strict=True)
             if reason in ("always holds", "never holds")}
    random = np.random.default_rng(0)
    for _ in range(5):
        state = game.initial
        while not state.is_terminal and (state.step or 0) < 60:
            assert all((fluent in state.fluents) == holds for fluent, holds in still.items())
            legal = {role: list(state.legal(role)) for role in game.roles}
            state = state.after({role: moves[random.integers(len(moves))] for role, moves in legal.items()})
