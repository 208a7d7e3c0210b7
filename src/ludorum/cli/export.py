"""`ludorum export`: hand a game to other tools."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from ludorum import gdl, languages
from ludorum.cli.arguments import GameArgument, Json, find_rules
from ludorum.cli.output import print_json, working
from ludorum.errors import LudorumError
from ludorum.gdl import Rulesheet, Source
from ludorum.market import is_market


class Format(StrEnum):
    """The languages a game can be written in."""

    KIF = "kif"
    INFIX = "infix"
    ASP = "asp"
    PROLOG = "prolog"
    DOT = "dot"
    AIGER = "aiger"
    TOSS = "toss"
    SMV = "smv"
    MCK = "mck"
    ISPL = "ispl"
    MSL = "msl"


To = Annotated[Format, typer.Option(help="kif and infix are GDL, asp is for clingo, prolog for any Prolog, "
                                         "dot draws the circuit, aiger hands it to hardware tools, "
                                         "toss rewrites pictures of a board, "
                                         "smv is for NuSMV, mck for MCK, ispl for MCMAS; "
                                         "msl is a market as it was written.")]


def export(game: GameArgument, to: To, json: Json = False) -> None:
    """Write a game in another language."""
    source = find_rules(game)
    with working(f"exporting {source.name}"):
        rules = languages.parse(source)
        text = _market(source) if to is Format.MSL else _written(
            rules, to, is_translated=languages.is_translated(source))
    if json:
        print_json({"game": source.name, "to": to.value, "text": text})
    else:
        print(text.rstrip("\n"))


def _market(source: Source) -> str:
    if not is_market(source):
        raise LudorumError(f"{source.name} is no market: it has no traders that send messages")
    return source.text


def _written(rules: Rulesheet, to: Format, *, is_translated: bool) -> str:
    match to:
        case Format.KIF:
            # A translation starts with comments that say how it is to be read.
            return rules.source.text if is_translated else gdl.to_kif(rules)
        case Format.INFIX:
            return gdl.to_infix(rules)
        case Format.ASP:
            from ludorum.ground import to_asp

            return to_asp(rules)
        case Format.PROLOG:
            from ludorum.prolog import to_prolog

            return to_prolog(rules)
        case Format.TOSS:
            from ludorum.drawing.rewriting import to_toss
            from ludorum.game import Game

            return to_toss(Game(rules)).text
    from ludorum.circuit import compile_circuit
    from ludorum.circuit.export import to_aiger, to_dot
    from ludorum.ground import ground

    circuit = compile_circuit(ground(rules))
    if to in (Format.SMV, Format.MCK, Format.ISPL):
        from ludorum.verify.export import to_ispl, to_mck, to_smv

        write = {Format.SMV: to_smv, Format.MCK: to_mck, Format.ISPL: to_ispl}[to]
        return write(circuit, rules.source.name)
    return to_dot(circuit) if to is Format.DOT else to_aiger(circuit)
