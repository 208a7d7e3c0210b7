"""A game on a board as a game of Toss: squares are elements, what stands on them are marks, moves rewrite a few.

The translation is compared with the game in random play before it is handed out.

In the literature: from GDL to Toss (Kaiser, Stafiniak 2011, Translating the Game Description Language to Toss).
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from ludorum import toss
from ludorum.drawing.rewriting.conditions import Conditions, Formulas, Shape, shapes
from ludorum.drawing.rewriting.marks import BLANK, MarkedBoard, Square, marked_board
from ludorum.drawing.rewriting.moves import Moves, Picture, grouped
from ludorum.errors import NoPictures, TooLarge
from ludorum.game import Game

_ALWAYS, _NEVER = "true", "false"
# Conditions of more shapes, or texts of more letters, than this are nothing to read.
_MOST_SHAPES = 60
_MOST_LETTERS = 100_000
# The comparison with the game: so many matches, of so many steps at most.
_MATCHES, _STEPS = 4, 60
_LETTERS = "abcdefghijklmn"


@dataclass(frozen=True)
class DrawnRule:
    """A rule as two boards: what may stand on some squares before, and what stands there afterwards."""

    name: str
    player: str
    parts: tuple[tuple[Square, frozenset[str], str], ...]
    needed: tuple[tuple[Square, frozenset[str]], ...]
    #: In how many places of the board it may be applied at all.
    places: int


@dataclass(frozen=True)
class Rewriting:
    """A game as rules that rewrite a board."""

    text: str
    rules: tuple[DrawnRule, ...]


def to_toss(game: Game) -> Rewriting:
    """The game in Toss; raises NoPictures with the reason where it cannot be told so, and NoCircuit."""
    return _Translator(game).run()


class _Translator:
    def __init__(self, game: Game) -> None:
        self.game, self.circuit = game, game.circuit
        if any(self.circuit.percepts) or "random" in game.roles:
            raise NoPictures("the game has chance or secrets")
        self.board: MarkedBoard = marked_board(game, self.circuit.fluents)
        self.formulas = Formulas(self.board)
        self.players = [_identifier(role, f"p{number}") for number, role in enumerate(game.roles)]
        #: Conditions with names.
        self.named: dict[str, str] = {}

    def run(self) -> Rewriting:
        moves = Moves(self.circuit, self.board)
        if not self.board.is_full:
            raise NoPictures("its board has holes")
        found = grouped(list(moves.instances()))
        ends = [self._formula("End", self.circuit.terminal, location.known(self.circuit, self.board))
                for location in moves.locations]
        rules: list[str] = []
        drawn: list[DrawnRule] = []
        edges: dict[int, list[str]] = {number: [] for number in range(len(moves.locations))}
        for (picture, anchors), leads in found.items():
            for end in dict.fromkeys(ends[location] for location in leads):
                words = f"{self.players[picture.player].title()}{picture.name.title()}{len(rules) + 1}"
                name = _identifier(words, f"Rule{len(rules) + 1}")
                rules.append(self._rule(name, picture, set(anchors), end))
                drawn.append(DrawnRule(name, self.game.roles[picture.player], picture.parts, picture.needed,
                                       len(anchors)))
                for location, to in leads.items():
                    if ends[location] == end:
                        edges[location].append(f"[{name} -> {to}]")
        locations = [self._location(number, moves.movers[number], edges[number],
                                    location.known(self.circuit, self.board))
                     for number, location in enumerate(moves.locations)]
        text = "\n".join([f"PLAYERS {', '.join(self.players)}", "", *self.formulas.definitions(),
                          *(f"REL {name}() = {formula}" for formula, name in self.named.items()), "",
                          *rules, "", *locations, "", self._model()]) + "\n"
        if len(text) > _MOST_LETTERS:
            raise NoPictures("its rules take too many pictures")
        self._compare(text)
        return Rewriting(text, tuple(drawn))

    # Conditions

    def _formula(self, name: str, literal: int, known: Mapping[int, bool]) -> str:
        """A closed condition; those that are not trivial have a name."""
        words = self._told(literal, known)
        if words in (_ALWAYS, _NEVER):
            return words
        if words not in self.named:
            number = sum(other.startswith(name) for other in self.named.values())
            self.named[words] = f"{name}{number + 1 if number else ''}"
        return f"{self.named[words]}()"

    def _told(self, literal: int, known: Mapping[int, bool]) -> str:
        conditions = Conditions(self.circuit, self.board, known)
        tried: list[tuple[int, int]] = []
        for negated in (0, 1):
            with suppress(TooLarge):
                cases = conditions.cases(literal ^ negated)
                if len(shapes(case for case in cases if case)) <= _MOST_SHAPES:
                    tried.append((sum(map(len, cases)), negated))
        if tried:
            _, negated = min(tried)
            words = self._some(conditions.cases(literal ^ negated))
            if not negated:
                return words
            return {_ALWAYS: _NEVER, _NEVER: _ALWAYS}.get(words, f"not ({words})")
        wire, holds = literal >> 1, not literal & 1
        if wire < self.circuit.first_gate:
            raise NoPictures("its goals, or its end, depend on more than the board")
        parts = [self._told(part if holds else part ^ 1, known)
                 for part in self.circuit.gate_inputs[wire - self.circuit.first_gate]]
        trivial, word = (_ALWAYS, "and") if holds else (_NEVER, "or")
        other = _NEVER if holds else _ALWAYS
        if other in parts:
            return other
        left = [f"({part})" for part in dict.fromkeys(parts) if part != trivial]
        return f" {word} ".join(left) if left else trivial

    def _some(self, cases: list[dict[Square, frozenset[str]]]) -> str:
        """That one of the cases is there."""
        if not cases:
            return _NEVER
        if {} in cases:
            return _ALWAYS
        words, left = [], []
        for case in cases:
            told = self.formulas.everywhere(case)
            if told is None:
                left.append(case)
            else:
                words.append(told)
        words += [self.formulas.exists(shape, anchors) for shape, anchors in shapes(left).items()]
        return " or ".join(dict.fromkeys(words))

    # Parts of the text

    def _rule(self, name: str, picture: Picture, anchors: set[Square], end: str) -> str:
        marks, letters = self.board.names, _LETTERS[: len(picture.parts)]
        left: list[str] = []
        right: list[str] = []
        before: list[str] = []
        shape = Shape((*((step, allowed) for step, allowed, _ in picture.parts), *picture.needed))
        if picture.parts and anchors != self.formulas.fits(shape):
            left.append(f"{self.formulas.zone(anchors)}({letters[0]})")
        ways = self.formulas.ways_between([step for step, _, _ in picture.parts], letters)
        for letter, way, (_, allowed, later) in zip(letters, ways, picture.parts, strict=True):
            if way:
                (left if way[:2] in ("R(", "C(") else before).append(way)
            optional = "_opt_" if BLANK in allowed else ""
            left += [f"{optional}{marks[mark]}({letter})" for mark in sorted(allowed - {BLANK})]
            right += [f"{marks[later]}({letter})"] if later else []
        places = {step: letter for letter, (step, _, _) in zip(letters, picture.parts, strict=True)}
        for number, (step, allowed) in enumerate(picture.needed):
            if step in places:
                before.append(f"({self.formulas.told(places[step], allowed)})")
                continue
            steps = [*places, step]
            way = self.formulas.ways_between(steps, [*places.values(), f"x{number}"])[-1]
            before.append(f"ex x{number} ({way} and ({self.formulas.told(f'x{number}', allowed)}))")
        if end != _NEVER:
            before.append(f"not {end}")
        elements = ", ".join(letters)
        pre = f"\n  pre {' and '.join(before)}" if before else ""
        return (f"RULE {name}: [{elements} | {'; '.join(left) or '-'} | - ] -> "
                f"[{elements} | {'; '.join(right) or '-'} | - ]\n  emb {', '.join(marks.values())}{pre}")

    def _location(self, number: int, mover: int, edges: list[str], known: Mapping[int, bool]) -> str:
        payoffs = "; ".join(f"{player}: {self._payoff(role, known)}" for role, player in enumerate(self.players))
        moves = f" MOVES {'; '.join(edges)}" if edges else ""
        return f"LOC {number} {{ PLAYER {self.players[mover]} PAYOFF {{ {payoffs} }}{moves} }}"

    def _payoff(self, role: int, known: Mapping[int, bool]) -> str:
        """Goals one in the other, so that no more than the best of them is ever paid."""
        words = "0"
        for value, literal in sorted(self.circuit.goals[role]):
            if not value:
                continue
            formula = self._formula(f"{self.players[role].title()}Gets{value}", literal, known)
            if formula == _ALWAYS:
                words = str(value)
            elif formula != _NEVER:
                other = "" if words == "0" else f" + (1 - :({formula})) * ({words})"
                words = f"{value} * :({formula}){other}"
        return words

    def _model(self) -> str:
        board = self.board
        marks = board.marks(self.circuit.initial)
        declared = [f"{name}:1 {{}}" for name in board.names.values()]
        declared += [f"{name} {{{'; '.join(board.element(square) for square in sorted(zone))}}}"
                     for zone, name in self.formulas.zones.items()]
        width = max(map(len, [*board.names.values(), "."]))
        rows = [" ".join(f"{board.names[marks[square]] if (square := (column, row)) in marks else '.':{width}}"
                         for column in range(board.width)).rstrip() for row in reversed(range(board.height))]
        grid = "\n".join(rows)
        return f'MODEL [ | {"; ".join(declared)} | ] "\n{grid}\n"'

    # Comparison

    def _compare(self, text: str) -> None:
        """Plays both at random; raises NoPictures where they differ."""
        translated = Game(toss.to_rules(toss.parse(text, "translation.toss")))
        for seed in range(_MATCHES):
            dice, ours, theirs = random.Random(seed), translated.initial, self.game.initial
            for _ in range(_STEPS):
                if ours.is_terminal or theirs.is_terminal:
                    break
                mine = [state for _, state in translated.expand(ours)]
                other = [state for _, state in self.game.expand(theirs)]
                boards = {self._squares(state.fluents): state for state in mine}
                expected = {self._read(state.fluents): state for state in other}
                if boards.keys() != expected.keys() or len(mine) != len(other):
                    raise NoPictures("what the pictures say is not what the rules say")
                chosen = dice.choice(sorted(boards, key=sorted))
                ours, theirs = boards[chosen], expected[chosen]
            if ours.is_terminal != theirs.is_terminal:
                raise NoPictures("what the pictures say of the end is not what the rules say")

    def _squares(self, fluents: object) -> frozenset[tuple[str, str]]:
        assert isinstance(fluents, frozenset | set | tuple | list)
        return frozenset((str(fluent.args[0]), str(fluent.args[1])) for fluent in fluents if fluent.name == "cell")

    def _read(self, fluents: object) -> frozenset[tuple[str, str]]:
        assert isinstance(fluents, frozenset | set | tuple | list)
        numbers = {fluent: number for number, fluent in enumerate(self.circuit.fluents)}
        marks = self.board.marks(numbers[fluent] for fluent in fluents)
        return frozenset((self.board.element(square), self.board.names[mark].lower()) for square, mark in marks.items())


def _identifier(name: str, otherwise: str) -> str:
    fit = re.sub(r"[^A-Za-z0-9]", "", name)
    return fit if fit and fit[0].isalpha() else otherwise
