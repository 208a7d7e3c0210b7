"""Games of Toss as text; what is printed reads back as the same game."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ludorum.toss.formulas import (
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Indicator,
    Less,
    Not,
    Number,
    Or,
    Plus,
    Real,
    Sum,
    Times,
)
from ludorum.toss.game import Fact, Game, Location, RewritingRule, Structure

_CELL = re.compile(r"([a-z]+)([1-9][0-9]*)")


def to_text(game: Game) -> str:
    """The game in the syntax of Toss."""
    blocks = [f"PLAYERS {', '.join(game.players)}"]
    blocks += [f"REL {definition.name}({', '.join(definition.variables)}) = {show(definition.formula)}"
               for definition in game.definitions.values()]
    blocks += map(_rule, game.rules.values())
    blocks += map(_location, game.locations.values())
    declared = [name for name in game.arities if name not in game.definitions]
    blocks.append(f"MODEL {show_structure(game.start, [(name, game.arities[name]) for name in declared])}")
    if game.first != next(iter(game.locations)):
        blocks.append(f"STATE LOC {game.first}")
    return "\n".join(blocks) + "\n"


def show(node: Formula | Real) -> str:
    """A formula or term; parentheses stand around everything that is made of parts."""
    match node:
        case Atom(relation, args):
            return f"{relation}({', '.join(args)})"
        case Equal(left, right):
            return f"{left} = {right}"
        case Less(small, large):
            return f"{_inside(small)} < {_inside(large)}"
        case Not(formula):
            return f"not {_inside(formula)}"
        case And(formulas) | Or(formulas):
            word = " and " if isinstance(node, And) else " or "
            # What is always true, or never: no formula of the language says it shorter.
            nothing = "0 < 1" if isinstance(node, And) else "1 < 0"
            return word.join(map(_inside, formulas)) if formulas else nothing
        case Exists(variable, formula) | Forall(variable, formula):
            return f"{'ex' if isinstance(node, Exists) else 'all'} {variable} {_inside(formula)}"
        case Number(value):
            return str(value)
        case Plus((first, *rest)):
            return "".join([_inside(first), *map(_added, rest)])
        case Times((_, *_) as terms):
            return " * ".join(map(_inside, terms))
        case Plus() | Times():
            return "0" if isinstance(node, Plus) else "1"
        case Indicator(formula):
            return f":({show(formula)})"
        case Sum():
            variables = [node.variable]
            while node.condition == TRUE and isinstance(node.term, Sum):
                node = node.term
                variables.append(node.variable)
            return f"Sum ({', '.join(variables)} | {show(node.condition)} : {show(node.term)})"


def _added(term: Real) -> str:
    match term:
        case Times((Number(value), other)) if value == -1:
            return f" - {_inside(other)}"
        case _:
            return f" + {_inside(term)}"


def _inside(node: Formula | Real) -> str:
    match node:
        case Atom() | Indicator() | Sum():
            return show(node)
        case Number(value) if value >= 0 and value.denominator == 1:
            return show(node)
        case Not(Atom()) | Exists() | Forall():
            return show(node)
        case _:
            return f"({show(node)})"


def show_structure(structure: Structure, declared: Iterable[tuple[str, int]] = ()) -> str:
    """A structure: as a grid where it is one, else with all its elements and tuples listed."""
    grid = _grid(structure)
    facts = set(structure.facts)
    if grid is not None:
        facts -= {fact for fact in facts if fact[0] in ("R", "C") or len(fact[1]) == 1}
    shown = [f"{name}:{arity} {{}}" for name, arity in declared if not (grid and name in ("R", "C"))]
    shown += [_fact(fact) for fact in sorted(facts)]
    shown += [f"_opt_{_fact(fact)}" for fact in sorted(structure.optional)]
    elements = "" if grid else ", ".join(structure.elements)
    return f"[{elements} | {'; '.join(shown)} | ]" + (f' "\n{grid}\n"' if grid else "")


def _fact(fact: Fact) -> str:
    return f"{fact[0]}({', '.join(fact[1])})"


def _grid(structure: Structure) -> str | None:
    """The rows of a structure that is a grid with marks and nothing else; None of any other."""
    cells: dict[tuple[int, int], str] = {}
    for element in structure.elements:
        found = _CELL.fullmatch(element)
        if found is None or structure.optional:
            return None
        cells[_column(found[1]), int(found[2]) - 1] = element
    if not cells:
        return None
    wide, high = (max(place[axis] for place in cells) + 1 for axis in (0, 1))
    neighbours = {(relation, (element, cells[x + dx, y + dy])) for (x, y), element in cells.items()
                  for relation, dx, dy in (("R", 1, 0), ("C", 0, 1)) if (x + dx, y + dy) in cells}
    in_order = tuple(cells[x, y] for y in range(high) for x in range(wide) if (x, y) in cells)
    is_full = {y for _, y in cells} == set(range(high))
    if not is_full or in_order != structure.elements or neighbours != {
            fact for fact in structure.facts if fact[0] in ("R", "C")}:
        return None
    marks: dict[str, list[str]] = {}
    for relation, args in sorted(structure.facts):
        if len(args) == 1:
            marks.setdefault(args[0], []).append(relation)
    rows = []
    for y in reversed(range(high)):
        row = ["+".join(marks.get(cells[x, y], ["."])) if (x, y) in cells else "#" for x in range(wide)]
        rows.append(" ".join(row))
    return "\n".join(rows)


def _column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column - 1


def _rule(rule: RewritingRule) -> str:
    text = f"RULE {rule.name}: {show_structure(rule.left)} -> {show_structure(rule.right)}"
    if rule.embedded:
        text += f"\n  emb {', '.join(sorted(rule.embedded))}"
    other = [f"{new} <- {old}" for new, old in rule.replaces.items() if new != old]
    if other:
        text += f"\n  with [{', '.join(other)}]"
    for word, formula in (("pre", rule.pre), ("post", rule.post)):
        if formula != TRUE:
            text += f"\n  {word} {show(formula)}"
    return text


def _location(location: Location) -> str:
    payoffs = "; ".join(f"{player}: {show(term)}" for player, term in location.payoffs.items())
    moves = "; ".join(f"[{edge.rule} -> {edge.to}]" for edge in location.edges)
    return (f"LOC {location.name} {{ PLAYER {location.player}\n  PAYOFF {{ {payoffs} }}\n"
            f"  MOVES {moves} }}")
