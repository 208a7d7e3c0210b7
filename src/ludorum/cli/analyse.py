"""`ludorum analyse`: what is known of a game."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludorum.cli.arguments import GameArgument, Json, Loading, Seed, can_be_written, load_game, loading_seconds
from ludorum.cli.output import console, print_json, table, working
from ludorum.clock import Budget
from ludorum.grammar import agree

if TYPE_CHECKING:
    from rich.console import Console

    from ludorum.report import Analysis

Seconds = Annotated[float, typer.Option(
    metavar="SECONDS", min=1.0, help="The work of about so many seconds, loading apart.")]
Html = Annotated[Path | None, typer.Option(
    "--html", callback=can_be_written, help="Write a page with pictures to this file.")]

#: Properties of single fluents are many; they are counted.
_COUNTED = {"never": ("fluent never holds", "fluents never hold"),
            "stays_true": ("fluent stays true once it is", "fluents stay true once they are"),
            "stays_false": ("fluent stays false once it is", "fluents stay false once they are"),
            "input": ("set of input arguments", "sets of input arguments"),
            "one": ("set of arguments with always one instance", "sets of arguments with always one instance")}
_MOST_MOVES = 8


def analyse(game: GameArgument, seconds: Seconds = 30.0, html: Html = None, loading: Loading = None, seed: Seed = 0,
            json: Json = False) -> None:
    """Tell what is known of a game. Its kind, structures, proofs, symmetries, distances, factors, first moves."""
    from ludorum.report import analyse as analyse_game
    from ludorum.report import page

    loaded = load_game(game, seconds=loading_seconds(loading, seconds))
    with working(f"analysing {loaded.name}"):
        found = analyse_game(loaded, budget=Budget.about(seconds), seed=seed)
    if not json:
        _show(found)
    if html is not None:
        html.write_text(page(found), encoding="utf-8")
    if json:
        print_json(found.to_json())
    elif html is not None:
        console().print(f"\nThe page is {html}.")


def _show(found: Analysis) -> None:
    out = console()
    out.print(f"{found.game.name}: {'; '.join(map(str, found.traits))}\n")
    _show_structures(out, found)
    _show_proofs(out, found)
    for title, section in (("symmetries", found.symmetries), ("factors", found.factors),
                           ("distances", found.distances)):
        out.print(f"\n{title}: {section.value if section.value is not None else section.note}")
    _show_play(out, found)
    _show_skilled_play(out, found)
    _show_moves(out, found)
    made = table("part", "seconds", "work", "budget")
    for name, section in found.sections.items():
        made.add_row(name.replace("_", " "), f"{section.seconds:.2f}", f"{section.work:.2f}", f"{section.budget:.1f}")
    made.add_row("together", f"{found.seconds:.2f}", "", "")
    out.print()
    out.print(made)


def _show_structures(out: Console, found: Analysis) -> None:
    known = found.structures.value
    if known is None or found.structures.note:
        out.print(found.structures.note)
    if known is None:
        return
    made = table("fluents", "kind", "inputs", "known by", "counted by", left=5)
    for fluent in known.fluents:
        made.add_row(f"{fluent.name}/{fluent.arity}", fluent.kind, ", ".join(map(str, fluent.claims)),
                     ", ".join(inputs.standing for inputs in fluent.claims),
                     ", ".join(dict.fromkeys(order.name for order in fluent.orders if order is not None)))
    out.print(made)
    for board in known.boards:
        out.print(f"board {board}")
    for relation in known.relations:
        out.print(f"relation {relation}")


def _show_proofs(out: Console, found: Analysis) -> None:
    out.print()
    if found.proofs.value is None:
        out.print(f"proofs: {found.proofs.note}")
        return
    made = table("property", "verdict", "method", "seconds", left=3)
    counts: Counter[tuple[str, str]] = Counter()
    for proof in found.proofs.value:
        word = proof.property.partition(" ")[0]
        if word in _COUNTED:
            counts[word, proof.verdict] += 1
        else:
            made.add_row(proof.property, proof.verdict, proof.method, f"{proof.seconds:.2f}")
    out.print(made)
    for (word, verdict), count in counts.items():
        out.print(f"{verdict}: {count} {agree(count, *_COUNTED[word])}")


def _show_play(out: Console, found: Analysis) -> None:
    seen = found.play.value
    if seen is None:
        out.print(f"\nrandom play: {found.play.note}")
        return
    matches = agree(seen.playouts, "match", "matches")
    out.print(f"\nrandom play: {seen.playouts:,} {matches} of {seen.lengths.mean():.1f} steps on average")
    made = table("role", "mean goal", "moves to choose from")
    for role in found.game.roles:
        made.add_row(role, str(seen.goals[role] or "–"), f"{seen.choices[role]:.1f}")
    out.print(made)
    if seen.missing_goals:
        out.print(seen.missing_goals)


def _show_skilled_play(out: Console, found: Analysis) -> None:
    seen = found.skilled_play.value
    if seen is None:
        out.print(f"\nskilled play: {found.skilled_play.note}")
        return
    out.print(f"\nskilled play: {seen.matches:,} {agree(seen.matches, 'match', 'matches')} of tree search with "
              f"{seen.playouts} playouts a move, {seen.length} steps"
              + (f"; {seen.draws} % of them with the same goal for all" if seen.draws is not None else ""))
    made = table("role", "mean goal")
    for role, goal in seen.goals.items():
        made.add_row(role, str(goal or "–"))
    out.print(made)


def _show_moves(out: Console, found: Analysis) -> None:
    moves = found.first_moves.value
    out.print()
    if moves is None:
        out.print(f"first moves: {found.first_moves.note}")
        return
    made = table("first moves", *(f"{what} {role}" for role in found.game.roles for what in ("evaluation", "goal")))
    for move in moves[:_MOST_MOVES]:
        cells = []
        for role in found.game.roles:
            cells += [f"{move.values[role]:.2f}", str(move.goals[role] or "–")]
        made.add_row(" ".join(map(str, move.moves.values())), *cells)
    out.print(made)
    if len(moves) > _MOST_MOVES:
        out.print(f"… {len(moves) - _MOST_MOVES} more")
