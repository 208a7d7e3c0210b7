"""Random rules that join what never changes with what does, in games that can reach any state.

Everything that holds of states is a set of marks on items and pairs of items, and each move flips one of them. What the
rules say is seen in moves that may be made (of a state), in fluents that nothing else reads (of a step), and in goals.
"""

from __future__ import annotations

from hypothesis import strategies as st

ITEMS = ("a", "b", "c", "d")
VARIABLES = ("?v", "?w", "?x", "?y", "?z")

#: Relations with their numbers of arguments: facts, what follows from them, marks, and what follows from these.
UNCHANGING = {"item": 1, "edge": 2, "line": 3, "near": 2, "alone": 1}
MARKS = {"lit": 1, "tied": 2}
CHANGING = {"held": 2, "free": 1}

#: Of a state, and of a step.
RULES = 12


def _atom(draw: st.DrawFn, kinds: dict[str, int], names: tuple[str, ...]) -> str:
    """A condition on variables, now and then on an item."""
    name = draw(st.sampled_from(sorted(kinds)))
    arguments = " ".join(draw(st.sampled_from((*names, *names, "a"))) for _ in range(kinds[name]))
    return f"(true ({name} {arguments}))" if name in MARKS else f"({name} {arguments})"


def _body(draw: st.DrawFn, kinds: dict[str, int]) -> tuple[list[str], tuple[str, ...]]:
    """Conditions in any order, and the variables that they bind."""
    body = [_atom(draw, kinds, VARIABLES) for _ in range(draw(st.integers(2, 3)))]
    bound = tuple(name for name in VARIABLES if any(name in condition for condition in body))
    if len(bound) > 1:
        # Of every item the relation holds, so that it would be in vain to deny it.
        denied = {name: arity for name, arity in kinds.items() if name != "item"}
        body += [f"(not {_atom(draw, denied, bound)})" for _ in range(draw(st.integers(0, 2)))]
        if draw(st.booleans()):
            body.append("(distinct {} {})".format(*draw(st.permutations(bound))))
    return draw(st.permutations(body)), bound


def _head(draw: st.DrawFn, bound: tuple[str, ...]) -> str:
    return " ".join(draw(st.sampled_from((*bound, *bound, "a"))) for _ in range(2))


@st.composite
def joins(draw: st.DrawFn) -> str:
    """The text of a rulesheet."""
    items = st.sampled_from(ITEMS)
    edges = draw(st.lists(st.tuples(items, items), min_size=2, max_size=8, unique=True))
    lines = draw(st.lists(st.tuples(items, items, items), min_size=2, max_size=8, unique=True))
    rules = ["(role robot)", *(f"(item {item})" for item in ITEMS), *(f"(edge {' '.join(pair)})" for pair in edges),
             *(f"(line {' '.join(three)})" for three in lines), "(init (lit a))", "(init (tied a b))",
             "(<= (near ?x ?z) (edge ?x ?y) (edge ?z ?y))", "(<= (alone ?x) (item ?x) (not (edge ?x ?x)))",
             "(<= (held ?x ?y) (true (tied ?x ?y)) (true (lit ?y)))",
             "(<= (free ?x) (item ?x) (not (true (tied ?x ?x))) (not (held ?x a)))",
             "(<= (legal robot (flip ?x ?y)) (item ?x) (item ?y))", "(<= (flips ?x ?y) (does robot (flip ?x ?y)))",
             "(<= (next (lit ?x)) (flips ?x ?y) (not (true (lit ?x))))",
             "(<= (next (lit ?x)) (true (lit ?x)) (flips ?y ?z) (distinct ?x ?y))",
             "(<= (next (tied ?x ?y)) (flips ?x ?y) (not (true (tied ?x ?y))))",
             "(<= (next (tied ?x ?y)) (true (tied ?x ?y)) (not (flips ?x ?y)))"]
    of_state = UNCHANGING | MARKS | CHANGING
    for number in range(RULES):
        body, bound = _body(draw, of_state)
        rules.append(f"(<= (legal robot (go{number} {_head(draw, bound)})) {' '.join(body)})")
        body, bound = _body(draw, of_state | {"flips": 2})
        rules.append(f"(<= (next (seen{number} {_head(draw, bound)})) {' '.join(body)})")
    body, _ = _body(draw, of_state)
    rules += [f"(<= (goal robot 100) {' '.join(body)})", "(<= terminal (true (lit none)))"]
    return "\n".join(rules)
