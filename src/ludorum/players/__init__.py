"""Players: they join matches, and choose moves there."""

from ludorum.players.clocks import Clocks
from ludorum.players.equilibrium import Equilibrium
from ludorum.players.flux import Flux
from ludorum.players.greedy import Greedy
from ludorum.players.hyperplay import HyperPlay
from ludorum.players.hyperplay2 import HyperPlay2
from ludorum.players.ismcts import ISMCTS
from ludorum.players.legal import Legal
from ludorum.players.legal2 import Legal2
from ludorum.players.ludorum import Ludorum
from ludorum.players.mcts import MCTS, Cadia
from ludorum.players.minimax import Minimax
from ludorum.players.montecarlo import MonteCarlo
from ludorum.players.naming import NAMED, named, options
from ludorum.players.pimc import PIMC
from ludorum.players.player import AnyPlayer, Player, Playing, Ponders, SimplePlayer, ThinksAloud, join_match
from ludorum.players.random import Random
from ludorum.players.search_info import SearchInfo
from ludorum.players.solver import Solver
from ludorum.players.toss import Toss
from ludorum.players.traders import ZI, Truthful

__all__ = [
    "ISMCTS", "MCTS", "NAMED", "PIMC", "ZI", "AnyPlayer", "Cadia", "Clocks", "Equilibrium", "Flux", "Greedy",
    "HyperPlay", "HyperPlay2", "Legal", "Legal2", "Ludorum", "Minimax", "MonteCarlo", "Player", "Playing", "Ponders",
    "Random", "SearchInfo", "SimplePlayer", "Solver", "ThinksAloud", "Toss", "Truthful", "join_match", "named",
    "options",
]
