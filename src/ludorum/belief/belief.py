"""The states that are possible for a role: all of them where they can be counted, else a sample.

In the literature: the exact set is a belief state (Åström 1965), the sample a particle filter (Gordon, Salmond, Smith
1993) that is restarted from the last exact set, as HyperPlay (Schofield, Cerexhe, Thielscher 2012) does from the start.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, overload

import numpy as np

from ludorum._core import ViewSimulator, thin_states
from ludorum.belief.stepping import CoreStepping, PlainStepping, Rows, Stepping, ViewStepping, Weights
from ludorum.belief.turn import Turn
from ludorum.clock import NEVER, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.engines.circuit import CircuitReasoner
from ludorum.errors import GameOver, IllegalMove, LudorumError, MissingMove, NoSimulator, TooLarge
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.grammar import agree
from ludorum.move import Move, MoveLike, Role, as_term, as_terms
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.belief.diagrams import StateDiagram

#: So many states are kept in the core before they become a sample, if their rows are not too long.
MOST_STATES = 2_000_000
#: And where the engine has no part in the core.
MOST_PLAIN_STATES = 500
# What the rows of such a set may take, in bytes.
_MOST_MEMORY = 256 << 20
# So many states a sample has, and joint moves are looked at in a turn: of an exact set, of a sample.
_SAMPLE, _PLAIN_SAMPLE = 20_000, 200
_MOST_TRIES, _MOST_PLAIN_TRIES = 100_000_000, 10_000
_SAMPLE_TRIES = 1_000_000
# A sample that has fewer than this part of its states left is filled up, by so many restarts.
_FEW, _RESTARTS = 0.25, 3
# Where all restarts lose the match, one state is looked for by going back, so many times.
_MOST_STEPS_BACK = 2_000
# The part of the time that an exact step may take before a sample does.
_EXACT_SHARE = 0.5
# So many states are asked for their legal moves: in a game that keeps to GDL-II a role knows them, so they all agree.
_MOST_ASKED = 100_000


class PossibleStates(Sequence[State]):
    """The states of a belief, made as they are asked for."""

    def __init__(self, game: Game, stepping: Stepping, rows: Rows, step: int) -> None:
        self._game, self._stepping, self._rows, self._step = game, stepping, rows, step

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> State: ...

    @overload
    def __getitem__(self, index: slice) -> PossibleStates: ...

    def __getitem__(self, index: int | slice) -> State | PossibleStates:
        if isinstance(index, slice):
            return PossibleStates(self._game, self._stepping, self._rows[index], self._step)
        return State(self._game, self._stepping.position(self._rows[index]), step=self._step)

    def __iter__(self) -> Iterator[State]:
        return (self[index] for index in range(len(self)))

    def __contains__(self, state: object) -> bool:
        if not isinstance(state, State) or not len(self._rows):
            return False
        if state.game is not self._game:
            return any(state == possible for possible in self)
        return self._stepping.holds(self._rows, state.position)

    def __repr__(self) -> str:
        return f"<{len(self)} possible {agree(len(self), 'state')} of {self._game.name}>"


class Belief:
    """The states that are possible for a role, weighted by how likely they are if the others play at random.

    `saw` and `perceived` tell it of a turn. Up to `most` states are kept, all that are possible; where there are more,
    or no time for them, they are a sample and `is_exact` is False. Both keep a deadline roughly: they go on until they
    have found one possible state, or know that there is none. The same seed makes the same sample if no deadline
    interferes.

    With `diagrams` all that are possible are counted even then, in a decision diagram beside the sample, if the package
    `dd` is installed and it does not become too large: `count`, `legal`, `is_terminal`, `knows_legal` and `knows_goal`
    are exact as long as `count` is not None.

    With `views` it also keeps what every role has seen: the same state is there once for each way in which somebody
    else may have come to it. Searches that ask what the others know take these; see `view_simulator`.
    """

    def __init__(self, game: Game, role: str, *, most: int | None = None, seed: int | None = None,
                 views: bool = False, diagrams: bool = False) -> None:
        self._game = game
        self._role = game.role(role)
        self._seat = game.roles.index(self._role)
        self._random = random.Random(seed)
        self._asked_most = most
        self._stepping: Stepping
        if views:
            if not isinstance(game.reasoner, Simulates):
                raise NoSimulator(f"the {game.engine} engine has no part in the core to keep views with")
            chance = game.roles.index(Role(RANDOM)) if RANDOM in game.roles else None
            self._stepping = ViewStepping(game.reasoner, game.initial.position, chance)
        elif isinstance(game.reasoner, Simulates):
            self._stepping = CoreStepping(game.reasoner, game.initial.position, self._seat)
        else:
            self._stepping = PlainStepping(game.reasoner)
        self._rows = self._stepping.row(game.initial.position)
        self._weights: Weights = np.ones(1)
        self._turns: list[Turn] = []
        # The last exact set, and after how many turns it was so; a sample can be made of it anew.
        self._reservoir: tuple[Rows, Weights, int] = (self._rows, self._weights, 0)
        self._diagram: StateDiagram | None = None
        self._may_draw = diagrams and isinstance(game.reasoner, CircuitReasoner)
        #: Whether these are all possible states, not a sample of them.
        self.is_exact = True
        #: Whether everything that was told can be true at once; if not, percepts that made no sense were ignored.
        self.is_consistent = True

    # ---- what is possible ----

    def __len__(self) -> int:
        """How many states are kept."""
        return len(self._rows)

    @property
    def count(self) -> int | None:
        """How many states are possible; None where only a sample is known."""
        if self._diagram is not None:
            return len(self._diagram)
        return len(self._rows) if self.is_exact else None

    @property
    def states(self) -> PossibleStates:
        """The possible states, or a sample of them."""
        return PossibleStates(self._game, self._stepping, self._rows, self.turns)

    @property
    def weights(self) -> Weights:
        """How likely each of the states is, in their order; the sum is 1."""
        return self._weights

    @property
    def turns(self) -> int:
        """How many turns were told."""
        return len(self._turns)

    @property
    def history(self) -> tuple[tuple[Move, frozenset[Term]], ...] | None:
        """The role's own moves and its percepts, turn by turn; None if moves were told, or percepts made no sense."""
        known = [(turn.moves[self._seat], turn.percepts) for turn in self._turns]
        found = tuple((Move(move), percepts) for move, percepts in known if move is not None and percepts is not None)
        return found if len(found) == len(known) else None

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over in every state that is kept."""
        if self._diagram is not None:
            return self._diagram.is_terminal
        return bool(self._stepping.terminal(self._rows).all())

    @property
    def legal(self) -> tuple[Move, ...]:
        """The moves of the role that are legal in all states kept; if there are none, those legal in the most."""
        if self._diagram is not None and (legal := self._diagram.legal):
            return tuple(Move(move) for move in sorted(legal, key=str))
        counts = self._stepping.legal(self._rows[:_MOST_ASKED], self._seat)
        most = max(counts.values(), default=0)
        return tuple(Move(move) for move, count in counts.items() if count == most)

    @property
    def knows_legal(self) -> bool:
        """Whether the legal moves of the role are the same in all states kept that are not terminal."""
        if self._diagram is not None:
            return self._diagram.knows_legal
        going = self._rows[~self._stepping.terminal(self._rows)]
        return set(self._stepping.legal(going, self._seat).values()) <= {len(going)}

    @property
    def knows_goal(self) -> bool:
        """Whether the goal of the role is the same in all states kept."""
        if self._diagram is not None:
            return self._diagram.knows_goal
        return len(set(self._stepping.goals(self._rows, self._seat))) == 1

    def sample(self) -> State:
        """One of the states, the likely more often."""
        return self.states[self._random.choices(range(len(self)), self._weights.tolist())[0] if len(self) > 1 else 0]

    def samples(self, count: int) -> list[tuple[State, float]]:
        """At most so many different states that stand for all, and how likely each is; the sum is 1."""
        rows, weights = self.thinned(count)
        states = PossibleStates(self._game, self._stepping, rows, self.turns)
        return [(state, float(weight)) for state, weight in zip(states, weights, strict=True)]

    @property
    def is_in_core(self) -> bool:
        """Whether the states are rows that the core's searches take."""
        return isinstance(self._stepping, CoreStepping)

    @property
    def view_simulator(self) -> ViewSimulator:
        """The core's game with views, whose rows `thinned` gives. Requires: `views`, and that the core has room."""
        if not isinstance(self._stepping, ViewStepping):
            raise NoSimulator(f"this belief about {self._game.name} keeps no views")
        return self._stepping.simulator

    def thinned(self, most: int) -> tuple[Rows, Weights]:
        """At most so many states that stand for all, as rows, and how likely each is."""
        if len(self) <= most:
            return self._rows, self._weights
        rows, weights = thin_states(self._rows, self._weights, most, self._seed())
        return rows, weights / weights.sum()

    def odds(self) -> dict[Term, float]:
        """For every fluent that may hold, how likely it does."""
        return self._stepping.odds(self._rows, self._weights)

    def after(self, move: MoveLike, percepts: Iterable[MoveLike], deadline: Deadline = NEVER) -> Belief:
        """What would be possible if the role made a move and were told percepts; this belief stays as it is."""
        later = copy(self)
        later._turns, later._diagram = list(self._turns), copy(self._diagram)
        later._random = random.Random(self._seed())
        later.perceived(move, percepts, deadline)
        return later

    # ---- what is told ----

    def saw(self, moves: Sequence[MoveLike | None], deadline: Deadline = NEVER) -> None:
        """Everybody's moves were told, in the order of the roles; None where one was not.

        Raises GameOver, MissingMove or IllegalMove if they cannot have been made, and then nothing has changed.
        """
        known = tuple(None if move is None else as_term(move) for move in moves)
        if (told := len(known)) != (roles := len(self._game.roles)):
            raise (MissingMove if told < roles else IllegalMove)(
                f"{told} {agree(told, 'move')} for the {roles} {agree(roles, 'role')} of {self._game.name}")
        self._take(Turn(self._seat, known, None), deadline)

    def perceived(self, move: MoveLike, percepts: Iterable[MoveLike], deadline: Deadline = NEVER) -> None:
        """The role's own move and its percepts were told.

        Raises GameOver or IllegalMove if it cannot have made the move. Percepts that cannot be are ignored.
        """
        own = as_term(move)
        known = tuple(own if seat == self._seat else None for seat in range(len(self._game.roles)))
        self._take(Turn(self._seat, known, frozenset(as_terms(percepts))), deadline)

    def _take(self, turn: Turn, deadline: Deadline) -> None:
        try:
            self._step(turn, deadline)
        except TooLarge:
            if isinstance(self._stepping, PlainStepping):
                raise
            self._leave_the_core()
            self._step(turn, deadline)

    def _step(self, turn: Turn, deadline: Deadline) -> None:
        is_consistent = self.is_consistent
        found = self._successors(turn, deadline)
        if not len(found[0]) and turn.percepts is not None:
            turn, is_consistent = turn.without_percepts, False
            found = self._successors(turn, deadline)
        if not len(found[0]):
            raise self._complaint(turn)
        rows, weights, is_exact = found
        if self.is_exact and not is_exact:
            self._reservoir = (self._rows, self._weights, self.turns)
        self._turns.append(turn)
        self._rows, self._weights = rows, weights / weights.sum()
        self.is_exact, self.is_consistent = is_exact, is_consistent
        if self.is_exact:
            self._reservoir = (self._rows, self._weights, self.turns)
        elif self._may_draw:
            self._draw(deadline)
        if not self.is_exact and len(rows) < _FEW * self._sample_size:
            self._fill_up(deadline)

    def _draw(self, deadline: Deadline) -> None:
        """Take the last turns into the diagram, or all of them into a new one."""
        from ludorum.belief.diagrams import StateDiagram, are_available

        assert isinstance(self._game.reasoner, CircuitReasoner)
        try:
            if self._diagram is not None:
                self._diagram.told(self._turns[-1], deadline)
            elif are_available():
                initial = self._stepping.row(self._game.initial.position)
                self._diagram = StateDiagram(self._game.reasoner, initial, self._seat)
                for turn in self._turns:
                    self._diagram.told(turn, deadline)
            else:
                self._may_draw = False
        except LudorumError:
            self._diagram, self._may_draw = None, False

    def _successors(self, turn: Turn, deadline: Deadline) -> tuple[Rows, Weights, bool]:
        """Where a turn leads from the states kept, and whether that is all."""
        if self.is_exact:
            rows, weights, is_all = self._stepping.advance(
                self._rows, self._weights, turn, most_states=self._most, most_tries=self._most_tries,
                deadline=deadline.part(_EXACT_SHARE))
            if is_all:
                return rows, weights, True
            start = thin_states(self._rows, self._weights, self._sample_size, self._seed())
        else:
            start = (self._rows, self._weights)
        rows, weights = self._sampled(*start, turn, self._sample_size, deadline.part(_EXACT_SHARE))
        if not len(rows):
            # The sample held none of the states that this comes from.
            rows, weights = self._restarted([*self._since_reservoir, turn], deadline)
        return rows, weights, False

    def _sampled(self, rows: Rows, weights: Weights, turn: Turn, most: int,
                 deadline: Deadline) -> tuple[Rows, Weights]:
        return self._stepping.sample(rows, weights, turn, most_states=most,
                                     most_tries=min(_SAMPLE_TRIES, self._most_tries), deadline=deadline,
                                     seed=self._seed())

    @property
    def _since_reservoir(self) -> list[Turn]:
        return [] if self.is_exact else self._turns[self._reservoir[2]:]

    def _restarted(self, turns: Sequence[Turn], deadline: Deadline) -> tuple[Rows, Weights]:
        """A new sample of what some turns lead to from the last exact set; empty only if nothing could be found.

        On the way it is as large as samples are at most, also where fewer states are to be kept: small ones die out.
        """
        exact_rows, exact_weights, _ = (self._rows, self._weights, 0) if self.is_exact else self._reservoir
        rows, weights = exact_rows[:0], exact_weights[:0]
        for left in range(_RESTARTS, 0, -1):
            rows, weights = thin_states(exact_rows, exact_weights, self._largest_sample, self._seed())
            for turn in turns:
                rows, weights = self._sampled(rows, weights, turn, self._largest_sample, deadline.part(1 / left))
                if not len(rows):
                    break
                weights = weights / weights.sum()
            if len(rows) or deadline.passed:
                break
        if not len(rows):
            rows, weights = self._searched(exact_rows, exact_weights, turns)
        return thin_states(rows, weights, self._sample_size, self._seed())

    def _searched(self, rows: Rows, weights: Weights, turns: Sequence[Turn]) -> tuple[Rows, Weights]:
        """Some state that turns lead to from others, looked for in depth: where one leads nowhere, another is tried."""
        order = self._random.sample(range(len(rows)), min(len(rows), self._sample_size))
        paths = [(rows[order], iter(range(len(order))))]
        for _ in range(_MOST_STEPS_BACK):
            if not paths:
                break
            level, numbers = paths[-1]
            if (number := next(numbers, None)) is None:
                paths.pop()
                continue
            found, sums = self._sampled(level[number : number + 1], np.ones(1), turns[len(paths) - 1],
                                        self._sample_size, NEVER)
            if not len(found):
                continue
            if len(paths) == len(turns):
                return found, sums
            paths.append((found, iter(self._random.sample(range(len(found)), len(found)))))
        return rows[:0], weights[:0]

    def _fill_up(self, deadline: Deadline) -> None:
        """More states beside those of the sample, each half counting as much as the other."""
        if deadline.passed:
            return
        rows, weights = self._restarted(self._since_reservoir, deadline)
        if len(rows):
            both = np.concatenate([self._rows, rows])
            sums = np.concatenate([self._weights, weights / weights.sum()])
            self._rows, kept = thin_states(both, sums, self._sample_size, self._seed())
            self._weights = kept / kept.sum()

    def _leave_the_core(self) -> None:
        """Go on state by state: the core has no room for the moves or percepts of this game."""
        core, plain = self._stepping, PlainStepping(self._game.reasoner)
        def moved(rows: Rows) -> Rows:
            return np.concatenate([plain.row(core.position(row)) for row in rows])

        self._stepping = plain
        rows, weights, turn = self._reservoir
        self._rows, self._reservoir = moved(self._rows), (moved(rows), weights, turn)

    # ---- limits ----

    @property
    def _most(self) -> int:
        if isinstance(self._stepping, PlainStepping):
            return self._asked_most or MOST_PLAIN_STATES
        return self._asked_most or min(MOST_STATES, _MOST_MEMORY // (8 * self._rows.shape[1] + 16))

    @property
    def _most_tries(self) -> int:
        return _MOST_PLAIN_TRIES if isinstance(self._stepping, PlainStepping) else _MOST_TRIES

    @property
    def _sample_size(self) -> int:
        return min(self._most, self._largest_sample)

    @property
    def _largest_sample(self) -> int:
        return _PLAIN_SAMPLE if isinstance(self._stepping, PlainStepping) else _SAMPLE

    def _seed(self) -> int:
        return self._random.getrandbits(62)

    # ---- in words ----

    def _complaint(self, turn: Turn) -> Exception:
        if self.is_terminal:
            return GameOver(f"{self._game.name} is over {self._when}")
        for seat, (role, move) in enumerate(zip(self._game.roles, turn.moves, strict=True)):
            if move is not None and move not in self._stepping.legal(self._rows, seat):
                state = self.states[0]
                return IllegalMove(f"{role} cannot play {move} in {state.describe()}; legal: {state.legal(role)}")
        return IllegalMove(f"these moves cannot be made together in {self._game.name} {self._when}")

    def __repr__(self) -> str:
        count = len(self)
        kind = agree(count, "state" if self.is_exact else "sampled state")
        return f"<Belief of {self._role} in {self._game.name}: {count} {kind} {self._when}>"

    @property
    def _when(self) -> str:
        return f"after {self.turns} {agree(self.turns, 'turn')}"
