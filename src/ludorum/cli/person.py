"""A person at the terminal, as a player."""

from __future__ import annotations

from ludorum.cli.output import console
from ludorum.clock import NEVER, Deadline
from ludorum.errors import InvalidTerm
from ludorum.game import Move, State
from ludorum.move import as_term
from ludorum.state import LegalMoves

_HELP = "a number, a move, or enough of its beginning; ? lists the moves, q leaves the game"


class Left(Exception):
    """The person left the game."""


class Person:
    """Asks for moves by number, by term or by its beginning; makes an only legal move without asking."""

    def __init__(self) -> None:
        self._console = console()
        self._knows_how = False

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        legal = state.legal(role)
        if len(legal) == 1:
            return legal[0]
        self._list(legal)
        if not self._knows_how:
            self._console.print(_HELP, style="dim")
            self._knows_how = True
        while True:
            answer = self._ask(role)
            if answer == "?":
                self._list(legal)
                self._console.print(_HELP, style="dim")
                continue
            meant = matching(answer, legal)
            if len(meant) == 1:
                return meant[0]
            if meant:
                some = ", ".join(map(str, meant[:5])) + (" …" if len(meant) > 5 else "")
                self._console.print(f"{answer} could be {some}")
            else:
                self._console.print(f"{answer} is no legal move")

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


def matching(answer: str, legal: LegalMoves) -> list[Move]:
    """The moves that an answer may mean: that of its number, itself, or those that it begins.

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
    return whole or [move for move in legal if str(move).lstrip("(").startswith(bare)]
