"""Which questions are known to have finitely many answers, from the rules alone.

Asked for everything, a rule such as `(<= (append (cons ?x ?l) ?m (cons ?x ?n)) (append ?l ?m ?n))` never ends; asked
with its first argument known, it takes that apart and ends. Plans that are made before anything could be measured keep
to what is known to end, where they can.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.dependencies import GIVEN, Relation, relation_of
from ludorum.gdl.terms import Argument, Term, Variable

#: A relation, and which of its arguments are known.
Mode = tuple[Relation, tuple[bool, ...]]


class Finiteness:
    """Tells of relations, asked with some arguments known, whether they are sure to end."""

    def __init__(self, clauses: Mapping[Relation, Sequence[Clause]], recursion: Mapping[Relation, int]) -> None:
        self._clauses = clauses
        self._recursion = recursion
        #: What is known, or assumed while it is being looked into.
        self._known: dict[Mode, bool] = {}

    def is_sure(self, relation: Relation, bound: tuple[bool, ...]) -> bool:
        """Whether a relation asked with these arguments known has finitely many answers, by this reasoning."""
        mode = (relation, bound)
        while mode not in self._known:
            # What was assumed of others may have turned out wrong; then all is looked into again with what was refuted.
            refuted = {other for other, is_sure in self._known.items() if not is_sure}
            self._look(mode)
            now = {other for other, is_sure in self._known.items() if not is_sure}
            if now != refuted:
                self._known = dict.fromkeys(now, False)
        return self._known[mode]

    def _look(self, start: Mode) -> None:
        """Looks into a mode and those it asks for. Whatever is asked again on the way is assumed to end."""
        stack = [start]
        while stack:
            mode = stack.pop()
            if mode in self._known:
                continue
            self._known[mode] = True
            relation, bound = mode
            if relation in GIVEN:
                continue
            for clause in self._clauses.get(relation, ()):
                calls = self._calls(clause, bound)
                if calls is None:
                    self._known[mode] = False
                    break
                stack.extend(call for call in calls if call not in self._known)

    def _calls(self, clause: Clause, bound: tuple[bool, ...]) -> list[Mode] | None:
        """What a clause asks for, in an order in which nothing is known to have no end; None if there is none."""
        given = [argument for argument, is_bound in zip(clause.head.args, bound, strict=True) if is_bound]
        free = [argument for argument, is_bound in zip(clause.head.args, bound, strict=True) if not is_bound]
        known = set[str]().union(*map(names_of, given))
        rest = list(clause.positive)
        calls: list[Mode] = []
        while rest:
            for atom in rest:
                mode = relation_of(atom), tuple(names_of(argument) <= known for argument in atom.args)
                grows = self._is_own(clause, atom) and _grows(atom, known, given, free)
                if not grows and self._known.get(mode, True):
                    break
            else:
                return None
            rest.remove(atom)
            calls.append(mode)
            known |= names_of(atom)
        return calls + [(relation_of(atom), (True,) * len(atom.args)) for atom in clause.negative]

    def _is_own(self, clause: Clause, atom: Term) -> bool:
        """Whether an atom of a clause belongs to the same recursion."""
        own = self._recursion.get(relation_of(clause.head))
        return own is not None and self._recursion.get(relation_of(atom)) == own


def _grows(call: Term, known: set[str], given: Sequence[Argument], free: Sequence[Argument]) -> bool:
    """Whether a recursive call may ask for ever larger terms, or give them, and nothing that is known gets smaller."""
    asked = [argument for argument in call.args if names_of(argument) <= known]
    told = [argument for argument in call.args if not names_of(argument) <= known]
    if any(_is_inside(argument, whole) for argument in asked for whole in given):
        return False
    return _nests_deeper(asked, given) or _nests_deeper(free, told, without=known)


def _nests_deeper(built: Sequence[Argument], taken: Sequence[Argument], without: Container[str] = ()) -> bool:
    """Whether a variable is under more functions in what is built than in what it is taken from."""
    before = _depths(taken)
    return any(depth > before[name] for name, depth in _depths(built).items() if name in before and name not in without)


def _depths(arguments: Sequence[Argument]) -> dict[str, int]:
    """By variable, under how many functions it is at most."""
    depths: dict[str, int] = {}
    stack = [(argument, 0) for argument in arguments]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, Variable):
            depths[item.name] = max(depth, depths.get(item.name, 0))
        else:
            stack.extend((inner, depth + 1) for inner in item.args)
    return depths


def _is_inside(part: Argument, whole: Argument) -> bool:
    """Whether a term with variables is a smaller part of another."""
    return isinstance(whole, Term) and bool(names_of(part)) and any(
        part == inner or _is_inside(part, inner) for inner in whole.args)
