"""Pictures of games with secrets: sizes of beliefs by turn, a strategy, and what can be gained by the time spent."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import log10

import ludorum
from ludorum._core import RegretMatching
from ludorum.belief import Belief
from ludorum.equilibrium import GameTree, solve
from ludorum.report import svg

#: Games whose beliefs are followed, for their first role in the random match of this seed.
FOLLOWED = ("transit", "phantomtictactoe", "battleshipsinfog", "kriegtictactoe")
SEED, MOST_TURNS = 4, 8
ROUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
COLOURS = ("#2a6f97", "#c1666b", "#6a994e", "#8e6c8a")
# The frame of a chart.
_LEFT, _TOP, _WIDTH, _HEIGHT = 56.0, 20.0, 420.0, 220.0


def belief_sizes() -> str:
    """How many states are possible after each turn."""
    curves = {name: list(enumerate(_sizes(name), start=1)) for name in FOLLOWED}
    return chart(curves, "states that are possible for the first role, by turn", "turn", logarithmic_x=False)


def _sizes(name: str) -> Iterator[float]:
    game = ludorum.load(name)
    role, state, chance = game.roles[0], game.initial, random.Random(SEED)
    belief = Belief(game, role, seed=0)
    while not state.is_terminal and belief.turns < MOST_TURNS:
        joint = {each: chance.choice(state.legal(each)) for each in game.roles}
        state = state.after(joint)
        belief.perceived(joint[role], state.percepts[role])
        if not belief.is_exact:
            return
        yield len(belief)


def left_to_gain() -> str:
    """What all players together could gain after so many rounds of regret matching, which is the time they take."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for name in ("leducpoker", "liarsdice4"):
        tree = GameTree.grow(ludorum.load(name))
        for kind, is_predictive in (("CFR+", False), ("PCFR+", True)):
            regrets, points = RegretMatching(tree.core, is_predictive), []
            for rounds in ROUNDS:
                regrets.run(rounds - regrets.rounds)
                points.append((float(rounds), tree.nash_conv(regrets.average())))
            curves[f"{name}, {kind}"] = points
    return chart(curves, "points that could be gained, by rounds of regret matching", "round")


def strategies() -> str:
    """How Kuhn poker is played: a row an information set, the likelihood of each move as a bar."""
    found = solve(ludorum.load("kuhnpoker"))
    parts, y = [], 24.0
    for role in found.tree.players:
        parts.append(svg.text(8, y, str(role), size=13, anchor="start"))
        plan = found.plans[found.tree.players.index(role)]
        for (history, choices), reach in zip(found.choices(role).items(), found.tree.reach(role, plan), strict=True):
            if not reach:
                continue
            y += 22
            told = [str(percept) for _, percepts in history for percept in sorted(percepts, key=str)]
            parts.append(svg.text(16, y, ", ".join(told), anchor="start"))
            x = 250.0
            for number, (move, share) in enumerate(sorted(choices.items(), key=lambda item: str(item[0]))):
                width = 200 * share
                if share > 0.001:
                    parts.append(svg.rectangle(x, y - 8, width, 16, ("#d4e4ef", "#f2d7d9")[number % 2], stroke="#fff"))
                    parts.append(svg.text(x + width / 2, y, f"{move} {share:.2f}" if share > 0.25 else f"{share:.2f}",
                                          size=10))
                x += width
        y += 30
    return svg.picture(470, y, parts, title="an equilibrium of Kuhn poker: what each player knows, and what it does")


def chart(curves: Mapping[str, Sequence[tuple[float, float]]], title: str, below: str, *,
          logarithmic_x: bool = True) -> str:
    """Curves on a logarithmic scale of heights."""
    def across(value: float) -> float:
        return log10(value) if logarithmic_x else value

    xs = [across(x) for points in curves.values() for x, _ in points]
    ys = [log10(y) for points in curves.values() for _, y in points]
    low, high = int(min(ys) - 0.999), int(max(ys) + 0.999)
    parts = []
    for power in range(low, high + 1):
        y = _TOP + _HEIGHT * (high - power) / (high - low)
        parts.append(svg.line(_LEFT, y, _LEFT + _WIDTH, y, stroke="#ddd"))
        parts.append(svg.text(_LEFT - 6, y, f"{10.0 ** power:,g}", anchor="end", size=10))
    for value in sorted({x for points in curves.values() for x, _ in points}):
        x = _LEFT + _WIDTH * (across(value) - min(xs)) / (max(xs) - min(xs))
        parts.append(svg.text(x, _TOP + _HEIGHT + 12, f"{value:,.0f}", size=10))
    parts.append(svg.text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 30, below))
    ends: list[tuple[float, str, str]] = []
    for number, (name, points) in enumerate(curves.items()):
        places = [(_LEFT + _WIDTH * (across(x) - min(xs)) / (max(xs) - min(xs)),
                   _TOP + _HEIGHT * (high - log10(y)) / (high - low)) for x, y in points]
        colour = COLOURS[number % len(COLOURS)]
        parts += [svg.line(*one, *other, stroke=colour, width=2)
                  for one, other in pairwise(places)]
        ends.append((places[-1][1], name, colour))
    lowest = 0.0
    for y, name, colour in sorted(ends):
        # Names stand below each other where curves end close together.
        lowest = max(y, lowest + 13)
        parts.append(svg.text(_LEFT + _WIDTH + 8, lowest, name, anchor="start", fill=colour))
    return svg.picture(_LEFT + _WIDTH + 150, _TOP + _HEIGHT + 44, parts, title=title)
