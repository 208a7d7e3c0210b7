"""Players that search a tree by playouts."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from ludorum.clock import ALL_DAY, NEVER, Deadline
from ludorum.game import Game
from ludorum.joint import choosers, goes_on
from ludorum.move import Move, Role
from ludorum.players.apart import ByParts, ByPlan
from ludorum.players.knowing import evaluation_in_time, parts_in_time, symmetries_in_time, worths_in_time
from ludorum.players.montecarlo import MonteCarlo
from ludorum.players.thoughts import Thoughts
from ludorum.reason.abilities import Simulates
from ludorum.search.belief import hides
from ludorum.search.settings import TreeSettings
from ludorum.search.tree import TreeFindings, TreeSearch
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum._core import Evaluation
    from ludorum.analysis.symmetry import Symmetries

# A goal that nothing is better than.
_BEST = 100.0
# How long it looks for the hardest of moves that are proved to be equal: in playouts, and as a part of the time left.
_HARDEST_PLAYOUTS, _HARDEST_PART = 10_000, 0.5


@dataclass(kw_only=True, repr=False)
class MCTS(TreeSettings):
    """Monte-Carlo tree search: plain UCT, unless options say otherwise (see `TreeSettings`).

    It thinks for `seconds`, or for a number of `playouts`, but never past the deadline; with neither, up to the
    deadline. A move that is proved to be best is made at once. What it learned is kept for the next move; with
    `ponder` it also goes on thinking while the others do. Where the engine has no part in the core, it plays like
    MonteCarlo.

    With `symmetries` it looks for those of the game in the start clock, if that is long enough; not with RAVE or a
    policy, which exclude them. What `prior_visits` and `cutoff` ask is the `plain` evaluation, goals that hold now and
    mobility; the `fuzzy` one, how true the goals are; or what `fluents` are worth, by how random matches end. Where a
    game has no circuit, or the time is too short to make the latter two, it is the plain one.

    With `factors` it looks for parts of the game that can be played each for its own sake, and searches each of them
    apart. A puzzle that is really several is solved by parts, if half of the time suffices, or half as many states as
    there are playouts. Not with an evaluation that is made for the game, which is one of the whole.
    """

    seconds: float | None = field(default=1.0, kw_only=False)
    playouts: int | None = None
    ponder: bool = False
    symmetries: bool = False
    factors: bool = False
    evaluation: Literal["plain", "fuzzy", "fluents"] = "plain"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seconds is not None and self.seconds < 0:
            raise ValueError(f"seconds cannot be {self.seconds}")
        if self.playouts is not None and self.playouts < 1:
            raise ValueError(f"playouts cannot be {self.playouts}")
        if self.evaluation not in ("plain", "fuzzy", "fluents"):
            raise ValueError(f"evaluation can be plain, fuzzy or fluents, not {self.evaluation!r}")
        #: Handed over by somebody, and made for the game that is played.
        self._given: Evaluation | None = None
        self._made: tuple[Game, Evaluation | None] | None = None
        self._symmetries: tuple[Game, Symmetries] | None = None
        self._search: TreeSearch | None = None
        self._apart: tuple[Game, ByParts | ByPlan | None] | None = None
        # The playouts of this search that were told of already.
        self._counted = 0
        self._thoughts: Thoughts | None = None

    @property
    def thoughts(self) -> Thoughts | None:
        return self._thoughts

    def prepare(self, game: Game, role: Role, deadline: Deadline) -> None:
        """Thinks about the first state until the deadline, if there is one."""
        if not isinstance(game.reasoner, Simulates) or game.initial.is_terminal:
            return
        apart = self._taking_apart(game, deadline)
        if apart is not None:
            if deadline.at is not None and self.playouts is None:
                apart.prepare(game, role, deadline.or_within(self.seconds).with_margin())
            return
        self._look_for_symmetries(game, deadline)
        search = self._searching(game, deadline)
        if deadline.at is not None and self.playouts is None and goes_on(game.initial):
            search.think(game.initial, deadline=deadline.or_within(self.seconds).with_margin())

    def move(self, state: State, role: str, deadline: Deadline = NEVER) -> Move:
        return self.move_within(state, role, deadline, self.playouts)

    def move_within(self, state: State, role: str, deadline: Deadline, work: int | None) -> Move:
        """A move after so many playouts; with None after so many seconds."""
        role = state.game.role(role)
        legal = state.legal(role)
        if not isinstance(state.game.reasoner, Simulates):
            limit = self._limit(deadline, work)
            return MonteCarlo(ALL_DAY, playouts=work, seed=self.seed).move(state, role, limit)
        begin = time.monotonic()
        # Who counts playouts has all the time to find out about the game.
        patience = deadline if work is not None else deadline.or_within(self.seconds)
        apart = self._taking_apart(state.game, patience)
        if apart is not None and len(legal) > 1:
            found = apart.move(state, role, self._limit(deadline, work), work)
            if found is not None:
                self._thoughts = replace(found.thoughts, seconds=time.monotonic() - begin)
                return found.move
            # It has had its part of the playouts; of the time it is known how much is left.
            work = None if work is None else max(1, work // 2)
        search = self._searching(state.game, patience)
        if len(legal) == 1:
            if self.ponder:
                search.look_at(state, deadline)
                search.begin()
            self._thoughts = Thoughts(method="the only move")
            return legal[0]
        deadline = self._limit(deadline, work)
        findings = search.think(state, playouts=work, deadline=deadline)
        move = findings.best(role)
        equals = findings.proved_best(role)
        if len(equals) > 1 and len(state.game.roles) > 1 and findings.lowest[role] < _BEST:
            move = self._hardest(findings, role, equals, deadline, work)
        self._thoughts = _thoughts(findings, role, findings.playouts - self._counted, time.monotonic() - begin)
        self._counted = findings.playouts
        if self.ponder:
            self._go_on(search, state, role, move)
        return move

    def _limit(self, deadline: Deadline, playouts: int | None) -> Deadline:
        """When to be done with a move."""
        seconds = None if playouts is not None else self.seconds
        if seconds is None and playouts is None and deadline.at is None:
            seconds = 1.0
        return deadline.with_margin().or_within(seconds)

    def evaluate_by(self, evaluation: Evaluation | None) -> None:
        """Takes an evaluation of the core, of the game that is played next, for `prior_visits` and `cutoff`."""
        self.finish()
        self._given = evaluation

    def _hardest(self, findings: TreeFindings, role: Role, moves: list[Move], deadline: Deadline,
                 work: int | None) -> Move:
        """Of moves that are proved to be equal and not to win, the one that looks best to those who do not see it.

        The others may not see it either.
        """
        part = None if deadline.at is None else _HARDEST_PART * deadline.remaining
        playouts = min(_HARDEST_PLAYOUTS, work or _HARDEST_PLAYOUTS)
        settings = replace(TreeSettings.of(self), proofs=False)
        search = TreeSearch(findings.state.game, settings, evaluation=self._evaluating(findings.state.game, deadline))
        looks = search.think(findings.state, playouts=playouts, deadline=deadline.or_within(part)).moves[role]
        return max(moves, key=lambda move: (looks[move].visits, findings.moves[role][move].visits))

    def finish(self) -> None:
        """Ends thinking on the others' time and forgets the tree."""
        if self._search is not None:
            self._search.halt()
        self._search = None
        if self._apart is not None and self._apart[1] is not None:
            self._apart[1].finish()

    def _go_on(self, search: TreeSearch, state: State, role: Role, move: Move) -> None:
        """Think on from where the move leads, if that is certain, else from where it is made."""
        if choosers(state) == [role]:
            later = state.after({role: move})
            if not goes_on(later):
                return
            search.look_at(later)
        search.begin()

    def _searching(self, game: Game, deadline: Deadline) -> TreeSearch:
        if self._search is None or self._search.game is not game:
            self.finish()
            known = self._symmetries
            self._search = TreeSearch(game, TreeSettings.of(self), evaluation=self._evaluating(game, deadline),
                                      symmetries=known[1] if known is not None and known[0] is game else None)
            self._counted = 0
        return self._search

    def _look_for_symmetries(self, game: Game, deadline: Deadline) -> None:
        if not self.symmetries or self.has_statistics or (self._symmetries and self._symmetries[0] is game):
            return
        found = symmetries_in_time(game, deadline)
        if found is not None:
            self.finish()
            self._symmetries = game, found

    def _taking_apart(self, game: Game, deadline: Deadline) -> ByParts | ByPlan | None:
        """Who plays the parts of a game; None if it is played as a whole."""
        if not self.factors or hides(game) or (self.needs_evaluation and (self._given or self.evaluation != "plain")):
            return None
        if self._apart is None or self._apart[0] is not game:
            self.finish()
            self._apart = game, self._players_of_parts(game, deadline)
        return self._apart[1]

    def _players_of_parts(self, game: Game, deadline: Deadline) -> ByParts | ByPlan | None:
        if len(game.roles) == 1:
            return ByPlan.of(game, deadline)
        parts = parts_in_time(game, deadline)
        if isinstance(parts, str):
            return None
        alone = replace(self, seconds=None, playouts=None, factors=False, symmetries=False)
        return ByParts(parts, [replace(alone) for _ in parts.games], lambda thoughts: thoughts.playouts)

    def _evaluating(self, game: Game, deadline: Deadline) -> Evaluation | None:
        """What the search is to ask; None is the plain evaluation."""
        if self._given is not None or self.evaluation == "plain" or not self.needs_evaluation:
            return self._given
        if self._made is None or self._made[0] is not game:
            make = worths_in_time if self.evaluation == "fluents" else evaluation_in_time
            made = make(game, deadline)
            self._made = game, None if isinstance(made, str) else made.core
        return self._made[1]

    def __repr__(self) -> str:
        plain = type(self)(seed=self.seed)
        said = {name: getattr(self, name) for name in (
            "seconds", "playouts", "ponder", "symmetries", "factors", "evaluation", *TreeSettings.__annotations__)}
        options = (f"{name}={value!r}" for name, value in said.items()
                   if name == "seed" or value != getattr(plain, name))
        return f"{type(self).__name__}({', '.join(options)})"


@dataclass(kw_only=True, repr=False)
class Cadia(MCTS):
    """Monte-Carlo tree search whose playouts choose by the mean results of moves (MAST), with the papers' best decay.

    At the same clock it is better than plain UCT in some games and worse in others. Sequences of moves (NST,
    `policy=nst,epsilon=0.2,decay=0.6`), which the papers found best, are stronger with the same number of playouts, but
    take so much longer than plain playouts here that they seldom pay.
    """

    policy: Literal["uniform", "mast", "nst"] = "mast"
    epsilon: float = 0.4
    decay: float = 0.2


def _thoughts(findings: TreeFindings, role: Role, playouts: int, seconds: float) -> Thoughts:
    moves = findings.moves[role]
    return Thoughts(
        visits={move: found.visits for move, found in moves.items()},
        values={move: found.lowest if found.is_proved else found.value for move, found in moves.items()},
        proved=frozenset(move for move, found in moves.items() if found.is_proved),
        principal_variation=findings.principal_variation, method="solved" if findings.is_solved else "tree search",
        playouts=playouts, states=findings.nodes, depth=findings.deepest, seconds=seconds)
