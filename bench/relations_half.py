"""Whether half a circuit would win: what `legal` asks worked out by a circuit, and handed to the relations engine.

    python bench/relations_half.py GAME… [--seconds 20] [--states 512]

Of a game that does not ground, the relations that `legal` asks are grounded, in a rulesheet of their own whose fluents
are those that random play met with. What does not ground in so many seconds is left to the relations engine, and what
it asks is tried next. The circuit works out all atoms that are asked for, for a batch of states in lanes. Then the
relations engine is given these atoms as if they were fluents, and asked for the legal moves, with plans made from the
sizes that random play showed. It is checked that the moves are the same.

Printed are the share of its steps that the relations engine would be rid of, and microseconds of the processor a state:
of a turn of random play with relations alone, of the legal moves in it, and of the two parts of the mixed engine; and
how much faster a turn would be.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ludorum import gdl
from ludorum.circuit import compile_circuit
from ludorum.errors import TooLargeToGround
from ludorum.gdl.clauses import Clause, flatten, is_distinct
from ludorum.gdl.printing import kif_rule
from ludorum.gdl.rulesheet import Rule, Rulesheet, atoms
from ludorum.gdl.terms import Term, Variable
from ludorum.ground import ground
from ludorum.ground.dependencies import GIVEN, Relation, closure, relation_of, relevant
from ludorum.loading import find
from ludorum.reason.circuit import CircuitReasoner
from ludorum.relations.compiling import Analysis, compile_plans
from ludorum.relations.estimates import Estimates
from ludorum.relations.fitting import Fitted, _Fitting, _Trial
from ludorum.relations.program import Level

LEGAL: Relation = ("legal", 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--seconds", type=float, default=20, help="for grounding what is asked")
    parser.add_argument("--states", type=int, default=512)
    arguments = parser.parse_args()
    for name in arguments.games:
        source = find(name)
        measure(name, gdl.parse(source.text, source.name), arguments.seconds, arguments.states)


def measure(name: str, rules: Rulesheet, seconds: float, count: int) -> None:
    fitting = _Fitting(rules, 4096)
    fitted = fitting.run(60.0, 4096)
    alone = fitted.simulator
    symbols = fitted.program.symbols
    texts = alone.sample(2 * count, 10**9, 3, count)["true"]
    states = [[symbols.term(text) for text in state] for state in texts]
    rows = np.stack([alone.row(state) for state in texts])
    turn = _turn(alone)
    legal = _seconds(lambda: alone.look(rows)) / len(rows)

    circuit, asked, hard = _circuit_of_what_is_asked(rules, {fluent for state in states for fluent in state}, seconds)
    print(f"{name}: left to the relations engine: {', '.join(sorted(relation for relation, _ in hard))}\n"
          f"  worked out by a circuit of {circuit.circuit.gates:,} gates: "
          f"{', '.join(sorted(relation for relation, _ in asked))}, {len(circuit.moves[0]):,} atoms", flush=True)
    share = _share(fitted, hard)
    known = set(circuit.circuit.fluents)
    lanes = np.stack([circuit.row(circuit.position(known.intersection(state))) for state in states])
    simulator = circuit.simulator()
    by_circuit = _seconds(lambda: simulator.look(lanes)) / len(lanes)
    handed = _atoms(circuit, simulator.look(lanes)[1])
    mean = sum(map(len, handed)) / len(handed)

    mixed = _mixed(fitting, rules, asked, states, handed)
    mixed_symbols = mixed.symbols
    extended = [[*state, *more] for state, more in zip(states, handed, strict=True)]
    fluents = len({fluent for state in extended for fluent in state})
    _, moves, percepts = alone.known()
    other = mixed.simulator((fluents + 64, [4 * n + 64 for n in moves], [4 * n + 64 for n in percepts]),
                            seconds=60.0, memory_mb=4096)
    more_rows = np.stack([other.row([mixed_symbols.text(fluent) for fluent in state]) for state in extended])
    by_relations = _seconds(lambda: other.look(more_rows)) / len(more_rows)
    for i in range(0, len(rows), max(1, len(rows) // 50)):
        mine = [[str(symbols.term(alone.move(role, m))) for m in of_role]
                for role, of_role in enumerate(alone.moves(rows[i]))]
        others = [[str(mixed_symbols.term(other.move(role, m))) for m in of_role]
                  for role, of_role in enumerate(other.moves(more_rows[i]))]
        if list(map(sorted, mine)) != list(map(sorted, others)):
            raise AssertionError(f"{name}: not the same legal moves in {states[i]}")
    then = turn - legal + by_circuit + by_relations
    print(f"  {mean:.0f} atoms handed over a state, {share:.1%} of the steps spared at most\n"
          f"  alone: {1e6 * turn:.1f} µs a turn, {1e6 * legal:.1f} of them for the legal moves\n"
          f"  mixed: {1e6 * by_circuit:.1f} µs for the circuit, {1e6 * by_relations:.1f} for the legal moves from "
          f"what it gave\n  a turn {turn / then:.2f} times as fast; if the circuit cost nothing "
          f"{turn / (then - by_circuit):.2f} times", flush=True)


# ---- the part that grounds ----

def _circuit_of_what_is_asked(rules: Rulesheet, fluents: set[Term],
                              seconds: float) -> tuple[CircuitReasoner, set[Relation], set[Relation]]:
    """A circuit whose "legal moves" are atoms that are asked for, what it answers for, and what it does not."""
    depends: dict[Relation, set[Relation]] = {}
    for rule in rules.rules:
        depends.setdefault(relation_of(rule.head), set()).update(map(relation_of, _atoms_of(rule)))
    users: dict[Relation, set[Relation]] = {}
    for head, body in depends.items():
        for relation in body:
            users.setdefault(relation, set()).add(head)
    changing = closure(GIVEN[:1], users) - {GIVEN[0]}
    hard = closure([LEGAL, ("does", 2)], users)
    while True:
        needed = closure([LEGAL], depends)
        asked = {relation for head in hard & needed for relation in depends.get(head, ())
                 if relation in changing and relation not in hard and relation not in GIVEN}
        if not asked:
            raise SystemExit("nothing that changes and is asked for grounds")
        try:
            program = ground(_asking(rules, asked, closure(asked, depends), fluents), seconds=seconds)
            circuit = compile_circuit(program)
        except TooLargeToGround as error:
            large = _too_large(error, closure(asked, depends) & changing)
            print(f"  does not ground: {', '.join(sorted(relation for relation, _ in large))}", flush=True)
            hard |= closure(large, users)
            continue
        return CircuitReasoner(circuit), asked, hard & needed


def _too_large(error: TooLargeToGround, relations: set[Relation]) -> set[Relation]:
    """Those with a tenth of the ground rules that were counted; where none were, those with the most arguments."""
    total = sum(error.sizes.values())
    large = {(name, arity) for name, arity in relations if 10 * error.sizes.get(f"{name}/{arity}", 0) >= max(1, total)}
    most = max(arity for _, arity in relations)
    return large or {relation for relation in relations if relation[1] == most}


def _asking(rules: Rulesheet, asked: Iterable[Relation], kept: set[Relation], fluents: Iterable[Term]) -> Rulesheet:
    lines = [f"(role {role})" for role in rules.roles]
    lines += ["(<= terminal (true never))", f"(goal {rules.roles[0]} 0)"]
    for fluent in sorted(fluents, key=str):
        lines += [f"(init {fluent})", f"(<= (next {fluent}) (true {fluent}))"]
    lines += [kif_rule(rule) for rule in rules.rules
              if relation_of(rule.head) in kept and rule.head.name != "role"]
    for name, arity in sorted(asked):
        atom = str(Term(name, tuple(Variable(f"x{i}") for i in range(arity))))
        lines.append(f"(<= (legal {rules.roles[0]} {atom}) {atom})")
    return gdl.parse("\n".join(lines), "what is asked")


def _atoms_of(rule: Rule) -> Iterator[Term]:
    return (atom for formula in rule.body for atom in atoms(formula) if not is_distinct(atom))


def _atoms(circuit: CircuitReasoner, legal: Any) -> list[list[Term]]:
    bits = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little")
    return [[circuit.moves[0][i] for i in np.flatnonzero(row)] for row in bits]


# ---- the rest ----

def _mixed(fitting: _Fitting, rules: Rulesheet, asked: set[Relation], states: Sequence[Sequence[Term]],
           handed: Sequence[Sequence[Term]]) -> Any:
    """Plans for the rules that are left, which read atoms that are asked for in the state."""
    whole = fitting.analysis.whole_by_default()
    # How often calls of the rest are made, and what they give, is seen where what is asked for is computed whole.
    trial = fitting._try(whole | (asked - fitting.analysis.recursion.keys()), fitting._estimates(_last(fitting, whole)))
    estimates = fitting._estimates(trial)
    clauses = [_reading(clause, asked) for clause in relevant(flatten(rules)) if relation_of(clause.head) not in asked]
    analysis = Analysis(relevant(clauses), rules.roles)
    extents = dict(estimates.extents)
    extents["true", 1] = [[(fluent,) for fluent in (*state, *more)]
                          for state, more in list(zip(states, handed, strict=True))[::max(1, len(states) // 40)]]
    known = Estimates(extents, estimates.calls, estimates.latest, estimates.sizes, analysis.recursion,
                      analysis.finiteness)
    return compile_plans(analysis, analysis.whole_by_default(), known).program


def _last(fitting: _Fitting, whole: frozenset[Relation]) -> _Trial:
    return fitting._try(whole, fitting._first_estimates() if not fitting.calls else
                        replace(fitting._first_estimates(), calls=dict(fitting.calls)))


def _reading(clause: Clause, asked: set[Relation]) -> Clause:
    def read(atom: Term) -> Term:
        return Term("true", (Term(atom.name, atom.args),)) if relation_of(atom) in asked else atom

    return replace(clause, positive=tuple(map(read, clause.positive)), negative=tuple(map(read, clause.negative)))


# ---- what it costs ----

def _share(fitted: Fitted, hard: set[Relation]) -> float:
    """Of the steps of random play those of relations that change and that only a circuit would have to work out."""
    sample = fitted.simulator.sample(600, 20_000_000, 2, 1)
    left = {"legal", "next", "goal", "terminal", "sees", "init", *(name for name, _ in hard)}
    spared = sum(own for procedure, own in zip(fitted.program.procedures, sample["own"], strict=True)
                 if procedure.level is Level.STATE and procedure.name.strip("()").split(" ")[0] not in left)
    return float(spared / sum(sample["own"]))


def _turn(simulator: Any) -> float:
    """Seconds of the processor for a turn of random play."""
    initial, states, seed = simulator.initial(), 0, 0
    simulator.playouts(initial, 4, 99, 1, 10_000, 0)
    start = time.process_time()
    while (elapsed := time.process_time() - start) < 3:
        states += int(simulator.playouts(initial, 4, seed, 1, 10_000, 0)[1].sum())
        seed += 1
    return elapsed / states


def _seconds(work: Callable[[], object]) -> float:
    """Seconds of the processor, the least of some runs; the first one is not counted."""
    work()
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


if __name__ == "__main__":
    main()
