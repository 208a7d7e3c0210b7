"""Who is shown a match at a terminal: everything, or what one of the roles can know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ludorum.cli.commentary import Commentary
from ludorum.cli.knowledge import Knowledge, doubts, possible_states, who_knew
from ludorum.cli.output import console, working
from ludorum.draw import draw, draw_common
from ludorum.game import Game, Move, Role, State
from ludorum.gdl.natural import natural
from ludorum.joint import goes_on
from ludorum.match import Match

if TYPE_CHECKING:
    from rich.text import Text

    from ludorum.belief import Belief


class Onlooker:
    """Shows every state and the moves that led there; what they changed is marked."""

    def __init__(self) -> None:
        self._before: State | None = None
        self._tell = Commentary(self._show)

    def __call__(self, state: State, joint: Mapping[str, Move]) -> None:
        self._tell(state, dict(joint))
        self._before = state

    def _show(self, state: State, moves: str) -> None:
        out = console()
        if moves:
            out.print(moves, style="bold")
        if self._before is None:
            # The first drawing of a game looks for its boards.
            with working(f"looking for the board of {state.game.name}"):
                picture = draw(state, brief=True)
        else:
            picture = draw(state, since=self._before if moves else None, brief=True)
        out.print()
        out.print(coloured(picture))
        out.print()


def coloured(picture: str) -> Text:
    """A drawing with what is marked in it, for a terminal that knows colours."""
    from rich.text import Text


    text = Text(picture)
    text.highlight_regex(r"\[[^\[\]\n]+\]", "bold yellow")
    return text


class Insider:
    """Shows a role its own moves, what it is told, and what follows from that; `reveal` shows the rest."""

    def __init__(self, game: Game, role: Role) -> None:
        self._game, self._role = game, role
        self._knowledge = Knowledge(game, role)
        self._has_choice = False
        self._was_in_doubt = False

    def __call__(self, state: State, joint: dict[str, Move]) -> None:
        out = console()
        if joint:
            with working("what follows from that"):
                self._knowledge.learn(state, joint[self._role])
            if self._has_choice:
                out.print(f"{self._role} plays {joint[self._role]}")
            told = sorted(map(str, state.percepts[self._role]), key=natural)
            out.print(f"{self._role} is told {', '.join(told) or 'nothing'}")
        self._has_choice = self._role in state.choosers
        belief = self._knowledge.belief
        self._was_in_doubt |= belief is None or len(belief.states) > 1
        # The last state is shown as it is.
        if goes_on(state):
            out.print(f"\n{_picture(belief)}\n")

    def doubts(self) -> str:
        """What is not certain now, and how likely it is."""
        return doubts(self._knowledge.belief)

    def knows(self, formula: str) -> str:
        """Whether the role knows something about this moment, in words; raises InvalidFormula."""
        from ludorum.verify import known_now

        belief = self._knowledge.belief
        with working("what follows from that"):
            answer = "unknown" if belief is None else known_now(self._game, self._role, belief, formula)
        return {"so": f"{self._role} knows that it is so.", "not so": f"{self._role} knows that it is not so.",
                "not known": f"{self._role} cannot know: it may be so or not.",
                "unknown": "There is too much to look at to tell."}[answer]

    def reveal(self, played: Match) -> None:
        """Show how the match ended; if the role was ever in doubt, what happened, and what each side could know."""
        out = console()
        if self._was_in_doubt:
            out.print("\nWhat happened, and what each side could know then:")
            tell = Commentary(lambda state, moves: out.print(f"{state.step:>4}  {moves}") if moves else None)
            known = possible_states(played.game, played.states, played.moves)
            for state, joint, beliefs in zip(played.states, ({}, *played.moves), known, strict=True):
                tell(state, joint)
                if joint and any(belief is None or len(belief) > 1 for belief in beliefs.values()):
                    out.print(f"      {who_knew(beliefs)}", style="dim")
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
