"""What is wrong or doubtful in a rulesheet, said so that the author can find and mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ludorum.gdl.rulesheet import Source
from ludorum.gdl.terms import Span

Level = Literal["error", "warning"]

# Competition servers send whole games as one line; only the part around the mistake is worth printing.
_WIDEST = 140


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: `str` shows it with its line, a caret under the culprit, and help where there is some.

    `code` is stable and documented in docs/diagnostics.md; `label` is what stands beside the carets.
    """

    code: str
    level: Level
    message: str
    span: Span
    source: Source = field(repr=False)
    label: str = ""
    help: str = ""

    @property
    def line(self) -> int:
        return self.source.position(self.span.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.span.start)[1]

    def __str__(self) -> str:
        line, column = self.source.position(self.span.start)
        text, first, length = _window(self.source.line(line), column - 1, self.span.end - self.span.start)
        # Tabs are kept in the padding, so that the carets stand under the culprit whatever a tab's width.
        padding = "".join("\t" if c == "\t" else " " for c in text[:first])
        gutter = " " * len(str(line))
        lines = [
            f"{self.level}[{self.code}]: {self.message}",
            f"{gutter}--> {self.source.name}:{line}:{column}",
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
    shown = line[start:end]
    before, after = ("…" if start else ""), ("…" if end < len(line) else "")
    shown = "".join(c if c == "\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown)
    return before + shown + after, first - start + len(before), length


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(diagnostic.level == "error" for diagnostic in diagnostics)
