"""From clauses to join plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ludorum.gdl.clauses import Clause, names_of
from ludorum.gdl.dependencies import GIVEN, Relation, dependencies, relation_of, static_relations, users
from ludorum.gdl.graph import closure, components
from ludorum.gdl.guards import is_domain
from ludorum.gdl.terms import Argument, Term, Variable, variables
from ludorum.gdl.unify import substitute, substitute_atom, unify
from ludorum.relations.estimates import Estimate, Estimates, Pattern, kept
from ludorum.relations.finiteness import Finiteness
from ludorum.relations.forms import Form, leaves_of, plain, preorder, split, with_leaves
from ludorum.relations.ordering import Condition, Estimator, conditions_of, expected, ordered
from ludorum.relations.program import SCANS, FactSet, JoinProgram, JoinRule, Kind, Level, Operation, Procedure, Symbols

#: The relations that are asked for whole, in the order of `JoinProgram.questions`.
QUESTIONS: tuple[Relation, ...] = (("init", 1), ("next", 1), ("legal", 2), ("goal", 2), ("sees", 2))
_TERMINAL: Relation = ("terminal", 0)
_TRUE: Relation = ("true", 1)
_DOES: Relation = ("does", 2)
# A relation that is asked in more forms than this is asked in its plain form from then on.
_MOST_FORMS = 16
# A question about what never changes that takes more steps than this is not expected to be remembered for all values.
_MOST_KEPT = 1e5


class Analysis:
    """What is known of clauses without running them."""

    def __init__(self, clauses: Sequence[Clause], roles: Sequence[Term]) -> None:
        self.roles = tuple(roles)
        self.clauses: dict[Relation, list[Clause]] = {}
        for clause in clauses:
            if relation_of(clause.head) not in GIVEN:
                self.clauses.setdefault(relation_of(clause.head), []).append(clause)
        self.static = static_relations(clauses)
        depends = dependencies(clauses)
        groups = components(depends)
        #: Relations that depend on themselves, with a number that those which depend on each other share.
        self.recursion = {relation: number for number, group in enumerate(groups) for relation in group
                          if len(group) > 1 or relation in depends[relation]}
        #: The relations that depend on what is done.
        self._after_moves = closure([_DOES], users(clauses))
        #: Relations given by facts alone.
        self.facts = {relation for relation, of_relation in self.clauses.items()
                      if all(not clause.atoms and not clause.distinct for clause in of_relation)}
        self.finiteness = Finiteness(self.clauses, self.recursion)

    def level(self, relation: Relation) -> Level:
        if relation == _TRUE:
            return Level.STATE
        if relation == _DOES or relation in self._after_moves:
            return Level.JOINT
        return Level.STATIC if relation in self.static or relation not in self.clauses else Level.STATE

    def symbols(self) -> Symbols:
        constants: set[str] = set()
        functions: set[tuple[str, int]] = set()
        stack: list[Argument] = list(self.roles)
        for of_relation in self.clauses.values():
            for clause in of_relation:
                for atom in (clause.head, *clause.atoms):
                    stack.extend(atom.args)
                stack.extend(side for pair in clause.distinct for side in pair)
        while stack:
            item = stack.pop()
            if isinstance(item, Term):
                if item.args:
                    functions.add((item.name, len(item.args)))
                    stack.extend(item.args)
                else:
                    constants.add(item.name)
        return Symbols(sorted(constants), sorted(functions))

    def materialized_by_default(self) -> frozenset[Relation]:
        """Relations computed whole unless measurements say otherwise: facts, and what is always asked whole."""
        return frozenset(relation for relation in self.facts.union(QUESTIONS)
                         if relation in self.clauses and relation not in self.recursion)


def compile_plans(analysis: Analysis, materialized: Iterable[Relation], estimates: Estimates) -> Compiled:
    """The join plans of a game, with these relations materialized, that is computed whole.

    All others are asked for what is bound.
    """
    return _Compiler(analysis, frozenset(materialized), estimates).compile()


@dataclass(frozen=True)
class Compiled:
    """Plans, and what their numbers stand for."""

    program: JoinProgram
    #: By number of the procedure, what is asked of it; None for those that fill sets.
    patterns: list[Pattern | None]
    #: By number of the set.
    sets: list[Relation]
    #: How often it was worked out what to expect of a condition: what making the plans took.
    expectations: int


class _Compiler:
    def __init__(self, analysis: Analysis, materialized: frozenset[Relation], estimates: Estimates) -> None:
        self.analysis = analysis
        self.materialized = materialized
        self.estimates = estimates
        self.program = JoinProgram(analysis.symbols(), analysis.roles)
        self.set_numbers: dict[Relation, int] = {}
        self.view_numbers: dict[tuple[int, tuple[Form, ...]], int] = {}
        self.index_numbers: dict[tuple[int, tuple[bool, ...]], int] = {}
        self.procedure_numbers: dict[Pattern, int] = {}
        self.patterns: list[Pattern | None] = []
        self.forms: dict[Relation, set[tuple[Form, ...]]] = {}
        self.guesses: dict[Pattern, Estimate] = {}
        self.todo: list[tuple[int, Pattern]] = []
        self.expectations = 0

    def compile(self) -> Compiled:
        questions = [self.set(_TRUE), self.set(_DOES)]
        for relation in QUESTIONS:
            questions.append(self.set(relation) if self.is_set(relation) else self._asked_whole(relation))
        questions.append(self.procedure((_TERMINAL, (), ())))
        self.program.questions = questions
        while self.todo:
            number, pattern = self.todo.pop()
            self._define(number, pattern)
        sets = {number: relation for relation, number in self.set_numbers.items()}
        return Compiled(self.program, self.patterns, [sets[i] for i in range(len(sets))], self.expectations)

    def is_set(self, relation: Relation) -> bool:
        return relation in GIVEN or relation in self.materialized or relation not in self.analysis.clauses

    # ---- what can be asked ----

    def set(self, relation: Relation) -> int:
        """The set of a relation that is given or computed whole."""
        if relation not in self.set_numbers:
            number = self.set_numbers[relation] = len(self.program.sets)
            made = FactSet(relation[0], self.analysis.level(relation), relation[1])
            self.program.sets.append(made)
            if relation in self.analysis.facts:
                symbols = self.program.symbols
                made.facts = [[symbol for argument in clause.head.args if isinstance(argument, Term)
                               for symbol in symbols.text(argument)] for clause in self.analysis.clauses[relation]]
            elif relation not in GIVEN and relation in self.analysis.clauses:
                pattern = (relation, plain(relation[1]), (False,) * relation[1])
                made.procedure = self._new_procedure(pattern, is_recursive=False)
                self.patterns[made.procedure] = None
            return number
        return self.set_numbers[relation]

    def _asked_whole(self, relation: Relation) -> int:
        """A set that holds all answers to a relation that is computed on demand."""
        name = f"all of {relation[0]}"
        number = self.set_numbers[name, relation[1]] = len(self.program.sets)
        made = FactSet(name, self.analysis.level(relation), relation[1], len(self.program.procedures))
        self.program.sets.append(made)
        self.program.procedures.append(Procedure(name, made.level, 0, relation[1], False))
        self.patterns.append(None)
        arguments = tuple(Variable(f"x{i}") for i in range(relation[1]))
        rule = _RuleWriter(self, arguments, (False,) * len(arguments), None)
        self.program.procedures[made.procedure].rules.append(
            rule.write([Condition("holds", (Term(relation[0], arguments),), frozenset(v.name for v in arguments))]))
        return number

    def view(self, relation: Relation, form: tuple[Form, ...]) -> int:
        key = (self.set(relation), form)
        if key not in self.view_numbers:
            self.view_numbers[key] = len(self.program.views)
            pattern = [-1 if part is None else self.program.symbols.function(*part) for part in preorder(form)]
            self.program.views.append((key[0], pattern, leaves_of(form)))
        return self.view_numbers[key]

    def index(self, view: int, bound: tuple[bool, ...]) -> int:
        key = (view, bound)
        if key not in self.index_numbers:
            self.index_numbers[key] = len(self.program.indexes)
            self.program.indexes.append((view, [i for i, b in enumerate(bound) if b],
                                         [i for i, b in enumerate(bound) if not b]))
        return self.index_numbers[key]

    def procedure(self, pattern: Pattern) -> int:
        if pattern not in self.procedure_numbers:
            self.procedure_numbers[pattern] = self._new_procedure(
                pattern, is_recursive=pattern[0] in self.analysis.recursion)
        return self.procedure_numbers[pattern]

    def _new_procedure(self, pattern: Pattern, *, is_recursive: bool) -> int:
        relation, form, bound = pattern
        leaves = iter([Term("bound" if b else "?") for b in bound])
        name = str(Term(relation[0], with_leaves(form, leaves)))
        number = len(self.program.procedures)
        self.program.procedures.append(Procedure(name, self.analysis.level(relation), sum(bound),
                                                 bound.count(False), is_recursive))
        self.patterns.append(pattern)
        self.todo.append((number, pattern))
        return number

    def form(self, atom: Term, *, is_guess: bool = False) -> tuple[tuple[Form, ...], tuple[Argument, ...]]:
        """The form in which an atom is asked for, and its leaves; a guess asks for no new one."""
        form, leaves = split(atom.args)
        if self.is_set(relation_of(atom)):
            return form, leaves
        forms = self.forms.setdefault(relation_of(atom), set())
        if form not in forms and (is_guess or len(forms) >= _MOST_FORMS):
            return plain(len(atom.args)), atom.args
        forms.add(form)
        return form, leaves

    # ---- rules ----

    def _define(self, number: int, pattern: Pattern) -> None:
        relation, _, bound = pattern
        for made, leaves in self._clauses(pattern):
            writer = _RuleWriter(self, leaves, bound, self.analysis.recursion.get(relation))
            conditions = ordered(_unguarded(made, writer.registers), frozenset(writer.registers),
                                 self._estimator(self.analysis.level(relation)))
            self.program.procedures[number].rules.append(writer.write(conditions))

    def _clauses(self, pattern: Pattern) -> Iterator[tuple[Clause, tuple[Argument, ...]]]:
        """The clauses that can answer a call, and the leaves of their heads."""
        relation, form, _ = pattern
        holes = [Variable(f"\0{i}") for i in range(leaves_of(form))]
        template = Term("", with_leaves(form, iter(holes)))
        for clause in self.analysis.clauses.get(relation, ()):
            values = unify(Term("", clause.head.args), template)
            if values is None:
                continue
            made = Clause(clause.head, tuple(substitute_atom(atom, values) for atom in clause.positive),
                          tuple(substitute_atom(atom, values) for atom in clause.negative),
                          tuple((substitute(a, values), substitute(b, values)) for a, b in clause.distinct))
            yield made, tuple(substitute(hole, values) for hole in holes)

    def _guess(self, pattern: Pattern) -> Estimate:
        """What is expected of a call that random play did not meet with: what its rules say, from what they ask for."""
        if pattern not in self.guesses:
            relation, _, bound = pattern
            # What asks for itself is taken for what nothing is known of.
            unknown = self.guesses[pattern] = self.estimates.of_call(pattern)
            found = []
            for made, leaves in self._clauses(pattern):
                names = [names_of(leaf) for leaf, is_bound in zip(leaves, bound, strict=True) if is_bound]
                known = frozenset().union(*names)
                estimator = self._estimator(self.analysis.level(relation), is_guess=True)
                found.append(expected(_unguarded(made, known), known, estimator))
            self.guesses[pattern] = Estimate(sum(of_clause.rows for of_clause in found),
                                             max(unknown.cost, sum(of_clause.cost for of_clause in found)),
                                             is_measured=False)
        return self.guesses[pattern]

    def _estimator(self, level: Level, *, is_guess: bool = False) -> Estimator:
        """What is expected of the conditions of a rule; it is asked for each of them many times."""
        is_kept = level is not Level.STATIC
        forms: dict[int, tuple[tuple[Form, ...], tuple[Argument, ...], list[set[str]]]] = {}

        def estimate(condition: Condition, known: frozenset[str]) -> Estimate:
            self.expectations += 1
            if condition.kind == "differ":
                return Estimate(0.8, 0.3)
            if id(condition) not in forms:
                form, leaves = self.form(condition.atom, is_guess=is_guess)
                forms[id(condition)] = form, leaves, list(map(names_of, leaves))
            form, leaves, names = forms[id(condition)]
            relation = relation_of(condition.atom)
            bound = tuple([of_leaf <= known for of_leaf in names])
            if self.is_set(relation):
                given = self.estimates.of_set(relation, form, leaves, bound)
            else:
                given = self.estimates.of_call((relation, form, bound))
                if not given.is_measured:
                    given = self._guess((relation, form, bound))
            if is_kept and self.analysis.level(relation) is Level.STATIC and given.cost < _MOST_KEPT:
                given = kept(given)
            return given if condition.kind == "holds" else Estimate(max(0.02, 1 - given.rows), given.cost, given.of_row)

        return estimate


def _unguarded(clause: Clause, known: Iterable[str]) -> list[Condition]:
    """The conditions of a clause without the domains of variables that have a value: what is asked for is in them."""
    conditions = conditions_of(clause)
    if is_domain(clause.head.name):
        return conditions
    return [condition for condition in conditions
            if condition.kind != "holds" or not is_domain(condition.atom.name) or not condition.names <= set(known)]


class _RuleWriter:
    """Writes the operations of one rule."""

    def __init__(self, compiler: _Compiler, leaves: Sequence[Argument], bound: Sequence[bool],
                 recursion: int | None) -> None:
        self.compiler = compiler
        self.leaves = leaves
        self.bound = bound
        self.recursion = recursion
        self.operations: list[Operation] = []
        self.registers: dict[str, int] = {}
        #: By register, the scan that its value depends on; -1 if it is none.
        self.binders: list[int] = [-1] * sum(bound)
        #: Terms that an operation could put into a register, and those that are in one.
        self.offered: dict[Term, Operation] = {}
        self.built: dict[Term, int] = {}
        self.iterators = 0
        self.last_scan = -1
        register = 0
        for leaf, is_bound in zip(leaves, bound, strict=True):
            if is_bound:
                self._match(leaf, register)
                register += 1

    def write(self, conditions: Sequence[Condition]) -> JoinRule:
        used = Counter(v.name for c in conditions for term in c.terms for v in variables(term))
        used.update(v.name for leaf in self.leaves for v in variables(leaf))
        for condition in conditions:
            if condition.kind == "differ":
                self._add(Kind.DIFFER, arguments=[self._operand(term) for term in condition.terms])
            else:
                self._condition(condition, used)
        answer = [self._operand(leaf) for leaf, is_bound in zip(self.leaves, self.bound, strict=True) if not is_bound]
        emit = self._add(Kind.EMIT, arguments=answer)
        # What was scanned after the last value of the answer was found gives no other answer.
        emit.back = emit.fail
        text = " ".join(map(str, conditions)).replace("\0", "#")
        return JoinRule(len(self.binders), self.iterators, self.operations, text)

    def _condition(self, condition: Condition, used: Counter[str]) -> None:
        atom = condition.atom
        relation = relation_of(atom)
        compiler = self.compiler
        form, leaves = compiler.form(atom)
        bound = tuple(names_of(leaf) <= self.registers.keys() for leaf in leaves)
        arguments = [self._operand(leaf) for leaf, is_bound in zip(leaves, bound, strict=True) if is_bound]
        free = [leaf for leaf, is_bound in zip(leaves, bound, strict=True) if not is_bound]
        holds = condition.kind == "holds"
        if compiler.is_set(relation):
            if all(bound):
                made = self._add(Kind.TEST if holds else Kind.TEST_NOT, compiler.view(relation, form), arguments)
                if holds:
                    self._offer(atom, made)
                return
            index = compiler.index(compiler.view(relation, form), bound)
            self._scan(Kind.SCAN, index, arguments, free, used, atom)
            return
        number = compiler.procedure((relation, form, bound))
        is_own = self.recursion is not None and compiler.analysis.recursion.get(relation) == self.recursion
        if holds and is_own:
            self._scan(Kind.SUSPEND, number, arguments, free, used, atom)
        elif all(bound):
            self._add(Kind.CALL_TEST if holds else Kind.CALL_NOT, number, arguments)
        else:
            self._scan(Kind.CALL_SCAN, number, arguments, free, used, atom)

    def _scan(self, kind: Kind, target: int, arguments: list[int], free: Sequence[Argument], used: Counter[str],
              atom: Term) -> None:
        at = len(self.operations)
        made = self._add(kind, target, arguments)
        made.iterator = self.iterators
        self.iterators += 2
        later: list[tuple[Argument, int]] = []
        for leaf in free:
            if isinstance(leaf, Variable) and used[leaf.name] == 1:
                made.outputs.append(-1)
                continue
            register = self._new_register(at)
            made.outputs.append(register)
            if isinstance(leaf, Variable) and leaf.name not in self.registers:
                self.registers[leaf.name] = register
            else:
                later.append((leaf, register))
        # A scan that only asks whether there is something need not be gone back to.
        if any(output >= 0 for output in made.outputs) or kind is Kind.SUSPEND:
            self.last_scan = at
        if kind is Kind.SCAN:
            self._offer(atom, made)
        for leaf, register in later:
            self._match(leaf, register)

    def _offer(self, atom: Term, operation: Operation) -> None:
        if len(atom.args) == 1 and isinstance(atom.args[0], Term) and names_of(atom.args[0]):
            self.offered.setdefault(atom.args[0], operation)

    def _match(self, argument: Argument, register: int) -> None:
        """Makes an argument equal to what is in a register."""
        if isinstance(argument, Variable):
            if argument.name in self.registers:
                self._add(Kind.SAME, arguments=[self.registers[argument.name], register])
            else:
                self.registers[argument.name] = register
        elif not names_of(argument):
            self._add(Kind.SAME, arguments=[register, ~self.compiler.program.symbols.constant(argument)])
        else:
            function = self.compiler.program.symbols.function(argument.name, len(argument.args))
            made = self._add(Kind.TAKE, function, [register])
            for _ in argument.args:
                made.outputs.append(self._new_register(made.fail))
            for inner, output in zip(argument.args, made.outputs, strict=True):
                self._match(inner, output)

    def _operand(self, argument: Argument) -> int:
        """The register or constant with the value of an argument whose variables have values."""
        if isinstance(argument, Variable):
            return self.registers[argument.name]
        if not names_of(argument):
            return ~self.compiler.program.symbols.constant(argument)
        if argument in self.built:
            return self.built[argument]
        offer = self.offered.get(argument)
        if offer is not None:
            register = self._new_register(self._binder_of(offer))
            offer.out = register
        else:
            operands = [self._operand(inner) for inner in argument.args]
            function = self.compiler.program.symbols.function(argument.name, len(argument.args))
            register = self._new_register(max([self.binders[o] for o in operands if o >= 0], default=-1))
            self._add(Kind.BUILD, function, operands).out = register
        self.built[argument] = register
        return register

    def _binder_of(self, operation: Operation) -> int:
        at = next(i for i, other in enumerate(self.operations) if other is operation)
        return at if operation.kind in SCANS else operation.fail

    def _new_register(self, binder: int) -> int:
        self.binders.append(binder)
        return len(self.binders) - 1

    def _add(self, kind: Kind, target: int = 0, arguments: list[int] | None = None) -> Operation:
        operands = arguments or []
        fail = max([self.binders[operand] for operand in operands if operand >= 0], default=-1)
        made = Operation(kind, target, operands, back=self.last_scan, fail=fail)
        self.operations.append(made)
        return made
