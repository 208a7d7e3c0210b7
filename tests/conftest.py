"""Small games that many tests play, each by every engine."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable

import pytest
from hypothesis import settings

import ludorum
from collection import GAMES, MISSING
from ludorum import Game

# A busy machine is no mistake of ours.
settings.register_profile("ludorum", deadline=None)
settings.load_profile("ludorum")

# A run in the background of a script starts with Ctrl-C ignored, and so would every process that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)



def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without the corpus, what is marked as needing it is skipped."""
    if not GAMES.is_dir():
        for item in items:
            if item.get_closest_marker("corpus"):
                item.add_marker(pytest.mark.skip(reason=MISSING))


TICTACTOE = """
(role xplayer) (role oplayer)
(index 1) (index 2) (index 3)
(<= (init (cell ?x ?y b)) (index ?x) (index ?y))
(init (control xplayer))

(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
(<= (legal xplayer noop) (true (control oplayer)))
(<= (legal oplayer noop) (true (control xplayer)))

(<= (next (cell ?x ?y x)) (does xplayer (mark ?x ?y)))
(<= (next (cell ?x ?y o)) (does oplayer (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?p (mark ?u ?v)) (or (distinct ?x ?u) (distinct ?y ?v)))
(<= (next (control xplayer)) (true (control oplayer)))
(<= (next (control oplayer)) (true (control xplayer)))

(<= (line ?c) (index ?x) (true (cell ?x 1 ?c)) (true (cell ?x 2 ?c)) (true (cell ?x 3 ?c)))
(<= (line ?c) (index ?y) (true (cell 1 ?y ?c)) (true (cell 2 ?y ?c)) (true (cell 3 ?y ?c)))
(<= (line ?c) (true (cell 1 1 ?c)) (true (cell 2 2 ?c)) (true (cell 3 3 ?c)))
(<= (line ?c) (true (cell 1 3 ?c)) (true (cell 2 2 ?c)) (true (cell 3 1 ?c)))
(<= open (true (cell ?x ?y b)))

(<= (goal xplayer 100) (line x))
(<= (goal xplayer 50) (not (line x)) (not (line o)))
(<= (goal xplayer 0) (line o))
(<= (goal oplayer 100) (line o))
(<= (goal oplayer 50) (not (line x)) (not (line o)))
(<= (goal oplayer 0) (line x))
(<= terminal (line x))
(<= terminal (line o))
(<= terminal (not open))
"""

# Both choose at once; a draw is worth nothing definite, so that there are goals that are None.
ROSHAMBO = """
(role left) (role right)
(beats rock scissors) (beats scissors paper) (beats paper rock)
(<= (legal ?r ?m) (role ?r) (beats ?m ?n))
(<= (next (played ?r ?m)) (does ?r ?m))
(<= over (true (played ?r ?m)))
(<= terminal over)
(<= (won left) (true (played left ?m)) (true (played right ?n)) (beats ?m ?n))
(<= (won right) (true (played right ?m)) (true (played left ?n)) (beats ?m ?n))
(<= (goal ?r 100) (won ?r))
(<= (goal left 0) (won right))
(<= (goal right 0) (won left))
"""

# GDL-II: the coin falls where only the role `random` decides, and the guesser is told a moment too late.
COIN = """
(role random) (role guesser)
(side heads) (side tails)
(init (stage flip))
(<= (legal random (flip ?s)) (true (stage flip)) (side ?s))
(<= (legal guesser wait) (true (stage flip)))
(<= (legal random wait) (true (stage guess)))
(<= (legal guesser (guess ?s)) (true (stage guess)) (side ?s))
(<= (next (coin ?s)) (does random (flip ?s)))
(<= (next (coin ?s)) (true (coin ?s)))
(<= (next (guessed ?s)) (does guesser (guess ?s)))
(<= (next (stage guess)) (true (stage flip)))
(<= (next (stage over)) (true (stage guess)))
(<= (sees guesser flipped) (does random (flip ?s)))
(<= (sees guesser (was ?s)) (does guesser (guess ?g)) (true (coin ?s)))
(<= right (true (coin ?s)) (true (guessed ?s)))
(<= terminal (true (stage over)))
(<= (goal guesser 100) right)
(<= (goal guesser 0) (not right))
(<= (goal random 50) (true (stage ?s)))
"""

# One step, and then a state that is not terminal and has no legal move.
CUL_DE_SAC = """
(role walker)
(init (at start))
(<= (legal walker go) (true (at start)))
(<= (legal walker stay) (true (at start)))
(<= (next (at end)) (does walker go))
(<= (next (at start)) (does walker stay))
(<= terminal (true (at home)))
(<= (next (at home)) (true (at home)))
(<= (goal walker 100) (true (at home)))
(<= (goal walker 0) (not (true (at home))))
"""


@pytest.fixture(scope="session", params=["circuit", "relations", "prolog", "reference"])
def load(request: pytest.FixtureRequest) -> Callable[[str, str], Game]:
    """Loads the text of rules under a name, by one engine after the other; every game once."""
    if request.param == "prolog" and shutil.which("swipl") is None:
        pytest.skip("SWI-Prolog is not installed")
    games: dict[str, Game] = {}

    def load(text: str, name: str) -> Game:
        if name not in games:
            games[name] = ludorum.load(text, name=name, engine=request.param)
        return games[name]

    return load


@pytest.fixture
def tictactoe(load: Callable[[str, str], Game]) -> Game:
    return load(TICTACTOE, "tictactoe")


@pytest.fixture
def roshambo(load: Callable[[str, str], Game]) -> Game:
    return load(ROSHAMBO, "roshambo")


@pytest.fixture
def coin(load: Callable[[str, str], Game]) -> Game:
    return load(COIN, "coin")


@pytest.fixture
def cul_de_sac(load: Callable[[str, str], Game]) -> Game:
    return load(CUL_DE_SAC, "cul-de-sac")


@pytest.fixture
def cul_de_sac_rules() -> str:
    return CUL_DE_SAC
