"""Games, states and moves as people use them, whichever engine answers."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from ludorum import Game, Move, Role
from ludorum.errors import (
    GameOver,
    IllegalMove,
    InvalidTerm,
    LudorumError,
    MissingMove,
    NoLegalMove,
    UnknownFluent,
    UnknownRole,
)
from ludorum.gdl import parse_term

ROW = "(mark 1 1) (mark 2 2) (mark 1 2) (mark 3 3) (mark 1 3)"
DRAW = "(mark 1 1) (mark 2 2) (mark 3 3) (mark 1 2) (mark 3 2) (mark 3 1) (mark 1 3) (mark 2 3) (mark 2 1)"


def test_a_full_row_ends_tictactoe(tictactoe: Game) -> None:
    state = tictactoe.replay(ROW)
    assert state.is_terminal
    assert state.goals == {"xplayer": 100, "oplayer": 0}


def test_a_replay_may_name_a_last_move_that_nobody_chose(tictactoe: Game) -> None:
    full = tictactoe.replay(DRAW)
    assert full.is_terminal
    assert full.goals == {"xplayer": 50, "oplayer": 50}
    before = tictactoe.replay(DRAW.removesuffix(" (mark 2 1)"))
    assert before.after() == full


def test_a_replay_takes_whole_joint_moves(tictactoe: Game) -> None:
    told = tictactoe.replay([["(mark 1 1)", "noop"], {"oplayer": "(mark 2 2)"}, Move("(mark 1 2)")])
    assert told == tictactoe.replay("(mark 1 1) (mark 2 2) (mark 1 2)")


def test_the_first_player_of_tictactoe_has_nine_moves(tictactoe: Game) -> None:
    legal = tictactoe.initial.legal("xplayer")
    assert len(legal) == 9
    assert "(mark 2 2)" in legal
    assert Move("(MARK 2 2)") in legal
    assert parse_term("(mark 2 2)") in legal
    assert "noop" not in legal
    assert next(iter(legal)) == legal[0] == Move("(mark 1 1)")
    assert list(tictactoe.initial.legal("oplayer")) == [Move("noop")]


@pytest.mark.parametrize("moves", [
    {"xplayer": "(mark 2 2)"},
    {"xplayer": Move("(mark 2 2)"), "oplayer": parse_term("noop")},
    ["(mark 2 2)", "noop"],
    "(mark 2 2)",
    Move("(mark 2 2)"),
    parse_term("(mark 2 2)"),
])
def test_a_joint_move_can_be_told_in_many_ways(tictactoe: Game, moves: object) -> None:
    state = tictactoe.initial.after(moves)  # type: ignore[arg-type]
    assert parse_term("(cell 2 2 x)") in state.fluents
    assert state == tictactoe.initial.after(xplayer="(mark 2 2)")


def test_states_are_equal_by_content_however_they_came_about(tictactoe: Game) -> None:
    one = tictactoe.replay("(mark 1 1) (mark 2 2) (mark 3 3)")
    other = tictactoe.replay("(mark 3 3) (mark 2 2) (mark 1 1)")
    assert one == other
    assert hash(one) == hash(other)
    assert one != tictactoe.initial
    assert len({one, other, tictactoe.initial}) == 2


def test_a_state_is_equal_to_one_of_another_loading_of_the_same_rules(tictactoe: Game) -> None:
    again = ludorum.load(tictactoe.rules.source.text, engine="reference")
    assert again.initial == tictactoe.initial
    assert hash(again.initial) == hash(tictactoe.initial)


def test_the_text_of_a_state_is_its_fluents_and_makes_it_again(tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 1 1) (mark 2 2)")
    assert "(cell 1 1 x)" in str(state).splitlines()
    assert tictactoe.state(str(state)) == state
    assert tictactoe.state(state.fluents) == state


def test_a_fluent_that_can_never_hold_is_named() -> None:
    with pytest.raises(UnknownFluent, match=r"\(cell 9 9 x\)"):
        ludorum.load("tictactoe", engine="circuit").state("(cell 1 1 x) (cell 9 9 x)")


def test_an_illegal_move_is_explained_with_place_and_alternatives(tictactoe: Game) -> None:
    state = tictactoe.replay("(mark 2 2) (mark 1 2)")
    with pytest.raises(IllegalMove) as caught:
        state.after(xplayer="(mark 2 2)")
    assert str(caught.value) == ("xplayer cannot play (mark 2 2) in tictactoe at step 3; "
                                 "legal: (mark 1 1), (mark 1 3), … 5 more")


def test_a_text_that_is_no_term_is_invalid_not_illegal(tictactoe: Game) -> None:
    with pytest.raises(InvalidTerm):
        tictactoe.initial.after(xplayer="(mark 2 2")


def test_a_role_with_a_choice_cannot_be_left_out(roshambo: Game) -> None:
    with pytest.raises(MissingMove, match="right has a choice in roshambo at step 1"):
        roshambo.initial.after(left="rock")
    with pytest.raises(MissingMove, match="left and right"):
        roshambo.initial.after("rock")
    with pytest.raises(MissingMove):
        roshambo.initial.after(["rock"])


def test_roles_choose_at_once_in_a_simultaneous_game(roshambo: Game) -> None:
    state = roshambo.initial.after(left="rock", right="scissors")
    assert state.goals == {"left": 100, "right": 0}
    assert roshambo.replay("paper scissors").goals == {"left": 0, "right": 100}


def test_a_goal_without_exactly_one_value_is_none(roshambo: Game) -> None:
    assert roshambo.replay("rock rock").goals == {"left": None, "right": None}


def test_nothing_can_be_played_after_the_end(tictactoe: Game) -> None:
    with pytest.raises(GameOver, match="tictactoe at step 6 is over"):
        tictactoe.replay(ROW).after(oplayer="(mark 2 1)")
    with pytest.raises(GameOver):
        tictactoe.replay(ROW + " (mark 2 1)")


def test_a_stuck_state_has_no_successor(cul_de_sac: Game) -> None:
    stuck = cul_de_sac.initial.after("go")
    assert not stuck.is_terminal
    assert not stuck.legal("walker")
    with pytest.raises(NoLegalMove, match="walker has no legal move in cul-de-sac at step 2"):
        stuck.after("go")
    assert cul_de_sac.expand(stuck) == []


def test_roles_are_strings_in_the_order_of_the_rules(tictactoe: Game) -> None:
    assert tictactoe.roles == ("xplayer", "oplayer")
    assert all(isinstance(role, Role) for role in tictactoe.roles)
    assert list(tictactoe.initial.legal("XPlayer")) == list(tictactoe.initial.legal("xplayer"))
    with pytest.raises(UnknownRole, match="tictactoe has no role white; its roles are xplayer, oplayer"):
        tictactoe.initial.legal("white")
    with pytest.raises(UnknownRole):
        tictactoe.initial.after(white="(mark 1 1)")


def test_moves_are_values_that_paste_back() -> None:
    move = Move("(mark 2 2)")
    assert repr(move) == "Move('(mark 2 2)')"
    assert str(move) == "(mark 2 2)"
    assert eval(repr(move)) == move == Move(parse_term("(MARK  2 2)")) == Move(move)
    assert hash(move) == hash(Move("(mark 2 2)"))
    assert move != Move("(mark 2 3)")
    assert sorted([Move("b"), Move("a")]) == [Move("a"), Move("b")]


def test_percepts_belong_to_the_arrival_not_to_the_state(coin: Game) -> None:
    flipped = coin.initial.after(random="(flip heads)")
    assert flipped.percepts == {"random": frozenset(), "guesser": {parse_term("flipped")}}
    guessed = flipped.after(guesser="(guess tails)")
    assert guessed.percepts["guesser"] == {parse_term("(was heads)")}
    assert guessed.goals["guesser"] == 0
    built = coin.state(guessed.fluents)
    assert built == guessed
    assert built.percepts == {"random": frozenset(), "guesser": frozenset()}


def test_expanding_gives_every_joint_move_with_its_successor(tictactoe: Game, roshambo: Game) -> None:
    successors = tictactoe.expand()
    assert {joint[0] for joint, _ in successors} == set(tictactoe.initial.legal("xplayer"))
    assert all(tictactoe.initial.after(joint) == state for joint, state in successors)
    assert len(roshambo.expand()) == 9
    assert len(roshambo.expand(limit=4)) == 4
    assert tictactoe.expand(tictactoe.replay(ROW)) == []


def test_tictactoe_can_begin_in_these_many_ways(tictactoe: Game) -> None:
    # Nobody can have a row before the fifth move: 9, 9·8, 9·8·7.
    assert tictactoe.perft(3) == [9, 72, 504]


def test_no_sequence_goes_on_after_the_end(roshambo: Game, cul_de_sac: Game) -> None:
    assert roshambo.perft(3) == [9, 0, 0]
    # Stay as often as you like, then go: two choices each time, and after `go` none.
    assert cul_de_sac.perft(3) == [2, 2, 2]


def test_playouts_end_in_the_states_of_the_game(tictactoe: Game) -> None:
    playouts = tictactoe.playouts(40, seed=3)
    assert len(playouts) == 40
    assert playouts.goals.shape == (40, 2)
    assert (playouts.goals.sum(axis=1) == 100).all()
    assert ((playouts.lengths >= 5) & (playouts.lengths <= 9)).all()
    assert playouts.count(ludorum.Outcome.FINISHED) == 40


def test_playouts_are_the_same_from_the_same_seed(tictactoe: Game) -> None:
    one, other = tictactoe.playouts(20, seed=5), tictactoe.playouts(20, seed=5)
    assert (one.goals == other.goals).all()
    assert (one.lengths == other.lengths).all()


def test_playouts_begin_where_they_are_told(tictactoe: Game) -> None:
    over = tictactoe.replay(ROW)
    playouts = tictactoe.playouts(3, over)
    assert list(playouts.lengths) == [0, 0, 0]
    assert playouts.mean_goals == {"xplayer": 100, "oplayer": 0}


def test_means_leave_out_undefined_goals_and_say_how_many(roshambo: Game) -> None:
    drawn = roshambo.playouts(4, roshambo.replay("rock rock"))
    assert drawn.mean_goals == {"left": None, "right": None}
    assert drawn.undefined_goals == {"left": 4, "right": 4}


@pytest.mark.parametrize("engine", ["circuit", "relations", "reference"])
def test_more_playouts_than_memory_has_room_for_are_refused_at_once(engine: str) -> None:
    # A playout of two roles takes nine bytes: two goals of two, a length of four and an outcome.
    with pytest.raises(ludorum.errors.TooLarge, match="1,000,000,000,000,000 playouts would take 9,000,000"):
        ludorum.load("tictactoe", engine=engine).playouts(10**15)


def test_playouts_tell_stuck_from_cut(cul_de_sac: Game) -> None:
    playouts = cul_de_sac.playouts(30, max_steps=2, seed=1)
    stuck, cut = playouts.count(ludorum.Outcome.STUCK), playouts.count(ludorum.Outcome.CUT)
    assert stuck + cut == 30
    assert stuck
    assert cut
    assert (playouts.lengths[playouts.outcomes == ludorum.Outcome.CUT] == 2).all()


def test_a_batch_steps_many_games_side_by_side() -> None:
    game = ludorum.load("tictactoe", engine="circuit")
    batch = game.batch(5)
    assert [plane.shape for plane in batch.legal] == [(5, 10), (5, 10)]
    assert batch.legal[0].sum() == 5 * 9
    chosen = [[batch.legal[0][row].argmax(), batch.legal[1][row].argmax()] for row in range(5)]
    batch.step(np.array(chosen))
    joint = [moves[number] for moves, number in zip(batch.moves, chosen[0], strict=True)]
    holding = {batch.fluent_terms[number] for number in np.flatnonzero(batch.fluents[0])}
    assert holding == game.initial.after(joint).fluents
    assert not batch.is_terminal.any()


def test_a_batch_knows_which_games_are_stuck_and_leaves_them_alone() -> None:
    game = ludorum.load("""
        (role walker) (role other)
        (init (at start))
        (<= (legal walker (go home)) (true (at start)))
        (<= (legal walker (go swamp)) (true (at start)))
        (legal other wait)
        (<= (next (at ?place)) (does walker (go ?place)))
        (<= terminal (true (at home)))
        (<= (goal walker 100) (true (at home)))
        (goal other 50)
    """, engine="circuit")
    batch = game.batch(2)
    assert not batch.is_over.any()
    home, swamp = (list(map(str, batch.moves[0])).index(f"(go {place})") for place in ("home", "swamp"))
    batch.step(np.array([[home, 0], [swamp, 0]]))
    assert batch.is_terminal.tolist() == [True, False]
    assert batch.is_stuck.tolist() == [False, True]
    assert batch.is_over.all()
    held = batch.fluents
    batch.step(batch.sample())
    assert (batch.fluents == held).all()
    batch.reset(batch.is_stuck)
    assert batch.is_over.tolist() == [True, False]


def test_an_engine_without_batches_says_so() -> None:
    with pytest.raises(LudorumError, match="the reference engine of tictactoe steps no batches"):
        ludorum.load("tictactoe", engine="reference").batch(2)


def test_a_game_says_which_engine_answers_and_why(tictactoe: Game) -> None:
    assert tictactoe.engine in ("circuit", "relations", "prolog", "reference")
    assert tictactoe.why == "it was asked for"
    assert tictactoe.report["load_seconds"] > 0


def test_there_is_no_engine_of_another_name() -> None:
    with pytest.raises(ValueError, match="no engine 'steam'"):
        ludorum.load("tictactoe", engine="steam")


def test_a_game_that_grounds_is_played_by_the_circuit() -> None:
    game = ludorum.load("tictactoe")
    assert game.engine == "circuit"
    assert game.why


def test_a_game_over_the_budget_of_grounding_is_played_without_grounding() -> None:
    # The counter nests terms without end, so no budget is enough.
    endless = """
        (role counter) (init (count zero)) (legal counter go)
        (<= (next (count (s ?n))) (true (count ?n)))
        (<= terminal (true (count (s (s (s zero))))))
        (<= (goal counter 100) terminal) (<= (goal counter 0) (not terminal))
    """
    game = ludorum.load(endless, seconds=1)
    assert game.engine == "relations"
    assert "budget" in game.why
    assert game.replay("go go go").goals == {"counter": 100}
    with pytest.raises(LudorumError):
        ludorum.load(endless, seconds=1, engine="circuit")


def test_the_choosers_are_the_roles_with_a_choice(tictactoe: Game) -> None:
    assert tictactoe.initial.choosers == ("xplayer",)
    assert tictactoe.replay("(mark 1 1)").choosers == ("oplayer",)
    assert ludorum.load("rockpaperscissors").initial.choosers == ("left", "right")
    over = tictactoe.replay("(mark 1 1) (mark 2 2) (mark 1 2) (mark 3 3) (mark 1 3)")
    assert over.is_terminal


def test_what_holds_is_asked_in_words(tictactoe: Game) -> None:
    state = tictactoe.initial
    assert state.holds("(control xplayer)")
    assert state.holds("(CONTROL XPlayer)")
    assert not state.holds("(control oplayer)")
    assert not state.holds("(something else)")
    assert "(cell 1 1 b)" in state.fluents
    assert Move("(cell 1 1 b)") in state.fluents
    assert "(cell 1 1 x)" not in state.fluents
    assert 7 not in state.fluents
    with pytest.raises(InvalidTerm):
        state.holds("(cell ?x 1 b)")
