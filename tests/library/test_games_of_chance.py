"""The library's games with chance or secrets keep their rules."""

from __future__ import annotations

import pytest
from positions import load, terms

from ludorum import State


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
