"""Who is shown a match at a terminal: everything, or what one of the roles can know."""

from __future__ import annotations

from ludorum.cli.commentary import Commentary
from ludorum.cli.knowledge import Knowledge
from ludorum.cli.output import console, working
from ludorum.draw import draw, draw_common
from ludorum.game import Game, Move, Role, State
from ludorum.gdl.natural import natural
from ludorum.joint import choosers, goes_on
from ludorum.match import Match
from ludorum.search.belief import Belief


def show(state: State, moves: str) -> None:
    """Show a state and the moves that led there."""
    out = console()
    if moves:
        out.print(moves)
    out.print(f"\n{draw(state)}\n")


class Insider:
    """Shows a role its own moves, what it is told, and what follows from that; `reveal` shows the rest."""

    def __init__(self, game: Game, role: Role) -> None:
        self._role = role
        self._knowledge = Knowledge(game, role)
        self._has_choice = False
        self._was_in_doubt = False

    def __call__(self, state: State, joint: dict[Role, Move]) -> None:
        out = console()
        if joint:
            with working("what follows from that"):
                self._knowledge.learn(state, joint[self._role])
            if self._has_choice:
                out.print(f"{self._role} plays {joint[self._role]}")
            told = sorted(map(str, state.percepts[self._role]), key=natural)
            out.print(f"{self._role} is told {', '.join(told) or 'nothing'}")
        self._has_choice = self._role in choosers(state)
        belief = self._knowledge.belief
        self._was_in_doubt |= belief is None or len(belief.states) > 1
        # The last state is shown as it is.
        if goes_on(state):
            out.print(f"\n{_picture(belief)}\n")

    def reveal(self, played: Match) -> None:
        """Show how the match ended, and what happened if the role was ever in doubt about it."""
        out = console()
        if self._was_in_doubt:
            out.print("\nWhat happened:")
            tell = Commentary(lambda state, moves: out.print(f"{state.step:>4}  {moves}") if moves else None)
            for state, joint in zip(played.states, ({}, *played.moves), strict=True):
                tell(state, joint)
        out.print(f"\n{draw(played.states[-1])}\n")


def _picture(belief: Belief | None) -> str:
    if belief is None:
        return "What follows from that is more than can be worked out."
    count = len(belief.states)
    picture = draw_common(belief.states)
    if count == 1 and belief.is_exact:
        return picture
    which = f"all {count} states that are possible" if belief.is_exact else f"{count} of the many possible states"
    return f"{picture or 'Nothing is known.'}\n\nThis is so in {which}."
