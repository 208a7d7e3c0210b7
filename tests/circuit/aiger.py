"""A small reader of ASCII AIGER 1.9, written from the format's definition, and an interpreter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Aiger:
    """A circuit as the file says it: literals are even, odd ones are negations, 0 and 1 are constants."""

    maximum: int
    inputs: list[int]
    #: Current literal, next literal, reset value.
    latches: list[tuple[int, int, int]]
    outputs: list[int]
    #: The literal of a gate and those of its two inputs.
    gates: list[tuple[int, int, int]]
    symbols: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Aiger:
        lines = iter(text.splitlines())
        magic, *counts = next(lines).split()
        assert magic == "aag"
        maximum, inputs, latches, outputs, gates = map(int, counts)

        def rows(count: int) -> list[list[int]]:
            return [[int(number) for number in next(lines).split()] for _ in range(count)]

        found = cls(maximum, [literal for (literal,) in rows(inputs)],
                    [(current, following, reset) for current, following, reset in rows(latches)],
                    [literal for (literal,) in rows(outputs)],
                    [(gate, one, other) for gate, one, other in rows(gates)])
        for line in lines:
            if line == "c":
                break
            place, _, name = line.partition(" ")
            found.symbols[place] = name
        found.check()
        return found

    def check(self) -> None:
        """What the format demands: every variable defined once, gates in order, nothing above the maximum."""
        defined = [*self.inputs, *(current for current, _, _ in self.latches), *(gate for gate, _, _ in self.gates)]
        assert all(literal % 2 == 0 and 2 <= literal <= 2 * self.maximum for literal in defined)
        assert len(set(defined)) == len(defined) == self.maximum
        assert all(gate > one >= other for gate, one, other in self.gates)
        used = [*self.outputs, *(following for _, following, _ in self.latches)]
        assert all(0 <= literal <= 2 * self.maximum + 1 for literal in used)

    def names(self, kind: str, count: int) -> list[str]:
        """The names of the inputs (i), latches (l) or outputs (o)."""
        return [self.symbols[f"{kind}{number}"] for number in range(count)]

    @property
    def initial(self) -> frozenset[str]:
        names = self.names("l", len(self.latches))
        return frozenset(name for name, (_, _, reset) in zip(names, self.latches, strict=True) if reset)

    def run(self, state: Iterable[str], moves: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
        """The names of the outputs that are true and of the latches that will be."""
        names = [*self.names("i", len(self.inputs)), *self.names("l", len(self.latches))]
        literals = [*self.inputs, *(current for current, _, _ in self.latches)]
        true = {*state, *moves}
        assert true <= set(names)
        values = {0: False} | {literal: name in true for name, literal in zip(names, literals, strict=True)}

        def value(literal: int) -> bool:
            return values[literal & ~1] != bool(literal & 1)

        for gate, one, other in self.gates:
            values[gate] = value(one) and value(other)
        outputs = zip(self.names("o", len(self.outputs)), self.outputs, strict=True)
        latches = zip(self.names("l", len(self.latches)), self.latches, strict=True)
        return (frozenset(name for name, literal in outputs if value(literal)),
                frozenset(name for name, (_, following, _) in latches if value(following)))

    def binary(self) -> bytes:
        """The same in the binary format, which some tools want: gates as differences, seven bits a byte."""
        head = f"aig {self.maximum} {len(self.inputs)} {len(self.latches)} {len(self.outputs)} {len(self.gates)}\n"
        latches = "".join(f"{following} {reset}\n" for _, following, reset in self.latches)
        outputs = "".join(f"{literal}\n" for literal in self.outputs)
        out = bytearray((head + latches + outputs).encode())
        for gate, one, other in self.gates:
            for difference in (gate - one, one - other):
                while difference >= 128:
                    out.append(difference & 127 | 128)
                    difference >>= 7
                out.append(difference)
        return bytes(out)
