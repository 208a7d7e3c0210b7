"""`ludorum check`: what is wrong with a rulesheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludorum import languages
from ludorum.belief import hides
from ludorum.cli.arguments import GameArgument, Json, find_rules
from ludorum.cli.output import complain, console, print_json, working
from ludorum.cli.verb import Failure
from ludorum.errors import LudorumError
from ludorum.gdl import Diagnostic, Source
from ludorum.grammar import agree

if TYPE_CHECKING:
    from ludorum.cli.too_little import TooLittle

RulesOnly = Annotated[bool, typer.Option("--rules-only", help="Only read the rules; play no random matches by them.")]
KnowledgeOption = Annotated[bool, typer.Option(
    "--knowledge", help="Prove that roles know their legal moves, the end and their goals; say what would mend it.")]
Seconds = Annotated[float, typer.Option(
    metavar="SECONDS", min=0, help="For loading the game, before random matches are played.")]


def check(game: GameArgument, rules_only: RulesOnly = False, knowledge: KnowledgeOption = False,
          seconds: Seconds = 10, json: Json = False) -> None:
    """Say what is wrong or doubtful in a rulesheet. Fails for errors, not for warnings."""
    source = find_rules(game)
    diagnostics = languages.check(source)
    if not rules_only and all(diagnostic.level == "warning" for diagnostic in diagnostics):
        diagnostics += _by_playing(source, seconds)
    errors = sum(diagnostic.level == "error" for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    told_too_little = [] if errors or (rules_only and not knowledge) else _by_proving(source, seconds, knowledge)
    warnings += sum(finding.is_warning for finding in told_too_little)
    summary = f"{source.name}: {errors} {agree(errors, 'error')}, {warnings} {agree(warnings, 'warning')}"
    if json:
        print_json({"name": source.name, "diagnostics": list(map(_describe, diagnostics)),
                    **({"knowledge": [finding.to_json() for finding in told_too_little]}
                       if knowledge or told_too_little else {})})
    else:
        out = console()
        for diagnostic in diagnostics:
            out.print(str(diagnostic), end="\n\n", style="red" if diagnostic.level == "error" else "yellow")
        for finding in told_too_little:
            finding.show()
        if not errors:
            out.print(summary)
    if errors:
        raise Failure(summary)


def _by_playing(source: Source, seconds: float) -> list[Diagnostic]:
    """What only shows when the game is played."""
    from ludorum.analysis.trial import trial
    from ludorum.loading import load_source

    try:
        with working(f"loading {source.name}"):
            game = load_source(source, seconds=seconds)
        with working(f"playing {source.name}"):
            return trial(game).diagnostics
    except LudorumError as error:
        # Rules without errors that cannot be played all the same, such as an infinite game.
        complain(f"no random matches were played: {error}")
        return []


def _by_proving(source: Source, seconds: float, is_thorough: bool) -> list[TooLittle]:
    """What the rules tell roles too little of: all that can be proved, or who does not know its legal moves."""
    from ludorum.loading import load_source

    try:
        game = load_source(source, seconds=seconds)
    except LudorumError:
        if is_thorough:
            raise
        # That no matches were played has been said.
        return []
    if not hides(game):
        return []
    from ludorum.cli.too_little import told_too_little, unsure_of_moves

    with working(f"proving what the roles of {source.name} know"):
        return told_too_little(game) if is_thorough else unsure_of_moves(game)


def _describe(diagnostic: Diagnostic) -> dict[str, object]:
    return {"code": diagnostic.code, "level": diagnostic.level, "line": diagnostic.line,
            "column": diagnostic.column, "message": diagnostic.message, "help": diagnostic.help or None}
