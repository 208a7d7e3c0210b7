"""What a small game is worth: exact values by role, found by searching until nothing is left open."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ludorum.clock import NEVER, Budget, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.search.minimax import CONSTANT_SUM, MinimaxResult, MinimaxSearch
from ludorum.search.python_maxn import PythonMaxN
from ludorum.search.result import GameValues
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.analysis.symmetry import Symmetries

# A game that is not solved by looking at so many states is worth looking for its parts and its symmetries, each for a
# part of the time that is left and no more than so many seconds.
_BRIEF_STATES, _PREPARATION_SHARE, _PREPARATION_MAX_S = 500_000, 0.1, 10.0


def solve_values(game: Game, deadline: Deadline = NEVER, *, state: State | None = None,
                 constant_sum: bool | None = None, table_mb: int = 256) -> GameValues | None:
    """The values of a state (the initial one if none is given), or None if they are not proved before the deadline.

    With two roles and `constant_sum` not known, that the goals have a constant sum is an assumption that `assumes`
    tells unless a counterexample turns up or it is proved in the time that is left. For roles that move at once the
    value is that of the game where they choose one after the other, which is not the value of the game itself;
    `assumes` says so.
    """
    begin = time.monotonic()
    state = state or game.initial
    search = _Search(game, constant_sum, table_mb)
    found = search.briefly(state, deadline)
    if not found.is_proved and not deadline.passed:
        parts = _by_factors(game, state, deadline)
        if parts is not None:
            return replace(parts, states=found.states + parts.states, seconds=time.monotonic() - begin)
        found = search.thoroughly(state, deadline)
    first = found
    if not found.is_proved:
        return None
    line = []
    states = found.states
    # Every step is solved anew, which the table makes short: it may have lost a part of the line.
    while found.principal_variation:
        line.append(found.principal_variation[0])
        state = state.after(line[-1])
        found = search(state, deadline)
        states += found.states
        if not found.is_proved:
            return None
    values = {role: value or 0.0 for role, value in first.values.items() if role != RANDOM}
    assumes = tuple(sentence for sentence in first.assumes
                    if sentence != CONSTANT_SUM or not _is_sum_proved(game, deadline))
    return GameValues(values, tuple(line), first.method, states, assumes, time.monotonic() - begin)


def _is_sum_proved(game: Game, deadline: Deadline) -> bool:
    """Whether the goals of all roles are proved to have one sum in a part of the time that is left."""
    from ludorum.analysis.proofs import prove

    # Where one of them is chance, that says nothing of the others.
    if RANDOM in game.roles:
        return False
    seconds = _preparation_seconds(deadline)
    return seconds > 0 and all(proof.verdict == "proved"
                               for proof in prove(game, "constant_sum", "one_goal", budget=Budget.within(seconds)))


def _preparation_seconds(deadline: Deadline) -> float:
    return min(_PREPARATION_MAX_S, _PREPARATION_SHARE * deadline.remaining)


def _by_factors(game: Game, state: State, deadline: Deadline) -> GameValues | None:
    """The values of the initial state as those of the parts of the game, if they are."""
    from ludorum.errors import NotSeparable
    from ludorum.search.factored_values import factored_values

    if state != game.initial:
        return None
    try:
        return factored_values(game, deadline.or_within(_preparation_seconds(deadline)))
    except NotSeparable:
        return None


class _Search:
    """By the core if the engine has a part in it, else step by step."""

    def __init__(self, game: Game, constant_sum: bool | None, table_mb: int) -> None:
        self._game = game
        self._options: dict[str, Any] = {"constant_sum": constant_sum, "table_mb": table_mb}
        self._core = self._searching(None) if isinstance(game.reasoner, Simulates) else None
        self._knows_symmetries = False

    def briefly(self, state: State, deadline: Deadline) -> MinimaxResult:
        """What is found before it is worth to look at the game more closely."""
        return self(state, deadline) if self._core is None else self._core.search(state, deadline=deadline,
                                                                                 states=_BRIEF_STATES)

    def __call__(self, state: State, deadline: Deadline) -> MinimaxResult:
        if self._core is None:
            return PythonMaxN(state, state.game.roles[0]).search(deadline=deadline)
        found = self.briefly(state, deadline)
        return found if found.is_proved or deadline.passed else self.thoroughly(state, deadline)

    def thoroughly(self, state: State, deadline: Deadline) -> MinimaxResult:
        """What is found by one who knows that it takes long."""
        if self._core is None:
            return self(state, deadline)
        if not self._knows_symmetries:
            self._use_symmetries(deadline)
        return self._core.search(state, deadline=deadline)

    def _use_symmetries(self, deadline: Deadline) -> None:
        """Starts anew with symmetries, if the game has any: what was found without is of images that are not used."""
        from ludorum.analysis.symmetry import find_symmetries

        self._knows_symmetries = True
        symmetries = find_symmetries(self._game, Budget.within(_preparation_seconds(deadline)))
        if symmetries.words is not None and symmetries.in_play != 0 and symmetries.count:
            self._core = self._searching(symmetries)

    def _searching(self, symmetries: Symmetries | None) -> MinimaxSearch:
        # Only the ends count, so nothing is spent on estimates.
        return MinimaxSearch(self._game, goals=0, mobility=0, symmetries=symmetries, **self._options)
