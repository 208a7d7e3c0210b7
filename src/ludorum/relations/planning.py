"""Plans of joins for a game: made, tried out in random play, and made again from what that showed.

In the literature: join ordering by measured sizes, and the choice between materialized and top-down evaluated
relations; for games Schofield, Saffidine 2013 (high-speed forward chaining).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ludorum._core import OutOfMemory, OutOfTime, RelationsSimulator, Unstratified
from ludorum.clock import NEVER, Deadline
from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import Relation, relevant
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term
from ludorum.relations.compiling import Analysis, Compiled, compile_plans
from ludorum.relations.estimates import Estimates, Pattern, Row
from ludorum.relations.program import JoinProgram

# A trial plays so many states, as the authors of the idea did, or takes so many steps. Steps are the same wherever the
# rules are loaded, and so are the plans that come of them.
_STATES = 600
_STEPS = 6_000_000
# In the first trial plans may be bad: what it takes longer than this to answer is left alone.
_TRIAL_ANSWER_TIMEOUT_S = 2.0
# As often, at most, the order of conditions is worked out again from what the last trial showed, and so many relations
# are tried the other way.
_ROUNDS = 6
_OTHER_WAYS = 6
# No trial begins after so many steps, which are more than trials take in most games: about ten seconds. To expect
# something of a condition, when plans are made, takes as long as so many steps of the core.
_LATEST = 80_000_000
_EXPECTING = 150
# So many states are kept row by row, and so many rows of a relation that never changes.
_KEPT = 40
_ROWS = 20_000
# Terms of more symbols than this are not looked at; they may nest deeper than Python can follow.
_LONGEST = 200
# Rows have room for at least so many times the fluents and percepts that the trials met with; and for more moves, as
# a piece that stands at home has shown few of its own.
_ROOM = 4
_ROOM_OF_MOVES = 16
_MOST_MOVES = 1 << 16


@dataclass(frozen=True)
class JoinPlans:
    """A game as join plans, what runs them, and how they came about."""

    program: JoinProgram
    simulator: RelationsSimulator
    report: dict[str, Any] = field(default_factory=dict)


@dataclass
class _Trial:
    compiled: Compiled
    materialized: frozenset[Relation]
    simulator: RelationsSimulator
    sample: dict[str, Any]

    @property
    def work(self) -> float:
        """Steps a state; infinite if it could not be measured."""
        if self.sample["is_cut_short"] or not self.sample["states"]:
            return float("inf")
        return float(self.sample["work"] / self.sample["states"])


def plan_joins(rules: Rulesheet, *, deadline: Deadline = NEVER, seconds: float = 60.0,
               memory_mb: int = 4096) -> JoinPlans:
    """Plans for the rules of a game; a question may then take so many seconds and so much memory.

    After the deadline plans that work are made no better, so that they are not the same everywhere.
    """
    return _Planning(rules, memory_mb, deadline).run(seconds, memory_mb)


class _Planning:
    def __init__(self, rules: Rulesheet, memory_mb: int, deadline: Deadline) -> None:
        self.analysis = Analysis(relevant(flatten(rules)), rules.roles)
        self.memory_mb = memory_mb
        self.deadline = deadline
        self.start = time.process_time()
        self.trials = 0
        #: Steps of all trials and of making their plans.
        self.steps = 0
        #: What calls cost in the latest trial that made them.
        self.calls: dict[Pattern, tuple[int, int, int, int]] = {}
        roles = len(rules.roles)
        self.no_room = (1, [1] * roles, [1] * roles)

    def run(self, seconds: float, memory_mb: int) -> JoinPlans:
        materialized = self.analysis.materialized_by_default()
        best = last = self._try(materialized, self._first_estimates())
        stale = 0
        for _ in range(_ROUNDS):
            if self.deadline.passed and best.work < float("inf"):
                break
            # A round that was no better still showed what its calls cost.
            last = self._try(materialized, self._estimates(last))
            stale = 0 if last.work < 0.99 * best.work else stale + 1
            best = min(last, best, key=lambda trial: trial.work)
            if stale == 3 or self.steps > _LATEST / 2:
                break
        best = self._try_materializing(best)
        simulator = best.compiled.program.simulator(self._room(best), seconds=seconds, memory_mb=memory_mb)
        report = {
            "procedures": len(best.compiled.program.procedures),
            "whole": sorted(f"{name}/{arity}" for name, arity in best.materialized - self.analysis.facts),
            "trials": self.trials,
            "steps_per_state": None if best.work == float("inf") else best.work,
            "planning_seconds": time.process_time() - self.start,
        }
        return JoinPlans(best.compiled.program, simulator, report)

    def _try(self, materialized: frozenset[Relation], estimates: Estimates) -> _Trial:
        self.trials += 1
        compiled = compile_plans(self.analysis, materialized, estimates)
        simulator = compiled.program.simulator(self.no_room, seconds=_TRIAL_ANSWER_TIMEOUT_S, memory_mb=self.memory_mb)
        trial = _Trial(compiled, materialized, simulator, simulator.sample(_STATES, _STEPS, 1, _KEPT))
        self.steps += trial.sample["work"] + _EXPECTING * compiled.expectations
        self.calls |= {pattern: tally for pattern, tally in _calls(trial).items() if tally[1]}
        return trial

    def _try_materializing(self, best: _Trial) -> _Trial:
        """With more relations computed whole, as long as that pays: those first that took the most steps."""
        busiest = [relation for relation in self._busiest(best)
                   if relation not in best.materialized and relation not in self.analysis.recursion]
        for relation in busiest[:_OTHER_WAYS]:
            if self.steps > _LATEST or best.work == float("inf") or self.deadline.passed:
                break
            trial = self._try(best.materialized | {relation}, self._estimates(best))
            if trial.work < 0.97 * best.work:
                best = trial
        return best

    def _busiest(self, trial: _Trial) -> list[Relation]:
        work: dict[Relation, int] = {}
        for pattern, (_, _, _, steps) in _calls(trial).items():
            work[pattern[0]] = work.get(pattern[0], 0) + steps
        return sorted(work, key=lambda relation: -work[relation])

    # ---- what a trial showed ----

    def _first_estimates(self) -> Estimates:
        return Estimates(extents={relation: [self._facts(relation)] for relation in self.analysis.facts},
                         recursive=self.analysis.recursion, finiteness=self.analysis.finiteness)

    def _facts(self, relation: Relation) -> list[Row]:
        heads = [clause.head for clause in self.analysis.clauses[relation]]
        return [tuple(argument for argument in head.args if isinstance(argument, Term)) for head in heads]

    def _estimates(self, trial: _Trial) -> Estimates:
        if not trial.sample["states"]:
            return self._first_estimates()
        symbols = trial.compiled.program.symbols
        extents: dict[Relation, Sequence[Sequence[Row]]] = dict(self._first_estimates().extents)
        extents["true", 1] = [[(symbols.term(text),) for text in texts if len(text) <= _LONGEST]
                              for texts in trial.sample["true"]]
        extents["does", 2] = self._joint_moves(trial)
        sizes = {}
        for number, relation in enumerate(trial.compiled.sets):
            sizes[relation] = trial.sample["sizes"][number] / trial.sample["states"]
            if relation in self.analysis.static and relation not in extents:
                with suppress(OutOfTime, OutOfMemory, Unstratified):
                    rows = trial.simulator.extent(number, _ROWS)
                    extents[relation] = [[tuple(map(symbols.term, row)) for row in rows
                                          if max(map(len, row), default=0) <= _LONGEST]]
        latest = {pattern for pattern, tally in _calls(trial).items() if tally[1]}
        return Estimates(extents, dict(self.calls), latest, sizes, self.analysis.recursion, self.analysis.finiteness)

    def _joint_moves(self, trial: _Trial) -> list[list[Row]]:
        """Some combinations of moves that roles were seen to have."""
        symbols, random = trial.compiled.program.symbols, Random(0)
        moves = self._known_moves(trial)
        if not all(moves):
            return []
        return [[(role, symbols.term(random.choice(of_role)))
                 for role, of_role in zip(self.analysis.roles, moves, strict=True)] for _ in range(_KEPT)]

    def _known_moves(self, trial: _Trial) -> list[list[list[int]]]:
        """For every role the texts of moves that were met with."""
        _, counts, _ = trial.simulator.known()
        texts = [[trial.simulator.move(role, i) for i in range(count)] for role, count in enumerate(counts)]
        return [[text for text in of_role if len(text) <= _LONGEST] for of_role in texts]

    def _room(self, trial: _Trial) -> tuple[int, list[int], list[int]]:
        """For how many fluents, moves and percepts there is room in rows of bits."""
        symbols = trial.compiled.program.symbols
        fluents, moves, percepts = trial.simulator.known()
        terms = [list(map(symbols.term, of_role)) for of_role in self._known_moves(trial)]
        return (_ROOM * fluents + 64,
                [max(_ROOM_OF_MOVES * count + 64, min(_MOST_MOVES, _combinations(of_role)))
                 for count, of_role in zip(moves, terms, strict=True)],
                [_ROOM * count + 64 for count in percepts])


def _calls(trial: _Trial) -> Mapping[Pattern, tuple[int, int, int, int]]:
    return {pattern: tally for pattern, tally
            in zip(trial.compiled.patterns, trial.sample["tallies"], strict=True) if pattern is not None}


def _combinations(terms: Iterable[Term]) -> int:
    """How many terms there are if every argument takes every value that it was seen with."""
    values: dict[tuple[str, int], list[set[Term]]] = {}
    for term in terms:
        columns = values.setdefault((term.name, len(term.args)), [set() for _ in term.args])
        for column, argument in zip(columns, term.args, strict=True):
            if isinstance(argument, Term):
                column.add(argument)
    total = 0
    for columns in values.values():
        product = 1
        for column in columns:
            product *= len(column)
        total += product
    return total
