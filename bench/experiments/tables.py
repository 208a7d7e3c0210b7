"""Tables in Markdown, and how figures are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; the first column is text, the others are figures."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *([str(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def percents(low: float, high: float) -> str:
    return f"{100 * low:.0f} to {100 * high:.0f}"


def rounded(rate: float) -> str:
    """A rate to two figures: more would not be seen again in another run."""
    if rate <= 0:
        return "–"
    digits = len(str(int(rate))) - 2
    return f"{round(rate, -digits):,.0f}"


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score interval)."""
    if trials == 0:
        return 0.0, 1.0
    z, share = 1.959964, successes / trials
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * (share * (1 - share) / trials + z * z / (4 * trials * trials)) ** 0.5
    # Where it touches an end, rounding must not take it past it or short of it.
    return (0.0 if successes == 0 else middle - half), (1.0 if successes == trials else middle + half)
