"""What a role can know without counting states: fluents that hold, and fluents that may.

Two sets stand for all states between them. A turn makes them larger by what others may have done, and smaller by what
was perceived, and by what was not. Nothing false is ever known, but what is known only of two fluents together is lost.

In the literature: a legal player for GDL-II by filtering with logic programs (Thielscher 2013), as it is there, and
with the best filter that two sets allow, by SAT (`backbone`: all observations at once, one legal move of every role).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from ludorum.belief.open_program import OpenFacts, OpenProgram
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.ground import GroundProgram, ground
from ludorum.move import Move, MoveLike, as_term, as_terms

FilterKind = Literal["paper", "backbone"]


class GroundRules:
    """The rules of a game as filters need them, made once for all roles. Raises TooLargeToGround, and TooLarge."""

    def __init__(self, game: Game) -> None:
        self.program: GroundProgram = ground(game.rules)
        self.open = OpenProgram.of(self.program)
        program = self.program
        needed = [(does, legal) for of_role in range(len(program.roles))
                  for does, legal in zip(program.move_atoms[of_role], program.legal_atoms[of_role], strict=True)]
        never = [] if program.terminal_atom is None else [program.terminal_atom]
        self.one_move = self.open.at_most_one_way(program.move_atoms, needed, never)


class Filter:
    """What a role knows of the fluents, turn by turn.

    With `percepts_only` nothing is learned from what was not perceived.
    """

    def __init__(self, game: Game, role: str, kind: FilterKind = "paper", *, percepts_only: bool = False,
                 rules: GroundRules | None = None) -> None:
        if kind not in get_args(FilterKind):
            raise ValueError(f"a filter can be paper or backbone, not {kind!r}")
        self._kind, self._percepts_only = kind, percepts_only
        self._rules = rules or GroundRules(game)
        self._program = self._rules.program
        self._seat = game.roles.index(game.role(role))
        self._fluents = dict(zip(self._program.fluent_atoms, self._program.fluents, strict=True))
        self.facts = OpenFacts(frozenset(self._program.fluent_atoms[number] for number in self._program.initial),
                               frozenset())
        self.turns = 0
        #: Whether everything that was told can be true at once.
        self.is_consistent = True

    # ---- what is known ----

    @property
    def known(self) -> frozenset[Term]:
        """Fluents that hold."""
        return frozenset(self._fluents[atom] for atom in self.facts.known)

    @property
    def possible(self) -> frozenset[Term]:
        """Other fluents that may hold."""
        return frozenset(self._fluents[atom] for atom in self.facts.possible)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The moves of the role that are known to be legal."""
        moves = dict(zip(self._program.legal_atoms[self._seat], self._program.moves[self._seat], strict=True))
        known = self._certain(moves)
        return tuple(Move(move) for atom, move in moves.items() if atom in known)

    @property
    def knows_legal(self) -> bool:
        """Whether it knows of every move whether it is legal."""
        return self._knows(self._program.legal_atoms[self._seat])

    @property
    def is_terminal(self) -> bool:
        """Whether it is known that the game is over."""
        return self._program.terminal_atom is not None and bool(self._certain([self._program.terminal_atom]))

    @property
    def knows_goal(self) -> bool:
        """Whether it knows of every goal value whether it has it."""
        return self._knows([atom for _, atom in self._program.goal_atoms[self._seat]])

    def _certain(self, atoms: Iterable[int]) -> frozenset[int]:
        atoms = list(atoms)
        if self._kind == "paper":
            return self._rules.open.unsupported(atoms, self.facts)
        return self._rules.open.all(atoms, self.facts)

    def _knows(self, atoms: Iterable[int]) -> bool:
        atoms = list(atoms)
        return self._certain(atoms) == self._rules.open.some(atoms, self.facts)

    # ---- what is told ----

    def perceived(self, move: MoveLike, percepts: Iterable[MoveLike]) -> None:
        """The role's own move and its percepts were told. What cannot be is ignored, and `is_consistent` says so."""
        program, rules = self._program, self._rules.open
        own, told = as_term(move), frozenset(as_terms(percepts))
        mine = program.move_atoms[self._seat][program.moves[self._seat].index(own)]
        others = rules.some([atom for seat, atoms in enumerate(program.legal_atoms) if seat != self._seat
                             for atom in atoms], self.facts)
        does = {does for seat in range(len(program.roles)) if seat != self._seat
                for does, legal in zip(program.move_atoms[seat], program.legal_atoms[seat], strict=True)
                if legal in others}
        facts = OpenFacts(self.facts.known | {mine}, self.facts.possible | does)
        also = [] if self._kind == "paper" else [self._rules.one_move]
        observed = self._observations(told, facts, also)
        if also and not rules.is_possible(facts, also, told=observed):
            self.is_consistent, observed = False, []
            also = also if rules.is_possible(facts, also) else []
        # As it is in the paper, every observation by itself; else all of them together.
        literals = [rules.implied(facts, also, told=some)
                    for some in ([observed] if also else [[literal] for literal in observed])]
        facts = _learned(facts, frozenset().union(*literals))
        nexts = {atom: fluent for atom, fluent in zip(program.next_atoms, program.fluent_atoms, strict=True)
                 if atom is not None}
        possible = rules.some(list(nexts), facts, also, told=observed if also else ())
        certain = (rules.unsupported(list(nexts), facts) if self._kind == "paper"
                   else rules.all(sorted(possible), facts, also, told=observed if also else ()))
        self.facts = OpenFacts(frozenset(nexts[atom] for atom in certain),
                               frozenset(nexts[atom] for atom in possible - certain))
        self.turns += 1

    def _observations(self, told: frozenset[Term], facts: OpenFacts, also: list[int]) -> list[int]:
        """The atoms of what was perceived, and the negations of what could have been."""
        atoms = dict(self._program.percept_atoms[self._seat])
        could = self._rules.open.some(list(atoms.values()), facts, also)
        made = [atoms[percept] for percept in sorted(told, key=str) if percept in atoms]
        if len(made) < len(told) or not could.issuperset(made):
            self.is_consistent = False
        missed = [] if self._percepts_only else sorted(could.difference(made))
        return [atom for atom in made if atom in could] + [~atom for atom in missed]


def _learned(facts: OpenFacts, literals: frozenset[int]) -> OpenFacts:
    holding = frozenset(literal for literal in literals if literal >= 0)
    decided = holding | {~literal for literal in literals if literal < 0}
    return OpenFacts(facts.known | holding, facts.possible - decided)
