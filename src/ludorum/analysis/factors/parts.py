"""The parts of a game that is really several games, as games that can be played.

A part has its own fluents and those of the clock, and for every role one move for each thing that can be done to it.
The others are taken to say always the same about the end and the goals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ludorum._core import GateBuilder
from ludorum.analysis.factors.copying import Copying
from ludorum.analysis.factors.ending import Ending
from ludorum.analysis.factors.finding import Decomposition
from ludorum.circuit import Circuit, made_small
from ludorum.circuit.circuit import FALSE, TRUE, Literal, Wire
from ludorum.clock import Budget
from ludorum.engines.circuit import CircuitReasoner, Row
from ludorum.game import Game
from ludorum.move import Move, Role
from ludorum.state import State


@dataclass(frozen=True, slots=True)
class Scale:
    """A role's goals in a part begin at 0 instead of at `least`, and are so many times as large."""

    least: int
    times: int


@dataclass(frozen=True)
class Parts:
    """Games that together make a game, played all at once, each for its own sake."""

    whole: Game
    decomposition: Decomposition
    games: tuple[Game, ...]
    #: For every part and role what its goals were before they were made to begin at 0, and how often that was taken.
    scales: tuple[tuple[Scale, ...], ...]
    #: Where the goals of the game are sums of what the parts bring: what is to be added for every role.
    offsets: tuple[int, ...] | None

    def know(self, state: State) -> bool:
        """Whether the clock shows a time in a state that it can show; other states cannot be taken apart."""
        return self._clock(state) in self.decomposition.times

    def states(self, state: State) -> tuple[State, ...]:
        """What a state of the game is to each of the parts."""
        bits = _bits(state)
        clock = self.decomposition.factors.clock
        return tuple(State(game, _row(bits[sorted((*factor.fluents, *clock))]), step=state.step)
                     for game, factor in zip(self.games, self.decomposition.factors.factors, strict=True))

    def goal(self, role: Role, goals: Sequence[float]) -> float | None:
        """What a role's goals in the parts make in the game; None where they do not add up."""
        if self.offsets is None:
            return None
        seat = self.whole.roles.index(role)
        return self.offsets[seat] + sum(of_part[seat].least + goal / of_part[seat].times
                                        for of_part, goal in zip(self.scales, goals, strict=True))

    def move(self, state: State, role: Role, moves: Sequence[Move]) -> Move:
        """The move of the game that makes these moves of a role in the parts."""
        reasoner = _reasoner(self.whole)
        seat = self.whole.roles.index(role)
        time = self.decomposition.times.index(self._clock(state))
        options = self.decomposition.phases[time].options[seat]
        names = reasoner.moves[seat]
        chosen = [next(option for option in of_part if names[option.move] == move.term)
                  for of_part, move in zip(options, moves, strict=True)]
        return Move(names[min(frozenset.intersection(*(option.moves for option in chosen)))])

    def _clock(self, state: State) -> frozenset[int]:
        bits = _bits(state)
        return frozenset(number for number in self.decomposition.factors.clock if bits[number])


def parts(game: Game, decomposition: Decomposition, ending: Ending, budget: Budget | None = None) -> Parts:
    """The parts as games, made small as long as there is time. Requires: they are played all at once."""
    making = _Making(decomposition)
    made = [making.part(number, ending, budget or Budget()) for number in range(len(decomposition.factors.factors))]
    return Parts(game, decomposition,
                 tuple(game.with_circuit(circuit, name=f"part {number} of {game.name}")
                       for number, (circuit, _) in enumerate(made, start=1)),
                 tuple(scales for _, scales in made), ending.offsets)


class _Making:
    def __init__(self, decomposition: Decomposition) -> None:
        self._decomposition = decomposition
        self._cofactors = decomposition.cofactors
        self._circuit = decomposition.circuit
        starts = [self._circuit.first_move]
        for moves in self._circuit.moves:
            starts.append(starts[-1] + len(moves))
        self._starts = starts

    def part(self, part: int, ending: Ending, budget: Budget) -> tuple[Circuit, tuple[Scale, ...]]:
        """The circuit of a part, where the others say what they are taken to say, and the scales of its goals."""
        whole = self._circuit
        factors = self._decomposition.factors
        kept = sorted((*factors.factors[part].fluents, *factors.clock))
        moves = [self._moves(part, role) for role in range(len(whole.roles))]
        builder = GateBuilder(1 + len(kept) + sum(map(len, moves)))
        fluents = {1 + number: 2 * (1 + place) for place, number in enumerate(kept)}
        first = [1 + len(kept) + sum(map(len, moves[:role])) for role in range(len(moves))]
        copying = Copying(self._cofactors, builder, {**fluents, **self._does(moves, first)})
        becomes = tuple(copying.literal(self._plain(whole.next[number])) for number in kept)
        legal = tuple(tuple(self._legal(copying, builder, fluents, part, role, move) for move in moves[role])
                      for role in range(len(whole.roles)))
        # The end and each role's goals, where the others say something else to each of them.
        views = [Copying(self._cofactors, builder, {
            **fluents, **{wire: TRUE if truth else FALSE for wire, truth in frozen.items()}})
            for frozen in (ending.ends[part], *ending.goals[part])]
        terminal = views[0].literal(self._plain(whole.terminal))
        goals, scales = _scaled([[(value, view.literal(self._plain(of))) for value, of in goals]
                                 for view, goals in zip(views[1:], whole.goals, strict=True)])
        circuit = Circuit(
            roles=whole.roles, fluents=tuple(whole.fluents[number] for number in kept),
            moves=tuple(tuple(terms[move] for move in of_role)
                        for terms, of_role in zip(whole.moves, moves, strict=True)),
            initial=tuple(place for place, number in enumerate(kept) if number in whole.initial),
            gate_inputs=builder.gate_inputs, next=becomes, legal=legal,
            loops=tuple(loop for made in (copying, *views) for loop in made.loops), terminal=terminal, goals=goals,
            percepts=((),) * len(whole.roles))
        return made_small(circuit, None if budget.deadline.at is None else budget.deadline.remaining), scales

    # ---- moves ----

    def _moves(self, part: int, role: int) -> list[int]:
        """A move for everything that a role can do to a part at any time."""
        return sorted({option.move for phase in self._decomposition.phases for option in phase.options[role][part]})

    def _does(self, moves: Sequence[Sequence[int]], first: Sequence[Wire]) -> dict[Wire, Literal]:
        """What the old wires of moves are now: the new ones, which begin at a wire for every role, or false."""
        does: dict[Wire, Literal] = dict.fromkeys(range(self._starts[0], self._starts[-1]), FALSE)
        for role, of_role in enumerate(moves):
            does.update((self._starts[role] + move, 2 * (first[role] + place)) for place, move in enumerate(of_role))
        return does

    def _legal(self, copying: Copying, builder: GateBuilder, fluents: Mapping[Wire, Literal], part: int, role: int,
               move: int) -> Literal:
        """When a move can be made, as far as a part is concerned."""
        times: dict[tuple[Literal, ...], set[int]] = {}
        for time, phase in enumerate(self._decomposition.phases):
            for option in phase.options[role][part]:
                if option.move == move:
                    times.setdefault(option.condition, set()).add(time)
        return builder.any_of([
            builder.all_of([self._when(builder, fluents, at), *(copying.literal(literal) for literal in condition)])
            for condition, at in times.items()])

    def _when(self, builder: GateBuilder, fluents: Mapping[Wire, Literal], at: set[int]) -> Literal:
        """That the clock shows one of these times."""
        times = self._decomposition.times
        clock = self._decomposition.factors.clock
        if len(at) == len(times):
            return TRUE
        for number in clock:
            held = {time for time, shown in enumerate(times) if number in shown}
            if held == at or (len(held) + len(at) == len(times) and not held & at):
                return fluents[1 + number] ^ (held != at)
        return builder.any_of([
            builder.all_of([fluents[1 + number] ^ (number not in times[time]) for number in clock])
            for time in sorted(at)])

    def _plain(self, literal: Literal) -> Literal:
        return self._cofactors.plain[literal >> 1] ^ (literal & 1)


_Goals = tuple[tuple[int, Literal], ...]


def _scaled(goals: Sequence[Sequence[tuple[int, Literal]]]) -> tuple[tuple[_Goals, ...], tuple[Scale, ...]]:
    """Goals from 0 up, all roles' as many times as large as 100 allows, so that they are whole, and their sums too."""
    possible = [[(value, of) for value, of in of_role if of != FALSE] for of_role in goals]
    least = [min((value for value, _ in of_role), default=0) for of_role in possible]
    largest = max((value - low for of_role, low in zip(possible, least, strict=True) for value, _ in of_role),
                  default=0)
    times = 100 // largest if largest else 1
    return (tuple(tuple((times * (value - low), of) for value, of in of_role)
                  for of_role, low in zip(possible, least, strict=True)),
            tuple(Scale(low, times) for low in least))


def _reasoner(game: Game) -> CircuitReasoner:
    assert isinstance(game.reasoner, CircuitReasoner)
    return game.reasoner


def _bits(state: State) -> NDArray[np.uint8]:
    """The truths of all fluents of a state."""
    reasoner = _reasoner(state.game)
    return np.unpackbits(reasoner.row(cast(Row, state.position)).view(np.uint8), bitorder="little",
                         count=len(reasoner.circuit.fluents))


def _row(bits: NDArray[np.uint8]) -> Row:
    padded = np.zeros((len(bits) + 63) // 64 * 64, dtype=np.uint8)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").tobytes()
