"""What roles know by three ways of knowing, as in Table 1 of the paper on a legal player for GDL-II (Thielscher 2013).

There, in 1,000 random matches of each game, it was told whether the player always knew its legal moves, at the end that
it is over, and its goal. Here the same is asked of the paper's filter, of the best filter that is made of two sets of
fluents, and of all states that are possible. Times are of the processor, for 1,000 rounds, all three questions
included. Where a round takes long there are fewer matches: as many as a time allows.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from experiments.games import Source
from experiments.plan import Plan
from experiments.tables import markdown
from ludorum import Game, State
from ludorum.belief import Belief
from ludorum.belief.filtering import Filter, GroundRules
from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.gdl.words import RANDOM
from ludorum.move import Move

WAYS = ("paper", "backbone", "exact")
MATCHES = 20
#: Of processor time for one role and one way of knowing, beyond which no further match is begun.
SECONDS = 10.0
#: A match is cut after so many rounds, and is then no match whose end could be known.
MOST_ROUNDS = 200


@dataclass(frozen=True)
class Row:
    """A game of the table with one of its roles by number, and what the paper found: X, no, or – where not asked."""

    source: Source
    role: int
    paper: tuple[str, str, str]
    seconds: str


BANKER = Source("Banker/Thief", "bankerandthief5")
MINESWEEPER = Source("Minesweeper", "secrets/minesweeper")
TRANSIT = Source("Transit", "gdl2/transit")
PACMAN = Source("vis Pacman", "gdl2/vis_pacman3p")
ROWS = (
    Row(Source("Backgammon", "gdl2/backgammon"), 0, ("X", "X", "X"), "8.84"),
    Row(BANKER, 0, ("X", "X", "no"), "0.42"),
    Row(BANKER, 1, ("X", "X", "no"), "0.69"),
    Row(Source("Battleships in Fog", "secrets/battleshipsinfog"), 0, ("no", "–", "–"), "–"),
    Row(Source("Blackjack", "secrets/blackjack"), 0, ("no", "–", "–"), "–"),
    Row(Source("Hidden Connect", "hiddenconnect"), 0, ("X", "X", "no"), "4.08"),
    Row(Source("Hold your Course II", "secrets/holdyourcourse2"), 0, ("X", "X", "X"), "2.05"),
    Row(Source("Krieg-Tictactoe 5x5", "kriegtictactoe"), 0, ("no", "–", "–"), "–"),
    Row(Source("Mastermind448", "gdl2/mastermind448"), 0, ("X", "X", "no"), "0.58"),
    Row(MINESWEEPER, 0, ("X", "X", "X"), "1.56"),
    Row(MINESWEEPER, 1, ("X", "no", "no"), "199.82"),
    Row(Source("Numberguessing", "numberguessing"), 0, ("X", "X", "no"), "1.53"),
    Row(Source("Monty Hall", "secrets/montyhall-2012"), 0, ("X", "X", "X"), "0.21"),
    Row(Source("Small Dominion 2", "secrets/smalldominion2"), 0, ("X", "X", "X"), "12376.75"),
    Row(TRANSIT, 0, ("X", "no", "no"), "4.18"),
    Row(TRANSIT, 1, ("X", "no", "no"), "5.76"),
    Row(PACMAN, 0, ("X", "no", "no"), "(706.45)"),
    Row(PACMAN, 2, ("X", "no", "X"), "32.12"),
)


class Knowing(Protocol):
    def perceived(self, move: Move, percepts: Any) -> None: ...

    def answers(self) -> tuple[bool, bool, bool]:
        """Whether it knows its legal moves, that the game is over, and its goal."""


class ByFilter:
    def __init__(self, filter: Filter) -> None:
        self._filter = filter

    def perceived(self, move: Move, percepts: Any) -> None:
        self._filter.perceived(move, percepts)

    def answers(self) -> tuple[bool, bool, bool]:
        return self._filter.knows_legal, self._filter.is_terminal, self._filter.knows_goal


class ByStates:
    """All states that are possible, listed or in a decision diagram. A sample knows nothing: the answer is no."""

    def __init__(self, game: Game, role: str) -> None:
        self._belief, self._role = Belief(game, role, seed=0, diagrams=True), game.role(role)

    def perceived(self, move: Move, percepts: Any) -> None:
        self._belief.perceived(move, percepts, Deadline.within(5))

    def answers(self) -> tuple[bool, bool, bool]:
        if self._belief.count is None:
            return False, False, False
        return self._belief.knows_legal, self._belief.is_terminal, self._belief.knows_goal


def run(plan: Plan) -> None:
    known = {(noted["game"], noted["role"]) for noted in plan.noted("filtering")}
    with plan.notes("filtering") as note:
        for row in ROWS:
            title = row.source.title
            if plan.wants(title) and row.source.is_here and (title, row.role) not in known:
                plan.tell(f"{title}, role {row.role + 1}")
                note({"game": title, "role": row.role, **{way: _measured(row, way, plan) for way in WAYS}})


def _measured(row: Row, way: str, plan: Plan) -> dict[str, Any]:
    """How often the role knew what, in how many matches, and how long 1,000 rounds take."""
    try:
        game = row.source.load()
        rules = None if way == "exact" else GroundRules(game)
        return _counted(game, row.role, way, rules, plan)
    except LudorumError as error:
        return {"failed": str(error).splitlines()[0]}


def _counted(game: Game, number: int, way: str, rules: GroundRules | None, plan: Plan) -> dict[str, Any]:
    role = [role for role in game.roles if role != RANDOM][number]
    always, rounds, ends, used = [True, True, True], 0, 0, 0.0
    for match in range(plan.matches or MATCHES):
        if used > (plan.seconds or SECONDS):
            break
        knowing: Knowing = (ByStates(game, role) if rules is None
                            else ByFilter(Filter(game, role, _kind(way), rules=rules)))
        for before, state, move in _random_match(game, role, match):
            start = time.process_time()
            if before is not None and move is not None:
                knowing.perceived(move, state.percepts[role])
            legal, end, goal = knowing.answers()
            used += time.process_time() - start
            rounds += 1
            if used > 2 * (plan.seconds or SECONDS):
                break
            if state.is_terminal:
                ends += 1
                always[1] &= end
                always[2] &= goal
            else:
                always[0] &= legal
    return {"legal": always[0], "terminal": always[1] and ends > 0, "goal": always[2] and ends > 0,
            "ends": ends, "rounds": rounds, "seconds": 1000 * used / max(1, rounds)}


def _kind(way: str) -> Any:
    return way


def _random_match(game: Game, role: str, seed: int) -> Iterator[tuple[State | None, State, Move | None]]:
    """The states of a random match, each with the one before and the role's move there."""
    chance, state = random.Random(seed), game.initial
    yield None, state, None
    for _ in range(MOST_ROUNDS):
        if state.is_terminal or not all(state.legal(each) for each in game.roles):
            return
        joint = {each: chance.choice(state.legal(each)) for each in game.roles}
        before, state = state, state.after(joint)
        yield before, state, joint[game.role(role)]


def table(plan: Plan) -> str:
    """What is always known: legal moves, end, goal; and the time for 1,000 rounds."""
    found = {(noted["game"], noted["role"]): noted for noted in plan.noted("filtering")}
    rows = []
    for row in ROWS:
        noted = found.get((row.source.title, row.role))
        if plan.wants(row.source.title) and noted is not None:
            rows.append([f"{row.source.title} ({row.role + 1})", " ".join(row.paper), row.seconds,
                         *(cell for way in WAYS for cell in _cells(noted[way]))])
    heads = ["game (role)", "Table 1", "its s", *(head for way in WAYS for head in (f"`{way}`", "s"))]
    return ("Whether a role always knows its legal moves, that the game is over, and its goal (X: always), and seconds "
            f"of the processor for 1,000 rounds:\n\n{markdown(heads, rows)}")


def _cells(measured: dict[str, Any]) -> tuple[str, str]:
    if "failed" in measured:
        return "–", measured["failed"][:60]
    answers = " ".join("X" if measured[what] else "no" for what in ("legal", "terminal", "goal"))
    return answers, f"{measured['seconds']:.2f}"
