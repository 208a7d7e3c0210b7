"""Plots of what random play shows, drawn into the page."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ludorum.report.play import Play
from ludorum.report.svg import COLOUR

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Of more roles the names would leave no room for their lines.
_MOST_NAMED = 12
_COLOURS = (COLOUR, "#c1666b", "#4c9f70", "#d4a017", "#7a5195", "#555555")
_MOST_BARS = 60


def lengths(seen: Play) -> str:
    """How long matches last."""

    def draw(axes: Axes) -> None:
        low, high = int(seen.lengths.min()), int(seen.lengths.max())
        # Each bar stands for as many lengths as the others.
        width = -(-(high - low + 1) // _MOST_BARS)
        axes.hist(seen.lengths, bins=(np.arange(low, high + width + 1, width) - 0.5).tolist(), color=COLOUR)
        axes.set_xlabel("steps of a match")
        axes.set_ylabel("random matches")

    return _plot(draw)


def branching(seen: Play) -> str:
    """How many moves the roles have to choose from, step by step."""

    def draw(axes: Axes) -> None:
        for number, (role, means) in enumerate(seen.branching.items()):
            axes.plot([step for step, _ in means], [mean for _, mean in means], color=_COLOURS[number % len(_COLOURS)],
                      label=role.replace("$", r"\$"), linewidth=1.4, marker=".", markersize=3)
        axes.set_xlabel("step")
        axes.set_ylabel("moves on average")
        axes.set_ylim(bottom=0)
        if len(seen.branching) <= _MOST_NAMED:
            axes.legend(frameon=False)

    return _plot(draw)


def _plot(draw: Any) -> str:
    # Not pyplot, which keeps figures and settings of its own.
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 2.8), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    draw(axes)
    axes.spines[["top", "right"]].set_visible(False)
    buffer = io.StringIO()
    options: dict[str, Any] = {"metadata": {"Date": None, "Creator": None}}
    figure.savefig(buffer, format="svg", **options)
    # From the element on: a page has no use for the XML prologue.
    return re.sub(r"(?s)^.*?(?=<svg)", "", buffer.getvalue())
