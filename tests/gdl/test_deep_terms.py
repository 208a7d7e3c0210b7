"""Terms nest as deep as a match is long, and are values all the same."""

from __future__ import annotations

from ludorum.gdl import Term, Variable


def tower(depth: int, top: Term | Variable) -> Term:
    built = Term("s", (top, Term("side")))
    for _ in range(depth):
        built = Term("s", (built, Variable("x")))
    return built


def test_deep_terms_are_equal_by_content() -> None:
    assert tower(20_000, Term("zero")) == tower(20_000, Term("zero"))
    assert tower(20_000, Term("zero")) != tower(20_000, Term("one"))
    assert tower(20_000, Variable("x")) != tower(20_000, Term("x"))
    assert tower(20_000, Term("zero")) != tower(20_001, Term("zero"))


def test_deep_terms_that_are_equal_have_one_hash() -> None:
    assert len({tower(20_000, Term("zero")), tower(20_000, Term("zero")), tower(20_000, Term("one"))}) == 2


def test_a_hash_does_not_depend_on_how_much_room_there_was() -> None:
    # Below some depth terms are hashed by recursion, above it without.
    def deep(level: int, term: Term) -> int:
        return hash(term) if level == 0 else deep(level - 1, term)

    term = tower(100, Term("zero"))
    assert deep(0, term) == deep(800, term)
