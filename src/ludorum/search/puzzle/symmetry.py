"""Symmetries of a puzzle: permutations of fluents that turn every game into another game that is worth the same.

They are automorphisms of the ground program: its atoms and rules make a coloured graph, and BLISS (through igraph, an
optional dependency) finds generators of that graph's group. Each is checked before it is used, rule by rule, which
proves it, and on states of random games, which would show a mistake in the proof. Of a large group only a subgroup is
kept that is small enough to try all images of a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from ludorum.clock import Deadline
from ludorum.errors import TooLargeToGround
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.ground import GroundProgram, ground
from ludorum.search.puzzle.problem import Problem, Symmetries

Permutation = tuple[int, ...]

# A larger group would take longer to try than it saves.
_LARGEST_GROUP = 48
# More rules than this take BLISS longer than they are worth.
_MOST_RULES = 2_000
# The share of the time that is left for grounding the rules once more, and the most seconds.
_SHARE, _SECONDS = 0.1, 5.0
# Random games and their steps on which symmetries are tried.
_WALKS, _STEPS = 16, 32


def symmetries(rules: Rulesheet, problem: Problem, deadline: Deadline) -> Symmetries:
    """Permutations of the fluents of a circuit, without the identity; none where igraph is not installed."""
    if problem.circuit is None:
        return ()
    try:
        program = ground(rules, seconds=min(_SECONDS, max(0.1, _SHARE * deadline.remaining)))
    except TooLargeToGround:
        return ()
    if program.fluents != problem.circuit.fluents or program.moves != problem.circuit.moves:
        return ()
    identity = tuple(range(len(program.fluents)))
    # Most generators only exchange derived atoms that mean the same.
    found = {_restricted(atoms, program.fluent_atoms): atoms for atoms in automorphisms(program)}
    found.pop(identity, None)
    generators = [fluents for fluents, atoms in sorted(found.items())
                  if not deadline.passed and is_automorphism(program, atoms)
                  and all(fluents[fluent] == fluent for fluent in problem.counter)
                  and _agrees(problem, fluents, _restricted(atoms, program.move_atoms[0]))]
    return tuple(sorted(small_group(generators, identity) - {identity}))


def automorphisms(program: GroundProgram) -> list[Permutation]:
    """Generators of the permutations of atoms under which a ground program stays the same; few if there are many."""
    try:
        import igraph
    except ImportError:
        return []
    if len(program.heads) > _MOST_RULES:
        return []
    colours: list[object] = [(kind, atom in program.facts) for atom, kind in enumerate(_kinds(program))]
    edges = [(atom, following) for atom, following in zip(program.fluent_atoms, program.next_atoms, strict=True)
             if following is not None]
    edges += [pair for of_role in zip(program.move_atoms, program.legal_atoms, strict=True)
              for pair in zip(*of_role, strict=True)]
    negations: dict[int, int] = {}
    for head, body in sorted(_rules(program), key=lambda rule: (rule[0], sorted(rule[1]))):
        condition = len(colours)
        # Two vertices a rule, so that what it needs is told from what it makes.
        colours += ["body", "head"]
        edges += [(condition, condition + 1), (condition + 1, head)]
        for literal in sorted(body):
            if literal < 0 and literal not in negations:
                negations[literal] = len(colours)
                colours.append("not")
                edges.append((negations[literal], ~literal))
            edges.append((condition, literal if literal >= 0 else negations[literal]))
    numbers = {colour: number for number, colour in enumerate(sorted(set(colours), key=repr))}
    graph = igraph.Graph(len(colours), edges)
    found = graph.automorphism_group(color=[numbers[colour] for colour in colours])
    return [tuple(permutation[: program.atom_count]) for permutation in found]


def is_automorphism(program: GroundProgram, atoms: Permutation) -> bool:
    """Whether a permutation of atoms makes of every rule a rule and of every atom one that means the same."""
    rules = _rules(program)
    kinds = _kinds(program)
    following = dict(zip(program.fluent_atoms, program.next_atoms, strict=True))
    legal = {move: atom for of_role in zip(program.move_atoms, program.legal_atoms, strict=True)
             for move, atom in zip(*of_role, strict=True)}

    def image(atom: int | None) -> int | None:
        return None if atom is None else atoms[atom]

    return (sorted(atoms) == list(range(program.atom_count))
            and all(kinds[atoms[atom]] == kind for atom, kind in enumerate(kinds))
            and {atoms[atom] for atom in program.facts} == program.facts
            and all(following[atoms[atom]] == image(after) for atom, after in following.items())
            and all(legal[atoms[atom]] == image(allowed) for atom, allowed in legal.items())
            and all((atoms[head], frozenset(atoms[literal] if literal >= 0 else ~atoms[~literal] for literal in body))
                    in rules for head, body in rules))


def small_group(generators: Sequence[Permutation], identity: Permutation) -> set[Permutation]:
    """All products of as many of the generators as make no large group."""
    group = {identity}
    used: list[Permutation] = []
    for generator in generators:
        larger = _generated([*used, generator], identity)
        if larger is not None:
            group = larger
            used.append(generator)
    return group


def _generated(generators: Sequence[Permutation], identity: Permutation) -> set[Permutation] | None:
    group = {identity}
    new = [identity]
    while new:
        element = new.pop()
        for generator in generators:
            product = tuple(generator[image] for image in element)
            if product not in group:
                group.add(product)
                new.append(product)
                if len(group) > _LARGEST_GROUP:
                    return None
    return group


def _kinds(program: GroundProgram) -> list[str]:
    """What every atom is for."""
    kinds = ["derived"] * program.atom_count
    for atom in program.fluent_atoms:
        kinds[atom] = "true"
    for following in program.next_atoms:
        if following is not None:
            kinds[following] = "next"
    for role, (moves, legal, goals) in enumerate(zip(program.move_atoms, program.legal_atoms, program.goal_atoms,
                                                     strict=True)):
        for atom in moves:
            kinds[atom] = f"does {role}"
        for atom in legal:
            kinds[atom] = f"legal {role}"
        for value, atom in goals:
            kinds[atom] = f"goal {role} {value}"
    if program.terminal_atom is not None:
        kinds[program.terminal_atom] = "terminal"
    return kinds


def _rules(program: GroundProgram) -> set[tuple[int, frozenset[int]]]:
    return {(head, frozenset(body)) for head, body in zip(program.heads, program.bodies, strict=True)}


def _restricted(atoms: Permutation, to: Sequence[int]) -> Permutation:
    """A permutation of atoms as one of fluents, or of moves, by their numbers."""
    numbers = {atom: number for number, atom in enumerate(to)}
    return tuple(numbers[atoms[atom]] for atom in to)


def _agrees(problem: Problem, fluents: Permutation, moves: Permutation) -> bool:
    """Whether random games and their images take the same course."""
    simulator = problem.everywhere
    random = Random(0)
    for _ in range(_WALKS):
        row = problem.start[None, :]
        for _ in range(_STEPS):
            other = _image(row, fluents)
            (terminal, legal), (ended, allowed) = simulator.look(row), simulator.look(other)
            if terminal[0] != ended[0] or (_image(legal, moves) != allowed).any():
                return False
            if (simulator.goals(row) != simulator.goals(other)).any():
                return False
            choices = np.flatnonzero(np.unpackbits(legal.view(np.uint8), bitorder="little"))
            if terminal[0] or not len(choices):
                break
            move = int(random.choice(choices))
            row = simulator.step(row, np.array([[move]], dtype=np.uint32))
            if (_image(row, fluents) != simulator.step(other, np.array([[moves[move]]], dtype=np.uint32))).any():
                return False
    return True


def _image(row: np.ndarray, permutation: Permutation) -> np.ndarray:
    bits = np.unpackbits(row.view(np.uint8), bitorder="little")
    image = np.zeros_like(bits)
    image[[permutation[number] for number in np.flatnonzero(bits)]] = 1
    return np.packbits(image, bitorder="little").view(np.uint64)[None, :]
