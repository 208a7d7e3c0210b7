"""What moves are worth to HyperPlay, to HyperPlay-II and to `ismcts`, as in Tables 3 and 4 of Schofield, Cerexhe and
Thielscher (2013).

There: exploding bomb, where the agent may ask which wire is armed, and Spy vs. Spy, where the armer may tell the cutter
which wire it armed. The labels of round 2 are swapped in the paper's table: by its rules the armed wire explodes. There
the old player has waited and the new one has asked, as each does. Every value is the mean over repeated searches, with
the half width of its 99 % interval.

Then whole matches, as in its Figures 4 and 5. Banker and Thief: how much the banker leaves in the bank that counts;
what the thief does is no matter, it moves after all deposits. Battleships in Fog: HyperPlay-II at index 4 against
HyperPlay with as many playouts. Nobody has a clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from experiments.games import Source
from experiments.meetings import Meeting, play_all, played
from experiments.plan import Plan
from experiments.tables import markdown, percent, wilson
from ludorum import load
from ludorum.belief import Belief
from ludorum.clock import NEVER
from ludorum.match import conduct
from ludorum.match.player_spec import seat_for
from ludorum.players import join_match, named
from ludorum.players.player import PlaysInDoubt

SEARCHES = 100
#: The paper's index 16 for the old player has as many playouts as index 4 for the new one.
PLAYERS = ("hyperplay:n=16", "hyperplay2:n=4", "ismcts:playouts=2000")
BANKERS = ("hyperplay:n=64", "hyperplay2:n=4", "hyperplay2:n=8")
BANKER_MATCHES, SHIP_MATCHES = 100, 200
# Of the normal distribution, for 99 %.
_Z = 2.576


@dataclass(frozen=True)
class Question:
    """A moment of a game by what its role did and was told, and what the paper measured there for each move."""

    game: str
    role: str
    turns: tuple[tuple[str, tuple[str, ...]], ...]
    title: str
    #: Move, then HyperPlay's and HyperPlay-II's value in the paper.
    moves: tuple[tuple[str, str, str], ...]


QUESTIONS = (
    Question("explodingbomb", "agent", (("noop", ()),), "exploding bomb, round 1",
             (("ask", "45.04", "90.00"), ("wait", "49.98", "49.91"))),
    Question("explodingbomb", "agent", (("noop", ()), ("wait", ())), "round 2, after waiting",
             (("(cut blue)", "50.60", "–"), ("(cut red)", "49.40", "–"))),
    Question("explodingbomb", "agent", (("noop", ()), ("ask", ("(armed red)",))), "round 2, red is armed",
             (("(cut blue)", "–", "90.00"), ("(cut red)", "–", "0.00"))),
    Question("spyvsspy", "armer", (), "Spy vs. Spy, round 1",
             (("(arm blue tell)", "60.00", "20.00"), ("(arm red tell)", "60.04", "20.00"),
              ("(arm blue hide)", "39.98", "40.36"), ("(arm red hide)", "39.99", "39.45"))),
)


def run(plan: Plan) -> None:
    searches = plan.matches or SEARCHES
    done = {(noted["title"], noted["player"]): noted["searches"] for noted in plan.noted("hyperplay")}
    with plan.notes("hyperplay") as note:
        for question in QUESTIONS:
            for player in PLAYERS:
                if plan.wants(question.game) and done.get((question.title, player), 0) < searches:
                    plan.tell(f"{question.title}: {player}")
                    values = list(_values(question, player, searches))
                    note({"title": question.title, "player": player, "searches": searches,
                          "values": {move: [found[move] for found in values] for move, _, _ in question.moves}})
    _play_bankers(plan)
    if plan.wants("battleshipsinfog"):
        play_all(plan, "hyperplay", [_ships(plan)])


def _ships(plan: Plan) -> Meeting:
    return Meeting("hyperplay2-hyperplay", Source("battleshipsinfog", "battleshipsinfog"),
                   ("HyperPlay-II", "hyperplay2:n=4"), ("HyperPlay", "hyperplay:n=16"), plan.matches or SHIP_MATCHES)


def _play_bankers(plan: Plan) -> None:
    """Notes of every match what lay in the bank that counts."""
    matches = plan.matches or BANKER_MATCHES
    done = {(noted["player"], noted["seed"]) for noted in plan.noted("hyperplay-banker")}
    if not plan.wants("bankerandthief"):
        return
    game = load("bankerandthief")
    with plan.notes("hyperplay-banker") as note:
        for player in BANKERS:
            plan.tell(f"{game.name}: {player}")
            for seed in range(matches):
                if (player, seed) not in done:
                    seats = {"banker": seat_for(player, seed=seed), "thief": seat_for("random", seed=seed)}
                    record = conduct(game, seats, seed=seed)
                    counts = str(record.moves[0]["random"]).strip("()").split()[1]
                    kept = sum(10 for joint in record.moves if str(joint["banker"]) == f"(deposit {counts})")
                    note({"player": player, "seed": seed, "kept": kept, "errors": len(record.errors)})


def _values(question: Question, player: str, searches: int) -> Iterator[dict[str, float]]:
    game = load(question.game)
    for seed in range(searches):
        belief = Belief(game, question.role, seed=seed)
        for move, percepts in question.turns:
            belief.perceived(move, percepts)
        if not belief.is_consistent:
            raise ValueError(f"{question.title}: nobody is told that")
        playing = join_match(named(player, seed=seed), game, question.role)
        assert isinstance(playing, PlaysInDoubt)
        playing.move_in_doubt(belief, NEVER)
        assert playing.info is not None
        yield {str(move): value for move, value in playing.info.values.items()}


def table(plan: Plan) -> str:
    """Every move with what the paper measured and what is measured here."""
    found = {(noted["title"], noted["player"]): noted["values"] for noted in plan.noted("hyperplay")}
    rows = []
    for question in QUESTIONS:
        for move, old, new in question.moves:
            here = [_interval(found[question.title, player][move]) if (question.title, player) in found else "–"
                    for player in PLAYERS]
            rows.append([f"{question.title}: `{move}`", old, new, *here])
    heads = ["move", "HyperPlay, paper", "HyperPlay-II, paper", *(f"`{player}`" for player in PLAYERS)]
    return (f"Mean values of moves, with half of the 99 % interval:\n\n{markdown(heads, rows)}\n"
            f"{_bankers(plan)}\n{_battles(plan)}")


def _bankers(plan: Plan) -> str:
    """How much is in the bank that counts, and in how many matches."""
    found: dict[str, Counter[int]] = {player: Counter() for player in BANKERS}
    for noted in plan.noted("hyperplay-banker"):
        if noted["player"] in found:
            found[noted["player"]][noted["kept"]] += 1
    rows = [[f"`{player}`", kept.total(), percent(kept[40] / kept.total()),
             ", ".join(f"{money}: {times}" for money, times in sorted(kept.items()))]
            for player, kept in found.items() if kept]
    heads = ["banker", "matches", "40, % of them", "deposited in the bank that counts: matches"]
    return f"Banker and Thief, two banks:\n\n{markdown(heads, rows)}"


def _battles(plan: Plan) -> str:
    rows = []
    for meeting, result in played(plan, "hyperplay", [_ships(plan)]):
        won, drawn, lost = result.counts
        low, high = wilson(won, won + drawn + lost)
        turns = fmean([len(record.moves) - 1 for record in result.records]) if result.pairs else 0.0
        rows.append([f"`{meeting.a[1]}` against `{meeting.b[1]}`", f"{won}–{drawn}–{lost}",
                     f"{percent(won / max(1, won + drawn + lost))} ({100 * low:.0f} to {100 * high:.0f})",
                     f"{turns:.1f}"])
    return f"Battleships in Fog, 4×4:\n\n{markdown(['who', 'won–drawn–lost', 'won, %', 'mean turns'], rows)}"


def _interval(values: list[float]) -> str:
    spread = _Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{fmean(values):.2f} ± {spread:.2f}"
