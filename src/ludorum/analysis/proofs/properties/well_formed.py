"""Whether a game is well-formed: it ends, every role can always move and can win, and goals never fall.

In the literature: Love, Hinrichs, Haley, Schkufza, Genesereth (2008); Definitions 2.8 to 2.12 of Schiffel's thesis. A
sequence of moves that wins whatever the others do (strong winnability) is a conformant plan, looked for among sets of
states (Bonet, Geffner 2000).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ludorum.analysis.proofs.encoding.property_circuit import TRUE, Literal
from ludorum.analysis.proofs.proof import JointMove, Proof, Verdict
from ludorum.analysis.proofs.properties.claims import Claim
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.analysis.proofs.tactics.exploration import Explored, transitions
from ludorum.clock import Budget
from ludorum.engines.protocol import Position
from ludorum.errors import BudgetExceeded
from ludorum.game import Game
from ludorum.gdl.terms import Term

MONOTONIC = "in every state every role has exactly one goal value, and it never falls"
STRONGLY_WINNABLE = "some role has a sequence of moves that ends with 100 for it, whatever the others do"
WELL_FORMED = "it ends, goals never fall, every role has a legal move as long as it goes on, and every role can win"
# The work of a successor in a search among sets of states.
_A_SUCCESSOR = 2e-5


def monotonic(prover: CircuitProver) -> Proof:
    """Definition 2.10."""
    model, circuit = prover.model, prover.model.circuit
    values = [[literal for _, literal in circuit.goals[role]] for role in prover.claims.goal_roles]
    defined = prover.claims.claim("monotonic", MONOTONIC, [
        formula for of_role in values for formula in (model.at_most_one(of_role), model.any_of(of_role))])
    (proof,) = prover.judge([defined])
    if proof.verdict != "proved":
        return proof
    claim = Claim("monotonic", MONOTONIC, ())
    # Where there is exactly one goal value, it never falls if and only if to have at least so much always lasts.
    steps = [formula for role in prover.claims.goal_roles for formula in _at_least(prover, role) if formula != TRUE]
    fallen = _falls(prover, steps)
    if fallen is not None:
        return prover.verdict(claim, "refuted", "random play", prover.samples.path(fallen))
    return _lasting(prover, claim, steps)


def _at_least(prover: CircuitProver, role: int) -> list[Literal]:
    goals = prover.model.circuit.goals[role]
    return [prover.model.any_of(literal for value, literal in goals if value >= least)
            for least in sorted({value for value, _ in goals})[1:]]


def _falls(prover: CircuitProver, formulas: Sequence[Literal]) -> int | None:
    """The first sample where one of them no longer holds, None if there is none."""
    if not formulas:
        return None
    truth = prover.model.truth(formulas, prover.samples.rows)
    after = np.flatnonzero(prover.samples.parents >= 0)
    fallen = (truth[prover.samples.parents[after]] & ~truth[after]).any(axis=1)
    return int(after[np.argmax(fallen)]) if fallen.any() else None


def _lasting(prover: CircuitProver, claim: Claim, formulas: Sequence[Literal]) -> Proof:
    """Whether all of them last: step by step from any state, or else in all states that there are."""
    lacking = prover.not_lasting(formulas)
    if not lacking:
        return prover.verdict(claim, "proved", "step by step")
    explored = prover.explored
    if not explored.is_complete:
        return prover.verdict(claim, "unknown", "not inductive")
    try:
        fallen = _falls_anywhere(prover, explored, lacking)
    except BudgetExceeded as error:
        return prover.verdict(claim, "unknown", str(error))
    if fallen is None:
        return prover.verdict(claim, "proved", "exhaustive search")
    return prover.verdict(claim, "refuted", "exhaustive search", fallen)


def _falls_anywhere(prover: CircuitProver, explored: Explored,
                    formulas: Sequence[Literal]) -> tuple[JointMove, ...] | None:
    """A match after which one of them no longer holds, None if there is none."""
    for first, which, joints, after in transitions(prover.game, explored, prover.budget):
        before = prover.model.truth(formulas, explored.rows[first + which])
        fallen = (before & ~prover.model.truth(formulas, after)).any(axis=1)
        if fallen.any():
            index = int(np.argmax(fallen))
            return (*explored.path(first + int(which[index])), explored.joint(joints[index]))
    return None


def strongly_winnable(prover: CircuitProver) -> Proof:
    """Definition 2.11."""
    claim = Claim("strongly_winnable", STRONGLY_WINNABLE, ())
    if len(prover.game.roles) == 1:
        # There are no others.
        alone = prover.winnable(0)
        return prover.verdict(claim, alone.verdict, alone.method, alone.moves)
    unsettled = False
    for role in prover.claims.goal_roles:
        name = str(prover.model.circuit.roles[role])
        try:
            plan = conformant_plan(prover.game, role, prover.budget.share(0.5))
        except BudgetExceeded:
            unsettled = True
            continue
        if plan is not None:
            says = f"{name} ends with 100 whatever the others do: {' '.join(map(str, plan))}"
            return prover.verdict(Claim("strongly_winnable", says, ()), "proved", "search among sets of states")
    if unsettled:
        return prover.verdict(claim, "unknown", "there are too many sets of states")
    return prover.verdict(claim, "refuted", "search among sets of states")


@dataclass(frozen=True, slots=True)
class _Node:
    positions: frozenset[Position]
    plan: tuple[Term, ...]


def conformant_plan(game: Game, role: int, budget: Budget) -> tuple[Term, ...] | None:
    """A shortest sequence of moves of one role that ends with 100 whatever the others do; None if there is none.

    Raises BudgetExceeded.
    """
    reasoner = game.reasoner

    def settled(positions: frozenset[Position]) -> frozenset[Position] | None:
        """Those that go on; None where one has ended without a win."""
        ended = [position for position in positions if reasoner.is_terminal(position)]
        if any(reasoner.goals(position)[role] != 100 for position in ended):
            return None
        return positions.difference(ended)

    start = settled(frozenset([game.initial.position]))
    if start is None:
        return None
    seen, open_nodes = {start}, deque([_Node(start, ())])
    while open_nodes:
        node = open_nodes.popleft()
        if not node.positions:
            return node.plan
        legal = {position: reasoner.legal(position) for position in node.positions}
        shared = set.intersection(*(set(moves[role]) for moves in legal.values()))
        for move in sorted(shared, key=str):
            after = set()
            for position, moves in legal.items():
                choices = [(move,) if seat == role else of_role for seat, of_role in enumerate(moves)]
                for joint in product(*choices):
                    budget.check(_A_SUCCESSOR)
                    after.add(reasoner.after(position, joint))
            going = settled(frozenset(after)) if after else None
            if going is not None and going not in seen:
                seen.add(going)
                open_nodes.append(_Node(going, (*node.plan, move)))
    return None


def well_formed(prover: CircuitProver) -> Proof:
    """Definition 2.12: one verdict on all of it, and what it fails by."""
    (playable,) = prover.judge([prover.claims.playable()])
    parts = [playable, *map(prover.winnable, prover.claims.goal_roles)]
    prover.learn()
    parts += [prover.terminates()[0], monotonic(prover)]
    claim = Claim("well_formed", WELL_FORMED, ())
    failing: tuple[Verdict, ...] = ("refuted", "unknown")
    for verdict in failing:
        for part in parts:
            if part.verdict == verdict:
                method = f"{part.property} is {verdict}: {part.method}"
                return prover.verdict(claim, verdict, method, part.moves if verdict == "refuted" else None)
    return prover.verdict(claim, "proved", ", ".join(dict.fromkeys(part.method for part in parts)))
