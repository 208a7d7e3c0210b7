"""What formulas can speak of in a game: its roles, fluents, moves and goals; and formulas without variables.

`resolve` leaves atoms of five kinds alone: `terminal`, `(true FLUENT)`, `(legal ROLE MOVE)`, `(goal ROLE VALUE)` and
`(did ROLE MOVE)`. Variables become finite conjunctions and disjunctions, shorthands what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod
from typing import NoReturn

from ludorum.errors import InvalidFormula
from ludorum.game import Game
from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.source import Source
from ludorum.gdl.terms import Argument, Span, Term, Variable, variables
from ludorum.gdl.words import RANDOM
from ludorum.verify.formulas import (
    FALSE,
    Along,
    Atom,
    Constant,
    Counted,
    Formula,
    Implies,
    Junction,
    Knows,
    Not,
    Paths,
    Quantified,
    Shorthand,
    Surely,
    Until,
    Whether,
    conjunction,
    counted,
    disjunction,
    negation,
    subformulas,
)
from ludorum.verify.parsing import CODES, parse

#: So many instances of what stands under a variable are made, at most.
MOST_INSTANCES = 50_000
# A formula without variables has no more parts; what atoms mean is looked up faster than it is written.
_MOST_PARTS, _A_LOOK = 200_000, 0.1
_TERMINAL = Term("terminal")
_ABOUT_MOVES = ("legal", "did")


class Vocabulary:
    """The atoms of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.fluents = game.fluents
        self._moves = None if game.moves is None else {str(role): tuple(move.term for move in moves)
                                                       for role, moves in game.moves.items()}

    @property
    def players(self) -> list[str]:
        """The roles that know something: all but chance."""
        return [str(role) for role in self.game.roles if role != RANDOM]

    def legal(self, role: str) -> list[Formula]:
        """The atoms of all moves of a role."""
        return [Atom(Term("legal", (Term(role), move))) for move in self._of_moves(role)]

    def goals(self, role: str) -> list[Formula]:
        return [Atom(Term("goal", (Term(role), Term(str(value))))) for value in self._values[role]]

    @cached_property
    def _values(self) -> dict[str, tuple[int, ...]]:
        if self.game.engine != "circuit":
            return {str(role): tuple(range(101)) for role in self.game.roles}
        goals = self.game.circuit.goals
        return {str(role): tuple(sorted({value for value, _ in goals[seat]}))
                for seat, role in enumerate(self.game.roles)}

    def _of_moves(self, role: str) -> tuple[Term, ...]:
        return () if self._moves is None else self._moves[role]

    @cached_property
    def _known(self) -> frozenset[Term] | None:
        return None if self.fluents is None else frozenset(self.fluents)

    # ---- what atoms mean ----

    def atom(self, term: Term) -> Formula | None:
        """The atom that a ground term means in this game, `false` if it never holds; None if it means nothing."""
        if term == _TERMINAL:
            return Atom(term)
        roles = set(map(str, self.game.roles))
        if term.name in (*_ABOUT_MOVES, "goal") and len(term.args) == 2:
            role = str(term.args[0])
            if role not in roles:
                return None
            if term.name == "goal":
                try:
                    value = int(term.args[1])
                except ValueError:
                    return None
                return Atom(term) if value in self._values[role] else FALSE
            return Atom(term) if self._moves is None or term.args[1] in self._move_sets[role] else FALSE
        if term.name == "true" and len(term.args) == 1 and isinstance(term.args[0], Term):
            term = term.args[0]
        if self._known is None or term in self._known:
            return Atom(Term("true", (term,)))
        return FALSE if (term.name, len(term.args)) in self._kinds else None

    @cached_property
    def _move_sets(self) -> dict[str, frozenset[Term]]:
        return {role: frozenset(moves) for role, moves in (self._moves or {}).items()}

    @cached_property
    def _kinds(self) -> frozenset[tuple[str, int]]:
        return frozenset((fluent.name, len(fluent.args)) for fluent in self.fluents or ())

    def instances(self, pattern: Term) -> Iterable[Term]:
        """Ground atoms that a pattern may mean, as far as its outermost symbol tells."""
        if pattern.name in _ABOUT_MOVES and len(pattern.args) == 2:
            return (Term(pattern.name, (Term(role), move)) for role, moves in (self._moves or {}).items()
                    for move in moves)
        if pattern.name == "goal" and len(pattern.args) == 2:
            return (Term("goal", (Term(role), Term(str(value)))) for role, values in self._values.items()
                    for value in values)
        if pattern.name == "true" and len(pattern.args) == 1:
            return (Term("true", (fluent,)) for fluent in self.fluents or ())
        return (fluent for fluent in self.fluents or () if fluent.name == pattern.name)


def resolve(formula: Formula | str, game: Game) -> Formula:
    """A formula of this game without variables and shorthands; raises InvalidFormula."""
    text = formula if isinstance(formula, str) else str(formula)
    # A formula that was made by a program has no places; its text has.
    return _Resolver(Vocabulary(game), text).resolved(parse(text))


class _Resolver:
    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self._vocabulary = vocabulary
        self._findings = Findings(Source(text, "<formula>"), CODES)
        #: How many parts were written out so far, and under which variable.
        self._parts = 0.0
        self._outermost: Span | None = None

    def _fail(self, code: str, message: str, span: Span | None, help: str = "") -> NoReturn:
        self._findings.add(code, message, span, help=help)
        raise InvalidFormula(self._findings.in_order())

    def resolved(self, formula: Formula) -> Formula:
        return self._resolved(formula, {})

    def _resolved(self, formula: Formula, values: Mapping[str, Term]) -> Formula:
        if not values:
            self._outermost = formula.span
        self._count(1)
        match formula:
            case Constant():
                return formula
            case Atom():
                return self._atom(formula, values)
            case Not(body=body):
                return negation(self._resolved(body, values))
            case Junction(word=word, parts=parts):
                found = (self._resolved(part, values) for part in parts)
                return (conjunction if word == "and" else disjunction)(*found)
            case Implies(left=left, right=right, both_ways=True):
                # It stays as it is: written out it would be twice as long, and more so inside another.
                return _iff(self._resolved(left, values), self._resolved(right, values))
            case Implies(left=left, right=right):
                return disjunction(negation(self._resolved(left, values)), self._resolved(right, values))
            case Counted(word=word, count=count, parts=parts):
                return counted(word, count, tuple(self._resolved(part, values) for part in parts))
            case Quantified():
                return self._quantified(formula, values)
            case Knows(roles=roles, body=body):
                return replace(formula, roles=tuple(self._role(role, formula.span) for role in roles),
                               body=self._resolved(body, values))
            case Whether(role=role, body=body) | Surely(role=role, body=body):
                return replace(formula, role=self._role(role, formula.span), body=self._resolved(body, values))
            case Along(body=body) | Paths(body=body):
                return replace(formula, body=self._resolved(body, values))
            case Until(left=left, right=right):
                return replace(formula, left=self._resolved(left, values), right=self._resolved(right, values))
        return self._shorthand(formula)

    def _role(self, name: str, span: Span | None) -> str:
        roles = list(map(str, self._vocabulary.game.roles))
        if name not in roles:
            self._fail("formula-unknown-role", f"{self._vocabulary.game.name} has no role {name}", span,
                       f"its roles are {', '.join(roles)}")
        return name

    # ---- atoms and variables ----

    def _atom(self, atom: Atom, values: Mapping[str, Term]) -> Formula:
        term = _put(atom.term, values)
        free = next(variables(term), None)
        if free is not None:
            self._fail("formula-free-variable", f"nothing says which {free} is meant", atom.span,
                       f"write all {free} or some {free} before the formula")
        assert isinstance(term, Term)
        meant = self._vocabulary.atom(term)
        if any(variables(atom.term)):
            # What a variable stands for may be wrong in one place and right in another.
            return FALSE if meant is None else meant
        if meant is None or (meant == FALSE and term.name != "goal"):
            self._unknown(term, atom.span)
        return meant

    def _unknown(self, term: Term, span: Span | None) -> NoReturn:
        game = self._vocabulary.game
        alike = next((fluent for fluent in self._vocabulary.fluents or () if fluent.name == term.name), None)
        help = f"there is, for instance, {alike}" if alike is not None else \
            "atoms are fluents, terminal, (legal ROLE MOVE), (goal ROLE VALUE) and (did ROLE MOVE)"
        self._fail("formula-unknown-atom", f"{term} can never hold in {game.name}", span, help)

    def _quantified(self, formula: Quantified, values: Mapping[str, Term]) -> Formula:
        inner = {name: term for name, term in values.items() if name not in formula.variables}
        domains = [self._domain(name, formula, inner) for name in formula.variables]
        instances = prod(map(len, domains))
        if instances > MOST_INSTANCES:
            self._fail("formula-too-large", f"that would be more than {MOST_INSTANCES:,} instances", formula.span)
        found = (self._resolved(formula.body, {**inner, **dict(zip(formula.variables, chosen, strict=True))})
                 for chosen in product(*domains))
        if formula.word in ("all", "some"):
            return (conjunction if formula.word == "all" else disjunction)(*found)
        assert formula.count is not None
        return counted(formula.word, formula.count, tuple(found))  # type: ignore[arg-type]

    def _count(self, parts: float) -> None:
        self._parts += parts
        if self._parts > _MOST_PARTS:
            self._fail("formula-too-large", f"written out for all values it has more than {_MOST_PARTS:,} parts",
                       self._outermost, "variables inside each other multiply")

    def _domain(self, name: str, formula: Quantified, values: Mapping[str, Term]) -> list[Term]:
        """All terms at the places of a variable, in the atoms of the game that those of the formula match."""
        found: dict[Term, None] = {}
        atoms = [part for part in subformulas(formula.body) if isinstance(part, Atom)
                 and any(variable.name == name for variable in variables(part.term))]
        if not atoms:
            self._fail("formula-idle-variable", f"nothing under {formula.word} speaks of ?{name}", formula.span)
        for part in atoms:
            pattern = _put(part.term, values)
            assert isinstance(pattern, Term)
            matching = 0
            instances = tuple(self._vocabulary.instances(pattern))
            self._count(_A_LOOK * len(instances))
            for instance in instances:
                bound: dict[str, Term] = {}
                if _matches(pattern, instance, bound):
                    matching += 1
                    found[bound[name]] = None
            if not matching and not values:
                self._unknown(pattern, part.span)
        return list(found)

    # ---- shorthands ----

    def _shorthand(self, formula: Shorthand) -> Formula:
        if formula.role is None:
            return conjunction(*(part for _, part in well_formed(self._vocabulary)))
        return knowing(self._vocabulary, formula.word, self._role(formula.role, formula.span))


def knowing(vocabulary: Vocabulary, word: str, role: str) -> Formula:
    """What `knows_legal`, `knows_end` or `knows_goal` of a role stands for."""
    terminal = Atom(_TERMINAL)
    if word == "knows_end":
        return Paths("A", Along("G", disjunction(Not(terminal), Knows("K", (role,), terminal))))
    atoms = vocabulary.legal(role) if word == "knows_legal" else vocabulary.goals(role)
    unless = terminal if word == "knows_legal" else Not(terminal)
    known = conjunction(*(Whether(role, atom) for atom in atoms))
    return Paths("A", Along("G", disjunction(unless, known)))


def well_formed(vocabulary: Vocabulary) -> list[tuple[str, Formula]]:
    """The six properties of Ruan and Thielscher, in their order, each with a name: of every role where it is of one."""
    terminal = Atom(_TERMINAL)
    roles = list(map(str, vocabulary.game.roles))
    playable = conjunction(*(disjunction(*vocabulary.legal(role)) for role in roles))
    found: list[tuple[str, Formula]] = [
        ("AF terminal", Paths("A", Along("F", terminal))),
        ("AG (not terminal implies some ?m (legal ROLE ?m))", Paths("A", Along("G", disjunction(terminal, playable)))),
    ]
    for role in vocabulary.players:
        best = vocabulary.atom(Term("goal", (Term(role), Term("100")))) or FALSE
        found.append((f"EF (goal {role} 100)", Paths("E", Along("F", best))))
    found += [(f"{word} {role}", knowing(vocabulary, word, role))
              for word in ("knows_end", "knows_legal", "knows_goal") for role in vocabulary.players]
    return found


def _iff(left: Formula, right: Formula) -> Formula:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant):
            return other if one.value else negation(other)
    return Implies(left, right, both_ways=True)


def _put(argument: Argument, values: Mapping[str, Term]) -> Argument:
    """A term with values for some of its variables."""
    if isinstance(argument, Variable):
        return values.get(argument.name, argument)
    if not argument.args or not values:
        return argument
    return Term(argument.name, tuple(_put(inner, values) for inner in argument.args), argument.span)


def _matches(pattern: Argument, term: Argument, bound: dict[str, Term]) -> bool:
    if isinstance(pattern, Variable):
        assert isinstance(term, Term)
        return bound.setdefault(pattern.name, term) == term
    return (isinstance(term, Term) and pattern.name == term.name and len(pattern.args) == len(term.args)
            and all(_matches(a, b, bound) for a, b in zip(pattern.args, term.args, strict=True)))
