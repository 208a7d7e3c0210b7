"""Is a player better than others? Matches until a sequential test has an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from experiments.games import Source
from experiments.meetings import Meeting, Result, play_all, played
from experiments.plan import Plan
from experiments.tables import markdown, percent, percents
from ludorum.clock import Kind
from ludorum.sequential import Hypotheses

SECONDS = 0.1
MATCHES = 60
HYPOTHESES = Hypotheses()
#: Searches that value what they see may avoid the end for long.
MOST_STEPS = 300


@dataclass(frozen=True)
class Against:
    """A player as it comes against others as they come, at a tenth of a second a move."""

    experiment: str
    player: str
    opponents: tuple[str, ...]
    games: tuple[Source, ...]
    #: Seconds before the first move.
    start_clock: float | None = None
    #: Whether the player picks another to play for it, and the table is to say whom.
    picks: bool = False
    #: What the clocks count.
    clocks_of: Kind = "wall"

    def run(self, plan: Plan) -> None:
        play_all(plan, self.experiment, self._meetings(plan))

    def table(self, plan: Plan) -> str:
        """What came of every game and opponent, the faults of the player and of the opponent, and what it took."""
        rows, spent = [], 0.0
        verdicts: dict[str, list[str]] = {opponent: [] for opponent in self.opponents}
        for meeting, result in played(plan, self.experiment, self._meetings(plan)):
            found = result.comparison
            verdicts[meeting.b[0]].append(found.verdict)
            spent += found.cpu_seconds
            rows.append([meeting.source.title, f"`{meeting.b[0]}`", "–".join(map(str, result.counts)),
                         percent(found.score), percents(*found.interval), found.matches, found.verdict,
                         *([self._picked(result)] if self.picks else []),
                         "{} + {}".format(*found.errors), f"{found.cpu_seconds:,.0f}"])
        counted = "; ".join(f"against `{opponent}` {found.count('better')} games better, {found.count('not better')} "
                            f"not better, {found.count('open')} open" for opponent, found in verdicts.items())
        heads = ["game", "against", "won–drawn–lost", "score", "95 %", "matches", f"`{self.player}` is",
                 *(["it picked"] if self.picks else []), "faults", "CPU s"]
        return f"{markdown(heads, rows)}\n{counted}. CPU time spent: {spent / 60:,.0f} minutes.\n"

    def _picked(self, result: Result) -> str:
        """Who played for the player, and how often, by what it said of its first thoughts in a match."""
        picked: Counter[str] = Counter()
        for record in result.records:
            said = (thought.method for thoughts in record.thoughts for role, thought in thoughts.items()
                    if record.players[role] == self.player and ", since " in thought.method)
            picked[next(said, "").partition("; ")[2].partition(", since ")[0] or "?"] += 1
        return ", ".join(f"{name} {times}" for name, times in picked.most_common())

    def _meetings(self, plan: Plan) -> Iterator[Meeting]:
        for source in self.games:
            if plan.wants(source.title):
                for opponent in self.opponents:
                    yield Meeting(f"{self.player}-{opponent}", source, (self.player, self.player),
                                  (opponent, opponent), plan.matches or MATCHES, plan.seconds or SECONDS, HYPOTHESES,
                                  MOST_STEPS, self.start_clock and (plan.start_clock or self.start_clock),
                                  self.clocks_of)
