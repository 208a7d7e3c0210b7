"""`ludorum info`: what a game is and how it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludorum.cli.arguments import Engine, GameArgument, Json, load_game
from ludorum.cli.output import console, print_json, table, working
from ludorum.game import Game
from ludorum.grammar import agree

if TYPE_CHECKING:
    from rich.console import Console


Seconds = Annotated[float, typer.Option(
    metavar="SECONDS", min=0, help="For grounding the rules, before they are given up as too large.")]


def info(game: GameArgument, engine: Engine = None, seconds: Seconds = 60, json: Json = False) -> None:
    """Show what a game is and how it runs. Roles, sizes, the engine, random play, every pass of the compiler."""
    from ludorum.analysis.trial import trial

    loaded = load_game(game, engine, seconds=seconds)
    with working(f"playing {loaded.name}"):
        tried = trial(loaded)
    described = {**_describe(loaded), "random_play": {
        "matches": tried.matches, "finished": tried.finished, "stuck": tried.stuck, "cut": tried.cut,
        "undefined_goals": tried.undefined}}
    if json:
        print_json(described)
    else:
        _show(described, str(tried))


def _describe(game: Game) -> dict[str, Any]:
    report = game.report
    return {
        "name": game.name,
        "roles": list(game.roles),
        "rules": len(game.rules.rules),
        "fluents": None if game.fluents is None else len(game.fluents),
        "moves": None if game.moves is None else sum(map(len, game.moves.values())),
        "engine": game.engine,
        "why": game.why,
        "gates": report.get("gates"),
        "phases": report.get("phases", []),
        "passes": report.get("passes", []),
        "reachable": report.get("reachable"),
        "grounding": report.get("grounding", {}),
        "plans": report.get("plans"),
        "cached": report.get("cached", False),
        "load_seconds": report["load_seconds"],
    }


def _show(described: dict[str, Any], ends: str) -> None:
    from rich.table import Table

    out = console()
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold")
    for what in ("name", "roles", "rules", "fluents", "moves", "engine", "why", "gates"):
        value = described[what]
        if value is not None:
            facts.add_row(what, ", ".join(value) if isinstance(value, list) else str(value))
    if described["phases"]:
        facts.add_row("turns", ", then ".join(" ".join(held) or "none of these" for held in described["phases"]))
    source = " from the cache" if described["cached"] else ""
    facts.add_row("loaded in", f"{described['load_seconds']:.3f} s{source}")
    facts.add_row("in play", ends)
    out.print(facts)
    _show_passes(out, described["passes"])
    if described["plans"]:
        _show_plans(out, described["plans"])
        _show_sizes(out, described["grounding"].get("sizes", {}))
    if described["reachable"]:
        out.print("\nA smaller circuit for play, by what was proved of the states that can be reached:")
        _show_passes(out, described["reachable"]["passes"])


def _show_plans(out: Console, plans: dict[str, Any]) -> None:
    steps = plans["steps_per_state"]
    measured = ("none could be tried out" if steps is None else
                f"{steps:,.0f} {agree(round(steps), 'step')} a state in random play")
    made, trials = plans["procedures"], plans["trials"]
    out.print(f"\n{made} join {agree(made, 'plan')} after {trials} {agree(trials, 'trial')}: {measured}.")
    if plans["whole"]:
        out.print(f"Computed whole in every state: {', '.join(plans['whole'])}.")


def _show_sizes(out: Console, sizes: dict[str, int]) -> None:
    """What keeps a game from being grounded: the relations that have nine tenths of the ground rules."""
    large: dict[str, int] = {}
    for relation, count in sorted(sizes.items(), key=lambda item: -item[1]):
        if sum(large.values()) >= 0.9 * sum(sizes.values()):
            break
        large[relation] = count
    if large:
        named = ", ".join(f"{relation} (at least {count:,} ground {agree(count, 'rule')})"
                          for relation, count in large.items())
        rest = sum(sizes.values()) - sum(large.values())
        others = len(sizes) - len(large)
        beside = f"the other {others} {agree(others, 'relation')} had {rest:,}"
        out.print(f"\nIt does not ground because of {named}{f'; {beside}' if others else ''}.")


def _show_passes(out: Console, passes: list[dict[str, Any]]) -> None:
    if not passes:
        return
    made = table("pass", "gates before", "after", "inputs before", "after", "seconds")
    for did in passes:
        sizes = ("gates_before", "gates_after", "inputs_before", "inputs_after")
        made.add_row(did["name"], *(f"{did[size]:,}" for size in sizes), f"{did['seconds']:.3f}")
    out.print()
    out.print(made)
