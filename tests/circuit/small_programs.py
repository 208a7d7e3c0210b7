"""Ground programs written by hand, and what they mean, found out the slow way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ludorum.circuit import Circuit
from ludorum.gdl import Term
from ludorum.ground import GroundProgram
from ludorum.ground.program import GroundRules


def small_program(rules: Iterable[str], *, fluents: str = "", moves: Mapping[str, str] | None = None,
                  facts: Iterable[str] = (), initial: str = "") -> GroundProgram:
    """A ground program from rules such as `next:p <- q ~does:robot:go`.

    A fluent goes by its name; heads are `next:f`, `legal:r:m`, `goal:r:100`, `sees:r:p`, `terminal` or any other
    name, and `~` negates.
    """
    moves = moves or {"robot": ""}
    numbers: dict[str, int] = {}

    def atom(name: str) -> int:
        return numbers.setdefault(name, len(numbers))

    fluent_names = fluents.split()
    fluent_atoms = [atom(fluent) for fluent in fluent_names]
    move_atoms = [[atom(f"does:{role}:{move}") for move in names.split()] for role, names in moves.items()]
    legal_atoms = [[atom(f"legal:{role}:{move}") for move in names.split()] for role, names in moves.items()]
    heads, bodies = [], []
    for rule in rules:
        head, _, body = rule.partition("<-")
        heads.append(atom(head.strip()))
        bodies.append(tuple(~atom(name[1:]) if name.startswith("~") else atom(name) for name in body.split()))
    fact_atoms = frozenset(map(atom, facts))

    def answers(kind: str, role: str) -> list[tuple[str, int]]:
        prefix = f"{kind}:{role}:"
        return [(name.removeprefix(prefix), number) for name, number in numbers.items() if name.startswith(prefix)]

    return GroundProgram(
        roles=tuple(map(Term, moves)),
        fluents=tuple(map(Term, fluent_names)),
        moves=tuple(tuple(map(Term, names.split())) for names in moves.values()),
        initial=tuple(fluent_names.index(fluent) for fluent in initial.split()),
        fluent_atoms=tuple(fluent_atoms),
        move_atoms=tuple(map(tuple, move_atoms)),
        next_atoms=tuple(numbers.get(f"next:{fluent}") for fluent in fluent_names),
        legal_atoms=tuple(map(tuple, legal_atoms)),
        goal_atoms=tuple(tuple(sorted((int(value), number) for value, number in answers("goal", role)))
                         for role in moves),
        percept_atoms=tuple(tuple(sorted((Term(told), number) for told, number in answers("sees", role)))
                            if answers("sees", role) else () for role in moves),
        terminal_atom=numbers.get("terminal"),
        rules=GroundRules.of(heads, bodies),
        facts=fact_atoms,
        atom_count=len(numbers),
    )


@dataclass(frozen=True)
class Answers:
    """Everything that can be asked of a state and a joint move: what holds, in the order of the program."""

    terminal: bool
    legal: tuple[tuple[bool, ...], ...]
    goals: tuple[tuple[bool, ...], ...]
    next: tuple[bool, ...]
    percepts: tuple[tuple[bool, ...], ...]

    @property
    def of_the_state(self) -> tuple[object, ...]:
        """Those that do not depend on the joint move."""
        return self.terminal, self.legal, self.goals

    @property
    def of_the_step(self) -> tuple[object, ...]:
        return self.next, self.percepts


def meaning(program: GroundProgram, state: Iterable[int], joint: Sequence[int] | None = None) -> Answers:
    """The answers of a program where these fluents hold and each role makes the move of this number."""
    given = {program.fluent_atoms[fluent] for fluent in state} | program.facts
    if joint is not None:
        given |= {atoms[move] for atoms, move in zip(program.move_atoms, joint, strict=True)}
    model = _model(program, given)
    return Answers(
        program.terminal_atom in model,
        tuple(tuple(atom in model for atom in atoms) for atoms in program.legal_atoms),
        tuple(tuple(atom in model for _, atom in goals) for goals in program.goal_atoms),
        tuple(atom in model for atom in program.next_atoms),
        tuple(tuple(atom in model for _, atom in told) for told in program.percept_atoms),
    )


def _model(program: GroundProgram, given: set[int]) -> set[int]:
    """The well-founded model, by the alternating fixpoint: with no circle through a negation it is the standard one.

    What follows if nothing that may hold is believed false is too much; from that follows too little; and so on
    until both are the same.
    """
    rules = list(zip(program.heads, program.bodies, strict=True))

    def closure(believed: set[int]) -> set[int]:
        """What follows if exactly the atoms that are not believed are false."""
        model = set(given)
        while True:
            new = {head for head, body in rules
                   if all(x in model if x >= 0 else ~x not in believed for x in body)} - model
            if not new:
                return model
            model |= new

    least = set(given)
    while True:
        most = closure(least)
        following = closure(most)
        if following == most:
            return most
        assert following != least, "the rules are not stratified"
        least = following


def evaluated(circuit: Circuit, state: Iterable[int], joint: Sequence[int] | None = None) -> Answers:
    """The same answers from a circuit, gate by gate."""
    values = [False] * circuit.wires
    for fluent in state:
        values[1 + fluent] = True
    if joint is not None:
        start = circuit.first_move
        for moves, move in zip(circuit.moves, joint, strict=True):
            values[start + move] = True
            start += len(moves)

    def holds(literal: int) -> bool:
        return values[literal >> 1] != bool(literal & 1)

    loop_wires = {loop.wire for loop in circuit.loops}

    def sweep() -> None:
        for wire in range(circuit.first_gate, circuit.wires):
            if wire not in loop_wires:
                values[wire] = all(map(holds, circuit.inputs_of(wire)))

    sweep()
    for component in sorted({loop.component for loop in circuit.loops}):
        loops = [loop for loop in circuit.loops if loop.component == component]
        while rising := [loop.wire for loop in loops if holds(loop.definition) and not values[loop.wire]]:
            for wire in rising:
                values[wire] = True
            sweep()
    return Answers(
        holds(circuit.terminal),
        tuple(tuple(map(holds, of_role)) for of_role in circuit.legal),
        tuple(tuple(holds(literal) for _, literal in goals) for goals in circuit.goals),
        tuple(map(holds, circuit.next)),
        tuple(tuple(holds(literal) for _, literal in told) for told in circuit.percepts),
    )


def every_state(program: GroundProgram) -> Iterable[tuple[int, ...]]:
    for bits in product((False, True), repeat=len(program.fluents)):
        yield tuple(number for number, bit in enumerate(bits) if bit)


def keeps_agreements(circuit: Circuit, state: Iterable[int]) -> bool:
    """Whether the fluents that the circuit takes for the same are the same in a state."""
    holding = {2 * (1 + fluent) for fluent in state} | {1}
    return all((2 * (1 + fluent) in holding) == ((literal & ~1 in holding) != bool(literal & 1))
               if literal > 1 else (2 * (1 + fluent) in holding) == bool(literal)
               for fluent, literal in circuit.agreements)


def reachable_states(program: GroundProgram) -> set[tuple[int, ...]]:
    """The states that legal play leads to."""
    found = {tuple(sorted(program.initial))}
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        here = meaning(program, state)
        if here.terminal:
            continue
        for joint in product(*([m for m, is_legal in enumerate(of_role) if is_legal] for of_role in here.legal)):
            following = meaning(program, state, joint).next
            there = tuple(fluent for fluent, holds in enumerate(following) if holds)
            if there not in found:
                found.add(there)
                waiting.append(there)
    return found


def assert_same_meaning(circuit: Circuit, program: GroundProgram) -> None:
    """Compares everything in every state and after every joint move that can be made there.

    Moves are made where each role makes one that is legal and the game is not over: passes may rely on that. States
    where fluents that were proved to agree do not are left out; those that can be reached are not among them.
    """
    for state in every_state(program):
        if not keeps_agreements(circuit, state):
            continue
        expected = meaning(program, state)
        assert evaluated(circuit, state).of_the_state == expected.of_the_state
        if expected.terminal:
            continue
        legal = [[move for move, is_legal in enumerate(of_role) if is_legal] for of_role in expected.legal]
        for joint in product(*legal):
            assert evaluated(circuit, state, joint).of_the_step == meaning(program, state, joint).of_the_step
