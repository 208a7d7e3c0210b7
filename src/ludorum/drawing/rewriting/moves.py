"""Moves as pairs of small boards: what must stand on some squares, and what stands there afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ludorum.circuit import Circuit
from ludorum.drawing.rewriting.conditions import Case, Conditions
from ludorum.drawing.rewriting.marks import BLANK, MarkedBoard, Square
from ludorum.drawing.rewriting.ternary import Known, Ternary
from ludorum.errors import NoPictures, TooLarge

# Bounds beyond which nobody would look at the pictures.
MOST_LOCATIONS = 64
_MOST_CASES = 16
_MOST_SQUARES = 12
_MOST_SPLITS = 64
# Wires times cases that are looked at for one location: some seconds.
_MOST_WORK = 600_000_000


@dataclass(frozen=True)
class Picture:
    """What a move does, by how far squares are from the first one."""

    player: int
    #: What the move is called.
    name: str
    #: Columns and rows from the first square, what may stand there before, and what does afterwards.
    parts: tuple[tuple[Square, frozenset[str], str], ...]
    #: What must stand on squares, also on some that do not change.
    needed: tuple[tuple[Square, frozenset[str]], ...]


@dataclass(frozen=True)
class Location:
    """What besides the board is so: whose turn it is, as a rule."""

    fluents: frozenset[int]

    def known(self, circuit: Circuit, board: MarkedBoard) -> dict[int, bool]:
        return {1 + fluent: fluent in self.fluents for fluent in range(len(circuit.fluents))
                if fluent not in board.told}


@dataclass(frozen=True)
class Instance:
    """A picture at a place, at a location, and the location that follows."""

    location: int
    picture: Picture
    anchor: Square
    to: int


class Moves:
    """Finds the locations of a game and the moves there."""

    def __init__(self, circuit: Circuit, board: MarkedBoard) -> None:
        self.circuit, self.board = circuit, board
        self.ternary = Ternary(circuit)
        self.others = [fluent for fluent in range(len(circuit.fluents)) if fluent not in board.told]
        first = Location(frozenset(circuit.initial) & frozenset(self.others))
        self.locations = [first]
        #: Whose turn it is, by location.
        self.movers: list[int] = []

    def instances(self) -> Iterator[Instance]:
        """All moves at all locations, location by location as they are found."""
        done = 0
        while done < len(self.locations):
            if done >= MOST_LOCATIONS:
                raise NoPictures(f"besides the board there are more than {MOST_LOCATIONS} states, as if it counted")
            yield from self._at(done)
            done += 1

    def _at(self, number: int) -> Iterator[Instance]:
        circuit = self.circuit
        known = self.locations[number].known(circuit, self.board)
        legal = [literal for of_role in circuit.legal for literal in of_role]
        values = self.ternary.values(known, [{}], [circuit.terminal, *legal])[0]
        values, is_over = values[1:], values[0] == 1
        possible: list[list[int]] = []
        start = 0
        for of_role in circuit.legal:
            possible.append([move for move in range(len(of_role)) if values[start + move] != 0])
            start += len(of_role)
        choosing = [role for role, moves in enumerate(possible) if len(moves) > 1]
        if len(choosing) > 1:
            raise NoPictures("several players choose at the same time")
        self.movers.append(choosing[0] if choosing else next((role for role, moves in enumerate(possible) if moves), 0))
        if is_over:
            return
        mover = self.movers[-1]
        base = {**known, **dict.fromkeys(range(circuit.first_move, circuit.first_gate), False)}
        base |= {self._wire(role, moves[0]): True for role, moves in enumerate(possible) if role != mover and moves}
        conditions = Conditions(circuit, self.board, known)
        pending: list[tuple[int, Case]] = []
        for move in possible[mover]:
            try:
                pending += [(move, case) for case in conditions.cases(circuit.legal[mover][move], _MOST_CASES)]
            except TooLarge:
                raise NoPictures(f"{circuit.moves[mover][move]} is legal in too many ways") from None
        for move, case, after in self._determined(mover, base, pending):
            to = self._follows({**base, self._wire(mover, move): True, **_told(self.board, case)})
            yield self._instance(number, mover, move, case, after, to)

    def _wire(self, role: int, move: int) -> int:
        return self.circuit.first_move + sum(map(len, self.circuit.moves[:role])) + move

    def _follows(self, known: Known) -> int:
        values = self.ternary.values(known, [{}], [self.circuit.next[fluent] for fluent in self.others])[0]
        if (values < 0).any():
            fluent = self.others[int((values < 0).argmax())]
            raise NoPictures(f"whether {self.circuit.fluents[fluent]} holds next depends on the board")
        found = Location(frozenset(fluent for fluent, holds in zip(self.others, values, strict=True) if holds))
        if found not in self.locations:
            self.locations.append(found)
        return self.locations.index(found)

    def _determined(self, mover: int, base: Known,
                    pending: list[tuple[int, Case]]) -> Iterator[tuple[int, Case, dict[Square, dict[str, str]]]]:
        """Cases that say for every square what becomes of it; where others matter, cases are split by what is there."""
        total = len(pending)
        while pending:
            split: list[tuple[int, Case]] = []
            for (move, case), after in zip(pending, self._after(mover, base, pending), strict=True):
                if not isinstance(after, int):
                    yield move, case, after
                    continue
                square = self._deciding(after, case)
                allowed = case.get(square, frozenset(self.board.contents[square]))
                if square not in case and BLANK in allowed:
                    options = [frozenset({BLANK}), allowed - {BLANK}]
                else:
                    options = [frozenset({mark}) for mark in sorted(allowed)]
                split += [(move, {**case, square: option}) for option in options if option]
            total += len(split)
            if total > _MOST_SPLITS * max(1, len(self.circuit.moves[mover])):
                raise NoPictures("what becomes of a square depends on too many others")
            pending = split

    def _deciding(self, fluent: int, case: Case) -> Square:
        """A square that is not known and what becomes of another depends on: the nearest."""
        here = self.board.told[fluent][0]
        squares = {self.board.told[other][0] for other in self.ternary.fluents_of(self.circuit.next[fluent])
                   if other in self.board.told}
        open_squares = [square for square in squares if len(case.get(square, "??")) > 1 and square != here]
        if not open_squares:
            raise NoPictures("what becomes of a square depends on more than the board")
        return min(open_squares, key=lambda square: (
            square not in case, abs(square[0] - here[0]) + abs(square[1] - here[1]), square))

    def _after(self, mover: int, base: Known,
               pending: Sequence[tuple[int, Case]]) -> Iterator[dict[Square, dict[str, str]] | int]:
        """For every case what stands on squares afterwards, by what stands there before; or a fluent that is open."""
        asked: list[tuple[Square, str]] = []
        lanes: list[Known] = []
        sizes: list[int] = []
        for move, case in pending:
            chosen = {self._wire(mover, move): True}
            before = len(asked)
            for square in self.board.squares:
                for mark in sorted(case.get(square, self.board.contents[square])):
                    asked.append((square, mark))
                    lanes.append({**chosen, **_told(self.board, {**case, square: frozenset({mark})})})
            sizes.append(len(asked) - before)
        fluents = sorted(self.board.told)
        column = {fluent: number for number, fluent in enumerate(fluents)}
        if len(lanes) * self.circuit.wires > _MOST_WORK:
            raise NoPictures("there are too many moves for pictures")
        all_values = self.ternary.values(base, lanes, [self.circuit.next[fluent] for fluent in fluents])
        start = 0
        for size in sizes:
            values = all_values[start : start + size]
            after: dict[Square, dict[str, str]] = {}
            is_open: int | None = None
            for (square, mark), row in zip(asked[start : start + size], values, strict=True):
                later = {content: (int(row[column[fluent]]), fluent)
                         for content, fluent in self.board.contents[square].items() if fluent is not None}
                is_open = next((fluent for value, fluent in later.values() if value < 0), is_open)
                held = [content for content, (value, _) in later.items() if value > 0]
                if len(held) > 1:
                    raise NoPictures("a square can hold several things at once")
                after.setdefault(square, {})[mark] = held[0] if held else BLANK
            yield after if is_open is None else is_open
            start += size

    def _instance(self, number: int, mover: int, move: int, case: Case, after: Mapping[Square, Mapping[str, str]],
                  to: int) -> Instance:
        """What changes as parts of a picture, what only must be so as conditions."""
        parts: dict[Square, tuple[frozenset[str], str]] = {}
        conditions: dict[Square, frozenset[str]] = {}
        for square, of_square in after.items():
            becomes = set(of_square.values())
            if any(mark != later for mark, later in of_square.items()):
                if len(becomes) > 1:
                    raise NoPictures(f"what {self.circuit.moves[mover][move]} does depends on what was there")
                parts[square] = frozenset(of_square), next(iter(becomes))
                if BLANK not in of_square and len(of_square) > 1:
                    conditions[square] = frozenset(of_square)
            elif square in case:
                conditions[square] = case[square]
        if len(parts) > _MOST_SQUARES:
            raise NoPictures(f"{self.circuit.moves[mover][move]} changes too much for a picture")
        if not parts and conditions:
            first = min(conditions, key=lambda square: (len(conditions[square]), square[1], square[0]))
            if len(conditions[first]) == 1:
                parts[first] = conditions[first], next(iter(conditions.pop(first)))

        def order(square: Square) -> tuple[bool, int, int]:
            allowed, later = parts[square]
            # Where something leaves comes first.
            return not (later == BLANK and BLANK not in allowed), square[1], square[0]

        name = self.circuit.moves[mover][move].name
        if not parts:
            if conditions:
                raise NoPictures(f"{self.circuit.moves[mover][move]} changes nothing, but not everywhere")
            return Instance(number, Picture(mover, name, (), ()), self.board.squares[0], to)
        first = min(parts, key=order)

        def apart(square: Square) -> Square:
            return square[0] - first[0], square[1] - first[1]

        def nearness(part: tuple[Square, *tuple[object, ...]]) -> tuple[bool, int, Square]:
            return part[0] != (0, 0), abs(part[0][0]) + abs(part[0][1]), part[0]

        told = sorted(((apart(square), *of_square) for square, of_square in parts.items()), key=nearness)
        needed = sorted(((apart(square), allowed) for square, allowed in conditions.items()), key=nearness)
        return Instance(number, Picture(mover, name, tuple(told), tuple(needed)), first, to)


def _told(board: MarkedBoard, case: Mapping[Square, frozenset[str]]) -> dict[int, bool]:
    """What is known of the wires of fluents where these may stand on squares."""
    known: dict[int, bool] = {}
    for square, allowed in case.items():
        for mark, fluent in board.contents[square].items():
            if fluent is not None and mark not in allowed:
                known[1 + fluent] = False
            elif fluent is not None and allowed == {mark}:
                known[1 + fluent] = True
    return known


def grouped(instances: Sequence[Instance]) -> dict[tuple[Picture, frozenset[Square]], dict[int, int]]:
    """Pictures with the squares where they may lie, and from which locations to which they lead."""
    places: dict[tuple[Picture, int, int], set[Square]] = {}
    for instance in instances:
        places.setdefault((instance.picture, instance.location, instance.to), set()).add(instance.anchor)
    found: dict[tuple[Picture, frozenset[Square]], dict[int, int]] = {}
    for (picture, location, to), anchors in places.items():
        found.setdefault((picture, frozenset(anchors)), {})[location] = to
    return found
