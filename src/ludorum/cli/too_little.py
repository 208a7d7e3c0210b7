"""What `ludorum check` says of games with secrets: of what the rules tell a role too little, and what would mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludorum.analysis.proofs import Proof
from ludorum.belief import hides
from ludorum.cli.alike import show_doubles
from ludorum.cli.output import console
from ludorum.clock import Budget
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.verify import Repair, prove, prove_knowledge, smallest_repair

_OF_WHAT = {"knows_legal": "its legal moves", "knows_end": "that it is over when it is",
            "knows_goal": "its goal at the end"}
# The work of about so many seconds for the proofs, and for the repair of what one role lacks.
_PROVING, _MENDING = 60.0, 60.0
# And where nobody asked for proofs.
_LOOKING = 5.0


@dataclass(frozen=True, slots=True)
class TooLittle:
    """A role and what it may not know."""

    game: Game
    role: str
    word: str
    proof: Proof
    repair: Repair | None

    @property
    def is_warning(self) -> bool:
        return self.proof.verdict == "refuted"

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"role": self.role, **self.proof.to_json()}
        if self.repair is not None:
            found["repair"] = None if self.repair.rules is None else list(map(str, self.repair.rules))
        return found

    def show(self) -> None:
        out = console()
        if not self.is_warning:
            of_what = _OF_WHAT[self.word]
            out.print(f"note: whether {self.role} always knows {of_what} is not known: {self.proof.method}\n")
            return
        out.print(f"warning: {self.role} may not know {_OF_WHAT[self.word]}", style="yellow")
        show_doubles(self.game, getattr(self.proof, "matches", ()))
        if self.repair is not None and self.repair.rules is not None:
            out.print(f"= help: what {self.role} lacks would be told by, and by no fewer rules than")
            for rule in self.repair.rules:
                out.print(f"    {rule}")
        elif self.repair is not None:
            out.print(f"= help: no rules that mend it were found: {self.repair.why}")
        out.print()


def unsure_of_moves(game: Game) -> list[TooLittle]:
    """The roles that are seen, after a short look, not to know their legal moves, which GDL-II requires."""
    if not hides(game):
        return []
    roles = [role for role in game.roles if role != RANDOM]
    proofs = prove(game, *(f"knows_legal {role}" for role in roles), budget=Budget.about(_LOOKING))
    return [TooLittle(game, role, "knows_legal", proof, None) for role, proof in zip(roles, proofs, strict=True)
            if proof.verdict == "refuted"]


def told_too_little(game: Game) -> list[TooLittle]:
    """All that roles may not know, or that is not known; nothing in a game where everybody is told everything."""
    if not hides(game):
        return []
    found: list[TooLittle] = []
    proofs = [proof for proof in prove_knowledge(game, Budget.about(_PROVING)) if proof.verdict != "proved"]
    roles = dict.fromkeys(proof.property.split()[1] for proof in proofs)
    for role in roles:
        lacking = [proof for proof in proofs if proof.property.split()[1] == role]
        refuted = [proof.property for proof in lacking if proof.verdict == "refuted"]
        repair = smallest_repair(game, role, refuted, Budget.about(_MENDING)) \
            if refuted and game.engine == "circuit" else None
        # One repair for all that the role lacks; it is told once, after the last.
        for proof in lacking:
            is_last = bool(refuted) and proof.property == refuted[-1]
            found.append(TooLittle(game, role, proof.property.split()[0], proof, repair if is_last else None))
    return found
