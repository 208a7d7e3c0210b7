"""Terms in clingo's language and back, exactly.

A name that is an identifier of clingo stays as it is, a canonical integer becomes a number, and any other
constant a string. Where only an identifier will do, a name is written `x__` and its characters, the
strange ones as numbers. The relations that flattening and splitting made up, such as `(or 3)`, read
`or__3`; so a name with two underscores in a row is strange too.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from ludorum.gdl.names import made
from ludorum.gdl.terms import Argument, Term, Variable

# A ground term as it comes back from clingo: a number, an identifier, a string (as bytes), or a function.
Symbol: TypeAlias = int | str | bytes | tuple["Symbol", ...]

_IDENTIFIER = re.compile(r"(?!.*__)[a-z][a-z0-9_]*")
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_ESCAPE = re.compile(r"_([0-9a-f]+)_|([a-zA-Z0-9])")


def encode(argument: Argument) -> str:
    """A term or atom as clingo writes it."""
    if isinstance(argument, Variable):
        return _variable(argument.name)
    if argument.args:
        return encode_atom(argument)
    return _constant(argument.name)


def encode_atom(atom: Term) -> str:
    """An atom as clingo writes it; unlike a constant, its name is never a number or a string."""
    if not atom.args:
        return identifier(atom.name)
    return f"{identifier(atom.name)}({','.join(map(encode, atom.args))})"


def identifier(name: str) -> str:
    """A name as one of clingo's identifiers."""
    if _IDENTIFIER.fullmatch(name) and name != "not":
        return name
    auxiliary = made(name)
    if auxiliary is not None:
        return f"{auxiliary[0]}__{auxiliary[1]}"
    return "x__" + _escape(name)


def symbol(constant: Term) -> Symbol:
    """What clingo makes of a constant."""
    text = _constant(constant.name)
    if text.startswith('"'):
        return constant.name.encode()
    return int(text) if _INTEGER.fullmatch(text) else text


def decode(value: Symbol, known: dict[Symbol, Term] | None = None) -> Term:
    """The term that a symbol stands for: `decode` of what clingo made of `encode(term)` is `term`.

    `known` remembers terms, for whoever has many symbols that are made of few.
    """
    if known is None:
        known = {}
    term = known.get(value)
    if term is None:
        term = known[value] = _decoded(value, known)
    return term


def _decoded(value: Symbol, known: dict[Symbol, Term]) -> Term:
    if isinstance(value, int):
        return Term(str(value))
    if isinstance(value, bytes):
        return Term(value.decode())
    if isinstance(value, str):
        return Term(_name(value))
    name, *arguments = value
    assert isinstance(name, str)
    return Term(_name(name), tuple(decode(argument, known) for argument in arguments))


def _name(text: str) -> str:
    if text.startswith("x__"):
        return "".join(chr(int(code, 16)) if code else plain for code, plain in _ESCAPE.findall(text[3:]))
    kind, found, number = text.partition("__")
    return f"({kind} {number})" if found else text


def _constant(name: str) -> str:
    if _INTEGER.fullmatch(name) or (_IDENTIFIER.fullmatch(name) and name != "not"):
        return name
    if name.isprintable():
        return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return "x__" + _escape(name)


def _variable(name: str) -> str:
    return name[0].upper() + name[1:] if _IDENTIFIER.fullmatch(name) else "X__" + _escape(name)


def _escape(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in name)
