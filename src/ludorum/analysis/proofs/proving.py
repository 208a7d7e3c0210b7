"""From a game and the names of properties to proofs."""

from __future__ import annotations

from typing import Literal

from ludorum.analysis.proofs.lifted.prover import LiftedProver
from ludorum.analysis.proofs.proof import Proof
from ludorum.analysis.proofs.properties.catalogue import prove_all, prove_lifted, prove_named
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.clock import Budget
from ludorum.game import Game

#: By SAT on the circuit, or by answer sets from the rules.
Method = Literal["sat", "asp"]


#: The work for proofs unless another budget is told.
WORK = 60.0


def prove(game: Game, *properties: str, budget: Budget | None = None, seed: int = 0,
          method: Method | None = None) -> list[Proof]:
    """Proofs of the properties that are named, or of all that there is to ask about a game.

    The method is "sat" for games that have a circuit, and "asp" for those that are too large to ground. What the budget
    does not suffice for is `unknown`. Raises UnknownProperty.
    """
    budget = budget or Budget(WORK)
    if method == "asp" or (method is None and game.engine != "circuit"):
        lifted = LiftedProver(game, budget, seed=seed)
        try:
            return prove_lifted(lifted, properties)
        finally:
            lifted.close()
    prover = CircuitProver(game, game.circuit, budget, seed=seed)
    return prove_named(prover, properties) if properties else prove_all(prover)
