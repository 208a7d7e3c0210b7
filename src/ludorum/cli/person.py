"""A person at the terminal, as a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ludorum.cli.coordinates import Coordinates
from ludorum.cli.output import console
from ludorum.clock import NEVER, Deadline
from ludorum.errors import InvalidTerm, LudorumError
from ludorum.game import Move, State
from ludorum.move import as_term
from ludorum.state import LegalMoves

_HELP = "a number, a move, {}enough of its beginning; ? explains more, q leaves the game"
# A longer list pushes the board off the screen.
_MOST_LISTED = 60


class Left(Exception):
    """The person left the game."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a person can say that is no move."""

    help: str
    #: Called with the state and what was said after the word.
    run: Callable[[State, str], None]


class Person:
    """Asks for moves by number, by term, by its beginning or by places; makes an only legal move without asking.

    What somebody who asks for help can know is told by `knows`, in a game with secrets.
    """

    def __init__(self, commands: Mapping[str, Command] | None = None,
                 knows: Callable[[], str] | None = None) -> None:
        self._knows = knows
        self._console = console()
        self._commands = commands or {}
        self._coordinates: Coordinates | None = None
        self._knows_how = False

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        legal = state.legal(role)
        if len(legal) == 1:
            return legal[0]
        self._coordinates = Coordinates(state, role, has_secrets=self._knows is not None)
        if len(legal) <= _MOST_LISTED:
            self._list(legal)
        if not self._knows_how:
            self._console.print(self._how(legal), style="dim")
            self._knows_how = True
        while True:
            answer = self._ask(role)
            word, _, argument = answer.partition(" ")
            if answer == "?":
                self._list(legal)
                self._explain(legal)
                if self._knows is not None:
                    self._console.print(self._knows())
            elif answer not in legal_texts(legal) and word in self._commands:
                self._obey(word, argument.strip(), state)
            else:
                meant = matching(answer, legal, self._coordinates)
                if len(meant) == 1:
                    return meant[0]
                if meant:
                    some = ", ".join(map(str, meant[:5])) + (" …" if len(meant) > 5 else "")
                    self._console.print(f"{answer} could be {some}")
                else:
                    self._console.print(f"{answer} is no legal move; ? explains what can be said")

    def _obey(self, word: str, argument: str, state: State) -> None:
        try:
            self._commands[word].run(state, argument)
        except (LudorumError, OSError) as error:
            # A file that cannot be written is no reason to lose a game.
            self._console.print(str(error))

    def _how(self, legal: LegalMoves) -> str:
        example = next((shown for move in legal if self._coordinates and (shown := self._coordinates.show(move))), "")
        return _HELP.format(f"its places such as {example}, or " if example else "or ")

    def _explain(self, legal: LegalMoves) -> None:
        self._console.print(self._how(legal), style="dim")
        for word, command in self._commands.items():
            self._console.print(f"{word:12} {command.help}", style="dim")

    def _ask(self, role: str) -> str:
        while True:
            try:
                answer = self._console.input(f"{role}> ").strip()
            except EOFError:
                raise Left from None
            if answer in ("q", "quit", "exit"):
                raise Left
            if answer:
                return answer

    def _list(self, legal: LegalMoves) -> None:
        from rich.columns import Columns

        width = len(str(len(legal)))
        items = [f"{number:{width}}  {move}" for number, move in enumerate(legal, start=1)]
        self._console.print(Columns(items, padding=(0, 3), column_first=True))


def legal_texts(legal: LegalMoves) -> set[str]:
    return {str(move) for move in legal}


def matching(answer: str, legal: LegalMoves, coordinates: Coordinates | None = None) -> list[Move]:
    """The moves that an answer may mean: that of its number, itself, those at its places, or those that it begins.

    The beginning of a move may leave out its brackets, so that `mark 2` is as good as `(mark 2`.
    """
    if answer.isdecimal() and 1 <= int(answer) <= len(legal):
        return [legal[int(answer) - 1]]
    try:
        if (exact := as_term(answer)) in legal:
            return [Move(exact)]
    except InvalidTerm:
        pass
    bare = " ".join(answer.lower().strip("() ").split())
    whole = [move for move in legal if str(move).strip("()") == bare]
    if whole:
        return whole
    begun = [move for move in legal if str(move).lstrip("(").startswith(bare)]
    return begun or (coordinates.matching(answer, legal) if coordinates else [])
