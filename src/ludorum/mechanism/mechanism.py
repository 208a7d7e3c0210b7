"""A market as a mechanism: its game for what traders gain, its game for what they pay, and what the truth is in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from ludorum import market
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.gdl import Source
from ludorum.gdl.terms import Term
from ludorum.gdl.words import RANDOM
from ludorum.loading import find
from ludorum.market import Market, Translation
from ludorum.move import Move, Role


class Mechanism:
    """The rules of a market with what its traders want."""

    def __init__(self, rules: Market, *, name: str = "market", seconds: float = 60) -> None:
        if not rules.defines("payoff"):
            raise LudorumError(f"nothing says what the traders of {name} want: payoff(A,U) <= … does")
        self.market = rules
        self.name = name
        self._seconds = seconds

    @classmethod
    def load(cls, what: str | os.PathLike[str], *, seconds: float = 60) -> Mechanism:
        """The market that is meant, as `ludorum.load` takes it; raises InvalidRules."""
        return cls.of(find(what), seconds=seconds)

    @classmethod
    def of(cls, source: Source, *, seconds: float = 60) -> Mechanism:
        if not market.is_market(source):
            raise LudorumError(f"{source.name} is no market: it has no traders that send messages")
        name = "market" if source.name.startswith("<") else Path(source.name).stem
        return cls(market.parse(source), name=name, seconds=seconds)

    @cached_property
    def translation(self) -> Translation:
        return market.translate(self.market)

    @cached_property
    def game(self) -> Game:
        """Its goals are what traders gain."""
        return Game(self.translation.rules, name=self.name, seconds=self._seconds)

    @cached_property
    def paying(self) -> Translation:
        """The same market with goals for what traders pay."""
        return market.translate(self.market, "payment")

    @cached_property
    def payments(self) -> Game | None:
        """The same game where goals are what traders pay; None where the rules do not say."""
        if not self.market.defines("payment"):
            return None
        return Game(self.paying.rules, name=self.name, seconds=self._seconds)

    def gain(self, goal: float) -> float:
        """The payoff that a goal stands for."""
        return self.translation.units(goal)

    def payment(self, goal: float) -> float:
        """The payment that a goal of the game of payments stands for."""
        return self.paying.units(goal)

    @cached_property
    def traders(self) -> tuple[Role, ...]:
        return tuple(role for role in self.game.roles if role != RANDOM)

    @cached_property
    def types(self) -> dict[Role, tuple[Term, ...]]:
        """By trader the types it may have; none where there are no types."""
        interpreter = market.Interpreter(self.market)
        return {Role(str(trader)): tuple(sorted(interpreter.types(trader), key=_order))
                for trader in self.market.traders}

    def __repr__(self) -> str:
        return f"<Mechanism {self.name}: {', '.join(self.traders)}>"


def numbers(term: Term) -> tuple[int, ...]:
    """The numbers in a term, from left to right."""
    found: list[int] = []
    stack: list[Term] = [term]
    while stack:
        part = stack.pop()
        if not part.args:
            try:
                found.append(int(part.name))
            except ValueError:
                continue
        stack.extend(arg for arg in reversed(part.args) if isinstance(arg, Term))
    return tuple(found)


def truth(told: Iterable[Term], moves: Sequence[Move]) -> Move | None:
    """The message that carries the numbers of the own type and no others, if there is exactly one.

    The type is what was told that has numbers; of several things, none is.
    """
    kinds = [values for values in map(numbers, told) if values]
    if len(kinds) != 1:
        return None
    found = [move for move in moves if numbers(move.term) == kinds[0]]
    return found[0] if len(found) == 1 else None


def _order(term: Term) -> tuple[tuple[int, ...], str]:
    return numbers(term), str(term)
