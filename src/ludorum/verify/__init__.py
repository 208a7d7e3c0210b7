"""Verification: formulas of time and knowledge about all matches of a game, proved or refuted."""

from __future__ import annotations

from ludorum.verify.evidence import Match, look_alike, told
from ludorum.verify.formulas import Formula
from ludorum.verify.parsing import parse
from ludorum.verify.present import known_now
from ludorum.verify.proving import FormulaProof, prove, prove_knowledge
from ludorum.verify.repair import Repair, SeesRule, smallest_repair
from ludorum.verify.vocabulary import resolve

__all__ = [
    "Formula", "FormulaProof", "Match", "Repair", "SeesRule", "known_now", "look_alike", "parse", "prove",
    "prove_knowledge", "resolve", "smallest_repair", "told",
]
