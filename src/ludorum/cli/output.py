"""How the command speaks: findings on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console() -> Console:
    """Standard output for people."""
    from rich.console import Console

    # No markup, no emoji and no highlighting: what is printed comes from rulesheets, where [x] and :x: are text. A file
    # or a pipe has no width, so nothing is squeezed for it.
    return Console(markup=False, emoji=False, highlight=False, soft_wrap=True,
                   width=None if sys.stdout.isatty() else 1000)


def table(*headings: str, left: int = 1) -> Table:
    """A plain table whose first columns are texts, and the others numbers."""
    from ludorum.cli.wide import WideTable

    made = WideTable(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
    for number, heading in enumerate(headings):
        made.add_column(heading, justify="left" if number < left else "right", no_wrap=True)
    return made


def print_json(value: Mapping[str, Any]) -> None:
    json.dump(value, sys.stdout, ensure_ascii=sys.stdout.encoding.lower() != "utf-8", indent=2)
    sys.stdout.write("\n")


def complain(message: str) -> None:
    """One line on standard error."""
    print(f"ludorum: {message}", file=sys.stderr)


@contextmanager
def working(on: str) -> Iterator[None]:
    """Show on standard error that something is going on, where a person is looking."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    # With the time that it takes, so that nobody thinks that nothing happens.
    with Progress(SpinnerColumn(), TextColumn("{task.description} …", markup=False), TimeElapsedColumn(),
                  console=Console(stderr=True, markup=False, emoji=False), transient=True) as progress:
        progress.add_task(on, total=None)
        yield
