"""Everything that a match may need, imported once where its processes are forked from.

Players import what they seldom need when they need it, so that starting a program takes little time. The process of a
match would pay for that within its first clock.
"""

from ludorum import search
from ludorum.analysis import factors, invariants, symmetry
from ludorum.evaluate import evaluation, settings
from ludorum.search import factored_values, minimax, puzzle
from ludorum.serve import worker

PRELOADED = (evaluation, factored_values, factors, invariants, minimax, puzzle, search, settings, symmetry, worker)
