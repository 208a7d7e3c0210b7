"""The graph of what inputs do to polynomials: its automorphisms are candidates for symmetries, and have to be proved.

A polynomial is joined to the inputs that it mentions, by how it changes with them. That says less than the polynomial
does, but it says it in the same way however the polynomial was written. So every symmetry that polynomials prove is an
automorphism of this graph.
"""

from __future__ import annotations

from ludorum.analysis.symmetry.game_graph import GameGraph
from ludorum.analysis.symmetry.polynomials import Polynomials
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.ground import GroundProgram

# Edges that are drawn, at most.
_MOST_EDGES = 2_000_000
# The work of an edge: slopes are found by evaluating polynomials.
_AN_EDGE = 5e-6


class PolynomialGraph(GameGraph):
    """Beside fluents, moves and roles, vertices for the polynomials that answer questions or are negated somewhere.

    Raises BudgetExceeded if the budget is used up before it is done.
    """

    def __init__(self, program: GroundProgram, polynomials: Polynomials, budget: Budget | None = None) -> None:
        super().__init__(program)
        budget = budget or Budget()
        self._polynomials = polynomials
        #: The vertices of inputs and of polynomials, and the polynomials whose inputs are not drawn yet.
        self._inputs = {number: vertex for vertex, numbers in enumerate(polynomials.inputs) for number in numbers}
        self._negated = {no for _, no in polynomials.inputs}
        self._drawn: dict[int, int] = {}
        self._pending: list[int] = []
        for question, atom, about in self._questions():
            vertex = self.graph.vertex(question)
            if about is not None:
                self.graph.edge(about, vertex)
            self.graph.edge(vertex, self._vertex(polynomials.of(atom)))
        while self._pending:
            if budget.passed or len(self.graph.edges) > _MOST_EDGES:
                raise BudgetExceeded("what inputs do to polynomials was not drawn within the budget")
            before = len(self.graph.edges)
            self._draw(self._pending.pop())
            budget.spend(_AN_EDGE * (1 + len(self.graph.edges) - before))

    def _vertex(self, number: int) -> int:
        if number not in self._drawn:
            self._drawn[number] = self.graph.vertex(("polynomial", self._polynomials.invariant(number)))
            self._pending.append(number)
        return self._drawn[number]

    def _draw(self, number: int) -> None:
        classes: dict[tuple[bool, int], int] = {}
        for part, slope in self._polynomials.slopes(number).items():
            kind = part in self._negated, slope
            if kind not in classes:
                classes[kind] = self.graph.vertex(("changes", *kind))
                self.graph.edge(self._drawn[number], classes[kind])
            if part in self._inputs:
                self.graph.edge(classes[kind], self._inputs[part])
            elif part == number:
                # One that is an input of its own: it is joined to what it belongs to.
                for name in self._polynomials.named_by(number):
                    self.graph.edge(classes[kind], self._vertex(name))
            else:
                self.graph.edge(classes[kind], self._vertex(part))
