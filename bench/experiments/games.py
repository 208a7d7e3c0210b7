"""The games of the papers: from the library where it has them, else from the corpus beside the project.

A game is the paper's only in its idea: sizes of boards and limits of steps may differ from the rulesheet that its
authors used, which is not known in most cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import ludorum
from collection import GAMES
from ludorum import Game


@dataclass(frozen=True)
class Source:
    """A game as a table calls it, and where its rules are."""

    title: str
    #: A name of the library, or a path in the corpus.
    place: str

    @property
    def path(self) -> Path | None:
        """The file in the corpus, none for a game of the library."""
        return GAMES / f"{self.place}.kif" if "/" in self.place else None

    @property
    def is_here(self) -> bool:
        return self.path is None or self.path.is_file()

    def load(self) -> Game:
        return ludorum.load(self.path or self.place)


#: Of the paper on decay, by its names; GridGame, Farmers and Runners are in neither collection.
BREAKTHROUGH = Source("Breakthrough", "breakthrough")
KNIGHTTHROUGH = Source("Knightthrough", "knightthrough")
OTHELLO = Source("Othello", "othello")
QUBIC = Source("3DTicTacToe", "tictactoe3d")
MERRILLS = Source("Merrills", "ninemensmorris")
SKIRMISH = Source("Skirmish", "skirmish")
CHINESE_CHECKERS = Source("ChineseCheckers3P", "chinesecheckers3")
CHECKERS = Source("Checkers", "ggp.org/checkers")
CONNECT_FIVE = Source("Connect5", "ggp.org/connect5")
SHEEP_AND_WOLF = Source("Sheep and Wolf", "ggp.org/sheepAndWolf")
QUAD = Source("Quad", "ggp.org/quad_7x7")
ZHADU = Source("Zhadu", "ggp.org/zhadu")
TTCC4 = Source("TTCC4", "ggp.org/ttcc4_2player_alt")
BATTLE = Source("Battle", "ggp.org/battle")
CHINOOK = Source("Chinook", "ggp.org/chinook")
PAWN_WHOPPING = Source("Pawn Whopping", "ggp.org/pawnWhopping")

#: Of the thesis on Fluxplayer, and of the paper on distances: those that their text names.
NIM_4 = Source("nim4", "ggp.org/nim4")
CHINESE_CHECKERS_2 = Source("chinesecheckers2", "chinesecheckers2")
BLOCKER = Source("Blocker", "ggp.org/blocker")
BREAKTHROUGH_SUICIDE = Source("breakthrough_suicide", "ggp.org/breakthroughSuicide")

#: Of the paper on the sufficiency threshold.
CONNECT_FOUR = Source("Connect-4", "connectfour")
CHOMP = Source("Chomp", "chomp")
