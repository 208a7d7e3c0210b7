"""Moves that change nothing and tell nobody anything, found from what is known of every turn and left out of search.

In the market of a sealed-bid auction a bid is legal at any time, and heard at one: before and after it, all bids come
to the same as silence. What is known of a turn is what holds whatever was played; there two moves are alike if they are
inputs of the same gates that are not known yet. This finds fewer than there are, but none that are not.

In the literature: ternary simulation (Bryant 1987).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal
from ludorum.clock import Budget
from ludorum.findings import Slot
from ludorum.game import Game

# Fluents, moves and gates are false, true, or may be either.
_NO, _YES, _OPEN = 0, 1, 2
# Of longer games nothing is left out; with more gates, following what is known takes too long.
_MOST_TURNS, _MOST_GATES = 256, 200_000

_PRUNED: Slot[Game] = Slot("game without idle moves")


@dataclass(frozen=True, slots=True)
class IdleMoves:
    """Where these fluents hold and those do not, these moves of the roles, by number, are as good as another one."""

    held: tuple[int, ...]
    absent: tuple[int, ...]
    moves: tuple[frozenset[int], ...]


def without_idle_moves(game: Game) -> Game:
    """The same game where of moves that come to the same only one is legal; the game itself if there are none.

    Its states, percepts and goals are those of the game. A game without a circuit is left as it is.
    """
    if game.engine != "circuit":
        return game

    def look(_: object) -> tuple[Game, bool]:
        found = idle_moves(game.circuit)
        return (game.with_circuit(_pruned(game.circuit, found), name=game.name) if found else game), True

    return game.findings.find(_PRUNED, Budget(), look)


def idle_moves(circuit: Circuit) -> list[IdleMoves]:
    """All that is idle at some turn of every match."""
    if circuit.gates > _MOST_GATES:
        return []
    turns = list(_turns(circuit))
    if not turns:
        return []
    clock = [fluent for fluent in range(len(circuit.fluents)) if all(turn[1 + fluent] != _OPEN for turn in turns)]
    by_time: dict[tuple[int, ...], list[tuple[frozenset[int], ...]]] = defaultdict(list)
    for turn in turns:
        by_time[tuple(turn[1 + fluent] for fluent in clock)].append(_idle(circuit, turn))
    # Only what tells one time from another is worth asking for.
    telling = [number for number in range(len(clock)) if len({time[number] for time in by_time}) > 1]
    found = []
    for time, of_turns in by_time.items():
        moves = tuple(frozenset.intersection(*role) for role in zip(*of_turns, strict=True))
        if any(moves):
            found.append(IdleMoves(tuple(clock[n] for n in telling if time[n] == _YES),
                                   tuple(clock[n] for n in telling if time[n] == _NO), moves))
    return found


def turns_of(circuit: Circuit) -> list[list[list[int]]]:
    """Turn by turn, for every role the numbers of the moves that may be legal; none if that is not known for ever."""
    found = []
    for values in _turns(circuit):
        found.append([[number for number, may in enumerate(legal) if _value(values, may) != _NO]
                      for legal in circuit.legal])
    return found


def _turns(circuit: Circuit) -> Iterator[list[int]]:
    """What is known of all wires, turn by turn, while the game may go on; nothing if that never ends."""
    held = frozenset(circuit.initial)
    state = tuple(_YES if fluent in held else _NO for fluent in range(len(circuit.fluents)))
    seen: set[tuple[int, ...]] = set()
    turns = []
    while state not in seen:
        if len(seen) == _MOST_TURNS:
            return
        seen.add(state)
        values = _evaluated(circuit, state)
        if _value(values, circuit.terminal) == _YES:
            break
        turns.append(values)
        state = tuple(_value(values, literal) for literal in circuit.next)
    yield from turns


def _evaluated(circuit: Circuit, state: Sequence[int]) -> list[int]:
    values = [_NO, *state, *([_OPEN] * (circuit.first_gate - circuit.first_move))]
    loops = {loop.wire for loop in circuit.loops}
    for wire, inputs in enumerate(circuit.gate_inputs, start=circuit.first_gate):
        if wire in loops:
            values.append(_OPEN)
            continue
        value = _YES
        for literal in inputs:
            part = _value(values, literal)
            if part == _NO:
                value = _NO
                break
            if part == _OPEN:
                value = _OPEN
        values.append(value)
    return values


def _value(values: Sequence[int], literal: Literal) -> int:
    value = values[literal >> 1]
    return value if value == _OPEN else value ^ (literal & 1)


def _idle(circuit: Circuit, values: Sequence[int]) -> tuple[frozenset[int], ...]:
    """By role the moves that another one, which is legal in any case, stands for."""
    uses = _uses(circuit, values)
    found, wire = [], circuit.first_move
    for legal in circuit.legal:
        alike: dict[tuple[tuple[int, int, int], ...], list[int]] = defaultdict(list)
        for number in range(len(legal)):
            # What may be legal or not says something by being so.
            if _value(values, legal[number]) == _YES:
                alike[tuple(sorted(uses.get(wire + number, ())))].append(number)
        idle: set[int] = set()
        for numbers in alike.values():
            # Rather what may be done at any time.
            kept = min(numbers, key=lambda n: (legal[n] != TRUE, n))
            idle |= {n for n in numbers if n != kept}
        found.append(frozenset(idle))
        wire += len(legal)
    return tuple(found)


def _uses(circuit: Circuit, values: Sequence[int]) -> dict[int, list[tuple[int, int, int]]]:
    """What reads a wire, of all that next states and percepts depend on and that is not known."""
    outputs = [*circuit.next, *(literal for told in circuit.percepts for _, literal in told)]
    definitions = {loop.wire: loop.definition for loop in circuit.loops}
    uses: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    waiting: list[int] = []
    reached: set[int] = set()

    def read(literal: Literal, kind: int, reader: int) -> None:
        wire = literal >> 1
        if values[wire] == _OPEN:
            uses[wire].append((kind, reader, literal & 1))
            if wire not in reached:
                reached.add(wire)
                waiting.append(wire)

    for place, literal in enumerate(outputs):
        read(literal, 0, place)
    while waiting:
        wire = waiting.pop()
        inputs = (definitions[wire],) if wire in definitions else circuit.inputs_of(wire)
        for literal in inputs:
            read(literal, 1, wire)
    return uses


def _pruned(circuit: Circuit, idle: Sequence[IdleMoves]) -> Circuit:
    """The circuit where idle moves are not legal."""
    gates = list(circuit.gate_inputs)

    def gate(*inputs: Literal) -> Literal:
        gates.append(inputs)
        return 2 * (circuit.first_gate + len(gates) - 1)

    legal = [list(of_role) for of_role in circuit.legal]
    for part in idle:
        when = [*(2 * (1 + fluent) for fluent in part.held), *(2 * (1 + fluent) + 1 for fluent in part.absent)]
        now = TRUE if not when else when[0] if len(when) == 1 else gate(*when)
        for role, moves in enumerate(part.moves):
            for number in moves:
                legal[role][number] = FALSE if now == TRUE else gate(legal[role][number], now ^ 1)
    return replace(circuit, gate_inputs=tuple(gates), legal=tuple(map(tuple, legal)), reachable=None)
