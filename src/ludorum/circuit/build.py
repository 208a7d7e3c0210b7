"""From a ground program to a first circuit: atoms become disjunctions of conjunctions, recursion becomes loops."""

from __future__ import annotations

from collections.abc import Iterator

from ludorum.circuit.builder import Builder
from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal, Loop
from ludorum.ground.program import Atom, GroundProgram


def build(program: GroundProgram) -> Circuit:
    """The circuit that says what the ground program says, rule by rule."""
    return _Build(program).circuit()


class _Build:
    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self.bodies: dict[Atom, list[tuple[int, ...]]] = {}
        for head, body in zip(program.heads, program.bodies, strict=True):
            self.bodies.setdefault(head, []).append(body)
        moves = sum(map(len, program.moves))
        self.builder = Builder(1 + len(program.fluents) + moves)
        self.value: dict[Atom, Literal] = dict.fromkeys(program.facts, TRUE)
        wire = 1
        for atom in program.fluent_atoms:
            self.value[atom] = 2 * wire
            wire += 1
        for of_role in program.move_atoms:
            for atom in of_role:
                self.value[atom] = 2 * wire
                wire += 1
        self.loops: list[Loop] = []
        self.components = 0

    def circuit(self) -> Circuit:
        program = self.program
        wanted: list[Atom | None] = [program.terminal_atom, *program.next_atoms]
        for of_role in program.legal_atoms:
            wanted.extend(of_role)
        for goals in program.goal_atoms:
            wanted.extend(atom for _, atom in goals)
        for percepts in program.percept_atoms:
            wanted.extend(atom for _, atom in percepts)
        for component in self._components([atom for atom in wanted if atom is not None]):
            if len(component) == 1 and not self._reads_itself(component[0]):
                self.value[component[0]] = self._disjunction(component[0])
            else:
                self._loop(component)

        def literal(atom: Atom | None) -> Literal:
            return FALSE if atom is None else self.value.get(atom, FALSE)

        return Circuit(
            roles=program.roles,
            fluents=program.fluents,
            moves=program.moves,
            initial=program.initial,
            gate_inputs=tuple(self.builder.gate_inputs),
            loops=tuple(self.loops),
            next=tuple(map(literal, program.next_atoms)),
            legal=tuple(tuple(map(literal, of_role)) for of_role in program.legal_atoms),
            terminal=literal(program.terminal_atom),
            goals=tuple(tuple((value, literal(atom)) for value, atom in goals) for goals in program.goal_atoms),
            percepts=tuple(tuple((term, literal(atom)) for term, atom in told) for told in program.percept_atoms),
        )

    def _disjunction(self, atom: Atom) -> Literal:
        get, all_of = self.value.get, self.builder.all_of
        return self.builder.any_of(
            [all_of([get(x, FALSE) if x >= 0 else get(~x, FALSE) ^ 1 for x in body]) for body in self.bodies[atom]])

    def _reads_itself(self, atom: Atom) -> bool:
        return any(atom in body for body in self.bodies[atom])

    def _below(self, atom: Atom) -> Iterator[Atom]:
        """The derived atoms that the rules of an atom read."""
        for body in self.bodies.get(atom, ()):
            for x in body:
                below = x if x >= 0 else ~x
                if below in self.bodies and below not in self.value:
                    yield below

    def _components(self, wanted: list[Atom]) -> Iterator[list[Atom]]:
        """Strongly connected components of the derived atoms, those that are read before those that read them.

        Tarjan's algorithm without recursion: rules come from strangers. A component is yielded when it is complete
        and must have its values before the next one is asked for.
        """
        order: dict[Atom, int] = {}
        low: dict[Atom, int] = {}
        path: list[Atom] = []
        on_path: set[Atom] = set()
        for root in wanted:
            if root in order or root in self.value or root not in self.bodies:
                continue
            stack = [(root, self._below(root))]
            order[root] = low[root] = len(order)
            path.append(root)
            on_path.add(root)
            while stack:
                atom, below = stack[-1]
                for child in below:
                    if child not in order:
                        order[child] = low[child] = len(order)
                        path.append(child)
                        on_path.add(child)
                        stack.append((child, self._below(child)))
                        break
                    if child in on_path:
                        low[atom] = min(low[atom], order[child])
                else:
                    stack.pop()
                    if stack:
                        parent = stack[-1][0]
                        low[parent] = min(low[parent], low[atom])
                    if low[atom] == order[atom]:
                        component: list[Atom] = []
                        while True:
                            member = path.pop()
                            on_path.discard(member)
                            component.append(member)
                            if member == atom:
                                break
                        yield component

    def _loop(self, component: list[Atom]) -> None:
        """Gives values to the atoms of a recursive component.

        A depth-first walk; an atom that is read while its own walk is under way becomes a loop wire, so that every
        cycle passes through one. The others read the gates themselves: one sweep then carries news a long way.
        """
        wires: dict[Atom, int] = {}
        under_way: set[Atom] = set()
        for root in component:
            if root in self.value:
                continue
            under_way.add(root)
            stack = [(root, self._below(root))]
            while stack:
                atom, below = stack[-1]
                for child in below:
                    if child in under_way:
                        # Until it has a value of its own it is read through its loop wire.
                        wires[child] = self.builder.loop_wire()
                        self.value[child] = 2 * wires[child]
                    else:
                        under_way.add(child)
                        stack.append((child, self._below(child)))
                        break
                else:
                    stack.pop()
                    self.value[atom] = self._disjunction(atom)
        self.loops.extend(Loop(wire, self.value[atom], self.components) for atom, wire in wires.items())
        self.components += 1
