"""Circuits for other tools: pictures by Graphviz, and AIGER, the format of the hardware world."""

from __future__ import annotations

from collections.abc import Iterator

from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.circuit.passes import unroll
from ludorum.errors import BudgetExceeded
from ludorum.gdl.terms import Term

# ---- names in GDL ----


def _inputs(circuit: Circuit) -> Iterator[tuple[Wire, str]]:
    """The wires of fluents and moves, with the GDL that they stand for."""
    wire = 1
    for fluent in circuit.fluents:
        yield wire, str(Term("true", (fluent,)))
        wire += 1
    for name in _move_names(circuit):
        yield wire, name
        wire += 1


def _move_names(circuit: Circuit) -> Iterator[str]:
    for role, moves in zip(circuit.roles, circuit.moves, strict=True):
        for move in moves:
            yield str(Term("does", (role, move)))


def _answers(circuit: Circuit) -> Iterator[tuple[Literal, str]]:
    """What is asked of a state and a joint move, with its GDL; successors apart."""
    yield circuit.terminal, "terminal"
    for role, moves, literals in zip(circuit.roles, circuit.moves, circuit.legal, strict=True):
        for move, literal in zip(moves, literals, strict=True):
            yield literal, str(Term("legal", (role, move)))
    for role, goals in zip(circuit.roles, circuit.goals, strict=True):
        for value, literal in goals:
            yield literal, str(Term("goal", (role, Term(str(value)))))
    for role, percepts in zip(circuit.roles, circuit.percepts, strict=True):
        for percept, literal in percepts:
            yield literal, str(Term("sees", (role, percept)))


def _successors(circuit: Circuit) -> Iterator[tuple[Literal, str]]:
    for fluent, literal in zip(circuit.fluents, circuit.next, strict=True):
        yield literal, str(Term("next", (fluent,)))


def _needed_wires(circuit: Circuit) -> set[Wire]:
    """The wires that something that is asked for depends on."""
    definitions = {loop.wire: loop.definition for loop in circuit.loops}
    found: set[Wire] = set()
    stack = [literal >> 1 for literal in circuit.roots()]
    while stack:
        wire = stack.pop()
        if wire not in found:
            found.add(wire)
            read = (definitions[wire],) if wire in definitions else circuit.inputs_of(wire)
            stack += [literal >> 1 for literal in read]
    return found


# ---- AIGER ----


def to_aiger(circuit: Circuit, *, most_gates: int = 2_000_000) -> str:
    """The circuit in ASCII AIGER 1.9.

    Inputs are moves, latches are fluents that start as the initial state says, outputs are `terminal` and
    every `legal`, `goal` and `sees`; the symbol table has their GDL. Outputs that a state alone determines
    are right in every state that can be reached. Latches and percepts follow the rules where each role makes
    exactly one legal move and the state is not terminal: whoever drives the inputs has to see to that.

    AIGER has no loops but through latches, so recursive rules are unrolled: the gates of a component appear
    at most as often as it has loop wires. Raises BudgetExceeded if there would be more than `most_gates`.
    """
    circuit = unroll(circuit, most_gates=most_gates)
    gates = _AndGates(circuit, most_gates)
    literal_of, written = gates.literal_of, gates.written
    answers = list(_answers(circuit))
    initial = set(circuit.initial)
    moves = circuit.first_gate - circuit.first_move
    lines = [f"aag {gates.last} {moves} {len(circuit.fluents)} {len(answers)} {len(gates.lines)}"]
    lines += [str(2 * number) for number in range(1, moves + 1)]
    lines += [f"{literal_of[1 + number]} {written(literal)} {int(number in initial)}"
              for number, literal in enumerate(circuit.next)]
    lines += [str(written(literal)) for literal, _ in answers]
    lines += gates.lines
    lines += [f"i{number} {name}" for number, name in enumerate(_move_names(circuit))]
    lines += [f"l{number} {Term('true', (fluent,))}" for number, fluent in enumerate(circuit.fluents)]
    lines += [f"o{number} {name}" for number, (_, name) in enumerate(answers)]
    lines += ["c", "Latches follow the rules where each role makes one legal move and terminal is false."]
    return "\n".join(lines) + "\n"


class _AndGates:
    """The gates that are needed, with two inputs each, as AIGER numbers and writes them."""

    def __init__(self, circuit: Circuit, most: int) -> None:
        # AIGER numbers inputs first, then latches, then gates.
        moves = circuit.first_gate - circuit.first_move
        self.literal_of = {0: 0}
        self.literal_of |= {wire: 2 * (wire - len(circuit.fluents))
                            for wire in range(circuit.first_move, circuit.first_gate)}
        self.literal_of |= {wire: 2 * (wire + moves) for wire in range(1, circuit.first_move)}
        self.last = circuit.first_gate - 1
        self.lines: list[str] = []
        needed = _needed_wires(circuit)
        for wire in range(circuit.first_gate, circuit.wires):
            if wire in needed:
                self.literal_of[wire] = self._all([self.written(literal) for literal in circuit.inputs_of(wire)])
                if len(self.lines) > most:
                    raise BudgetExceeded(f"with two inputs a gate the circuit has more than {most:,} gates")

    def written(self, literal: Literal) -> int:
        return self.literal_of[literal >> 1] ^ (literal & 1)

    def _all(self, level: list[int]) -> int:
        """A literal that holds where all of these do: two by two, so that many inputs become a low tree."""
        while len(level) > 1:
            above = []
            for one, other in zip(level[::2], level[1::2], strict=False):
                self.last += 1
                self.lines.append(f"{2 * self.last} {max(one, other)} {min(one, other)}")
                above.append(2 * self.last)
            level = above + level[len(above) * 2:]
        return level[0]


# ---- Graphviz ----


def to_dot(circuit: Circuit, *, most_gates: int = 2_000) -> str:
    """The circuit as a Graphviz drawing: what it reads on the left, what it says on the right.

    An edge that ends in a small circle negates. A gate that everybody reads negated is drawn as an "or".
    Dashed edges lead back into recursive rules. Raises BudgetExceeded for a circuit of more than `most_gates`
    gates, which nobody could read.
    """
    if circuit.gates > most_gates:
        raise BudgetExceeded(f"a drawing of {circuit.gates:,} gates is of no use to anybody (the limit is "
                             f"{most_gates:,})")
    needed = _needed_wires(circuit)
    results = [*_successors(circuit), *_answers(circuit)]
    disjunctions = _read_negated_only(circuit)
    loop_wires = {loop.wire for loop in circuit.loops}
    lines = ["digraph circuit {", "  rankdir=LR;", "  node [fontname=\"monospace\"];"]

    def edge(literal: Literal, to: str, flip: bool = False, style: str = "") -> str:
        wire = literal >> 1
        negated = bool(literal & 1) ^ flip ^ (wire in disjunctions)
        options = [*(["arrowhead=odot"] if negated else []), *([style] if style else [])]
        return f"  w{wire} -> {to}" + (f" [{' '.join(options)}]" if options else "") + ";"

    if 0 in needed:
        lines.append("  w0 [label=\"false\" shape=plaintext];")
    for wire, name in _inputs(circuit):
        if wire in needed:
            shape = "box" if wire < circuit.first_move else "cds"
            lines.append(f"  w{wire} [label={_quoted(name)} shape={shape}];")
    for wire in range(circuit.first_gate, circuit.wires):
        if wire not in needed:
            continue
        if wire in loop_wires:
            lines.append(f"  w{wire} [label=\"loop\" shape=diamond];")
            continue
        is_or = wire in disjunctions
        look = "label=\"or\" shape=ellipse" if is_or else "label=\"and\" shape=circle"
        lines.append(f"  w{wire} [{look}];")
        lines += [edge(literal, f"w{wire}", flip=is_or) for literal in circuit.inputs_of(wire)]
    lines += [edge(loop.definition, f"w{loop.wire}", style="style=dashed constraint=false")
              for loop in circuit.loops if loop.wire in needed]
    for number, (literal, name) in enumerate(results):
        lines.append(f"  r{number} [label={_quoted(name)} shape=box style=rounded];")
        lines.append(edge(literal, f"r{number}"))
    return "\n".join([*lines, "}"]) + "\n"


def _read_negated_only(circuit: Circuit) -> set[Wire]:
    """The gates that are negated wherever they are read: disjunctions, as people see it."""
    loop_wires = {loop.wire for loop in circuit.loops}
    read = [literal for inputs in circuit.gate_inputs for literal in inputs]
    read += [*circuit.roots(), *(loop.definition for loop in circuit.loops)]
    negated = {literal >> 1 for literal in read if literal & 1}
    plain = {literal >> 1 for literal in read if not literal & 1}
    return {wire for wire in negated - plain if wire >= circuit.first_gate and wire not in loop_wires}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
