"""The relations engine answers as the circuit and the definition do, also where nothing can be grounded."""

from __future__ import annotations

import itertools
import random
import threading
import time

import pytest

import ludorum
from collection import GAMES, ORACLE
from ludorum import Game, State, gdl
from ludorum.clock import NEVER
from ludorum.engines.relations import RelationsReasoner
from ludorum.errors import BudgetExceeded, TooLarge, TooSlow, UnknownFluent, UnstratifiedRules
from ludorum.match.trace import compare_trace, read_trace
from ludorum.relations import plan_joins

pytestmark = pytest.mark.slow

# Turn-taking and simultaneous, one role to three, chance, counting, and recursion through connected stones.
LIBRARY = ["atarigo", "blackjack", "blocksworld", "breakthrough", "chinesecheckers3", "colonelblotto", "draughts",
           "hex", "kalah", "meier", "pentago", "sokoban", "tictactoe3p", "tron"]

TRACED = ["ggp.org/pancakes6", "ggp.org/connectFour", "ggp.org/chess_200", "ggp.org/laikLee_hex",
          "ggp.org/sudokuGrade1",
          "dresden/numbertictactoe", "gdl2/transit", "gdl2/meier-2"]


def described(state: State) -> tuple[object, ...]:
    """Every answer about a state."""
    return (state.fluents, state.is_terminal, state.goals,
            {role: tuple(state.legal(role)) for role in state.game.roles}, state.percepts)


def walk_together(games: list[Game], steps: int, seed: int) -> int:
    """Walks all games along the same random moves and compares every answer; returns the states seen."""
    chooser = random.Random(seed)
    states = [game.initial for game in games]
    for step in range(steps):
        answers = [described(state) for state in states]
        assert all(answer == answers[0] for answer in answers), f"step {step} of {games[0].name}"
        first = states[0]
        moves = [first.legal(role) for role in first.game.roles]
        if first.is_terminal or not all(moves):
            return step + 1
        joint = [chooser.choice(of_role) for of_role in moves]
        states = [state.after(joint) for state in states]
    return steps


@pytest.mark.parametrize("name", LIBRARY)
def test_walks_through_the_library_are_those_of_the_circuit(name: str) -> None:
    games = [ludorum.load(name, engine=engine) for engine in ("circuit", "relations")]
    assert sum(walk_together(games, steps=25, seed=seed) for seed in range(2)) >= 4


@pytest.mark.parametrize("name", ["montyhall", "nim", "rockpaperscissors", "tictactoe"])
def test_walks_are_those_of_the_definition(name: str) -> None:
    walk_together([ludorum.load(name, engine=engine) for engine in ("reference", "relations")], steps=12, seed=3)


@pytest.mark.corpus
@pytest.mark.parametrize("name", TRACED)
def test_traces_of_another_prover_replay_without_grounding(name: str) -> None:
    game = ludorum.load(GAMES / f"{name}.kif", engine="relations")
    compared = compare_trace(game, read_trace(ORACLE / f"{name}.json.gz"))
    assert compared.is_complete
    assert not compared.mismatches


def test_counts_of_sequences_are_those_of_the_circuit() -> None:
    for name in ("tictactoe", "breakthrough", "rockpaperscissors"):
        assert ludorum.load(name, engine="relations").perft(3) == ludorum.load(name, engine="circuit").perft(3)


def test_a_slow_machine_makes_the_same_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = gdl.parse(ludorum.load("tictactoe").rules.source.text)
    fast = plan_joins(rules)
    # Every look at a clock of Python's is an hour after the one before.
    hours = itertools.count(step=3600.0)
    monkeypatch.setattr(time, "process_time", lambda: next(hours))
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))
    monkeypatch.setattr(time, "perf_counter", lambda: next(hours))
    slow = plan_joins(rules)
    assert slow.report["planning_seconds"] >= 3600
    assert slow.report["trials"] == fast.report["trials"] > 3
    assert str(slow.program) == str(fast.program)


def test_plans_that_work_are_made_no_better_when_the_time_to_load_is_over() -> None:
    hurried, unhurried = (ludorum.load("tictactoe", engine="relations", seconds=seconds) for seconds in (1e-6, 60))
    assert hurried.report["plans"]["trials"] == 1 < unhurried.report["plans"]["trials"]
    assert hurried.perft(3) == [9, 72, 504]


def test_playouts_do_not_depend_on_threads() -> None:
    game = ludorum.load("connectfour", engine="relations")
    alone = game.playouts(300, seed=5)
    together = game.playouts(300, seed=5, threads=3)
    assert (alone.goals == together.goals).all()
    assert (alone.lengths == together.lengths).all()
    assert (game.playouts(300, seed=6).lengths != alone.lengths).any()


def test_random_moves_are_chosen_uniformly() -> None:
    rules = """
        (role r) (legal r a) (legal r b) (legal r (c 1)) (legal r (c 2))
        (<= (next (did ?m)) (does r ?m)) (<= terminal (true (did ?m)))
        (value a 10) (value b 20) (value (c 1) 30) (value (c 2) 40)
        (<= (goal r ?v) (true (did ?m)) (value ?m ?v))
    """
    goals = ludorum.load(rules, engine="relations").playouts(8000, seed=2).goals[:, 0]
    counts = [(goals == value).sum() for value in (10, 20, 30, 40)]
    assert sum(counts) == 8000
    # 2000 each, six standard deviations of a binomial at most.
    assert all(abs(count - 2000) < 6 * (8000 * 0.25 * 0.75) ** 0.5 for count in counts)


WAYS = """
(role walker)
(edge a b) (edge b c) (edge c a) (edge d e) (edge e e)
(node a) (node b) (node c) (node d) (node e)
(init (at a))
(<= (legal walker (jump ?x)) (node ?x))
(<= (next (at ?x)) (does walker (jump ?x)))
(<= (next (open ?x ?y)) (true (open ?x ?y)))
(<= (next (open ?x ?y)) (true (at ?x)) (does walker (jump ?y)))
(<= (way ?x ?y) (true (open ?x ?y)))
(<= (way ?x ?z) (way ?x ?y) (way ?y ?z))
(<= (static_way ?x ?y) (edge ?x ?y))
(<= (static_way ?x ?z) (edge ?x ?y) (static_way ?y ?z))
(<= (cut_off ?x) (node ?x) (true (at ?y)) (not (way ?y ?x)))
(<= (goal walker 100) (true (at ?x)) (way ?x ?x) (static_way ?x ?x))
(<= (goal walker 50) (true (at ?x)) (not (way ?x ?x)) (static_way ?x ?x))
(<= (goal walker 0) (true (at ?x)) (not (static_way ?x ?x)))
(<= (legal walker rest) (cut_off d))
(<= terminal (true (open d e)))
"""


def test_recursion_through_cycles_of_static_and_changing_relations() -> None:
    games = [ludorum.load(WAYS, engine=engine) for engine in ("reference", "relations")]
    for seed in range(2):
        walk_together(games, steps=8, seed=seed)


def test_terms_nest_to_any_depth() -> None:
    rules = """
        (role counter) (init (count zero)) (legal counter go) (legal counter stop)
        (<= (next (count (s ?n))) (true (count ?n)) (does counter go))
        (<= (next (count ?n)) (true (count ?n)) (does counter stop))
        (<= (next halted) (does counter stop))
        (<= (even zero)) (<= (even (s (s ?n))) (even ?n))
        (<= terminal (true halted))
        (<= (goal counter 100) (true (count ?n)) (even ?n))
        (<= (goal counter 0) (true (count ?n)) (not (even ?n)))
    """
    game = ludorum.load(rules, engine="relations")
    state = game.initial
    for step in range(300):
        assert state.goals == {"counter": 100 if step % 2 == 0 else 0}
        if step == 6:
            assert str(state) == "(count (s (s (s (s (s (s zero)))))))"
        state = state.after("go")


# A walk through a graph by a stack and a list of visited nodes, with facts about lists that leave variables open.
SEARCHING = """
(role walker)
(edge a b) (edge b c) (edge c a) (edge c d) (edge e f)
(node a) (node b) (node c) (node d) (node e) (node f)
(init (at a))
(<= (legal walker (jump ?y)) (true (at ?x)) (node ?y) (reaches (cons ?x nil) ?y nil))
(<= (next (at ?y)) (does walker (jump ?y)))
(<= (reaches (cons ?goal ?rest) ?goal ?visited))
(<= (reaches (cons ?x ?rest) ?goal ?visited)
    (children ?x ?kids) (without ?kids ?visited ?new) (append ?new ?rest ?stack)
    (reaches ?stack ?goal (cons ?x ?visited)))
(children a (cons b nil)) (children b (cons c nil)) (children c (cons a (cons d nil))) (children d nil)
(children e (cons f nil)) (children f nil)
(<= (without nil ?list nil))
(<= (without (cons ?x ?rest) ?list (cons ?x ?left)) (not (lmember ?x ?list)) (without ?rest ?list ?left))
(<= (without (cons ?x ?rest) ?list ?left) (lmember ?x ?list) (without ?rest ?list ?left))
(<= (append nil ?list ?list))
(<= (append (cons ?x ?l) ?list (cons ?x ?new)) (append ?l ?list ?new))
(<= (lmember ?x (cons ?x ?rest)))
(<= (lmember ?x (cons ?y ?rest)) (distinct ?x ?y) (lmember ?x ?rest))
(<= terminal (true (at d)))
(<= (goal walker 100) (true (at d))) (<= (goal walker 0) (not (true (at d))))
"""


def test_lists_of_any_length_are_taken_apart_and_never_asked_for_whole() -> None:
    game = ludorum.load(SEARCHING, engine="relations", memory_mb=256)
    reached = {"a": "abcd", "b": "abcd", "c": "abcd", "d": "d", "e": "ef", "f": "f"}
    for node, others in reached.items():
        moves = game.state(f"(at {node})").legal("walker")
        assert set(map(str, moves)) == {f"(jump {other})" for other in others}


def test_a_goal_that_depends_on_another_goal_not_being_reached() -> None:
    rules = """
        (role r) (legal r win) (legal r lose)
        (<= (next (did ?m)) (does r ?m))
        (<= terminal (true (did ?m)))
        (<= (goal ?r 100) (role ?r) (true (did win)))
        (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
    """
    game = ludorum.load(rules, engine="relations")
    assert game.initial.after("win").goals == {"r": 100}
    assert game.initial.after("lose").goals == {"r": 0}


def test_rules_that_depend_on_their_own_negation_are_refused() -> None:
    rules = """
        (role r) (init (at 1)) (legal r go) (<= (next (at ?x)) (true (at ?x)))
        (<= odd (true (at 1)) (not even)) (<= even (true (at 1)) (not odd))
        (<= terminal odd) (goal r 0)
    """
    with pytest.raises(UnstratifiedRules):
        assert ludorum.load(rules, engine="relations").initial.is_terminal


# ---- budgets ----

GROWING = """
(role r) (init (at zero)) (legal r go) (legal r look)
(<= (next (at zero)) (does r go))
(<= (number zero)) (<= (number (s ?n)) (number ?n))
(<= (next (seen ?n)) (does r look) (number ?n))
(<= terminal (true (at end))) (goal r 0)
"""


def reasoner(rules: str, *, seconds: float, memory_mb: int) -> RelationsReasoner:
    return RelationsReasoner(plan_joins(gdl.parse(rules), seconds=seconds, memory_mb=memory_mb))


def test_relations_that_grow_for_ever_end_at_the_budget_of_memory_and_life_goes_on() -> None:
    engine = reasoner(GROWING, seconds=60, memory_mb=64)
    go, look = (gdl.parse_term(text) for text in ("go", "look"))
    with pytest.raises(TooLarge, match="memory"):
        engine.after(engine.initial, [look])
    assert engine.after(engine.initial, [go]) == engine.initial


def test_a_question_ends_at_its_budget_of_time_and_life_goes_on() -> None:
    engine = reasoner(GROWING, seconds=0.05, memory_mb=512)
    with pytest.raises(TooSlow, match="time"):
        engine.after(engine.initial, [gdl.parse_term("look")])
    assert not engine.is_terminal(engine.initial)


def test_deep_recursion_is_no_trouble_or_ends_at_its_budget() -> None:
    # A chain of negations: whoever cannot move to a losing number loses, and numbers are long.
    numbers = " ".join(f"(succ {i} {i + 1})" for i in range(6000))
    rules = f"""
        (role r) {numbers} (init (at 5999)) (legal r go) (<= (next (at ?x)) (true (at ?x)))
        (<= (deep ?x) (succ ?y ?x) (deep ?y)) (deep 0)
        (<= (wins ?x) (succ ?y ?x) (not (wins ?y)))
        (<= terminal (true (at ?x)) (deep ?x))
        (<= (goal r 100) (true (at ?x)) (wins ?x)) (<= (goal r 0) (true (at ?x)) (not (wins ?x)))
    """
    engine = reasoner(rules, seconds=20, memory_mb=1024)
    assert engine.is_terminal(engine.initial)
    with pytest.raises(BudgetExceeded):
        engine.goals(engine.initial)
    assert engine.is_terminal(engine.initial)


# ---- values ----

def test_fluents_of_other_symbols_cannot_hold() -> None:
    game = ludorum.load("tictactoe", engine="relations")
    with pytest.raises(UnknownFluent, match="dragon"):
        game.state("(cell 1 1 dragon)")


def test_states_that_outgrow_their_rows_are_values_all_the_same() -> None:
    # Random play stops early, so that nobody expects the numbers that come later.
    numbers = " ".join(f"(succ {i} {i + 1})" for i in range(2000))
    rules = f"""
        (role r) {numbers} (init (at 0)) (legal r go) (legal r stop)
        (<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y))
        (<= (next over) (does r stop))
        (<= terminal (true over)) (goal r 0)
    """
    game = ludorum.load(rules, engine="relations")
    states = [game.initial]
    for _ in range(2000):
        states.append(states[-1].after("go"))
    assert len({state.position for state in states}) == 2001
    assert game.state("(at 2000)").position == states[-1].position
    length = game.playouts(50, states[1990], seed=1).mean_length
    assert length is not None
    assert length < 10


def test_threads_may_ask_at_the_same_time() -> None:
    game = ludorum.load("draughts", engine="relations")
    alone = described(game.initial)
    seen: list[object] = []
    threads = [threading.Thread(target=lambda: seen.append(described(game.initial))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [alone] * 8


@pytest.mark.parametrize("player", ["mcts:playouts=200,seed=1", "minimax:depth=2"])
def test_the_searches_of_the_core_play_with_relations(player: str) -> None:
    # One move wins at once, and every search sees it.
    game = ludorum.load("tictactoe", engine="relations")
    state = game.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)")
    playing = ludorum.players.join_match(ludorum.players.named(player), game, game.roles[0])
    assert str(playing.move(state, NEVER)) == "(mark 1 3)"


@pytest.mark.parametrize("name", ["tictactoe", "nim", "rockpaperscissors", "connectfour"])
def test_playouts_are_the_same_whether_their_states_were_met_before_or_not(name: str) -> None:
    # The first two have few states, which are soon all remembered; the last has so many that remembering is given up.
    fresh, used = (ludorum.load(name, engine="relations") for _ in range(2))
    used.playouts(3000, seed=1)
    for max_steps in (10_000, 3):
        first = fresh.playouts(200, seed=9, max_steps=max_steps)
        second = used.playouts(200, seed=9, max_steps=max_steps, threads=2)
        assert (first.goals == second.goals).all()
        assert (first.lengths == second.lengths).all()
        assert (first.outcomes == second.outcomes).all()


def test_playouts_that_remember_end_where_a_replay_says() -> None:
    # Every match of this game takes one, two or three steps, all moves equally likely.
    rules = """(role r) (init (at 0)) (up 0 1) (up 1 2) (up 2 3)
        (<= (legal r go) (true (at ?x)) (up ?x ?y)) (<= (legal r stop) (true (at ?x)) (up ?x ?y))
        (<= (next (at ?y)) (does r go) (true (at ?x)) (up ?x ?y))
        (<= (next (done ?x)) (does r stop) (true (at ?x))) (<= (next (done 3)) (does r go) (true (at 2)))
        (<= terminal (true (done ?x))) (worth 0 10) (worth 1 20) (worth 2 30) (worth 3 40)
        (<= (goal r ?v) (true (done ?x)) (worth ?x ?v))"""
    found = ludorum.load(rules, engine="relations").playouts(20_000, seed=3)
    ends = {value: int((found.goals[:, 0] == value).sum()) for value in (10, 20, 30, 40)}
    for value, share in {10: 1 / 2, 20: 1 / 4, 30: 1 / 8, 40: 1 / 8}.items():
        # Six standard deviations.
        assert abs(ends[value] - 20_000 * share) < 6 * (20_000 * share * (1 - share)) ** 0.5
