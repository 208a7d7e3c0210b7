"""How random matches of a game end: with a goal for everybody, without, stuck, or not at all."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ludorum.engines.playouts import UNDEFINED, Outcome
from ludorum.game import Game, Role, State
from ludorum.gdl.diagnostics import Diagnostic, Findings
from ludorum.gdl.rulesheet import Rule
from ludorum.gdl.terms import Span, Variable
from ludorum.gdl.words import RANDOM

# So many matches, or as many as make so many states: engines differ in what a state costs.
_MATCHES = 1024
_STATES = {"circuit": 2_000_000, "relations": 5_000}
_FEW_STATES = 500
_FIRST = 16
_MAX_STEPS = 10_000
# Looking for an example of what went wrong may take so many states, one by one.
_EXAMPLE_STATES = 1_000
# An example that is longer explains nothing.
_LONGEST_EXAMPLE = 80


@dataclass(frozen=True, slots=True)
class Trial:
    """The ends of random matches, counted."""

    game: Game
    matches: int
    finished: int
    stuck: int
    cut: int
    #: By role, how many matches finished where the rules give it no goal value, or several; not for `random`.
    undefined: dict[str, int]

    def __str__(self) -> str:
        parts = [f"{self.of_matches(count)} {says}" for count, says in (
            (self.stuck, "get stuck, for some role has no legal move"),
            (self.cut, f"go on for more than {_MAX_STEPS:,} steps")) if count]
        parts += [f"{self.of_matches(count)} end without a goal for {role}" for role, count in self.undefined.items()
                  if count]
        return "; ".join(parts) or f"{self.of_matches(self.finished)} end with a goal for everybody"

    def of_matches(self, count: int) -> str:
        """So many of the random matches, as a part of them in words."""
        if count == self.matches:
            return f"all of {self.matches:,} random matches"
        share = 100 * count / self.matches
        return f"{share:.1f} % of {self.matches:,} random matches"

    @property
    def has_undefined(self) -> bool:
        return any(self.undefined.values())

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong with the rules by the look of it."""
        found = Findings(self.game.rules.source)
        if self.stuck:
            state = next((state for state in _ends(self.game) if not state.is_terminal), None)
            roles = [] if state is None else stuck_roles(state)
            who = " and ".join(roles) or "some role"
            place = _place(self.game, "legal", roles)
            found.add("stuck-match", f"{who} has no legal move, and the game goes on", place,
                      f"so {self.of_matches(self.stuck)} get stuck", _example(state))
        for role, count in self.undefined.items():
            if count:
                state = next((state for state in _ends(self.game)
                              if state.is_terminal and state.goals[role] is None), None)
                found.add("undefined-goal", f"the game can end without a goal for {role}",
                          _place(self.game, "goal", [role]), f"none, or several, in {self.of_matches(count)}",
                          _example(state))
        return found.diagnostics


def trial(game: Game, *, seed: int = 0) -> Trial:
    """Play random matches and count how they end. The number of matches depends on the game alone, never on a clock."""
    states, matches = 0, 0
    counts = dict.fromkeys(Outcome, 0)
    undefined: dict[str, int] = dict.fromkeys((role for role in game.roles if role != RANDOM), 0)
    most = _STATES.get(game.engine, _FEW_STATES)
    size = _FIRST
    while matches < _MATCHES and states < most:
        played = game.playouts(size, seed=seed + matches, max_steps=min(_MAX_STEPS, most))
        states += played.states
        matches += len(played)
        for outcome in Outcome:
            counts[outcome] += played.count(outcome)
        ended = played.goals[played.outcomes == Outcome.FINISHED]
        for number, role in enumerate(game.roles):
            if role in undefined:
                undefined[role] += int((ended[:, number] == UNDEFINED).sum())
        size = matches
    return Trial(game, matches, counts[Outcome.FINISHED], counts[Outcome.STUCK], counts[Outcome.CUT], undefined)


def stuck_roles(state: State) -> list[Role]:
    """The roles without a legal move in a state that is not terminal."""
    return [] if state.is_terminal else [role for role in state.game.roles if not state.legal(role)]


def _ends(game: Game) -> Iterator[State]:
    """The last states of random matches, played one by one."""
    choose = random.Random(0)
    left = _EXAMPLE_STATES
    while left > 0:
        state = game.initial
        while left > 0 and not state.is_terminal and not stuck_roles(state):
            state = state.after({role: choose.choice(state.legal(role)) for role in state.choosers})
            left -= 1
        left -= 1
        if state.is_terminal or stuck_roles(state):
            yield state


def _example(state: State | None) -> str:
    if state is None:
        return ""
    text = " ".join(sorted(map(str, state.fluents)))
    return f"for example where {text} holds" if len(text) <= _LONGEST_EXAMPLE else ""


def rules_for(game: Game, relation: str, role: str) -> list[Rule]:
    """The rules by which a role may have a legal move or a goal."""
    return [rule for rule in game.rules.rules if rule.head.name == relation
            and (isinstance(rule.head.args[0], Variable) or str(rule.head.args[0]) == role)]


def _place(game: Game, relation: str, roles: Iterable[str]) -> Span:
    """The first of the rules that should have spoken of these roles, or of any."""
    rules = [rule for role in roles or game.roles for rule in rules_for(game, relation, role)]
    return next((rule.head.span for rule in rules if rule.head.span is not None), Span(0, 0))
