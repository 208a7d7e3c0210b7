"""Everything that the page's processes may need, imported once where they are forked from."""

from ludorum import analysis, drawing, search
from ludorum.analysis import structures
from ludorum.belief import Belief
from ludorum.circuit import cache, compile_circuit
from ludorum.ground import ground
from ludorum.players import NAMED
from ludorum.web import diagnosing, drawn, knowing, worker

PRELOADED = (NAMED, Belief, analysis, cache, compile_circuit, diagnosing, drawing, drawn, ground, knowing, search,
             structures, worker)
