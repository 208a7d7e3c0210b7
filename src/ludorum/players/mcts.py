"""Players that search a tree by playouts.

In the literature: UCT (Kocsis, Szepesvári 2006); MAST, the playouts of CadiaPlayer (Finnsson, Björnsson 2008); NST
(Tak, Winands, Björnsson 2012).
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

from ludorum.players.clocks import Clocks
from ludorum.players.mcts_playing import MCTSPlaying
from ludorum.players.player import MovesOnce
from ludorum.search.settings import TreeSettings

if TYPE_CHECKING:
    from ludorum._core import Evaluation
    from ludorum.game import Game

EvaluationName = Literal["plain", "fuzzy", "fluents", "counting", "net"]


class MCTS(MovesOnce):
    """Monte-Carlo tree search: plain UCT, unless options say otherwise (those of `TreeSettings`).

    It thinks for `seconds`, or for a number of `playouts`, but never past the deadline; with neither, up to the
    deadline. A move that is proved to be best is made at once. What it learned is kept for the next move; with
    `ponder` it also goes on thinking while the others do. Where the engine has no part in the core, it plays like
    MonteCarlo.

    With `symmetries` it looks for those of the game in the start clock, if that is long enough; not with RAVE or a
    policy, which exclude them. What `prior_visits` and `cutoff` ask is the `plain` evaluation, goals that hold now and
    mobility; the `fuzzy` one, how true the goals are; what `fluents` are worth, by how random matches end; or, by
    `counting`, how far the conditions of goals are met; or the `net` that `ludorum learn` has left, or that learns in a
    start clock of 20 s or more. Where a game has no circuit, or the time is too short to make one of the latter four,
    it is the plain one.

    With `factors` it looks for parts of the game that can be played each for its own sake, and searches each of them
    apart. A puzzle that is really several is solved by parts, if half of the time suffices, or half as many states as
    there are playouts. Not with an evaluation that is made for the game, which is one of the whole.
    """

    #: What its further options are.
    SETTINGS: ClassVar[type[TreeSettings]] = TreeSettings
    #: Which of them this kind of player has otherwise.
    DEFAULTS: ClassVar[dict[str, Any]] = {}

    def __init__(self, seconds: float | None = 1.0, *, playouts: int | None = None, ponder: bool = False,
                 symmetries: bool = False, factors: bool = False, evaluation: EvaluationName = "plain",
                 **settings: Any) -> None:
        if seconds is not None and seconds < 0:
            raise ValueError(f"seconds cannot be {seconds}")
        if playouts is not None and playouts < 1:
            raise ValueError(f"playouts cannot be {playouts}")
        if evaluation not in get_args(EvaluationName):
            raise ValueError(f"evaluation can be plain, fuzzy, fluents, counting or net, not {evaluation!r}")
        self.settings = TreeSettings(**{**self.DEFAULTS, **settings})
        self.seconds = seconds
        self.playouts = playouts
        self.ponder = ponder
        self.symmetries = symmetries
        self.factors = factors
        self.evaluation = evaluation
        #: Handed over by somebody, and made for the game that is played.
        self.given: Evaluation | None = None

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> MCTSPlaying:
        return MCTSPlaying(self, game, game.role(role))

    def evaluate_by(self, evaluation: Evaluation | None) -> None:
        """Takes an evaluation of the core, of the game that is played next, for `prior_visits` and `cutoff`."""
        self.given = evaluation

    def but(self, **changes: Any) -> Self:
        """The same player with other options."""
        player = type(self)(**{**self._options(), **changes})
        player.given = self.given
        return player

    def _options(self) -> dict[str, Any]:
        own = ("seconds", "playouts", "ponder", "symmetries", "factors", "evaluation")
        return {**{name: getattr(self, name) for name in own},
                **{field.name: getattr(self.settings, field.name) for field in fields(TreeSettings)}}

    def __repr__(self) -> str:
        usual = type(self)(seed=self.settings.seed)._options()
        said = (f"{name}={value!r}" for name, value in self._options().items()
                if name == "seed" or value != usual[name])
        return f"{type(self).__name__}({', '.join(said)})"


class Cadia(MCTS):
    """Monte-Carlo tree search whose playouts choose by the mean results of moves (MAST), with the papers' best decay.

    At the same clock it is better than plain UCT in some games and worse in others. Sequences of moves (NST,
    `policy=nst,epsilon=0.2,decay=0.6`), which the papers found best, are stronger with the same number of playouts, but
    take so much longer than plain playouts here that they seldom pay.
    """

    DEFAULTS: ClassVar[dict[str, Any]] = {"policy": "mast", "epsilon": 0.4, "decay": 0.2}
