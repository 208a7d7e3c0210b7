"""Ground rules without what is already decided.

Where relations depend on each other clingo hands over rules before it knows which atoms are facts and which
head no rule at all. Here both are followed to the end, in the core.

In the literature: unit propagation by counting (Dowling, Gallier 1984).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludorum._core import decide
from ludorum.ground.program import Atom, GroundRules


def simplify(rules: GroundRules, facts: Iterable[Atom],
             inputs: Mapping[Atom, Sequence[Atom]]) -> tuple[GroundRules, set[Atom], set[Atom]]:
    """The rules that remain, without decided literals; the facts; and the inputs that are possible.

    An atom is a fact if it is given as one or heads a rule without conditions. It is false if it heads no
    rule and is no input; an input is false if all the atoms are that it is given with. A true condition is
    left out, a rule with a false one is dropped, and a fact heads no rule.
    """
    given = list(facts)
    reasons = [atom for some in inputs.values() for atom in some]
    atoms = 1 + max([rules.last_atom, *given, *inputs, *reasons], default=-1)
    heads, ends, literals, known, impossible = decide(*rules.arrays, atoms, given, list(inputs.items()))
    return GroundRules(heads, ends, literals), set(known), set(inputs).difference(impossible)
