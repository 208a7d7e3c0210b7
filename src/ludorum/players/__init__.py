"""Players: given a state and a role, they choose a move."""

from ludorum.players.flux import Flux
from ludorum.players.greedy import Greedy
from ludorum.players.legal import Legal
from ludorum.players.ludorum import Ludorum
from ludorum.players.mcts import MCTS, Cadia
from ludorum.players.minimax import Minimax
from ludorum.players.montecarlo import MonteCarlo
from ludorum.players.naming import NAMED, named, options
from ludorum.players.player import Explains, Finishes, Player, Prepares
from ludorum.players.random import Random
from ludorum.players.solver import Solver
from ludorum.players.thoughts import Thoughts

__all__ = [
    "MCTS", "NAMED", "Cadia", "Explains", "Finishes", "Flux", "Greedy", "Legal", "Ludorum", "Minimax", "MonteCarlo",
    "Player", "Prepares", "Random", "Solver", "Thoughts", "named", "options",
]
