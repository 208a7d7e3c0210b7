"""Rules with facts that may or may not hold: what follows in all cases, what in some, and what an observation tells.

A literal that occurs in all supports of an observation is one without which the observation could not be made. So the
paper's supports, of which there may be very many, need not be listed: a SAT solver is asked. `supports` lists them.

In the literature: open logic programs (Bonatti 2001), filtering (Thielscher 2013).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from ludorum.analysis.proofs.encoding.sat import TRUE, Solver
from ludorum.clock import Budget
from ludorum.errors import TooLarge
from ludorum.ground import GroundProgram

#: A set of literals over facts that are open: an atom `a`, or its negation `~a`.
Support = frozenset[int]

# Recursion is unrolled as often as it has atoms, and no larger than this altogether.
_MOST_UNROLLED = 200_000
# So many supports of an atom are listed.
_MOST_SUPPORTS = 1_000


@dataclass(frozen=True, slots=True)
class OpenFacts:
    """Facts that are known to hold, and those that may."""

    known: frozenset[int]
    possible: frozenset[int]


class OpenProgram:
    """Ground rules over base atoms, any of which may be open.

    `bodies` has for every head that has rules their bodies, of literals; `facts` always hold. An atom that is no base
    atom and has no rule is false.
    """

    def __init__(self, bodies: Mapping[int, Sequence[Sequence[int]]], base: Collection[int],
                 facts: Collection[int] = ()) -> None:
        self.bodies = bodies
        self.base = frozenset(base)
        self.facts = frozenset(facts)
        self._solver = Solver(Budget())
        self._variables = {atom: self._solver.variable() for atom in sorted(self.base)}
        self._variables |= dict.fromkeys(self.facts, TRUE)
        for component in self.components:
            self._define(component)
        self._cones: dict[int, frozenset[int]] = {}

    @classmethod
    def of(cls, program: GroundProgram) -> OpenProgram:
        bodies: dict[int, list[tuple[int, ...]]] = {}
        for head, body in zip(program.heads, program.bodies, strict=True):
            bodies.setdefault(head, []).append(body)
        return cls(bodies, {*program.fluent_atoms, *chain.from_iterable(program.move_atoms)}, program.facts)

    # ---- the clauses ----

    @cached_property
    def components(self) -> list[list[int]]:
        """The atoms that have rules, each after those it depends on; those that depend on each other together."""
        order: list[list[int]] = []
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        on_stack: set[int] = set()
        for root in self.bodies:
            if root in index:
                continue
            work = [(root, iter(self._heads_below(root)))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while work:
                atom, below = work[-1]
                other = next(below, None)
                if other is None:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[atom])
                    if low[atom] == index[atom]:
                        component = []
                        while True:
                            component.append(stack.pop())
                            on_stack.discard(component[-1])
                            if component[-1] == atom:
                                break
                        order.append(component)
                elif other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(self._heads_below(other))))
                elif other in on_stack:
                    low[atom] = min(low[atom], index[other])
        return order

    def _heads_below(self, atom: int) -> list[int]:
        return [positive for body in self.bodies[atom] for literal in body
                if (positive := atom_of(literal)) in self.bodies]

    def _define(self, component: list[int]) -> None:
        rounds = len(component) if self._is_recursive(component) else 1
        if rounds * sum(len(self.bodies[atom]) for atom in component) > _MOST_UNROLLED:
            raise TooLarge(f"rules that depend on each other are too many to unroll: {len(component)} atoms")
        known = dict.fromkeys(component, -TRUE) if rounds > 1 else {}
        for _ in range(rounds):
            known = {atom: self._disjunction([self._conjunction([self._literal(literal, known) for literal in body])
                                              for body in self.bodies[atom]]) for atom in component}
        self._variables |= known

    def _is_recursive(self, component: list[int]) -> bool:
        return len(component) > 1 or component[0] in self._heads_below(component[0])

    def _literal(self, literal: int, known: Mapping[int, int]) -> int:
        atom = atom_of(literal)
        variable = known.get(atom) if atom in known else self._variables.get(atom, -TRUE)
        assert variable is not None
        return variable if literal >= 0 else -variable

    def _conjunction(self, literals: list[int]) -> int:
        return -self._disjunction([-literal for literal in literals])

    def _disjunction(self, literals: list[int]) -> int:
        different = list(dict.fromkeys(literal for literal in literals if literal != -TRUE))
        if TRUE in different or any(-literal in different for literal in different):
            return TRUE
        if len(different) < 2:
            return different[0] if different else -TRUE
        found = self._solver.variable()
        self._solver.add([-found, *different], *([found, -literal] for literal in different))
        return found

    def at_most_one_way(self, groups: Iterable[Sequence[int]], needed: Iterable[tuple[int, int]],
                        never: Iterable[int]) -> int:
        """A literal to assume: one atom of every group holds, each only with the one it needs, and some never do."""
        is_asked = self._solver.variable()
        for group in groups:
            self._solver.exactly_one([self._variables[atom] for atom in group], unless=-is_asked)
        for atom, condition in needed:
            self._solver.add([-is_asked, -self._variables[atom], self._literal(condition, {})])
        for atom in never:
            self._solver.add([-is_asked, -self._literal(atom, {})])
        return is_asked

    # ---- questions ----

    def some(self, atoms: Collection[int], facts: OpenFacts, also: Iterable[int] = (), *,
             told: Iterable[int] = ()) -> frozenset[int]:
        """Those of the atoms that hold in some case (credulous inference). `told` are literals that hold in any."""
        wanted = {atom: self._literal(atom, {}) for atom in atoms}
        return self._ever(self._assumed(facts, also, told), wanted)

    def all(self, atoms: Collection[int], facts: OpenFacts, also: Iterable[int] = (), *,
            told: Iterable[int] = ()) -> frozenset[int]:
        """Those of the atoms that hold in all cases (skeptical inference); all of them if there is no case."""
        unwanted = {atom: -self._literal(atom, {}) for atom in atoms}
        return frozenset(atoms) - self._ever(self._assumed(facts, also, told), unwanted)

    def is_possible(self, facts: OpenFacts, also: Iterable[int] = (), *, told: Iterable[int] = ()) -> bool:
        """Whether there is a case at all."""
        return self._solver.solve(self._assumed(facts, also, told))

    def implied(self, facts: OpenFacts, also: Iterable[int] = (), *, told: Iterable[int]) -> frozenset[int]:
        """The literals over open facts that hold in all cases, in which what is told does; none if there is no case."""
        told = list(told)
        assumed = self._assumed(facts, also, told)
        if not self._solver.solve(assumed):
            return frozenset()
        # Nothing is learned of what has nothing to do with it, unless something else is assumed.
        also = list(also)
        cone = facts.possible if also else facts.possible & frozenset().union(*(self.cone(lit) for lit in told))
        left = {atom if self._solver.holds(self._variables[atom]) else ~atom for atom in cone}
        return frozenset(left) - self._ever(assumed, {literal: -self._literal(literal, {}) for literal in left})

    def _ever(self, assumed: list[int], wanted: Mapping[int, int]) -> frozenset[int]:
        """Those whose literal holds in some case. All that are left are asked for together, again and again."""
        left = dict(wanted)
        found: set[int] = set()
        while left:
            is_asked = self._solver.variable()
            self._solver.add([-is_asked, *left.values()])
            is_some = self._solver.solve([*assumed, is_asked])
            hit = {name for name, literal in left.items() if self._solver.holds(literal)} if is_some else set()
            self._solver.add([-is_asked])
            if not hit:
                break
            found |= hit
            left = {name: literal for name, literal in left.items() if name not in hit}
        return frozenset(found)

    def cone(self, literal: int) -> frozenset[int]:
        """The base atoms that something depends on."""
        atom = atom_of(literal)
        if atom not in self._cones:
            seen, waiting = {atom}, [atom]
            while waiting:
                for body in self.bodies.get(waiting.pop(), ()):
                    for other in map(atom_of, body):
                        if other not in seen:
                            seen.add(other)
                            waiting.append(other)
            self._cones[atom] = self.base & seen
        return self._cones[atom]

    def unsupported(self, atoms: Collection[int], facts: OpenFacts) -> frozenset[int]:
        """Those of the atoms that follow without any support, as the paper derives what is known.

        That is less than what holds in all cases: what follows from a fact as well as from its negation is left out.
        """
        known = set(facts.known | self.facts)
        below = self._below(atoms)
        doubtful = {atom_of(literal) for atom in below for body in self.bodies[atom] for literal in body if literal < 0}
        possible = self.some(sorted(doubtful - known), facts) | (doubtful & known)
        for component in self.components:
            if component[0] not in below:
                continue
            while new := {atom for atom in component if atom not in known and any(
                    all(literal in known if literal >= 0 else ~literal not in possible for literal in body)
                    for body in self.bodies[atom])}:
                known |= new
        return frozenset(known.intersection(atoms))

    def _below(self, atoms: Iterable[int]) -> set[int]:
        seen: set[int] = set()
        waiting = [atom for atom in atoms if atom in self.bodies]
        while waiting:
            atom = waiting.pop()
            if atom not in seen:
                seen.add(atom)
                waiting += self._heads_below(atom)
        return seen

    def _assumed(self, facts: OpenFacts, also: Iterable[int], told: Iterable[int]) -> list[int]:
        base = [self._variables[atom] if atom in facts.known else -self._variables[atom]
                for atom in self.base if atom not in facts.possible]
        return [*base, *also, *(self._literal(literal, {}) for literal in told)]


def atom_of(literal: int) -> int:
    return literal if literal >= 0 else ~literal


def supports(program: OpenProgram, literal: int, facts: OpenFacts) -> frozenset[Support]:
    """The supports of a literal, by backward chaining as the paper says it, those that contain others left out.

    Leaving them out changes neither what all have in common nor what is a support of the negation. Raises TooLarge
    where there are too many. Requires: rules without recursion.
    """
    found: dict[int, frozenset[Support]] = {}

    def of(literal: int) -> frozenset[Support]:
        if literal not in found:
            found[literal] = positive(literal) if literal >= 0 else negative(of(~literal))
        return found[literal]

    def positive(atom: int) -> frozenset[Support]:
        if atom in facts.known or atom in program.facts:
            return frozenset({frozenset()})
        if atom in facts.possible:
            return frozenset({frozenset({atom})})
        return _smallest(support for body in program.bodies.get(atom, ()) for support in _products(map(of, body)))

    def negative(of_atom: frozenset[Support]) -> frozenset[Support]:
        """Ways to contradict every support: the complement of a literal of each."""
        return _products([frozenset(frozenset({~literal}) for literal in support) for support in of_atom])

    return of(literal)


def _products(choices: Iterable[frozenset[Support]]) -> frozenset[Support]:
    """The unions, where consistent, of one support of each."""
    found: frozenset[Support] = frozenset({frozenset()})
    for some in choices:
        found = _smallest(support | other for support in found for other in some
                          if not any(~literal in support for literal in other))
        if len(found) > _MOST_SUPPORTS:
            raise TooLarge(f"more than {_MOST_SUPPORTS} supports")
    return found


def _smallest(supports: Iterable[Support]) -> frozenset[Support]:
    kept: list[Support] = []
    for support in sorted(set(supports), key=len):
        if not any(smaller <= support for smaller in kept):
            kept.append(support)
    return frozenset(kept)
