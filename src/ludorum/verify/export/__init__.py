"""Games as models for other model checkers: NuSMV, MCK and MCMAS."""

from __future__ import annotations

from ludorum.verify.export.ispl import to_ispl
from ludorum.verify.export.mck import to_mck
from ludorum.verify.export.smv import to_smv

__all__ = ["to_ispl", "to_mck", "to_smv"]
