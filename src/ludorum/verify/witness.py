"""A match in which somebody comes to know something: looked for by one solver, doubted by another.

The first proposes a match that ends where something holds. The second looks for a match that looks the same to the
role and ends where it does not. If there is none, the role knows; if there is, nothing that looks like that is proposed
again. With longer matches it goes on as far as the budget lasts.

In the literature: bounded model checking with counterexample-guided refinement (CEGAR), for ∃∀.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import product

from ludorum.analysis.proofs.encoding.frames import Frame
from ludorum.analysis.proofs.encoding.property_circuit import Literal
from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.gdl.terms import Term
from ludorum.verify.evidence import Match, named
from ludorum.verify.finding import Finding
from ludorum.verify.formulas import (
    Formula,
    Implies,
    Junction,
    Knows,
    Not,
    Whether,
    both_ways,
    negation,
    roles_that_know,
)
from ludorum.verify.truth import memory_of
from ludorum.verify.twins import value_of
from ludorum.verify.world import CircuitWorld

_LONGEST = 40
# More alternatives are not looked at.
_MOST_CASES = 16

#: What is to hold, and for some groups of roles what each of them is to know together.
Case = tuple[Literal, tuple[tuple[tuple[int, ...], Literal], ...]]


class Witnesses:
    """Looks for matches in which roles know something."""

    def __init__(self, world: CircuitWorld, prover: CircuitProver, literal: Callable[[Term], Literal]) -> None:
        self._world, self._prover, self._literal = world, prover, literal
        self._roles = list(map(str, world.game.roles))

    def search(self, formula: Formula, budget: Budget) -> Finding:
        """Whether there is a moment with a formula, which says that roles know what is so; proved or unknown."""
        if memory_of(formula):
            return Finding("unknown", "there are too many points, and no other engine is for such formulas")
        if not self._prover.model.is_exact:
            return Finding("unknown", "recursive rules are too deep to be encoded exactly")
        try:
            cases = [self._case(parts) for parts in _cases(formula)]
        except ValueError:
            return Finding("unknown", "there are too many points, and no other engine is for such formulas")
        try:
            for steps in range(_LONGEST + 1):
                for case in cases:
                    joints = self._shown(case, steps, budget)
                    if joints is not None:
                        return Finding("proved", "bounded search and SAT", (Match(named(self._world, joints)),))
        except BudgetExceeded as error:
            return Finding("unknown", str(error))
        return Finding("unknown", f"no match of up to {_LONGEST} steps shows it")

    def _case(self, parts: Sequence[Formula]) -> Case:
        holds, known = [], []
        for part in parts:
            if isinstance(part, Knows):
                if part.word not in "KD" or roles_that_know(part.body):
                    raise ValueError
                seats = tuple(map(self._roles.index, part.roles))
                known.append((seats, value_of(self._prover.model, part.body, self._literal)))
            elif roles_that_know(part):
                raise ValueError
            else:
                holds.append(value_of(self._prover.model, part, self._literal))
        return self._prover.model.all_of([*holds, *(literal for _, literal in known)]), tuple(known)

    def _shown(self, case: Case, steps: int, budget: Budget) -> list[tuple[int, ...]] | None:
        """A match of so many steps after which a case holds."""
        with closing(Solver(budget)) as proposing, closing(Solver(budget)) as doubting:
            match, other = self._frames(proposing, steps), self._frames(doubting, steps)
            proposing.add([match[-1].literal(case[0])])
            views = {seats: (self._view(match, seats), self._view(other, seats)) for seats, _ in case[1]}
            while proposing.solve():
                joints = [frame.joint() for frame in match[:-1]]
                doubted = None
                for seats, literal in case[1]:
                    seen, looked = views[seats]
                    told = [there if proposing.holds(here) else -there
                            for here, there in zip(seen, looked, strict=True)]
                    if doubting.solve([*told, -other[-1].literal(literal)]):
                        doubted = seen
                        break
                if doubted is None:
                    return joints
                blocked = [-here if proposing.holds(here) else here for here in doubted]
                proposing.add(blocked)
        return None

    def _frames(self, solver: Solver, steps: int) -> list[Frame]:
        frames = [Frame(self._prover.model, solver, is_initial=True)]
        for _ in range(steps):
            frames[-1].steps()
            frames.append(frames[-1].after())
        solver.add(*([frame.literal(known)] for frame in frames[1:] for known in self._prover.known))
        return frames

    def _view(self, frames: Sequence[Frame], seats: Sequence[int]) -> list[int]:
        """What roles do and are told, as literals."""
        circuit = self._prover.model.circuit
        found = []
        for frame in frames[:-1]:
            for seat in seats:
                first = circuit.first_move + sum(map(len, circuit.moves[:seat]))
                found += [frame.literal(2 * (first + number)) for number in range(len(circuit.moves[seat]))]
                found += [frame.literal(literal) for _, literal in circuit.percepts[seat]]
        return found


def _cases(formula: Formula) -> list[list[Formula]]:
    """A formula as alternatives, each of which is a conjunction of what holds and what is known.

    Raises ValueError where it is no such thing.
    """
    if not roles_that_know(formula):
        return [[formula]]
    match formula:
        case Not(body=Not(body=body)):
            return _cases(body)
        case Not(body=Junction(word=word, parts=parts)):
            return _cases(Junction("or" if word == "and" else "and", tuple(map(negation, parts))))
        case Not(body=Implies(left=left, right=right)):
            return _cases(both_ways(left, negation(right)))
        case Implies(left=left, right=right):
            return _cases(both_ways(left, right))
        case Junction(word="or", parts=parts):
            found = [case for part in parts for case in _cases(part)]
        case Junction(parts=parts):
            found = [[part for case in chosen for part in case] for chosen in product(*map(_cases, parts))]
        case Knows(word="E", roles=roles, body=body):
            found = _cases(Junction("and", tuple(Knows("K", (role,), body) for role in roles)))
        case Knows(word="K" | "D"):
            return [[formula]]
        case Whether(role=role, body=body):
            return [[Knows("K", (role,), body)], [Knows("K", (role,), negation(body))]]
        case _:
            raise ValueError
    if len(found) > _MOST_CASES:
        raise ValueError
    return found
