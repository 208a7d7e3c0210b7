"""Monte-Carlo tree search: what it proves, what it repeats, and that its options work alone and together."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import fields
from functools import reduce
from itertools import product
from operator import xor
from pathlib import Path
from typing import Any

import pytest

import ludorum
from ludorum import Game, Move
from ludorum.clock import Deadline
from ludorum.engines.circuit import CircuitReasoner
from ludorum.errors import GameOver, LudorumError, NoLegalMove
from ludorum.players import MCTS, Cadia, Greedy, Legal, Random
from ludorum.search import TreeSearch, TreeSettings

# x to move: (mark 1 3) wins at once, and everything else lets o win or draw.
WIN_IN_ONE = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)"
# o to move: only (mark 1 3) does not lose at once.
SAVE_IN_ONE = "(mark 1 1) (mark 2 2) (mark 1 2)"


# Searched by the core, whichever engines other tests compare.
@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return ludorum.load("tictactoe")


@pytest.fixture(scope="module")
def connectfour() -> Game:
    return ludorum.load("connectfour")


def visits(game: Game, playouts: int = 2_000, **options: Any) -> dict[str, dict[Move, int]]:
    result = TreeSearch(game, TreeSettings(**options)).think(game.initial, playouts=playouts)
    return {role: {move: found.visits for move, found in moves.items()} for role, moves in result.moves.items()}


def test_tictactoe_is_proved_to_be_a_draw(tictactoe: Game) -> None:
    result = TreeSearch(tictactoe, TreeSettings(seed=1)).think(tictactoe.initial, playouts=1_000_000)
    assert result.is_solved
    assert result.lower == result.upper == {"xplayer": 50, "oplayer": 50}
    assert result.playouts < 1_000_000


NIM = """
(role first) (role second)
(heap a) (heap b)
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (less ?m ?n) (succ ?m ?n))
(<= (less ?m ?n) (succ ?m ?k) (less ?k ?n))
(init (size a {a})) (init (size b {b})) (init (control first))
(<= (legal ?p (leave ?h ?m)) (true (control ?p)) (true (size ?h ?n)) (less ?m ?n))
(<= (legal first noop) (true (control second)))
(<= (legal second noop) (true (control first)))
(<= (next (size ?h ?m)) (does ?p (leave ?h ?m)))
(<= (next (size ?h ?n)) (true (size ?h ?n)) (does ?p (leave ?g ?m)) (distinct ?g ?h))
(<= (next (control first)) (true (control second)))
(<= (next (control second)) (true (control first)))
(<= terminal (true (size a 0)) (true (size b 0)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal first 100) (true (control second)))
(<= (goal second 100) (true (control first)))
"""


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in range(4) for b in range(4) if a or b])
def test_the_first_player_wins_nim_unless_the_heaps_cancel(a: int, b: int) -> None:
    game = ludorum.load(NIM.format(a=a, b=b))
    result = TreeSearch(game, TreeSettings(seed=1)).think(game.initial, playouts=100_000)
    value = 0 if reduce(xor, (a, b)) == 0 else 100
    assert result.lower == result.upper == {"first": value, "second": 100 - value}


def test_a_solved_state_is_not_searched_again(tictactoe: Game) -> None:
    search = TreeSearch(tictactoe, TreeSettings(seed=1))
    solved = search.think(tictactoe.initial, playouts=1_000_000)
    assert search.think(tictactoe.initial, playouts=1_000_000).playouts == solved.playouts


def test_without_proofs_nothing_is_certain(tictactoe: Game) -> None:
    result = TreeSearch(tictactoe, TreeSettings(seed=1, proofs=False)).think(tictactoe.initial, playouts=50_000)
    assert result.playouts == 50_000
    assert not result.is_solved
    assert result.lower == {"xplayer": 0, "oplayer": 0}
    assert result.upper == {"xplayer": 100, "oplayer": 100}


def test_the_expected_line_is_legal_and_optimal(tictactoe: Game) -> None:
    result = TreeSearch(tictactoe, TreeSettings(seed=2)).think(tictactoe.initial, playouts=1_000_000)
    end = tictactoe.replay(result.principal_variation)
    assert end.goals == {"xplayer": 50, "oplayer": 50}


@pytest.mark.parametrize("options", [
    {}, {"policy": "mast"}, {"policy": "mast", "choice": "gibbs"}, {"policy": "nst"},
    {"policy": "nst", "choice": "gibbs"},
    {"rave": "always"}, {"rave": "adaptive"}, {"sufficiency": "fixed"}, {"sufficiency": "adaptive"}, {"lanes": 64},
], ids=str)
def test_a_search_repeats_itself_from_the_same_seed(connectfour: Game, options: dict[str, Any]) -> None:
    one, other = (visits(connectfour, seed=7, **options) for _ in range(2))
    assert one == other
    assert one != visits(connectfour, seed=8, **options)


@pytest.mark.parametrize("fastest", [64, 256, 512])
def test_what_a_seed_gives_does_not_depend_on_which_lanes_are_fastest(
        connectfour: Game, monkeypatch: pytest.MonkeyPatch, fastest: int) -> None:
    monkeypatch.delenv("LUDORUM_LANES", raising=False)
    anywhere = visits(connectfour, seed=7, lanes=256)
    trial = CircuitReasoner.lanes
    monkeypatch.setattr(CircuitReasoner, "lanes", lambda self, position, *, is_repeatable=False:
                        trial(self, position, is_repeatable=True) if is_repeatable else fastest)
    assert visits(connectfour, seed=7) == anywhere


def test_every_playout_is_a_visit_of_one_move(connectfour: Game) -> None:
    for in_flight, playouts in product([0, 1, 100], [1, 7, 1_000]):
        found = visits(connectfour, playouts, seed=1, in_flight=in_flight)
        assert sum(found["red"].values()) == playouts


def test_threads_share_the_tree(connectfour: Game) -> None:
    found = visits(connectfour, 20_000, seed=1, threads=3)
    assert sum(found["red"].values()) == 20_000


def test_threads_may_find_the_game_solved_by_another_of_them() -> None:
    game = ludorum.load("nim")
    for seed in range(40):
        assert TreeSearch(game, TreeSettings(seed=seed, threads=4)).think(game.initial, playouts=200_000).is_solved


def combinations() -> Iterator[dict[str, Any]]:
    policies: list[dict[str, Any]] = [
        {}, {"policy": "mast"}, {"policy": "mast", "choice": "gibbs"}, {"policy": "nst", "decay": 0.6}]
    for policy, rave, sufficiency in product(policies, ["never", "always", "adaptive"], ["never", "fixed", "adaptive"]):
        yield {**policy, "rave": rave, "sufficiency": sufficiency}


@pytest.mark.parametrize("options", list(combinations()), ids=str)
def test_all_options_compose(tictactoe: Game, options: dict[str, Any]) -> None:
    for moves, role in [(WIN_IN_ONE, "xplayer"), (SAVE_IN_ONE, "oplayer")]:
        player = MCTS(playouts=300, seed=1, **options)
        assert player.move(tictactoe.replay(moves), role) == Move("(mark 1 3)")


@pytest.mark.parametrize("in_flight", [1, 4, 1_000])
def test_a_few_or_many_leaves_in_flight_find_the_same_move(tictactoe: Game, in_flight: int) -> None:
    for moves, role in [(WIN_IN_ONE, "xplayer"), (SAVE_IN_ONE, "oplayer")]:
        player = MCTS(playouts=2_000, seed=1, in_flight=in_flight)
        assert player.move(tictactoe.replay(moves), role) == Move("(mark 1 3)")


# Left gains 3 : 1 where both play high, but each is better off with the other's guess: no pure equilibrium.
PENNIES = """
(role even) (role odd)
(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))
(<= (next (shown ?r ?c)) (does ?r ?c))
(<= terminal (true (shown even ?c)))
(<= same (true (shown even ?c)) (true (shown odd ?c)))
(<= (goal even 100) same) (<= (goal even 0) (not same))
(<= (goal odd 0) same) (<= (goal odd 100) (not same))
"""


def test_simultaneous_moves_are_chosen_without_knowing_the_others() -> None:
    game = ludorum.load(PENNIES)
    result = TreeSearch(game, TreeSettings(seed=1)).think(game.initial, playouts=20_000)
    # Whoever knew the other's move would win always; nobody does, so both must mix, and the value is even.
    assert not result.is_solved
    for role in game.roles:
        tried = [found.visits for found in result.moves[role].values()]
        assert sum(tried) == 20_000
        assert min(tried) > 4_000
        assert all(abs(found.value - 50) < 10 for found in result.moves[role].values())


DOMINANCE = """
(role row) (role column)
(<= (legal ?r good) (role ?r)) (<= (legal ?r bad) (role ?r))
(<= (next (made ?r ?m)) (does ?r ?m))
(<= terminal (true (made row ?m)))
(<= (goal ?r 80) (true (made ?r good)))
(<= (goal ?r 20) (true (made ?r bad)))
"""


def test_what_a_role_can_enforce_is_proved_where_all_choose_at_once() -> None:
    game = ludorum.load(DOMINANCE)
    result = TreeSearch(game, TreeSettings(seed=1)).think(game.initial, playouts=10_000)
    assert result.is_solved
    assert result.lower == {"row": 80, "column": 80}
    assert all(result.best(role) == Move("good") for role in game.roles)


# A coin is thrown; a guess that costs nothing, or a safe 40.
CHANCE = """
(role player) (role random)
(init start)
(<= (legal player safe) (true start)) (<= (legal player risky) (true start))
(<= (legal random wait) (true start))
(<= (legal player wait) (true thrown)) (<= (legal random heads) (true thrown)) (<= (legal random tails) (true thrown))
(<= (next (ended 40)) (does player safe))
(<= (next thrown) (does player risky))
(<= (next (ended 100)) (does random heads)) (<= (next (ended 0)) (does random tails))
(<= terminal (true (ended ?v)))
(<= (goal player ?v) (true (ended ?v)))
(<= (goal random 50) (role random))
"""


def test_the_role_random_draws_and_its_mean_is_proved() -> None:
    game = ludorum.load(CHANCE)
    result = TreeSearch(game, TreeSettings(seed=1)).think(game.initial, playouts=10_000)
    assert result.is_solved
    assert result.lower["player"] == result.upper["player"] == 50
    assert result.best(game.role("player")) == Move("risky")


# One may go to and fro for ever; whoever stops in time gets something.
TO_AND_FRO = """
(role walker) (init (at here)) (base (at here)) (base (at there)) (base done)
(input walker walk) (input walker stop)
(<= (legal walker walk) (true (at ?any))) (<= (legal walker stop) (true (at here)))
(<= (next (at there)) (does walker walk) (true (at here))) (<= (next (at here)) (does walker walk) (true (at there)))
(<= (next done) (does walker stop)) (<= terminal (true done)) (goal walker 50)
"""


def test_a_walk_does_not_go_round_in_circles() -> None:
    game = ludorum.load(TO_AND_FRO)
    result = TreeSearch(game, TreeSettings(seed=1)).think(game.initial, playouts=500)
    assert result.playouts == 500
    assert result.nodes == 3
    assert result.deepest < 20
    assert str(result.best("walker")) == "stop"


def test_what_was_learned_is_kept_for_the_next_state(connectfour: Game) -> None:
    search = TreeSearch(connectfour, TreeSettings(seed=1))
    first = search.think(connectfour.initial, playouts=5_000)
    move = first.best(connectfour.role("red"))
    search.look_at(connectfour.initial.after(move))
    assert search.result.visits > 100
    assert sum(found.visits for found in search.result.moves["black"].values()) == search.result.visits


def test_memory_is_bounded_and_the_search_goes_on(connectfour: Game) -> None:
    search = TreeSearch(connectfour, TreeSettings(seed=1, memory_mb=1, expand_at=1))
    state = connectfour.initial
    for playouts in (50_000, 10_000, 10_000):
        before = search.think(state, playouts=1).playouts
        result = search.think(state, playouts=playouts)
        assert result.playouts == before + playouts
        assert result.memory_mb < 3
        state = state.after(next(iter(*result.moves.values())))


def test_findings_can_be_read_while_it_thinks(connectfour: Game) -> None:
    with TreeSearch(connectfour, TreeSettings(seed=1)) as search:
        search.look_at(connectfour.initial)
        search.begin()
        seen = [search.result.playouts for _ in range(50)]
        search.halt()
    assert seen == sorted(seen)
    assert search.result.playouts >= seen[-1] > seen[0]


def test_findings_can_be_read_from_another_thread(connectfour: Game) -> None:
    search = TreeSearch(connectfour, TreeSettings(seed=1, threads=2))
    search.look_at(connectfour.initial)
    seen: list[int] = []
    reader = threading.Thread(target=lambda: seen.extend(search.result.visits for _ in range(20)))
    reader.start()
    search.think(connectfour.initial, playouts=100_000)
    reader.join()
    assert len(seen) == 20


DEAD_END = """
(role walker) (init start)
(<= (legal walker go) (true start)) (<= (legal walker stay) (true start))
(<= (next start) (does walker stay)) (<= (next lost) (does walker go))
(<= terminal (true never)) (<= (next never) (true never))
(goal walker 10)
"""


def test_there_is_nothing_to_search_where_nothing_can_be_chosen(tictactoe: Game) -> None:
    over = tictactoe.replay("(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)")
    with pytest.raises(GameOver):
        TreeSearch(tictactoe).think(over, playouts=10)
    dead_end = ludorum.load(DEAD_END)
    with pytest.raises(NoLegalMove):
        TreeSearch(dead_end).think(dead_end.initial.after("go"), playouts=10)


def test_a_search_needs_an_end(tictactoe: Game) -> None:
    with pytest.raises(ValueError, match="playouts or a deadline"):
        TreeSearch(tictactoe).think(tictactoe.initial)
    with pytest.raises(LudorumError, match="reference"):
        TreeSearch(ludorum.load("tictactoe", engine="reference"))


@pytest.mark.parametrize(("options", "message"), [
    ({"policy": "best"}, "policy can be uniform, mast, nst, replies, not 'best'"),
    ({"epsilon": 2.0}, "epsilon must be between 0 and 1, not 2"),
    ({"lanes": 100}, "lanes can be 0, 64, 256 or 512, not 100"),
    ({"threads": 0}, "threads must be between 1 and 1024, not 0"),
])
def test_wrong_options_are_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeSettings(**options)


def test_every_option_is_documented_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
    for field in fields(TreeSettings):
        default = f"{field.default:_}" if field.name == "max_steps" else field.default
        assert f"| `{field.name}` | `{default}` |" in page


@pytest.mark.parametrize("player", [MCTS, Cadia])
def test_tictactoe_is_never_lost(tictactoe: Game, player: type[MCTS]) -> None:
    for seed in range(10):
        first = ludorum.play(tictactoe, xplayer=player(playouts=3_000, seed=seed), oplayer=Random(seed=seed))
        second = ludorum.play(tictactoe, xplayer=Random(seed=seed), oplayer=player(playouts=3_000, seed=seed))
        both = ludorum.play(tictactoe, xplayer=player(playouts=3_000, seed=seed),
                            oplayer=player(playouts=3_000, seed=99))
        assert (first.goals["xplayer"] or 0) >= 50
        assert (second.goals["oplayer"] or 0) >= 50
        assert both.goals == {"xplayer": 50, "oplayer": 50}


def test_of_moves_that_all_lose_the_one_that_is_hardest_to_answer_is_made() -> None:
    # After `plain` the other wins by any reply, after `tricky` by one of five.
    game = ludorum.load("""
        (role asker) (role replier) (init (turn asker))
        (legal_move plain) (legal_move tricky) (reply a) (reply b) (reply c) (reply d) (reply e)
        (<= (legal asker ?m) (true (turn asker)) (legal_move ?m))
        (<= (legal replier ?m) (true (turn replier)) (reply ?m))
        (<= (legal asker noop) (true (turn replier)))
        (<= (legal replier noop) (true (turn asker)))
        (<= (next (turn replier)) (true (turn asker)))
        (<= (next (asked ?m)) (does asker ?m) (true (turn asker)))
        (<= (next (asked ?m)) (true (asked ?m)))
        (<= (next (replied ?m)) (does replier ?m) (true (turn replier)))
        (<= replied (true (replied ?m)))
        (<= terminal replied)
        (<= survived (true (asked tricky)) (true (replied ?m)) (distinct ?m c))
        (<= (goal asker 100) survived) (<= (goal asker 0) (not survived))
        (<= (goal replier 0) survived) (<= (goal replier 100) (not survived))
    """)
    for seed in range(5):
        player = MCTS(playouts=1_000, seed=seed)
        assert player.move(game.initial, "asker") == Move("tricky")
        assert TreeSearch(game, TreeSettings(seed=seed)).think(game.initial, playouts=1_000).upper["asker"] == 0


@pytest.mark.parametrize("foe", [Random, Greedy])
def test_simple_players_have_no_chance_at_connect_four(connectfour: Game, foe: type[Random] | type[Greedy]) -> None:
    for seed in range(5):
        first = ludorum.play(connectfour, red=MCTS(playouts=20_000, seed=seed), black=foe(seed=seed))
        second = ludorum.play(connectfour, red=foe(seed=seed), black=MCTS(playouts=20_000, seed=seed))
        assert first.goals["red"] == 100
        assert second.goals["black"] == 100


def test_a_player_says_why_it_moves(tictactoe: Game) -> None:
    playing = MCTS(playouts=100_000, seed=1).join(tictactoe, tictactoe.role("xplayer"))
    move = playing.move(tictactoe.initial)
    info = playing.info
    assert info is not None
    assert move in info.proved
    assert info.values[move] == 50
    assert info.method == "solved"
    assert info.principal_variation[0]["xplayer"] == move


def test_a_player_thinks_while_the_others_do(connectfour: Game) -> None:
    playing = MCTS(playouts=500, seed=1, ponder=True).join(connectfour, connectfour.role("red"))
    move = playing.move(connectfour.initial)
    later = connectfour.initial.after(move)
    reply = later.after(later.legal("black")[0])
    playing.ponder()
    # The background search is on its own; it has something to tell sooner or later.
    while playing._search is not None and playing._search.result.visits < 5_000:
        pass
    playing.move(reply)
    assert playing.info is not None
    assert playing.info.playouts > 5_000
    playing.finish()


def test_the_best_move_so_far_is_told_while_it_thinks(connectfour: Game) -> None:
    playing = MCTS(playouts=200_000, seed=1).join(connectfour, connectfour.role("red"))
    assert playing.best_so_far(connectfour.initial) is None
    thinking = threading.Thread(target=playing.move, args=(connectfour.initial,))
    thinking.start()
    while (best := playing.best_so_far(connectfour.initial)) is None and thinking.is_alive():
        pass
    # Of another state it has nothing to say.
    assert playing.best_so_far(connectfour.initial.after("(drop 1)")) is None
    playing.finish()
    thinking.join()
    assert best in connectfour.initial.legal("red")


def test_a_deadline_is_kept_without_any_time_to_think(connectfour: Game) -> None:
    move = MCTS().move(connectfour.initial, "red", Deadline.within(0))
    assert move in connectfour.initial.legal("red")


def test_an_engine_that_cannot_be_searched_is_played_all_the_same() -> None:
    game = ludorum.load("tictactoe", engine="reference")
    match = ludorum.play(game, xplayer=MCTS(playouts=8, seed=1), oplayer=Legal())
    assert match.states[-1].is_terminal


@pytest.mark.parametrize("threads", [1, 2])
def test_a_small_game_that_no_proof_decides_is_thought_about_until_the_deadline_only(threads: int) -> None:
    game = ludorum.load("rockpaperscissors")
    search = TreeSearch(game, TreeSettings(seed=1, threads=threads))
    thinking = threading.Thread(target=search.think, args=(game.initial,), kwargs={"deadline": Deadline.within(0.3)},
                                daemon=True)
    thinking.start()
    thinking.join(60)
    assert not thinking.is_alive()
    assert not search.result.is_solved


# Successors of the root are never expanded, so that their values are those of playouts alone.
PLAYOUTS_ALONE: dict[str, Any] = {"seed": 1, "proofs": False, "expand_at": 1_000_000}

# In turn both take one or two of three matches; who takes the last loses.
MATCHES = """
(role a) (role b) (init (left 3)) (init (turn a)) (other a b) (other b a)
(less 3 1 2) (less 3 2 1) (less 2 1 1) (less 2 2 0) (less 1 1 0)
(<= (legal ?r (take ?n)) (true (turn ?r)) (true (left ?l)) (less ?l ?n ?k))
(<= (legal ?r wait) (other ?r ?o) (true (turn ?o)))
(<= (next (left ?k)) (does ?r (take ?n)) (true (left ?l)) (less ?l ?n ?k))
(<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (true (turn ?r)))
(<= (goal ?r 0) (other ?r ?o) (true (turn ?o)))
"""


def test_decisive_playouts_take_what_wins_at_once(tictactoe: Game) -> None:
    # o has to stop x, who else wins with the next move.
    state = tictactoe.replay(SAVE_IN_ONE)
    values = {}
    for decisive in (False, True):
        with TreeSearch(tictactoe, TreeSettings(**PLAYOUTS_ALONE, decisive=decisive)) as search:
            moves = search.think(state, playouts=2_000).moves["oplayer"]
        values[decisive] = {str(move): found.value for move, found in moves.items()}
    others = values[True].keys() - {"(mark 1 3)"}
    assert all(values[True][move] == 0 for move in others)
    assert all(values[False][move] > 0 for move in others)
    assert values[True]["(mark 1 3)"] > 0


def test_decisive_playouts_avoid_what_loses_at_once() -> None:
    game = ludorum.load(MATCHES)
    values = {}
    for decisive in (False, True):
        with TreeSearch(game, TreeSettings(**PLAYOUTS_ALONE, decisive=decisive)) as search:
            moves = search.think(game.initial, playouts=2_000).moves["a"]
        values[decisive] = {str(move): found.value for move, found in moves.items()}
    # Of two that are left b takes one, not both, so that a has to take the last.
    assert values[True] == {"(take 1)": 0, "(take 2)": 100}
    assert 0 < values[False]["(take 1)"] < 100
