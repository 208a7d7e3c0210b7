"""From rules to Prolog as Fluxplayer did it: the state and the moves are further arguments of what depends on them.

`(legal ?p (mark ?x ?y))` becomes `legal(P, mark(X, Y), State)`, a relation that depends on moves too gets both, `Moves`
first, and one that depends on neither stays as it is (Schiffel's thesis, section 3.3.2). Two things are added to that
scheme, because a rulesheet may need them: conditions under `not` and `distinct` wait until their variables have values,
and relations that call themselves are tabled, where the Prolog can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ludorum.gdl.clauses import Clause, flatten, names_of
from ludorum.gdl.dependencies import QUESTIONS, Relation, dependencies, relation_of, relevant, users
from ludorum.gdl.graph import closure, components
from ludorum.gdl.names import made
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Argument, Term, variables
from ludorum.prolog.writing import atom, term

_TRUE: Relation = ("true", 1)
_DOES: Relation = ("does", 2)


@dataclass(frozen=True, slots=True)
class _Predicate:
    """What a relation is in Prolog."""

    name: str
    arity: int
    takes_moves: bool
    takes_state: bool

    @property
    def width(self) -> int:
        return self.arity + self.takes_moves + self.takes_state

    def call(self, arguments: Sequence[str], moves: str, state: str) -> str:
        given = [*arguments, *([moves] if self.takes_moves else []), *([state] if self.takes_state else [])]
        return f"{self.name}({', '.join(given)})" if given else self.name


def to_prolog(rulesheet: Rulesheet) -> str:
    """A rulesheet as a program that any Prolog loads; its head says how to ask it."""
    clauses = relevant(flatten(rulesheet))
    predicates = _predicates(clauses)
    by_relation: dict[Relation, list[Clause]] = {relation: [] for relation in predicates}
    for clause in clauses:
        by_relation[relation_of(clause.head)].append(clause)
    rules = ["".join(_clause(clause, predicates) for clause in own) or _nothing(predicates[relation])
             for relation, own in by_relation.items() if relation not in (_TRUE, _DOES)]
    tables = "".join(f":- table({predicates[relation].name}/{predicates[relation].width}).\n"
                     for relation in _tabled(clauses))
    name = " ".join(rulesheet.source.name.split())
    return "\n".join([_HEAD.format(name=name), *([_TABLES + tables] if tables else []), *rules, _GIVEN,
                      _questions(predicates)])


# ---- which arguments ----


def _predicates(clauses: Sequence[Clause]) -> dict[Relation, _Predicate]:
    """What every relation that is mentioned, asked for or given is in Prolog, in the order of its first rule."""
    using = users(clauses)
    on_state, on_moves = closure([_TRUE], using), closure([_DOES], using)
    mentioned = [relation_of(atom) for clause in clauses for atom in (clause.head, *clause.atoms)]
    relations = list(dict.fromkeys([*mentioned, *QUESTIONS, _TRUE, _DOES]))
    return {relation: _Predicate(atom(_name(relation)), relation[1], relation in on_moves, relation in on_state)
            for relation in relations}


def _name(relation: Relation) -> str:
    """The game's own names get a letter, since every Prolog has predicates that may not be defined anew."""
    if relation in (*QUESTIONS, _TRUE, _DOES):
        return relation[0]
    auxiliary = made(relation[0])
    return f"{auxiliary[0]}__{auxiliary[1]}" if auxiliary else f"r_{relation[0]}"


def _tabled(clauses: Sequence[Clause]) -> list[Relation]:
    """The relations that call themselves, but for those that do so through a negation: no table can wait for that."""
    depends = dependencies(clauses)
    found = []
    for component in components(depends):
        inside = set(component)
        if len(inside) == 1 and not inside & depends.get(component[0], set()):
            continue
        if not any(relation_of(clause.head) in inside and relation_of(atom) in inside
                   for clause in clauses for atom in clause.negative):
            found += sorted(inside)
    return found


# ---- rules ----


def _clause(clause: Clause, predicates: dict[Relation, _Predicate]) -> str:
    names = _variables(clause)
    moves = "Moves" if "moves" not in names else "Moves__"
    state = "State" if "state" not in names else "State__"

    def call(atom: Term) -> str:
        return predicates[relation_of(atom)].call([term(argument, names) for argument in atom.args], moves, state)

    def differ(pair: tuple[Argument, Argument]) -> str:
        return f"distinct({', '.join(term(argument, names) for argument in pair)})"

    waiting = [(names_of(atom), f"\\+ {call(atom)}") for atom in clause.negative]
    waiting += [(names_of(pair[0]) | names_of(pair[1]), differ(pair)) for pair in clause.distinct]
    bound: set[str] = set()
    body: list[str] = []
    for part in (None, *clause.positive):
        if part is not None:
            body.append(call(part))
            bound |= names_of(part)
        body += [text for needed, text in waiting if needed <= bound]
        waiting = [(needed, text) for needed, text in waiting if not needed <= bound]

    # What is passed on to nobody is not named: a name that occurs once is a slip, Prologs say.
    used = {name for atom in clause.atoms for predicate in [predicates[relation_of(atom)]]
            for name, takes in ((moves, predicate.takes_moves), (state, predicate.takes_state)) if takes}
    head = predicates[relation_of(clause.head)].call(
        [term(argument, names) for argument in clause.head.args],
        moves if moves in used else "_", state if state in used else "_")
    conditions = ",\n    ".join(body)
    return f"{head} :-\n    {conditions}.\n" if body else f"{head}.\n"


def _variables(clause: Clause) -> dict[str, str]:
    """What the variables of a clause are written as; those that occur once have no name."""
    arguments: list[Argument] = [clause.head, *clause.atoms]
    arguments += [argument for pair in clause.distinct for argument in pair]
    counts = Counter(variable.name for argument in arguments for variable in variables(argument))
    return {name: _variable(name) if count > 1 else "_" for name, count in counts.items()}


def _variable(name: str) -> str:
    if name[0].islower() and name.isascii() and name.replace("_", "").isalnum() and "__" not in name:
        return name[0].upper() + name[1:]
    return "V__" + "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in name)


def _nothing(predicate: _Predicate) -> str:
    """Of a relation without rules nothing holds; Prologs want to be told."""
    return f"{predicate.call(['_'] * predicate.arity, '_', '_')} :-\n    fail.\n"


# ---- the rest of the program ----

_HEAD = """\
% {name}
%
% A state is a list of fluents, and a joint move a list of does(Role, Move).
% Relations that depend on them take them as their last arguments, Moves and
% then State. Whatever the game, it answers these questions:
%
%   roles(-Roles)                        in the order of the rules
%   initial(-State)
%   legal_moves(+Role, +State, -Moves)
%   is_terminal(+State)
%   goal_values(+Role, +State, -Values)
%   successor(+State, +Moves, -Successor)
%   percepts(+Role, +State, +Moves, -Percepts)
%
% What they answer is sorted and free of duplicates.
"""

_TABLES = """\
% These call themselves. A Prolog without tabling says that it does not know the
% directive; it may then run in circles where the rules do.
"""

_GIVEN = """\
distinct(X, Y) :-
    X \\== Y.
true(Fluent, State) :-
    is_one_of(Fluent, State).
does(Role, Move, Moves) :-
    is_one_of(does(Role, Move), Moves).

is_one_of(X, [X|_]).
is_one_of(X, [_|L]) :-
    is_one_of(X, L).
"""


def _questions(predicates: dict[Relation, _Predicate]) -> str:
    def asked(name: str, arity: int, *arguments: str, moves: str = "[]", state: str = "[]") -> str:
        return predicates[name, arity].call(arguments, moves, state)

    return f"""\
roles(Roles) :-
    findall(Role, {asked("role", 1, "Role")}, Roles).
initial(State) :-
    findall(Fluent, {asked("init", 1, "Fluent")}, Found),
    sort(Found, State).
legal_moves(Role, {"State" if predicates["legal", 2].takes_state else "_"}, Moves) :-
    findall(Move, {asked("legal", 2, "Role", "Move", state="State")}, Found),
    sort(Found, Moves).
is_terminal({"State" if predicates["terminal", 0].takes_state else "_"}) :-
    {asked("terminal", 0, state="State")}, !.
goal_values(Role, {"State" if predicates["goal", 2].takes_state else "_"}, Values) :-
    findall(Value, {asked("goal", 2, "Role", "Value", state="State")}, Found),
    sort(Found, Values).
successor({"State" if predicates["next", 1].takes_state else "_"}, \
{"Moves" if predicates["next", 1].takes_moves else "_"}, Successor) :-
    findall(Fluent, {asked("next", 1, "Fluent", moves="Moves", state="State")}, Found),
    sort(Found, Successor).
percepts(Role, {"State" if predicates["sees", 2].takes_state else "_"}, \
{"Moves" if predicates["sees", 2].takes_moves else "_"}, Percepts) :-
    findall(Percept, {asked("sees", 2, "Role", "Percept", moves="Moves", state="State")}, Found),
    sort(Found, Percepts).
"""
