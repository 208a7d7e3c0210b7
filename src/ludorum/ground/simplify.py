"""Ground rules without what is already decided.

Where relations depend on each other clingo hands over rules before it knows which atoms are facts and which
head no rule at all. Here both are followed to the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Body = tuple[int, ...]


def simplify(heads: list[int], bodies: list[Body], facts: Iterable[int],
             inputs: Mapping[int, Iterable[int]]) -> tuple[list[int], list[Body], set[int], set[int]]:
    """The rules that remain, without decided literals; the facts; and the inputs that are possible.

    An atom is a fact if it is given as one or heads a rule without conditions. It is false if it heads no
    rule and is no input; an input is false if all the atoms are that it is given with. A true condition is
    left out, a rule with a false one is dropped, and a fact heads no rule.
    """
    known = set(facts).union(head for head, body in zip(heads, bodies, strict=True) if not body)
    derivable = known.union(heads)
    possible = {atom for atom, reasons in inputs.items() if not derivable.isdisjoint(reasons)}
    mentioned = {literal if literal >= 0 else ~literal for literal in set[int]().union(*bodies)}
    if mentioned <= derivable | possible and known.isdisjoint(mentioned) and len(possible) == len(inputs):
        kept = [i for i, head in enumerate(heads) if head not in known]
        if len(kept) < len(heads):
            heads, bodies = [heads[i] for i in kept], [bodies[i] for i in kept]
        return heads, bodies, known, possible
    return _Propagation(heads, bodies, known, inputs).run()


class _Propagation:
    def __init__(self, heads: Sequence[int], bodies: Sequence[Body], known: set[int],
                 inputs: Mapping[int, Iterable[int]]) -> None:
        self.heads = heads
        self.bodies = bodies
        self.true = known
        self.false: set[int] = set()
        # What an atom's truth is still open for: its rules, or for an input the atoms it is given with.
        self.open_reasons: dict[int, int] = {}
        self.open_conditions = list(map(len, bodies))
        self.dropped = [False] * len(heads)
        self.where: dict[int, list[int]] = {}
        for i, body in enumerate(bodies):
            for literal in body:
                self.where.setdefault(literal if literal >= 0 else ~literal, []).append(i)
        for head in heads:
            self.open_reasons[head] = self.open_reasons.get(head, 0) + 1
        self.inputs = {atom: set(reasons) for atom, reasons in inputs.items()}
        self.given: dict[int, list[int]] = {}
        for atom, reasons in self.inputs.items():
            self.open_reasons[atom] = len(reasons)
            for reason in reasons:
                self.given.setdefault(reason, []).append(atom)

    def run(self) -> tuple[list[int], list[Body], set[int], set[int]]:
        mentioned = set(self.where).union(self.given, self.inputs)
        queue = [*self.true, *(atom for atom in mentioned
                               if not self.open_reasons.get(atom) and atom not in self.true)]
        self.false.update(atom for atom in queue if atom not in self.true)
        while queue:
            atom = queue.pop()
            if atom in self.false:
                queue.extend(self._lose_inputs(atom))
            for i in self.where.get(atom, ()):
                if not self.dropped[i]:
                    queue.extend(self._decide(i, atom))
        return self._result()

    def _decide(self, i: int, atom: int) -> list[int]:
        """Takes note in rule `i` of an atom that is decided; returns the head if that decides it."""
        head = self.heads[i]
        if (~atom if atom in self.true else atom) in self.bodies[i]:
            self.dropped[i] = True
            return self._lose(head)
        self.open_conditions[i] -= 1
        if self.open_conditions[i] or head in self.true:
            return []
        self.true.add(head)
        return [head]

    def _lose_inputs(self, reason: int) -> list[int]:
        return [atom for given in self.given.get(reason, ()) for atom in self._lose(given)]

    def _lose(self, atom: int) -> list[int]:
        """Counts one reason less for an atom; returns it if that was the last one."""
        self.open_reasons[atom] -= 1
        if self.open_reasons[atom] or atom in self.true or atom in self.false:
            return []
        self.false.add(atom)
        return [atom]

    def _result(self) -> tuple[list[int], list[Body], set[int], set[int]]:
        decided = self.true | {~atom for atom in self.false}
        heads: list[int] = []
        bodies: list[Body] = []
        for i, head in enumerate(self.heads):
            if self.dropped[i] or head in self.true:
                continue
            heads.append(head)
            body = self.bodies[i]
            if self.open_conditions[i] < len(body):
                body = tuple(literal for literal in body if literal not in decided)
            bodies.append(body)
        return heads, bodies, self.true, set(self.inputs) - self.false
