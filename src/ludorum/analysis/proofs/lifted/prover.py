"""Proofs without a circuit: induction by answer set programs (Algorithm 5 of Schiffel's thesis).

For games that are too large to ground: a property often needs only a few of the rules. Random play refutes what is
false, as far as the game's engine gets; what the programs do not prove is unknown.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ludorum.analysis.proofs.lifted.programs import VIOLATED, AtMostOne, ConstantSum, Formula, Programs
from ludorum.analysis.proofs.proof import Budgeted, JointMove, Proof, Verdict
from ludorum.analysis.proofs.properties import control_and_board
from ludorum.analysis.proofs.properties.arguments import Mode, modes
from ludorum.analysis.proofs.properties.claims import count
from ludorum.analysis.proofs.tactics.rare_outcomes import reach_rare_outcome
from ludorum.analysis.samples import samples
from ludorum.analysis.structures import Structures, structures
from ludorum.asp.process import ClingoProcess
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded, TooLarge
from ludorum.game import Game
from ludorum.gdl.terms import Term

METHOD = "answer sets"

# What part of the time finding states and structures may take.
_SAMPLING, _FINDING = 0.15, 0.2
# So many ends of matches are replayed for their goals, which is so much work a step; for that part of the budget others
# are looked for near them.
_ENDS, _AN_END = 200, 1e-3
_PURSUING = 0.6


class LiftedProver(Budgeted):
    """Proves properties of one game by answer sets; what was proved is assumed in the proofs that follow."""

    def __init__(self, game: Game, budget: Budget, *, seed: int = 0) -> None:
        self._start = time.perf_counter()
        self.game = game
        self.budget = budget
        self.samples = samples(game, seed=seed, budget=budget.share(_SAMPLING))
        self._programs: Programs | TooLarge
        try:
            self._programs = Programs(game.rules)
        except TooLarge as error:
            self._programs = error
        #: What holds in every state that can be reached, and how it was proved.
        self.known: dict[Formula, str] = {}
        self._process: ClingoProcess | None = None

    @property
    def programs(self) -> Programs:
        """Raises TooLarge where terms grow without end, so that there is no list of fluents."""
        if isinstance(self._programs, TooLarge):
            raise self._programs
        return self._programs

    @property
    def fluents(self) -> Sequence[Term]:
        """Every fluent that the rules let be; where there is no end of them, those that random play met with."""
        return self.samples.fluents if isinstance(self._programs, TooLarge) else self._programs.fluents

    @cached_property
    def control(self) -> list[Mode]:
        return control_and_board.control(self.game, self._structures)

    @cached_property
    def boards(self) -> list[Mode]:
        return control_and_board.boards(self._structures)

    @cached_property
    def _structures(self) -> Structures:
        return structures(self.game, self.budget.share(_FINDING))

    @property
    def modes(self) -> list[Mode]:
        """All sets of input arguments of all fluents, those first whose proofs need few rules, small sets first."""
        if isinstance(self._programs, TooLarge):
            return list(modes(self.fluents))
        sizes: dict[tuple[str, int], int] = {}
        for mode in modes(self.fluents):
            sizes.setdefault((mode.name, mode.arity), self.programs.size(AtMostOne(mode)))
        return sorted(modes(self.fluents), key=lambda mode: (sizes[mode.name, mode.arity], len(mode.inputs)))

    def prove_modes(self, asked: Sequence[Mode]) -> dict[Mode, Proof]:
        """The verdicts on input arguments; whenever one is proved, those that failed are tried again."""
        proofs: dict[Mode, Proof] = {}
        left: list[Mode] = []
        for mode in asked:
            several = count(self.samples, groups).several if (groups := mode.groups(self.samples.fluents)) else None
            if several is not None:
                proofs[mode] = self._proof(mode, "refuted", "random play", self.samples.path(several))
            else:
                left.append(mode)
        failed: list[Mode] = []
        while left:
            mode = left.pop(0)
            # Fewer inputs say more (7.4.4).
            if any(isinstance(known, AtMostOne) and known.mode.implies(mode) for known in self.known):
                proofs[mode] = self._proof(mode, "proved", METHOD)
                continue
            verdict, method = self.settle(AtMostOne(mode))
            if verdict == "unknown":
                failed.append(mode)
                proofs[mode] = self._proof(mode, verdict, method)
                continue
            proofs[mode] = self._proof(mode, verdict, method, () if verdict == "refuted" else None)
            if verdict == "proved":
                left, failed = failed + left, []
        return proofs

    def settle(self, formula: Formula, *given: Sequence[Formula]) -> tuple[Verdict, str]:
        """Base case and step, with what is known as assumptions; what is proved is known from then on.

        If it is told what is given, nothing else is assumed; of several such assumptions one has to do.
        """
        # Sums of goals need many rules, and no proof of input arguments has ever needed them.
        options = given or ([one for one in self.known if isinstance(one, AtMostOne)],)
        if formula in self.known:
            return "proved", self.known[formula]
        try:
            if self._has_model(self.programs.base(formula)):
                return "refuted", "base case"
            if formula.questions and not self._has_model(self.programs.anywhere(formula, options[-1])):
                return "proved", self.known.setdefault(formula, METHOD)
            # The last takes the most rules, and may take all the time.
            ways = [{"weakly": True}] * self.programs.can_be_weakened + [{}, {"going_on": True}]
            for way, assumed in product(ways, options):
                if not self._has_model(self.programs.step(formula, assumed, **way)):
                    method = METHOD if assumed is options[0] else f"{METHOD} given {_listed(assumed)}"
                    return "proved", self.known.setdefault(formula, method)
        except TooLarge as error:
            return "unknown", str(error)
        except BudgetExceeded as error:
            return "unknown", f"answer sets {error}"
        return "unknown", "not inductive"

    def constant_sum(self) -> Proof:
        """Whether the goals at all ends that random play met with have the same sum, and whether that is always so."""
        says = "whenever the game ends, the goals of all roles add up to the same"
        ends: dict[tuple[JointMove, ...], int | None] = {}
        # From all of random play: the first ends that it met with are those of the shortest matches.
        every = np.flatnonzero(self.samples.terminal)
        for index in every[:: max(1, -(-len(every) // _ENDS))].tolist():
            self.budget.spend(_AN_END * (1 + len(self.samples.path(index))))
            if self.budget.passed:
                break
            path = self.samples.path(index)
            values = [value for value in self.game.replay(path).goals.values() if value is not None]
            # Where a role has no goal, there is no sum.
            ends[path] = sum(values) if len(values) == len(self.game.roles) else None
        total = next((found for found in ends.values() if found is not None), None)
        if total is None:
            return self._named("constant_sum", says, "unknown", "no end of the game was met with")
        wrong = next((path for path, found in ends.items() if found != total), None)
        if wrong is None:
            def differs(goals: NDArray[np.int16]) -> NDArray[np.bool_]:
                different: NDArray[np.bool_] = (goals.sum(axis=1) != total) | (goals < 0).any(axis=1)
                return different

            wrong = reach_rare_outcome(self.game, ends, differs, self.budget.share(_PURSUING))
        if wrong is not None:
            return self._named("constant_sum", f"{says[:-8]}{total}", "refuted", "random play", wrong)
        verdict, method = self.settle(ConstantSum(self.game.rules.roles, total))
        return self._named("constant_sum", f"{says[:-8]}{total}", verdict, method, () if verdict == "refuted" else None)

    def all_inputs(self, name: str, of: Sequence[Mode], *, given: Sequence[Mode] = (),
                   perhaps: Sequence[Mode] = ()) -> Proof:
        """One verdict on the input arguments of several kinds of fluents, given those of others.

        What is `perhaps` given is proved and assumed only where nothing is proved without it.
        """
        says = f"{', '.join(map(str, of))}: at most one instance for all inputs"
        for mode in (*given, *of):
            several = count(self.samples, mode.groups(self.samples.fluents)).several
            if several is not None:
                return self._named(name, says, "refuted", "random play", self.samples.path(several))
        unproved = next((mode for mode in given if not self._is_known(mode)), None)
        if unproved is not None:
            return self._named(name, says, "unknown", f"{unproved} is not proved")
        options = [[AtMostOne(mode) for mode in given]]
        if perhaps and all(map(self._is_known, perhaps)):
            options.append([AtMostOne(mode) for mode in perhaps])
        methods = []
        for mode in of:
            verdict, method = self.settle(AtMostOne(mode), *options)
            if verdict != "proved":
                return self._named(name, says, verdict, method, () if verdict == "refuted" else None)
            methods.append(METHOD if given else method)
        return self._named(name, says, "proved", next((method for method in methods if method != METHOD), METHOD))

    def _is_known(self, mode: Mode) -> bool:
        """Whether input arguments are proved without any assumptions."""
        return AtMostOne(mode) in self.known or self.settle(AtMostOne(mode), ())[0] == "proved"

    def unknown(self, name: str, says: str, why: str) -> Proof:
        return self._named(name, says, "unknown", why)

    def close(self) -> None:
        if self._process is not None:
            self._process.close()

    def _has_model(self, program: str) -> bool:
        """Whether a program has an answer set; raises BudgetExceeded."""
        self.budget.check()
        if self._process is None or not self._process.is_open:
            self._process = ClingoProcess(memory_mb=self.budget.memory_mb)
        answer = self._process.ask("models", seconds=min(self.budget.seconds, 1e6), program=program, shown=[VIOLATED],
                                   cpu_seconds=min(self.budget.remaining, 1e6))
        self.budget.spend(answer["cpu_seconds"])
        return bool(answer["models"])

    def _proof(self, mode: Mode, verdict: Verdict, method: str, moves: tuple[JointMove, ...] | None = None) -> Proof:
        return self._named(f"input {mode}", f"{mode}: at most one instance for all inputs", verdict, method, moves)

    def _named(self, name: str, says: str, verdict: Verdict, method: str,
               moves: tuple[JointMove, ...] | None = None) -> Proof:
        return Proof(name, says, verdict, method, time.perf_counter() - self._start, moves)


def _listed(formulas: Sequence[Formula]) -> str:
    return ", ".join(str(formula.mode) for formula in formulas if isinstance(formula, AtMostOne))
