"""What was proved of a game, as a value that the compiler, searches and evaluations can use."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ludorum.analysis.proofs.properties.arguments import modes
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.analysis.proofs.tactics.houdini import inductive_together
from ludorum.analysis.proofs.tactics.induction import Step
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.findings import Slot
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.grammar import agree

Group = tuple[Term, ...]

#: The work for them unless another budget is told.
WORK = 10.0


@dataclass(frozen=True, slots=True)
class Invariants:
    """What holds in every state that can be reached, and in every step.

    Groups, `never` and `always` are inductive together: they hold after every step from a state where all of them hold,
    whether it can be reached or not.
    """

    #: Groups of fluents of which exactly one holds.
    one_hot: tuple[Group, ...] = ()
    #: Groups of fluents of which at most one holds, other than those.
    exclusive: tuple[Group, ...] = ()
    never: tuple[Term, ...] = ()
    always: tuple[Term, ...] = ()
    #: Fluents that stay true once they are; and those that stay false.
    stays_true: tuple[Term, ...] = ()
    stays_false: tuple[Term, ...] = ()
    #: What the goals of all roles add up to at every end, where each has exactly one; None if that is not proved.
    constant_sum: int | None = None
    #: Whether it is proved that never two roles have a choice at once.
    turn_taking: bool = False
    #: No match has more steps; None if no bound is proved.
    longest: int | None = None

    def to_json(self) -> dict[str, Any]:
        found = asdict(self)
        for name in ("one_hot", "exclusive"):
            found[name] = [[str(fluent) for fluent in group] for group in getattr(self, name)]
        for name in ("never", "always", "stays_true", "stays_false"):
            found[name] = [str(fluent) for fluent in getattr(self, name)]
        return found

    def __str__(self) -> str:
        exclusive, never, always = len(self.exclusive), len(self.never), len(self.always)
        true, false = len(self.stays_true), len(self.stays_false)
        lines = [f"{len(self.one_hot)} one-hot and {exclusive} exclusive {agree(exclusive, 'group')} of fluents",
                 f"{never} {agree(never, 'fluent that never holds', 'fluents that never hold')}, "
                 f"{always} that always {agree(always, 'does', 'do')}",
                 f"{true} {agree(true, 'fluent that stays', 'fluents that stay')} true, "
                 f"{false} that {agree(false, 'stays', 'stay')} false"]
        if self.constant_sum is not None:
            lines.append(f"goals add up to {self.constant_sum}")
        if self.turn_taking:
            lines.append("roles take turns")
        if self.longest is not None:
            lines.append(f"at most {self.longest} {agree(self.longest, 'step')}")
        return "\n".join(lines)


#: Where a game has what was proved of it.
INVARIANTS: Slot[Invariants] = Slot("invariants")


def invariants(game: Game, budget: Budget | None = None) -> Invariants:
    """What can be proved of a game with a budget, which the game remembers; nothing of a game that has no circuit."""
    if game.engine != "circuit":
        return Invariants()
    budget = budget or Budget(WORK)

    def find(_: object) -> tuple[Invariants, bool]:
        found = found_by(CircuitProver(game, game.circuit, budget))
        return found, not budget.passed

    return game.findings.find(INVARIANTS, budget, find)


def found_by(prover: CircuitProver) -> Invariants:
    """What a prover knows, and can find out with what is left of its budget."""
    claims = prover.claims
    prover.learn()
    groups = _Groups(prover)
    asked = [claim for claim in (claims.constant_sum(), claims.one_goal(), claims.turn_taking()) if claim is not None]
    whole = {proof.property: proof.verdict == "proved" for proof in prover.judge(asked, thorough=False)}
    is_sum_constant = whole.get("constant_sum", False) and whole["one_goal"]
    stays = [tuple(prover.fluents[number] for number, proof in prover.all_staying(value).items()
                   if proof.verdict == "proved") for value in (True, False)]
    return Invariants(
        one_hot=groups.one_hot, exclusive=groups.exclusive, never=groups.never, always=groups.always,
        stays_true=stays[0], stays_false=stays[1],
        constant_sum=claims.sum_of_goals() if is_sum_constant else None,
        turn_taking=whole["turn_taking"],
        longest=prover.terminates()[1],
    )


class _Groups:
    """Groups of fluents and constants that are inductive together."""

    def __init__(self, prover: CircuitProver) -> None:
        model, known, fluents = prover.model, prover.known, prover.fluents
        numbers = {fluent: number for number, fluent in enumerate(fluents)}
        groups: dict[tuple[int, ...], tuple[int, int]] = {}
        for mode in modes(fluents):
            for group in mode.groups(fluents):
                literals = [model.fluent(number) for number in group]
                pair = model.at_most_one(literals), model.any_of(literals)
                if len(group) > 1 and pair[0] in known:
                    groups[group] = pair
        # Of groups that contain others the largest are enough.
        largest = [group for group in groups if not any(set(group) < set(other) for other in groups)]
        never = {model.fluent(number) ^ 1 for number in range(len(fluents)) if model.fluent(number) ^ 1 in known}
        always = {model.fluent(number) for number in range(len(fluents)) if model.fluent(number) in known}
        formulas = [*never, *always, *(formula for group in largest for formula in groups[group] if formula in known)]
        try:
            step = Step(model, prover.budget.share(0.5))
            step.know(model.agreements())
            held = set(inductive_together(step, formulas).formulas)
        except BudgetExceeded:
            held = set()

        def named(group: tuple[int, ...]) -> Group:
            return tuple(fluents[number] for number in group)

        sure = [group for group in largest if groups[group][0] in held]
        self.one_hot = tuple(named(group) for group in sure if groups[group][1] in held)
        self.exclusive = tuple(named(group) for group in sure if groups[group][1] not in held)
        self.never = tuple(fluent for fluent in fluents if model.fluent(numbers[fluent]) ^ 1 in held)
        self.always = tuple(fluent for fluent in fluents if model.fluent(numbers[fluent]) in held)



