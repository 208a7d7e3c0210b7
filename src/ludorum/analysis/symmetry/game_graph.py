"""What graphs of ground programs have in common: vertices for fluents, moves and roles, and what is asked of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ludorum.analysis.symmetry.automorphisms import Graph, Permutation
from ludorum.analysis.symmetry.in_play import InPlay
from ludorum.gdl.words import RANDOM
from ludorum.ground import GroundProgram


class GameGraph:
    """Fluents come first among the vertices, then the moves role by role, then the roles."""

    def __init__(self, program: GroundProgram) -> None:
        self._program = program
        self.graph = Graph()
        for _ in program.fluents:
            self.graph.vertex("fluent")
        for moves in program.moves:
            for _ in moves:
                self.graph.vertex("move")
        for name in program.roles:
            self.graph.vertex("chance" if name.name == RANDOM else "role")

    @property
    def _first_move(self) -> int:
        return len(self._program.fluents)

    @property
    def _first_role(self) -> int:
        return self._first_move + sum(map(len, self._program.moves))

    def colours(self, *, keep_roles: bool, keep_initial: bool = False, keep_all: bool = False) -> list[Hashable]:
        """The colours where roles, the initial state, or every single fluent and move stay what they are."""
        colours = list(self.graph.colours)
        if keep_roles:
            for number in range(len(self._program.roles)):
                colours[self._first_role + number] = ("role", number)
        if keep_initial:
            for fluent in self._program.initial:
                colours[fluent] = "initial"
        if keep_all:
            colours[: self._first_role] = range(self._first_role)
        return colours

    def colours_in_play(self, reasons: InPlay, *, keep_all: bool) -> list[Hashable]:
        """The colours where roles stay, and fluents change places only with those that are as good in play.

        Where all are kept, those that make a difference stay what they are.
        """
        colours = self.colours(keep_roles=True)
        for fluent, reason in enumerate(reasons):
            colours[fluent] = ("fluent", fluent if keep_all and reason is None else reason)
        return colours

    def restricted(self, permutation: Permutation) -> tuple[Permutation, tuple[Permutation, ...], Permutation]:
        """What an automorphism does to the numbers of fluents, of every role's moves, and of roles."""
        roles = tuple(image - self._first_role for image in
                      permutation[self._first_role : self._first_role + len(self._program.roles)])
        starts = [self._first_move]
        for of_role in self._program.moves:
            starts.append(starts[-1] + len(of_role))
        moves = tuple(tuple(image - starts[roles[role]] for image in permutation[starts[role] : starts[role + 1]])
                      for role in range(len(roles)))
        return permutation[: self._first_move], moves, roles

    def _questions(self) -> Iterator[tuple[Hashable, int | None, int | None]]:
        """What is asked, the atom that answers it, and the vertex that it is about. Joins moves to their roles."""
        program = self._program
        for fluent, following in enumerate(program.next_atoms):
            yield "next", following, fluent
        move = self._first_move
        for role, (legal, goals, percepts) in enumerate(zip(program.legal_atoms, program.goal_atoms,
                                                            program.percept_atoms, strict=True),
                                                        start=self._first_role):
            for allowed in legal:
                self.graph.edge(role, move)
                yield "legal", allowed, move
                move += 1
            for value, atom in goals:
                yield ("goal", value), atom, role
            for _, atom in percepts:
                yield "percept", atom, role
        yield "terminal", program.terminal_atom, None
