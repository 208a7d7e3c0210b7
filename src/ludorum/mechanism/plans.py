"""Dominance where traders decide more than once: a plan for all that may happen, against any plans of the others.

A plan is a best reply to others if it makes a best move wherever it comes to with them. So it is dominant only if at
every information set one move is best against all plans of the others that lead there, and so on after it. Some plans
of the others suffice to show that there is none. That there is one is shown by a plan whose worst is at least the best
of every way to leave it.

In the literature: weak dominance in extensive games; obvious dominance (Li 2017).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs import Verdict
from ludorum.clock import Budget
from ludorum.equilibrium import InformationSet
from ludorum.gdl.terms import Term
from ludorum.mechanism.accounts import Ledger
from ludorum.mechanism.mechanism import truth
from ludorum.mechanism.playing import match_of
from ludorum.move import Move, Role

_Match = tuple[tuple[Move, ...], ...]
_Answer = tuple[Verdict, str, _Match | None, str]
_Plan = NDArray[np.float64]

_METHOD = "best replies to plans of the others"
# Beside the simplest plans of the others, so many without rhyme or reason are tried.
_RANDOM_PLANS = 40
# A gain of less, in points of goals and times a chance, is none.
_TOLERANCE = 1e-9
# The work of an outcome that is looked at once.
_AN_OUTCOME = 2e-8


@dataclass(frozen=True)
class _Reply:
    """What is best against plans of the others: the worth of every sequence, and where one comes to with them."""

    others: list[_Plan]
    values: _Plan
    reached: NDArray[np.bool_]


def truthful(ledger: Ledger, budget: Budget) -> _Answer:
    """Whether to send the truth wherever one can, and nothing elsewhere, is dominant."""
    for role in ledger.tree.players:
        side = _Side(ledger, role)
        plan = side.honest()
        if plan is None:
            return "unknown", f"no message of {role} carries its type", None, ""
        for reply in side.replies(budget):
            worse = side.improvable(reply, plan)
            if worse is not None:
                number, move = worse
                return ("refuted", _METHOD, side.match(reply, number, move),
                        side.says(number, move, side.move_of(plan, number)))
        if not side.is_obvious(plan):
            return "unknown", f"a plan of the others against which the truth of {role} is not best was not found", \
                None, ""
    return "proved", "worst against best (obvious dominance)", None, ""


def dominant(ledger: Ledger, budget: Budget) -> _Answer:
    """Whether every trader of every type has a dominant plan."""
    for role in ledger.tree.players:
        side = _Side(ledger, role)
        bad = np.zeros(side.size, bool)
        refuting: list[_Reply] = []
        for reply in side.replies(budget):
            new = side.not_best(reply) & ~bad
            if not new.any():
                continue
            bad |= new
            refuting.append(reply)
            lacking = side.without_a_plan(bad)
            if lacking is not None:
                number, first = lacking
                against, move = side.witness(refuting, number, first)
                return ("refuted", _METHOD, side.match(against, number, move),
                        f"{role} as {side.type_of(number)} has none; it {side.better(number, move, first)}")
        if not side.is_obvious(side.left(bad)):
            return "unknown", f"plans of the others against which no plan of {role} is best were not found", None, ""
    return "proved", "worst against best (obvious dominance)", None, ""


class _Side:
    """A trader, and what its plans bring against those of the others."""

    def __init__(self, ledger: Ledger, role: Role) -> None:
        self.ledger, self.tree, self.role = ledger, ledger.tree, role
        self.player = self.tree.players.index(role)
        self.sequences, self.weights = ledger.sequences, ledger.weights
        self.payoffs = (ledger.gains[:, self.player] * ledger.weights).astype(np.float64)
        self.sets = self.tree.core.sets(self.player).astype(np.int64)
        self.size = len(self.tree.core.moves(self.player))
        #: The information set of every sequence but the first, which belongs to none.
        self.owner = np.concatenate([[-1], np.repeat(np.arange(len(self.sets)), self.sets[:, 2])])

    @cached_property
    def known(self) -> tuple[InformationSet, ...]:
        return self.tree.information_sets(self.role)

    # ---- plans ----

    def honest(self) -> _Plan | None:
        """The truth where it can be sent, and else what is made where there is no choice; None if it never can."""
        speaks = False

        def choose(known: InformationSet) -> dict[Move, float]:
            nonlocal speaks
            kind = self._kind(known)
            told = None if kind is None else truth([kind], known.moves)
            speaks = speaks or told is not None
            return {told or self._quiet(known.moves): 1.0}

        plan = self.tree.plan(self.role, choose)
        return plan if speaks else None

    def _quiet(self, moves: tuple[Move, ...]) -> Move:
        silent = self.ledger.mechanism.translation.silent
        return next((move for move in moves if move.term == silent), moves[0])

    def _kind(self, known: InformationSet) -> Term | None:
        told = {term for _, percepts in known.history for term in percepts}
        return next((kind for kind in self.ledger.mechanism.types.get(self.role, ()) if kind in told), None)

    def type_of(self, number: int) -> str:
        return str(self._kind(self.known[number]) or "what it is")

    def move_of(self, plan: _Plan, number: int) -> int:
        """The sequence that a plan without dice goes on with from an information set."""
        first, count = int(self.sets[number, 1]), int(self.sets[number, 2])
        return first + int(plan[first:first + count].argmax())

    # ---- the others ----

    def replies(self, budget: Budget) -> Iterator[_Reply]:
        """Replies to plans of the others: always the first move, the second and so on; then at random, by a fixed seed.

        Every one is for others of certain types.
        """
        others = [player for player in range(len(self.tree.players)) if player != self.player]
        kinds = {player: self._roots(player) for player in others}
        most = max((int(self.tree.core.sets(player)[:, 2].max(initial=1)) for player in others), default=1)
        styles: list[int | None] = [*range(min(most, 12)), *([None] * _RANDOM_PLANS)]
        for place, style in enumerate(styles):
            for turn in range(max(map(len, kinds.values()), default=1)):
                budget.check(_AN_OUTCOME * len(self.weights) * len(self.tree.players))
                chance = random.Random(f"{place}/{turn}")
                plans = []
                for player in range(len(self.tree.players)):
                    if player == self.player:
                        plans.append(np.ones(0))
                    else:
                        roots = kinds[player]
                        plans.append(self._plan(player, roots[(turn + place * player) % len(roots)], style, chance))
                yield self._reply(plans)

    def _roots(self, player: int) -> list[Term | None]:
        """The types of another, or nothing where there are none."""
        return list(self.ledger.mechanism.types.get(self.tree.players[player], ())) or [None]

    def _plan(self, player: int, kind: Term | None, style: int | None, chance: random.Random) -> _Plan:
        """What another of a type does, and those of other types are not there."""
        plan = np.zeros(len(self.tree.core.moves(player)))
        plan[0] = 1
        types = self._types(player)
        for number, (parent, first, count, _) in enumerate(self.tree.core.sets(player).tolist()):
            if plan[parent] and (kind is None or types[number] in (kind, None)):
                place = chance.randrange(count) if style is None else min(style, count - 1)
                plan[first + place] = 1
        return plan

    def _types(self, player: int) -> list[Term | None]:
        if player not in self._of_others:
            role = self.tree.players[player]
            kinds = self.ledger.mechanism.types.get(role, ())
            self._of_others[player] = [next((kind for kind in kinds if any(
                kind in percepts for _, percepts in known.history)), None)
                for known in self.tree.information_sets(role)]
        return self._of_others[player]

    @cached_property
    def _of_others(self) -> dict[int, list[Term | None]]:
        return {}

    def _reply(self, plans: list[_Plan]) -> _Reply:
        likely = np.ones(len(self.weights))
        for player, plan in enumerate(plans):
            if player != self.player:
                likely *= plan[self.sequences[:, player]]
        own = self.sequences[:, self.player]
        values: _Plan = np.bincount(own, self.payoffs * likely, minlength=self.size).astype(np.float64)
        reached = np.bincount(own, self.weights * likely, minlength=self.size) > 0
        for parent, first, count, _ in self.sets[::-1].tolist():
            values[parent] += values[first:first + count].max()
            reached[parent] |= reached[first:first + count].any()
        return _Reply(plans, values, reached)

    # ---- what is best ----

    def _best(self, reply: _Reply) -> _Plan:
        """By sequence the worth of the best move of its information set."""
        best = np.maximum.reduceat(reply.values, self.sets[:, 1])
        return np.concatenate([[reply.values[0]], best[self.owner[1:]]])

    def _met(self, reply: _Reply) -> NDArray[np.bool_]:
        """By sequence whether one comes to its information set with these others."""
        met = np.logical_or.reduceat(reply.reached, self.sets[:, 1])
        return np.concatenate([[False], met[self.owner[1:]]])

    def not_best(self, reply: _Reply) -> NDArray[np.bool_]:
        """The sequences that end with a move that is not best where these others lead."""
        return np.asarray(self._met(reply) & (reply.values < self._best(reply) - _TOLERANCE), dtype=np.bool_)

    def improvable(self, reply: _Reply, plan: _Plan) -> tuple[int, int] | None:
        """The first information set where a plan makes a move that is not best, and the best one there."""
        for sequence in np.flatnonzero(self.not_best(reply) & (plan > 0)).tolist():
            number = int(self.owner[sequence])
            return number, self._best_move(reply, number)
        return None

    def _best_move(self, reply: _Reply, number: int) -> int:
        first, count = int(self.sets[number, 1]), int(self.sets[number, 2])
        return first + int(reply.values[first:first + count].argmax())

    def without_a_plan(self, bad: NDArray[np.bool_]) -> tuple[int, int] | None:
        """A first information set from which every plan comes to a move that is not best, and the move it dies by."""
        fails = bad.copy()
        last: dict[int, int] = {}
        for number in range(len(self.sets) - 1, -1, -1):
            parent, first, count, _ = self.sets[number].tolist()
            if fails[first:first + count].all():
                fails[parent] = True
                last[parent] = number
        if not fails[0]:
            return None
        number = last[0]
        # Down to where all moves themselves are not best.
        while True:
            _, first, count, _ = self.sets[number].tolist()
            going = [first + place for place in range(count) if not bad[first + place]]
            if not going:
                return number, first + count - 1
            number = last[going[-1]]

    def witness(self, replies: list[_Reply], number: int, move: int) -> tuple[_Reply, int]:
        """Others against whom a move is not best, and what is."""
        reply = next(reply for reply in replies if self.not_best(reply)[move])
        return reply, self._best_move(reply, number)

    def left(self, bad: NDArray[np.bool_]) -> _Plan:
        """A plan of moves that were always best as far as was tried."""
        fails = bad.copy()
        for parent, first, count, _ in self.sets[::-1].tolist():
            fails[parent] |= fails[first:first + count].all()
        plan = np.zeros(self.size)
        plan[0] = 1
        for parent, first, count, _ in self.sets.tolist():
            if plan[parent]:
                plan[first + int((~fails[first:first + count]).argmax())] = 1
        return plan

    def is_obvious(self, plan: _Plan) -> bool:
        """Whether the worst that may come of a plan is, wherever it comes to, at least the best of leaving it."""
        own = self.sequences[:, self.player]
        amounts = self.payoffs / self.weights
        worst, best = np.full(self.size, np.inf), np.full(self.size, -np.inf)
        np.minimum.at(worst, own, amounts)
        np.maximum.at(best, own, amounts)
        for number in range(len(self.sets) - 1, -1, -1):
            parent, first, count, _ = self.sets[number].tolist()
            best[parent] = max(best[parent], best[first:first + count].max())
            if plan[parent]:
                mine = self.move_of(plan, number)
                others = [best[place] for place in range(first, first + count) if place != mine]
                if worst[mine] < max(others, default=-np.inf) - _TOLERANCE:
                    return False
                worst[parent] = min(worst[parent], worst[mine])
        return True

    # ---- what is shown ----

    def better(self, number: int, move: int, other: int) -> str:
        moves, first = self.known[number].moves, int(self.sets[number, 1])
        return f"does better with {moves[move - first]} than with {moves[other - first]} in this match"

    def says(self, number: int, move: int, other: int) -> str:
        return f"{self.role} as {self.type_of(number)} {self.better(number, move, other)}"

    def match(self, reply: _Reply, number: int, move: int) -> _Match:
        """A match with these others in which a move is made at an information set, and what is best after it.

        Of what chance may do, the best for the trader.
        """
        plan = np.zeros(self.size)
        plan[move] = 1
        for later, (parent, *_) in enumerate(self.sets.tolist()):
            if later > number and plan[parent]:
                plan[self._best_move(reply, later)] = 1
        likely = self.weights * plan[self.sequences[:, self.player]]
        for player, others in enumerate(reply.others):
            if player != self.player:
                likely = likely * others[self.sequences[:, player]]
        gains = np.where(likely > 0, self.ledger.gains[:, self.player], -np.inf)
        return match_of(self.ledger, self.sequences[int(gains.argmax())].tolist())
