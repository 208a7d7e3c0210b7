"""Property-directed reachability (IC3; Bradley, "SAT-based model checking without unrolling", VMCAI 2011).

Frame i holds clauses that are true in every state that at most i steps lead to. States of the last frame where the
property fails are an obligation: either nothing leads there from the frame before, and a clause says so from then on;
or something does, and that is the next obligation, until one contains the initial state, which is a match that refutes
the property. When two frames have the same clauses, these are an invariant that proves it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

from ludorum.analysis.proofs.encoding.frames import Frame
from ludorum.analysis.proofs.encoding.property_circuit import Literal, PropertyCircuit
from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded

#: Fluents with their values: literals of the model, all of which hold. A set of states.
Cube = frozenset[Literal]

#: A cube is made larger by leaving out literals; after so many vain attempts in a row it is good enough.
_VAIN = 8


@dataclass(order=True)
class _Obligation:
    frame: int
    number: int
    cube: Cube = field(compare=False)
    joint: Joint | None = field(compare=False)
    then: _Obligation | None = field(compare=False)

    def moves(self) -> list[Joint]:
        """From a state of the cube to one where the property fails."""
        found, here = [], self
        while here.then is not None:
            assert here.joint is not None
            found.append(here.joint)
            here = here.then
        return found


class Reachability:
    """Whether a formula holds in every state that can be reached."""

    def __init__(self, model: PropertyCircuit, formula: Literal, known: Iterable[Literal], budget: Budget) -> None:
        # First: where the budget is used up, nothing else is done.
        self._solver = Solver(budget)
        self._arena = model
        self._formula = formula
        fluents = range(len(model.circuit.fluents))
        initial = set(model.circuit.initial)
        self._initial: Cube = frozenset(2 * (f + 1) ^ (f not in initial) for f in fluents)
        self._numbers = count()

        self._here = Frame(model, self._solver)
        self._solver.add(*([self._here.literal(known_formula)] for known_formula in known))
        self._stepping = self._solver.variable()
        self._here.steps(unless=-self._stepping)
        self._there = self._here.after()

        # Without the rules of steps: there a step is an assumption to be contradicted.
        self._lifting = Solver(budget)
        self._lifted = Frame(model, self._lifting)
        self._lifted_next = self._lifted.after()

        # The clause of a cube is in all frames up to its own; the first frame is the initial state.
        self._frames: list[set[Cube]] = [set(), set()]
        self._switches = [self._solver.variable(), self._solver.variable()]
        for literal in self._initial:
            self._solver.add([-self._switches[0], self._here.literal(literal)])

    def run(self) -> list[Joint] | None:
        """None if the formula holds in all of them, else the joint moves to a state where it does not.

        Raises BudgetExceeded.
        """
        try:
            while True:
                bad = self._bad()
                if bad is None:
                    if self._push():
                        return None
                    continue
                refuted = self._block(_Obligation(len(self._frames) - 1, next(self._numbers), bad, None, None))
                if refuted is not None:
                    return refuted
        finally:
            self._solver.close()
            self._lifting.close()

    def _bad(self) -> Cube | None:
        """States of the last frame where the formula fails."""
        fails = self._formula ^ 1
        if not self._solver.solve([*self._switches[len(self._frames) - 1 :], self._here.literal(fails)]):
            return None
        state = self._state()
        if not self._lifting.solve([*map(self._lifted.literal, state), self._lifted.literal(self._formula)]):
            return self._from_core(state)
        return state

    def _state(self) -> Cube:
        """The state that the solver found."""
        holds, literal = self._solver.holds, self._here.literal
        return frozenset(x ^ (not holds(literal(x))) for x in range(2, 2 * self._arena.circuit.first_move, 2))

    def _from_core(self, state: Cube) -> Cube:
        """What of a state was needed to contradict the last assumptions."""
        core = self._lifting.core()
        return frozenset(x for x in state if self._lifted.literal(x) in core)

    def _block(self, first: _Obligation) -> list[Joint] | None:
        """Deals with an obligation and all that come of it; joint moves if one of them begins a match."""
        queue = [first]
        while queue:
            obligation = queue[0]
            if self._initial >= obligation.cube:
                return obligation.moves()
            if obligation.frame == 0:
                # Nothing of the cube is initial, and nothing else is in this frame.
                heapq.heappop(queue)
                continue
            smaller = self._unreached(obligation.cube, obligation.frame)
            if smaller is None:
                heapq.heappush(queue, self._predecessor(obligation))
                continue
            heapq.heappop(queue)
            frame = obligation.frame
            cube = self._generalise(smaller, frame)
            while frame < len(self._frames) - 1 and self._unreached(cube, frame + 1) is not None:
                frame += 1
            self._learn(cube, frame)
            if frame < len(self._frames) - 1:
                heapq.heappush(queue, _Obligation(frame + 1, next(self._numbers), obligation.cube, obligation.joint,
                                                  obligation.then))
        return None

    def _unreached(self, cube: Cube, frame: int) -> Cube | None:
        """A part of the cube's literals that no step from the frame before, outside the cube, leads to; or None."""
        outside = self._solver.variable()
        self._solver.add([-outside, *(-self._here.literal(x) for x in cube)])
        goals = [self._there.literal(x) for x in cube]
        reached = self._solver.solve([*self._switches[frame - 1 :], outside, self._stepping, *goals])
        if reached:
            self._joint = self._here.joint()
            self._found = self._state()
            self._solver.add([-outside])
            return None
        core = self._solver.core()
        self._solver.add([-outside])
        kept = frozenset(x for x in cube if self._there.literal(x) in core)
        return self._apart_from_initial(kept, cube)

    def _apart_from_initial(self, kept: Cube, cube: Cube) -> Cube:
        """No clause may exclude the initial state: one literal of the cube that is false there stays."""
        return kept if not self._initial >= kept else kept | {min(cube - self._initial)}

    def _predecessor(self, obligation: _Obligation) -> _Obligation:
        """The state that was just found to lead to an obligation's cube, without what does not matter."""
        joint, state = self._joint, self._found
        circuit = self._arena.circuit
        moves, wire, legal = [], circuit.first_move, []
        for number, of_role in zip(joint, circuit.legal, strict=True):
            moves += [self._lifted.literal(2 * (wire + n) ^ (n != number)) for n in range(len(of_role))]
            legal.append(self._lifted.literal(of_role[number]))
            wire += len(of_role)
        wrong = self._lifting.variable()
        self._lifting.add([-wrong, self._lifted.literal(circuit.terminal), *(-x for x in legal),
                           *(-self._lifted_next.literal(x) for x in obligation.cube)])
        is_free = self._lifting.solve([wrong, *moves, *map(self._lifted.literal, state)])
        cube = state if is_free else self._from_core(state)
        self._lifting.add([-wrong])
        return _Obligation(obligation.frame - 1, next(self._numbers), cube, joint, obligation)

    def _generalise(self, cube: Cube, frame: int) -> Cube:
        """Leaves out literals as long as no step leads there."""
        vain = 0
        for literal in sorted(cube):
            if vain >= _VAIN:
                break
            smaller = cube - {literal}
            if literal not in cube or not smaller or self._initial >= smaller:
                continue
            unreached = self._unreached(smaller, frame)
            if unreached is None:
                vain += 1
            else:
                cube, vain = unreached, 0
        return cube

    def _learn(self, cube: Cube, frame: int) -> None:
        for older in self._frames[1 : frame + 1]:
            older -= {known for known in older if cube <= known}
        self._frames[frame].add(cube)
        self._solver.add([-self._switches[frame], *(-self._here.literal(x) for x in cube)])

    def _push(self) -> bool:
        """A new last frame, with what stays true; True if a frame has nothing that the next one lacks."""
        self._frames.append(set())
        self._switches.append(self._solver.variable())
        for frame in range(1, len(self._frames) - 1):
            for cube in sorted(self._frames[frame], key=sorted):
                if cube in self._frames[frame] and self._unreached(cube, frame + 1) is not None:
                    self._learn(cube, frame + 1)
            if not self._frames[frame]:
                return True
        return False


#: A joint move as numbers, one a role.
Joint = tuple[int, ...]

#: Frames refer to those before them; more would be too deep.
MOST_STEPS = 200


class BoundedSearch:
    """Matches from the initial state that get one step longer at a time."""

    def __init__(self, model: PropertyCircuit, budget: Budget, known: Iterable[Literal] = ()) -> None:
        self._known = tuple(known)
        self._solver = Solver(budget)
        self._frames = [Frame(model, self._solver, is_initial=True)]

    def reach(self, formula: Literal, steps: int) -> list[Joint] | None:
        """Joint moves to a state where a formula holds, exactly so many of them; None if there are none.

        Asked with ascending numbers of steps. Raises BudgetExceeded.
        """
        if steps > MOST_STEPS:
            raise BudgetExceeded(f"matches longer than {MOST_STEPS} steps are not searched")
        while len(self._frames) <= steps:
            last = self._frames[-1]
            last.steps()
            self._frames.append(last.after())
            self._solver.add(*([self._frames[-1].literal(known)] for known in self._known))
        if not self._solver.solve([self._frames[steps].literal(formula)]):
            return None
        return [frame.joint() for frame in self._frames[:steps]]

    def close(self) -> None:
        self._solver.close()
