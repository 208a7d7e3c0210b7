"""How a verb ends: with 0, with 1 and one line, or with 130 if interrupted; never with a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

import typer

from ludorum.cli.output import complain, print_json
from ludorum.errors import InvalidFormula, InvalidRules, LudorumError
from ludorum.grammar import agree


class Failure(LudorumError):
    """A negative finding that has already been shown in full; the message is the one line about it."""


def verb(function: Callable[..., None]) -> Callable[..., None]:
    """Turn the exceptions of a verb into a line on standard error and an exit status."""

    @wraps(function)
    def run(*args: Any, **options: Any) -> None:
        try:
            function(*args, **options)
            # Here rather than at exit, where a closed pipe could not be caught.
            sys.stdout.flush()
        except Failure as failure:
            _end(1, str(failure))
        except InvalidRules as error:
            for diagnostic in error.diagnostics:
                print(diagnostic, end="\n\n", file=sys.stderr)
            _fail(error, _count(error), as_json=options.get("json", False))
        except InvalidFormula as error:
            print(error, end="\n\n", file=sys.stderr)
            _fail(error, f"that is no formula: {error.diagnostics[0].message}", as_json=options.get("json", False))
        except (LudorumError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                _leave_quietly()
            _fail(error, _one_line(error), as_json=options.get("json", False))
        except KeyboardInterrupt:
            _end(130, "interrupted")
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except Exception as error:
            # A mistake of ours. People get one line all the same; whoever mends it asks for the whole story.
            if os.environ.get("LUDORUM_DEBUG"):
                raise
            message = f"internal error: {type(error).__name__}: {_one_line(error)} (see LUDORUM_DEBUG=1)"
            _fail(error, message, as_json=options.get("json", False))

    return run


def _fail(error: Exception, message: str, *, as_json: bool) -> NoReturn:
    if as_json:
        print_json({"error": type(error).__name__, "message": message})
    _end(1, message)


def _end(status: int, message: str) -> NoReturn:
    complain(message)
    raise typer.Exit(status)


def _leave_quietly() -> NoReturn:
    """Whoever read our output has gone; the interpreter must not complain when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise typer.Exit(1)


def _count(error: InvalidRules) -> str:
    errors = sum(diagnostic.level == "error" for diagnostic in error.diagnostics)
    return f"the rules have {errors} {agree(errors, 'error')}"


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())
