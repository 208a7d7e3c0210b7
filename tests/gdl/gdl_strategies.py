"""Hypothesis strategies for rules, as odd as the language allows."""

from __future__ import annotations

from hypothesis import strategies as st

from ludorum.gdl import And, Formula, Not, Or, Rule, Rulesheet, Term, Variable

CONNECTIVES = {"not", "and", "or", "<="}


def is_writable(name: str) -> bool:
    """Whether KIF can write the name: folded to lower case, without what ends a token."""
    return (name == name.lower() and not any(c.isspace() or c in "();\ufeff" for c in name)
            and not name.startswith("?"))


any_name = st.text(max_size=6).map(str.lower).filter(is_writable)
plain_names = st.sampled_from(["a", "b", "cell", "x1", "on_top", "state-goal", "1", "42", "-7", "true"])
odd_names = st.sampled_from(["+", "don't", "back\\slash", "a.b", "é", "_", "_1", "1-2", "%", "a,b", "not",
                             "or", ":-", "<", "'", "x'", "\\"])
names = plain_names | odd_names | any_name.filter(bool)
variables = (names | any_name).map(Variable)
constants = names.map(Term)


def terms(arguments: st.SearchStrategy[Term | Variable],
          names: st.SearchStrategy[str]) -> st.SearchStrategy[Term]:
    return st.builds(Term, names, st.lists(arguments, max_size=3).map(tuple))


arguments = st.recursive(constants | variables, lambda inner: terms(inner, names), max_leaves=6)
atoms = terms(arguments, names.filter(lambda name: name not in CONNECTIVES))
formulas: st.SearchStrategy[Formula] = st.recursive(
    atoms,
    lambda inner: st.builds(Not, inner)
    | st.builds(And, st.lists(inner, max_size=3).map(tuple))
    | st.builds(Or, st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)
rules = st.builds(Rule, atoms, st.lists(formulas, max_size=3).map(tuple))
rulesheets = st.builds(Rulesheet, st.lists(rules, max_size=4).map(tuple))
