"""The engine that Fluxplayer had: the rules as a Prolog program, asked in SWI-Prolog."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ludorum.engines.protocol import Position
from ludorum.gdl import Rulesheet, parse_term
from ludorum.gdl.goals import is_goal_value
from ludorum.gdl.terms import Term
from ludorum.prolog import PrologProcess, to_prolog
from ludorum.prolog.process import joint_move
from ludorum.prolog.writing import term

Fluents = frozenset[Term]


class PrologReasoner:
    """Answers by resolution; a position is the set of the fluents that hold.

    A question that takes more than `seconds` raises TooSlow, one that needs more than `memory_mb` TooLarge; others may
    be asked all the same.
    """

    name = "prolog"

    def __init__(self, rulesheet: Rulesheet, *, seconds: float = 60.0, memory_mb: int = 4096) -> None:
        self._program = to_prolog(rulesheet)
        self._seconds = seconds
        self._memory_mb = memory_mb
        self.roles = rulesheet.roles
        self._process = self._start()
        self._terms: dict[str, Term] = {}
        self._texts: dict[Term, str] = {}

    @cached_property
    def initial(self) -> Position:
        return frozenset(self._ask("initial")[0])

    def position(self, fluents: Iterable[Term]) -> Position:
        """The position where exactly these hold; which fluents are possible, this engine does not know."""
        return frozenset(fluents)

    def fluents(self, position: Position) -> Fluents:
        assert isinstance(position, frozenset)
        return position

    def legal(self, position: Position) -> tuple[tuple[Term, ...], ...]:
        moves = self._ask(f"legal({self.text(position)})")
        return tuple(tuple(sorted(of_role, key=str)) for of_role in moves)

    def is_terminal(self, position: Position) -> bool:
        return self._ask(f"terminal({self.text(position)})") == [[Term("yes")]]

    def goals(self, position: Position) -> tuple[int | None, ...]:
        found = [[int(value.name) for value in values if is_goal_value(value)]
                 for values in self._ask(f"goals({self.text(position)})")]
        return tuple(values[0] if len(values) == 1 else None for values in found)

    def after(self, position: Position, joint: Sequence[Term]) -> Position:
        return frozenset(self._ask(f"next({self.text(position)}, {joint_move(self.roles, joint)})")[0])

    def percepts(self, position: Position, joint: Sequence[Term]) -> tuple[frozenset[Term], ...]:
        told = self._ask(f"sees({self.text(position)}, {joint_move(self.roles, joint)})")
        return tuple(map(frozenset, told))

    # ---- what its process is asked ----

    @property
    def process(self) -> PrologProcess:
        """The Prolog that answers, started anew if the last one passed its budget."""
        if not self._process.is_open:
            self._process = self._start()
        return self._process

    def text(self, position: Position) -> str:
        """A position as the program takes it."""
        return f"[{', '.join(sorted(map(self._text, self.fluents(position))))}]"

    def _start(self) -> PrologProcess:
        return PrologProcess(self._program, self.roles, memory_mb=self._memory_mb)

    def _ask(self, question: str) -> list[list[Term]]:
        answer = self.process.ask(question, seconds=self._seconds)
        return [list(map(self._term, line)) for line in answer]

    def _term(self, text: str) -> Term:
        if text not in self._terms:
            self._terms[text] = parse_term(text)
        return self._terms[text]

    def _text(self, fluent: Term) -> str:
        if fluent not in self._texts:
            self._texts[fluent] = term(fluent)
        return self._texts[fluent]
