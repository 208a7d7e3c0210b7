"""Whatever the rules are, a verdict is what all states say that can be reached."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ludorum
from ludorum import State
from ludorum.analysis.proofs import Proof, prove
from ludorum.analysis.proofs.encoding.property_circuit import Balance, PropertyCircuit
from ludorum.analysis.proofs.properties.arguments import Mode
from ludorum.analysis.proofs.tactics import induction as step
from ludorum.analysis.proofs.tactics.houdini import inductive_together
from ludorum.analysis.proofs.tactics.induction import Step, inductive
from ludorum.clock import Budget
from ludorum.errors import BudgetExceeded
from ludorum.gdl.terms import Term
from ludorum.move import as_terms

MOST_STATES = 300
FLUENTS = [f"({kind} {value})" for kind in ("lamp", "dial") for value in ("a", "b", "c")]
MOVES = ("left", "right", "(press a)")

Graph = dict[State, list[State]]


@st.composite
def switchboards(draw: st.DrawFn) -> str:
    """The text of a game with six lights that moves turn on and off, by conditions drawn at random."""
    roles = ("one", "two")[: draw(st.integers(1, 2))]
    lights = st.sampled_from([condition for fluent in FLUENTS
                              for condition in (f"(true {fluent})", f"(not (true {fluent}))")])
    deeds = st.sampled_from([f"(does {role} {move})" for role in roles for move in MOVES])

    def rule(head: str, *conditions: st.SearchStrategy[str]) -> str:
        return f"(<= {head} {' '.join(map(draw, conditions))})"

    rules = [f"(role {role})" for role in roles]
    rules += [f"(init {fluent})" for fluent in draw(st.lists(st.sampled_from(FLUENTS), min_size=1, unique=True))]
    for role in roles:
        rules.append(f"(legal {role} left)")
        rules += [rule(f"(legal {role} {move})", lights) for move in MOVES[1:]]
        won, other = draw(st.sampled_from(FLUENTS)), draw(st.sampled_from([0, 50]))
        rules.append(f"(<= (goal {role} 100) (true {won}))")
        rules.append(rule(f"(goal {role} {other})", st.just(f"(not (true {won}))"), lights))
    for fluent in FLUENTS:
        rules.append(draw(st.sampled_from([
            f"(<= (next {fluent}) (true {fluent}))", rule(f"(next {fluent})", st.just(f"(true {fluent})"), deeds),
            rule(f"(next {fluent})", st.just(f"(true {fluent})"), lights), rule(f"(next {fluent})", lights, lights)])))
        rules.append(rule(f"(next {fluent})", deeds, lights))
    rules.append(rule("terminal", lights, lights))
    return "\n".join(rules)


def explored(initial: State) -> Graph:
    """All states that can be reached, with those that come after each."""
    graph: Graph = {}
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        if state in graph:
            continue
        assume(len(graph) < MOST_STATES)
        legal = [] if state.is_terminal else [state.legal(role) for role in state.game.roles]
        graph[state] = list(dict.fromkeys(map(state.after, product(*legal)))) if legal else []
        waiting += graph[state]
    return graph


def has_cycle(graph: Graph, initial: State) -> bool:
    """Whether some match never ends."""
    done: set[State] = set()
    path: list[State] = []
    waiting: list[tuple[State, bool]] = [(initial, False)]
    while waiting:
        state, is_left = waiting.pop()
        if is_left:
            path.pop()
            done.add(state)
        elif state in path:
            return True
        elif state not in done:
            path.append(state)
            waiting.append((state, True))
            waiting += [(after, False) for after in graph[state]]
    return False


def holds(asked: str, graph: Graph, initial: State, fluents: Iterable[Term]) -> bool:
    """Whether the game has a property, by looking at everything."""
    word, *about = as_terms(asked)
    ends = [state for state in graph if state.is_terminal]
    roles = initial.game.roles
    match word.name:
        case "constant_sum":
            sums = [None if None in state.goals.values() else sum(filter(None, state.goals.values())) for state in ends]
            return None not in sums and len(set(sums)) <= 1
        case "turn_taking":
            return all(sum(len(state.legal(role)) > 1 for role in roles) <= 1
                       for state in graph if not state.is_terminal)
        case "one_goal":
            return all(None not in state.goals.values() for state in ends)
        case "playable":
            return all(state.legal(role) for state in graph if not state.is_terminal for role in roles)
        case "terminates":
            return not has_cycle(graph, initial)
        case "winnable":
            return any(state.goals[roles[[str(role) for role in roles].index(str(about[0]))]] == 100 for state in ends)
        case "never":
            return not any(about[0] in state.fluents for state in graph)
        case "always":
            return all(about[0] in state.fluents for state in graph)
        case "stays_true":
            return all(about[0] not in state.fluents or about[0] in after.fluents
                       for state in graph for after in graph[state])
        case "stays_false":
            return all(about[0] in state.fluents or about[0] not in after.fluents
                       for state in graph for after in graph[state])
        case "input" | "one":
            fluents = list(fluents)
            groups = [{fluents[number] for number in group} for group in Mode.of(about[0]).groups(fluents)]
            counts = [len(group & set(state.fluents)) for group in groups for state in graph]
            return all(count <= 1 for count in counts) if word.name == "input" else set(counts) <= {1}
    raise AssertionError(f"{asked} is not looked at")


#: Boards and whose turn it is are found, not asked for; what is proved of them is proved of arguments too.
FOUND = ("control", "board", "board_given_control")


def checked(proofs: list[Proof], graph: Graph, initial: State, fluents: Iterable[Term]) -> int:
    """Compares verdicts with all states, follows the matches that were shown, and counts what was decided."""
    decided = 0
    for proof in proofs:
        if proof.verdict == "unknown":
            continue
        decided += 1
        assert holds(proof.property, graph, initial, fluents) == (proof.verdict == "proved"), str(proof)
        if proof.moves is not None:
            assert initial.game.replay(proof.moves) in graph
    return decided


@given(rules=switchboards())
@settings(max_examples=8, deadline=None)
def test_verdicts_are_what_all_states_say(rules: str) -> None:
    game = ludorum.load(rules, engine="circuit")
    graph = explored(game.initial)
    fluents = game.circuit.fluents
    on_circuit, by_answer_sets = (
        [proof for proof in prove(game, budget=Budget(5), method=method) if proof.property not in FOUND]
        for method in ("sat", "asp"))
    assert checked(on_circuit, graph, game.initial, fluents)
    checked(by_answer_sets, graph, game.initial, fluents)


@given(rules=switchboards())
@settings(max_examples=15, deadline=None)
def test_what_is_proved_in_corners_of_the_circuit_holds_in_all_states(rules: str) -> None:
    game = ludorum.load(rules, engine="circuit")
    graph = explored(game.initial)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(step, "SMALL", -1)
        proofs = [proof for proof in prove(game, budget=Budget(5)) if proof.property not in FOUND]
    assert checked(proofs, graph, game.initial, game.circuit.fluents)


class _Interrupted(Budget):
    """Lasts for so many looks at it."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._looks = iter(range(looks))

    def check(self, work: float = 0.0) -> None:
        if next(self._looks, None) is None:
            raise BudgetExceeded("that is enough")


@given(rules=switchboards(), looks=st.integers(0, 60), in_corners=st.booleans())
@settings(max_examples=40, deadline=None)
def test_an_induction_that_is_broken_off_keeps_only_what_holds_in_all_states(
        rules: str, looks: int, in_corners: bool) -> None:
    game = ludorum.load(rules, engine="circuit")
    graph = explored(game.initial)
    model = PropertyCircuit(game.circuit)
    held = {number: game.circuit.fluents[number] in game.initial.fluents
            for number in range(len(game.circuit.fluents))}
    # Of every fluent that it stays as it is, and of every two that one of them does: many of that is wrong.
    hypotheses: dict[int, tuple[int, ...]] = {
        model.fluent(number) ^ (not value): (number,) for number, value in held.items()}
    for one, other in combinations(held, 2):
        hypotheses[model.any_of(model.fluent(number) ^ (not held[number]) for number in (one, other))] = (one, other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(step, "SMALL", -1 if in_corners else 1_000_000)
        found = inductive_together(Step(model, _Interrupted(looks)), hypotheses)
    for formula in found.formulas:
        assert all(any((game.circuit.fluents[number] in state.fluents) == held[number]
                       for number in hypotheses[formula]) for state in graph)


@given(rules=switchboards(),
       weights=st.lists(st.tuples(*[st.integers(-2, 2)] * len(FLUENTS)), min_size=10, max_size=30))
@settings(max_examples=15, deadline=None)
def test_sums_that_are_inductive_are_the_same_in_all_states(rules: str, weights: list[tuple[int, ...]]) -> None:
    game = ludorum.load(rules, engine="circuit")
    graph = explored(game.initial)
    fluents = game.circuit.fluents
    model = PropertyCircuit(game.circuit)

    def worth(state: State, balance: Balance) -> int:
        return sum(weight for (number,), weight in balance.weights if fluents[number] in state.fluents)

    found: dict[int, Balance] = {}
    for some in weights:
        named = tuple(((number,), weight) for number, weight in enumerate(some[: len(fluents)]) if weight)
        balance = Balance(named, worth(game.initial, Balance(named, 0)))
        found[model.balanced(balance)] = balance
    for formula in inductive(model, list(found), (), Budget()):
        assert {worth(state, found[formula]) for state in graph} == {found[formula].total}
