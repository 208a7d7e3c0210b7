"""Step counters: fluents that only say how many moves were made.

A counter is a chain of fluents, each of which holds after the one before it, whatever is done. Where it limits the
length of a game and nothing else, states that differ in nothing but the counter are one state to a search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ludorum.circuit import Circuit
from ludorum.circuit.circuit import FALSE, TRUE, Literal


def step_counter(circuit: Circuit, held: Collection[int]) -> tuple[int, ...]:
    """The fluents of a counter from the one that holds now to the one that ends the game; empty if there is none.

    Every game is over when the last of them holds; before that, neither the legal moves, nor the other fluents of the
    next state, nor the end of the game, nor the goals depend on any of them.
    """
    followers: dict[int, list[int]] = {}
    for fluent, literal in enumerate(circuit.next):
        before = _fluent(circuit, literal)
        if before is not None and before != fluent:
            followers.setdefault(before, []).append(fluent)
    for start in sorted(held):
        chain = _chain(start, followers)
        if len(chain) > 1 and not any(fluent in held for fluent in (*chain[1:], *_earlier(circuit, start))):
            counter = _limiting(circuit, chain)
            if counter:
                return counter
    return ()


def _fluent(circuit: Circuit, literal: Literal) -> int | None:
    wire = literal >> 1
    return wire - 1 if literal & 1 == 0 and 1 <= wire <= len(circuit.fluents) else None


def _chain(start: int, followers: dict[int, list[int]]) -> list[int]:
    chain = [start]
    while len(following := followers.get(chain[-1], [])) == 1 and following[0] not in chain:
        chain += following
    return chain


def _earlier(circuit: Circuit, fluent: int) -> list[int]:
    """The fluents after which a fluent comes to hold, the latest first."""
    earlier: list[int] = []
    before = _fluent(circuit, circuit.next[fluent])
    while before is not None and before not in (fluent, *earlier):
        earlier.append(before)
        before = _fluent(circuit, circuit.next[before])
    return earlier


def _limiting(circuit: Circuit, chain: list[int]) -> tuple[int, ...]:
    """The chain up to the fluent that ends the game, if it does nothing else before."""
    first = _earlier(circuit, chain[0])[-1:] or chain[:1]
    if circuit.next[first[0]] != FALSE:
        # Something brings it about, or it comes round again.
        return ()
    in_chain = set(chain)
    changes = [literal for fluent, literal in enumerate(circuit.next) if fluent not in in_chain]
    legal = [literal for of_role in circuit.legal for literal in of_role]
    if in_chain & set(_read(circuit, [*changes, *legal])):
        return ()
    ends = [circuit.terminal, *(literal for of_role in circuit.goals for _, literal in of_role)]
    deciding = in_chain & set(_read(circuit, ends))
    last = [fluent for fluent in chain if fluent in deciding]
    if len(last) != 1 or not _implies(circuit, last[0], circuit.terminal):
        return ()
    return tuple(chain[: chain.index(last[0]) + 1])


def _read(circuit: Circuit, literals: Iterable[Literal]) -> Iterator[int]:
    """The fluents that literals depend on."""
    definitions = {loop.wire: loop.definition for loop in circuit.loops}
    seen: set[int] = set()
    stack = [literal >> 1 for literal in literals]
    while stack:
        wire = stack.pop()
        if wire in seen:
            continue
        seen.add(wire)
        if 1 <= wire <= len(circuit.fluents):
            yield wire - 1
        stack += [literal >> 1 for literal in circuit.inputs_of(wire)]
        if wire in definitions:
            stack.append(definitions[wire] >> 1)


def _implies(circuit: Circuit, fluent: int, conclusion: Literal) -> bool:
    """Whether a literal is true wherever a fluent holds, as far as its gates show with nothing else known."""
    known: dict[int, bool] = {0: False, fluent + 1: True}

    def value(literal: Literal) -> bool | None:
        found = known.get(literal >> 1)
        return None if found is None else found ^ bool(literal & 1)

    loops = {loop.wire for loop in circuit.loops}
    for wire in range(circuit.first_gate, circuit.wires):
        if wire in loops:
            continue
        values = [value(literal) for literal in circuit.inputs_of(wire)]
        if False in values:
            known[wire] = False
        elif None not in values:
            known[wire] = True
    return conclusion == TRUE or value(conclusion) is True
