"""What no match may bring, asked of a solver turn by turn, where there are too many matches to follow them all.

In the literature: bounded model checking (Biere and others 1999); here it is complete, for markets close.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from ludorum.analysis.proofs import Verdict
from ludorum.analysis.proofs.encoding.frames import Frame
from ludorum.analysis.proofs.encoding.property_circuit import PropertyCircuit
from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.circuit.circuit import FALSE, TRUE, Literal
from ludorum.clock import Budget
from ludorum.errors import LudorumError, TooLarge
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.mechanism.mechanism import Mechanism, truth
from ludorum.move import Move, Role

_Match = tuple[tuple[Move, ...], ...]
_Answer = tuple[Verdict, str, _Match | None, str]

_METHOD = "SAT, turn by turn"
# Whoever goes on for longer is not followed.
_MOST_TURNS = 1_000


def rational(mechanism: Mechanism, budget: Budget) -> _Answer:
    """Whether who tells the truth, and nothing where it cannot, never ends below 0; raises BudgetExceeded."""
    speaking = False
    for role in mechanism.traders:
        with closing(_Matches(mechanism.game, budget)) as matches:
            told = {kind: truth([kind], matches.moves(role)) for kind in mechanism.types.get(role, ())}
            speaking = speaking or any(told.values())
            seat = matches.game.roles.index(role)
            losing = matches.model.any_of(
                literal for goal, literal in matches.game.circuit.goals[seat] if goal < 50)
            for frame in matches.turns():
                match = matches.that_ends_with(frame, losing)
                if match is not None:
                    loss = mechanism.gain(matches.goals(match)[role] or 0)
                    kind = matches.type_of(mechanism, role, match)
                    return ("refuted", _METHOD, match,
                            f"{role} as {kind} sends {(kind and told[kind]) or 'nothing'} and ends at {loss:g}")
                matches.bind(mechanism, role, told, frame)
    return "proved", _METHOD, None, "" if speaking else "no message carries a type, so that is to say nothing at all"


def budgeted(mechanism: Mechanism, budget: Budget) -> _Answer:
    """Whether payments never add up to less than 0; raises BudgetExceeded."""
    game = mechanism.payments
    assert game is not None, "who asks for sums has rules for payments"
    with closing(_Matches(game, budget)) as matches:
        debt = _negative_sum(matches.model, [game.circuit.goals[game.roles.index(role)] for role in mechanism.traders])
        for frame in matches.turns():
            match = matches.that_ends_with(frame, debt)
            if match is not None:
                goals = matches.goals(match)
                total = sum(mechanism.payment(goals[role] or 0) for role in mechanism.traders)
                return "refuted", _METHOD, match, f"here they add up to {total:g}"
    return "proved", _METHOD, None, ""


def _negative_sum(model: PropertyCircuit, goals: Sequence[Sequence[tuple[int, Literal]]]) -> Literal:
    """That what all are paid, 50 less than their goals, adds up to less than 0."""
    sums: dict[int, Literal] = {0: TRUE}
    for of_role in goals:
        ways: dict[int, list[Literal]] = {}
        for total, literal in sums.items():
            for goal, reached in of_role:
                ways.setdefault(total + goal - 50, []).append(model.all_of([literal, reached]))
        sums = {total: model.any_of(literals) for total, literals in ways.items()}
    return model.any_of([literal for total, literal in sums.items() if total < 0] or [FALSE])


class _Matches:
    """All matches of a game, as clauses about one state after the other."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.model = PropertyCircuit(game.circuit)
        if not self.model.is_exact:
            raise LudorumError(f"the rules of {game.name} are recursive in a way that a solver cannot follow")
        self.solver = Solver(budget)
        self._frames: list[Frame] = []
        self._starts = [game.circuit.first_move + sum(map(len, game.circuit.moves[:seat]))
                        for seat in range(len(game.roles))]

    def moves(self, role: Role) -> list[Move]:
        return [Move(term) for term in self.game.circuit.moves[self.game.roles.index(role)]]

    def turns(self) -> Iterator[Frame]:
        """State after state, as long as some match goes on."""
        frame = Frame(self.model, self.solver, is_initial=True)
        for _ in range(_MOST_TURNS):
            self._frames.append(frame)
            yield frame
            frame.steps()
            if not self.solver.solve():
                return
            frame = frame.after()
        raise TooLarge(f"matches of {self.game.name} go on for more than {_MOST_TURNS} turns")

    def that_ends_with(self, frame: Frame, formula: Literal) -> _Match | None:
        """A match that ends here, where a formula holds."""
        if not self.solver.solve([frame.literal(self.game.circuit.terminal), frame.literal(formula)]):
            return None
        return tuple(tuple(Move(self.game.circuit.moves[seat][number]) for seat, number in enumerate(before.joint()))
                     for before in self._frames[:-1])

    def goals(self, match: _Match) -> dict[Role, int | None]:
        state = self.game.replay([dict(zip(self.game.roles, joint, strict=True)) for joint in match])
        return {role: state.goals[role] for role in self.game.roles}

    # ---- who tells the truth ----

    def bind(self, mechanism: Mechanism, role: Role, told: dict[Term, Move | None], frame: Frame) -> None:
        """In this state the role sends the truth of its type where it can, and else nothing."""
        seat = self.game.roles.index(role)
        terms, legal = self.game.circuit.moves[seat], self.game.circuit.legal[seat]
        silent = self._does(frame, seat, terms.index(mechanism.translation.silent))
        if not told:
            self.solver.add([silent])
        for kind, message in told.items():
            for dealt in self._dealt(mechanism, role, kind):
                if message is None:
                    self.solver.add([-dealt, silent])
                    continue
                number = terms.index(message.term)
                may, says = frame.literal(legal[number]), self._does(frame, seat, number)
                self.solver.add([-dealt, -may, says], [-dealt, may, silent])

    def _does(self, frame: Frame, seat: int, number: int) -> int:
        return frame.literal(2 * (self._starts[seat] + number))

    def _dealt(self, mechanism: Mechanism, role: Role, kind: Term) -> Iterator[int]:
        """Literals of which one holds where the role has got a type: types are dealt one after the other."""
        chance = self.game.roles.index(RANDOM)
        number = self.game.circuit.moves[chance].index(Term(mechanism.translation.deal, (Term(str(role)), kind)))
        for frame in self._frames[:len(mechanism.traders)]:
            if frame is not self._frames[-1]:
                yield self._does(frame, chance, number)

    def type_of(self, mechanism: Mechanism, role: Role, match: _Match) -> Term | None:
        dealt = [move.term.args[1] for joint in match for move in joint
                 if move.term.name == mechanism.translation.deal and str(move.term.args[0]) == role]
        return next((kind for kind in dealt if isinstance(kind, Term)), None)

    def close(self) -> None:
        self.solver.close()
