"""Monotonicity, strong winnability and well-formedness: Definitions 2.10 to 2.12 of Schiffel's thesis."""

from __future__ import annotations

from itertools import product

import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.proofs import Proof, prove
from ludorum.clock import Budget

# Two count their own steps; whoever presses three times has 100.
PRESSING = """
(role a) (role b)
(init (pressed a 0)) (init (pressed b 0)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r press) (role ?r))
(<= (legal ?r wait) (role ?r))
(<= (next (pressed ?r ?n)) (does ?r press) (true (pressed ?r ?m)) (succ ?m ?n))
(<= (next (pressed ?r ?n)) (does ?r wait) (true (pressed ?r ?n)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3)))
(<= (goal ?r 100) (true (pressed ?r 3)))
(<= (goal ?r 50) (true (pressed ?r 2)))
(<= (goal ?r 20) (true (pressed ?r 1)))
(<= (goal ?r 0) (true (pressed ?r 0)))
"""
# The same, but b can take away what a has pressed.
SPOILING = PRESSING.replace("(<= (next (pressed ?r ?n)) (does ?r wait) (true (pressed ?r ?n)))", """
(<= (next (pressed a 0)) (does b wait))
(<= (next (pressed a ?n)) (does a wait) (does b press) (true (pressed a ?n)))
(<= (next (pressed b ?n)) (does b wait) (true (pressed b ?n)))
""").replace("(does ?r press) (true (pressed ?r ?m)) (succ ?m ?n))",
             "(does ?r press) (does b press) (true (pressed ?r ?m)) (succ ?m ?n))")


def _asked(game: Game, name: str) -> Proof:
    (found,) = prove(game, name, budget=Budget(20))
    return found


def _never_falls(game: Game) -> bool:
    """By the definition: in all states, as `expand` gives them."""
    met, open_states = {game.initial}, [game.initial]
    while open_states:
        state = open_states.pop()
        if any(goal is None for goal in state.goals.values()):
            return False
        for _, after in () if state.is_terminal else game.expand(state):
            if any((after.goals[role] or 0) < (state.goals[role] or 0) for role in game.roles):
                return False
            if after not in met:
                met.add(after)
                open_states.append(after)
    return True


def _has_winning_sequence(game: Game, length: int) -> bool:
    """By the definition: every sequence of moves of every role, against every sequence of the other."""
    for role, other in (game.roles, game.roles[::-1]):
        moves = {who: [str(move) for move in game.initial.legal(who)] for who in (role, other)}
        for plan in product(moves[role], repeat=length):
            ends = [game.replay([{role: mine, other: theirs} for mine, theirs in zip(plan, replies, strict=True)])
                    for replies in product(moves[other], repeat=length)]
            if all(end.goals[role] == 100 for end in ends):
                return True
    return False


@pytest.mark.parametrize("rules", [PRESSING, SPOILING])
def test_what_the_definitions_say_of_all_states_is_what_is_proved(rules: str) -> None:
    game = ludorum.load(rules)
    assert (_asked(game, "monotonic").verdict == "proved") == _never_falls(game)
    assert (_asked(game, "strongly_winnable").verdict == "proved") == _has_winning_sequence(game, 3)


def test_whoever_presses_on_wins_and_the_game_is_well_formed() -> None:
    game = ludorum.load(PRESSING)
    assert _asked(game, "monotonic").verdict == "proved"
    strong = _asked(game, "strongly_winnable")
    assert strong.verdict == "proved"
    assert "press press press" in strong.says
    assert _asked(game, "well_formed").verdict == "proved"


def test_goals_that_can_be_taken_away_are_not_monotonic_and_the_match_shows_it() -> None:
    game = ludorum.load(SPOILING)
    found = _asked(game, "monotonic")
    assert found.verdict == "refuted"
    assert found.moves is not None
    before, after = game.replay(found.moves[:-1]), game.replay(found.moves)
    assert any((after.goals[role] or 0) < (before.goals[role] or 0) for role in game.roles)


def test_tictactoe_is_not_monotonic_as_the_thesis_says_of_its_figure_and_nobody_wins_blindly() -> None:
    game = ludorum.load("tictactoe")
    assert _asked(game, "monotonic").verdict == "refuted"
    assert _asked(game, "strongly_winnable").verdict == "refuted"
    found = _asked(game, "well_formed")
    assert found.verdict == "refuted"
    assert found.method.startswith("monotonic is refuted")


def test_a_puzzle_is_strongly_winnable_if_it_can_be_solved() -> None:
    assert _asked(ludorum.load("wolfgoatcabbage"), "strongly_winnable").verdict == "proved"
