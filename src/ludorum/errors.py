"""Every exception of Ludorum.

LudorumError
├── InvalidRules            a rulesheet has errors; carries all its diagnostics
├── UnstratifiedRules       an atom depends on its own negation, which only grounding can tell
├── InvalidTerm             a text is no ground term
├── UnknownGame             no path, text or library name
├── UnknownPlayer           no player has this name, or not this option
├── UnknownRole             the game has no such role
├── UnknownFluent           the fluent cannot hold in any state of the game
├── UnknownProperty         no such property of games, or not of this game
├── InvalidFormula          a text is no formula, or not of this game; carries its diagnostics
├── IllegalMove             the move is not legal here
├── MissingMove             a role that has a choice was left out of a joint move
├── MissingPlayer           a match lacks a player for a role
├── NoLegalMove             some role has no legal move, so the state has no successor
├── UninformedRole          a role is told too little to know its legal moves
├── SeveralDecisions        the roles of a game do not decide once, all at the same turn
├── GameOver                the state is terminal
├── InvalidRecord           a trace or match record cannot be read
├── InvalidTournament       the plan of a tournament makes no sense
├── UnknownCrew             nobody of this name does work, or cannot be reached
├── NoSimulator             the game's engine has no part in the core to search with
├── PrologMissing           the engine that was asked for needs a Prolog that is not installed
├── NoCircuit               what is asked needs the game as a circuit, and it has none
├── NotSeparable            the game cannot be played part by part
├── CannotLearn             a net is no help in this game, as where there are secrets
├── NoPictures              the rules of the game cannot be told as pictures that are rewritten
├── InvalidMessage          a text is no message or reply of the protocol
├── PlayerFailed            a player elsewhere did not do its part
│   ├── PlayerLate          it did not answer in time
│   ├── PlayerGone          it cannot be reached, or the connection broke
│   ├── PlayerGarbled       it answered something else than was asked
│   └── PlayerBusy          it does not want to start a match now
├── Fault                   a player did not do what was asked of it; the referee plays on
├── Refusal                 what the HTTP player and the page answer to what they cannot do
├── WrongPlan               a plan does not reach the goal that its search promised
└── BudgetExceeded
    ├── TooLargeToGround    grounding passed its budget of time or memory
    ├── TooSlow             an answer passed its budget of time
    └── TooLarge            an answer passed its budget of memory
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from ludorum.grammar import agree

if TYPE_CHECKING:
    from ludorum.gdl.diagnostics import Diagnostic


# So many diagnostics are printed with an exception; it carries all of them.
MOST_SHOWN = 100


class LudorumError(Exception):
    """The root: catch this to catch everything that Ludorum raises on purpose."""


class InvalidRules(LudorumError):
    """A rulesheet that cannot be played; `diagnostics` holds every finding, warnings included."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        # A file that is no rulesheet at all can have thousands of findings.
        shown = [str(diagnostic) for diagnostic in self.diagnostics[:MOST_SHOWN]]
        left = len(self.diagnostics) - len(shown)
        return "\n\n".join([*shown, f"… and {left} more {agree(left, 'finding')}"] if left else shown)


class UnstratifiedRules(LudorumError):
    """Rules that say nothing definite: `atoms` depend on each other in a circle, through a negation."""

    def __init__(self, atoms: Iterable[str]) -> None:
        self.atoms = tuple(atoms)
        super().__init__(self.atoms)

    def __str__(self) -> str:
        first = self.atoms[0]
        circle = " needs ".join([*self.atoms[:6], *(["…"] if len(self.atoms) > 6 else []), first])
        return f"{first} depends on its own negation: {circle}"


class InvalidTerm(LudorumError):
    pass


class UnknownGame(LudorumError):
    pass


class UnknownPlayer(LudorumError):
    pass


class UnknownRole(LudorumError):
    pass


class UnknownFluent(LudorumError):
    pass


class UnknownProperty(LudorumError):
    pass


class InvalidFormula(LudorumError):
    """A formula of time and knowledge that cannot be read, or speaks of what a game has not; shows where."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.diagnostics))


class IllegalMove(LudorumError):
    pass


class MissingMove(LudorumError):
    pass


class MissingPlayer(LudorumError):
    pass


class NoLegalMove(LudorumError):
    pass


class UninformedRole(LudorumError):
    """A role of a game with secrets is told too little to know its legal moves."""


class SeveralDecisions(LudorumError):
    """Somebody decides more than once, or not at the same turn as the others."""


class GameOver(LudorumError):
    pass


class InvalidRecord(LudorumError):
    pass


class InvalidTournament(LudorumError):
    pass


class UnknownCrew(LudorumError):
    pass


class NoSimulator(LudorumError):
    pass


class PrologMissing(LudorumError):
    pass


class NoCircuit(LudorumError):
    pass


class NoPictures(LudorumError):
    """The rules of a game cannot be told as pictures that are rewritten; the text is the reason."""


class NotSeparable(LudorumError):
    pass


class CannotLearn(LudorumError):
    """A net over fluents is no help in this game."""


class InvalidMessage(LudorumError):
    pass


class PlayerFailed(LudorumError):
    pass


class PlayerLate(PlayerFailed):
    pass


class PlayerGone(PlayerFailed):
    pass


class PlayerGarbled(PlayerFailed):
    pass


class PlayerBusy(PlayerFailed):
    pass


#: What can be wrong with an answer: it came too late; it is no legal move; it is no move at all; nobody answered; the
#: player said that it is busy; or it broke.
FaultKind = Literal["late", "illegal", "unreadable", "gone", "busy", "failed"]


class Fault(LudorumError):
    """A player did not do what was asked of it. Never ends a match: the referee plays on."""

    def __init__(self, kind: FaultKind, message: str, sent: str | None = None) -> None:
        super().__init__(kind, message, sent)
        self.kind = kind
        self.message = message
        self.sent = sent

    def __str__(self) -> str:
        return self.message


class Refusal(LudorumError):
    """An answer that is none: an HTTP status, a word for programs and a sentence for people.

    Where rules are refused, `diagnostics` tells what is wrong with them.
    """

    def __init__(self, status: int, code: str, reason: str, diagnostics: Iterable[Mapping[str, object]] = ()) -> None:
        super().__init__(status, code, reason)
        self.diagnostics = tuple(diagnostics)
        self.status = status
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        """As the body of a response and a line of the log: one balanced list, whatever the reason quotes."""
        reason = " ".join(self.reason.split()).replace('"', "'").replace("(", "[").replace(")", "]")
        reason = "".join(letter if letter.isprintable() else "?" for letter in reason)
        return f'(error {self.code} "{reason}")'


class WrongPlan(LudorumError):
    pass


class BudgetExceeded(LudorumError):
    pass


class TooLargeToGround(BudgetExceeded):
    def __init__(self, message: str, sizes: Mapping[str, int] | None = None, *, is_repeatable: bool = False) -> None:
        super().__init__(message)
        #: Whether it would happen again, on a busy day and on a free one: what was counted is the processor's time and
        #: memory, not the clock.
        self.is_repeatable = is_repeatable
        #: How many ground rules the relations had when the budget ended, as far as that is known.
        self.sizes = dict(sizes or {})


class TooSlow(BudgetExceeded):
    pass


class TooLarge(BudgetExceeded):
    pass
