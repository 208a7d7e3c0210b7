"""HyperPlay values moves as in Tables 3 and 4 of Schofield, Cerexhe and Thielscher (2013), in its old form."""

from __future__ import annotations

import pytest

import ludorum
from ludorum.clock import NEVER
from ludorum.players import HyperPlay


def _first_values(name: str, role: str, told: int) -> dict[str, float]:
    """What the moves of a role are worth after so many turns in which it had no choice and was told nothing."""
    game = ludorum.load(name)
    belief = ludorum.belief.Belief(game, role, seed=0)
    for _ in range(told):
        belief.perceived(belief.legal[0], ())
    playing = HyperPlay(n=1024, seed=1).join(game, role)
    assert playing.move_in_doubt(belief, NEVER) in belief.legal
    assert playing.info is not None
    return {str(move): value for move, value in playing.info.values.items()}


def test_it_sees_no_worth_in_asking() -> None:
    values = _first_values("explodingbomb", "agent", 1)
    assert values["ask"] == pytest.approx(45, abs=4)
    assert values["wait"] == pytest.approx(50, abs=4)


def test_it_thinks_that_telling_pays() -> None:
    values = _first_values("spyvsspy", "armer", 0)
    assert len(values) == 4
    for move, value in values.items():
        assert value == pytest.approx(60 if "tell" in move else 40, abs=5)
