"""Work is counted: an answer depends on the game and on the work, and not on how busy the machine is."""

from __future__ import annotations

import time
from types import SimpleNamespace

import numpy as np
import pytest

import ludorum
from ludorum import clock
from ludorum.analysis.factors import find_factors
from ludorum.analysis.invariants import invariants
from ludorum.analysis.proofs import prove
from ludorum.analysis.samples import samples
from ludorum.analysis.structures import structures
from ludorum.clock import Budget, Deadline
from ludorum.errors import BudgetExceeded
from ludorum.findings import Findings, Slot


@pytest.fixture(params=[0.001, 1000.0], ids=["slow clock", "fast clock"])
def other_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """A clock that runs a thousand times as slow or as fast: a machine that is so much faster, or so much busier."""
    speed: float = request.param
    start = time.monotonic()
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: start + speed * (time.monotonic() - start)))
    return speed


# ---- budgets ----

def test_a_budget_is_used_up_by_work() -> None:
    budget = Budget(2.0)
    budget.spend(1.5)
    assert not budget.passed
    with pytest.raises(BudgetExceeded, match="of work"):
        budget.check(0.5)
    assert budget.passed
    assert not budget.is_late


def test_a_share_counts_for_the_whole() -> None:
    whole = Budget(8.0)
    half = whole.share(0.5)
    half.spend(3.0)
    assert half.work == pytest.approx(1.0)
    assert whole.work == pytest.approx(5.0)


def test_a_fixed_amount_is_the_same_however_little_is_left() -> None:
    whole = Budget(1.0)
    fixed = whole.fixed(5.0)
    assert fixed.work == pytest.approx(5.0)
    fixed.spend(2.0)
    assert not fixed.passed
    assert whole.passed


def test_the_clock_ends_work_early() -> None:
    budget = Budget(100.0, Deadline.within(0))
    assert budget.passed
    assert budget.is_late
    with pytest.raises(BudgetExceeded, match="of time"):
        budget.check()


def test_a_part_of_so_much_work_has_ten_times_as_long() -> None:
    about = Budget.about(60.0).at_most(6.0)
    assert about.work == pytest.approx(6.0)
    assert 50 < about.deadline.remaining <= 60
    # Where only the clock counts, there is nothing to spare.
    assert Budget.within(60.0).at_most(6.0).deadline.remaining <= 6


# ---- findings ----

NUMBER: Slot[int] = Slot("number")


def test_what_is_complete_is_found_once_and_counts_each_time() -> None:
    findings, looks = Findings(), []

    def look(_: object) -> tuple[int, bool]:
        looks.append(1)
        return 7, True

    for _ in range(2):
        budget = Budget(10.0)

        def counted(known: object, budget: Budget = budget) -> tuple[int, bool]:
            budget.spend(3.0)
            return look(known)

        assert findings.find(NUMBER, budget, counted) == 7
        assert budget.done == pytest.approx(3.0)
    assert len(looks) == 1


def test_what_the_clock_ended_is_looked_for_again_by_whoever_has_more_time() -> None:
    findings = Findings()
    assert findings.find(NUMBER, Budget.within(1), lambda _: (1, False)) == 1
    assert findings.find(NUMBER, Budget.within(1), lambda _: (2, False)) == 1
    assert findings.find(NUMBER, Budget.within(60), lambda known: ((known.value if known else 0) + 10, True)) == 11
    assert findings.find(NUMBER, Budget(), lambda _: (3, True)) == 11


def test_one_slot_is_not_another() -> None:
    findings = Findings()
    assert findings.find(NUMBER.of(1), Budget(), lambda _: (1, True)) == 1
    assert findings.find(NUMBER.of(2), Budget(), lambda _: (2, True)) == 2
    assert findings.known(NUMBER) is None


# ---- analyses ----

def test_samples_that_were_cut_short_are_completed_by_whoever_has_more_time() -> None:
    game = ludorum.load("connectfour")
    hurried = samples(game, 20_000, budget=Budget.within(0))
    assert not hurried.is_complete
    later = samples(game, 20_000)
    assert later.is_complete
    assert len(hurried) < 20_000 <= len(later)
    fresh = samples(ludorum.load("connectfour"), 20_000)
    assert np.array_equal(later.rows, fresh.rows)
    assert np.array_equal(later.joints, fresh.joints)


@pytest.mark.parametrize("engine", ["circuit", "relations"])
def test_fewer_samples_are_the_first_of_more(engine: str) -> None:
    alone = samples(ludorum.load("nim", engine=engine), 300)
    game = ludorum.load("nim", engine=engine)
    samples(game, 400 if engine == "relations" else 310)
    after = samples(game, 300)
    assert np.array_equal(alone.rows, after.rows)
    assert np.array_equal(alone.choices, after.choices)


def test_structures_and_pictures_do_not_depend_on_the_clock(other_clock: float) -> None:
    game = ludorum.load("breakthrough")
    found = structures(game)
    assert found.is_complete
    (board,) = found.boards
    assert len(board.cells) == 64
    assert found.control is not None
    assert ludorum.draw(game.initial).count("\n") >= 8


def test_a_picture_made_in_a_hurry_fixes_nothing() -> None:
    game = ludorum.load("hexapawn")
    assert not structures(game, Budget.within(0)).is_complete
    assert ludorum.draw(game.initial) == ludorum.draw(ludorum.load("hexapawn").initial)


def test_proofs_do_not_depend_on_the_clock(other_clock: float) -> None:
    verdicts = {proof.property: proof.verdict for proof in prove(ludorum.load("tictactoe"), budget=Budget(10.0))}
    assert verdicts["constant_sum"] == "proved"
    assert verdicts["board"] == "proved"
    assert "unknown" not in verdicts.values()


def test_proofs_are_the_same_whatever_was_asked_before() -> None:
    def verdicts(game: ludorum.Game) -> list[tuple[str, str, str]]:
        return [(proof.property, proof.verdict, proof.method) for proof in prove(game, budget=Budget(0.05))]

    asked = ludorum.load("hexapawn")
    structures(asked)
    samples(asked, 200_000)
    assert verdicts(asked) == verdicts(ludorum.load("hexapawn"))


def test_factors_and_invariants_do_not_depend_on_the_clock(other_clock: float) -> None:
    assert find_factors(ludorum.load("tictactoe")).is_settled
    assert invariants(ludorum.load("tictactoe")).constant_sum == 100
