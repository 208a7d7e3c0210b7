"""From a rulesheet to its ground program."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Literal

import numpy as np

from ludorum.errors import BudgetExceeded, TooLargeToGround, UnstratifiedRules
from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term
from ludorum.ground.dependencies import is_stratified, relation_of, relevant, static_relations
from ludorum.ground.encoding import Symbol, decode, identifier
from ludorum.ground.process import ClingoProcess
from ludorum.ground.program import GroundProgram
from ludorum.ground.relaxation import relaxed_program
from ludorum.ground.simplify import simplify
from ludorum.ground.sizes import Measured, Uniform
from ludorum.ground.splitting import split as split_rules
from ludorum.ground.stratified import negative_cycle

_NAMED = [("true", 1), ("does", 2), ("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0),
          ("sees", 2)]

Splitting = Literal["auto", "always", "never"]


def ground(rulesheet: Rulesheet, *, seconds: float = 60.0, memory_mb: int = 4096,
           split: Splitting = "auto") -> GroundProgram:
    """The ground program of a rulesheet.

    Rules are split where that makes the result smaller: "always" by a guess, "auto" by measuring.
    Raises TooLargeToGround if it takes more than `seconds` or `memory_mb`, and UnstratifiedRules if an atom
    depends on its own negation.
    """
    start = time.perf_counter()
    clauses = relevant(flatten(rulesheet))
    with closing(_Grounder(seconds, memory_mb)) as grounder:
        chosen, answer = _ground_split(clauses, grounder, split)
        result = _assemble(rulesheet.roles, answer)
        if not is_stratified(clauses):
            cycle = negative_cycle(result.heads, result.bodies)
            if cycle is not None:
                raise UnstratifiedRules(_names(cycle, chosen, grounder))
    result.report["splits"] = len({clause.head.name for clause in chosen} - {c.head.name for c in clauses})
    result.report["seconds"] = time.perf_counter() - start
    return result


class _Grounder:
    """Grounds programs until a budget for all of them is used up."""

    def __init__(self, seconds: float, memory_mb: int) -> None:
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._process = ClingoProcess(memory_mb=memory_mb)
        self.close = self._process.close

    def ask(self, clauses: Sequence[Clause], **arguments: Any) -> dict[str, Any]:
        """What `asp.ground` gives for the relaxed program of these clauses."""
        try:
            return self._process.ask("ground", seconds=max(0.0, self._deadline - time.monotonic()),
                                     program=relaxed_program(clauses), **arguments)
        except BudgetExceeded as error:
            raise TooLargeToGround(f"grounding {error}") from None


def _ground_split(clauses: Sequence[Clause], grounder: _Grounder,
                  mode: Splitting) -> tuple[Sequence[Clause], dict[str, Any]]:
    """The clauses, split, and what grounding them gave."""
    static = static_relations(clauses)
    guessed = clauses if mode == "never" else relevant(split_rules(clauses, Uniform(static)))
    if mode != "auto" or guessed == clauses:
        return guessed, grounder.ask(guessed, named=_NAMED)
    relations = {relation_of(atom) for clause in clauses for atom in clause.positive}
    answer = grounder.ask(guessed, named=_NAMED,
                          counted=[(identifier(name), arity) for name, arity in sorted(relations)])
    tables = {relation: answer["counted"][identifier(relation[0]), relation[1]] for relation in relations}
    measured = relevant(split_rules(clauses, Measured(tables, static)))
    if measured == guessed:
        return guessed, answer
    second = grounder.ask(measured, named=_NAMED)
    if len(second["literals"]) + len(second["heads"]) < len(answer["literals"]) + len(answer["heads"]):
        return measured, second
    return guessed, answer


def _names(atoms: Sequence[int], clauses: Sequence[Clause], grounder: _Grounder) -> list[str]:
    answer = grounder.ask(clauses, named=[], everything=True)
    known = {atom: symbol for named in answer["named"].values() for symbol, atom in named}
    return [str(decode(known[atom + 1])) for atom in atoms]


def _assemble(roles: tuple[Term, ...], answer: dict[str, Any]) -> GroundProgram:
    named: dict[str, list[tuple[Symbol, int]]] = answer["named"]
    # clingo's atoms start from 1; its literal -a is our ~(a - 1).
    heads = (np.frombuffer(answer["heads"], np.int32) - 1).tolist()
    literals = np.frombuffer(answer["literals"], np.int32)
    flat = np.where(literals > 0, literals - 1, literals).tolist()
    ends = np.cumsum(np.frombuffer(answer["lengths"], np.int32)).tolist()
    bodies: list[tuple[int, ...]] = []
    begin = 0
    for end in ends:
        bodies.append(tuple(flat[begin:end]))
        begin = end

    fluents = sorted(((str(term), term, atom) for (term,), atom in _decoded(named["true"])), key=_by_text)
    moves: list[list[tuple[str, Term, int]]] = [[] for _ in roles]
    number = {role: i for i, role in enumerate(roles)}
    for (role, move), atom in _decoded(named["does"]):
        if role in number:
            moves[number[role]].append((str(move), move, atom))
    for of_role in moves:
        of_role.sort(key=_by_text)
    inputs = [atom for _, _, atom in fluents] + [atom for of_role in moves for _, _, atom in of_role]
    heads, bodies, facts = simplify(heads, bodies, inputs)
    derivable = facts.union(heads)

    legal = {(role, move): atom for (role, move), atom in _decoded(named["legal"])}
    following = {fluent: atom for (fluent,), atom in _decoded(named["next"]) if atom in derivable}
    initially = {fluent for (fluent,), atom in _decoded(named["init"]) if atom in facts}
    goals: list[list[tuple[int, int]]] = [[] for _ in roles]
    ignored: list[str] = []
    for (role, value), atom in _decoded(named["goal"]):
        if atom not in derivable or role not in number:
            continue
        if not value.args and value.name.isdigit() and int(value.name) <= 100:
            goals[number[role]].append((int(value.name), atom))
        else:
            ignored.append(f"(goal {role} {value})")
    percepts: list[list[tuple[str, Term, int]]] = [[] for _ in roles]
    for (role, percept), atom in _decoded(named["sees"]):
        if atom in derivable and role in number:
            percepts[number[role]].append((str(percept), percept, atom))
    terminal = [atom for _, atom in named["terminal"] if atom - 1 in derivable]

    report: dict[str, object] = {
        "grounding_seconds": answer["seconds"],
        "peak_memory_mb": answer["memory_kb"] / 1024,
        "rules": len(heads),
    }
    if ignored:
        report["ignored_goals"] = sorted(ignored)
    return GroundProgram(
        roles=roles,
        fluents=tuple(term for _, term, _ in fluents),
        moves=tuple(tuple(move for _, move, _ in of_role) for of_role in moves),
        initial=tuple(i for i, (_, term, _) in enumerate(fluents) if term in initially),
        fluent_atoms=tuple(atom for _, _, atom in fluents),
        move_atoms=tuple(tuple(atom for _, _, atom in of_role) for of_role in moves),
        next_atoms=tuple(following.get(term) for _, term, _ in fluents),
        legal_atoms=tuple(tuple(legal[role, move] for _, move, _ in of_role)
                          for role, of_role in zip(roles, moves, strict=True)),
        goal_atoms=tuple(tuple(sorted(of_role)) for of_role in goals),
        percept_atoms=tuple(tuple((term, atom) for _, term, atom in sorted(of_role, key=_by_text))
                            for of_role in percepts),
        terminal_atom=terminal[0] - 1 if terminal else None,
        heads=heads,
        bodies=bodies,
        facts=frozenset(facts),
        atom_count=1 + max([-1, *heads, *facts, *inputs, *legal.values()]),
        report=report,
    )


def _by_text(item: tuple[str, Term, int]) -> str:
    return item[0]


def _decoded(atoms: Sequence[tuple[Symbol, int]]) -> list[tuple[tuple[Term, ...], int]]:
    """The arguments of atoms and their numbers, from 0."""
    result: list[tuple[tuple[Term, ...], int]] = []
    for symbol, atom in atoms:
        assert isinstance(symbol, tuple)
        result.append((tuple(map(decode, symbol[1:])), atom - 1))
    return result
