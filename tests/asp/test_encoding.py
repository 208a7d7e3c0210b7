"""Terms in clingo's language: whatever a name is made of, it comes back as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludorum.asp.encoding import decode, encode_atom, symbol
from ludorum.asp.process import ClingoProcess
from ludorum.gdl import Term

NAMES = st.one_of(
    st.sampled_from(["a", "not", "x__y", "or__3", "1", "-1", "007", "-0", "+1", "9999999999", "#show", "a_b",
                     "_a", "\"", "\\", "\\n", "A", "aB", "1a", "é", "x__", "__"]),
    st.integers().map(str),
    st.text(st.characters(exclude_categories=["Cs", "Z", "Cc"], exclude_characters="();"), min_size=1))
TERMS = st.recursive(NAMES.map(Term), lambda inner: st.builds(
    Term, NAMES, st.lists(inner, min_size=1, max_size=3).map(tuple)), max_leaves=6)


@pytest.fixture(scope="module")
def clingo() -> Iterator[ClingoProcess]:
    process = ClingoProcess(memory_mb=1024)
    yield process
    process.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(terms=st.lists(TERMS, max_size=5))
def test_terms_come_back_as_they_were(clingo: ClingoProcess, terms: list[Term]) -> None:
    program = "".join(f"{encode_atom(Term('holds', (term,)))}.\n" for term in terms)
    (model,) = clingo.ask("models", seconds=20, program=program, shown=[("holds", 1)])["models"]
    assert {decode(atom).args[0] for atom in model} == set(terms)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.sets(NAMES, max_size=5))
def test_relations_of_different_names_are_different(clingo: ClingoProcess, names: set[str]) -> None:
    atoms = {name: encode_atom(Term(name, (Term("a"),))) for name in names}
    assert len(set(atoms.values())) == len(names)
    program = "".join(f"{atom}.\n" for atom in atoms.values())
    (model,) = clingo.ask("models", seconds=20, program=program + "#show X : X = 1.\n", shown=[])["models"]
    assert model == [1]


@given(name=NAMES)
def test_a_constant_is_the_symbol_that_clingo_makes_of_it(name: str) -> None:
    assert decode(symbol(Term(name))) == Term(name)


def test_names_that_clingo_understands_stay_readable() -> None:
    assert encode_atom(Term("cell", (Term("1"), Term("a"), Term("f", (Term("x2"),))))) == "cell(1,a,f(x2))"
