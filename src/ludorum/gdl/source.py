"""Where rules were written: the text, its name and its syntax."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Syntax = Literal["kif", "infix"]

_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class Source:
    """A text with a name, which turns offsets into lines and columns (both from 1)."""

    text: str
    name: str = "<rules>"
    syntax: Syntax = "kif"
    #: Where further files begin in the text, and their names, if it was put together from several.
    parts: tuple[tuple[int, str], ...] = ()

    @cached_property
    def line_starts(self) -> list[int]:
        return [0] + [match.end() for match in _LINE_END.finditer(self.text)]

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def place(self, offset: int) -> tuple[str, int, int]:
        """The file, and the line and column in it."""
        line, column = self.position(offset)
        start, name = max(((start, name) for start, name in self.parts if start <= offset), default=(0, self.name))
        return name, line - self.position(start)[0] + 1, column

    def line(self, number: int) -> str:
        """A line without its end."""
        start = self.line_starts[number - 1]
        end = _LINE_END.search(self.text, start)
        return self.text[start : end.start() if end else len(self.text)]
