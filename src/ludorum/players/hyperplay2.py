"""A player that tries its moves out in matches in which nobody sees more than it would be told.

In the literature: HyperPlay-II (Schofield, Cerexhe, Thielscher 2013), which values moves by imperfect-information
simulations: every role, this one included, plays as `HyperPlay` by its own percepts along the simulated match.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ludorum.clock import NEVER, Deadline, now
from ludorum.engines.abilities import IsCircuit, Simulates
from ludorum.errors import LudorumError
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.move import Move, Role
from ludorum.players.clocks import Clocks
from ludorum.players.hyperplay import HyperPlay
from ludorum.players.player import MovesOnce
from ludorum.players.search_info import SearchInfo
from ludorum.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludorum._core import Simulator
    from ludorum.belief import Belief
    from ludorum.belief.histories import Hypergame
    from ludorum.game import Game

# A simulation takes no more turns than this from where it begins, and a playout no more either.
_MOST_TURNS = 500
# So many states a belief holds before it is a sample; hypergames are drawn from it.
_MOST_STATES = 20_000


class HyperPlay2(MovesOnce):
    """Values each move by `n` simulations in each of `n` models of the match, in which all choose as `HyperPlay` does.

    In a simulation a role has `n` possible states and makes `n` playouts a move in each, drawn anew each time. Of moves
    that look alike it takes one whose simulations were over soonest, which the paper leaves open. It makes as many of
    the simulations as there is time for. Where the engine has no part in the core, it plays as `HyperPlay`.
    """

    def __init__(self, n: int = 4, *, seed: int | None = None) -> None:
        if n < 1:
            raise ValueError(f"it needs at least one model of the match, not {n}")
        self.n = n
        self.seed = seed

    def join(self, game: Game, role: str, clocks: Clocks | None = None) -> HyperPlaying2:
        return HyperPlaying2(self, game, game.role(role))

    def __repr__(self) -> str:
        return f"HyperPlay2(n={self.n}, seed={self.seed})"


@dataclass
class _View:
    """What a role has done and been told in a simulation, and what may be so then."""

    belief: Belief
    later: dict[tuple[int, bytes], _View] = field(default_factory=dict)


class HyperPlaying2:
    """A match of `HyperPlay2`."""

    def __init__(self, player: HyperPlay2, game: Game, role: Role) -> None:
        self._player = player
        self._game = game
        self._role = role
        self._seat = game.roles.index(role)
        self._random = random.Random(player.seed)
        self._old = HyperPlay(player.n, seed=player.seed).join(game, role)
        self._info: SearchInfo | None = None

    @property
    def info(self) -> SearchInfo | None:
        return self._info

    def prepare(self, deadline: Deadline) -> None:
        """Nothing to do."""

    def finish(self) -> None:
        """Nothing goes on."""

    def move(self, state: State, deadline: Deadline = NEVER) -> Move:
        """A move in a state that is seen, which is no matter of knowledge."""
        made = self._old.move(state, deadline)
        self._info = self._old.info
        return made

    def move_in_doubt(self, belief: Belief, deadline: Deadline) -> Move:
        """The move that brings most on average where all go by what they know; of those alike who is soonest over."""
        legal = belief.legal
        if not legal:
            raise LudorumError(f"{self._role} has no legal move")
        history = belief.history
        if history is None or not belief.is_in_core:
            made = self._old.move_in_doubt(belief, deadline)
            self._info = self._old.info
            return made
        begin = now()
        values, turns, simulations = self._values(history, legal, deadline)
        self._info = SearchInfo(values=values, method=f"hyperplay2, {simulations} simulations", playouts=simulations,
                                seconds=now() - begin)
        best = max(((values[move], -turns[move]) for move in values), default=None)
        return self._random.choice([move for move in values if (values[move], -turns[move]) == best] or list(legal))

    def _values(self, history: tuple[tuple[Move, frozenset[Term]], ...], legal: tuple[Move, ...],
                deadline: Deadline) -> tuple[dict[Move, float], dict[Move, float], int]:
        """What each move brings on average, after how many turns, and how many simulations that is known of."""
        from ludorum.belief.histories import Histories

        n = self._player.n
        models = Histories(self._game, self._role, seed=self._random.getrandbits(62))
        # What is possible for the others is remembered from one model to the next: many begin alike.
        simulations = _Simulations(self._game, n, self._random)
        sums, turns, weights, made = dict.fromkeys(legal, 0.0), dict.fromkeys(legal, 0.0), 0.0, 0
        for _ in range(n):
            model = models.draw(history)
            if model is None or (made and deadline.passed):
                break
            views = simulations.views(model)
            weights += model.weight
            for move in legal:
                number = simulations.number(self._seat, move)
                for _ in range(n):
                    goal, length = simulations.play(model.rows[-1], views, self._seat, number)
                    sums[move] += model.weight * goal / n
                    turns[move] += model.weight * length / n
                    made += 1
        if not weights:
            return {}, {}, made
        return ({move: total / weights for move, total in sums.items()},
                {move: total / weights for move, total in turns.items()}, made)


class _Simulations:
    """Imperfect-information simulations of one move choice."""

    def __init__(self, game: Game, n: int, chance: random.Random) -> None:
        assert isinstance(game.reasoner, Simulates)
        import numpy as np

        from ludorum.belief import Belief

        self._n, self._random, self._drawing = n, chance, np.random.default_rng(chance.getrandbits(62))
        self._roles = game.roles
        self._reasoner = game.reasoner
        self._simulator: Simulator = game.reasoner.simulator(game.initial.position)
        self._counts = self._simulator.move_counts
        self._start = {seat: _View(Belief(game, role, most=_MOST_STATES, seed=chance.getrandbits(62)))
                       for seat, role in enumerate(game.roles) if role != RANDOM}

    def number(self, seat: int, move: Move) -> int:
        number = self._reasoner.move_number(seat, move.term)
        assert number is not None
        return number

    def views(self, model: Hypergame) -> dict[int, _View]:
        """What every role has seen in a model of the match."""
        views = dict(self._start)
        for joint, told in zip(model.joints, model.percepts, strict=True):
            views = {seat: self._later(seat, view, joint[seat], told) for seat, view in views.items()}
        return views

    def play(self, row: NDArray[np.uint64], views: dict[int, _View], seat: int, first: int) -> tuple[float, int]:
        """What a role gets in one simulation that begins with a move of its own, and after how many turns."""
        forced: int | None = first
        row = row.reshape(1, -1)
        for turn in range(_MOST_TURNS + 1):
            terminal, legal = self._simulator.terminal_and_legal(row)
            moves = self._moves(legal[0])
            if terminal[0] or not all(moves) or turn == _MOST_TURNS:
                break
            joint = self._joint(moves, views, seat, forced)
            forced = None
            told = self._simulator.percepts(row, joint)[0]
            row = self._simulator.step(row, joint)
            views = {other: self._later(other, view, int(joint[0, other]), told) for other, view in views.items()}
        return max(0.0, float(self._simulator.goals(row)[0, seat])), turn

    def _joint(self, moves: list[list[int]], views: dict[int, _View], seat: int,
               forced: int | None) -> NDArray[np.uint32]:
        import numpy as np

        joint = []
        for other, of_role in enumerate(moves):
            if other == seat and forced is not None:
                joint.append(forced)
            elif len(of_role) == 1 or other not in views:
                joint.append(self._random.choice(of_role))
            else:
                values = self._hyperplay(other, views[other])
                best = max(values.get(move, 0.0) for move in of_role)
                joint.append(self._random.choice([move for move in of_role if values.get(move, 0.0) == best]))
        return np.array([joint], dtype=np.uint32)

    def _later(self, seat: int, view: _View, move: int, told: NDArray[np.uint64]) -> _View:
        percepts = self._reasoner.percept_row(seat, self._reasoner.percept_terms(seat, told))
        assert percepts is not None
        key = (move, percepts.tobytes())
        if key not in view.later:
            known = self._reasoner.percept_terms(seat, told)
            view.later[key] = _View(view.belief.after(self._reasoner.moves[seat][move], known))
        return view.later[key]

    def _hyperplay(self, seat: int, view: _View) -> dict[int, float]:
        """What `HyperPlay` finds the moves of a role worth by what it knows."""
        import numpy as np

        rows, weights = view.belief.thinned(self._n)
        terminal, legal = self._simulator.terminal_and_legal(np.ascontiguousarray(rows))
        starts, joints, shares, owners = [], [], [], []
        for number in range(len(rows)):
            moves = self._moves(legal[number])
            if terminal[number] or not all(moves):
                continue
            own = np.repeat(moves[seat], self._n)
            starts.append(np.full(len(own), number))
            joints.append(np.stack([own if other == seat else self._drawing.choice(of_role, len(own))
                                    for other, of_role in enumerate(moves)], axis=1))
            shares.append(np.full(len(own), weights[number] / self._n))
            owners.append(own)
        if not starts:
            # For all it knows the game is over.
            return {}
        later = self._simulator.step(rows[np.concatenate(starts)], np.concatenate(joints).astype(np.uint32))
        goals = np.nan_to_num(self._ends(later)[:, seat])
        made = np.concatenate(owners)
        sums = np.bincount(made, np.concatenate(shares) * goals)
        return {move: float(sums[move]) for move in np.unique(made).tolist()}

    def _ends(self, rows: NDArray[np.uint64]) -> NDArray[np.floating]:
        """What one random match from each of some states brings every role."""
        import numpy as np

        if isinstance(self._reasoner, IsCircuit):
            return self._simulator.mean_outcomes(rows, 1, self._random.getrandbits(62), _MOST_TURNS, 1e6)
        ends = [self._simulator.playouts(row, 1, self._random.getrandbits(62), 1, _MOST_TURNS, 0)[0][0] for row in rows]
        return np.maximum(np.array(ends, dtype=np.float64), 0)

    def _moves(self, legal: NDArray[np.uint64]) -> list[list[int]]:
        """For every role the numbers of its legal moves."""
        import numpy as np

        bits = np.flatnonzero(np.unpackbits(legal.view(np.uint8), bitorder="little")).tolist()
        found: list[list[int]] = []
        first = 0
        for count in self._counts:
            found.append([bit - first for bit in bits if first <= bit < first + count])
            first += count
        return found
