"""`ludorum prove`: what holds in every state of a game, and what does not."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from ludorum.cli.alike import show_doubles
from ludorum.cli.arguments import GameArgument, Json, Loading, Seed, find_rules, loading_seconds
from ludorum.cli.output import console, print_json, table, working
from ludorum.cli.verb import Failure
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.gdl import Source
from ludorum.grammar import agree
from ludorum.loading import load_source

if TYPE_CHECKING:
    from ludorum.analysis.proofs import Proof
    from ludorum.analysis.proofs.proving import Method

Properties = Annotated[list[str] | None, typer.Argument(
    metavar="[PROPERTY]…", show_default=False,
    help="Such as control, 'input (cell + + -)', of a market truthful, or a formula such as "
         "'AG (terminal implies K x terminal)'; all that there are if none is named.")]
Seconds = Annotated[float, typer.Option(
    metavar="SECONDS", min=0.1, help="The work of about so many seconds, loading apart.")]
Memory = Annotated[int, typer.Option("--memory-mb", metavar="N", min=64, help="How much memory they may take.")]

_METHODS = ("sat", "asp")


def _known_method(name: str | None) -> str | None:
    if name is not None and name not in _METHODS:
        raise typer.BadParameter(f"there is no method {name!r}, only {' and '.join(_METHODS)}")
    return name


MethodOption = Annotated[str | None, typer.Option(
    "--method", callback=_known_method, metavar="|".join(_METHODS),
    help="On the circuit, or by answer sets from the rules; the first where the game has a circuit.")]

#: Properties of single fluents are many; they are counted, and a few are shown.
_COUNTED = {"never": ("fluent never holds", "fluents never hold"),
            "always": ("fluent always holds", "fluents always hold"),
            "stays_true": ("fluent stays true once it is", "fluents stay true once they are"),
            "stays_false": ("fluent stays false once it is", "fluents stay false once they are")}
_SHOWN = 3


def prove(game: GameArgument, properties: Properties = None, seconds: Seconds = 60.0, memory: Memory = 4096,
          method: MethodOption = None, loading: Loading = None, seed: Seed = 0, json: Json = False) -> None:
    """Prove or refute properties of a game. What refutes them are matches that can be played."""
    source = find_rules(game)
    with working(f"loading {source.name}"):
        loaded = load_source(source, seconds=loading_seconds(loading, seconds))
    start = time.perf_counter()
    with working("proving"):
        proofs = _proofs(source, loaded, list(properties or ()), Budget.about(seconds, memory), seed,
                         cast("Method | None", method))
    taken = time.perf_counter() - start
    if json:
        print_json({"game": loaded.name, "proofs": [proof.to_json() for proof in proofs], "seconds": taken})
    else:
        _show(loaded, proofs, every=bool(properties))
    unproved = [proof for proof in proofs if proof.verdict != "proved"]
    if properties and unproved:
        of_all = f"{len(unproved)} of {len(proofs)} {agree(len(proofs), 'property', 'properties')}"
        raise Failure(f"{of_all} of {loaded.name} {agree(len(unproved), 'is', 'are')} not proved")


def _proofs(source: Source, game: Game, names: list[str], budget: Budget, seed: int,
            method: Method | None) -> list[Proof]:
    """Of games as of games, and of markets as of mechanisms, in the order of the names."""
    from ludorum.market import is_market
    from ludorum.mechanism import PROPERTIES, Mechanism, prove_mechanism
    from ludorum.verify import prove as prove_properties

    of_markets = [name for name in names if name in PROPERTIES]
    of_games = [name for name in names if name not in PROPERTIES]
    found: list[Proof] = []
    if of_games or not names:
        found += prove_properties(game, *of_games, budget=budget, seed=seed, method=method)
    if of_markets or (not names and is_market(source) and any(
            rule.head.name == "payoff" for rule in game.rules.rules)):
        found += prove_mechanism(Mechanism.of(source), *of_markets, budget=budget)
    places = {name: place for place, name in enumerate(names)}
    # What stands for several formulas has their names.
    return sorted(found, key=lambda proof: places.get(proof.property, places.get("well_formed", 0))) if names else found


def _show(game: Game, proofs: Sequence[Proof], *, every: bool) -> None:
    out = console()
    made = table("property", "verdict", "method", "seconds", left=3)
    counted: dict[tuple[str, str], list[str]] = {}
    for proof in proofs:
        word, _, about = proof.property.partition(" ")
        if word in _COUNTED and not every:
            counted.setdefault((word, proof.verdict), []).append(about)
        else:
            made.add_row(proof.property, proof.verdict, proof.method, f"{proof.seconds:.2f}")
    out.print(made)
    for (word, verdict), fluents in counted.items():
        more = [f"… {len(fluents) - _SHOWN} more"] if len(fluents) > _SHOWN else []
        number = f"{len(fluents)} {agree(len(fluents), *_COUNTED[word])}"
        out.print(f"{verdict}: {number}: {', '.join([*fluents[:_SHOWN], *more])}")
    if every:
        for proof in proofs:
            out.print(f"\n{proof.property}: {proof.says}")
            for line in _dominant(proof):
                out.print(line)
            if proof.moves is not None:
                out.print(_match(proof))
                show_doubles(game, getattr(proof, "matches", ()))


def _dominant(proof: Proof) -> list[str]:
    """Of a market, the dominant messages by trader and type."""
    table: dict[str, dict[str, list[str]]] = getattr(proof, "details", {}).get("dominant", {})
    return [f"  {role} as {kind}: {', '.join(messages) or 'none'}"
            for role, by_type in table.items() for kind, messages in by_type.items()]


def _match(proof: Proof) -> str:
    word = "refuted by" if proof.verdict == "refuted" else "shown by"
    if not proof.moves:
        return f"{word} the initial state"
    lines: list[Any] = [f"{word} the state after"]
    lines += [f"{number:3}  {'  '.join(map(str, joint))}" for number, joint in enumerate(proof.moves, start=1)]
    return "\n".join(lines)
