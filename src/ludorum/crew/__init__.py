"""Who does the work: this process, a pool of processes, or the machines of a Ray cluster.

Work is a function and one plain argument; what comes of it is a future. Whoever asks is the driver: it alone writes
down what it is given, so that work which was done twice is kept once.
"""

from ludorum.crew.crew import Crew, LocalCrew
from ludorum.crew.pool import PoolCrew
from ludorum.crew.select import select_crew

__all__ = ["Crew", "LocalCrew", "PoolCrew", "select_crew"]
