"""What became of a formula, or of a part of one, with the matches that show it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludorum.analysis.proofs.proof import Verdict
from ludorum.verify.evidence import Match


@dataclass(frozen=True, slots=True)
class Finding:
    verdict: Verdict
    #: How it was reached, or what was lacking.
    method: str
    matches: tuple[Match, ...] = ()

    @property
    def is_known(self) -> bool:
        return self.verdict != "unknown"

    def reversed(self) -> Finding:
        """What that says of the negation."""
        other: dict[Verdict, Verdict] = {"proved": "refuted", "refuted": "proved", "unknown": "unknown"}
        return replace(self, verdict=other[self.verdict])
