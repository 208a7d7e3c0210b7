"""What a role can know while a match goes on: its own moves, what it is told, and what follows from that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game, Move, Role, State
from ludorum.gdl.natural import natural
from ludorum.gdl.words import RANDOM
from ludorum.grammar import agree

if TYPE_CHECKING:
    from ludorum.belief import Belief

# How long somebody at a terminal waits gladly for what follows from a step, in seconds.
_PATIENCE = 2.0
# So many fluents that are not certain are listed; and what is less likely than this is not.
_MOST_SHOWN, _LEAST = 24, 0.0005
# Rounding leaves what is certain a little short of it.
_CERTAIN = 1 - 1e-9


class Knowledge:
    """The states that are possible for a role, step by step."""

    def __init__(self, game: Game, role: Role, seed: int = 0) -> None:
        from ludorum.belief import Belief

        self._role = role
        self._belief = Belief(game, role, seed=seed)
        self._is_lost = False

    @property
    def belief(self) -> Belief | None:
        """The states that are possible; None if there are so many that those of the match were lost track of."""
        return None if self._is_lost else self._belief

    def learn(self, state: State, move: Move) -> None:
        """A move of the role has led, with those of the others, to this state, of which it is told its percepts."""
        if self._is_lost:
            return
        try:
            self._belief.perceived(move, state.percepts[self._role], Deadline.within(_PATIENCE))
        except LudorumError:
            # The match itself is possible. It was not in the sample, and neither was anything that explains it.
            self._is_lost = True
        self._is_lost |= not self._belief.is_consistent


def doubts(belief: Belief | None) -> str:
    """How likely the fluents are that may or may not hold, in lines; and how many states are possible."""
    if belief is None:
        return "What follows from what you were told is more than can be worked out."
    count = len(belief)
    which = (f"{count} {agree(count, 'state is', 'states are')} possible." if belief.is_exact
             else f"So many states are possible that these odds are of {count} of them.")
    odds = {str(fluent): value for fluent, value in belief.odds().items() if _LEAST <= value < _CERTAIN}
    if not odds:
        return f"{which} Nothing is in doubt."
    listed = sorted(odds, key=lambda fluent: (-round(odds[fluent], 3), natural(fluent)))
    width = max(map(len, listed[:_MOST_SHOWN]))
    lines = [f"  {fluent:{width}}  {100 * odds[fluent]:5.1f} %" for fluent in listed[:_MOST_SHOWN]]
    more = len(listed) - len(lines)
    return "\n".join([f"{which} If the others choose at random:", *lines, *([f"  … {more} more"] if more > 0 else [])])


def possible_states(game: Game, states: Sequence[State],
                    joints: Sequence[Mapping[str, Move]]) -> Iterator[dict[Role, Belief | None]]:
    """What every player could know in each of the states of a match; None where that was lost track of."""
    known = {role: Knowledge(game, role) for role in game.roles if role != RANDOM}
    for number, state in enumerate(states):
        if number:
            for role, knowledge in known.items():
                knowledge.learn(state, joints[number - 1][role])
        yield {role: knowledge.belief for role, knowledge in known.items()}


def who_knew(beliefs: Mapping[Role, Belief | None]) -> str:
    """How many states were possible for each role, in words."""
    return "; ".join(f"{role} {_sure(belief)}" for role, belief in beliefs.items())


def _sure(belief: Belief | None) -> str:
    if belief is None:
        return "could not work it out"
    if not belief.is_exact:
        return f"saw more than {len(belief)} possibilities"
    return "knew the state" if len(belief) == 1 else f"saw {len(belief)} possibilities"
