"""From rules to a ground program."""

from ludorum.ground.grounding import ground
from ludorum.ground.program import GroundProgram
from ludorum.ground.relaxation import to_asp

__all__ = ["GroundProgram", "ground", "to_asp"]
