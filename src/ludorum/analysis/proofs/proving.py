"""From a game and the names of properties to proofs."""

from __future__ import annotations

from typing import Literal

from ludorum.analysis.proofs.budget import Budget
from ludorum.analysis.proofs.catalogue import prove_all, prove_lifted, prove_named
from ludorum.analysis.proofs.lifted import LiftedProver
from ludorum.analysis.proofs.proof import Proof
from ludorum.analysis.proofs.prover import CircuitProver
from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.reason.circuit import CircuitReasoner

#: By SAT on the circuit, or by answer sets from the rules.
Method = Literal["sat", "asp"]


def prove(game: Game, *properties: str, seconds: float = 60.0, memory_mb: int = 4096, seed: int = 0,
          method: Method | None = None) -> list[Proof]:
    """Proofs of the properties that are named, or of all that there is to ask about a game.

    The method is "sat" for games that have a circuit, and "asp" for those that are too large to ground. Ends within
    about `seconds`; what they or the memory did not suffice for is `unknown`. Raises UnknownProperty.
    """
    budget = Budget(Deadline.within(seconds), memory_mb)
    if method == "asp" or (method is None and not isinstance(game.reasoner, CircuitReasoner)):
        lifted = LiftedProver(game, budget, seed=seed)
        try:
            return prove_lifted(lifted, properties)
        finally:
            lifted.close()
    if not isinstance(game.reasoner, CircuitReasoner):
        raise LudorumError(f"{game.name} has no circuit: {game.why}")
    prover = CircuitProver(game, game.reasoner.circuit, budget, seed=seed)
    return prove_named(prover, properties) if properties else prove_all(prover)
