"""Searches by what everybody knows see what asking and hiding are worth, as Tables 3 and 4 of HyperPlay-II say.

Schofield, Cerexhe and Thielscher (2013): asking for the armed wire is worth 90 and waiting 50; telling the other which
wire it is, 20 and hiding it 40.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ludorum
from ludorum.belief import Belief
from ludorum.clock import NEVER, Deadline
from ludorum.game import Move
from ludorum.players import ISMCTS, PIMC, HyperPlay2, Playing
from ludorum.players.determinization import determinized_move
from ludorum.players.player import PlaysInDoubt


def values(player: ISMCTS | HyperPlay2, name: str, role: str, told: int) -> tuple[str, dict[str, float]]:
    """The move chosen, and what moves are worth, after turns in which the role had no choice and was told nothing."""
    game = ludorum.load(name)
    belief = Belief(game, role, seed=0)
    for _ in range(told):
        belief.perceived(belief.legal[0], ())
    playing: Playing = player.join(game, role)
    assert isinstance(playing, PlaysInDoubt)
    chosen = playing.move_in_doubt(belief, NEVER)
    assert playing.info is not None
    return str(chosen), {str(move): value for move, value in playing.info.values.items()}


@pytest.mark.parametrize("player", [ISMCTS(playouts=20_000, seed=1), HyperPlay2(32, seed=1)])
def test_asking_is_worth_ninety(player: ISMCTS | HyperPlay2) -> None:
    chosen, found = values(player, "explodingbomb", "agent", 1)
    assert chosen == "ask"
    assert found["ask"] == pytest.approx(90, abs=1)


def test_waiting_is_worth_fifty() -> None:
    _, found = values(HyperPlay2(32, seed=1), "explodingbomb", "agent", 1)
    assert found["wait"] == pytest.approx(50, abs=5)


@pytest.mark.parametrize("seed", range(3))
def test_hyperplay2_hides_what_would_help_the_other(seed: int) -> None:
    chosen, found = values(HyperPlay2(24, seed=seed), "spyvsspy", "armer", 0)
    assert "hide" in chosen
    for move, value in found.items():
        assert value == (pytest.approx(20, abs=0.1) if "tell" in move else pytest.approx(40, abs=12))


@pytest.mark.parametrize("mixing", [False, True])
def test_the_armer_does_not_tell(mixing: bool) -> None:
    for seed in range(5):
        chosen, _ = values(ISMCTS(playouts=5_000, seed=seed, mixing=mixing), "spyvsspy", "armer", 0)
        assert "hide" in chosen


def test_after_asking_the_other_wire_is_cut() -> None:
    """Round 2 of Table 3: cutting the wire that is not armed is worth 90, cutting the armed one nothing."""
    game = ludorum.load("explodingbomb")
    belief = Belief(game, "agent", seed=0)
    belief.perceived("noop", [])
    belief.perceived("ask", _percepts(belief)[:1])
    for player in (ISMCTS(playouts=2_000, seed=1), HyperPlay2(4, seed=1)):
        playing = player.join(game, "agent")
        move = playing.move_in_doubt(belief, NEVER)
        after = belief.states[0].after({"agent": move})
        while not after.is_terminal:
            after = after.after({})
        assert after.goals[game.role("agent")] == 90


def _percepts(belief: Belief) -> list[str]:
    """What asking tells in the states that are possible."""
    return sorted({str(percept) for state in belief.states
                   for percept in state.after({"agent": Move("ask")}).percepts["agent"]})


@pytest.mark.parametrize("make", [lambda: ISMCTS(playouts=200, seed=1), lambda: HyperPlay2(1, seed=1),
                                  lambda: PIMC(0.01, seed=1)])
@pytest.mark.parametrize("engine", ["circuit", "relations", "reference"])
def test_they_play_on_every_engine(make: Callable[[], ISMCTS | HyperPlay2 | PIMC], engine: str) -> None:
    game = ludorum.load("kuhnpoker", engine=engine)
    belief = Belief(game, "anna", seed=0)
    belief.perceived("noop", ["(card queen)"])
    playing = make().join(game, "anna")
    assert determinized_move(playing, belief, game.role("anna"), Deadline.within(5)) in belief.legal


def test_a_search_with_a_seed_is_repeatable() -> None:
    first, second = (values(ISMCTS(playouts=3_000, seed=7), "spyvsspy", "armer", 0) for _ in range(2))
    assert first == second
