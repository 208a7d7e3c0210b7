"""Dominance where there are too many messages to try them all: two copies of the game that differ in one message.

A solver looks for a type, messages of the others, and two messages of which the second does better, with chance on its
side in both copies. Where there is none, the first is dominant. What it finds is looked at with all that chance may do;
if the second message is no better on average, the solver has to find something else.

In the literature: self-composition (Barthe, D'Argenio, Rezk 2004) and counterexample-guided refinement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction

from ludorum.analysis.idle import turns_of, without_idle_moves
from ludorum.analysis.proofs import Verdict
from ludorum.analysis.proofs.encoding.frames import Frame
from ludorum.analysis.proofs.encoding.property_circuit import PropertyCircuit
from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.clock import Budget
from ludorum.errors import SeveralDecisions
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.mechanism.mechanism import Mechanism, truth
from ludorum.move import Move, Role
from ludorum.state import State

_Match = tuple[tuple[Move, ...], ...]
_Answer = tuple[Verdict, str, _Match | None, str]

_METHOD = "SAT on two copies"


def truthful(mechanism: Mechanism, budget: Budget) -> _Answer:
    """Whether the truth is dominant for all traders; raises SeveralDecisions or BudgetExceeded."""
    for role in mechanism.traders:
        with closing(_Copies(mechanism, role, budget)) as copies:
            for kind in copies.types:
                told = truth([kind], copies.messages)
                if told is None:
                    return "unknown", f"no message of {role} carries its type", None, ""
                copies.bind(kind, told)
            found = copies.better([])
            if found is not None:
                kind, message, other, match = found
                return "refuted", _METHOD, match, f"{role} as {kind} does better with {other} than with {message} " \
                                                  "in this match"
    return "proved", _METHOD, None, ""


def dominant(mechanism: Mechanism, budget: Budget) -> _Answer:
    """Whether every type has a dominant message; raises SeveralDecisions or BudgetExceeded."""
    for role in mechanism.traders:
        with closing(_Copies(mechanism, role, budget)) as copies:
            for kind in copies.types:
                # The truth first: where it is dominant, nothing else need be tried.
                told = truth([kind], copies.messages)
                order = sorted(copies.messages, key=lambda move, told=told: move != told)  # type: ignore[misc]
                found = None
                for message in order:
                    found = copies.better(copies.assumed(kind, message))
                    if found is None:
                        break
                if found is not None:
                    return "refuted", _METHOD, found[3], f"{role} as {kind} has none; it does better with {found[2]} " \
                                                         f"than with {found[1]} in this match"
    return "proved", _METHOD, None, ""


class _Copies:
    """Two copies of a market for one trader, alike but for its message and for what chance does after it."""

    def __init__(self, mechanism: Mechanism, role: Role, budget: Budget) -> None:
        self.game = without_idle_moves(mechanism.game)
        self.role = role
        self._seat = self.game.roles.index(role)
        self._deal = mechanism.translation.deal
        self.types = mechanism.types.get(role, ())
        circuit = self.game.circuit
        model = PropertyCircuit(circuit)
        turns = turns_of(circuit)
        choosing = [number for number, may in enumerate(turns) for trader, moves in enumerate(may)
                    if self.game.roles[trader] != RANDOM and len(moves) > 1]
        if not turns or len(set(choosing)) != 1 or not self.types or not model.is_exact:
            raise SeveralDecisions(f"the traders of {self.game.name} do not decide once, all at the same turn")
        self._turn = choosing[0]
        self.messages = tuple(Move(circuit.moves[self._seat][number]) for number in turns[self._turn][self._seat])
        self._starts = [circuit.first_move + sum(map(len, circuit.moves[:seat])) for seat in range(len(circuit.moves))]
        self._terms = circuit.moves
        self._budget = budget
        self.solver = Solver(budget)
        first = Frame(model, self.solver, is_initial=True)
        self._before = [first]
        for _ in range(self._turn):
            self._before[-1].steps()
            self._before.append(self._before[-1].after())
        last = self._before.pop()
        again = self._before[-1].after() if self._before else Frame(model, self.solver, is_initial=True)
        self._chosen = (last, again)
        self._chains = [self._chain(frame, len(turns) - self._turn) for frame in self._chosen]
        for seat in range(len(self._terms)):
            if seat != self._seat:
                for number in range(len(self._terms[seat])):
                    one, other = (self._does(frame, seat, number) for frame in self._chosen)
                    self.solver.add([-one, other], [one, -other])
        self._demand_more(model)

    def _chain(self, frame: Frame, steps: int) -> list[Frame]:
        chain = [frame]
        for _ in range(steps):
            chain[-1].steps()
            chain.append(chain[-1].after())
        return chain

    def _does(self, frame: Frame, seat: int, number: int) -> int:
        return frame.literal(2 * (self._starts[seat] + number))

    def _demand_more(self, model: PropertyCircuit) -> None:
        """The second copy ends with a higher goal."""
        goals = sorted(model.circuit.goals[self._seat])
        ways = []
        for place in range(1, len(goals)):
            high = [literal for _, literal in goals[place:]]
            more = model.any_of(high)
            way = self.solver.variable()
            self.solver.add([-way, -self._chains[0][-1].literal(more)], [-way, self._chains[1][-1].literal(more)])
            ways.append(way)
        self.solver.add(ways)

    def _dealt(self, kind: Term) -> Iterator[int]:
        """Literals of which one holds where the trader has a type."""
        chance = self.game.roles.index(RANDOM)
        move = Term(self._deal, (Term(str(self.role)), kind))
        number = self._terms[chance].index(move)
        yield from (self._does(frame, chance, number) for frame in self._before)

    def _sends(self, copy: int, message: Move) -> int:
        return self._does(self._chosen[copy], self._seat, self._terms[self._seat].index(message.term))

    def bind(self, kind: Term, message: Move) -> None:
        """In the first copy a trader of this type sends this message."""
        self.solver.add(*([-dealt, self._sends(0, message)] for dealt in self._dealt(kind)))

    def assumed(self, kind: Term, message: Move) -> list[int]:
        """That the trader has this type, and sends this message in the first copy."""
        others = [literal for other in self.types if other != kind for literal in self._dealt(other)]
        return [*(-literal for literal in others), self._sends(0, message)]

    def better(self, assumptions: Sequence[int]) -> tuple[Term, Move, Move, _Match] | None:
        """A type, its message, one that does better on average, and the match; None if there is none."""
        while self.solver.solve(assumptions):
            joints = [frame.joint() for frame in self._before]
            one, other = (frame.joint() for frame in self._chosen)
            start = self._after(self.game.initial, joints)
            ends = [self._average(self._after(start, [joint])) for joint in (one, other)]
            kind = next(kind for kind in self.types if any(self.solver.holds(dealt) for dealt in self._dealt(kind)))
            messages = [Move(self._terms[self._seat][joint[self._seat]]) for joint in (one, other)]
            if ends[1] > ends[0]:
                return kind, messages[0], messages[1], self._match([*joints, other])
            # Only on a lucky day: this type, these messages and these of the others are no answer.
            same = [self._does(self._chosen[0], seat, number) for seat, number in enumerate(other)
                    if seat != self._seat and self.game.roles[seat] != RANDOM]
            dealt = [literal for literal in self._dealt(kind) if self.solver.holds(literal)]
            self.solver.add([-literal for literal in (*same, *dealt, self._sends(0, messages[0]),
                                                      self._sends(1, messages[1]))])
            self._budget.check()
        return None

    def _after(self, state: State, joints: Sequence[Sequence[int]]) -> State:
        for joint in joints:
            state = state.after({role: Move(self._terms[seat][joint[seat]])
                                 for seat, role in enumerate(self.game.roles)})
        return state

    def _average(self, state: State) -> Fraction:
        """The goal of the trader, over all that chance may do."""
        if state.is_terminal:
            return Fraction(state.goals[self.role] or 0)
        drawn = state.legal(RANDOM) if RANDOM in self.game.roles else ()
        values = [self._average(state.after(self._forced(state, move))) for move in drawn] or \
            [self._average(state.after(self._forced(state, None)))]
        return sum(values, Fraction(0)) / len(values)

    def _forced(self, state: State, drawn: Move | None) -> dict[str, Move]:
        return {role: drawn if role == RANDOM and drawn is not None else state.legal(role)[0]
                for role in self.game.roles}

    def _match(self, joints: Sequence[Sequence[int]]) -> _Match:
        made = [tuple(Move(self._terms[seat][number]) for seat, number in enumerate(joint)) for joint in joints]
        state = self._after(self.game.initial, joints)
        while not state.is_terminal:
            joint = self._forced(state, None)
            made.append(tuple(joint[role] for role in self.game.roles))
            state = state.after(joint)
        return tuple(made)

    def close(self) -> None:
        self.solver.close()
