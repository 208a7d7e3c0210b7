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
├── IllegalMove             the move is not legal here
├── MissingMove             a role that has a choice was left out of a joint move
├── MissingPlayer           a match lacks a player for a role
├── NoLegalMove             some role has no legal move, so the state has no successor
├── GameOver                the state is terminal
├── InvalidRecord           a trace or match record cannot be read
├── InvalidTournament       the plan of a tournament makes no sense
├── NoSimulator             the game's engine has no part in the core to search with
├── PrologMissing           the engine that was asked for needs a Prolog that is not installed
├── NoCircuit               what is asked needs the game as a circuit, and it has none
├── InvalidMessage          a text is no message or reply of the protocol
├── PlayerFailed            a player elsewhere did not do its part
│   ├── PlayerLate          it did not answer in time
│   ├── PlayerGone          it cannot be reached, or the connection broke
│   ├── PlayerGarbled       it answered something else than was asked
│   └── PlayerBusy          it does not want to start a match now
├── WrongPlan               a plan does not reach the goal that its search promised
└── BudgetExceeded
    ├── TooLargeToGround    grounding passed its budget of time or memory
    ├── TooSlow             an answer passed its budget of time
    └── TooLarge            an answer passed its budget of memory
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

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


class IllegalMove(LudorumError):
    pass


class MissingMove(LudorumError):
    pass


class MissingPlayer(LudorumError):
    pass


class NoLegalMove(LudorumError):
    pass


class GameOver(LudorumError):
    pass


class InvalidRecord(LudorumError):
    pass


class InvalidTournament(LudorumError):
    pass


class NoSimulator(LudorumError):
    pass


class PrologMissing(LudorumError):
    pass


class NoCircuit(LudorumError):
    pass


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


class WrongPlan(LudorumError):
    pass


class BudgetExceeded(LudorumError):
    pass


class TooLargeToGround(BudgetExceeded):
    def __init__(self, message: str, sizes: Mapping[str, int] | None = None) -> None:
        super().__init__(message)
        #: How many ground rules the relations had when the budget ended, as far as that is known.
        self.sizes = dict(sizes or {})


class TooSlow(BudgetExceeded):
    pass


class TooLarge(BudgetExceeded):
    pass
