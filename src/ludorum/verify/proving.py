"""From a game and formulas to verdicts: by one engine after the other, until one of them knows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ludorum.analysis.proofs import Proof
from ludorum.analysis.proofs import prove as prove_properties
from ludorum.analysis.proofs.properties.catalogue import ABOUT, PLAIN
from ludorum.analysis.proofs.proving import WORK, Method
from ludorum.belief.hiding import hides
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.game import Game
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.verify.circuit_engine import CircuitEngine
from ludorum.verify.evidence import Match, explain, look_alike
from ludorum.verify.finding import Finding
from ludorum.verify.formulas import (
    TRUE,
    Along,
    Counted,
    Formula,
    Implies,
    Junction,
    Knows,
    Not,
    Paths,
    Surely,
    Until,
    Whether,
    conjunction,
    counted,
    disjunction,
    is_of_states,
    negation,
    roles_that_know,
    subformulas,
)
from ludorum.verify.parsing import is_formula
from ludorum.verify.partial import PartialEvaluation
from ludorum.verify.points import MOST_POINTS, Points, points
from ludorum.verify.strategies import surely
from ludorum.verify.truth import Evaluation, memory_of
from ludorum.verify.vocabulary import Vocabulary, resolve, well_formed
from ludorum.verify.world import CircuitWorld, World, world

# So many points are looked at before anything else is tried: it takes less than thinking.
FEW_POINTS = 20_000
# A longer formula says less than the words that it was asked with.
_WIDEST = 200
# No more steps are looked at one after the other.
_MOST_STEPS = 60


@dataclass(frozen=True, slots=True)
class FormulaProof(Proof):
    """A formula with its verdict; `matches` show why, where matches can, the first of which are the `moves`."""

    matches: tuple[Match, ...] = ()

    def to_json(self) -> dict[str, Any]:
        found = Proof.to_json(self)
        if self.matches:
            found["matches"] = [{"moves": [[str(move) for move in joint] for joint in match.moves],
                                 **({"roles": list(match.roles), "like": match.like} if match.like is not None else {})}
                                for match in self.matches]
        return found


def prove(game: Game, *properties: str, budget: Budget | None = None, seed: int = 0,
          method: Method | None = None) -> list[Proof]:
    """Proofs of properties by name and of formulas of time and knowledge, in their order.

    Without any, of all properties that there are, and in a game with secrets of what roles know of their legal moves,
    the end and their goals. What the budget does not suffice for is `unknown`. Raises UnknownProperty, InvalidFormula.
    """
    budget = budget or Budget(WORK)
    if not properties:
        found = prove_properties(game, budget=budget.share(0.6 if hides(game) else 1.0), seed=seed, method=method)
        return [*found, *prove_knowledge(game, budget, seed=seed)] if hides(game) else found
    asked = [part for text in properties for part in _listed(game, text)]
    plain = [text for text, formula in asked if formula is None]
    # Formulas are resolved before anything is proved: whoever misspelt one should not have to wait.
    proofs = dict(zip(plain, prove_properties(game, *plain, budget=budget.share(len(plain) / len(asked)), seed=seed,
                                              method=method), strict=True)) if plain else {}
    verifier = Verifier(game, seed=seed)
    for number, (text, formula) in enumerate(asked):
        if formula is not None:
            proofs[text] = verifier.proof(text, formula, budget.share(1 / (len(asked) - number)))
    return [proofs[text] for text, _ in asked]


def prove_knowledge(game: Game, budget: Budget | None = None, *, seed: int = 0) -> list[Proof]:
    """What every role knows of its legal moves, of the end and of its goal."""
    budget = budget or Budget(WORK)
    vocabulary, verifier = Vocabulary(game), Verifier(game, seed=seed)
    texts = [f"{word} {role}" for role in vocabulary.players for word in ("knows_legal", "knows_end", "knows_goal")]
    return [verifier.proof(text, resolve(text, game), budget.share(1 / (len(texts) - number)))
            for number, text in enumerate(texts)]


def _listed(game: Game, text: str) -> list[tuple[str, Formula | None]]:
    """What is asked by a text: a property by name, a formula, or the six formulas of `well_formed`."""
    words = text.split()
    # In a game without secrets it is a property by name: there nobody needs to be told anything.
    if words == ["well_formed"] and hides(game):
        return list(well_formed(Vocabulary(game)))
    if (len(words) == 1 and words[0] in PLAIN) or (len(words) > 1 and words[0] in ABOUT) or not is_formula(text):
        return [(text, None)]
    return [(text, resolve(text, game))]


class Verifier:
    """Decides formulas about one game; what was found for one helps with the next."""

    def __init__(self, game: Game, *, seed: int = 0, few: int = FEW_POINTS, most: int = MOST_POINTS) -> None:
        """So few points are looked at before anything else is tried, and so many at most in the end."""
        self.game = game
        self._few, self._most = few, most
        self.seed = seed
        self._world: World | None = None
        self._engine: CircuitEngine | None = None
        self._points: dict[tuple[tuple[int, ...], tuple[object, ...]], Points] = {}
        self._too_many: dict[tuple[tuple[int, ...], tuple[object, ...]], int] = {}

    @property
    def world(self) -> World:
        if self._world is None:
            self._world = world(self.game)
        return self._world

    def proof(self, text: str, formula: Formula, budget: Budget) -> FormulaProof:
        """The verdict on a formula that is resolved."""
        start = time.perf_counter()
        if not hides(self.game):
            formula = in_the_open(formula)
        try:
            found = self.decide(formula, budget)
        except BudgetExceeded as error:
            found = Finding("unknown", str(error))
        seconds = time.perf_counter() - start
        first = found.matches[0].moves if found.matches else None
        says = shown if len(shown := str(formula)) < _WIDEST else text
        return FormulaProof(text, says, found.verdict, found.method, seconds, first, found.matches)

    def decide(self, formula: Formula, budget: Budget) -> Finding:
        """By all points if they are few, then part by part with the other engines, then by all points again."""
        found = self.exactly(formula, budget.share(0.3), self._few)
        if found.verdict != "unknown":
            return found
        found = self._in_parts(formula, budget.share(0.6))
        if found.verdict != "unknown":
            return found
        whole = self.exactly(formula, budget, self._most)
        return whole if whole.verdict != "unknown" else found

    def exactly(self, formula: Formula, budget: Budget, most: int) -> Finding:
        """By fixpoints over all points, if there are no more than so many."""
        try:
            found = self._all_points(formula, budget, most)
            evaluation = Evaluation(found, budget, surely)
            holds = bool(evaluation.holds(formula)[0])
        except BudgetExceeded as error:
            return Finding("unknown", str(error))
        method = {0: "all states", 1: "all beliefs"}.get(len(found.seats), "all points")
        matches = explain(evaluation, formula, budget)
        if not look_alike(self.game, matches):
            matches = ()
        return Finding("proved" if holds else "refuted", method, matches)

    def _all_points(self, formula: Formula, budget: Budget, most: int) -> Points:
        seats, memory = self._points_of(formula)
        labelled = any(isinstance(part, Surely) for part in subformulas(formula))
        key = seats, (labelled, *memory)
        if key not in self._points:
            if self._too_many.get(key, 0) >= most:
                raise BudgetExceeded(f"there are more than {most:,} points")
            try:
                self._points[key] = points(self.world, seats, memory, budget, most=most, labelled=labelled)
            except BudgetExceeded:
                self._too_many[key] = most
                raise
        return self._points[key]

    def _in_parts(self, formula: Formula, budget: Budget) -> Finding:
        """A conjunction by its parts, a negation by what is negated, and so on."""
        if not is_of_states(formula):
            # Of all matches: what is negated then, or one of several, is something else.
            formula = Paths("A", formula)
        match formula:
            case Not(body=body):
                return self._in_parts(body, budget).reversed()
            case Junction(word=word, parts=parts):
                return self._junction(word == "and", parts, budget)
        return self._one(formula, budget)

    def _junction(self, is_all: bool, parts: Sequence[Formula], budget: Budget) -> Finding:
        found: list[Finding] = []
        for number, part in enumerate(parts):
            finding = self.decide(part, budget.share(1 / (len(parts) - number)))
            if finding.verdict == ("refuted" if is_all else "proved"):
                return finding
            found.append(finding)
        unknown = next((finding for finding in found if finding.verdict == "unknown"), None)
        if unknown is not None:
            return unknown
        methods = ", ".join(dict.fromkeys(finding.method for finding in found))
        return Finding("proved" if is_all else "refuted", methods)

    def _one(self, formula: Formula, budget: Budget) -> Finding:
        """A formula that is no conjunction or the like, by the engines that look at a part of the game."""
        found = Finding("unknown", f"there are too many points, and {self.game.name} has no circuit")
        if isinstance(self.world, CircuitWorld):
            if self._engine is None:
                self._engine = CircuitEngine(self.world, seed=self.seed)
            found = self._engine.decide(formula, budget.share(0.7))
        near = found if found.is_known else self.near_the_beginning(formula, budget.share(0.5))
        return near if near.is_known else found

    def near_the_beginning(self, formula: Formula, budget: Budget) -> Finding:
        """By the points after a few steps, as far as they tell."""
        seats, memory = self._points_of(formula)
        try:
            for steps in range(1, _MOST_STEPS):
                found = points(self.world, seats, memory, budget, most=FEW_POINTS, depth=steps)
                evaluation = PartialEvaluation(found, budget)
                sure, possible = (bool(truth[0]) for truth in evaluation.bounds(formula))
                if sure or not possible:
                    # Where it is not certain what roles confuse, matches might show what is not so.
                    matches = () if roles_that_know(formula) else explain(evaluation, formula, budget)
                    return Finding("proved" if sure else "refuted", f"the first {steps} {agree(steps, 'step')}",
                                   matches if look_alike(self.game, matches) else ())
        except BudgetExceeded as error:
            return Finding("unknown", str(error))
        return Finding("unknown", f"the first {_MOST_STEPS - 1} steps do not tell")

    def _points_of(self, formula: Formula) -> tuple[tuple[int, ...], tuple[Term, ...]]:
        """The seats of the roles, and the moves to be remembered, that points for a formula are told apart by."""
        roles = list(map(str, self.game.roles))
        return tuple(sorted(map(roles.index, roles_that_know(formula)))), tuple(memory_of(formula))


def in_the_open(formula: Formula) -> Formula:
    """What a formula says in a game without secrets, where everybody knows all that is so."""
    match formula:
        case Knows(body=body):
            inner = in_the_open(body)
            return inner if is_of_states(inner) else Paths("A", inner)
        case Whether():
            return TRUE
        case Not(body=body):
            return negation(in_the_open(body))
        case Junction(word=word, parts=parts):
            return (conjunction if word == "and" else disjunction)(*map(in_the_open, parts))
        case Counted(word=bound, count=count, parts=parts):
            return counted(bound, count, tuple(map(in_the_open, parts)))
        case Along(body=body) | Paths(body=body):
            return replace(formula, body=in_the_open(body))
        case Implies(left=left, right=right) | Until(left=left, right=right):
            return replace(formula, left=in_the_open(left), right=in_the_open(right))
    return formula
