"""Games with moments in which everybody knows what can follow are solved piece by piece, to the same values."""

from __future__ import annotations

import pytest

import ludorum
from ludorum import Game, library
from ludorum.belief import Belief
from ludorum.equilibrium import GameTree, solve, solve_in_stages, solve_small
from ludorum.errors import TooLarge
from ludorum.players import Clocks, Equilibrium, join_match


def small_meier(faces: int) -> Game:
    """Meier with dice of fewer faces; what cannot be rolled can still be claimed."""
    text = library.entry("meier").text
    for face in range(faces + 1, 7):
        text = text.replace(f"(die {face})", "")
    lower = text.index("(next_value none 31)")
    # The claims end soon, so that the whole game can be listed as well.
    return ludorum.load(text[:lower] + "(next_value none 11) (next_value 11 22) (next_value 22 21)\n")


def test_stages_are_worth_what_the_whole_is() -> None:
    game = small_meier(2)
    whole, stages = solve(game), solve_in_stages(game)
    assert len(stages.stages) > 1
    assert stages.values == pytest.approx(whole.values, abs=1e-9)
    assert stages.nash_conv < 1e-9
    assert stages.is_optimal
    assert stages.constant_sum == pytest.approx(100)


def test_plans_of_stages_are_an_equilibrium_of_the_whole() -> None:
    game = small_meier(2)
    stages, tree = solve_in_stages(game), GameTree.grow(game)
    follow = {role: stages.follower(role) for role in tree.players}
    plans = [tree.plan(role, lambda info: follow[info.role](info.history) or {}) for role in tree.players]
    assert tree.values(plans) == pytest.approx(stages.values, abs=1e-9)
    assert tree.nash_conv(plans) < 1e-9


def test_a_game_of_one_player_is_worth_the_same_in_stages() -> None:
    for name in ("montyhall", "explodingbomb"):
        game = ludorum.load(name)
        assert solve_in_stages(game).values == pytest.approx(solve(game).values)


def test_where_nothing_is_ever_known_to_all_there_is_one_stage() -> None:
    """In Kuhn poker nobody knows the other's card before the end."""
    assert len(solve_in_stages(ludorum.load("kuhnpoker")).stages) == 1


def test_meier_is_solved_and_nobody_can_gain() -> None:
    game = ludorum.load("meier")
    with pytest.raises(TooLarge):
        GameTree.grow(game, nodes=100_000)
    found = solve_small(game, nodes=100_000)
    assert sum(found.values.values()) == pytest.approx(100)
    assert found.is_optimal
    assert found.nash_conv < 1e-6


def test_the_last_claim_of_meier_is_doubted() -> None:
    """After 66 only 21 can be claimed, which cannot be believed: it is true in 2 of 36 rolls, and whoever must say so
    loses all others."""
    found = solve_in_stages(ludorum.load("meier"))
    [last] = [stage for stage in found.stages if "(claimed 66)" in map(str, stage.state.fluents)
              and "(control anna)" in map(str, stage.state.fluents)]
    assert last.found.values == pytest.approx({"anna": 100 * 2 / 36, "ben": 100 * 34 / 36})


def test_meier_is_played_as_it_was_solved() -> None:
    """The player makes the moves of the plans, and so nobody gains more against it than against them."""
    game = ludorum.load("meier")
    found = solve_in_stages(game)
    playing = join_match(Equilibrium(nodes=100_000, seed=1), game, "ben", Clocks())
    playing.solve(ludorum.clock.NEVER)  # type: ignore[attr-defined]
    assert playing.exploitability < 0.1  # type: ignore[attr-defined]
    belief = Belief(game, "ben", seed=0)
    for move, percepts in (("noop", []), ("noop", ["(claimed 65)"]), ("believe", []), ("noop", ["(dice 32)"])):
        belief.perceived(move, percepts)
    assert playing.policy(belief) == found.follower(game.role("ben"))(belief.history)  # type: ignore[arg-type, attr-defined]


def test_too_many_nodes_are_too_large() -> None:
    with pytest.raises(TooLarge, match="in stages"):
        solve_small(ludorum.load("meier"), nodes=1_000)
