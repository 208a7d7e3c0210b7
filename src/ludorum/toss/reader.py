"""Text to the parts of a game of Toss.

In the literature: the syntax of Figure 3 of Kaiser, Stafiniak 2011, with what later versions of Toss added to it.
"""

from __future__ import annotations

import re

from ludorum.errors import InvalidRules
from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.terms import Span
from ludorum.toss.expressions import Expressions
from ludorum.toss.sheet import (
    Named,
    Sheet,
    WrittenDefinition,
    WrittenEdge,
    WrittenFact,
    WrittenLocation,
    WrittenRule,
    WrittenStructure,
)
from ludorum.toss.tokens import OPENERS, tokens_of

_OPTIONAL = "_opt_"
_CONTINUOUS = frozenset({"dynamics", "update", "inv", "DYNAMICS", "UPDATE", "INV"})
_HISTORY = frozenset({"before", "history"})


def read_sheet(findings: Findings) -> Sheet:
    """What the source of these findings says; what cannot be read is reported and left out."""
    return _Reader(findings).sheet()


class _Reader(Expressions):
    def __init__(self, findings: Findings) -> None:
        super().__init__(tokens_of(findings), findings)
        self.read = Sheet()

    def sheet(self) -> Sheet:
        while not self.at_end:
            try:
                self.part()
            except InvalidRules:
                self.skip_to(OPENERS)
        return self.read

    def part(self) -> None:
        opener = self.next()
        match opener.text if opener.kind == "name" else "":
            case "PLAYERS":
                self.read.players.extend(self.names())
            case "REL":
                self.definition()
            case "RULE":
                self.rule()
            case "LOC":
                self.location()
            case "MODEL" | "START":
                self.read.models.append(self.structure())
            case "STATE":
                self.expect("LOC")
                self.read.first = self.place()
            case "DATA":
                # How to draw and how hard to think: nothing of the rules.
                self.skip_to(OPENERS)
            case "PATTERNS" | "SET" | "TIME":
                raise self.misread("toss-unsupported", f"{opener.text} is not supported", opener.span,
                                   help="leave it out: it tells a player of Toss how to think, not what the rules are")
            case _:
                raise self.misread("toss-unexpected", f"expected a part of a game, found {opener.text}", opener.span,
                                   "none of PLAYERS, REL, RULE, LOC, MODEL and START")

    def names(self) -> list[Named]:
        found = [self.name("a name")]
        while self.take(","):
            found.append(self.name("a name"))
        return found

    def place(self) -> Named:
        """The name of a location: a number, or a word."""
        token = self.peek
        if token.kind == "number":
            self.next()
            return Named(token.text, token.span)
        return self.name("a location")

    def definition(self) -> None:
        name = self.name("the name of a relation")
        self.expect("(")
        variables = () if self.sees(")") else tuple(self.names())
        self.expect(")")
        if self.take("{"):
            formula = self.formula()
            self.expect("}")
        else:
            self.expect("=")
            formula = self.formula()
        self.read.definitions.append(WrittenDefinition(name, variables, formula))

    def rule(self) -> None:
        name = self.name("the name of a rule")
        self.expect(":")
        left = self.structure()
        self.expect("->")
        rule = WrittenRule(name, left, self.structure())
        while self.peek.kind == "name" and self.peek.text not in OPENERS:
            word = self.next()
            match word.text:
                case "emb":
                    rule.embedded.extend(self.names())
                case "pre":
                    rule.pre = self.formula()
                case "post":
                    rule.post = self.formula()
                case "with":
                    rule.replaces.extend(self.replacements())
                case text if text in _CONTINUOUS:
                    raise self.misread("toss-continuous", f"{text} makes this a rule of continuous time", word.span,
                                       "moves take no time here", "games played move by move need no such part")
                case text if text in _HISTORY:
                    raise self.misread("toss-history", "conditions on earlier states are not supported", word.span,
                                       help="mark what has happened with a relation of its own")
                case text:
                    raise self.misread("toss-unexpected", f"expected emb, pre, post or with, found {text}", word.span)
        self.read.rules.append(rule)

    def replacements(self) -> list[tuple[Named, Named]]:
        self.expect("[")
        found = []
        while not self.sees("]"):
            new = self.name("an element of the right side")
            self.expect("<-")
            found.append((new, self.name("an element of the left side")))
            if not self.take(","):
                break
        self.expect("]")
        return found

    def location(self) -> None:
        location = WrittenLocation(self.place())
        self.read.locations.append(location)
        self.expect("{")
        while not self.take("}"):
            word = self.next()
            match word.text if word.kind == "name" else "":
                case "PLAYER":
                    player = self.any_name("a player")
                    location.players.append(player)
                    location.edges.append([])
                    if self.take("{"):
                        while not self.take("}"):
                            self.part_of_location(location, player)
                case "PAYOFF" | "MOVES":
                    self.back()
                    self.part_of_location(location, None)
                case "UPDATE" | "DYNAMICS" | "TIME":
                    raise self.misread("toss-continuous", f"{word.text} makes time flow at this location", word.span,
                                       "moves take no time here")
                case _:
                    raise self.misread("toss-unexpected", f"expected PLAYER, PAYOFF, MOVES or }}, found {word.text}",
                                       word.span)

    def part_of_location(self, location: WrittenLocation, player: Named | None) -> None:
        word = self.next()
        match word.text:
            case "PAYOFF" if player is None or self.sees("{"):
                self.expect("{")
                while not self.take("}"):
                    who = self.any_name("a player")
                    self.expect(":")
                    location.payoffs.append((who, self.term()))
                    if not self.take(";"):
                        self.expect("}")
                        break
            case "PAYOFF":
                assert player is not None
                location.payoffs.append((player, self.term()))
            case "MOVES":
                if not location.edges:
                    location.edges.append([])
                while self.sees("["):
                    location.edges[-1].append(self.edge())
                    if not self.take(";"):
                        break
            case _:
                raise self.misread("toss-unexpected", f"expected PAYOFF or MOVES, found {word.text}", word.span)

    def edge(self) -> WrittenEdge:
        self.expect("[")
        rule = self.name("the name of a rule")
        if self.sees(","):
            raise self.misread("toss-continuous", "a move that takes time", self.peek.span, "moves take no time here",
                               f"write [{rule.name} -> location]")
        self.expect("->")
        to = self.place()
        self.expect("]")
        return WrittenEdge(rule, to)

    # Structures

    def structure(self) -> WrittenStructure:
        opening = self.expect("[")
        structure = WrittenStructure(opening.span)
        if not self.take("-"):
            while self.peek.kind in ("name", "number"):
                structure.elements.append(self.any_name("an element"))
                if not self.take(","):
                    break
        if self.take("|"):
            self.facts(structure)
        if self.take("|"):
            self.functions()
        self.expect("]", opening=opening)
        if self.peek.kind == "grid":
            _read_grid(self.peek.text, self.peek.span.start + 1, structure)
            self.next()
        return structure

    def facts(self, structure: WrittenStructure) -> None:
        if self.take("-"):
            return
        while self.peek.kind == "name":
            written = self.name("a relation")
            is_optional = written.name.startswith(_OPTIONAL)
            relation = Named(written.name.removeprefix(_OPTIONAL), written.span)
            if self.take(":"):
                arity = self.natural()
                structure.declared.append((relation, arity))
                self.tuples(structure, relation, is_optional)
            elif self.sees("("):
                structure.facts.append(WrittenFact(relation, self.tuple(), is_optional))
            else:
                self.tuples(structure, relation, is_optional)
            if not self.take(";"):
                break

    def tuples(self, structure: WrittenStructure, relation: Named, is_optional: bool) -> None:
        """What stands in braces: `{a; b}` or `{(a, b); (c, d)}`."""
        self.expect("{")
        while not self.take("}"):
            args = self.tuple() if self.sees("(") else (self.any_name("an element"),)
            structure.facts.append(WrittenFact(relation, args, is_optional))
            if not self.take(";") and not self.take(","):
                self.expect("}")
                break

    def tuple(self) -> tuple[Named, ...]:
        self.expect("(")
        args = []
        while self.peek.kind in ("name", "number"):
            args.append(self.any_name("an element"))
            if not self.take(","):
                break
        self.expect(")")
        return tuple(args)

    def functions(self) -> None:
        """Positions on a screen are read past; other functions would need continuous games."""
        if self.take("-"):
            return
        while self.peek.kind == "name":
            function = self.name("a function")
            if function.name not in ("x", "y", "vx", "vy"):
                raise self.misread("toss-unsupported", f"the function {function.name} is not supported", function.span,
                                   help="only the positions x and y, which mean nothing to the rules, may stand here")
            self.expect("{")
            while not self.take("}"):
                self.any_name("an element")
                self.expect("->")
                self.term()
                if not self.take(",") and not self.take(";"):
                    self.expect("}")
                    break
            if not self.take(";"):
                break

    def natural(self) -> int:
        token = self.next()
        if token.kind != "number" or not token.text.isdigit() or len(token.text) > 3:
            raise self.misread("toss-unexpected", f"expected a number of arguments, found {token.text}", token.span)
        return int(token.text)


def _read_grid(text: str, offset: int, structure: WrittenStructure) -> None:
    """Adds the elements of a grid, `C` to the upper and `R` to the right neighbour, and the marks."""
    rows = []
    start = 0
    for line in text.splitlines(keepends=True):
        cells = [Named(token.group(), Span(offset + start + token.start(), offset + start + token.end()))
                 for token in re.finditer(r"\S+", line)]
        if cells:
            rows.append(cells)
        start += len(line)
    rows.reverse()
    board: dict[tuple[int, int], Named] = {}
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            if cell.name != "#":
                board[x, y] = Named(f"{_letters(x)}{y + 1}", cell.span)
                structure.elements.append(board[x, y])
    for (x, y), element in board.items():
        for relation, neighbour in (("R", (x + 1, y)), ("C", (x, y + 1))):
            if neighbour in board:
                structure.facts.append(WrittenFact(Named(relation, element.span), (element, board[neighbour])))
        cell = rows[y][x]
        for mark in cell.name.split("+"):
            if mark.strip("."):
                structure.facts.append(WrittenFact(Named(mark, cell.span), (element,), is_mark=True))
    if rows:
        here = Span(offset, offset)
        structure.declared += [(Named("R", here), 2), (Named("C", here), 2)]


def _letters(column: int) -> str:
    """a, b, … z, aa, ab, …"""
    return (_letters(column // 26 - 1) if column >= 26 else "") + chr(ord("a") + column % 26)
