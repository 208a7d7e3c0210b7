"""`ludorum check`: what is wrong with a rulesheet."""

from __future__ import annotations

from ludorum import gdl
from ludorum.cli.arguments import GameArgument, Json, find_rules
from ludorum.cli.output import console, print_json
from ludorum.cli.verb import Failure
from ludorum.gdl import Diagnostic
from ludorum.grammar import agree


def check(game: GameArgument, json: Json = False) -> None:
    """Say what is wrong or doubtful in a rulesheet. Fails for errors, not for warnings."""
    source = find_rules(game)
    diagnostics = gdl.check(source.text, source.name)
    errors = sum(diagnostic.level == "error" for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    summary = f"{source.name}: {errors} {agree(errors, 'error')}, {warnings} {agree(warnings, 'warning')}"
    if json:
        print_json({"name": source.name, "diagnostics": list(map(_describe, diagnostics))})
    else:
        out = console()
        for diagnostic in diagnostics:
            out.print(str(diagnostic), end="\n\n", style="red" if diagnostic.level == "error" else "yellow")
        if not errors:
            out.print(summary)
    if errors:
        raise Failure(summary)


def _describe(diagnostic: Diagnostic) -> dict[str, object]:
    return {"code": diagnostic.code, "level": diagnostic.level, "line": diagnostic.line,
            "column": diagnostic.column, "message": diagnostic.message, "help": diagnostic.help or None}
