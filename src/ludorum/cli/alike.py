"""Matches that a role cannot tell apart, side by side, with what it did and was told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludorum.cli.output import console, table
from ludorum.grammar import agree

if TYPE_CHECKING:
    from ludorum.game import Game
    from ludorum.verify import Match


def show_doubles(game: Game, matches: Sequence[Match]) -> None:
    """Of every match but the first: the one that it looks like, step by step, and what the role sees in both."""
    from ludorum.verify import told

    out = console()
    for number, match in enumerate(matches, start=1):
        if match.like is None:
            continue
        who = " and ".join(match.roles)
        cannot = agree(len(match.roles), "cannot", "together cannot")
        out.print(f"\n{who} {cannot} tell match {match.like + 1} from match {number}")
        made = table("step", f"match {match.like + 1}", f"match {number}", f"{who} saw in both", left=4)
        seen = [told(game, match.moves, role) for role in match.roles]
        for step, (one, other) in enumerate(zip(matches[match.like].moves, match.moves, strict=True), start=1):
            percepts = sorted({str(percept) for of_role in seen for percept in of_role[step - 1][1]})
            made.add_row(str(step), "  ".join(map(str, one)), "  ".join(map(str, other)), ", ".join(percepts) or "–")
        out.print(made)
