"""Small games with secrets, solved: information sets, equilibria and best replies."""

from __future__ import annotations

from ludorum.equilibrium.sampling import SampledStrategy
from ludorum.equilibrium.solving import Equilibrium, solve
from ludorum.equilibrium.staged import Stage, StagedEquilibrium, solve_in_stages, solve_small
from ludorum.equilibrium.tree import GameTree, InformationSet, Plans

__all__ = ["Equilibrium", "GameTree", "InformationSet", "Plans", "SampledStrategy", "Stage", "StagedEquilibrium",
           "solve", "solve_in_stages", "solve_small"]
