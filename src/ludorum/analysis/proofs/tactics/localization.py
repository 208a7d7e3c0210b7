"""A corner of the circuit: whether something holds after a step, asked with no more than what it depends on.

In a large game most of the circuit tells which moves are legal, and a solver that has all of it spends its time there.
But what becomes of a cell depends on few moves, and of the others it suffices to know that they are others. Here every
question has a solver of its own, with the moves that matter, what makes them legal, and what is assumed of the fluents
that were met with. That allows more steps than the game has, so that what holds in all of them holds in the game; but
what fails in one of them may still hold.

In the literature: localization abstraction (Kurshan 1994); what a question depends on is its cone of influence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain

from ludorum.analysis.proofs.encoding.frames import Frame
from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.circuit.circuit import Wire
from ludorum.clock import Budget

# What depends on more wires than this is no corner.
_MOST_WIRES = 4_000
# Nor what brings in more fluents and moves than this.
_MOST_MET = 1_000
# So many moves, at most, are told apart from the others because what makes most of them legal is not asked of these.
_MOST_UNGUARDED = 64


@dataclass(frozen=True, slots=True)
class _Guard:
    """A literal of a fluent without which most moves of a role are not legal, and the wires of the other moves."""

    literal: Literal
    unguarded: tuple[Wire, ...]


class About:
    """Formulas by the fluents that they speak of."""

    def __init__(self, corners: Localization, formulas: Iterable[Literal] = ()) -> None:
        self._corners = corners
        self._by_fluent: defaultdict[Wire, list[Literal]] = defaultdict(list)
        self._met: set[Literal] = set()
        self.add(formulas)

    def add(self, formulas: Iterable[Literal]) -> None:
        for formula in formulas:
            if formula not in self._met:
                self._met.add(formula)
                if self._corners.is_plain(formula):
                    for wire in self._corners.below(formula) or ():
                        self._by_fluent[wire].append(formula)

    def of(self, fluents: Iterable[Wire]) -> dict[Literal, None]:
        return dict.fromkeys(formula for wire in fluents for formula in self._by_fluent.get(wire, ()))


class Localization:
    """The corners of a circuit."""

    def __init__(self, model: PropertyCircuit) -> None:
        self._arena = model
        self._below: dict[Wire, frozenset[Wire] | None] = {}
        self._legal = dict(enumerate(chain(*model.circuit.legal), model.first_move))
        self._guards = [self._guard(role) for role in self._roles()]

    def holds_after(self, formula: Literal, assumed: Iterable[Literal] | About, known: About, budget: Budget,
                    conflicts: int) -> frozenset[Literal] | bool:
        """What of the assumed formulas it takes for a formula to hold after a step.

        False if that does not show in a corner, and True if more conflicts might. Raises BudgetExceeded.
        """
        if formula in self._arena.balances or self._is_large(formula):
            return False
        with closing(Solver(budget)) as solver:
            frame = Frame(self._arena, solver)
            fails = -frame.after().literal(formula)
            self._moves(frame)
            if len(frame.met()) > _MOST_MET:
                return False
            fluents = [wire for wire in frame.met() if wire < self._arena.first_move]
            solver.add(*([frame.literal(one)] for one in known.of(fluents)))
            switches = {solver.variable(): one
                        for one in (assumed.of(fluents) if isinstance(assumed, About) else assumed)}
            solver.add(*([-switch, frame.literal(one)] for switch, one in switches.items()))
            answer = solver.attempt([*switches, fails], conflicts)
            if answer is False:
                return frozenset(switches[switch] for switch in solver.core() if switch in switches)
        return answer is None

    def _moves(self, frame: Frame) -> None:
        """The moves that were met with are legal; and so is any other, as far as most of them need the same."""
        solver = frame.solver
        for role, guard in zip(self._roles(), self._guards, strict=True):
            moves = [wire for wire in frame.met() if wire in role]
            if guard is not None:
                moves = list(dict.fromkeys((*moves, *guard.unguarded)))
            for wire in moves:
                solver.add([-frame.literal(2 * wire), frame.literal(self._legal[wire])])
            made = [frame.literal(2 * wire) for wire in moves]
            if len(moves) < len(role):
                made.append(solver.variable())
                if guard is not None:
                    solver.add([-made[-1], frame.literal(guard.literal)])
            if made:
                solver.exactly_one(made)

    def _roles(self) -> Iterator[range]:
        """For every role the wires of its moves."""
        wire = self._arena.first_move
        for legal in self._arena.circuit.legal:
            yield range(wire, wire + len(legal))
            wire += len(legal)

    def _guard(self, moves: range) -> _Guard | None:
        needed = {wire: self._needs(self._legal[wire]) for wire in moves}
        common = Counter(literal for literals in needed.values() for literal in literals).most_common(1)
        if not common or len(moves) - common[0][1] > _MOST_UNGUARDED:
            return None
        literal = common[0][0]
        return _Guard(literal, tuple(wire for wire, literals in needed.items() if literal not in literals))

    def _needs(self, literal: Literal) -> set[Literal]:
        """Literals of fluents that are conjuncts of a literal."""
        found, stack = set(), [literal]
        while stack:
            one = stack.pop()
            if 2 <= one < 2 * self._arena.first_move:
                found.add(one)
            elif not one & 1:
                stack.extend(self._arena.inputs_of(one >> 1))
        return found

    # ---- what depends on what ----

    def _is_large(self, formula: Literal) -> bool:
        """Whether it depends on too much after a step."""
        fluents = self.below(formula)
        return fluents is None or any(self.below(self._arena.circuit.next[wire - 1]) is None for wire in fluents)

    def below(self, literal: Literal) -> frozenset[Wire] | None:
        """The fluents and moves, as wires, that a literal depends on; None if there is too much in between."""
        root = literal >> 1
        if root not in self._below:
            self._below[root] = self._look_below(root)
        return self._below[root]

    def _look_below(self, root: Wire) -> frozenset[Wire] | None:
        model = self._arena
        seen, stack = {root}, [root]
        while stack:
            if len(seen) > _MOST_WIRES:
                return None
            wire = stack.pop()
            definition = model.loop_definitions.get(wire)
            for literal in model.inputs_of(wire) if definition is None else (definition,):
                if literal >> 1 not in seen:
                    seen.add(literal >> 1)
                    stack.append(literal >> 1)
        return frozenset(wire for wire in seen if 0 < wire < model.first_gate)

    def is_plain(self, formula: Literal) -> bool:
        """Whether a formula is about fluents, by gates of its own."""
        model = self._arena
        seen, stack = {formula >> 1}, [formula >> 1]
        while stack:
            wire = stack.pop()
            if model.first_move <= wire < model.circuit.wires:
                return False
            new = {literal >> 1 for literal in model.inputs_of(wire)} - seen
            seen |= new
            stack.extend(new)
        return True
