"""The relaxed program: which fluents and moves are possible at all, in clingo's language.

A fluent is possible if it is in `init` or heads a possible `next`, and a move if it heads a possible `legal` of a
role. Both are choices, so that grounding keeps every rule that holds in some state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.ground.encoding import encode, encode_atom

Relation = tuple[str, int]

CHOICES = """\
{true(F)} :- init(F).
{true(F)} :- next(F).
{does(R,M)} :- role(R), legal(R,M).
"""

#: What the game is asked for; a relation that none of these needs is left out.
QUESTIONS: tuple[Relation, ...] = (("role", 1), ("init", 1), ("next", 1), ("legal", 2), ("goal", 2),
                                   ("terminal", 0), ("sees", 2))


def relation(atom_name: str, arity: int) -> Relation:
    return atom_name, arity


def relevant(clauses: Iterable[Clause], questions: Iterable[Relation] = QUESTIONS) -> list[Clause]:
    """The clauses that the questions depend on."""
    by_head: dict[Relation, list[Clause]] = {}
    clauses = list(clauses)
    for clause in clauses:
        by_head.setdefault((clause.head.name, len(clause.head.args)), []).append(clause)
    needed = set(questions)
    stack = list(needed)
    while stack:
        for clause in by_head.get(stack.pop(), ()):
            for atom in clause.atoms:
                name = (atom.name, len(atom.args))
                if name not in needed:
                    needed.add(name)
                    stack.append(name)
    return [clause for clause in clauses if (clause.head.name, len(clause.head.args)) in needed]


def write_clause(clause: Clause) -> str:
    """A clause in clingo's language."""
    body = [*map(encode_atom, clause.positive), *(f"not {encode_atom(atom)}" for atom in clause.negative),
            *(f"{encode(left)} != {encode(right)}" for left, right in clause.distinct)]
    return f"{encode_atom(clause.head)} :- {', '.join(body)}." if body else f"{encode_atom(clause.head)}."


def relaxed_program(clauses: Sequence[Clause]) -> str:
    """The clauses and the choices of fluents and moves."""
    return "\n".join([*map(write_clause, clauses), CHOICES])


def to_asp(rulesheet: Rulesheet) -> str:
    """A rulesheet as a logic program that clingo grounds, with a note on how to read it."""
    header = f"""\
% {rulesheet.source.name}: the relaxed game as an answer set program.
% Every state of the game and every joint move are among the choices of true/1 and does/2;
% legal/2, next/1, goal/2, terminal/0 and sees/2 follow from them.
"""
    return header + relaxed_program(relevant(flatten(rulesheet)))
