"""What a role can know of the state: every state that agrees with its own moves and with what it was told.

In GDL-I a role is told every move, and there is one such state. In GDL-II it is told percepts, and there may be many.
They are kept exactly up to a limit. Past it a random sample of them is, which is filled up by playing whole matches
from the start that agree with everything so far, as HyperPlay does.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ludorum.clock import NEVER, Deadline
from ludorum.errors import GameOver, IllegalMove, MissingMove
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.grammar import agree
from ludorum.move import Move, MoveLike, as_term, as_terms
from ludorum.reason.protocol import Position
from ludorum.state import State

#: So many states are kept.
MOST_STATES = 500
# So many successors are looked at in one step, which takes about a second.
_MOST_TRIED = 10_000
# So many are asked which moves are legal.
_MOST_ASKED = 64
# Where there are more joint moves than this, drawing some is cheaper than putting all in a random order.
_MOST_SHUFFLED = 1_000


def hides(game: Game) -> bool:
    """Whether players are told percepts instead of each other's moves: the rules have `sees` or the role random."""
    return RANDOM in game.roles or any(rule.head.name == "sees" for rule in game.rules.rules)


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is known of a turn: the moves of the roles, None where unknown, and percepts if any were told."""

    moves: tuple[Term | None, ...]
    percepts: frozenset[Term] | None


@dataclass(slots=True)
class _Tries:
    """How many successors may still be looked at."""

    left: int


class Belief:
    """The states that are possible for a role, weighted by how likely they are if the others play at random.

    `saw` and `perceived` tell it of a turn. Both keep a deadline roughly: they go on until they have found one possible
    state, or know that there is none. The same seed makes the same sample if no deadline interferes.
    """

    def __init__(self, game: Game, role: str, *, most: int = MOST_STATES, seed: int | None = None) -> None:
        self._game = game
        self._role = game.role(role)
        self._seat = game.roles.index(self._role)
        self._most = most
        self._random = random.Random(seed)
        self._turns: list[_Turn] = []
        self._likely: dict[Position, tuple[State, float]] = {game.initial.position: (game.initial, 1.0)}
        #: Whether these are all possible states, not a sample of them.
        self.is_exact = True
        #: Whether everything that was told can be true at once; if not, percepts that made no sense were ignored.
        self.is_consistent = True

    @property
    def states(self) -> tuple[State, ...]:
        """The possible states, or a sample of them."""
        return tuple(state for state, _ in self._likely.values())

    @property
    def turns(self) -> int:
        """How many turns were told."""
        return len(self._turns)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over in every state that is kept."""
        return all(state.is_terminal for state in self.states)

    @property
    def legal(self) -> tuple[Move, ...]:
        """The moves of the role that are legal in all states kept; if there are none, those legal in the most.

        Of many states some are asked: in a game that keeps to GDL-II a role knows its moves, so they all agree.
        """
        counts: dict[Move, int] = {}
        for state in self.states[:_MOST_ASKED]:
            for move in state.legal(self._role):
                counts[move] = counts.get(move, 0) + 1
        most = max(counts.values(), default=0)
        return tuple(move for move, count in counts.items() if count == most)

    def sample(self) -> State:
        """One of the states, the likely more often."""
        kept = list(self._likely.values())
        if len(kept) == 1:
            return kept[0][0]
        return self._random.choices([state for state, _ in kept], [weight for _, weight in kept])[0]

    def saw(self, moves: Sequence[MoveLike | None], deadline: Deadline = NEVER) -> None:
        """Everybody's moves were told, in the order of the roles; None where one was not.

        Raises GameOver, MissingMove or IllegalMove if they cannot have been made, and then nothing has changed.
        """
        known = tuple(None if move is None else as_term(move) for move in moves)
        if (told := len(known)) != (roles := len(self._game.roles)):
            raise (MissingMove if told < roles else IllegalMove)(
                f"{told} {agree(told, 'move')} for the {roles} {agree(roles, 'role')} of {self._game.name}")
        self._step(_Turn(known, None), deadline)

    def perceived(self, move: MoveLike, percepts: Iterable[MoveLike], deadline: Deadline = NEVER) -> None:
        """The role's own move and its percepts were told.

        Raises GameOver or IllegalMove if it cannot have made the move. Percepts that cannot be are ignored.
        """
        own = as_term(move)
        known = tuple(own if seat == self._seat else None for seat in range(len(self._game.roles)))
        self._step(_Turn(known, frozenset(as_terms(percepts))), deadline)

    def _step(self, turn: _Turn, deadline: Deadline) -> None:
        is_possible = any(_possible(state, turn) for state in self.states)
        if self.is_exact and not is_possible:
            raise self._complaint(turn)
        found = self._successors(turn, deadline)
        if not found and not self.is_exact:
            # The sample held none of the states that this comes from.
            found = self._replayed([*self._turns, turn], deadline, at_least=1)
        if not found and not is_possible:
            raise self._complaint(turn)
        if not found:
            self.is_consistent = False
            turn = _Turn(turn.moves, None)
            found = self._successors(turn, deadline)
        self._turns.append(turn)
        # Weights are relative to their mean, which those that come from replaying get.
        mean = sum(weight for _, weight in found.values()) / len(found)
        self._likely = {position: (state, weight / mean) for position, (state, weight) in found.items()}
        if not self.is_exact and len(found) < self._most // 4:
            self._likely = {**self._replayed(self._turns, deadline, at_least=0), **self._likely}

    def _successors(self, turn: _Turn, deadline: Deadline) -> dict[Position, tuple[State, float]]:
        """Where a turn may have led to from the states kept."""
        found: dict[Position, tuple[State, float]] = {}
        kept = list(self._likely.values())
        # In any order, in case time ends before the last.
        self._random.shuffle(kept)
        each = max(1, _MOST_TRIED // len(kept))
        for state, weight in kept:
            if found and deadline.passed:
                self.is_exact = False
                break
            choices = _choices(state, turn)
            ways = prod(map(len, choices))
            self.is_exact &= ways <= each
            for successor in self._consistent(state, choices, turn.percepts, _Tries(each)):
                likely = weight / ways
                known = found.get(successor.position)
                found[successor.position] = (successor, likely + known[1] if known else likely)
        if len(found) <= self._most:
            return found
        self.is_exact = False
        return self._thinned(found)

    def _thinned(self, found: dict[Position, tuple[State, float]]) -> dict[Position, tuple[State, float]]:
        """A sample without repetition, by weight; those in it are alike likely."""
        # Relative to the largest: very small ones would all be drawn alike.
        largest = max(weight for _, weight in found.values())
        keys = {position: self._random.random() ** (largest / weight) for position, (_, weight) in found.items()}
        chosen = sorted(keys, key=keys.__getitem__, reverse=True)[:self._most]
        return {position: (found[position][0], 1.0) for position in chosen}

    def _replayed(self, turns: Sequence[_Turn], deadline: Deadline, *,
                  at_least: int) -> dict[Position, tuple[State, float]]:
        """States that whole matches lead to which agree with everything told, found by going back and trying again."""
        found: dict[Position, tuple[State, float]] = {}
        tries = _Tries(_MOST_TRIED)
        def paths_from(state: State, turn: _Turn) -> Iterator[State]:
            return self._consistent(state, _choices(state, turn), turn.percepts, tries)

        paths = [paths_from(self._game.initial, turns[0])]
        while paths and len(found) < self._most and not (len(found) >= at_least and deadline.passed):
            successor = next(paths[-1], None)
            if successor is None:
                paths.pop()
            elif len(paths) == len(turns):
                found.setdefault(successor.position, (successor, 1.0))
                # Again from the start, so that the next one is unlike this one.
                paths = [paths_from(self._game.initial, turns[0])]
            else:
                paths.append(paths_from(successor, turns[len(paths)]))
        return found

    def _consistent(self, state: State, choices: list[list[Term]], percepts: frozenset[Term] | None,
                    tries: _Tries) -> Iterator[State]:
        """The successors by these moves that explain the percepts, in any order, while there are tries."""
        reasoner = self._game.reasoner
        step = None if state.step is None else state.step + 1
        for joint in self._joints(choices, tries.left):
            if not tries.left:
                return
            tries.left -= 1
            if percepts is None or reasoner.percepts(state.position, joint)[self._seat] == percepts:
                yield State(self._game, reasoner.after(state.position, joint), step=step,
                            arrival=(state.position, joint))

    def _joints(self, choices: list[list[Term]], most: int) -> Iterator[tuple[Term, ...]]:
        """The joint moves in a random order; where there are too many, `most` that are drawn."""
        ways = prod(map(len, choices))
        if ways <= min(most, _MOST_SHUFFLED):
            joints = list(product(*choices))
            self._random.shuffle(joints)
            yield from joints
        elif ways <= most:
            yield from product(*choices)
        else:
            for _ in range(most if ways else 0):
                yield tuple(map(self._random.choice, choices))

    def _complaint(self, turn: _Turn) -> Exception:
        if self.is_terminal:
            return GameOver(f"{self._game.name} is over {self._when}")
        for role, move in zip(self._game.roles, turn.moves, strict=True):
            if move is not None and all(move not in state.legal(role) for state in self.states):
                state = self.states[0]
                return IllegalMove(f"{role} cannot play {move} in {state.place}; legal: {state.legal(role)}")
        return IllegalMove(f"these moves cannot be made together in {self._game.name} {self._when}")

    def __repr__(self) -> str:
        count = len(self._likely)
        kind = agree(count, "state" if self.is_exact else "sampled state")
        return f"<Belief of {self._role} in {self._game.name}: {count} {kind} {self._when}>"

    @property
    def _when(self) -> str:
        return f"after {self.turns} {agree(self.turns, 'turn')}"


def _possible(state: State, turn: _Turn) -> bool:
    return all(_choices(state, turn))


def _choices(state: State, turn: _Turn) -> list[list[Term]]:
    """For every role the moves that it may have made; none if the game is over."""
    if state.is_terminal:
        return [[] for _ in turn.moves]
    legal = [[move.term for move in state.legal(role)] for role in state.game.roles]
    return [moves if told is None else [told] if told in moves else []
            for moves, told in zip(legal, turn.moves, strict=True)]
