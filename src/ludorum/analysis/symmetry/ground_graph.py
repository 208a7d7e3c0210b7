"""The graph of a ground program: its automorphisms are symmetries that the writing of the rules may hide.

Atoms that are made in the same way are one vertex, whatever they are called, so that the graph is smaller than the
program and shows more. All that is done to the program here is done to equals alike: no symmetry is lost by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from ludorum.analysis.symmetry.automorphisms import Graph, Permutation
from ludorum.clock import NEVER, Deadline
from ludorum.errors import BudgetExceeded
from ludorum.gdl.words import RANDOM
from ludorum.ground import GroundProgram
from ludorum.ground.stratified import components

# A literal is twice a node, plus 1 for its negation. Node 0 is false.
_FALSE, _TRUE = 0, 1
# How many atoms are worked on between two looks at the clock.
_TICK = 1 << 12


@dataclass
class _Nodes:
    """What derived atoms mean: conjunctions of literals, the same conjunction always the same node."""

    #: The inputs of a node; None for what is no conjunction (an input of the game, or an atom that needs itself).
    inputs: list[frozenset[int] | None]
    known: dict[frozenset[int], int] = field(default_factory=dict)

    def add(self) -> int:
        self.inputs.append(None)
        return len(self.inputs) - 1

    def all_of(self, literals: frozenset[int]) -> int:
        literals -= {_TRUE}
        if _FALSE in literals or any(literal ^ 1 in literals for literal in literals):
            return _FALSE
        if len(literals) < 2:
            return next(iter(literals), _TRUE)
        if literals not in self.known:
            self.inputs.append(literals)
            self.known[literals] = len(self.inputs) - 1
        return 2 * self.known[literals]

    def any_of(self, literals: frozenset[int]) -> int:
        return self.all_of(frozenset(literal ^ 1 for literal in literals)) ^ 1


class GroundGraph:
    """Fluents come first among the vertices, then the moves role by role, then the roles.

    Raises BudgetExceeded if the deadline passes before it is done.
    """

    def __init__(self, program: GroundProgram, deadline: Deadline = NEVER) -> None:
        self._program = program
        self._deadline = deadline
        self._nodes = _Nodes([None])
        self._value: dict[int, int] = dict.fromkeys(program.facts, _TRUE)
        for atom in self._given():
            self._value[atom] = 2 * self._nodes.add()
        #: The definition of every node that stands for an atom which needs itself.
        self._loops: dict[int, int] = {}
        self._define()
        self.graph = Graph()
        #: The vertex of every literal that was drawn, the nodes whose inputs were not, and the answers to questions.
        self._drawn: dict[int, int] = {}
        self._pending: list[int] = []
        self._asked: list[int] = []
        self._draw()

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

    # ---- what atoms mean ----

    def _given(self) -> Iterator[int]:
        yield from self._program.fluent_atoms
        for moves in self._program.move_atoms:
            yield from moves

    def _define(self) -> None:
        bodies: dict[int, list[tuple[int, ...]]] = {}
        for head, body in zip(self._program.heads, self._program.bodies, strict=True):
            bodies.setdefault(head, []).append(body)
        depends = {head: {literal if literal >= 0 else ~literal for body in found for literal in body}
                   for head, found in bodies.items()}
        for number, component in enumerate(components(depends)):
            if number % _TICK == 0:
                self._check_time()
            if len(component) == 1 and component[0] not in depends[component[0]]:
                self._value[component[0]] = self._disjunction(bodies[component[0]])
                continue
            for atom in component:
                self._value[atom] = 2 * self._nodes.add()
            for atom in component:
                self._loops[self._value[atom] >> 1] = self._disjunction(bodies[atom])

    def _disjunction(self, bodies: list[tuple[int, ...]]) -> int:
        get = self._value.get
        return self._nodes.any_of(frozenset(
            self._nodes.all_of(frozenset(get(literal, _FALSE) if literal >= 0 else get(~literal, _FALSE) ^ 1
                                         for literal in body)) for body in bodies))

    # ---- the graph ----

    def _draw(self) -> None:
        program, graph = self._program, self.graph
        for _ in program.fluents:
            graph.vertex("fluent")
        for moves in program.moves:
            for _ in moves:
                graph.vertex("move")
        for name in program.roles:
            graph.vertex("chance" if name.name == RANDOM else "role")
        for atom in self._given():
            self._drawn[self._value[atom]] = len(self._drawn)
        for fluent, following in enumerate(program.next_atoms):
            self._ask("next", following, fluent)
        move = self._first_move
        for role, (legal, goals, percepts) in enumerate(zip(program.legal_atoms, program.goal_atoms,
                                                            program.percept_atoms, strict=True),
                                                        start=self._first_role):
            for allowed in legal:
                graph.edge(role, move)
                self._ask("legal", allowed, move)
                move += 1
            for value, atom in goals:
                self._ask(("goal", value), atom, role)
            for _, atom in percepts:
                self._ask("percept", atom, role)
        self._ask("terminal", program.terminal_atom)
        self._draw_nodes()

    def _ask(self, question: Hashable, atom: int | None, about: int | None = None) -> None:
        """A question about a fluent, a move or a role, and the literal that answers it."""
        vertex = self.graph.vertex(question)
        if about is not None:
            self.graph.edge(about, vertex)
        literal = _FALSE if atom is None else self._value.get(atom, _FALSE)
        self._asked.append(literal)
        self.graph.edge(vertex, self._literal(literal))

    def _literal(self, literal: int) -> int:
        """The vertex of a literal; what a node reads is drawn later."""
        if literal not in self._drawn:
            node = literal >> 1
            if literal & 1:
                self._drawn[literal] = self.graph.vertex("not")
                self.graph.edge(self._drawn[literal], self._literal(literal ^ 1))
            else:
                self._drawn[literal] = self.graph.vertex(
                    "false" if node == 0 else "recursive" if node in self._loops else "all of")
                self._pending.append(node)
        return self._drawn[literal]

    def _draw_nodes(self) -> None:
        uses = self._uses()
        while self._pending:
            if len(self._drawn) % _TICK == 0:
                self._check_time()
            node = self._pending.pop()
            vertex = self._drawn[2 * node]
            for literal in self._reads(node, uses):
                self.graph.edge(vertex, self._literal(literal))

    def _reads(self, node: int, uses: Counter[int]) -> Iterator[int]:
        """The literals that a node is made of; a conjunction that nothing else reads is taken apart."""
        if node in self._loops:
            yield self._loops[node]
            return
        stack = sorted(self._nodes.inputs[node] or ())
        while stack:
            literal = stack.pop()
            inner = self._nodes.inputs[literal >> 1]
            if inner is not None and literal & 1 == 0 and uses[literal] == 1 and not uses[literal ^ 1]:
                stack.extend(sorted(inner))
            else:
                yield literal

    def _uses(self) -> Counter[int]:
        """How often every literal is asked for."""
        uses = Counter(self._asked)
        seen: set[int] = set()
        stack = [literal >> 1 for literal in uses]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            reads = [self._loops[node]] if node in self._loops else self._nodes.inputs[node] or ()
            for literal in reads:
                uses[literal] += 1
                stack.append(literal >> 1)
        return uses

    def _check_time(self) -> None:
        if self._deadline.passed:
            raise BudgetExceeded(f"the graph of {len(self._program.heads):,} ground rules was not drawn in time")
