"""`flux` against `mcts` and `cadia`, all as they come, at a tenth of a second a move, until a sequential test has an
answer: what knowing the rules is worth beside playing millions of matches."""

from __future__ import annotations

from collections.abc import Iterator

from experiments import games
from experiments.meetings import Meeting, play_all
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents
from ludorum.match.sequential import Hypotheses

#: Those of the library first, so that a run without the corpus shows something; what takes long comes last.
GAMES = (
    games.CHOMP, games.CONNECT_FOUR, games.KNIGHTTHROUGH, games.BREAKTHROUGH, games.NIM_4, games.PAWN_WHOPPING,
    games.BREAKTHROUGH_SUICIDE, games.QUBIC, games.CHINESE_CHECKERS_2, games.SHEEP_AND_WOLF, games.CONNECT_FIVE,
    games.TTCC4, games.QUAD, games.BATTLE, games.OTHELLO, games.CHECKERS, games.MERRILLS, games.SKIRMISH,
)
OPPONENTS = ("mcts", "cadia")

SECONDS = 0.1
MATCHES = 60
HYPOTHESES = Hypotheses()
#: Searches that value what they see may avoid the end for long.
MOST_STEPS = 300


def run(plan: Plan) -> None:
    play_all(plan, "flux_against_mcts", _meetings(plan))


def table(plan: Plan) -> str:
    """What came of every game and opponent, the faults of `flux` and of the opponent, and what it took."""
    rows, spent = [], 0.0
    verdicts: dict[str, list[str]] = {opponent: [] for opponent in OPPONENTS}
    with plan.archive("flux_against_mcts") as archive:
        for meeting in _meetings(plan):
            if not meeting.source.is_here:
                continue
            result = meeting.result(archive)
            if not result.pairs:
                continue
            found = result.comparison
            verdicts[meeting.b[0]].append(found.verdict)
            spent += found.cpu_seconds
            rows.append([meeting.source.title, f"`{meeting.b[0]}`", "–".join(map(str, result.counts)),
                         percent(found.score), percents(*found.interval), found.matches, found.verdict,
                         "{} + {}".format(*found.errors), f"{found.cpu_seconds:,.0f}"])
    counted = "; ".join(f"against `{opponent}` {found.count('better')} games better, {found.count('not better')} not "
                        f"better, {found.count('open')} open" for opponent, found in verdicts.items())
    return (markdown(["game", "against", "won–drawn–lost", "score", "95 %", "matches", "`flux` is", "faults", "CPU s"],
                     rows) + f"\n{counted}. CPU time spent: {spent / 60:,.0f} minutes.\n")


def _meetings(plan: Plan) -> Iterator[Meeting]:
    for source in GAMES:
        if plan.wants(source.title):
            for opponent in OPPONENTS:
                yield Meeting(f"flux-{opponent}", source, ("flux", "flux"), (opponent, opponent),
                              plan.matches or MATCHES, plan.seconds or SECONDS, HYPOTHESES, MOST_STEPS)
