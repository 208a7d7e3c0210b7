"""A slow and simple reading of a ground program, to compare others with: strata and fixpoints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludorum.gdl import Term, parse_term
from ludorum.ground import GroundProgram


class Evaluation:
    """Answers about a ground program by applying its rules until nothing changes."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self.rules = list(zip(program.heads, program.bodies, strict=True))
        # An atom stands above all that it needs false, and not below what it needs true.
        self.stratum = [0] * program.atom_count
        changed = True
        while changed:
            changed = False
            for head, body in self.rules:
                least = max((self.stratum[a] if a >= 0 else self.stratum[~a] + 1 for a in body), default=0)
                if least > self.stratum[head]:
                    assert least <= program.atom_count, "the rules are not stratified"
                    self.stratum[head] = least
                    changed = True

    def holding(self, fluents: Iterable[Term | str], joint: Sequence[Term | str] | None = None) -> set[int]:
        """The atoms that hold in a state where a joint move is made."""
        program = self.program
        numbers = {fluent: i for i, fluent in enumerate(program.fluents)}
        holding = set(program.facts)
        holding |= {program.fluent_atoms[numbers[as_term(fluent)]] for fluent in fluents}
        if joint is not None:
            holding |= {atoms[moves.index(as_term(move))] for atoms, moves, move
                        in zip(program.move_atoms, program.moves, joint, strict=True)}
        for level in range(max(self.stratum, default=0) + 1):
            rules = [rule for rule in self.rules if self.stratum[rule[0]] == level]
            changed = True
            while changed:
                new = {head for head, body in rules
                       if all(a in holding if a >= 0 else ~a not in holding for a in body)} - holding
                holding |= new
                changed = bool(new)
        return holding

    @property
    def initial(self) -> frozenset[Term]:
        return frozenset(self.program.fluents[i] for i in self.program.initial)

    def legal(self, fluents: Iterable[Term | str]) -> tuple[tuple[Term, ...], ...]:
        holding = self.holding(fluents)
        return tuple(tuple(move for move, atom in zip(moves, atoms, strict=True) if atom in holding)
                     for moves, atoms in zip(self.program.moves, self.program.legal_atoms, strict=True))

    def is_terminal(self, fluents: Iterable[Term | str]) -> bool:
        return self.program.terminal_atom in self.holding(fluents)

    def goals(self, fluents: Iterable[Term | str]) -> tuple[int | None, ...]:
        holding = self.holding(fluents)
        values = [[value for value, atom in of_role if atom in holding]
                  for of_role in self.program.goal_atoms]
        return tuple(found[0] if len(found) == 1 else None for found in values)

    def after(self, fluents: Iterable[Term | str], joint: Sequence[Term | str]) -> frozenset[Term]:
        holding = self.holding(fluents, joint)
        atoms = zip(self.program.fluents, self.program.next_atoms, strict=True)
        return frozenset(fluent for fluent, atom in atoms if atom in holding)

    def percepts(self, fluents: Iterable[Term | str],
                 joint: Sequence[Term | str]) -> tuple[frozenset[Term], ...]:
        holding = self.holding(fluents, joint)
        return tuple(frozenset(percept for percept, atom in of_role if atom in holding)
                     for of_role in self.program.percept_atoms)


def as_term(term: Term | str) -> Term:
    return parse_term(term) if isinstance(term, str) else term
