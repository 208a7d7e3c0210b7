"""Proofs: what holds in every state of a game that can be reached, and what does not."""

from __future__ import annotations

from ludorum.analysis.proofs.proof import Proof, Verdict
from ludorum.analysis.proofs.proving import prove

__all__ = ["Proof", "Verdict", "prove"]
