"""All information sets of a small game, and what plans are worth there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ludorum._core import InformationTree
from ludorum.belief import Belief
from ludorum.engines.abilities import Simulates
from ludorum.errors import NoSimulator, TooLarge, UninformedRole
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.grammar import agree
from ludorum.move import Move, Role
from ludorum.state import State

#: For every player a number for each of its sequences: how likely it does all of it if the others let it.
Plans = Sequence[NDArray[np.float64]]

#: What a role has done and been told, turn by turn.
History = tuple[tuple[Move, frozenset[Term]], ...]

#: So many nodes a tree may have; they take some hundred bytes each.
MOST_NODES = 3_000_000


@dataclass(frozen=True, slots=True)
class InformationSet:
    """What a role has done and been told so far, turn by turn, and what it can do now."""

    role: Role
    history: History
    moves: tuple[Move, ...]

    def __str__(self) -> str:
        """The percepts and those own moves that are not `noop`, in order."""
        parts = []
        for move, percepts in self.history:
            if str(move) != "noop":
                parts.append(f"played {move}")
            parts += sorted(map(str, percepts))
        return ", ".join(parts) or "nothing yet"


class GameTree:
    """A game with all its information sets. The role random is no player: it chooses uniformly."""

    def __init__(self, game: Game, core: InformationTree) -> None:
        self.game = game
        self.core = core
        self.players: tuple[Role, ...] = tuple(game.roles[role] for role in core.roles)
        self._information_sets, self._turn = cache(self._made), cache(self._turn_made)

    @classmethod
    def grow(cls, game: Game, *, nodes: int = MOST_NODES, seconds: float = 1e8, state: State | None = None,
             cuts: bool = False) -> GameTree:
        """The whole tree of a game from its beginning, or from a state that everybody knows.

        With `cuts` it ends where it is common knowledge what can follow; see `staged`.
        Raises TooLarge, with how far it came, UninformedRole if somebody is not told enough to know its legal moves,
        and NoSimulator if the game's engine has no part in the core.
        """
        if not isinstance(game.reasoner, Simulates):
            raise NoSimulator(f"the {game.engine} engine has no part in the core to solve {game.name} with")
        chance = game.roles.index(Role(RANDOM)) if RANDOM in game.roles else None
        initial = game.initial.position if state is None else state.position
        simulator, row = game.reasoner.simulator(initial), game.reasoner.row(initial)
        core = InformationTree.grow(simulator, row, chance, nodes, seconds, cuts)
        if core.uninformed is not None:
            raise UninformedRole(f"{game.roles[core.uninformed]} is told too little in {game.name} to know its legal "
                                 f"moves after {core.layers - 1} {agree(core.layers - 1, 'turn')}")
        if not core.is_whole:
            raise TooLarge(f"{game.name} is too large to solve: {core.nodes} nodes in its first {core.layers} turns")
        return cls(game, core)

    def information_sets(self, role: str) -> tuple[InformationSet, ...]:
        """Where a role has a choice, each after those it follows from."""
        return self._information_sets(self.game.role(role))

    def _made(self, role: Role) -> tuple[InformationSet, ...]:
        assert isinstance(self.game.reasoner, Simulates)
        player, terms = self.players.index(role), self.game.reasoner.moves[self.game.roles.index(role)]
        numbers = self.core.moves(player)
        return tuple(InformationSet(role, self.history(role, view),
                                    tuple(Move(terms[n]) for n in numbers[first : first + count]))
                     for _, first, count, view in self.core.sets(player).tolist())

    def history(self, role: Role, view: int) -> History:
        """What a role has done and been told by then, by the number that the core gives to that."""
        return tuple(self._turn(role, move, tuple(row))
                     for move, row in self.core.history(self.players.index(role), view))

    def _turn_made(self, role: Role, move: int, row: tuple[int, ...]) -> tuple[Move, frozenset[Term]]:
        assert isinstance(self.game.reasoner, Simulates)
        seat, reasoner = self.game.roles.index(role), self.game.reasoner
        return Move(reasoner.moves[seat][move]), reasoner.percept_terms(seat, np.array(row, dtype=np.uint64))

    # ---- plans ----

    def uniform(self) -> Plans:
        """Every role plays every move as likely as every other."""
        return [self.core.uniform(player) for player in range(len(self.players))]

    def values(self, plans: Plans) -> dict[Role, float]:
        """What every player gets on average."""
        return dict(zip(self.players, self.core.values(list(plans)), strict=True))

    def best_replies(self, plans: Plans) -> dict[Role, float]:
        """What every player would get on average if it alone did what is best against the others' plans."""
        return {role: self.core.best_reply(player, list(plans))[0] for player, role in enumerate(self.players)}

    def nash_conv(self, plans: Plans) -> float:
        """How much all players together would gain if each alone changed to a best reply; 0 in an equilibrium."""
        values = self.values(plans)
        return sum(best - values[role] for role, best in self.best_replies(plans).items())

    def reach(self, role: str, plan: NDArray[np.float64]) -> NDArray[np.float64]:
        """How likely the own moves of a role lead to each of its information sets, if the others let it."""
        parents = self.core.sets(self.players.index(self.game.role(role)))[:, 0]
        return np.where(plan[parents] > 1e-12, plan[parents], 0.0)

    def choices(self, role: str, plan: NDArray[np.float64]) -> list[dict[Move, float]]:
        """The probabilities of the moves at every information set of a role; uniform where its plan never comes."""
        player = self.players.index(self.game.role(role))
        found = []
        for info, (parent, first, count, _) in zip(self.information_sets(role), self.core.sets(player).tolist(),
                                                   strict=True):
            reach = plan[parent]
            parts = plan[first : first + count] / reach if reach > 1e-12 else np.full(count, 1 / count)
            found.append(dict(zip(info.moves, parts.tolist(), strict=True)))
        return found

    def plan(self, role: str, choose: Callable[[InformationSet], dict[Move, float]]) -> NDArray[np.float64]:
        """The plan of somebody who says at every information set how likely each move is."""
        player = self.players.index(self.game.role(role))
        plan = np.zeros(len(self.core.moves(player)))
        plan[0] = 1
        for info, (parent, first, _, _) in zip(self.information_sets(role), self.core.sets(player).tolist(),
                                               strict=True):
            chosen = choose(info)
            for number, move in enumerate(info.moves):
                plan[first + number] = plan[parent] * chosen.get(move, 0.0)
        return plan

    def belief(self, info: InformationSet) -> Belief:
        """What is possible at an information set, if the others play at random."""
        belief = Belief(self.game, info.role, seed=0)
        for move, percepts in info.history:
            belief.perceived(move, percepts)
        return belief

    def __repr__(self) -> str:
        counts = ", ".join(f"{role} {len(self.core.sets(player))}" for player, role in enumerate(self.players))
        return f"<GameTree of {self.game.name}: {self.core.nodes} nodes; information sets: {counts}>"
