"""Tables that are as wide as they need to be."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

_WIDEST = 1000


class WideTable(Table):
    """A table that no terminal squeezes: half a number is a wrong one. Where lines are too long, the terminal breaks
    them."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        return super().__rich_console__(console, options.update(max_width=_WIDEST))
