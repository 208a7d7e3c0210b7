"""The library's games where everybody moves at once keep their rules."""

from __future__ import annotations

import pytest
from positions import load, terms

from ludorum import Move, State
from ludorum.errors import IllegalMove


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
