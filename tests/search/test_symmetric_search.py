"""Searches that know the symmetries of a game see fewer states, and find the same."""

from __future__ import annotations

import numpy as np
import pytest

import ludorum
from ludorum import Game, Move
from ludorum.analysis.symmetry import Symmetries, find_symmetries
from ludorum.clock import Budget, Deadline
from ludorum.engines.circuit import CircuitReasoner
from ludorum.players import MCTS
from ludorum.players.naming import named
from ludorum.search.canonicalization import MAX_GROUP_SIZE, core_symmetries
from ludorum.search.minimax import MinimaxSearch
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeSearch

# Far more than anything here needs, on however busy a machine.
LONG = 60.0


@pytest.fixture(scope="module")
def game() -> Game:
    return ludorum.load("tictactoe")


@pytest.fixture(scope="module")
def symmetries(game: Game) -> Symmetries:
    return find_symmetries(game, budget=Budget(LONG))


def positions(game: Game) -> list[bytes]:
    """All that can be reached."""
    reasoner = game.reasoner
    assert isinstance(reasoner, CircuitReasoner)
    seen = {reasoner.initial}
    new = [reasoner.initial]
    while new:
        for _, later in reasoner.expand(new.pop()):
            if later not in seen:
                seen.add(later)
                new.append(later)
    return sorted(seen)


def test_of_5478_positions_of_tictactoe_765_are_left(game: Game, symmetries: Symmetries) -> None:
    # Both numbers are well known: all positions, and those that are not turned or reflected ones.
    rows = np.frombuffer(b"".join(positions(game)), dtype=np.uint64).reshape(-1, 1)
    assert len(rows) == 5478
    core = core_symmetries(symmetries)
    assert core is not None
    assert len(core) == 8
    assert len(np.unique(core.canonical(rows), axis=0)) == 765


@pytest.mark.parametrize("constant_sum", [True, False])
def test_minimax_proves_the_same_with_fewer_states(game: Game, symmetries: Symmetries, constant_sum: bool) -> None:
    plain, merged = (MinimaxSearch(game, constant_sum=constant_sum, goals=0, mobility=0, symmetries=known).search()
                     for known in (None, symmetries))
    assert plain.is_proved
    assert merged.is_proved
    assert plain.values == merged.values == {"xplayer": 50, "oplayer": 50}
    assert merged.states < plain.states / 2
    assert merged.spared > 0
    assert plain.spared == 0
    assert merged.uses_symmetries
    # The line was told in the moves of the game itself: it can be played, and ends as promised.
    state = game.initial
    for joint in merged.principal_variation:
        state = state.after(joint)
    assert state.is_terminal
    assert state.goals == {"xplayer": 50, "oplayer": 50}


def test_every_value_of_a_move_is_the_same_in_any_state(game: Game, symmetries: Symmetries) -> None:
    # One search after the other with one table, so that what is known of images is used.
    plain, merged = (MinimaxSearch(game, constant_sum=True, goals=0, mobility=0, symmetries=known)
                     for known in (None, symmetries))
    # A corner each time, an edge each time, the middle: x has moved once, and it is o's turn; o's value is the rest.
    for first in ("(mark 1 1)", "(mark 3 3)", "(mark 3 1)", "(mark 1 2)", "(mark 3 2)", "(mark 2 2)"):
        for second in ("(mark 1 3)", "(mark 2 3)", "(mark 2 1)"):
            state = game.replay(f"{first} {second}")
            expected, found = plain.search(state), merged.search(state)
            assert expected.is_proved
            assert found.is_proved
            assert expected.values == found.values, (first, second)
            value = expected.values["xplayer"]
            assert value is not None
            best = {move for move, known in expected.moves.items() if known.upper >= value}
            assert found.move in best


def test_tree_search_solves_tictactoe_with_fewer_nodes(game: Game, symmetries: Symmetries) -> None:
    settings = TreeSettings(seed=1, in_flight=64)
    nodes = {}
    for name, known in (("plain", None), ("merged", symmetries)):
        with TreeSearch(game, settings, symmetries=known) as search:
            found = search.think(game.initial, playouts=3_000_000, deadline=Deadline.within(LONG))
        assert found.is_solved, name
        assert found.lower["xplayer"] == found.upper["xplayer"] == 50
        nodes[name] = found.nodes
    assert nodes["merged"] < nodes["plain"] / 3


def test_tree_search_tells_the_moves_of_the_state_and_not_of_its_image(game: Game, symmetries: Symmetries) -> None:
    # x has two in a row, once along every side and diagonal: whichever image is searched, x must complete this one.
    lines = [[f"(mark {x} {y})" for y in (1, 2, 3)] for x in (1, 2, 3)]
    lines += [[f"(mark {x} {y})" for x in (1, 2, 3)] for y in (1, 2, 3)]
    lines += [[f"(mark {i} {i})" for i in (1, 2, 3)], [f"(mark {i} {4 - i})" for i in (1, 2, 3)]]
    with TreeSearch(game, TreeSettings(seed=1), symmetries=symmetries) as search:
        for line in lines:
            for end in (0, 2):
                others = [f"(mark {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3) if f"(mark {x} {y})" not in line]
                own = [move for move in line if move != line[end]]
                # The other role's two do not make a threat that ends the game first.
                state = game.replay(f"{own[0]} {others[0]} {own[1]} {others[-1]}")
                found = search.think(state, playouts=2_000)
                assert found.best(game.roles[0]) == Move(line[end])
                assert found.principal_variation[0]["xplayer"] == Move(line[end])
                assert state.after(found.principal_variation[0]).is_terminal


def test_the_principal_variation_of_a_tree_search_can_be_played(game: Game, symmetries: Symmetries) -> None:
    with TreeSearch(game, TreeSettings(seed=2), symmetries=symmetries) as search:
        found = search.think(game.initial, playouts=20_000)
    assert len(found.principal_variation) > 4
    state = game.initial
    for joint in found.principal_variation:
        state = state.after(joint)


def test_images_that_cannot_be_reached_do_no_harm() -> None:
    # Left and right are alike but for how they lie at first, so that images of states never come up in play.
    text = """
    (role flipper) (place left) (place right) (init (tails left)) (init (moves 0))
    (plus 0 1) (plus 1 2) (plus 2 3)
    (<= (legal flipper (flip ?p)) (place ?p))
    (<= (next (tails ?p)) (true (tails ?p)) (not (does flipper (flip ?p))))
    (<= (next (tails ?p)) (does flipper (flip ?p)) (not (true (tails ?p))))
    (<= (next (moves ?n)) (true (moves ?m)) (plus ?m ?n))
    (<= terminal (true (moves 3)))
    (<= unhappy (true (tails ?p)))
    (<= (goal flipper 100) (not unhappy)) (<= (goal flipper 0) unhappy)
    """
    game = ludorum.load(text)
    symmetries = find_symmetries(game, budget=Budget(LONG))
    assert symmetries.count == 1
    with TreeSearch(game, TreeSettings(seed=1), symmetries=symmetries) as search:
        found = search.think(game.initial, playouts=10_000)
    assert found.is_solved
    # Three flips in all, one of them of the left coin an odd number of times and of the right one an even one.
    assert found.lower["flipper"] == 100
    assert MinimaxSearch(game, symmetries=symmetries).search().values["flipper"] == 100


def test_statistics_of_moves_are_kept_apart_from_images(game: Game, symmetries: Symmetries) -> None:
    with (TreeSearch(game, TreeSettings(seed=1, policy="mast"), symmetries=symmetries) as one,
          TreeSearch(game, TreeSettings(seed=1, policy="mast")) as other):
        assert one.think(game.initial, playouts=5_000).nodes == other.think(game.initial, playouts=5_000).nodes


def test_of_a_large_group_a_part_is_used() -> None:
    lamps = "(role hand) " + " ".join(f"(lamp l{i})" for i in range(8)) + """
    (<= (legal hand (press ?l)) (lamp ?l))
    (<= (next (on ?l)) (does hand (press ?l))) (<= (next (on ?l)) (true (on ?l)))
    (<= dark (lamp ?l) (not (true (on ?l)))) (<= terminal (not dark))
    (<= (goal hand 100) (not dark)) (<= (goal hand 0) dark)
    """
    core = core_symmetries(find_symmetries(ludorum.load(lamps), budget=Budget(LONG)))
    assert core is not None
    assert 1 < len(core) <= MAX_GROUP_SIZE


def test_no_symmetries_are_no_burden(game: Game) -> None:
    assert core_symmetries(None) is None


def test_what_was_found_out_is_kept_after_merging_has_ended() -> None:
    # In amazons hardly any two states are images of each other, so that the search soon stops to look for them.
    game = ludorum.load("amazons")
    state = game.initial
    with TreeSearch(game, TreeSettings(seed=1), symmetries=find_symmetries(game, budget=Budget(LONG))) as search:
        for _ in range(6):
            found = search.think(state, playouts=25_000)
            (mover,) = found.moves
            best = found.best(mover)
            visits = found.moves[mover][best].visits
            state = state.after({mover: best, **{role: state.legal(role)[0] for role in game.roles if role != mover}})
            # The first visits of a move come before it has a node of its own.
            assert search.think(state, playouts=1).visits > visits / 2


def nodes_of(player: str, game: Game, start_clock: float) -> int:
    """The nodes that a player needs for a move, with what it has found out before the first."""
    made = named(player)
    assert isinstance(made, MCTS)
    playing = made.join(game, game.roles[0])
    playing.prepare(Deadline.within(start_clock))
    playing.move(game.initial)
    assert playing.info is not None
    return playing.info.states


def test_a_tree_player_looks_for_symmetries_before_the_first_move(game: Game) -> None:
    without = nodes_of("mcts:playouts=1000000,in_flight=64,seed=1", game, LONG)
    assert nodes_of("mcts:playouts=1000000,in_flight=64,seed=1,symmetries=yes", game, LONG) < without / 2
    # There is no time to look for anything.
    assert nodes_of("mcts:playouts=1000000,in_flight=64,seed=1,symmetries=yes", game, 0.5) == without


def test_a_policy_excludes_symmetries(game: Game) -> None:
    assert nodes_of("cadia:playouts=500,seed=1,symmetries=yes", game, LONG) == nodes_of(
        "cadia:playouts=500,seed=1", game, LONG)
