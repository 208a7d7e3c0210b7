"""Players: given a state and a role, they choose a move."""

from ludorum.players.legal import Legal
from ludorum.players.montecarlo import MonteCarlo
from ludorum.players.player import Player
from ludorum.players.random import Random

__all__ = ["Legal", "MonteCarlo", "Player", "Random"]
