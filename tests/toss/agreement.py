"""Compares a game of Toss as it is defined with the same game as a rulesheet."""

from __future__ import annotations

import random

from ludorum import Game, State, toss
from ludorum.gdl import Argument, Term
from ludorum.toss.reference import Choice, Position, Reference


class Pair:
    """A game as it is defined, and as the engines play it."""

    def __init__(self, text: str, engine: str | None = None) -> None:
        self.game = toss.parse(text)
        self.reference = Reference(self.game)
        self.translation = toss.translate(self.game)
        self.played = Game(self.translation.rules, engine=engine)
        self._element = {symbol: name for name, symbol in self.translation.elements.items()}
        self._new = {symbol: name for name, symbol in self.translation.new.items()}
        self._relation = {symbol: name for name, symbol in self.translation.relations.items()}
        self._rule = {symbol: name for name, symbol in self.translation.moves.items()}
        self._location = {symbol: name for name, symbol in self.translation.locations.items()}

    def walk(self, seed: int, steps: int) -> int:
        """Plays at random and compares everything in every state; how many states there were."""
        dice = random.Random(seed)
        position, state = self.reference.initial, self.played.initial
        for step in range(steps):
            choices = self.compare(position, state)
            if not choices:
                return step + 1
            choice = dice.choice(sorted(choices, key=repr))
            position = self.reference.after(position, choice)
            state = state.after({self._player(choices[choice][0]): choices[choice][1]})
        return steps

    def compare(self, position: Position, state: State) -> dict[Choice, tuple[str, str]]:
        """The choices of a position with the moves they are in GDL; both sides say the same of everything."""
        facts = {(relation, tuple(map(self._symbol, args))) for relation, args in position.structure.facts
                 if relation in self.game.fluents}
        assert self._facts(state) == {(self.translation.relations[relation], args) for relation, args in facts}
        assert Term("at", (Term(self.translation.locations[position.location]),)) in state.fluents
        choices = self.reference.choices(position)
        assert state.is_terminal == (not choices)
        scale = self.translation.scale
        expected = {self.translation.players[player]: scale.goal(payoff)
                    for player, payoff in self.reference.payoffs(position).items()}
        assert dict(state.goals) == expected
        if not choices:
            return {}
        mover = self.game.locations[position.location].player
        role = self.translation.players[mover]
        moves = {str(self._move(choice)): choice for choice in choices}
        assert set(map(str, state.legal(role))) == set(moves)
        return {choice: (mover, move) for move, choice in moves.items()}

    def _player(self, name: str) -> str:
        return self.translation.players[name]

    def _symbol(self, element: str) -> str:
        """An element as the rulesheet names it."""
        if "@" not in element:
            return self.translation.elements[element]
        name, step = element.split("@")
        time = "0"
        for _ in range(int(step)):
            time = f"(later {time})"
        return f"({self.translation.new[name]} {time})"

    def _move(self, choice: Choice) -> str:
        parts = [self.translation.moves[choice.rule], *map(self._symbol, choice.match)]
        rules = [edge.rule for location in self.game.locations.values() for edge in dict.fromkeys(location.edges)
                 if any(other.rule == edge.rule and other.to != edge.to for other in location.edges)]
        if choice.rule in rules:
            parts.append(self.translation.locations[choice.to])
        return f"({' '.join(parts)})" if len(parts) > 1 else parts[0]

    def _facts(self, state: State) -> set[tuple[str, tuple[str, ...]]]:
        fluents = {self.translation.relations[name] for name in self.game.fluents}
        found: set[tuple[str, tuple[str, ...]]] = set()
        for fluent in state.fluents:
            args: tuple[Argument, ...] = fluent.args
            if fluent.name == "cell" and len(args) == 2:
                found.add((str(args[1]), (str(args[0]),)))
            elif fluent.name in fluents:
                found.add((fluent.name, tuple(map(str, args))))
        return found
