"""Terms as any Prolog reads them.

A canonical integer becomes a number; any other name is an atom, in quotes unless it is plainly one. So what Prolog
writes without quotes is the name again.
"""

from __future__ import annotations

import re

from ludorum.gdl.printing import functional
from ludorum.gdl.terms import Argument, Term

_PLAIN = re.compile(r"[a-z][a-z0-9_]*")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,8}")


def atom(name: str) -> str:
    """A name as an atom."""
    if _PLAIN.fullmatch(name):
        return name
    return f"'{''.join(map(_quoted, name))}'"


def constant(name: str) -> str:
    """A name as a constant: a number if it is one."""
    return name if _INTEGER.fullmatch(name) else atom(name)


def term(argument: Argument, variables: dict[str, str] | None = None) -> str:
    """A term; `variables` are what its variables are written as."""
    return functional(argument, symbol=constant, functor=atom, variable=(variables or {}).__getitem__)


def terms(arguments: tuple[Term, ...]) -> str:
    """Ground terms as a list."""
    return f"[{', '.join(map(term, arguments))}]"


def _quoted(character: str) -> str:
    if character in "'\\":
        return "\\" + character
    return character if character.isascii() and character.isprintable() else f"\\x{ord(character):x}\\"
