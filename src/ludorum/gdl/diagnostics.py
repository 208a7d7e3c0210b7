"""What is wrong or doubtful in a rulesheet, said so that the author can find and mend it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ludorum.gdl.source import Source
from ludorum.gdl.terms import Span

Level = Literal["error", "warning"]

# Every code there is. An error makes play impossible; a warning was played at competitions nevertheless.
CODES: dict[str, Level] = {
    # The text.
    "unclosed-parenthesis": "error",
    "unopened-parenthesis": "error",
    "too-deep": "error",
    "malformed-expression": "error",
    "malformed-rule": "error",
    "malformed-condition": "error",
    "stray-symbol": "error",
    "unexpected-token": "error",
    "unclosed-quote": "error",
    "unclosed-comment": "error",
    "invalid-symbol": "error",
    "variable-function": "warning",
    "empty-disjunction": "warning",
    # The words.
    "arity-conflict": "error",
    "function-arity": "warning",
    "keyword-arity": "error",
    "keyword-as-fluent": "warning",
    "role-not-fact": "error",
    "init-in-body": "error",
    "init-depends-on-state": "error",
    "true-in-head": "error",
    "does-in-head": "error",
    "distinct-in-head": "error",
    "depends-on-moves": "error",
    "next-in-body": "warning",
    "sees-in-body": "warning",
    "hint-depends-on-state": "warning",
    # The logic.
    "unsafe-variable": "warning",
    "unsafe-negation": "warning",
    "unstratified-negation": "warning",
    "unbounded-recursion": "warning",
    # The game as a whole.
    "missing-role": "error",
    "missing-legal": "error",
    "missing-goal": "error",
    "missing-terminal": "error",
    "unknown-role": "warning",
    "goal-value": "warning",
    "undefined-relation": "warning",
    "unused-relation": "warning",
    "duplicate-rule": "warning",
    "undefined-fluent": "warning",
    "undefined-move": "warning",
    "impossible-value": "warning",
    "unused-fluent": "warning",
    "role-without-moves": "warning",
    "role-without-goals": "warning",
    # The game as it is played.
    "stuck-match": "warning",
    "undefined-goal": "warning",
}

# Competition servers send whole games as one line; only the part around the mistake is worth printing.
_WIDEST = 140


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: `str` shows it with its line, carets under the culprit, and help where there is some.

    `code` is stable and documented in docs/diagnostics.md; `label` is what stands beside the carets.
    """

    code: str
    message: str
    span: Span
    source: Source = field(repr=False)
    label: str = ""
    help: str = ""
    level: Level = "error"

    @property
    def line(self) -> int:
        return self.source.place(self.span.start)[1]

    @property
    def column(self) -> int:
        return self.source.place(self.span.start)[2]

    def __str__(self) -> str:
        name, line, column = self.source.place(self.span.start)
        whole = self.source.line(self.source.position(self.span.start)[0])
        text, first, length = _window(whole, column - 1, self.span.end - self.span.start)
        # Tabs are kept in the padding, so that the carets stand under the culprit whatever a tab's width.
        padding = "".join("\t" if c == "\t" else " " for c in text[:first])
        gutter = " " * len(str(line))
        lines = [
            f"{self.level}[{self.code}]: {self.message}",
            f"{gutter}--> {name}:{line}:{column}",
            f"{gutter} |",
            f"{line} | {text}".rstrip(),
            f"{gutter} | {padding}{'^' * length} {self.label}".rstrip(),
        ]
        if self.help:
            lines.append(f"{gutter} = help: {self.help}")
        return "\n".join(lines)


def _window(line: str, first: int, length: int) -> tuple[str, int, int]:
    """The part of a line worth showing, and where in it the culprit starts and how long it is there."""
    start = 0 if len(line) <= _WIDEST else max(0, min(first - _WIDEST // 3, len(line) - _WIDEST))
    end = min(len(line), start + _WIDEST)
    length = max(1, min(length, end - first))
    shown = "".join(c if c == "\t" or c.isprintable() else "\ufffd" for c in line[start:end])
    before, after = ("…" if start else ""), ("…" if end < len(line) else "")
    return before + shown + after, first - start + len(before), length


class Findings:
    """The diagnostics of one source, as readers and checks find them; the codes are those of its language."""

    def __init__(self, source: Source, codes: Mapping[str, Level] = CODES) -> None:
        self.source = source
        self._codes = codes
        self.diagnostics: list[Diagnostic] = []

    def add(self, code: str, message: str, span: Span | None, label: str = "", help: str = "") -> None:
        # Rules made by a program have no spans; what is said of them points at the start.
        place = span if span is not None else Span(0, 0)
        self.diagnostics.append(Diagnostic(code, message, place, self.source, label, help, self._codes[code]))

    @property
    def have_errors(self) -> bool:
        return has_errors(self.diagnostics)

    def in_order(self) -> list[Diagnostic]:
        """Every finding in the order of the text."""
        return sorted(self.diagnostics, key=lambda finding: (finding.span.start, finding.span.end))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.level == "error" for diagnostic in diagnostics)
