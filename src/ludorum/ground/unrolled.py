"""A game unrolled in time, in clingo's language: what holds after 0, 1, 2 … moves, for planning.

Relations that differ from state to state get the number of the step as a last argument; the others stay as they are
and are grounded once. The part `look(t)` says what follows from the state after t steps, `act(t)` chooses a legal move
there and says what holds next. Unlike the relaxed program, this one knows what cannot hold yet after t steps, and it
may be small where the whole game is too large to ground.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.asp.encoding import encode, encode_atom, identifier
from ludorum.asp.writing import write
from ludorum.gdl.clauses import Clause, flatten
from ludorum.gdl.dependencies import Relation, relation_of, relevant, static_relations, users
from ludorum.gdl.goals import goal_values
from ludorum.gdl.graph import closure
from ludorum.gdl.rulesheet import Rulesheet
from ludorum.gdl.terms import Term
from ludorum.ground.sizes import Uniform
from ludorum.ground.splitting import split

_QUESTIONS: tuple[Relation, ...] = (("next", 1), ("legal", 2), ("goal", 2), ("terminal", 0))

# A move is made as long as the game is not over. A goal counts where the game ends, and is kept from then on, so that
# `t__win(v,n)` means: within n steps the game ends with a goal of at least v. No goal value, or several, are worth 0.
_FRAME = """\
#program look(step__).
t__over(step__) :- t__terminal(step__).
t__over(step__) :- t__over(step__-1).
t__value(V,step__) :- t__terminal(step__), not t__over(step__-1), t__goal({role},V,step__), V = 0..100.
t__several(step__) :- t__value(V,step__), t__value(W,step__), V < W.
t__win(W,step__) :- wanted__(W), t__value(V,step__), V >= W, not t__several(step__).
t__win(0,step__) :- t__over(step__).
t__win(W,step__) :- t__win(W,step__-1).
#program act(step__).
1 {{t__does({role},M,step__) : t__legal({role},M,step__)}} 1 :- not t__over(step__).
t__true(F,step__+1) :- t__next(F,step__).
#show t__does/3.
"""


def unrolled_program(rulesheet: Rulesheet, fluents: Iterable[Term]) -> str:
    """The program of a game of one role from the state where these fluents hold."""
    (role,) = rulesheet.roles
    # Splitting has to see all clauses, those of `init` too: they tell what variables range over.
    clauses = relevant(flatten(rulesheet))
    clauses = relevant(split(clauses, Uniform(static_relations(clauses))).clauses, _QUESTIONS)
    # What is asked about every state gets a step even if it is the same in all of them.
    asked: set[Relation] = closure(_QUESTIONS, users(clauses))
    static = static_relations(clauses) - asked
    acting = closure([("does", 2)], users(clauses))
    parts: dict[str, list[str]] = {"base": [], "look": [], "act": []}
    for clause in clauses:
        relation = relation_of(clause.head)
        if relation in static:
            parts["base"].append(write([clause]))
        else:
            parts["act" if relation in acting or relation == ("next", 1) else "look"].append(_at_step(clause, static))
    start = [f"t__true({encode(fluent)},0).\n" for fluent in fluents]
    wanted = [f"wanted__({value}).\n" for value in goal_values(rulesheet)]
    return "".join([*parts["base"], *start, *wanted, "#program look(step__).\n", *parts["look"],
                    "#program act(step__).\n", *parts["act"], _FRAME.format(role=encode(role))])


def _at_step(clause: Clause, static: frozenset[Relation]) -> str:
    """A clause about the state after t steps."""

    def written(atom: Term) -> str:
        if relation_of(atom) in static:
            return encode_atom(atom)
        arguments = [*map(encode, atom.args), "step__"]
        return f"t__{identifier(atom.name)}({','.join(arguments)})"

    body = [*map(written, clause.positive), *(f"not {written(atom)}" for atom in clause.negative),
            *(f"{encode(left)} != {encode(right)}" for left, right in clause.distinct)]
    return f"{written(clause.head)} :- {', '.join(body)}.\n" if body else f"{written(clause.head)}.\n"
