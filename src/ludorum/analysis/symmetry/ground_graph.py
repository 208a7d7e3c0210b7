"""The graph of a ground program: its automorphisms are symmetries that the writing of the rules may hide.

Atoms that are made in the same way are one vertex, whatever they are called, so that the graph is smaller than the
program and shows more. All that is done to the program here is done to equals alike: no symmetry is lost by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ludorum.analysis.symmetry.game_graph import GameGraph
from ludorum.analysis.symmetry.strata import Strata
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded

# A literal is twice a node, plus 1 for its negation. Node 0 is false.
_FALSE, _TRUE = 0, 1
# How many atoms are worked on between two looks at the clock.
_TICK = 1 << 12
# The work of drawing a node.
_A_NODE = 5e-6


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


class GroundGraph(GameGraph):
    """Beside fluents, moves and roles, a vertex for every literal that is read. Raises BudgetExceeded if it is late."""

    def __init__(self, strata: Strata, budget: Budget | None = None) -> None:
        program = strata.program
        super().__init__(program)
        self._budget = budget or Budget()
        self._nodes = _Nodes([None])
        self._value: dict[int, int] = dict.fromkeys(program.facts, _TRUE)
        for atom in self._given():
            self._value[atom] = 2 * self._nodes.add()
        #: The definition of every node that stands for an atom which needs itself.
        self._loops: dict[int, int] = {}
        self._define(strata)
        #: The vertex of every literal that was drawn, the nodes whose inputs were not, and the answers to questions.
        self._drawn: dict[int, int] = {}
        self._pending: list[int] = []
        self._asked: list[int] = []
        self._draw()

    # ---- what atoms mean ----

    def _given(self) -> Iterator[int]:
        yield from self._program.fluent_atoms
        for moves in self._program.move_atoms:
            yield from moves

    def _define(self, strata: Strata) -> None:
        for atoms, need_each_other in strata.in_order(self._budget):
            if not need_each_other:
                self._value[atoms[0]] = self._disjunction(strata.bodies[atoms[0]])
                continue
            for atom in atoms:
                self._value[atom] = 2 * self._nodes.add()
            for atom in atoms:
                self._loops[self._value[atom] >> 1] = self._disjunction(strata.bodies[atom])

    def _disjunction(self, bodies: list[tuple[int, ...]]) -> int:
        get = self._value.get
        return self._nodes.any_of(frozenset(
            self._nodes.all_of(frozenset(get(literal, _FALSE) if literal >= 0 else get(~literal, _FALSE) ^ 1
                                         for literal in body)) for body in bodies))

    # ---- the graph ----

    def _draw(self) -> None:
        for atom in self._given():
            self._drawn[self._value[atom]] = len(self._drawn)
        for question, answer, about in self._questions():
            vertex = self.graph.vertex(question)
            if about is not None:
                self.graph.edge(about, vertex)
            literal = _FALSE if answer is None else self._value.get(answer, _FALSE)
            self._asked.append(literal)
            self.graph.edge(vertex, self._literal(literal))
        self._draw_nodes()

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
            self._budget.spend(_A_NODE)
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
        if self._budget.passed:
            rules = len(self._program.heads)
            raise BudgetExceeded(f"the graph of {rules:,} ground rules was not drawn within the budget")
